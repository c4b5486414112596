//! Policies in directories: the files, and which of them belong together.
//!
//! A *searched* directory ([`search`]) can contain anything: a file is a policy only if its name or
//! content leaves no doubt. A directory that is a *layer* ([`layer`]) contains policies: a YAML or
//! XML file in it that is not one is an error, so that a mistake in a guard does not remove it. In
//! both, a possible policy that cannot be read is an error. Both open each file once and return what
//! they read ([`Contents`]), so that compiling it does not read it again.

mod set;
mod survey;
mod walk;
mod watch;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use hookc_compiler::Dialect;
use hookc_schema::agents::Id;
use hookc_syntax::front::detect::{self, Role};
use hookc_syntax::limits::SOURCE_BYTES;

use crate::open;

pub use set::{CompiledSet, PolicySet, PolicySetError, is_there};
pub use survey::{SkipReason, Skipped, Survey, Unit, Unreadable};
pub use walk::files;
pub use watch::{POLL_INTERVAL, Stamp, Watch};

/// A larger file of a directory is not read to determine its kind: it is a policy only by its name,
/// or when it is named.
const MOST: usize = 16 << 20;

/// What was read of files, by path.
pub type Contents = BTreeMap<PathBuf, Content>;

/// What was read of a file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Content {
    /// Its bytes: at most one more than a source may have.
    pub bytes: Vec<u8>,
    /// Its dialect, if it was determined.
    pub dialect: Option<Dialect>,
}

impl Content {
    /// The bytes of a file whose dialect is not known.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes, dialect: None }
    }

    /// Sets the dialect.
    #[must_use]
    pub fn with_dialect(mut self, dialect: impl Into<Option<Dialect>>) -> Self {
        self.dialect = dialect.into();
        self
    }
}

/// Returns the bytes of a file that the caller has read already, which is then not opened again.
pub type Known<'k> = dyn FnMut(&Path) -> Option<Vec<u8>> + 'k;

/// Searches a directory, continuing after unreadable parts.
#[must_use]
pub fn survey(folder: &Path, known: &mut Known<'_>) -> Survey {
    let (mut unreadable, mut skipped) = (Vec::new(), Vec::new());
    let mut on_unreadable = |one| {
        unreadable.push(one);
        Ok(())
    };
    let files = walk::walk(folder, &mut skipped, &mut on_unreadable).unwrap_or_default();
    let mut survey = grouped(files, known, &mut on_unreadable).unwrap_or_default();
    survey.skipped.append(&mut skipped);
    survey.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    Survey { unreadable, ..survey }
}

/// The policies in a directory tree. Repository hooks, settings and skills of one directory form
/// one unit, every other file is its own unit. Every possible policy is opened once.
///
/// # Errors
/// A possible policy cannot be read, or a directory.
pub fn search(folder: &Path, known: &mut Known<'_>) -> Result<Survey, Unreadable> {
    let mut skipped = Vec::new();
    let files = walk::walk(folder, &mut skipped, &mut Err)?;
    let mut survey = grouped(files, known, &mut Err)?;
    survey.skipped.append(&mut skipped);
    survey.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(survey)
}

/// Receives the unreadable parts; an error ends the search.
type OnUnreadable<'t> = dyn FnMut(Unreadable) -> Result<(), Unreadable> + 't;

/// The policies among files.
fn grouped(
    files: Vec<PathBuf>,
    known: &mut Known<'_>,
    on_unreadable: &mut OnUnreadable<'_>,
) -> Result<Survey, Unreadable> {
    let mut units: BTreeMap<(&str, PathBuf), Unit> = BTreeMap::new();
    let (mut suspects, mut skipped, mut contents) = (Vec::new(), Vec::new(), Contents::new());
    // The policies of each directory that are not recognized by their names.
    let mut policies: BTreeSet<&Path> = BTreeSet::new();
    for path in &files {
        let dialect = match kind(path, known) {
            Ok(Kind::Policy(dialect, bytes)) => {
                contents.insert(path.clone(), Content::from_bytes(bytes).with_dialect(dialect));
                dialect
            }
            Ok(Kind::Suspect(why, bytes)) => {
                suspects.push((path.clone(), why));
                contents.insert(path.clone(), Content::from_bytes(bytes));
                continue;
            }
            Ok(Kind::Skipped(why)) => {
                skipped.push(Skipped { path: path.clone(), why });
                continue;
            }
            Err(unreadable) => {
                on_unreadable(unreadable)?;
                continue;
            }
        };
        if matches!(dialect, Dialect::HooksYaml | Dialect::DirectiveXml)
            && matches!(may_be(path).as_deref(), Ok("yaml" | "yml" | "xml"))
            && by_name(&path.display().to_string()).is_none()
        {
            policies.insert(folder(path));
        }
        let key = (dialect.name(), together(dialect, path));
        let unit = units.entry(key).or_insert_with(|| Unit { dialect: Some(dialect), paths: Vec::new() });
        unit.paths.push(path.clone());
    }
    next_to_policies(&mut skipped, &policies);
    let units = units.into_values().collect();
    Ok(Survey { files, units, suspects, skipped, contents, unreadable: Vec::new() })
}

