#!/usr/bin/env python3
"""How many mutants of the code the tests notice, with one build for all of them.

    mutants.py build DIR [FILTER]        copies the project to DIR, with all mutants that compile in one build
    mutants.py reach DIR                 which mutants each test reaches, and how much processor time it takes
    mutants.py judge DIR [SECONDS] [K/N] gives each mutant to the tests that take so much at most (0.3), until
                                         one fails; part K of N, from 0. Again with more time: survivors only
    mutants.py report DIR                the table, and the survivors

FILTER is a part of the paths of the files. Needs `cargo install cargo-mutants`, and from PyPI `tree-sitter`
and `tree-sitter-rust`. What is changed is in .cargo/mutants.toml, or in the file that MUTANTS_CONFIG names, and the
tests are those of that file.
A test judges in a process of its own, so an endless loop or a stack overflow is noticed too. It may use four times
the processor time that it needs without a mutant, so other programs on the machine change no verdict. Tests that
measure time do not judge by their first failure."""

import collections
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

from schemata import SUPPORT, Source

PROJECT = Path(__file__).resolve().parents[2]
CONFIG = PROJECT / os.environ.get("MUTANTS_CONFIG", ".cargo/mutants.toml")
SETTINGS = tomllib.loads(CONFIG.read_text())
FOLDERS = [glob.split("/**")[0] for glob in SETTINGS["examine_globs"]]
CRATES = sorted({folder.split("/")[0] for folder in FOLDERS})
PACKAGES = [word for name in SETTINGS["test_package"] for word in ("-p", name)]
TIMED = ("linear", "growth", "timing", "bounded", "alloc")
MARK = re.compile(rb"/\*([WwAa])(\d+)\*/")
ROUNDS = 60


def main():
    command, directory, *rest = sys.argv[1:]
    work = Path(directory).resolve()
    {"build": build, "reach": reach, "judge": judge, "report": report}[command](work, *rest)


# Building


def build(work, part=""):
    work.mkdir(parents=True, exist_ok=True)
    listed = subprocess.run(
        ["cargo", "mutants", "--list", "--json", "--config", CONFIG], cwd=PROJECT, check=True, capture_output=True, text=True
    )
    mutants = [mutant for mutant in json.loads(listed.stdout) if part in mutant["file"]]
    mutants.sort(key=lambda m: (m["file"], m["span"]["start"]["line"], m["span"]["start"]["column"], m["replacement"]))
    for number, mutant in enumerate(mutants, 1):
        mutant["id"] = number
    dump(work / "mutants.json", mutants)
    tree = work / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", PROJECT, tree], check=True)
    skipped = {}
    for _ in range(ROUNDS):
        instrument(tree, mutants, skipped)
        errors, done = compile_once(work, tree, mutants, skipped)
        print(f"{len(mutants)} mutants, {len(skipped)} do not compile or are not tried, {errors} errors", flush=True)
        if done:
            break
    else:
        sys.exit("the mutants that remain do not compile together")
    dump(work / "skipped.json", skipped)
    command = ["cargo", "test", "--profile", "full", "--no-run", "--message-format", "json", *PACKAGES]
    command += SETTINGS["additional_cargo_test_args"]
    built = subprocess.run(command, cwd=tree, env=target(work), check=True, capture_output=True, text=True)
    programs = [
        (artifact["target"]["name"], artifact["executable"], str(Path(artifact["manifest_path"]).parent))
        for artifact in map(json.loads, built.stdout.splitlines())
        if artifact.get("executable") and artifact["profile"]["test"]
    ]
    dump(work / "programs.json", programs)


def instrument(tree, mutants, skipped):
    by_file = collections.defaultdict(list)
    for mutant in mutants:
        left = by_file[mutant["file"]]
        if mutant["id"] not in skipped:
            left.append(mutant)
    for name, left in by_file.items():
        put(tree / name, Source((PROJECT / name).read_bytes(), left, skipped).write())
    for crate in CRATES:
        root = f"{crate}/src/lib.rs"
        put(tree / root, (PROJECT / root).read_bytes() + SUPPORT.encode())


def put(path, text):
    if path.read_bytes() != text:
        path.write_bytes(text)


