#!/usr/bin/env python3
"""Counts the hooks of files by their look alone, to hold `hookc list` against.

Usage: count.py FILE... ; prints `COUNT<TAB>FILE`, or `?<TAB>FILE` for a file
that it cannot count. Standard library only, and nothing of hookc:

- JSON (settings, workflow files) is read as JSON; comments and trailing commas
  are taken out first;
- YAML is read line by line: list items with `event:` (hooks files), with
  `artifact_id:` (workflow files, subscriptions in brackets added), or one hook
  for a file with `event_type:` (repository hooks);
- directives: `<hook` tags with an event of the first ```xml fence that stands at
  the beginning of its lines, or of a bare file. Skills are not counted.
"""

import json
import re
import sys

POINTS = ("pre_decision", "post_decision", "post_action", "on_error")


def plain_json(text):
    """The text without comments and trailing commas; strings stay."""
    token = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.S)
    return token.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)


def of_json(value):
    if isinstance(value, dict) and "event_type" in value:
        return 1
    hooks = value.get("hooks", value) if isinstance(value, dict) else value
    if isinstance(hooks, list):
        return len(hooks)
    if not isinstance(hooks, dict):
        return 0
    count = 0
    for event, entries in hooks.items():
        for entry in entries if isinstance(entries, list) else []:
            inner = entry.get("hooks") if isinstance(entry, dict) else None
            handler = isinstance(entry, dict) and ("type" in entry or "action" in entry or event in POINTS)
            count += len(inner) if isinstance(inner, list) else int(handler)
    return count


def of_yaml(text):
    key = lambda name: len(re.findall(rf"^[ \t]*(?:- +)?{name}:", text, re.M))
    sugar = re.search(r"^subscribed_artifacts: *\[(.*)\]", text, re.M)
    subscribed = len([item for item in sugar[1].split(",") if item.strip()]) if sugar else 0
    if re.search(r"^event_type:", text, re.M):
        return 1
    if not re.search(r"^[ \t]*(?:- +)?\w*hooks:", text, re.M):
        return subscribed
    return max(key("event"), key("artifact_id")) + subscribed


def of_directive(text):
    fence = re.search(r"^```xml[^\n]*\n(.*?)^```", text, re.M | re.S)
    body = fence[1] if fence else text if text.lstrip().startswith("<") else ""
    return len(re.findall(r"<hook\s[^>]*\bevent\s*=", re.sub(r"<!--.*?-->", "", body, flags=re.S)))


def count(path):
    with open(path, encoding="utf-8-sig") as file:
        text = file.read()
    if path.endswith((".yaml", ".yml")):
        return of_yaml(text)
    if path.endswith((".md", ".xml")):
        return of_directive(text)
    return of_json(json.loads(plain_json(text)))


def main():
    for path in sys.argv[1:]:
        try:
            print(f"{count(path)}\t{path}")
        except (OSError, ValueError):
            print(f"?\t{path}")


if __name__ == "__main__":
    main()
