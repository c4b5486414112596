"""Reads `cargo metadata`; fails if a dependency of a published crate needs a newer Rust than the crate."""

import json
import sys

metadata = json.load(sys.stdin)
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}


def version(package):
    """`rust_version` as numbers; (0,) if the package states none."""
    parts = [int(part) for part in (package["rust_version"] or "0").split(".")]
    return tuple(parts + [0] * (3 - len(parts)))


def dependencies(root):
    """Everything that a user of `root` compiles."""
    found, todo = set(), [root]
    while todo:
        one = todo.pop()
        if one in found:
            continue
        found.add(one)
        for dependency in nodes[one]["deps"]:
            if any(kind["kind"] in (None, "build") for kind in dependency["dep_kinds"]):
                todo.append(dependency["pkg"])
    return found


failed = False
for member in metadata["workspace_members"]:
    own = packages[member]
    if own["publish"] == []:
        continue
    needed = max((packages[one] for one in dependencies(member)), key=version)
    print(f"{own['name']}: Rust {own['rust_version']}; newest need: {needed['rust_version']} ({needed['name']})")
    failed |= version(needed) > version(own)
sys.exit("a dependency needs a newer Rust" if failed else 0)
