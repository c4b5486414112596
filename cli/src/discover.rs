//! Policies in folders: which files there are, and which of them belong
//! together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hookc_compiler::Dialect;
use hookc_compiler::front::detect;

use crate::exit::Failure;
use crate::{files, walk};

/// Policies that are linked to one another.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) dialect: Option<Dialect>,
    pub(crate) paths: Vec<PathBuf>,
}

/// A file of a folder beyond this is not read to find out what it is: it is a
/// policy by its name alone, or when it is named.
const MOST: u64 = 16 << 20;

/// The policies that `paths` name: files as they are, of folders all policies
/// in them. The files that were named are one unit; those of a folder are
/// together only where their format has it so.
pub(crate) fn units(paths: &[PathBuf]) -> Result<Vec<Unit>, Failure> {
    let (folders, named): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(|path| path.is_dir());
    let mut units = Vec::new();
    if !named.is_empty() || folders.is_empty() {
        units.push(Unit { dialect: None, paths: named.into_iter().cloned().collect() });
    }
    for folder in folders {
        let found = in_folder(folder)?;
        if found.is_empty() {
            return Err(Failure::usage(format!("{}: there is no policy in this folder", folder.display())));
        }
        units.extend(found);
    }
    Ok(units)
}

/// The policies in a folder, none if there are none.
pub(crate) fn in_folder(folder: &Path) -> Result<Vec<Unit>, Failure> {
    let mut units: BTreeMap<(&str, PathBuf), Unit> = BTreeMap::new();
    for path in walk::folder(folder)? {
        let Some(dialect) = dialect(&path) else { continue };
        let key = (dialect.name(), together(dialect, &path));
        let unit = units.entry(key).or_insert_with(|| Unit { dialect: Some(dialect), paths: Vec::new() });
        unit.paths.push(path);
    }
    Ok(units.into_values().collect())
}

/// The dialect of a file, if it is a policy. What is no text is one by its name
/// alone.
fn dialect(path: &Path) -> Option<Dialect> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let extension = name.rsplit_once('.')?.1;
    let test = name.ends_with(".test.yaml") || name.ends_with(".test.yml");
    let may = matches!(extension, "yaml" | "yml" | "json" | "xml" | "md" | "markdown");
    if !may || test {
        return None;
    }
    let name = files::name(path);
    if path.metadata().ok()?.len() > MOST {
        return by_name(&name);
    }
    match files::text(path).ok()? {
        Ok(text) => detect::discover(&name, &text),
        Err(_) => by_name(&name),
    }
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
        Dialect::HooksYaml | Dialect::DirectiveXml | Dialect::Settings | Dialect::Workflow => {
            path.to_path_buf()
        }
    }
}

fn read_together(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "settings.json" || name == "settings.local.json")
}
