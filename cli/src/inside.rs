//! Files of a project are changed inside it: a link that came with the project must not lead a change elsewhere.

use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use hookc_runtime::adapter;

/// The number of links that are followed: a system follows no more.
const LINKS: usize = 40;

/// The root of the repository of a directory.
pub(crate) fn repository(folder: &Path) -> Option<PathBuf> {
    repositories(folder).next()
}

/// Its repository, and those that contain it.
fn repositories(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    adapter::repositories(folder, home).map(Path::to_owned)
}

/// Rejects a path in a project that leads out of it. The project is the outermost repository of the path, because a
/// link may lead to a repository, or without one the current directory.
///
/// # Errors
/// The link that leads out of it.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    let whole = lexical(&std::path::absolute(path)?);
    let here = std::env::current_dir()?;
    let root = whole
        .parent()
        .and_then(|folder| repositories(folder).last())
        .or_else(|| whole.starts_with(&here).then_some(here));
    root.map_or(Ok(()), |root| below(&whole, &root))
}

/// Like the function above, for the project of a directory.
pub(crate) fn below(path: &Path, root: &Path) -> io::Result<()> {
    let whole = lexical(&std::path::absolute(path)?);
    let real_root = root.canonicalize()?;
    let leaves = |link: &Path| {
        let target = target(link);
        // What is neither a file nor a directory is rejected for that.
        let is_special = target.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
        !is_special && !target.starts_with(&real_root)
    };
    let mut links: Vec<&Path> = whole.ancestors().take_while(|above| *above != root).collect();
    links.reverse();
    let links = links.into_iter().filter(|above| above.is_symlink());
    let Some(link) = links.into_iter().find(|link| leaves(link)) else { return Ok(()) };
    let target = target(link);
    Err(io::Error::new(
        ErrorKind::PermissionDenied,
        format!(
            "{} is a link that leads out of the project, to {}: nothing was written; name that file itself if you mean it",
            link.display(),
            target.display()
        ),
    ))
}

/// Where a link leads, also if nothing is there.
fn target(link: &Path) -> PathBuf {
    let mut path = link.to_owned();
    for _ in 0..LINKS {
        if let Ok(real) = path.canonicalize() {
            return real;
        }
        let Some((folder, next)) = path.parent().zip(path.read_link().ok()) else { break };
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        path = lexical(&folder.join(next));
    }
    path
}

/// A path without `..`, as it is written.
fn lexical(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(clean.pop()),
            Component::CurDir => {}
            part => clean.push(part),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_out_of_a_project() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
        fs::create_dir_all(at("p/.git")).unwrap();
        fs::create_dir_all(at("p/a/b")).unwrap();
        fs::write(at("outside"), "").unwrap();
        for (name, target) in [
            ("p/out", "../outside"),
            ("p/up", ".."),
            ("p/a/chain", "../out"),
            ("p/gone", "../gone"),
            ("p/a/hop", "../gone"),
            ("p/loop", "loop"),
            ("p/inner", "a/gone"),
            ("p/null", "/dev/null"),
            ("p/in", "a"),
            ("p/a/self", "../a/b"),
        ] {
            symlink(target, at(name)).unwrap();
        }
        for (path, expected) in [
            ("p/x", true),
            ("p/a/new/x", true),
            ("p/in/x", true),
            ("p/a/self/x", true),
            ("p/out", false),
            ("p/up/x", false),
            ("p/up/p/x", false),
            ("p/a/chain", false),
            ("p/gone", false),
            ("p/a/hop", false),
            ("p/loop", true),
            ("p/inner", true),
            ("p/null", true),
            ("outside", true),
            ("p/../outside", true),
        ] {
            assert_eq!(check(&at(path)).is_ok(), expected, "{path}");
        }
        let why = check(&at("p/up/x")).unwrap_err().to_string();
        assert!(why.starts_with(&format!("{} is a link", at("p/up").display())), "{why}");
        assert_eq!(repository(&at("p/a/b")), Some(at("p")));
        assert_eq!(repository(&at("")), None);
    }
}
