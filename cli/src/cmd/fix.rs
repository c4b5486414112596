//! `hookc check --fix`: applies the edits that diagnostics offer.
//!
//! Edits are applied in memory, a round at a time, until none is left; then each changed file is written once. An edit
//! after which the policy has more errors than before is not applied.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hookc_runtime::policies::Unit;
use hookc_schema::diag::Fix;
use hookc_schema::{Code, Diagnostic, SourceId};
use serde_json::json;

use crate::args::{Check, Format, Global, Sources};
use crate::edit::save;
use crate::exit::{Exit, Failure};
use crate::files::{self, Texts};
use crate::load::{self, Built};
use crate::out;

/// The most rounds: an edit can make another one possible.
const ROUNDS: usize = 10;

/// What was changed in a file.
#[derive(Default)]
struct Change {
    /// The content before.
    old: String,
    /// The codes of the edits.
    codes: BTreeMap<Code, usize>,
}

/// An edit of a source.
struct Edit {
    code: Code,
    path: PathBuf,
    start: usize,
    end: usize,
    text: String,
}

/// Applies the edits for policies and writes their files; `texts` has the new contents. Adds what it did to `lines`, which
/// are for after the diagnostics that are left.
///
/// # Errors
/// If a policy cannot be read.
pub(crate) fn run(
    global: &Global,
    args: &Check,
    sources: &Sources,
    units: &[Unit],
    texts: &mut Texts,
    lines: &mut Vec<String>,
) -> Result<Exit, Failure> {
    let mut fixer =
        Fixer { args, sources, texts, changes: BTreeMap::new(), rejected: BTreeSet::new(), uncertain: 0 };
    let mut uncertain = 0;
    for unit in units {
        for _ in 0..ROUNDS {
            if !fixer.round(unit)? {
                break;
            }
        }
        uncertain += fixer.uncertain;
    }
    let Fixer { texts, changes, .. } = fixer;
    let is_unchanged = changes.is_empty();
    let mut exit = Exit::Done;
    for (path, change) in changes {
        let new = texts.current(&path);
        if new == change.old {
            continue;
        }
        match write(args, &path, &change.old, &new) {
            Ok(()) => report(global, args, &path, &change, lines)?,
            Err(failure) => {
                // The other files are written nevertheless.
                lines.push(failure.to_string());
                texts.replace(&path, change.old);
                exit = Exit::Errors;
            }
        }
        if args.diff {
            exit = Exit::Errors;
        }
    }
    if uncertain > 0 && global.format != Format::Json {
        let (what, verb) = (out::plural(uncertain, "fix"), if uncertain == 1 { "is" } else { "are" });
        lines.push(match is_unchanged {
            true => format!("no fix is certain; {uncertain} {verb} applied by `--unsafe`"),
            false => format!("{what} more {verb} applied by `--unsafe`"),
        });
    }
    Ok(exit)
}

/// Writes a file, or shows what would change in it.
fn write(args: &Check, path: &Path, old: &str, new: &str) -> Result<(), Failure> {
    if args.diff {
        return save::show(path, old, new);
    }
    if files::is_stdin(path) {
        return out::file(new.as_bytes());
    }
    save::replace(path, old.as_bytes(), new.as_bytes())
}

fn report(
    global: &Global,
    args: &Check,
    path: &Path,
    change: &Change,
    lines: &mut Vec<String>,
) -> Result<(), Failure> {
    let count: usize = change.codes.values().sum();
    if global.format == Format::Json {
        let codes: BTreeMap<_, _> = change.codes.iter().map(|(code, count)| (code.name(), count)).collect();
        let line = json!({"file": files::name(path), "fixes": count, "codes": codes, "written": !args.diff});
        return out::json(&(line.to_string() + "\n"));
    }
    let codes: Vec<_> = change.codes.iter().map(|(code, count)| format!("{code} {count}")).collect();
    let verb = if args.diff { "would apply" } else { "applied" };
    let (name, fixes) = (files::name(path), out::plural(count, "fix"));
    lines.push(format!("{name}: {verb} {fixes} ({})", codes.join(", ")));
    Ok(())
}

struct Fixer<'a> {
    args: &'a Check,
    sources: &'a Sources,
    texts: &'a mut Texts,
    changes: BTreeMap<PathBuf, Change>,
    /// Edits after which there were more errors: the file, the code and the new text.
    rejected: BTreeSet<(PathBuf, Code, String)>,
    /// How many edits of the last round nobody is certain about.
    uncertain: usize,
}

