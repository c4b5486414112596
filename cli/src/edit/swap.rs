//! Replaces a file atomically, keeping owner, mode and extended attributes, and never overwrites a
//! concurrent change of another program.
//!
//! The new text is written to a new file next to the old one, readable only by its owner until it
//! has the old mode. Both then swap names in one step (`RENAME_EXCHANGE`), and the removed file is
//! read: if its content is not what the new text was based on, both swap back. If the file system
//! does not support this (some network file systems), the old text is compared directly before the
//! rename, and a save within these microseconds is lost.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{AtFlags, Mode, OFlags, RawMode, RenameFlags};
use rustix::io::Errno;

/// The number of names tried for the new file.
const NAMES: u32 = 1000;
/// How long the removed file is watched: a program that opened it before writes within that time.
const SETTLE: Duration = Duration::from_millis(20);
/// How often the files swap back while another program keeps saving.
const TURNS: u32 = 100;

/// The location of a file: the open directory, and the name in it.
#[derive(Debug)]
pub(crate) struct Spot {
    folder: File,
    path: PathBuf,
    name: OsString,
}

impl Spot {
    /// For an existing file with its links resolved, or for a new one.
    pub(crate) fn for_path(path: &Path) -> io::Result<Self> {
        let target = match path.canonicalize() {
            Err(error) if error.kind() == ErrorKind::NotFound => std::path::absolute(path)?,
            target => target?,
        };
        let (Some(folder), Some(name)) = (target.parent(), target.file_name()) else {
            return Err(ErrorKind::IsADirectory.into());
        };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let open = rustix::fs::open(folder, flags, Mode::empty())?;
        Ok(Self { folder: File::from(open), path: folder.to_path_buf(), name: name.to_owned() })
    }

    /// Opens a regular file of the directory for reading, and rejects a symbolic link.
    fn open(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::openat(&self.folder, name, flags, Mode::empty())?);
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file")),
        }
    }

    /// Whether a file of the directory has exactly this content.
    fn has_content(&self, name: &OsStr, text: &[u8]) -> io::Result<bool> {
        let mut found = Vec::with_capacity(text.len());
        let most = hookc_runtime::open::one_more(text.len());
        self.open(name)?.take(most).read_to_end(&mut found)?;
        Ok(found == text)
    }

    /// A new file in the same directory, with a text, and otherwise like `like`, or with `mode`.
    fn write_temporary(&self, text: &[u8], like: Option<&File>, mode: RawMode) -> io::Result<OsString> {
        let (mut file, name) = self.unnamed(if like.is_some() { 0o600 } else { mode })?;
        let mut write = || -> io::Result<()> {
            file.write_all(text)?;
            if let Some(like) = like {
                dress(like, &file)?;
            }
            file.sync_all()
        };
        write().inspect_err(|_| self.remove(&name))?;
        Ok(name)
    }

    fn unnamed(&self, mode: RawMode) -> io::Result<(File, OsString)> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for number in 0..NAMES {
            let mut name = OsString::from(".");
            name.push(&self.name);
            name.push(format!(".hookc-{}-{number}", std::process::id()));
            match rustix::fs::openat(&self.folder, &name, flags, Mode::from_raw_mode(mode)) {
                Ok(file) => return Ok((File::from(file), name)),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    fn remove(&self, name: &OsStr) {
        let _ = rustix::fs::unlinkat(&self.folder, name, AtFlags::empty());
    }

    fn rename(&self, from: &OsStr, to: &OsStr, how: RenameFlags) -> Result<(), Errno> {
        rustix::fs::renameat_with(&self.folder, from, &self.folder, to, how)
    }

    /// Gives a file its name, unless the name exists.
    fn name(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        match self.rename(from, to, RenameFlags::NOREPLACE) {
            Err(error) if is_unknown(error) => {
                rustix::fs::linkat(&self.folder, from, &self.folder, to, AtFlags::empty())?;
                self.remove(from);
            }
            named => named?,
        }
        let _ = self.folder.sync_all();
        Ok(())
    }
}

/// Whether the system does not support such a rename.
fn is_unknown(error: Errno) -> bool {
    matches!(error, Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP)
}

/// Why nothing was written.
fn changed() -> io::Error {
    io::Error::new(ErrorKind::ResourceBusy, "another program changed it: nothing was written")
}

/// Creates a new file with the mode of new files.
pub(crate) fn create(path: &Path, text: &[u8]) -> io::Result<()> {
    named(path, text, None)
}

/// Writes a new file with all attributes of the file `like`.
pub(crate) fn copy(path: &Path, text: &[u8], like: &Path) -> io::Result<()> {
    let like = Spot::for_path(like)?;
    let like = like.open(&like.name)?;
    named(path, text, Some(&like))
}

fn named(path: &Path, text: &[u8], like: Option<&File>) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let spot = Spot::for_path(path)?;
    let temporary = spot.write_temporary(text, like, 0o666)?;
    spot.name(&temporary, &spot.name).inspect_err(|_| spot.remove(&temporary))
}

