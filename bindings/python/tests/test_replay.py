"""Replay of Arrow streams."""

from __future__ import annotations

import gc
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import hookc
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

NEW = hookc.Policy.from_yaml("hooks: [{id: low, event: Stop, when: n < 5, action: {type: deny, reason: 'n=${n}'}}]")
OLD = hookc.Policy.from_yaml("hooks: [{id: low, event: Stop, when: n < 7, action: {type: deny, reason: 'n=${n}'}}]")


def event(n: int) -> str:
    return json.dumps({"hook_event_name": "Stop", "n": n})


def table(values: list[Any], type: Any = None) -> Any:
    return pa.table({"event": pa.array(values, type or pa.string()), "n": range(len(values))})


def read(stream: Any) -> Any:
    return pa.RecordBatchReader.from_stream(stream).read_all()


def test_columns_of_one_and_two_policies() -> None:
    values = [event(3), event(6), "not JSON", None]
    output = read(hookc.replay_stream(NEW, table(values), against=OLD, keep=["n"]))
    assert output.column_names == ["n", "hook", "action", "error", "changed", "before"]
    action = '{"type":"deny","reason":"n=%d"}'
    assert output.to_pylist() == [
        {"n": 0, "hook": ["low"], "action": [action % 3], "error": None, "changed": False, "before": None},
        {"n": 1, "hook": [], "action": [], "error": None, "changed": True, "before": [action % 6]},
        {
            "n": 2,
            "hook": None,
            "action": None,
            "error": "the event is not JSON at byte 0: expected `null`",
            "changed": False,
            "before": None,
        },
        {"n": 3, "hook": None, "action": None, "error": "the event is null", "changed": False, "before": None},
    ]
    assert read(hookc.replay_stream(NEW, table(values))).column_names == ["hook", "action", "error"]


@pytest.mark.parametrize(
    "type", [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()], ids=str
)
def test_every_type_of_text(type: Any) -> None:
    values = [event(n) for n in range(10)]
    if pa.types.is_binary(type) or pa.types.is_large_binary(type) or "binary" in str(type):
        encoded: list[Any] = [value.encode() for value in values]
    else:
        encoded = list(values)
    sliced = table(encoded, type).slice(2, 6)
    assert [row["hook"] for row in read(hookc.replay_stream(NEW, sliced)).to_pylist()] == [["low"]] * 3 + [[]] * 3


def test_text_that_is_not_utf8() -> None:
    array = pa.array([b'{"hook_event_name": "\xff"}'], pa.binary()).view(pa.string())
    (row,) = read(hookc.replay_stream(NEW, pa.table({"event": array}))).to_pylist()
    assert row["error"] == "the event is not UTF-8 at byte 21" and row["hook"] is None


def test_large_batches_and_threads_give_the_same() -> None:
    values = [event(n % 11) for n in range(100_000)]
    one = hookc.replay_stream(NEW, table(values), against=OLD)
    many = hookc.replay_stream(NEW, table(values), against=OLD, threads=3)
    assert many.rows == 0
    assert read(one).combine_chunks().equals(read(many).combine_chunks())
    assert one.rows == many.rows == 100_000


def test_an_action_that_cannot_be_filled_in() -> None:
    policy = hookc.Policy.from_yaml("hooks: [{id: wait, event: error, action: {type: retry, max_attempts: '${n}'}}]")
    values = ['{"event": {"type": "error"}, "n": "many"}']
    (row,) = read(hookc.replay_stream(policy, table(values))).to_pylist()
    assert (row["hook"], row["action"]) == (["wait"], [None])
    assert row["error"].startswith("hook wait: parameter `max_attempts`")


def test_wrong_streams() -> None:
    with pytest.raises(TypeError, match="expected an object with __arrow_c_stream__"):
        hookc.replay_stream(NEW, [event(1)])  # type: ignore[arg-type]
    numbers = pa.table({"event": [1]})
    with pytest.raises(hookc.ReplayError, match="has the type Int64: expected text or binary"):
        hookc.replay_stream(NEW, numbers)
    with pytest.raises(hookc.ReplayError, match='there is no column "payload": the stream has event, n') as caught:
        hookc.replay_stream(NEW, table([]), column="payload")
    assert caught.value.code == "column"
    with pytest.raises(hookc.ReplayError, match='two columns "hook"'):
        hookc.replay_stream(NEW, pa.table({"event": ["{}"], "hook": [1]}), keep=["hook"])

    for threads in [0, 1025]:
        with pytest.raises(ValueError, match="expected 1 to 1024"):
            hookc.replay_stream(NEW, table([]), threads=threads)

    class Wrong:
        def __init__(self, capsule: Any) -> None:
            self.capsule = capsule

        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            if isinstance(self.capsule, Exception):
                raise self.capsule
            return self.capsule

    with pytest.raises(TypeError, match="a capsule from __arrow_c_stream__"):
        hookc.replay_stream(NEW, Wrong(1))
    with pytest.raises(LookupError):
        hookc.replay_stream(NEW, Wrong(LookupError("gone")))
    with pytest.raises(ValueError):
        hookc.replay_stream(NEW, Wrong(pa.schema([]).__arrow_c_schema__()))
    used = table([event(1)]).__arrow_c_stream__()
    hookc.replay_stream(NEW, Wrong(used))
    with pytest.raises(hookc.ReplayError, match="the stream cannot be read"):
        hookc.replay_stream(NEW, Wrong(used))


def test_a_stream_is_read_once() -> None:
    stream = hookc.replay_stream(NEW, table([event(1)]))
    assert read(stream).num_rows == 1
    with pytest.raises(hookc.ReplayError, match="was read already") as caught:
        read(stream)
    assert caught.value.code == "consumed"


def test_an_input_that_fails_midway() -> None:
    def batches() -> Iterator[Any]:
        yield from table([event(1)] * 3).to_batches()
        raise OSError("the disk is gone")

    schema = table([event(1)]).schema
    reader = pa.RecordBatchReader.from_batches(schema, batches())
    output = pa.RecordBatchReader.from_stream(hookc.replay_stream(NEW, reader))
    assert output.read_next_batch().num_rows == 3
    with pytest.raises(Exception, match="the disk is gone"):
        output.read_next_batch()


def test_streams_that_are_not_read_to_their_end() -> None:
    for read_one in [False, True]:
        stream = hookc.replay_stream(NEW, table([event(1)] * 100_000))
        if read_one:
            pa.RecordBatchReader.from_stream(stream).read_next_batch()
        else:
            stream.__arrow_c_stream__()
        del stream
        gc.collect()


def test_the_gil_is_released_while_reading() -> None:
    values = table([event(n) for n in range(50_000)] * 4)
    done = threading.Event()
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    stream = hookc.replay_stream(NEW, values, against=OLD)
    before = ticks
    read(stream)
    during = ticks - before
    done.set()
    thread.join()
    assert during > 10
