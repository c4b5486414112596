//! Policies in folders: which files there are, and which of them belong
//! together.
//!
//! A folder that is *searched* ([`units`]) may hold anything: a file is a policy
//! if its name or what it says leaves no doubt. A folder that is a *layer*
//! ([`layer`]) holds policies: a YAML or XML file in it that is none is an error
//! of whoever reads it, so that a slip in a guard does not make it vanish.
//! In both, what may be a policy and cannot be read is an error.

mod set;
mod walk;
mod watch;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use hookc_compiler::Dialect;
use hookc_syntax::front::detect;

use crate::open;

pub use set::{PolicyError, PolicySet};
pub use walk::files;
pub use watch::{EVERY, Watch};

/// A file or folder that cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    /// Which.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl Error for Unreadable {}

/// Policies that are linked to one another.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The dialect, if it is known from the search.
    pub dialect: Option<Dialect>,
    /// Their files.
    pub paths: Vec<PathBuf>,
}

/// A file of a folder beyond this is not read to find out what it is: it is a
/// policy by its name alone, or when it is named.
const MOST: usize = 16 << 20;

/// The policies in a folder and the folders in it, none if there are none.
/// Repository hooks, settings and skills of one folder are one unit, other files
/// each its own. Every file that may be a policy is read once, up to 16 MiB.
///
/// # Errors
/// A file that may be a policy cannot be read, or a folder.
pub fn units(folder: &Path) -> Result<Vec<Unit>, Unreadable> {
    Ok(grouped(files(folder)?, &mut Err)?.units)
}

/// What a folder holds, as far as it can be read.
#[derive(Debug, Default)]
pub struct Survey {
    /// All files, as [`files`] lists them.
    pub files: Vec<PathBuf>,
    /// The policies, as [`units`] has them.
    pub units: Vec<Unit>,
    /// Files that look like policies and fit no dialect, and why they do.
    pub suspects: Vec<(PathBuf, &'static str)>,
    /// What is no policy: files and folders, and why they were left out.
    pub skipped: Vec<Skipped>,
    /// What cannot be read: folders, and files that may be policies.
    pub unreadable: Vec<Unreadable>,
}

/// A file or folder that a search leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Which.
    pub path: PathBuf,
    /// Why.
    pub why: SkipReason,
}

/// Why a search leaves something out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// No notation has files of this name.
    Extension,
    /// A compiled module.
    Module,
    /// A hidden file, such as an editor's.
    Hidden,
    /// A test file.
    Test,
    /// A file without hooks.
    NoHooks,
    /// Bytes that are not UTF-8.
    NotText,
    /// Too large to find out what it is.
    TooLarge,
    /// A folder of other people's files, or a cache.
    Folder,
}

impl SkipReason {
    /// In words.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Extension => "not YAML, JSON, XML or Markdown",
            Self::Module => "a compiled module",
            Self::Hidden => "a hidden file",
            Self::Test => "a test file: `hookc test` runs it",
            Self::NoHooks => "no known hooks",
            Self::NotText => "not UTF-8",
            Self::TooLarge => "larger than 16 MiB",
            Self::Folder => "a directory of other files: `.git`, `node_modules` or a cache",
        }
    }
}

/// Searches a folder past what cannot be read.
#[must_use]
pub fn survey(folder: &Path) -> Survey {
    let (mut unreadable, mut skipped) = (Vec::new(), Vec::new());
    let mut told = |one| {
        unreadable.push(one);
        Ok(())
    };
    let files = walk::walk(folder, &mut skipped, &mut told).unwrap_or_default();
    let mut survey = grouped(files, &mut told).unwrap_or_default();
    survey.skipped.append(&mut skipped);
    survey.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    Survey { unreadable, ..survey }
}

/// The same, but what cannot be read is an error.
///
/// # Errors
/// As [`units`].
pub fn search(folder: &Path) -> Result<Survey, Unreadable> {
    let mut skipped = Vec::new();
    let files = walk::walk(folder, &mut skipped, &mut Err)?;
    let mut survey = grouped(files, &mut Err)?;
    survey.skipped.append(&mut skipped);
    survey.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(survey)
}

/// Who hears of what cannot be read; an error ends the search.
type Told<'t> = dyn FnMut(Unreadable) -> Result<(), Unreadable> + 't;

