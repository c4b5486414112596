//! Redirections of commands.

use std::fmt;

use super::super::eval::Target;
use super::super::tree::NAMED;
use super::command::resolve_from;
use super::{Directory, Word};
use crate::paths;

/// A redirection of a command.
#[derive(Clone, Copy)]
pub struct Redirect<'w> {
    pub(super) cwd: Directory<'w>,
    pub(super) target: &'w Target,
}

/// What a redirection does with its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RedirectKind {
    /// `<`: the target is read.
    Read,
    /// `>`, `>|`, `&>`: the target is replaced.
    Write,
    /// `>>`, `&>>`: the target grows.
    Append,
    /// `<>`: the target is read and written.
    ReadWrite,
    /// `<&` and `>&` with a number: another descriptor.
    Duplicate,
    /// `<<`, `<<-`: the lines that follow are read.
    HereDocument,
    /// `<<<`: the target itself is read.
    HereString,
}

impl<'w> Redirect<'w> {
    /// The operator as it is written.
    #[must_use]
    pub const fn operator(self) -> &'static str {
        self.target.op
    }

    /// What it does with its target.
    #[must_use]
    pub fn kind(self) -> RedirectKind {
        let is_number = || {
            let text = self.word().text();
            text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        };
        match self.target.op {
            "<<" | "<<-" => RedirectKind::HereDocument,
            "<<<" => RedirectKind::HereString,
            "<&" | ">&" if is_number() => RedirectKind::Duplicate,
            "<" | "<&" => RedirectKind::Read,
            "<>" => RedirectKind::ReadWrite,
            ">>" | "&>>" => RedirectKind::Append,
            _ => RedirectKind::Write,
        }
    }

    /// The number of the descriptor that it opens, 0 for the standard input. None if the shell chooses it: `{fd}>`.
    #[must_use]
    pub fn descriptor(self) -> Option<u32> {
        Some(self.target.fd).filter(|number| *number != NAMED)
    }

    /// The word after the operator: a file, a descriptor, or the delimiter of a here-document.
    #[must_use]
    pub const fn word(self) -> Word<'w> {
        Word { arena: self.cwd.arena(), token: self.target.word }
    }

    /// Whether its target is a file: neither a descriptor nor a text.
    #[must_use]
    pub fn is_file(self) -> bool {
        !matches!(
            self.kind(),
            RedirectKind::Duplicate | RedirectKind::HereDocument | RedirectKind::HereString
        )
    }

    /// The directories that its path can be from, the likely one first; none is an unknown one.
    pub(crate) fn directories(self) -> impl Iterator<Item = Option<&'w str>> + use<'w> {
        self.cwd.paths()
    }

    /// Appends the path of its file, by text and from the likely directory of its command. None if it is no file, or
    /// if its path is unknown.
    #[must_use]
    pub fn resolve(self, out: &mut String) -> Option<()> {
        self.cwd.resolve(self.word().literal().filter(|_| self.is_file())?, out)
    }

    /// Whether its path is from a directory that is one of two, as likely as each other.
    fn is_either(self) -> bool {
        self.cwd.is_either() && !self.word().text().starts_with(['/', '~'])
    }

    /// Appends the path of its file if that is absolute, or below `~`, and the same in each directory of its command.
    pub(crate) fn certain_path(self, out: &mut String) -> Option<()> {
        self.resolve(out)?;
        (!self.is_either() && out.starts_with(['/', '~'])).then_some(())
    }

    /// Whether its file is in the directory of the event.
    pub(crate) fn is_inside(self) -> Option<bool> {
        let text = self.word().literal().filter(|_| self.is_file())?;
        let is_inside = |directory: Option<&str>| {
            let mut path = String::new();
            resolve_from(directory, text, &mut path)?;
            paths::is_inside(self.cwd.of_event(), &path)
        };
        let mut directories = self.cwd.paths();
        let is_first_inside = is_inside(directories.next()?)?;
        match directories.next() {
            Some(other) if is_first_inside => is_inside(other).filter(|is_other_inside| *is_other_inside),
            _ => Some(is_first_inside).filter(|_| !self.is_either()),
        }
    }

    /// Whether it writes a file that is read again: `/dev/null`, terminals and descriptors are none.
    #[must_use]
    pub fn writes(self) -> bool {
        if !self.is_file() || !self.target.op.contains('>') {
            return false;
        }
        let mut path = String::new();
        self.resolve(&mut path).is_none() || !is_sink(&path)
    }

    /// The text of a here-document or a here-string.
    #[must_use]
    pub fn body(self) -> Option<Word<'w>> {
        let body = self.target.body.map(|token| Word { arena: self.cwd.arena(), token });
        body.or_else(|| (self.kind() == RedirectKind::HereString).then(|| self.word()))
    }
}

/// Files that hold nothing.
pub(crate) fn is_sink(path: &str) -> bool {
    matches!(path, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty") || path.starts_with("/dev/fd/")
}

impl fmt::Debug for Redirect<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redirect").field("kind", &self.kind()).field("word", &self.word()).finish()
    }
}
