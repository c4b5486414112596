//! The file system as checks see it.

use std::fs;
use std::path::MAIN_SEPARATOR;

use hookc_compiler::Files;
use hookc_syntax::files::FileKind;

/// The file system; relative paths start at the working directory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn kind(&self, path: &str) -> Option<FileKind> {
        let found = fs::metadata(path).ok()?;
        Some(match found.is_file() {
            true => FileKind::File { executable: executable(&found) },
            false if found.is_dir() => FileKind::Directory,
            false => FileKind::Other,
        })
    }

    fn canonical(&self, path: &str) -> Option<String> {
        let path = fs::canonicalize(path).ok()?;
        Some(path.to_string_lossy().replace(MAIN_SEPARATOR, "/"))
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }
}

fn executable(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o111 != 0
}
