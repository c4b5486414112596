//! Places that are emptied: a program there is gone some day, and every call in settings with it.

use std::path::{Path, PathBuf};

use hookc_runtime::open;

/// Such a place, and how to install the program for good.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Temporary {
    pub(crate) what: String,
    pub(crate) install: &'static str,
}

const FOR_GOOD: &str = "`uv tool install hookc` or `npm i -g hookc`";

/// A program that starts others from a place of its own.
struct Starter {
    /// The variable with its directory.
    variable: Option<&'static str>,
    /// Directories by the end of their paths.
    folders: &'static [&'static str],
    what: &'static str,
    install: &'static str,
}

const STARTERS: [Starter; 6] = [
    Starter {
        variable: Some("UV_CACHE_DIR"),
        folders: &[".cache/uv", "Library/Caches/uv"],
        what: "the cache of uv",
        install: "`uv tool install hookc`",
    },
    Starter {
        variable: Some("PIP_CACHE_DIR"),
        folders: &[".cache/pip", "Library/Caches/pip"],
        what: "the cache of pip",
        install: "`uv tool install hookc` or `pipx install hookc`",
    },
    Starter {
        variable: None,
        folders: &[".cache/pipx", ".local/pipx/.cache", "share/pipx/.cache"],
        what: "the cache of pipx",
        install: "`pipx install hookc`",
    },
    Starter { variable: None, folders: &["_npx"], what: "the cache of npx", install: "`npm i -g hookc`" },
    Starter {
        variable: Some("XDG_CACHE_HOME"),
        folders: &[".cache", "Library/Caches"],
        what: "a cache",
        install: FOR_GOOD,
    },
    Starter { variable: Some("TMPDIR"), folders: &[], what: "a temporary directory", install: FOR_GOOD },
];

/// Directories of the system that are emptied.
const EMPTIED: [&str; 7] = [
    "/tmp",
    "/var/tmp",
    "/private/tmp",
    "/private/var/tmp",
    "/var/folders",
    "/private/var/folders",
    "/dev/shm",
];

/// The mark of a directory that can be removed at any time: Cargo, uv and others write it.
const CACHE_TAG: &str = "CACHEDIR.TAG";
const CACHE_SIGNATURE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";

/// The file of a virtual environment of Python. uv and virtualenv mark one as a cache to keep it out of backups, and
/// it stays until somebody removes it.
const ENVIRONMENT: &str = "pyvenv.cfg";

/// What Cargo writes next to the programs that it builds.
const CARGO_LOCK: &str = ".cargo-lock";
const CARGO: &str = "`cargo install --path cli`";

/// Whether the user accepts such places: tests do.
pub(crate) fn are_accepted() -> bool {
    std::env::var_os("HOOKC_ALLOW_TEMPORARY").is_some_and(|value| value == "1")
}

/// The place of a file, if it is one that is emptied.
pub(crate) fn temporary(path: &Path) -> Option<Temporary> {
    let real = super::location::real(path);
    by_path(path).or_else(|| by_path(&real)).or_else(|| memory(&real))
}

fn by_path(path: &Path) -> Option<Temporary> {
    let folder = path.parent()?;
    if is_built(folder) {
        return Some(Temporary { what: "a build directory of Cargo".to_owned(), install: CARGO });
    }
    let started = STARTERS.iter().find(|starter| starter.has(folder));
    let started =
        started.map(|starter| Temporary { what: starter.what.to_owned(), install: starter.install });
    let emptied = EMPTIED.iter().find(|emptied| folder.starts_with(emptied));
    let emptied = || emptied.map(|emptied| Temporary { what: (*emptied).to_owned(), install: FOR_GOOD });
    let tagged = || folder.ancestors().find(|above| is_tagged(above));
    let tagged = || {
        tagged().map(|above| Temporary { what: format!("the cache {}", above.display()), install: FOR_GOOD })
    };
    started.or_else(emptied).or_else(tagged)
}

