"""The gallery: a page with every recipe and starter, from their directories and the data of the agents."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Answers that an agent has to honour; the others are hookc's own work.
ANSWERS = ("deny", "ask", "allow", "modify", "inject")


def agents():
    """By agent, its events in the vocabulary's names with what an answer can do."""
    found = {}
    for path in sorted((ROOT / "schema/data/agents").glob("*.json")):
        agent = json.loads(path.read_text(encoding="utf-8"))
        if agent["answered"]:
            events = found.setdefault(agent["label"].removeprefix("the "), {})
            for name, event in agent["events"].items():
                events.setdefault(event.get("is") or name, set()).update(event.get("can", []))
    return found


def hooks(policy):
    """The events and the kind of action of each hook, as they are written."""
    for text in re.split(r"(?m)^  - ", policy.partition("\nhooks:\n")[2])[1:]:
        event = re.search(r"(?m)^ *event: *\[?([\w, ]+?)\]?\s*$", text)
        kind = re.search(r"\btype: *(\w+)", text)
        if event and kind:
            yield [name.strip() for name in event[1].split(",")], kind[1]


def about(folder, policy):
    """What a policy is for: the first paragraph of its page, or its first comment."""
    readme = folder / "README.md"
    if not readme.is_file():
        return " ".join(line.lstrip("# ") for line in policy.splitlines() if line.startswith("#")), ""
    text = readme.read_text(encoding="utf-8")
    first = text.split("\n\n")[1].replace("\n", " ")
    limits = text.partition("\n## Limitations\n")[2].partition("\n## ")[0].strip()
    return first, limits


def unlinked(text):
    """A text whose links are only their words: they start from another directory."""
    return re.sub(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", r"\1", text)


def entry(folder, known):
    policy = (folder / "hooks.yaml").read_text(encoding="utf-8")
    tests = sum(len(re.findall(r"(?m)^  - name:", path.read_text(encoding="utf-8"))) for path in folder.glob("*.test.yaml"))
    stops, limits = about(folder, policy)
    pairs = {(event, kind) for events, kind in hooks(policy) for event in events}
    events = sorted({event for event, _ in pairs})
    needed = {(event, kind) for event, kind in pairs if kind in ANSWERS}
    honoured = [
        label
        for label, can in known.items()
        if all(event in can for event in events) and all(kind in can[event] for event, kind in needed)
    ]
    name = folder.relative_to(ROOT / "corpus").as_posix()
    lines = [f"### {folder.name}", "", unlinked(stops), "", "| | |", "|---|---|"]
    lines.append(f"| events | {', '.join(f'`{event}`' for event in events)} |")
    lines.append(f"| agents that honour all of it | {', '.join(honoured) or 'programs that embed hookc'} |")
    lines.append(f"| tests | [{tests}](corpus/{name}/hooks.test.yaml) |")
    lines.append(f"| add it | `hookc {'starter add' if name.startswith('starters') else 'new --recipe'} {folder.name}` |")
    if limits:
        lines += ["", "**What it cannot see.** " + unlinked(limits)]
    if policy.count("\n") <= 40:
        lines += ["", "```yaml", policy.rstrip("\n"), "```"]
    else:
        lines += ["", f"The policy: [hooks.yaml](corpus/{name}/hooks.yaml), {policy.count(chr(10))} lines."]
    return "\n".join(lines) + "\n"


def page():
    """The page, as if it were at the root of the repository."""
    known = agents()
    text = "# Gallery\n\nPolicies to copy, each with its tests. Recipes are small; starters are what a project needs of one kind.\n"
    for kind in ("recipes", "starters"):
        folders = sorted(path.parent for path in (ROOT / "corpus" / kind).glob("*/hooks.yaml"))
        text += f"\n## {kind.capitalize()}\n\n" + "\n".join(entry(folder, known) for folder in folders)
    return text
