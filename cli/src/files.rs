//! The content of files that a command line names, `-` being standard input and output.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hookc_compiler::{Dialect, Files};
use hookc_runtime::disk::Disk;
use hookc_runtime::open;
use hookc_runtime::policies::{self, Content};
use hookc_schema::{Code, Diagnostic, SourceId, Sources};
use hookc_syntax::files::FileKind;
use hookc_syntax::limits::SOURCE_BYTES;

use crate::exit::Failure;
use crate::{inside, out, stdio};

/// Whether a path means standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// The bytes of a file that was named or of standard input, at most one more than
/// `limit`.
pub(crate) fn bytes(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    read(path, limit).map_err(|error| Failure::io(path, &error))
}

fn read(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    contents(path, limit).map(|contents| contents.content.bytes)
}

fn contents(path: &Path, limit: usize) -> io::Result<Contents> {
    let most = open::one_more(limit);
    if is_stdin(path) {
        return Ok(Contents { content: Content::from_bytes(stdio::input(most)?), regular: false });
    }
    let file = open::named(path)?;
    let regular = file.is_regular();
    Ok(Contents { content: Content::from_bytes(file.content(most)?), regular })
}

/// What was read of a file.
#[derive(Debug)]
struct Contents {
    content: Content,
    /// Whether it is a regular file: others, such as the pipe of a shell's `<(...)`, deliver their
    /// content once.
    regular: bool,
}

/// The contents of files that were read before they are used: each is opened once.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    read: BTreeMap<PathBuf, Contents>,
    /// The paths that name no file.
    provided: BTreeSet<PathBuf>,
    /// Whether each file is used several times.
    keep: bool,
    /// Whether the verb shows what policies say, so that a link must not lead to one elsewhere.
    shows: bool,
    /// How often files are used, if more than once.
    uses: BTreeMap<PathBuf, usize>,
    /// The directories that the user named.
    pub(crate) named: NamedDirectories,
}

/// The directories whose files may be quoted: the working directory and its repository, and the named ones with those of
/// named files. A file elsewhere was reached through a link, or named by another file, and may hold secrets.
#[derive(Debug, Default)]
pub(crate) struct NamedDirectories(Vec<PathBuf>);

impl NamedDirectories {
    /// The directories of a command line.
    pub(crate) fn new<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Self {
        let mut new = Self::default();
        new.add(paths);
        new
    }

    /// Adds the directories of a command line.
    pub(crate) fn add<'p>(&mut self, paths: impl IntoIterator<Item = &'p PathBuf>) {
        let directory = |path: &PathBuf| match path.is_dir() {
            true => path.canonicalize().ok(),
            false => path
                .parent()
                .map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent })?
                .canonicalize()
                .ok(),
        };
        self.0.extend(paths.into_iter().filter_map(directory));
    }

    /// Adds a source, whose text stays private if its file is elsewhere.
    pub(crate) fn source(&self, to: &mut Sources, path: &Path, text: String) -> SourceId {
        if self.contains(path) { to.add(name(path), text) } else { to.add_private(name(path), text) }
    }

    /// Rejects a file elsewhere, for verbs that show what policies say.
    pub(crate) fn reject_elsewhere(&self, path: &Path) -> Result<(), Failure> {
        if self.contains(path) {
            return Ok(());
        }
        let name = name(path);
        Err(Failure::usage(format!("{name} is a link to another directory: name the file there")))
    }

    /// Whether a file is in one of the directories, or nothing that diagnostics could quote: standard input, a pipe.
    pub(crate) fn contains(&self, path: &Path) -> bool {
        let Ok(real) = path.canonicalize() else { return true };
        let is_regular = || real.metadata().is_ok_and(|found| found.is_file());
        let here = || std::env::current_dir().and_then(|here| here.canonicalize());
        is_stdin(path)
            || self.0.iter().any(|directory| real.starts_with(directory))
            || here().is_ok_and(|here| real.starts_with(inside::repository(&here).unwrap_or(here)))
            || !is_regular()
    }
}

impl Texts {
    /// For files that are used several times.
    pub(crate) fn kept() -> Self {
        Self { keep: true, ..Self::default() }
    }