impl Starter {
    fn has(&self, folder: &Path) -> bool {
        let set = self.variable.and_then(std::env::var_os).map(PathBuf::from);
        set.is_some_and(|set| set.is_absolute() && folder.starts_with(set))
            || folder.ancestors().any(|above| self.folders.iter().any(|end| above.ends_with(end)))
    }
}

/// Whether Cargo builds programs in a directory.
fn is_built(folder: &Path) -> bool {
    let named = |above: &&Path| above.file_name().is_some_and(|name| name == "target");
    let is_profile = folder.file_name().is_some_and(|name| name != "bin");
    let near = folder.ancestors().skip(1).take(2).any(|above| named(&above));
    (is_profile && near) || folder.join(CARGO_LOCK).exists()
}

fn is_tagged(folder: &Path) -> bool {
    let tag = folder.join(CACHE_TAG);
    let is_marked =
        open::read(&tag, CACHE_SIGNATURE.len()).is_ok_and(|bytes| bytes.starts_with(CACHE_SIGNATURE));
    is_marked && !folder.join(ENVIRONMENT).is_file()
}

/// A file system without a disk.
#[cfg(target_os = "linux")]
fn memory(path: &Path) -> Option<Temporary> {
    /// `TMPFS_MAGIC` and `RAMFS_MAGIC` of `linux/magic.h`.
    const MEMORY: [u64; 2] = [0x0102_1994, 0x8584_58f6];
    let folder = path.ancestors().find(|above| above.exists())?;
    let kind = u64::try_from(rustix::fs::statfs(folder).ok()?.f_type).ok()?;
    MEMORY.contains(&kind).then(|| Temporary {
        what: "a file system in memory, which is empty after a restart".to_owned(),
        install: FOR_GOOD,
    })
}

#[cfg(not(target_os = "linux"))]
fn memory(_: &Path) -> Option<Temporary> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_are_emptied() {
        for path in [
            "/home/u/.cache/uv/archive-v0/x/bin/hookc",
            "/home/u/.cache/pip/x/hookc",
            "/home/u/.npm/_npx/1a2b/node_modules/@hookc/cli-linux-x64/bin/hookc",
            "/Users/u/Library/Caches/uv/x/bin/hookc",
            "/home/u/.local/share/pipx/.cache/x/bin/hookc",
            "/tmp/hookc",
            "/dev/shm/a/hookc",
            "/var/folders/zz/T/hookc",
            "/src/hookc/target/debug/hookc",
            "/src/hookc/target/x86_64-unknown-linux-musl/release/hookc",
        ] {
            assert!(by_path(Path::new(path)).is_some(), "{path}");
        }
        for path in [
            "/home/u/.local/bin/hookc",
            "/home/u/.local/share/uv/tools/hookc/bin/hookc",
            "/home/u/.local/share/pipx/venvs/hookc/bin/hookc",
            "/home/u/.cargo/bin/hookc",
            "/usr/local/lib/node_modules/hookc/node_modules/@hookc/cli-linux-x64/bin/hookc",
            "/home/target/bin/hookc",
            "/opt/tmp/hookc",
        ] {
            assert_eq!(by_path(Path::new(path)), None, "{path}");
        }
    }

    #[test]
    fn a_marked_cache_is_one_under_any_name() {
        let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let file = folder.path().join("a/b/hookc");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let is_marked = || file.ancestors().any(is_tagged);
        assert!(!is_marked());
        std::fs::write(folder.path().join("CACHEDIR.TAG"), "no signature").unwrap();
        assert!(!is_marked());
        std::fs::write(folder.path().join("CACHEDIR.TAG"), [CACHE_SIGNATURE, b"\n"].concat()).unwrap();
        assert!(is_marked() && by_path(&file).is_some());
        // An environment of `uv tool install` has the mark too: it is temporary only within a cache.
        let environment = folder.path().join("a");
        std::fs::write(environment.join("CACHEDIR.TAG"), CACHE_SIGNATURE).unwrap();
        std::fs::write(environment.join("pyvenv.cfg"), "").unwrap();
        assert!(is_marked());
        std::fs::remove_file(folder.path().join("CACHEDIR.TAG")).unwrap();
        assert!(!is_marked());
    }
}
