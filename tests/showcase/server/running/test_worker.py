"""The engine's thread: whatever fails, everybody gets an end, and the thread goes on."""

import asyncio
from contextlib import aclosing

import pytest

from course.showcase.server.worker import EngineWorker
from labkit.engine import Engine, SamplingParams, ScriptedModel
from labkit.models import uniform
from labkit.vocabulary import Vocabulary
from tests.labkit.engine import OneOf

TOY = Vocabulary.toy()
LONG = SamplingParams(max_tokens=900, seed=0)


class Fails(OneOf):
    """Its release raises."""

    def add(self, request):
        request.structured_output_state = [3]

    def release(self, request):
        raise ZeroDivisionError("release")


class BreakingModel(ScriptedModel):
    broken = False

    def forward(self, *arguments):
        if self.broken:
            raise RuntimeError("a pass")
        return super().forward(*arguments)


async def outputs(worker, name, params=LONG, asked=None):
    return [output async for output in worker.stream({name: ([3], params)}, asked)]


def served(test, structured_outputs=None):
    """Run a test with a worker over a model without preferences."""

    async def run():
        model = BreakingModel(lambda ids: uniform(5)(ids) * [1, 1, 1, 1, -100], 5)
        worker = EngineWorker(Engine(model, TOY, structured_outputs))
        worker.start()
        try:
            await asyncio.wait_for(test(worker, model), 60)
        finally:
            await worker.stop()
        assert not worker.engine.requests and not worker.num_streams

    asyncio.run(run())


def test_a_pass_that_fails_ends_all_and_the_next_request_is_served():
    async def test(worker, model):
        both = [asyncio.ensure_future(outputs(worker, name)) for name in "ab"]
        while not all(name in worker.engine.requests for name in "ab"):
            await asyncio.sleep(0.001)
        model.broken = True
        for found in await asyncio.gather(*both):
            assert found[-1].finish_reason == "error" and str(found[-1].error) == "a pass"
        model.broken = False
        assert len(await outputs(worker, "c", SamplingParams(max_tokens=4))) == 4

    served(test)


def test_a_release_that_fails_leaves_nobody_waiting():
    async def test(worker, model):
        found = await outputs(worker, "a", SamplingParams(max_tokens=2), "x")
        assert found[-1].finish_reason == "error" and str(found[-1].error) == "release"
        assert len(await outputs(worker, "b", SamplingParams(max_tokens=3))) == 3

    served(test, Fails())


@pytest.mark.parametrize("count", [0, 1, 5])
def test_leaving_a_stream_early_aborts_its_request(count):
    async def test(worker, model):
        async with aclosing(worker.stream({"a": ([3], LONG)}, None)) as stream:
            for _ in range(count):
                await anext(stream)
        while worker.engine.requests:
            await asyncio.sleep(0.001)
        assert worker.tokens < 900 and worker.finished == ({"abort": 1} if count else {})

    served(test)