def compile_once(work, tree, mutants, skipped):
    """Compiles, and skips the mutants that the errors are about."""
    names = [word for crate in CRATES for word in ("-p", f"hookc-{crate}")]
    command = ["cargo", "check", "--quiet", "--message-format", "json", "--lib", *names]
    run = subprocess.run(command, cwd=tree, env=target(work), capture_output=True, text=True)
    messages = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    errors = [
        m["message"]
        for m in messages
        if m.get("reason") == "compiler-message" and m["message"]["level"] == "error" and m["message"]["spans"]
    ]
    regions, found = {}, {}
    for error in errors:
        for number in culprits(error, tree, regions, mutants, skipped):
            found[number] = f"does not compile: {(error.get('code') or {}).get('code')}"
    if run.returncode and not found:
        sys.exit("\n".join(error["rendered"] for error in errors) or run.stderr)
    skipped.update(found)
    return len(errors), run.returncode == 0


def culprits(error, tree, regions, mutants, skipped):
    """The mutants that an error is about: the innermost one whose text, or else whose surroundings have it."""
    spans = [use(span) for span in sorted(error["spans"], key=lambda span: not span["is_primary"])]
    spans = [span for span in spans if (tree / span["file_name"]).exists()]
    for kind in "A", "W":
        for span in spans:
            path = tree / span["file_name"]
            around = [
                (end - start, number)
                for letter, number, start, end in regions.setdefault(path, list(marks(path)))
                if letter == kind and start <= span["byte_start"] and span["byte_end"] <= end
            ]
            if around:
                least = min(around)
                # Those of the same operator are written one around the other.
                return {number for size, number in around if kind == "W" and size - least[0] < 40} | {least[1]}
    code = (error.get("code") or {}).get("code")
    span = spans[0]
    if code == "E0004":  # a match without one of its arms
        lines = (tree / span["file_name"]).read_text().split("\n")[span["line_start"] - 1 :]
        return {int(number) for number in re.findall(r"/\*W(\d+)\*/if !crate", "\n".join(lines))[:1]}
    if code == "E0015":  # a function that was constant, called in a constant
        name = re.search(r"`([\w:]+)` in const", error["message"]).group(1).split("::")[-1]
        named = (m for m in mutants if m["function"] and m["function"]["function_name"].split("::")[-1] == name)
        return {mutant["id"] for mutant in named if mutant["id"] not in skipped}
    return set()


def use(span):
    """The use of a macro."""
    while span.get("expansion"):
        span = span["expansion"]["span"]
    return span


def marks(path):
    text, opened = path.read_bytes(), {}
    for mark in MARK.finditer(text):
        kind, number = mark.group(1).decode(), int(mark.group(2))
        if kind.isupper():
            opened[kind, number] = mark.end()
        elif (kind.upper(), number) in opened:
            yield kind.upper(), number, opened[kind.upper(), number], mark.start()


def target(work):
    return dict(os.environ, CARGO_TARGET_DIR=str(work / "target"))


# Judging


def reach(work):
    """Runs every test once."""
    reached = work / "reached.txt"
    with (work / "tests.ndjson").open("w") as out:
        for name, program, folder in load(work / "programs.json"):
            listed, ignored = (tests_of(program, folder, *more) for more in ([], ["--ignored"]))
            for test in sorted(listed - ignored):
                reached.unlink(missing_ok=True)
                begin = processor_seconds()
                run = subprocess.run(
                    [program, "--exact", test], cwd=folder, env=judging(folder, MUTANT_REACHED=str(reached)), capture_output=True
                )
                took = processor_seconds() - begin
                if run.returncode:
                    sys.exit(f"{name} {test} fails without a mutant:\n{run.stdout.decode()}")
                numbers = sorted(set(map(int, reached.read_text().split()))) if reached.exists() else []
                out.write(json.dumps([program, folder, test, took, numbers]) + "\n")


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def tests_of(program, folder, *more):
    run = subprocess.run([program, "--list", *more], cwd=folder, check=True, capture_output=True, text=True)
    return {line.removesuffix(": test") for line in run.stdout.splitlines() if line.endswith(": test")}


