"""One end of the conversation: messages of values, with the changes that keep both ends in step."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from course.isolation.pipe.decode import Decoder
from course.isolation.pipe.encode import Encoder
from course.isolation.pipe.errors import WireError
from course.isolation.pipe.faults import Ledger
from course.isolation.pipe.table import DICTS, Entry, Table
from course.isolation.pipe.values import Outsiders
from course.isolation.pipe.wire import Channel, pack


@dataclass(frozen=True)
class Message:
    """What arrived: ``request``, ``callback``, ``returned`` or ``raised``, its value, and the rest of its header."""

    kind: str
    value: Any
    header: dict[str, Any]


class Peer:
    """Sends and receives. At any moment one end speaks and the other listens.

    With ``everything`` a message brings all shared values up to date. Inside callbacks, which may be many, it
    does so only for those that it mentions.
    """

    def __init__(self, channel: Channel, table: Table, outsiders: Outsiders, *, notes_traces: bool) -> None:
        self.channel = channel
        self.table = table
        self.ledger = Ledger(notes_traces=notes_traces)
        self._outsiders = outsiders
        self._dropped: list[int] = []

    def send(self, kind: str, value: Any, *, everything: bool, **header: Any) -> None:
        """Send a message.

        Raises:
            PipeError: before anything is sent, if the value cannot be encoded.
            OSError: if the other end is gone.
        """
        self._dropped += self.table.sweep(trim=everything)
        encoder = Encoder(self.table, self._outsiders)
        header |= {"is": kind, "value": encoder.encode(value)}
        changed = self._changed(encoder, everything=everything)
        header["updates"] = [[entry.number, encoder.content(entry.value)] for entry in changed]
        frame = pack(header | {"nodes": encoder.nodes, "drop": self._dropped}, encoder.blobs)
        encoder.commit()
        for entry in changed:
            entry.settle()
        self._dropped = []
        self.channel.send(frame)

    def _changed(self, encoder: Encoder, *, everything: bool) -> list[Entry]:
        asked: Iterable[Entry] = self.table.shared() if everything else encoder.mentioned.values()
        return [entry for entry in asked if entry.kind == "shared" and entry.changed()]

    def send_fault(self, error: BaseException, *, everything: bool) -> None:
        """Send an exception; what of it cannot be encoded is left out."""
        try:
            self.send("raised", self.ledger.describe(error), everything=everything)
        except OSError:
            raise
        except Exception:
            self.send("raised", self.ledger.describe(error, lean=True), everything=False)

    def receive(self) -> Message:
        """The next message, with the other end's changes made here too.

        Raises:
            WireError: if it is no message.
            EOFError, OSError: if the other end is gone.
        """
        header, blobs = self.channel.receive()
        try:
            self.table.forget(header["drop"])
            decoder = Decoder(self.table, self._outsiders, header["nodes"], blobs)
            for number, item in header["updates"]:
                self._update(self.table[number], decoder.item(item))
            return Message(header["is"], decoder.item(header["value"]), header)
        except (KeyError, TypeError, ValueError) as error:
            raise WireError(f"a message that makes no sense: {type(error).__name__}: {error!s:.200}") from None

    def _update(self, entry: Entry, content: Any) -> None:
        target = entry.value
        if entry.kind != "shared" or type(target) is not type(content):
            raise WireError("a change of something that is not kept in step")
        if type(target) in (bytearray, list):
            target[:] = content
        elif type(target) in (set, *DICTS):
            target.clear()
            target.update(content)
        elif hasattr(target, "extend"):
            target.clear()
            target.extend(content)
        else:
            from course.isolation.pipe import arrays

            arrays.assign(target, content)
        entry.settle()
