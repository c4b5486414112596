#!/usr/bin/env python3
"""Checks that READMEs which a registry shows have absolute links alone, and that what they name in this repository is
there: `links.py README...`."""

import pathlib
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def wrongs(path, blob):
    text = re.sub(r"(?ms)^```.*?^```", "", path.read_text())
    for link in LINK.findall(text):
        target = link.partition("#")[0]
        if not re.match(r"https?://|#", link):
            yield f"{path}: `{link}` is relative"
        elif target.startswith(blob) and not pathlib.Path(target.removeprefix(blob)).exists():
            yield f"{path}: `{link}` is not there"


def main():
    repository = re.search(r'(?m)^repository = "(.*)"', pathlib.Path("Cargo.toml").read_text()).group(1)
    wrong = [line for name in sys.argv[1:] for line in wrongs(pathlib.Path(name), f"{repository}/blob/main/")]
    sys.exit("\n".join(wrong) or 0)


main()
