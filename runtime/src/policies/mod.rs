//! Policies in folders: which files there are, and which of them belong
//! together.
//!
//! A folder that is *searched* ([`units`]) may hold anything: a file is a policy
//! if its name or what it says leaves no doubt. A folder that is a *layer*
//! ([`layer`]) holds policies: a YAML or XML file in it that is none is an error
//! of whoever reads it, so that a slip in a guard does not make it vanish.
//! In both, what may be a policy and cannot be read is an error.

mod walk;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hookc_compiler::Dialect;
use hookc_compiler::front::detect;

pub use walk::files;

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
const MOST: u64 = 16 << 20;

/// The policies in a folder and the folders in it, none if there are none.
/// Repository hooks, settings and skills of one folder are one unit, other files
/// each its own. Every file that may be a policy is read once, up to 16 MiB.
///
/// # Errors
/// A file that may be a policy cannot be read, or a folder.
pub fn units(folder: &Path) -> Result<Vec<Unit>, Unreadable> {
    grouped(&files(folder)?, &mut Err)
}

/// What a folder holds, as far as it can be read.
#[derive(Debug)]
pub struct Survey {
    /// All files, as [`files`] lists them.
    pub files: Vec<PathBuf>,
    /// The policies, as [`units`] has them.
    pub units: Vec<Unit>,
    /// What cannot be read: folders, and files that may be policies.
    pub unreadable: Vec<Unreadable>,
}

/// Searches a folder past what cannot be read.
#[must_use]
pub fn survey(folder: &Path) -> Survey {
    let mut unreadable = Vec::new();
    let mut told = |one| {
        unreadable.push(one);
        Ok(())
    };
    let files = walk::walk(folder, &mut told).unwrap_or_default();
    let units = grouped(&files, &mut told).unwrap_or_default();
    Survey { files, units, unreadable }
}

/// Who hears of what cannot be read; an error ends the search.
type Told<'t> = dyn FnMut(Unreadable) -> Result<(), Unreadable> + 't;

/// The policies among files.
fn grouped(files: &[PathBuf], told: &mut Told<'_>) -> Result<Vec<Unit>, Unreadable> {
    let mut units: BTreeMap<(&str, PathBuf), Unit> = BTreeMap::new();
    for path in files {
        let dialect = match dialect(path) {
            Ok(Some(dialect)) => dialect,
            Ok(None) => continue,
            Err(unreadable) => {
                told(unreadable)?;
                continue;
            }
        };
        let key = (dialect.name(), together(dialect, path));
        let unit = units.entry(key).or_insert_with(|| Unit { dialect: Some(dialect), paths: Vec::new() });
        unit.paths.push(path.clone());
    }
    Ok(units.into_values().collect())
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
            _ => dialect(&path)?.is_some(),
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
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let ending = name.rsplit_once('.')?.1;
    let test = name.ends_with(".test.yaml") || name.ends_with(".test.yml");
    let may = matches!(ending, "yaml" | "yml" | "json" | "jsonc" | "xml" | "md" | "markdown");
    (may && !test && !name.starts_with('.')).then(|| ending.to_owned())
}

/// The dialect of a file, if it is a policy. What is no text is one by its name
/// alone.
fn dialect(path: &Path) -> Result<Option<Dialect>, Unreadable> {
    if ending(path).is_none() {
        return Ok(None);
    }
    readable(path)?;
    let name = path.display().to_string();
    let unreadable = |error| Unreadable { path: path.to_owned(), error };
    if fs::metadata(path).map_err(unreadable)?.len() > MOST {
        return Ok(by_name(&name));
    }
    Ok(match String::from_utf8(fs::read(path).map_err(unreadable)?) {
        Ok(text) => detect::discover(&name, &text),
        Err(_) => by_name(&name),
    })
}

/// Opening a pipe would wait for its writer.
fn readable(path: &Path) -> Result<(), Unreadable> {
    let found = fs::metadata(path).and_then(|found| match found.is_file() {
        true => fs::File::open(path).map(drop),
        false => Err(io::Error::other("is neither a file nor a folder")),
    });
    found.map_err(|error| Unreadable { path: path.to_owned(), error })
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
