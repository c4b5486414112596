"""The Python blocks of the documents run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
DOCUMENTS = [ROOT / "bindings/python/README.md", ROOT / "docs/bindings.md"]
BLOCKS = [
    pytest.param(block, id=f"{document.name}-{number}")
    for document in DOCUMENTS
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", document.read_text(), re.DOTALL))
]


def test_there_are_blocks() -> None:
    assert len(BLOCKS) >= 4


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_runs(block: str) -> None:
    if "duckdb" in block:
        pytest.importorskip("duckdb", reason="duckdb is not installed")
    exec(compile(block, "block", "exec"), {"__name__": "block"})