/// The policies among files.
fn grouped(files: Vec<PathBuf>, told: &mut Told<'_>) -> Result<Survey, Unreadable> {
    let mut units: BTreeMap<(&str, PathBuf), Unit> = BTreeMap::new();
    let (mut suspects, mut skipped) = (Vec::new(), Vec::new());
    for path in &files {
        let dialect = match kind(path) {
            Ok(Kind::Policy(dialect)) => dialect,
            Ok(Kind::Suspect(why)) => {
                suspects.push((path.clone(), why));
                continue;
            }
            Ok(Kind::Skipped(why)) => {
                skipped.push(Skipped { path: path.clone(), why });
                continue;
            }
            Err(unreadable) => {
                told(unreadable)?;
                continue;
            }
        };
        let key = (dialect.name(), together(dialect, path));
        let unit = units.entry(key).or_insert_with(|| Unit { dialect: Some(dialect), paths: Vec::new() });
        unit.paths.push(path.clone());
    }
    let units = units.into_values().collect();
    Ok(Survey { files, units, suspects, skipped, unreadable: Vec::new() })
}

/// What a file is to a search.
enum Kind {
    Policy(Dialect),
    /// It looks like a policy, and fits no dialect.
    Suspect(&'static str),
    Skipped(SkipReason),
}

/// What a file is. What is no text is a policy by its name alone.
fn kind(path: &Path) -> Result<Kind, Unreadable> {
    if let Err(why) = may_be(path) {
        return Ok(Kind::Skipped(why));
    }
    let name = path.display().to_string();
    let unreadable = |error| Unreadable { path: path.to_owned(), error };
    let named = |why| by_name(&name).map_or(Kind::Skipped(why), Kind::Policy);
    let bytes = open::read(path, MOST).map_err(unreadable)?;
    if bytes.len() > MOST {
        return Ok(named(SkipReason::TooLarge));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => match detect::discover(&name, &text) {
            Some(dialect) => Kind::Policy(dialect),
            None => detect::suspect(&name, &text).map_or(Kind::Skipped(SkipReason::NoHooks), Kind::Suspect),
        },
        // A policy in another encoding is rejected where it is read.
        Err(_) if detect::suspect(&name, "").is_some() => Kind::Suspect("it is in a directory of policies"),
        Err(_) => named(SkipReason::NotText),
    })
}

/// The files of a folder that is a layer, by path: YAML and XML files, and of
/// JSON and Markdown those that are policies beyond doubt.
///
/// # Errors
/// As [`units`].
pub fn layer(folder: &Path) -> Result<Vec<PathBuf>, Unreadable> {
    let mut found = Vec::new();
    for path in files(folder)? {
        let policy = match ending(&path).as_deref() {
            Some("yaml" | "yml" | "xml") => readable(&path).map(|()| true)?,
            _ => matches!(kind(&path)?, Kind::Policy(_)),
        };
        if policy {
            found.push(path);
        }
    }
    Ok(found)
}

/// The ending of a file that may be a policy by its name. Tests and hidden files
/// (an editor's, say) are none.
fn ending(path: &Path) -> Option<String> {
    may_be(path).ok()
}

/// The same, or why the name of a file is not that of a policy.
fn may_be(path: &Path) -> Result<String, SkipReason> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_ascii_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let may = matches!(ending, "yaml" | "yml" | "json" | "jsonc" | "xml" | "md" | "markdown");
    match () {
        () if ending == "hookc" => Err(SkipReason::Module),
        () if !may => Err(SkipReason::Extension),
        () if name.ends_with(".test.yaml") || name.ends_with(".test.yml") => Err(SkipReason::Test),
        () if name.starts_with('.') => Err(SkipReason::Hidden),
        () => Ok(ending.to_owned()),
    }
}

fn readable(path: &Path) -> Result<(), Unreadable> {
    open::regular(path).map(drop).map_err(|error| Unreadable { path: path.to_owned(), error })
}

fn by_name(name: &str) -> Option<Dialect> {
    detect::detect(name, "").filter(|dialect| *dialect != Dialect::DirectiveXml)
}

/// What the files of a unit have in common: repository hooks and the two
/// settings files that an agent reads of a folder that folder, skills the folder
/// of skills, others nothing.
fn together(dialect: Dialect, path: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    let own = path.file_stem().is_some_and(|name| name.eq_ignore_ascii_case("skill"));
    match dialect {
        Dialect::Repository => folder.to_path_buf(),
        Dialect::Settings if read_together(path) => folder.to_path_buf(),
        Dialect::Skill if own => folder.parent().unwrap_or(folder).to_path_buf(),
        Dialect::Skill => folder.to_path_buf(),
        Dialect::Copilot => folder.to_path_buf(),
        _ => path.to_path_buf(),
    }
}

fn read_together(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "settings.json" || name == "settings.local.json")
}
