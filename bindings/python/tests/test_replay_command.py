"""`python -m hookc.replay`."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
pytest.importorskip("rich", reason="rich is not installed")

NEW = "hooks: [{id: low, event: Stop, when: n < 5, action: {type: deny, reason: 'n=${n}'}}]"
OLD = "hooks: [{id: low, event: Stop, when: n < 7, action: {type: ask, reason: 'n=${n}'}}]"


def replay(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "new.yaml").write_text(NEW)
    (folder / "old.yaml").write_text(OLD)
    command = [sys.executable, "-m", "hookc.replay", *arguments, "--policy", "new.yaml"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def write(folder: Path) -> None:
    lines = [json.dumps({"hook_event_name": "Stop", "n": n % 10}) for n in range(1000)] + ["no JSON, \"quoted\"", ""]
    (folder / "a.ndjson").write_text("\n".join(lines))
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(lines[0].encode() + b"\n"))
    duckdb.sql("SELECT '{\"hook_event_name\": \"Stop\", \"n\": 6}' AS event FROM range(50)").write_parquet(
        str(folder / "c.parquet")
    )


def test_a_table_of_both_formats(tmp_path: Path) -> None:
    write(tmp_path)
    ran = replay(tmp_path, "*.ndjson", "*.gz", "*.parquet", "--against", "old.yaml")
    assert ran.returncode == 0, ran.stderr
    assert "1,052 events, 751 changed, 1 with errors" in ran.stdout, ran.stdout
    rows = [line.split("│") for line in ran.stdout.splitlines() if "│" in line]
    cells = [[cell.strip() for cell in row[1:5]] for row in rows]
    assert ["low", "deny", "ask", "501"] in cells and ["(no opinion)", "", "ask", "250"] in cells, ran.stdout
    assert ["(no decision)", "", "=", "1"] in cells, ran.stdout


def test_groups_as_json_and_a_module(tmp_path: Path) -> None:
    write(tmp_path)
    ran = replay(tmp_path, "c.parquet", "--json")
    assert json.loads(ran.stdout) == [
        {"hooks": "", "actions": "", "before": None, "changed": False, "failed": False, "events": 50}
    ]


def test_a_plot_or_what_to_install(tmp_path: Path) -> None:
    write(tmp_path)
    ran = replay(tmp_path, "a.ndjson", "--plot", "plot.svg")
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        assert ran.returncode == 2 and "pip install 'hookc[plot]'" in ran.stderr
    else:
        assert ran.returncode == 0 and "<svg" in (tmp_path / "plot.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.parquet"], "no file matches none.parquet"),
        (["new.yaml"], "expected a name that ends with .parquet"),
        (["c.parquet", "--column", "payload"], "payload"),
        (["c.parquet", "--against", "none.yaml"], "cannot read none.yaml"),
        (["wrong.parquet"], "wrong.parquet"),
    ],
)
def test_mistakes(tmp_path: Path, arguments: list[str], message: str) -> None:
    write(tmp_path)
    (tmp_path / "wrong.parquet").write_text("not Parquet")
    ran = replay(tmp_path, *arguments)
    assert ran.returncode == 2 and message in ran.stderr and "Traceback" not in ran.stderr, ran.stderr
