#!/usr/bin/env python3
"""Tests the scripts of a release, which build nothing here: python3 .ci/release/test.py

Programs of registries are stubs that write down how they are called, and registries are a server of this test. The key
that signs is made by the test. Nothing leaves this machine.
"""

import base64
import hashlib
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_PUBLISHED = 404
TOOLS = ["cargo", "twine", "npm", "gh", "skopeo"]


def run(words, cwd, text="", **environment):
    done = subprocess.run(words, cwd=cwd, input=text, capture_output=True, text=True, env=os.environ | environment, timeout=120)
    return done.returncode, done.stdout + done.stderr


def published_crates():
    """Every crate of a registry, with those of this project that it needs."""
    words = ["cargo", "metadata", "--no-deps", "--offline", "--locked", "--format-version", "1", "--manifest-path"]
    needs = {}
    for manifest in ("Cargo.toml", "agent/Cargo.toml"):
        packages = json.loads(subprocess.run([*words, ROOT / manifest], capture_output=True, check=True).stdout)["packages"]
        for package in packages:
            if package["publish"] != []:
                needs[package["name"]] = {one["name"] for one in package["dependencies"] if one["kind"] != "dev"}
    return {name: needed & needs.keys() for name, needed in needs.items()}


class Project(unittest.TestCase):
    """A copy of the scripts and manifests in a repository of its own."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name) / "project"
        self.outside = pathlib.Path(place.name)
        listed = subprocess.run(["git", "ls-files", "*Cargo.toml", "*Cargo.lock", "bindings/node/package*.json", ".ci/action", ".ci/release", "*.md"],
                                cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
        for name in {*listed, *(f".ci/release/{path.name}" for path in (ROOT / ".ci/release").iterdir() if path.is_file())}:
            if name.startswith(("docs/", "corpus/")) or not (ROOT / name).is_file():
                continue
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        (self.root / ".github").mkdir()
        self.git("init", "--quiet")
        self.commit()
        self.version = self.script("version", "--check")[1].strip()
        self.dist = self.root / "dist"

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=test", "-c", "user.email=test@localhost", *words], cwd=self.root, check=True)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "A step")

    def script(self, name, *words, text="", **environment):
        environment.setdefault("HOOKC_DIST", str(self.root / "dist"))
        return run([self.root / ".ci/release" / name, *map(str, words)], self.root, text, **environment)

    def diff(self):
        return subprocess.run(["git", "status", "--porcelain"], cwd=self.root, capture_output=True, text=True).stdout


class Version(Project):
    def section(self, version):
        with open(self.root / "CHANGELOG.md", "a") as file:
            file.write(f"\n## [{version}]\n")
        self.commit()

    def rejects(self, version, *reasons):
        status, said = self.script("version", version)
        self.assertEqual(status, 1, said)
        for reason in reasons:
            self.assertIn(reason, said)
        self.assertEqual(self.diff().replace(" M README.md\n", ""), "")

    def test_a_version_is_written_everywhere(self):
        self.section("7.8.9-rc.1")
        self.assertEqual(self.script("version", "7.8.9-rc.1")[0], 0)
        self.assertEqual(self.script("version", "--check"), (0, "7.8.9-rc.1\n"))
        for name in ("Cargo.lock", "bindings/python/Cargo.toml", "bindings/node/package.json", ".ci/release/pre-commit/pyproject.toml"):
            if (self.root / name).is_file():
                self.assertIn("7.8.9-rc.1", (self.root / name).read_text(), name)
        # A version of another package that happens to be the same stays.
        self.assertIn(f'version = "{self.version}"', (self.root / "benches/peers/Cargo.toml").read_text())

    def test_versions_that_are_none(self):
        for version in ("1", "1.2", "01.2.3", "v1.2.3", "1.2.3-", "latest"):
            self.rejects(version, "is not a version")

    def test_a_version_below_the_present_one(self):
        self.section("0.0.1")
        self.rejects("0.0.1", "is not above")

    def test_a_version_without_notes(self):
        self.rejects("7.0.0", "CHANGELOG.md has no section")

    def test_a_version_that_has_a_tag(self):
        self.section(self.version)
        self.git("tag", f"v{self.version}")
        self.rejects(self.version, "is not above")

    def test_a_tree_with_changes(self):
        self.section("7.0.0")
        with open(self.root / "README.md", "a") as file:
            file.write("\n")
        self.rejects("7.0.0", "the first is README.md")

    def test_versions_that_differ_are_all_named(self):
        for name in ("bindings/python/Cargo.toml", "bindings/node/package.json"):
            text = (self.root / name).read_text()
            (self.root / name).write_text(text.replace(self.version, "6.6.6", 1))
        self.commit()
        self.rejects("7.0.0", "bindings/python/Cargo.toml has 6.6.6", "bindings/node/package.json has 6.6.6", "CHANGELOG.md")


class Registry(http.server.BaseHTTPRequestHandler):
    answers = {}

    def do_GET(self):
        answer = self.answers.get(self.path)
        self.send_response(200 if answer else NOT_PUBLISHED)
        self.end_headers()
        if answer:
            self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_):
        pass


@unittest.skipUnless(shutil.which("minisign"), "minisign is not installed")
class Publish(Project):
    def setUp(self):
        super().setUp()
        version = self.version
        names = [f"hookc-{version}-{target}.tar.gz" for target in ("x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl", "x86_64-apple-darwin", "aarch64-apple-darwin")]
        names += [f"hookc-cli-{name}-{version}.tgz" for name in ("linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64")]
        names += [f"hookc-{version}.tgz", f"hookc-{version}.tar.gz", f"hookc_{version}_amd64.deb", "hookc.oci.tar"]
        names += [f"hookc-{version}-cp311-abi3-{tag}.whl" for tag in ("manylinux_2_17_x86_64", "manylinux_2_17_aarch64", "macosx_11_0_x86_64", "macosx_11_0_arm64")]
        self.crates = published_crates()
        names += [f"crates/{name}-{version}.crate" for name in self.crates]
        for name in names:
            path = self.dist / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"the bytes of {name}")
        key = self.outside / "key"
        run(["minisign", "-G", "-W", "-p", f"{key}.pub", "-s", f"{key}.sec"], self.outside)
        self.key = f"{key}.sec"
        self.assertEqual(self.script("sign", self.key)[0], 0)
        stubs = self.outside / "stubs"
        stubs.mkdir()
        self.log = self.outside / "log"
        for name in TOOLS:
            (stubs / name).write_text(f'#!/bin/sh\necho "{name} $*" >> "{self.log}"\n')
            (stubs / name).chmod(0o755)
        Registry.answers = {}
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        self.environment = {
            "PATH": f"{stubs}:{os.environ['PATH']}",
            "HOOKC_CRATES_IO": f"{address}/crates",
            "HOOKC_PYPI": f"{address}/pypi",
            "HOOKC_NPM": f"{address}/npm",
            "HOOKC_PUBLIC_KEY": pathlib.Path(f"{key}.pub").read_text().splitlines()[1],
        }

    def publish(self, *words, text="crates.io\nPyPI\nnpm\nGitHub\nthe registry of images\n"):
        status, said = self.script("publish", *words, text=text, **self.environment)
        return status, said, self.log.read_text().splitlines() if self.log.exists() else []

    def digest(self, name, kind="sha256"):
        return hashlib.new(kind, (self.dist / name).read_bytes())

    def test_everything_is_published_once_in_order(self):
        status, said, calls = self.publish()
        self.assertEqual(status, 0, said)
        self.assertEqual([call.split()[0] for call in calls], ["cargo"] * len(self.crates) + ["twine"] * 5 + ["npm"] * 5 + ["gh", "skopeo"])
        crates = [call.split()[-1] for call in calls[: len(self.crates)]]
        self.assertEqual(sorted(crates), sorted(self.crates))
        for position, name in enumerate(crates):
            self.assertLessEqual(self.crates[name], set(crates[:position]), name)
        # The package that names the programs is the last one.
        self.assertTrue(calls[-3].endswith(f"/hookc-{self.version}.tgz"), calls[-3])
        self.assertIn("SHA256SUMS.minisig", calls[-2])

    def test_a_trial_publishes_nothing(self):
        status, said, calls = self.publish("--dry-run", text="")
        self.assertEqual((status, calls), (0, []), said)
        self.assertEqual(len(said.splitlines()), len(self.crates) + 12, said)

    def test_another_answer_stops(self):
        status, said, calls = self.publish(text="crates.io\nyes\n")
        self.assertEqual(status, 1, said)
        self.assertEqual({call.split()[0] for call in calls}, {"cargo"})

    def test_what_a_registry_has_is_skipped(self):
        wheel = f"hookc-{self.version}-cp311-abi3-manylinux_2_17_x86_64.whl"
        program = f"hookc-cli-linux-x64-{self.version}.tgz"
        integrity = base64.b64encode(self.digest(program, "sha512").digest()).decode()
        Registry.answers = {
            f"/crates/hookc-base/{self.version}": {"version": {"checksum": self.digest(f"crates/hookc-base-{self.version}.crate").hexdigest()}},
            f"/pypi/hookc/{self.version}/json": {"urls": [{"filename": wheel, "digests": {"sha256": self.digest(wheel).hexdigest()}}]},
            f"/npm/@hookc%2fcli-linux-x64/{self.version}": {"dist": {"integrity": f"sha512-{integrity}"}},
        }
        status, said, calls = self.publish()
        self.assertEqual(status, 0, said)
        self.assertEqual(len(calls), len(self.crates) + 12 - 3, calls)
        self.assertFalse([call for call in calls if wheel in call or program in call or "hookc-base" in call])

    def test_other_bytes_in_a_registry_stop(self):
        Registry.answers = {f"/crates/hookc-base/{self.version}": {"version": {"checksum": "0" * 64}}}
        status, said, calls = self.publish()
        self.assertEqual((status, calls), (1, []), said)
        self.assertIn("with other bytes", said)

    def test_a_file_that_is_left_out(self):
        (self.dist / f"hookc-{self.version}-x86_64-apple-darwin.tar.gz").unlink()
        self.assertEqual(self.script("sign", self.key)[0], 0)
        status, said, calls = self.publish()
        self.assertEqual((status, calls), (1, []), said)
        self.assertIn("x86_64-apple-darwin.tar.gz is left out", said)

    def test_a_trial_is_not_published(self):
        (self.dist / "TRIAL").write_text("the profile is release\n")
        status, said, calls = self.publish()
        self.assertEqual((status, calls), (1, []), said)
        self.assertIn("a trial, not a release: the profile is release", said)

    def test_files_that_are_not_what_was_signed(self):
        for name in (f"hookc-{self.version}.tgz", "new.whl"):
            before = (self.dist / name).read_bytes() if (self.dist / name).exists() else None
            (self.dist / name).write_text("other")
            status, said, calls = self.publish()
            self.assertEqual((status, calls), (1, []), said)
            self.assertIn(f"{name} is not what was signed", said)
            if before is not None:
                (self.dist / name).write_bytes(before)

    def test_the_key_of_somebody_else(self):
        self.environment["HOOKC_PUBLIC_KEY"] = "RWQ" + "A" * 53
        status, said, calls = self.publish()
        self.assertEqual((status, calls), (1, []), said)
        self.assertIn("is not signed by the key", said)

    def test_a_key_in_the_repository_signs_nothing(self):
        shutil.copy(self.key, self.root / "key.sec")
        status, said = self.script("sign", "key.sec")
        self.assertEqual(status, 1)
        self.assertIn("move it out", said)

    def test_the_sums_of_the_archives_are_for_the_tag(self):
        lines = (self.root / ".github/SHA256SUMS").read_text().splitlines()
        self.assertEqual(len(lines), 4, lines)
        self.assertTrue(all(line.endswith(("-musl.tar.gz", "-darwin.tar.gz")) for line in lines), lines)

    def test_crates_that_nobody_lists(self):
        (self.dist / "crates" / f"hookc-shell-{self.version}.crate").unlink()
        status, said, calls = self.publish()
        self.assertEqual((status, calls), (1, []), said)
        self.assertIn("hookc-shell", said)


# A program that says how it was called, for the scripts that pack.
STUB = "#!/bin/sh\necho \"hookc $*\"\n"
TARGET = "x86_64-unknown-linux-musl"


class Packing(unittest.TestCase):
    """The same programs give the same bytes, whenever and wherever they are packed."""

    def pack(self, root, programs, **environment):
        kinds = ["program", "archive", "formula", "sbom"]
        kinds += ["deb"] if shutil.which("md5sum") else []
        kinds += ["npm"] if shutil.which("npm") else []
        kinds += ["sdist"] if shutil.which("maturin") else []
        for path in [*root.rglob("*"), *programs.rglob("*")]:
            if path.is_file() and ".git" not in path.parts:
                os.utime(path, (int(environment["TIME"]),) * 2)
        settings = {"HOOKC_DIST": str(root / "out"), "CARGO_TARGET_DIR": str(root / "built"), "HOOKC_PROGRAMS": str(programs), "HOOKC_ONLY": " ".join(kinds)}
        words = ["sh", "-c", f"umask {environment['UMASK']}; exec .ci/release/build {TARGET}"]
        status, said = run(words, root, **settings, **environment)
        self.assertEqual(status, 0, said)
        return {path.relative_to(root / "out").as_posix(): path.read_bytes() for path in (root / "out").rglob("*") if path.is_file()}

    def test_two_times_and_two_directories(self):
        with tempfile.TemporaryDirectory() as place:
            first, second = pathlib.Path(place) / "first", pathlib.Path(place) / "a second one" / "below"
            listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
            for name in filter(None, listed.split("\0")):
                if (ROOT / name).is_file():
                    (first / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / name, first / name)
            git = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost"]
            for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "All"]):
                subprocess.run([*git, *words], cwd=first, check=True)
            subprocess.run(["git", "clone", "--quiet", first, second], check=True)
            found = []
            for number, root in enumerate((first, second)):
                programs = root.parent / "programs"
                for name, text in ((f"{TARGET}/hookc", STUB), ("wasm/hookc-vm.wasm", "a module"), ("wasm/hookc-compiler.wasm", "a larger one")):
                    (programs / name).parent.mkdir(parents=True, exist_ok=True)
                    (programs / name).write_text(text)
                (programs / TARGET / "hookc").chmod(0o755)
                zone, umask = ("UTC", "022") if number == 0 else ("Asia/Tokyo", "077")
                found.append(self.pack(root, programs, TIME=str(1_000_000_000 + 86_401 * number), TZ=zone, UMASK=umask))
            self.assertEqual(found[0].keys(), found[1].keys())
            self.assertIn(f"hookc-{self.version(first)}-{TARGET}.tar.gz", found[0])
            for name, content in found[0].items():
                self.assertEqual(hashlib.sha256(content).hexdigest(), hashlib.sha256(found[1][name]).hexdigest(), name)

    def test_a_wheel_does_not_name_the_directory_of_its_build(self):
        packed = []
        for number in range(2):
            with tempfile.TemporaryDirectory() as place:
                path = pathlib.Path(place) / "hookc.whl"
                with zipfile.ZipFile(path, "w") as wheel:
                    names = ["hookc/__init__.py", "hookc-1.data/scripts/hookc", "hookc-1.dist-info/sboms/hookc.json", "hookc-1.dist-info/RECORD"]
                    for name in names if number == 0 else reversed(names):
                        info = zipfile.ZipInfo(name, (2001 + number, 2, 3, 4, 5, 6))
                        info.external_attr = (0o755 if "scripts" in name else 0o644) << 16
                        wheel.writestr(info, f"file://{pathlib.Path(place).resolve()}/base" if "sboms" in name else "text")
                status, said = run([ROOT / ".ci/release/pack.py", "whl", path, place], ROOT, SOURCE_DATE_EPOCH="1000000000")
                self.assertEqual(status, 0, said)
                packed.append(path.read_bytes())
                with zipfile.ZipFile(path) as wheel:
                    self.assertEqual(wheel.read("hookc-1.dist-info/sboms/hookc.json"), b"file:///hookc/base")
                    self.assertEqual(wheel.getinfo("hookc-1.data/scripts/hookc").external_attr >> 16, 0o755)
                    for line in wheel.read("hookc-1.dist-info/RECORD").decode().splitlines():
                        name, digest, size = line.split(",")
                        if name.endswith("RECORD"):
                            continue
                        content = wheel.read(name)
                        expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                        self.assertEqual((digest, size), (f"sha256={expected}", str(len(content))), name)
        self.assertEqual(packed[0], packed[1])

    def version(self, root):
        return run([root / ".ci/release/version", "--check"], root)[1].strip()


if __name__ == "__main__":
    unittest.main(verbosity=1)
