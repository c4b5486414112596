#!/usr/bin/env python3
"""Writes archives whose bytes depend on the files alone: sorted names, one time, no owners.

    pack.py tar OUT.tar.gz DIR    # the directory itself is the root of the archive
    pack.py deb OUT.deb DIR       # DIR/DEBIAN has the control files, the rest is installed
    pack.py oci OUT.tar DIR       # what DIR has, without compression
    pack.py whl OUT.whl DIR       # a wheel of maturin, again: its lists of crates name the directory of the project
"""

import base64
import gzip
import hashlib
import io
import os
import pathlib
import sys
import tarfile
import time
import zipfile

TIME = int(os.environ["SOURCE_DATE_EPOCH"])


def tar(root, prefix, skip=()):
    """A tar of a directory."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted([root, *root.rglob("*")]):
            below = path.relative_to(root)
            if below.parts[:1] and below.parts[0] in skip:
                continue
            name = prefix if below == pathlib.Path() else f"{prefix}/{below.as_posix()}"
            info = archive.gettarinfo(path, name)
            info.mtime, info.uid, info.gid, info.uname, info.gname = TIME, 0, 0, "root", "root"
            executable = path.is_dir() or os.access(path, os.X_OK)
            info.mode = 0o755 if executable else 0o644
            with open(path, "rb") if path.is_file() else io.BytesIO() as file:
                archive.addfile(info, file if path.is_file() else None)
    return out.getvalue()


def compressed_tar(*words, **options):
    return gzip.compress(tar(*words, **options), compresslevel=9, mtime=0)


def ar(members):
    """An archive as `ar` writes it, which a Debian package is."""
    out = [b"!<arch>\n"]
    for name, content in members:
        out.append(f"{name:<16}{TIME:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode())
        out.append(content + b"\n" * (len(content) % 2))
    return b"".join(out)


def wheel(path, root):
    """A wheel without the name of the directory in which it was built: a list of crates is text, its sum is in RECORD."""
    with zipfile.ZipFile(path) as old:
        files = {info.filename: (info.external_attr, old.read(info)) for info in old.infolist()}
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    for name, (mode, content) in files.items():
        if "/sboms/" in name:
            files[name] = mode, content.replace(os.fsencode(root), b"/hookc")
    lines = []
    for name, (_, content) in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},," if name == record else f"{name},sha256={digest},{len(content)}")
    files[record] = files[record][0], ("\n".join(lines) + "\n").encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for name, (mode, content) in sorted(files.items(), key=lambda one: (".dist-info/" in one[0], one[0])):
            info = zipfile.ZipInfo(name, time.gmtime(TIME)[:6])
            info.external_attr, info.compress_type = mode, zipfile.ZIP_DEFLATED
            new.writestr(info, content)
    return out.getvalue()


def main():
    kind, out, root = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if kind == "tar":
        content = compressed_tar(root, root.name)
    elif kind == "oci":
        content = tar(root, ".")
    elif kind == "whl":
        content = wheel(out, root.resolve())
    else:
        content = ar([
            ("debian-binary", b"2.0\n"),
            ("control.tar.gz", compressed_tar(root / "DEBIAN", ".")),
            ("data.tar.gz", compressed_tar(root, ".", skip=("DEBIAN",))),
        ])
    out.write_bytes(content)


main()
