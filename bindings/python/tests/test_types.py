"""The stubs describe the module, and the examples pass the strictest checks."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(*arguments: str) -> None:
    ran = subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_stubtest() -> None:
    # The package has modules that import DuckDB; the compiled module is the one with a stub of its own.
    module = "hookc" if find_spec("duckdb") else "hookc._hookc"
    run("mypy.stubtest", module, "--ignore-disjoint-bases", "--mypy-config-file", "pyproject.toml")


def test_mypy_strict_on_the_examples_the_package_and_the_tests() -> None:
    run("mypy", "--strict", "examples", "python/hookc", "tests")


def test_the_stubs_are_installed() -> None:
    import hookc

    installed = Path(hookc.__file__).parent
    assert (installed / "py.typed").exists() and (installed / "_hookc.pyi").exists()