/// The directory of a file.
fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Notes which skipped files are next to policies. A directory of policies can have other files too, but YAML and XML that
/// is empty or has the event of a hook, and text with hooks, are probably meant as policies.
fn next_to_policies(skipped: &mut [Skipped], policies: &BTreeSet<&Path>) {
    let ending = |path: &Path| path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    for one in skipped.iter_mut().filter(|one| policies.contains(folder(&one.path))) {
        match (ending(&one.path).as_deref(), one.why) {
            (Some("yaml" | "yml" | "xml"), SkipReason::Empty) => one.why = SkipReason::NextToPolicies,
            (Some("yaml" | "yml" | "xml"), SkipReason::NoHooks | SkipReason::NotText)
                if has_text(&one.path, has_event) =>
            {
                one.why = SkipReason::NextToPolicies;
            }
            (None | Some("txt"), SkipReason::Extension) if has_text(&one.path, is_policy) => {
                one.why = SkipReason::PolicyByContent;
            }
            _ => {}
        }
    }
}

/// Whether a text has the event of a hook, in the notation of YAML or XML.
fn has_event(text: &str) -> bool {
    let is_key = |name: &str, line: &str| {
        let line = line.trim_start_matches([' ', '-', '"', '\'']);
        let rest = line.strip_prefix(name).map(|rest| rest.trim_start_matches(['"', '\'', ' ']));
        rest.is_some_and(|rest| rest.starts_with(':'))
    };
    text.contains("<hook") || text.lines().any(|line| is_key("event", line) || is_key("events", line))
}

/// Whether a text has only whitespace and comments of YAML.
fn is_empty(text: &str) -> bool {
    text.lines().all(|line| matches!(line.trim().bytes().next(), None | Some(b'#')))
}

/// Whether the text of a file is of a kind. A file that cannot be read has none.
fn has_text(path: &Path, is_of_kind: impl FnOnce(&str) -> bool) -> bool {
    let Ok(bytes) = read(path, || false) else { return false };
    bytes.len() <= MOST && is_of_kind(&words(&bytes))
}

/// Whether a text is a policy in YAML or XML.
fn is_policy(text: &str) -> bool {
    ["a.yaml", "a.xml"].iter().any(|name| detect::role(name, text) != Role::Other)
}

