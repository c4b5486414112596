"""Decides about events with hookc-vm.wasm in wasmtime: `decide.py WASM MODULE EVENTS`.

WASM is hookc-vm.wasm, MODULE what `hookc compile` wrote, EVENTS a file with an event per line. (For Python itself
there is a package without WebAssembly: bindings/python.)
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import wasmtime


class Failure(Exception):
    """Why a call failed. An event that nothing can be decided about has the kind `event`: you choose whether to
    fail open or closed."""

    def __init__(self, details: dict) -> None:
        super().__init__(details["rendered"])
        self.kind, self.code, self.message = details["kind"], details["code"], details["message"]


class Policy:
    """A loaded module in an instance of its own, for one thread at a time."""

    def __init__(self, engine: wasmtime.Engine, compiled: wasmtime.Module, module: bytes) -> None:
        self.store = wasmtime.Store(engine)
        # An empty list of imports: the module has none.
        self.exports = wasmtime.Instance(self.store, compiled, []).exports(self.store)
        self.handle = self._with(module, lambda address: self._call("load", address, len(module)))

    def decide(self, event: bytes) -> bytes:
        """The decision as JSON. Without hooks it is no opinion, which is not permission."""

        def decide(address: int) -> bytes:
            self._call("decide", self.handle, address, len(event), 0, 0)
            return self._result()

        return self._with(event, decide)

    def session(self, snapshot: bytes = b"") -> Session:
        """A session, from what `Session.snapshot` returned unless that is empty."""
        return Session(self, self._with(snapshot, lambda at: self._call("session_open", self.handle, at, len(snapshot))))

    def _with(self, data, use):
        address = self.exports["alloc"](self.store, len(data)) & 0xFFFFFFFF
        if address == 0:
            raise MemoryError(f"no memory for {len(data)} bytes")
        self.exports["memory"].write(self.store, data, address)
        try:
            return use(address)
        finally:
            self.exports["free"](self.store, address)

    def _call(self, name: str, *numbers: int) -> int:
        status = self.exports[name](self.store, *numbers)
        if status < 0:
            raise Failure(json.loads(self._result()))
        return status

    def _result(self) -> bytes:
        start, length = (self.exports[name](self.store) & 0xFFFFFFFF for name in ("result_ptr", "result_length"))
        return bytes(self.exports["memory"].read(self.store, start, start + length))


class Session:
    """What conditions about earlier events need. It lives in the instance of its policy."""

    def __init__(self, policy: Policy, handle: int) -> None:
        self.policy, self.handle = policy, handle

    def decide(self, event: bytes, time: int) -> bytes:
        """The decision as JSON, at a time in milliseconds. The event is recorded."""
        options = b'{"time": %d}' % time

        def decide(address: int) -> bytes:
            start = address + len(options)
            self.policy._call("session_decide", self.handle, start, len(event), address, len(options))
            return self.policy._result()

        return self.policy._with(options + event, decide)

    def snapshot(self) -> bytes:
        """The state: keep it where the agent cannot write."""
        self.policy._call("session_snapshot", self.handle)
        return self.policy._result()


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit("usage: decide.py WASM MODULE EVENTS")
    wasm, module, events = (Path(name).read_bytes() for name in sys.argv[1:])
    engine = wasmtime.Engine()
    policy = Policy(engine, wasmtime.Module(engine, wasm), module)
    for event in filter(None, events.split(b"\n")):
        print(policy.decide(event).decode())


if __name__ == "__main__":
    main()
