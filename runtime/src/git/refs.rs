//! What `HEAD` leads to, as git reads it (`refs/files-backend.c`, `setup.c`).

use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::Repository;
use super::files::Files;

/// How often one ref can lead to another one.
const DEPTH: usize = 5;

/// The bytes of `HEAD` by which git recognizes a repository.
const START: u64 = 255;

/// Where `HEAD` is.
#[derive(Debug, PartialEq)]
pub(super) enum Head {
    /// At this ref, which starts with `refs/` and leads to no other ref.
    Ref(String),
    /// At this commit.
    Detached(String),
}

/// What a ref has.
#[derive(Debug, PartialEq)]
pub(super) enum Commit {
    /// No commit yet.
    Unborn,
    /// This one.
    Name(String),
}

/// The content of the file of a ref.
enum Content {
    Commit(String),
    /// Another ref.
    Ref(String),
    /// The ref has no file.
    Missing,
}

/// Whether git takes a file for a `HEAD`.
pub(super) fn is_head(path: &Path, files: &Files) -> bool {
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => {
            path.read_link().is_ok_and(|to| to.as_os_str().as_bytes().starts_with(b"refs/"))
        }
        Ok(found) if found.is_file() => {
            let start = files.part(path, 0, START).unwrap_or_default();
            match start.strip_prefix(b"ref:") {
                Some(name) => name.trim_ascii_start().starts_with(b"refs/"),
                None => start.get(..40).is_some_and(is_hex),
            }
        }
        _ => false,
    }
}

/// Where the `HEAD` of a repository is; `None` if it says nothing that git would follow.
pub(super) fn head(repository: &Repository) -> Option<Head> {
    let mut content = content(repository, "HEAD")?;
    let mut name = None;
    for _ in 0..=DEPTH {
        match (content, name) {
            (Content::Ref(next), _) => {
                content = self::content(repository, &next)?;
                name = Some(next);
            }
            (Content::Commit(commit), None) => return Some(Head::Detached(commit)),
            (_, name) => return name.map(Head::Ref),
        }
    }
    None
}

/// The commit at a head.
pub(super) fn commit(repository: &Repository, head: &Head) -> Option<Commit> {
    let name = match head {
        Head::Detached(commit) => return Some(Commit::Name(commit.clone())),
        Head::Ref(name) => name,
    };
    match content(repository, name)? {
        Content::Commit(commit) => Some(Commit::Name(commit)),
        Content::Ref(_) => None,
        Content::Missing => packed(repository, name),
    }
}

fn content(repository: &Repository, name: &str) -> Option<Content> {
    // What belongs to one working tree.
    let is_local = name == "HEAD"
        || ["refs/bisect/", "refs/worktree/", "refs/rewritten/"].iter().any(|start| name.starts_with(start));
    let path = if is_local { &repository.directory } else { &repository.common }.join(name);
    if let Ok(to) = path.read_link()
        && let Some(name) = to.to_str().filter(|name| is_ref(name))
    {
        return Some(Content::Ref(name.to_owned()));
    }
    let text = match repository.files.read(&path, SMALL) {
        Ok(text) => String::from_utf8(text).ok()?,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::IsADirectory) => {
            return Some(Content::Missing);
        }
        Err(_) => return None,
    };
    let text = text.trim_end_matches(is_space);
    match text.strip_prefix("ref:") {
        Some(name) => {
            let name = name.trim_start_matches(is_space);
            is_ref(name).then(|| Content::Ref(name.to_owned()))
        }
        None => is_commit(text).then(|| Content::Commit(text.to_owned())),
    }
}

/// The bytes of the file of a ref: more than the length of a name.
const SMALL: u64 = 64 << 10;

fn packed(repository: &Repository, name: &str) -> Option<Commit> {
    let text = match repository.files.read(&repository.common.join("packed-refs"), u64::MAX) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Some(Commit::Unborn),
        Err(_) => return None,
    };
    for line in text.split(|byte| *byte == b'\n') {
        if let Some(commit) = line.strip_suffix(name.as_bytes()).and_then(|line| line.strip_suffix(b" ")) {
            let commit = std::str::from_utf8(commit).ok().filter(|commit| is_commit(commit))?;
            return Some(Commit::Name(commit.to_owned()));
        }
    }
    Some(Commit::Unborn)
}

/// White space as git knows it.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn is_hex(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_hexdigit)
}

/// The name of an object, by SHA-1 or SHA-256.
fn is_commit(text: &str) -> bool {
    [40, 64].contains(&text.len()) && is_hex(text.as_bytes())
}

/// Whether git accepts the name of a ref (`git-check-ref-format`).
fn is_ref(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    name.starts_with("refs/")
        && !name.ends_with('.')
        && !name.contains("..")
        && !name.contains("@{")
        && !name.contains(|c: char| c.is_ascii_control() || " ~^:?*[\\".contains(c))
        && name.split('/').all(is_part)
}
