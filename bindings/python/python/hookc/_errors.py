"""The exceptions of hookc. All of them are `hookc.Error`; wrong types are `TypeError`, as everywhere in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hookc._hookc import Diagnostic


class Error(Exception):
    """What hookc cannot do, and why."""

    code: str
    """A short name of the error, for programs. It does not change between versions."""
    message: str
    """The error in one line."""
    location: str | None
    """Where it is: `file:line:column`, a file, a hook, or a byte of the event."""
    rendered: str
    """The text for people, which is also `str(error)`."""

    def __init__(self, code: str, message: str, location: str | None, rendered: str, *more: object) -> None:
        super().__init__(code, message, location, rendered, *more)
        self.code = code
        self.message = message
        self.location = location
        self.rendered = rendered

    def __str__(self) -> str:
        return self.rendered


class CompileError(Error):
    """A policy has errors. `code`, `message` and `location` are those of the first one; `str` is what the
    command line prints."""

    diagnostics: tuple[Diagnostic, ...]
    """Everything that the compiler reported, warnings and notes included."""

    def __init__(
        self, code: str, message: str, location: str | None, rendered: str, diagnostics: tuple[Diagnostic, ...]
    ) -> None:
        super().__init__(code, message, location, rendered, diagnostics)
        self.diagnostics = diagnostics


class FileError(Error):
    """A file of a policy cannot be read. Its `__cause__` is the `OSError`."""


class LoadError(Error):
    """Bytes are not a sound module of this version."""


class EventError(Error):
    """There is no decision about an event. Choose whether your program now allows or denies."""

    offset: int | None
    """The byte of the event, if the error is about one."""

    def __init__(
        self, code: str, message: str, location: str | None, rendered: str, offset: int | None
    ) -> None:
        super().__init__(code, message, location, rendered, offset)
        self.offset = offset


class ActionError(Error):
    """The action of a matched hook cannot be filled in from the event. The decision is valid all the same."""


class ReplayError(Error):
    """A stream cannot be replayed: a missing column, a column of another type, a stream that was read already."""


class SnapshotError(Error):
    """Bytes are not a snapshot of a session, or are damaged."""


class ThreadError(Error):
    """A thread cannot take an event: it waits (`waiting`) or handles another one (`busy`). Or a text is not the
    state of a thread (`state`)."""
