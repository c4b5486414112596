"""`python -m hookc.replay`: what would a policy have done, and what would it change?"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import hookc

if TYPE_CHECKING:
    from hookc.replay import Group, Totals

MISSING = "{} is not installed: pip install 'hookc[{}]'"


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m hookc.replay", description="Decide about recorded events, and count the answers."
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="Parquet files, or files with a JSON event per line")
    parser.add_argument("--policy", nargs="+", required=True, metavar="FILE", help="policies, or one module (.hookc)")
    parser.add_argument("--against", nargs="+", metavar="FILE", help="policies to compare with")
    parser.add_argument("--column", default="event", help="the Parquet column with the JSON (default: %(default)s)")
    parser.add_argument("--event-type", metavar="TYPE", help="the type of all events, instead of the one in them")
    parser.add_argument("--threads", type=int, metavar="N", help="threads that decide (default: all cores)")
    parser.add_argument("--top", type=int, default=20, metavar="N", help="rows of the table (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="write all groups as JSON instead of a table")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="also draw the table, as PNG, SVG or PDF")
    return parser


def load(paths: list[str]) -> hookc.Policy:
    if len(paths) == 1 and paths[0].endswith(".hookc"):
        return hookc.Policy.from_module(Path(paths[0]).read_bytes())
    return hookc.Policy.from_files(paths, shipped_hooks="threads")


def main() -> int:
    options = arguments().parse_args()
    try:
        from rich.console import Console

        from hookc.replay import Files, replay_files
    except ModuleNotFoundError as error:
        return fail(MISSING.format(error.name, "replay"))
    try:
        policy = load(options.policy)
        against = load(options.against) if options.against else None
        files = Files(options.files, options.column)
    except (hookc.Error, OSError, ValueError) as error:
        return fail(str(error))

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("events", total=None)
        try:
            totals = replay_files(
                files,
                policy,
                against=against,
                event_type=options.event_type,
                threads=options.threads,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
            )
        except Exception as error:  # DuckDB has an exception for each kind of problem with a file.
            return fail(str(error))
    if options.json:
        print(json.dumps([asdict(group) for group in totals.groups]))
    else:
        show(totals, options.top, against is not None)
    return draw(totals, options.plot, options.top) if options.plot else 0


def label(answer: str | None) -> str:
    return "(no decision)" if answer is None else answer or "(no opinion)"


def change(group: Group) -> str:
    return f"{label(group.before)} \N{RIGHTWARDS ARROW}" if group.changed else ""


def show(totals: Totals, top: int, two: bool) -> None:
    from rich.bar import Bar
    from rich.console import Console
    from rich.table import Table

    table = Table("hooks", "actions", *(["before"] if two else []))
    table.add_column("events", justify="right")
    table.add_column("share", min_width=12)
    largest = max((group.events for group in totals.groups), default=1)
    for group in totals.groups[:top]:
        changes = [label(group.before) if group.changed else "="] if two else []
        bar = Bar(largest, 0, group.events, width=12)
        table.add_row(label(group.hooks), group.actions or "", *changes, f"{group.events:,}", bar)
    console = Console()
    console.print(table)
    if len(totals.groups) > top:
        console.print(f"{len(totals.groups) - top} smaller groups are not shown: --top, --json")
    changed = f", {totals.changed:,} changed" if two else ""
    speed = totals.events / max(totals.seconds, 1e-9)
    console.print(
        f"{totals.events:,} events{changed}, {totals.failed:,} with errors, "
        f"{totals.seconds:.1f} s, {speed:,.0f} events/s"
    )


def draw(totals: Totals, path: Path, top: int) -> int:
    try:
        import matplotlib
    except ModuleNotFoundError:
        return fail(MISSING.format("matplotlib", "plot"))
    matplotlib.use("agg")
    from matplotlib import pyplot

    groups = totals.groups[:top][::-1]
    figure, axes = pyplot.subplots(figsize=(8, 1 + 0.35 * len(groups)), layout="constrained")
    names = [" ".join(filter(None, [change(group), label(group.hooks), group.actions])) for group in groups]
    colors = ["tab:orange" if group.changed else "tab:blue" for group in groups]
    axes.barh(range(len(groups)), [group.events for group in groups], color=colors)
    axes.set_yticks(range(len(groups)), names)
    axes.set_xlabel("events (orange: changed)" if totals.changed else "events")
    figure.savefig(path)
    return 0


def fail(message: str) -> int:
    print(message, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
