"""One end of the conversation: messages of values, and the changes of what the other end has a copy of."""

from collections.abc import Callable
from typing import Any

from course.isolation.pipe import arrays
from course.isolation.pipe.decode import Decoder, require_data
from course.isolation.pipe.encode import Encoder
from course.isolation.pipe.faults import Ledger
from course.isolation.pipe.objects import Numbered, ObjectTable
from course.isolation.pipe.wire import Channel, WireError, pack


class Peer:
    """Sends and receives. At any moment one end speaks and the other listens.

    Values are copied. While the outermost call lasts, changes of lists, dicts, sets and arrays that crossed are copied
    too: with its answer all of them (``everything``), with the messages of callbacks, which may be many, those of the
    values that they mention. After the call each end has copies of its own. The test's values change only in a call
    ``in_place``; in any other, what the worker changed of them crosses as a new value.

    ``label`` is what ``Encoder`` takes, ``make_stub`` what ``Decoder`` does.
    """

    def __init__(
        self, channel: Channel, label: Callable[[object], str], make_stub: Callable[[str], object], *, is_worker: bool
    ) -> None:
        self.channel = channel
        self.table = ObjectTable(int(is_worker))
        self.ledger = Ledger(notes_traces=not is_worker)
        self._is_worker, self._label, self._make_stub = is_worker, label, make_stub

    def send(self, kind: str, value: Any, *, everything: bool, **header: Any) -> None:
        """Send a message; raise ``PipeError`` before anything is sent if the value cannot be encoded."""
        if everything:
            self.table.part()
        encoder = Encoder(self.table, self._label)
        header |= {"is": kind, "value": encoder.encode(value)}
        asked = self.table.shared() if everything else encoder.mentioned
        changed = [each for each in asked if each.kind == "shared" and not self.table.is_copy(each) and each.changed()]
        header["updates"] = [[entry.number, encoder.encode(entry.value, again=True)] for entry in changed]
        frame = pack(header | {"nodes": encoder.nodes}, encoder.blobs)
        encoder.commit()
        for entry in changed:
            entry.settle()
        self.channel.send(frame)

    def send_fault(self, error: BaseException, *, everything: bool) -> None:
        """Send an exception; leave out what of it cannot be encoded."""
        try:
            self.send("raised", self.ledger.describe(error), everything=everything)
        except OSError:
            raise
        except Exception:
            self.send("raised", self.ledger.describe(error, lean=True), everything=False)

    def receive(self) -> dict[str, Any]:
        """Return the next message, with the other end's changes made here too.

        ``is`` says what it is: ``load``, ``request``, ``callback``, ``returned`` or ``raised``; ``value`` is its value.
        What is no message raises ``WireError``.
        """
        header, blobs = self.channel.receive()
        try:
            if self._is_worker and header.get("fresh"):  # the first request of a test; no worker can say so
                self.table.end_test()
                self.channel.received = 0
            if self._is_worker:
                self.table.in_place = header.get("in_place", self.table.in_place)
            decoder = Decoder(self.table, self._make_stub, header["nodes"], blobs)
            for number, item in header["updates"]:
                self._update(self.table.entries[number], decoder.item(item))
            return header | {"is": str(header["is"]), "value": decoder.item(header["value"])}
        except (KeyError, TypeError, ValueError) as error:
            raise WireError(f"a message that makes no sense: {type(error).__name__}: {error!s:.200}") from None

    def _update(self, entry: Numbered, content: Any) -> None:
        target = entry.value
        ours = not self._is_worker and not self.table.is_foreign(entry.number)
        if entry.kind != "shared" or type(target) is not type(content) or (ours and not self.table.in_place):
            raise WireError("a change of something that was not shared")
        if entry.only_data:
            require_data([content], self.table, "data type", frozen=False)
        if isinstance(target, list):
            target[:] = content
        elif isinstance(target, (dict, set)):
            target.clear()
            target.update(content)
        else:
            arrays.assign(target, content)
        entry.settle()
