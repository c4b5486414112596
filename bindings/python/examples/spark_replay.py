"""Replay on Spark: `python spark_replay.py`. The same function as with DuckDB, once for each partition."""

import itertools
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import hookc
import pyarrow as pa
from hookc.replay import Files, replay_files

NEW = "hooks: [{id: large, event: limit, when: cost.spend > 10, action: {type: escalate, target: user_approval}}]"
OLD = "hooks: [{id: large, event: limit, when: cost.spend > 12, action: {type: escalate, target: user_approval}}]"
SCHEMA = "hook array<string>, action array<string>, error string, changed boolean, before array<string>"


def replay(new: bytes, old: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What Spark runs for each partition: the modules are loaded once, and batches stay in Arrow."""
    own = iter(batches)
    first = next(own, None)
    if first is None:
        return
    policies = [hookc.Policy.from_module(module) for module in (new, old)]
    reader = pa.RecordBatchReader.from_batches(first.schema, itertools.chain([first], own))
    stream = hookc.replay_stream(policies[0], reader, against=policies[1])
    yield from pa.RecordBatchReader.from_stream(stream)


def spark_totals(pattern: str, new: hookc.Policy, old: hookc.Policy) -> dict[tuple[str | None, bool], int]:
    """Events by the hooks that decide and by whether the answer changed."""
    from pyspark.sql import SparkSession

    # The workers need the same packages.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    modules = session.sparkContext.broadcast((new.module, old.module))

    def each(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        new, old = modules.value
        return replay(new, old, batches)

    decided = session.read.parquet(pattern).select("event").mapInArrow(each, SCHEMA)
    rows = decided.selectExpr("array_join(hook, ', ') AS hooks", "changed").groupBy("hooks", "changed").count()
    totals = {(row["hooks"], row["changed"]): row["count"] for row in rows.collect()}
    session.stop()
    return totals


def duckdb_totals(pattern: str, new: hookc.Policy, old: hookc.Policy) -> dict[tuple[str | None, bool], int]:
    totals: dict[tuple[str | None, bool], int] = {}
    for group in replay_files(Files([pattern]), new, against=old).groups:
        key = (group.hooks, group.changed)
        totals[key] = totals.get(key, 0) + group.events
    return totals


def main() -> None:
    import duckdb

    new, old = hookc.Policy.from_yaml(NEW), hookc.Policy.from_yaml(OLD)
    with tempfile.TemporaryDirectory() as folder:
        pattern = str(Path(folder) / "*.parquet")
        for part in range(4):
            duckdb.execute(
                """COPY (SELECT CASE WHEN range % 1000 = 999 THEN 'not JSON' ELSE
                '{"event": {"type": "limit"}, "cost": {"spend": ' || range % 20 || '}}' END AS event FROM range(50000)) TO $path"""
                .replace("$path", f"'{folder}/{part}.parquet'")
            )
        spark, local = spark_totals(pattern, new, old), duckdb_totals(pattern, new, old)
    for (hooks, changed), count in sorted(spark.items(), key=str):
        print(f"{hooks!r:10} {'changed' if changed else 'same':8} {count:>8,}")
    assert spark == local, (spark, local)
    print("equal totals with DuckDB")


if __name__ == "__main__":
    main()
