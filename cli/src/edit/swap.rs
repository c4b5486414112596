//! A file in the place of another: whole or not at all, with the owner, mode and
//! extended attributes of the one before, and never over what somebody else wrote
//! meanwhile.
//!
//! The new text is written to a file of its own beside the old one, readable by its
//! owner alone until it has the old one's mode. Both then change places in one step
//! (`RENAME_EXCHANGE`), and what was taken out is read: if that is not what the new
//! text was made from, both change places again. Where the file system cannot do
//! that (some network file systems), the old text is compared directly before the
//! rename, and a save in the microseconds between is lost.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

/// Names that are tried for the file beside.
const NAMES: u32 = 1000;
/// How long what was taken out is watched: a program that opened it before writes
/// within that time.
const SETTLE: Duration = Duration::from_millis(20);
/// How often files change places again with somebody who saves all the time.
const TURNS: u32 = 100;

/// Where a file lies: the folder, held open, and the name in it.
#[derive(Debug)]
pub(crate) struct Spot {
    folder: File,
    path: PathBuf,
    name: OsString,
}

impl Spot {
    /// Of a file that is there, where its links lead to, or of one that is to be
    /// made.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
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

    /// Opens a regular file of the folder to read, and rejects a link.
    fn open(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::openat(&self.folder, name, flags, Mode::empty())?);
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file")),
        }
    }

    /// Whether a file of the folder says this and no more.
    fn says(&self, name: &OsStr, text: &[u8]) -> io::Result<bool> {
        let mut found = Vec::with_capacity(text.len());
        let most = u64::try_from(text.len()).unwrap_or(u64::MAX).saturating_add(1);
        self.open(name)?.take(most).read_to_end(&mut found)?;
        Ok(found == text)
    }

    /// A new file beside, with a text, and with all that `like` has but that, or
    /// with `mode`.
    fn beside(&self, text: &[u8], like: Option<&File>, mode: u32) -> io::Result<OsString> {
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

    fn unnamed(&self, mode: u32) -> io::Result<(File, OsString)> {
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

    /// Gives a file its name, unless that is taken.
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

/// Whether the system does not know such a rename.
fn is_unknown(error: Errno) -> bool {
    matches!(error, Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP)
}

/// Why nothing was written.
fn changed() -> io::Error {
    io::Error::new(ErrorKind::ResourceBusy, "it was changed meanwhile: nothing was written")
}

/// Makes a file that is not there yet, with the mode that new files have.
pub(crate) fn create(path: &Path, text: &[u8]) -> io::Result<()> {
    named(path, text, None)
}

/// The same, with all that the file `like` has but its text.
pub(crate) fn copy(path: &Path, text: &[u8], like: &Path) -> io::Result<()> {
    let like = Spot::of(like)?;
    let like = like.open(&like.name)?;
    named(path, text, Some(&like))
}

fn named(path: &Path, text: &[u8], like: Option<&File>) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let spot = Spot::of(path)?;
    let beside = spot.beside(text, like, 0o666)?;
    spot.name(&beside, &spot.name).inspect_err(|_| spot.remove(&beside))
}

/// Puts a text in the place of another, which the file still says. What was there
/// before takes the place of `copy`, which says the same.
pub(crate) fn replace(path: &Path, old: &[u8], new: &[u8], copy: Option<&Path>) -> io::Result<()> {
    let spot = Spot::of(path)?;
    let before = spot.open(&spot.name)?;
    let beside = spot.beside(new, Some(&before), 0o600)?;
    if !spot.says(&spot.name, old).inspect_err(|_| spot.remove(&beside))? {
        spot.remove(&beside);
        return Err(changed());
    }
    match spot.rename(&beside, &spot.name, RenameFlags::EXCHANGE) {
        Ok(()) => {}
        Err(error) if is_unknown(error) => {
            let renamed = spot.rename(&beside, &spot.name, RenameFlags::empty());
            let _ = spot.folder.sync_all();
            return renamed.map_err(|error| {
                spot.remove(&beside);
                error.into()
            });
        }
        Err(error) => {
            spot.remove(&beside);
            return Err(error.into());
        }
    }
    if !settled(&spot, &beside, old) {
        put_back(&spot, &beside, new);
        return Err(changed());
    }
    keep(&spot, &beside, copy);
    Ok(())
}

/// Takes a file away that still says this; it takes the place of `copy`.
pub(crate) fn remove(path: &Path, old: &[u8], copy: &Path) -> io::Result<()> {
    let spot = Spot::of(path)?;
    let (_, beside) = spot.unnamed(0o600)?;
    if !spot.says(&spot.name, old).inspect_err(|_| spot.remove(&beside))? {
        spot.remove(&beside);
        return Err(changed());
    }
    spot.rename(&spot.name, &beside, RenameFlags::empty())?;
    if !settled(&spot, &beside, old) {
        // Somebody saved anew: that one counts, and this one is left beside it.
        let _ = spot.name(&beside, &spot.name);
        return Err(changed());
    }
    keep(&spot, &beside, Some(copy));
    Ok(())
}

/// Whether what was taken out says this, and still does a moment later.
fn settled(spot: &Spot, beside: &OsStr, old: &[u8]) -> bool {
    let says = || spot.says(beside, old).unwrap_or(false);
    says() && {
        std::thread::sleep(SETTLE);
        says()
    }
}

/// What was taken out in the place of what was put in; what somebody has put there
/// meanwhile counts more.
fn put_back(spot: &Spot, beside: &OsStr, new: &[u8]) {
    let mut expected = new.to_vec();
    for _ in 0..TURNS {
        let mut put = Vec::new();
        let read = spot.open(beside).and_then(|mut file| file.read_to_end(&mut put));
        if read.is_err() || spot.rename(beside, &spot.name, RenameFlags::EXCHANGE).is_err() {
            return;
        }
        if spot.says(beside, &expected).unwrap_or(false) {
            return spot.remove(beside);
        }
        expected = put;
    }
}

/// What was taken out becomes the copy: a program that still has it open, and writes
/// to it later, writes there.
fn keep(spot: &Spot, beside: &OsStr, copy: Option<&Path>) {
    let kept = copy.and_then(|copy| fs::rename(spot.path.join(beside), copy).ok());
    if kept.is_none() {
        spot.remove(beside);
    }
    let _ = spot.folder.sync_all();
}

/// Gives a file the owner, the extended attributes and the mode of another.
fn dress(like: &File, file: &File) -> io::Result<()> {
    let (wanted, own) = (like.metadata()?, file.metadata()?);
    let mut mode = wanted.mode() & 0o7777;
    if wanted.uid() != own.uid() {
        fchown(file, Some(wanted.uid()), Some(wanted.gid()))?;
    } else if wanted.gid() != own.gid() && fchown(file, None, Some(wanted.gid())).is_err() {
        // Another group must not get what was meant for that one.
        mode &= !0o070 | (mode & 0o007) << 3;
    }
    attributes(like, file)?;
    file.set_permissions(fs::Permissions::from_mode(mode))
}

/// Extended attributes; those that the system sets itself may be its own matter.
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