    /// For a verb that shows what policies say.
    pub(crate) fn shown() -> Self {
        Self { shows: true, ..Self::default() }
    }

    /// Rejects a policy that must not be shown.
    pub(crate) fn reject_elsewhere(&self, path: &Path) -> Result<(), Failure> {
        if self.shows { self.named.reject_elsewhere(path) } else { Ok(()) }
    }

    /// Gives a path that names no file a text.
    pub(crate) fn provide(&mut self, path: &Path, bytes: &[u8]) {
        let contents = Contents { content: Content::from_bytes(bytes.to_vec()), regular: true };
        self.read.insert(path.to_owned(), contents);
        self.provided.insert(path.to_owned());
    }

    /// Whether the text of a path is from `provide`.
    pub(crate) fn is_provided(&self, path: &Path) -> bool {
        self.provided.contains(path)
    }

    /// States that each file is used at most once from now on.
    pub(crate) fn last_use(&mut self) {
        self.keep = false;
    }

    /// States how often the files in a list are used.
    pub(crate) fn expect<'p>(&mut self, paths: impl IntoIterator<Item = &'p PathBuf>) {
        for path in paths {
            *self.uses.entry(path.clone()).or_default() += 1;
        }
        self.uses.retain(|_, count| *count > 1);
    }

    /// The bytes of a regular file that was read before.
    pub(crate) fn known(&self, path: &Path) -> Option<Vec<u8>> {
        self.read.get(path).filter(|read| read.regular).map(|read| read.content.bytes.clone())
    }

    /// The bytes of a regular file, which is read now if it is one of `these` and can be read.
    pub(crate) fn regular(&mut self, path: &Path, these: impl Fn(&Path) -> bool) -> Option<Vec<u8>> {
        if self.known(path).is_none() && these(path) {
            let content = Content::from_bytes(open::read(path, SOURCE_BYTES).ok()?);
            self.read.insert(path.to_owned(), Contents { content, regular: true });
        }
        self.known(path)
    }

    /// The text of a file that was read and is used again.
    pub(crate) fn current(&self, path: &Path) -> String {
        let bytes = self.read.get(path).map(|read| read.content.bytes.as_slice()).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Gives a file that was read another text from now on.
    pub(crate) fn replace(&mut self, path: &Path, text: String) {
        if let Some(read) = self.read.get_mut(path) {
            read.content.bytes = text.into_bytes();
        }
    }

    /// The dialect of a file that was found in a directory.
    pub(crate) fn dialect(&self, path: &Path) -> Option<Dialect> {
        self.read.get(path)?.content.dialect
    }

    /// Takes over what a search of a directory read.
    pub(crate) fn add(&mut self, found: policies::Contents) {
        let regular = |(path, content)| (path, Contents { content, regular: true });
        self.read.extend(found.into_iter().map(regular));
    }

    /// The bytes of a file that was named, which stay here for their use.
    pub(crate) fn peek(&mut self, path: &Path, limit: usize) -> Result<&[u8], Failure> {
        if !self.read.contains_key(path) {
            let contents = contents(path, limit).map_err(|error| Failure::io(path, &error))?;
            self.read.insert(path.to_owned(), contents);
        }
        Ok(self.read.get(path).map_or(&[], |contents| &contents.content.bytes))
    }

    /// The bytes of a file that was named, at most one more than `limit` unless they were read
    /// before. A pipe can be named twice.
    pub(crate) fn bytes(&mut self, path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
        self.peek(path, limit)?;
        Ok(self.take(path))
    }

    /// The text of a named source, or the diagnostic that explains why it cannot be read.
    pub(crate) fn source(&mut self, path: &Path) -> Result<Result<String, Diagnostic>, Failure> {
        let bytes = self.bytes(path, SOURCE_BYTES)?;
        Ok(decoded(path, bytes).map_err(|new| *new))
    }

    /// Reads a file found in a directory, which must be a regular file.
    pub(crate) fn found(&mut self, path: &Path) -> Result<Result<String, Diagnostic>, Failure> {
        self.text(path).map_err(|error| Failure::io(path, &error))
    }

    /// Like `found`, for callers that report the unreadable file themselves.
    pub(crate) fn text(&mut self, path: &Path) -> io::Result<Result<String, Diagnostic>> {
        if !self.read.get(path).is_some_and(|read| read.regular) {
            let bytes = open::read(path, SOURCE_BYTES)?;
            self.read
                .insert(path.to_owned(), Contents { content: Content::from_bytes(bytes), regular: true });
        }
        Ok(decoded(path, self.take(path)).map_err(|new| *new))
    }

    /// The bytes that were read of a file. They stay here if the file can be used again.
    fn take(&mut self, path: &Path) -> Vec<u8> {
        let Some(read) = self.read.remove(path) else { return Vec::new() };
        let again = self.uses.get_mut(path).is_some_and(|uses| {
            *uses = uses.saturating_sub(1);
            *uses > 0
        });
        if read.regular && !self.keep && !again {
            return read.content.bytes;
        }
        let bytes = read.content.bytes.clone();
        self.read.insert(path.to_owned(), read);
        bytes
    }
}