def judging(folder, **more):
    short = dict(HOOKC_DECISIONS="6000", HOOKC_POLICIES="50", HOOKC_SHARED=str(PROJECT.parent / "shared"))
    short = {name: os.environ.get(name, value) for name, value in short.items()}
    alone = dict(RUST_TEST_THREADS="1", RUST_BACKTRACE="0", PROPTEST_DISABLE_FAILURE_PERSISTENCE="1")
    return {**os.environ, **short, **alone, "CARGO_MANIFEST_DIR": folder, **more}


def judge(work, seconds="0.3", part="0/1"):
    limit, (part, parts) = float(seconds), map(int, part.split("/"))
    tests = [json.loads(line) for line in (work / "tests.ndjson").read_text().splitlines()]
    reaching = collections.defaultdict(list)
    for test in tests:
        for number in test[4]:
            reaching[number].append(test)
    verdicts, passed = judged(work)
    skipped, kills = load(work / "skipped.json"), collections.Counter()
    with (work / f"verdicts.{part}.ndjson").open("a") as out:
        for mutant in load(work / "mutants.json"):
            number = mutant["id"]
            # Neighbours are judged one after the other: the test that noticed one often notices the next.
            if number // 40 % parts != part or str(number) in skipped or verdicts.get(number) in ("caught", "timeout"):
                continue
            left = [t for t in reaching[number] if t[3] <= limit and t[2] not in passed[number]]
            left.sort(key=lambda t: t[3] / (1 + 6 * kills[mutant["file"], t[2]]))
            verdict, done = ("survived" if reaching[number] else "not reached"), []
            for test in left:
                verdict_of = run_test(test, number)
                if verdict_of:
                    verdict = verdict_of
                    kills[mutant["file"], test[2]] += 1
                    break
                done.append(test[2])
            by = None if verdict in ("survived", "not reached") else test[2]
            out.write(json.dumps([number, verdict, by, done]) + "\n")
            out.flush()


def run_test(test, number):
    """How a test notices a mutant, if it does."""
    program, folder, name, took, _ = test
    seconds = math.ceil(2 + 4 * took)
    command = ["prlimit", "--as=6000000000", f"--cpu={seconds}:{seconds + 1}", program, "--exact", name]
    for _ in range(2):
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=judging(folder, MUTANT=str(number)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            # The second limit is for a test that waits for ever.
            status = child.wait(timeout=60 + 20 * seconds)
            verdict = {0: None, -signal.SIGXCPU: "timeout"}.get(status, "caught")
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            verdict = "timeout"
        # What depends on time is asked twice.
        if verdict != "timeout" and not (verdict and any(word in name for word in TIMED)):
            break
    return verdict


def judged(work):
    verdicts, passed = {}, collections.defaultdict(set)
    for path in work.glob("verdicts.*.ndjson"):
        for line in path.read_text().splitlines():
            number, verdict, _, done = json.loads(line)
            verdicts[number] = verdict
            passed[number].update(done)
    return verdicts, passed


# Reporting


def report(work):
    verdicts, _ = judged(work)
    mutants, skipped = load(work / "mutants.json"), load(work / "skipped.json")
    columns = ["does not compile", "not tried", "caught", "timeout", "survived", "not reached"]
    rows = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        verdict = skipped.get(str(mutant["id"]), "").split(":")[0] or verdicts.get(mutant["id"], "not tried")
        folder = next(folder for folder in FOLDERS if mutant["file"].startswith(folder))
        for name in folder, "all":
            rows[name][verdict] += 1
    print(f"| folder | mutants | {' | '.join(columns)} | score (%) |\n|---|{'---:|' * (len(columns) + 2)}")
    for name in sorted(rows, key=lambda name: (name == "all", name)):
        row = rows[name]
        noticed, tried = row["caught"] + row["timeout"], sum(row[c] for c in columns[2:])
        figures = " | ".join(str(row[c]) for c in columns)
        print(f"| `{name}` | {sum(row.values())} | {figures} | {100 * noticed / max(tried, 1):.1f} |")
    print()
    for mutant in mutants:
        if verdicts.get(mutant["id"]) in ("survived", "not reached"):
            print(f"{mutant['id']}\t{verdicts[mutant['id']]}\t{mutant['name']}")


def dump(path, value):
    path.write_text(json.dumps(value))


def load(path):
    return json.loads(path.read_text())


if __name__ == "__main__":
    main()
