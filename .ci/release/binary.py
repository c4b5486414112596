#!/usr/bin/env python3
"""Checks the header of a program for a target: `binary.py PROGRAM TARGET`.

Linux: ELF of the processor, without an interpreter and without needed libraries. macOS: Mach-O of the processor, which needs
only system libraries and runs on macOS 11. For Apple silicon it is signed, at least ad hoc.
"""

import pathlib
import struct
import sys

ELF_MACHINES = {"x86_64": 62, "aarch64": 183}
MACHO_PROCESSORS = {"x86_64": 0x01000007, "aarch64": 0x0100000C}
PT_DYNAMIC, PT_INTERP, DT_NEEDED = 2, 3, 1
LC_SEGMENT_64, LC_LOAD_DYLIB, LC_CODE_SIGNATURE, LC_BUILD_VERSION, LC_VERSION_MIN = 0x19, 0xC, 0x1D, 0x32, 0x24
OLDEST_MACOS = (11, 0)
# Each macOS has them. The crate libc asks for iconv, which has its character sets in a library of its own.
SYSTEM_LIBRARIES = {f"/usr/lib/{name}.dylib" for name in ("libSystem.B", "libiconv.2", "libcharset.1")}


def elf(content, processor):
    if content[:5] != b"\x7fELF\x02":
        yield "it is not ELF of 64 bits"
        return
    (machine,) = struct.unpack_from("<H", content, 18)
    if machine != ELF_MACHINES[processor]:
        yield f"it is for the machine {machine}"
    (offset,) = struct.unpack_from("<Q", content, 32)
    size, count = struct.unpack_from("<HH", content, 54)
    for at in range(offset, offset + size * count, size):
        kind, _, start, _, _, length = struct.unpack_from("<IIQQQQ", content, at)
        if kind == PT_INTERP:
            yield "it asks for a dynamic linker"
        if kind == PT_DYNAMIC:
            tags = (struct.unpack_from("<Q", content, one)[0] for one in range(start, start + length, 16))
            if DT_NEEDED in tags:
                yield "it needs a shared library"


def macho(content, processor):
    magic, cpu, _, _, count, _ = struct.unpack_from("<IIIIII", content)
    if magic != 0xFEEDFACF:
        yield "it is not Mach-O of 64 bits"
        return
    if cpu != MACHO_PROCESSORS[processor]:
        yield f"it is for the processor {cpu:#x}"
    at, kinds, libraries, oldest = 32, set(), [], None
    for _ in range(count):
        kind, length = struct.unpack_from("<II", content, at)
        kinds.add(kind)
        if kind == LC_LOAD_DYLIB:
            (name,) = struct.unpack_from("<I", content, at + 8)
            libraries.append(content[at + name : at + length].split(b"\0")[0].decode())
        if kind in (LC_BUILD_VERSION, LC_VERSION_MIN):
            (packed,) = struct.unpack_from("<I", content, at + (12 if kind == LC_BUILD_VERSION else 8))
            oldest = packed >> 16, packed >> 8 & 0xFF
        at += length
    if others := [name for name in libraries if name not in SYSTEM_LIBRARIES]:
        yield f"it needs {others}"
    if oldest is None or oldest > OLDEST_MACOS:
        yield f"it asks for macOS {oldest}"
    if processor == "aarch64" and LC_CODE_SIGNATURE not in kinds:
        yield "it is not signed, and processors of Apple do not start it"


def main():
    content, target = pathlib.Path(sys.argv[1]).read_bytes(), sys.argv[2]
    kind = macho if "apple" in target else elf
    if wrong := list(kind(content, target.split("-")[0])):
        sys.exit("\n".join(f"{sys.argv[1]}: {line}" for line in wrong))


main()