/// The text of a named source, or the diagnostic that explains why it cannot be read.
pub(crate) fn source(path: &Path) -> Result<Result<String, Diagnostic>, Failure> {
    let bytes = bytes(path, SOURCE_BYTES)?;
    Ok(decoded(path, bytes).map_err(|new| *new))
}

/// Reads a file found in a directory, which must be a regular file.
pub(crate) fn found(path: &Path) -> Result<Result<String, Diagnostic>, Failure> {
    text(path).map_err(|error| Failure::io(path, &error))
}

/// Like `found`, for callers that report the unreadable file themselves.
pub(crate) fn text(path: &Path) -> io::Result<Result<String, Diagnostic>> {
    let bytes = open::read(path, SOURCE_BYTES)?;
    Ok(decoded(path, bytes).map_err(|new| *new))
}

fn decoded(path: &Path, bytes: Vec<u8>) -> Result<String, Box<Diagnostic>> {
    let (limit, name) = (SOURCE_BYTES, name(path));
    if is_module(&bytes) {
        let message = format!("{name} is a compiled module, not the source of a policy");
        let help = "name the source that it was compiled from; `hookc list`, `disasm`, `eval`, `explain`, \
                    `run`, `replay` and `bench` accept a module";
        return Err(Box::new(Diagnostic::global(Code::E0006, message).help(help)));
    }
    if bytes.len() > limit {
        let message = format!("{name} is larger than {limit} bytes");
        return Err(Box::new(Diagnostic::global(Code::E0001, message).help("split it into several files")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("{name} is not UTF-8: byte {at} does not start a character");
        Box::new(Diagnostic::global(Code::E0002, message).help("save it as UTF-8"))
    })
}

/// Whether bytes are a compiled module.
pub(crate) fn is_module(bytes: &[u8]) -> bool {
    bytes.starts_with(b"hookc\0")
}

/// The name of a file in diagnostics.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Writes a file, or standard output for `-`.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if is_stdin(path) {
        return out::file(bytes);
    }
    let write = || {
        inside::check(path)?;
        open::to_write(path, 0o666)?.write_all(bytes)
    };
    write().map_err(|error| Failure::io(path, &error))
}

/// Refuses to write over a file that is read.
pub(crate) fn reject_input<'p>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'p PathBuf>,
) -> Result<(), Failure> {
    let Ok(target) = output.canonicalize() else { return Ok(()) };
    let is_read = |input: &PathBuf| {
        let source = || target.extension().is_none_or(|extension| extension != "hookc");
        input
            .canonicalize()
            .is_ok_and(|input| input == target || (input.is_dir() && target.starts_with(input) && source()))
    };
    if is_stdin(output) || target.is_dir() || !inputs.into_iter().any(is_read) {
        return Ok(());
    }
    Err(Failure::usage(format!("{} is an input: name another file with `-o`", name(output))))
}

/// Whether a path is an executable file.
pub(crate) fn runs(path: &Path) -> bool {
    Disk.kind(&path.to_string_lossy()) == Some(FileKind::File { executable: true })
}