/// Replaces the text of a file that still has the old one. The old file becomes `copy`, which has
/// the same content.
pub(crate) fn replace(path: &Path, old: &[u8], new: &[u8], copy: Option<&Path>) -> io::Result<()> {
    let spot = Spot::for_path(path)?;
    let before = spot.open(&spot.name)?;
    let temporary = spot.write_temporary(new, Some(&before), 0o600)?;
    if !spot.has_content(&spot.name, old).inspect_err(|_| spot.remove(&temporary))? {
        spot.remove(&temporary);
        return Err(changed());
    }
    match spot.rename(&temporary, &spot.name, RenameFlags::EXCHANGE) {
        Ok(()) => {}
        Err(error) if is_unknown(error) => {
            let renamed = spot.rename(&temporary, &spot.name, RenameFlags::empty());
            let _ = spot.folder.sync_all();
            return renamed.map_err(|error| {
                spot.remove(&temporary);
                error.into()
            });
        }
        Err(error) => {
            spot.remove(&temporary);
            return Err(error.into());
        }
    }
    if !settled(&spot, &temporary, old) {
        put_back(&spot, &temporary, new);
        return Err(changed());
    }
    keep(&spot, &temporary, copy);
    Ok(())
}

/// Removes a file that still has this content; it becomes `copy`.
pub(crate) fn remove(path: &Path, old: &[u8], copy: &Path) -> io::Result<()> {
    let spot = Spot::for_path(path)?;
    let (_, temporary) = spot.unnamed(0o600)?;
    if !spot.has_content(&spot.name, old).inspect_err(|_| spot.remove(&temporary))? {
        spot.remove(&temporary);
        return Err(changed());
    }
    spot.rename(&spot.name, &temporary, RenameFlags::empty())?;
    if !settled(&spot, &temporary, old) {
        // Another program saved again: its version wins, and this one is left next to it.
        let _ = spot.name(&temporary, &spot.name);
        return Err(changed());
    }
    keep(&spot, &temporary, Some(copy));
    Ok(())
}

/// Whether the removed file has this content, and still has it a moment later.
fn settled(spot: &Spot, temporary: &OsStr, old: &[u8]) -> bool {
    let says = || spot.has_content(temporary, old).unwrap_or(false);
    says() && {
        std::thread::sleep(SETTLE);
        says()
    }
}

/// Puts the removed file back; a concurrent change takes precedence.
fn put_back(spot: &Spot, temporary: &OsStr, new: &[u8]) {
    let mut expected = new.to_vec();
    for _ in 0..TURNS {
        let mut put = Vec::new();
        let read = spot.open(temporary).and_then(|mut file| file.read_to_end(&mut put));
        if read.is_err() || spot.rename(temporary, &spot.name, RenameFlags::EXCHANGE).is_err() {
            return;
        }
        if spot.has_content(temporary, &expected).unwrap_or(false) {
            return spot.remove(temporary);
        }
        expected = put;
    }
}

/// The removed file becomes the backup: a program that still has it open writes there.
fn keep(spot: &Spot, temporary: &OsStr, copy: Option<&Path>) {
    let kept = copy.and_then(|copy| fs::rename(spot.path.join(temporary), copy).ok());
    if kept.is_none() {
        spot.remove(temporary);
    }
    let _ = spot.folder.sync_all();
}

/// Gives a file the owner, the extended attributes and the mode of another.
fn dress(like: &File, file: &File) -> io::Result<()> {
    let (wanted, current) = (like.metadata()?, file.metadata()?);
    let mut mode = wanted.mode() & 0o7777;
    if wanted.uid() != current.uid() {
        fchown(file, Some(wanted.uid()), Some(wanted.gid()))?;
    } else if wanted.gid() != current.gid() && fchown(file, None, Some(wanted.gid())).is_err() {
        // Another group must not gain access.
        mode &= !0o070 | (mode & 0o007) << 3;
    }
    attributes(like, file)?;
    file.set_permissions(fs::Permissions::from_mode(mode))
}

/// Extended attributes; the system may manage some of them itself.
fn attributes(like: &File, file: &File) -> io::Result<()> {
    let mut names = vec![0; 64 << 10];
    let Ok(length) = rustix::fs::flistxattr(like, names.as_mut_slice()) else { return Ok(()) };
    let names = names.get(..length).unwrap_or_default();
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let mut value = vec![0; 64 << 10];
        let Ok(length) = rustix::fs::fgetxattr(like, name, value.as_mut_slice()) else { continue };
        let value = value.get(..length).unwrap_or_default();
        let set = rustix::fs::fsetxattr(file, name, value, rustix::fs::XattrFlags::empty());
        if let Err(error) = set
            && !(name.starts_with(b"security.") || name.starts_with(b"trusted."))
        {
            return Err(error.into());
        }
    }
    Ok(())
}
