//! Only settings of the current user are changed.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::process::geteuid;

/// Rejects a file of another user, one that is reached through another user's link, one with several hard links, and
/// for root also one in another user's directory.
///
/// # Errors
/// Which of them it is.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    let me = geteuid().as_raw();
    let whole = std::path::absolute(path)?;
    let links = whole.ancestors().filter_map(|above| Some((above, above.symlink_metadata().ok()?)));
    for (link, found) in links.filter(|(_, found)| found.is_symlink()) {
        if ![me, 0].contains(&found.uid()) {
            return Err(denied(format!("the link {} belongs to user {}", link.display(), found.uid())));
        }
    }
    if let Ok(found) = fs::metadata(path) {
        if found.uid() != me {
            return Err(denied(format!("it belongs to user {}: run this as that user", found.uid())));
        }
        if found.is_file() && found.nlink() > 1 {
            let why = format!("it has {} hard links, and the others would not change", found.nlink());
            return Err(denied(why));
        }
    }
    let real = whole.canonicalize();
    let folders = [Some(whole.as_path()), real.as_deref().ok()];
    for folder in folders.into_iter().flatten().filter_map(|path| there(path.parent()?)) {
        if me == 0 && folder.uid() != 0 {
            return Err(denied(format!(
                "its directory belongs to user {}: run this as that user",
                folder.uid()
            )));
        }
    }
    Ok(())
}

/// The nearest existing directory.
fn there(folder: &Path) -> Option<fs::Metadata> {
    folder.ancestors().find_map(|above| fs::metadata(above).ok())
}

fn denied(why: String) -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, format!("{why}; nothing was written"))
}
