"""A reasoning parser for vLLM: the small model thinks up to ``</think>``, which is no special token of its own."""

from vllm.reasoning import ReasoningParser, ReasoningParserManager

END = "</think>"


@ReasoningParserManager.register_module("thinks")
class Thinks(ReasoningParser):
    def is_reasoning_end(self, input_ids):
        # the prompt holds an earlier turn with the same end, so only what comes after the last <think> counts
        text = self.model_tokenizer.decode(input_ids, skip_special_tokens=False)
        return END in text.rpartition("<think>")[2]

    def extract_content_ids(self, input_ids):
        for size in range(len(input_ids) + 1):
            if self.is_reasoning_end(input_ids[:size]):
                return input_ids[size:]
        return []

    def extract_reasoning(self, model_output, request):
        return model_output.partition(END)[::2]

    def extract_reasoning_streaming(self, *arguments):
        return None