impl Fixer<'_> {
    /// Applies the edits of one round; whether there were any.
    fn round(&mut self, unit: &Unit) -> Result<bool, Failure> {
        let built = load::unit(unit, self.texts, self.sources)?;
        let errors = errors(&built);
        self.uncertain = self.uncertain(&built);
        let mut has_changed = false;
        for (path, edits) in self.edits(&built) {
            let old = self.texts.current(&path);
            has_changed |= self.apply(unit, &path, &old, &edits, errors)?;
        }
        Ok(has_changed)
    }

    /// How many edits are applied only if the caller asks for those that are not certain.
    fn uncertain(&self, built: &Built) -> usize {
        let fixes = built.compiled.diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref());
        let is_of_file =
            |fix: &&Fix| built.path(fix.span.source).is_some() && !built.sources.is_private(fix.span.source);
        fixes.filter(|fix| !fix.safe && !self.args.unsafe_fixes).filter(is_of_file).count()
    }

    /// The edits by file, those at its end first; of two that overlap, the first.
    fn edits(&self, built: &Built) -> BTreeMap<PathBuf, Vec<Edit>> {
        let mut edits: BTreeMap<PathBuf, Vec<Edit>> = BTreeMap::new();
        for diagnostic in &built.compiled.diagnostics {
            let Some(edit) = self.edit(built, diagnostic) else { continue };
            let others = edits.entry(edit.path.clone()).or_default();
            let is_free = |other: &Edit| {
                edit.start != other.start && (edit.end <= other.start || other.end <= edit.start)
            };
            let is_new = !self.rejected.contains(&(edit.path.clone(), edit.code, edit.text.clone()));
            if is_new && others.iter().all(is_free) {
                others.push(edit);
            }
        }
        edits.retain(|_, edits| !edits.is_empty());
        edits.values_mut().for_each(|edits| edits.sort_by_key(|edit| std::cmp::Reverse(edit.start)));
        edits
    }

    fn edit(&self, built: &Built, diagnostic: &Diagnostic) -> Option<Edit> {
        let fix: &Fix = diagnostic.fix.as_ref().filter(|fix| fix.safe || self.args.unsafe_fixes)?;
        let source: SourceId = fix.span.source;
        let path = built.path(source).filter(|_| !built.sources.is_private(source))?;
        let text = fix.written(&built.sources).into_owned();
        let range = fix.span.range();
        let has_effect = built.sources.slice(fix.span) != text;
        has_effect.then(|| Edit {
            code: diagnostic.code,
            path: path.to_owned(),
            start: range.start,
            end: range.end,
            text,
        })
    }

    /// Applies edits of a file together, or one by one if there are more errors after that.
    fn apply(
        &mut self,
        unit: &Unit,
        path: &Path,
        old: &str,
        edits: &[Edit],
        errors: usize,
    ) -> Result<bool, Failure> {
        let new = edits.iter().fold(old.to_owned(), |text, edit| edited(&text, edit));
        self.texts.replace(path, new);
        if self::errors(&load::unit(unit, self.texts, self.sources)?) <= errors {
            let change = self.changes.entry(path.to_owned()).or_default();
            if change.codes.is_empty() {
                old.clone_into(&mut change.old);
            }
            edits.iter().for_each(|edit| *change.codes.entry(edit.code).or_default() += 1);
            return Ok(true);
        }
        self.texts.replace(path, old.to_owned());
        let [edit] = edits else {
            let mut has_changed = false;
            for edit in edits {
                let text = self.texts.current(path);
                has_changed |= self.apply(unit, path, &text, std::slice::from_ref(edit), errors)?;
            }
            return Ok(has_changed);
        };
        self.rejected.insert((path.to_owned(), edit.code, edit.text.clone()));
        Ok(false)
    }
}

fn errors(built: &Built) -> usize {
    built.compiled.diagnostics.iter().filter(|one| one.is_error()).count()
}

/// The text after an edit.
fn edited(text: &str, edit: &Edit) -> String {
    let (before, after) =
        (text.get(..edit.start).unwrap_or_default(), text.get(edit.end..).unwrap_or_default());
    [before, &edit.text, after].concat()
}