/// The role of a file in a search, with what was read of it.
enum Kind {
    Policy(Dialect, Vec<u8>),
    /// It looks like a policy but matches no dialect.
    Suspect(&'static str, Vec<u8>),
    Skipped(SkipReason),
}

/// The role of a file.
fn kind(path: &Path, known: &mut Known<'_>) -> Result<Kind, Unreadable> {
    if let Err(why) = may_be(path) {
        return Ok(Kind::Skipped(why));
    }
    let name = path.display().to_string();
    let read = || read(path, || by_name(&name).is_some());
    let bytes =
        known(path).map_or_else(read, Ok).map_err(|error| Unreadable { path: path.to_owned(), error })?;
    if bytes.len() > MOST {
        return Ok(match by_name(&name) {
            Some(dialect) => Kind::Policy(dialect, bytes),
            None => Kind::Skipped(SkipReason::TooLarge),
        });
    }
    let (is_text, text) = (std::str::from_utf8(&bytes).is_ok(), words(&bytes));
    let (role, is_empty) = (detect::role(&name, &text), is_empty(&text));
    Ok(match (role, by_name(&name)) {
        (Role::Policy(dialect), _) => Kind::Policy(dialect, bytes),
        (Role::Suspect(looks), _) => Kind::Suspect(looks, bytes),
        (Role::Other, _) if is_text && is_empty => Kind::Skipped(SkipReason::Empty),
        (Role::Other, _) if is_text && detect::is_misnamed_test(path, &text) => {
            Kind::Skipped(SkipReason::MisnamedTest)
        }
        (Role::Other, _) if is_text => Kind::Skipped(SkipReason::NoHooks),
        (Role::Other, Some(dialect)) => Kind::Policy(dialect, bytes),
        (Role::Other, None) => Kind::Skipped(SkipReason::NotText),
    })
}

/// The text of a file, which is without its invalid bytes in another encoding than UTF-8: a policy is then rejected
/// where it is read, and not skipped.
fn words(bytes: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(bytes) {
        // Every second byte of UTF-16 is zero in most words.
        text if text.contains(['\0', '\u{fffd}']) => text.replace(['\0', '\u{fffd}'], "").into(),
        text => text,
    }
}

/// The bytes of a file; of a larger one than [`MOST`] all of them only if they are `wanted`.
fn read(path: &Path, wanted: impl FnOnce() -> bool) -> io::Result<Vec<u8>> {
    let (mut file, mut bytes) = (open::regular(path)?, Vec::new());
    file.by_ref().take(open::one_more(MOST)).read_to_end(&mut bytes)?;
    if bytes.len() > MOST && wanted() {
        file.take(open::one_more(SOURCE_BYTES - MOST - 1)).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The files of a directory that is a layer, by path: YAML and XML files, and those JSON and
/// Markdown files that are certainly policies. Each is opened once.
///
/// # Errors
/// As [`search`]; or a JSON or Markdown file looks like a policy and cannot be read as one.
pub fn layer(folder: &Path) -> Result<Contents, Unreadable> {
    let mut found = Contents::new();
    for path in files(folder)? {
        if is_policy_of_layer(&path) {
            let bytes = open::read(&path, SOURCE_BYTES);
            let bytes = bytes.map_err(|error| Unreadable { path: path.clone(), error })?;
            found.insert(path, Content::from_bytes(bytes));
            continue;
        }
        match kind(&path, &mut |_| None)? {
            Kind::Policy(dialect, bytes) => {
                found.insert(path, Content::from_bytes(bytes).with_dialect(dialect))
            }
            Kind::Suspect(looks, _) => return Err(suspect(path, looks)),
            Kind::Skipped(_) => None,
        };
    }
    Ok(found)
}

/// The paths of a layer. YAML and XML files are not opened.
fn layer_paths(folder: &Path) -> Result<Vec<PathBuf>, Unreadable> {
    let mut found = Vec::new();
    for path in files(folder)? {
        if is_policy_of_layer(&path) {
            found.push(path);
            continue;
        }
        match kind(&path, &mut |_| None)? {
            Kind::Policy(..) => found.push(path),
            Kind::Suspect(looks, _) => return Err(suspect(path, looks)),
            Kind::Skipped(_) => {}
        }
    }
    Ok(found)
}

/// The error for a file of a layer that looks like a policy: its hooks would be missing in silence.
fn suspect(path: PathBuf, looks: &str) -> Unreadable {
    let why = format!("it looks like a policy but cannot be read as one: {looks}");
    Unreadable { path, error: io::Error::new(io::ErrorKind::InvalidData, why) }
}

/// Whether a file of a layer is a policy by its name alone.
fn is_policy_of_layer(path: &Path) -> bool {
    matches!(may_be(path).as_deref(), Ok("yaml" | "yml" | "xml"))
}

/// The extension of a file that may be a policy by its name, or why it cannot be one. Tests and
/// hidden files (such as an editor's) are excluded.
fn may_be(path: &Path) -> Result<String, SkipReason> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_ascii_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    // Of TOML files only those at the place of an agent, and those that may be meant for it.
    let named = ["hook", "codex", "config"].iter().any(|part| name.contains(part));
    let agents = ending == "toml" && (named || by_name(&path.display().to_string()).is_some());
    let may = agents || matches!(ending, "yaml" | "yml" | "json" | "jsonc" | "xml" | "md" | "markdown");
    match () {
        () if ending == "hookc" => Err(SkipReason::Module),
        () if !may => Err(SkipReason::Extension),
        () if name.ends_with(".test.yaml") || name.ends_with(".test.yml") => Err(SkipReason::Test),
        () if name.starts_with('.') => Err(SkipReason::Hidden),
        () => Ok(ending.to_owned()),
    }
}

fn by_name(name: &str) -> Option<Dialect> {
    detect::detect(name, "").filter(|dialect| *dialect != Dialect::DirectiveXml)
}

/// What the files of a unit share: repository hooks and an agent's two settings files share their
/// directory, skills the directory of skills, others nothing.
fn together(dialect: Dialect, path: &Path) -> PathBuf {
    let folder = folder(path);
    let is_own = path.file_stem().is_some_and(|name| name.eq_ignore_ascii_case("skill"));
    match dialect {
        Dialect::Repository => folder.to_path_buf(),
        Dialect::Settings if read_together(path) => folder.to_path_buf(),
        Dialect::Skill if is_own => folder.parent().unwrap_or(folder).to_path_buf(),
        Dialect::Skill => folder.to_path_buf(),
        Dialect::Agent(id) if reads_folder(id) => folder.to_path_buf(),
        _ => path.to_path_buf(),
    }
}

/// Whether an agent reads all files in the directory of its own.
fn reads_folder(id: Id) -> bool {
    id.agent().settings.as_ref().is_some_and(|settings| settings.whole_folder)
}

fn read_together(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "settings.json" || name == "settings.local.json")
}
