//! Which files are settings of a host, and their owner.

use std::path::{Path, PathBuf};

use crate::args::Scope;
use crate::cmd::install::host::{self, Host};
use crate::cmd::install::{self, place};

/// A file that a host reads.
pub(super) struct Own {
    pub(super) host: &'static Host,
    /// The base directory of relative paths: that of the project. `None` for settings of all
    /// projects.
    pub(super) root: Option<PathBuf>,
}

/// The host that reads a file, by its path.
pub(super) fn of(path: &Path) -> Option<Own> {
    if !is_json(path) {
        return None;
    }
    let whole = place::straight(path);
    if let Some(host) = host::ALL.iter().find(|host| host.managed_files().contains(&whole)) {
        return Some(Own { host, root: None });
    }
    let users = |host: &&Host| user_file(host).is_some_and(|own| reads(host, &own, &whole));
    if let Some(host) = host::ALL.iter().find(users) {
        // Cursor starts a user's own hooks in the directory of the file.
        let root = whole.parent().filter(|_| host.name == "cursor");
        return Some(Own { host, root: root.map(Path::to_path_buf) });
    }
    host::ALL.iter().find_map(|host| {
        let project = [Some(host.project), host.local].into_iter().flatten();
        let levels =
            project.filter(|file| ends(host, file, &whole)).map(|file| Path::new(file).components().count());
        let levels = levels.max();
        let user = levels.is_none() && ends(host, host.user, &whole);
        let root = levels.and_then(|levels| whole.ancestors().nth(levels)).map(Path::to_path_buf);
        (user || root.is_some()).then_some(Own { host, root })
    })
}

fn user_file(host: &Host) -> Option<PathBuf> {
    install::file(host, Scope::User).ok().map(|file| place::straight(&file))
}

/// Whether a file is the host's own, or in a directory that it reads completely.
fn reads(host: &Host, own: &Path, path: &Path) -> bool {
    path == own || (host.whole_folder() && is_json(path) && path.parent() == own.parent())
}

/// The same for a path relative to a project or home directory.
fn ends(host: &Host, own: &str, path: &Path) -> bool {
    let beside = || path.parent().zip(Path::new(own).parent()).is_some_and(|(is, own)| is.ends_with(own));
    path.ends_with(own) || (host.whole_folder() && is_json(path) && beside())
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

/// The existing settings of all projects.
pub(super) fn everywhere() -> Vec<PathBuf> {
    let there = |path: &PathBuf| path.symlink_metadata().is_ok();
    let mut all: Vec<PathBuf> = host::ALL.iter().flat_map(Host::managed_files).collect();
    for host in host::ALL {
        let Ok(own) = install::file(host, Scope::User) else { continue };
        let beside = own.parent().filter(|_| host.whole_folder()).and_then(|folder| folder.read_dir().ok());
        let beside = beside.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        let mut found: Vec<PathBuf> = beside.filter(|path| is_json(path) && *path != own).collect();
        found.sort();
        all.extend(Some(own).filter(there).into_iter().chain(found));
    }
    all
}

/// Directories in a project where settings of hosts are read.
pub(super) fn folders(folder: &Path) -> Vec<PathBuf> {
    let own = host::ALL.iter().flat_map(|host| [Some(host.project), host.local]).flatten();
    let paths = own.map(|file| folder.join(file)).filter(|path| path.is_dir());
    paths.map(|path| path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path)).collect()
}

/// The host in whose directory a file is that the host does not read.
pub(super) fn ignored_by(path: &Path) -> Option<&'static Host> {
    let json = is_json(path) || path.extension().is_some_and(|extension| extension == "jsonc");
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let sample = ["example", "sample", "template"].iter().any(|word| name.contains(word));
    if !json || sample || of(path).is_some() {
        return None;
    }
    let whole = place::straight(path);
    let folder = whole.parent()?;
    host::ALL.iter().filter(|host| !host.whole_folder()).find(|host| {
        let own = Path::new(host.project).parent().unwrap_or(Path::new(""));
        folder.ends_with(own) || folder.ends_with(own.join("hooks"))
    })
}
