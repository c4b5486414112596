//! The file system as it will be after writing the planned files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hookc_compiler::Files;
use hookc_syntax::files::FileKind;

use super::plan::{Plan, Role};
use hookc_runtime::disk::Disk;

/// The disk, with the planned files on it.
#[derive(Debug)]
pub(super) struct Overlay {
    planned: BTreeMap<PathBuf, FileKind>,
}

impl Overlay {
    pub(super) fn new(plan: &Plan) -> Self {
        let kind = |role| FileKind::File { executable: role == Role::Handler };
        Self { planned: plan.files().map(|file| (plain(&file.path), kind(file.role))).collect() }
    }
}

/// Without `.` in it.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| !matches!(part, std::path::Component::CurDir)).collect()
}

impl Files for Overlay {
    fn kind(&self, path: &str) -> Option<FileKind> {
        self.planned.get(&plain(Path::new(path))).copied().or_else(|| Disk.kind(path))
    }

    /// A path that does not exist yet is resolved through its nearest existing directory.
    fn canonical(&self, path: &str) -> Option<String> {
        let wanted = plain(Path::new(path));
        let known = self.planned.keys().any(|planned| planned.starts_with(&wanted));
        if !known || Disk.canonical(path).is_some() {
            return Disk.canonical(path);
        }
        for folder in wanted.ancestors().skip(1) {
            let shown = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            if let (Ok(real), Ok(rest)) = (fs::canonicalize(shown), wanted.strip_prefix(folder)) {
                return Some(real.join(rest).to_string_lossy().into_owned());
            }
        }
        None
    }

    fn names(&self, folder: &str) -> Vec<String> {
        Disk.names(folder)
    }
}
