//! `hookc doctor`: hooks that are configured and can never fire, or fail.
//!
//! `location.rs` knows which files are settings of an agent, `settings.rs` checks them, `policy.rs` the handlers in policies, `handler.rs`, `words.rs` and `script.rs` the commands
//! of both and `call.rs` those of `hookc run`; `around.rs` searches for ways around hooks, and the
//! compiler checks the rest. `reading.rs` keeps the agents' files that were read, `finding.rs` prints
//! the findings.

mod around;
mod call;
mod finding;
mod handler;
mod location;
pub(crate) mod policy;
mod reading;
mod script;
pub(crate) mod settings;
mod trust;
mod words;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::args::{self, Doctor, Format, Global};
use crate::cmd::pause;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::Texts;
use crate::installed::target::Target;
use crate::screen::Style;
use crate::{files, load, out};
use call::Compiled;
use finding::Findings;
use hookc_runtime::policies::{self, Unit, Unreadable};
use hookc_vm::Module;
use reading::Readings;

pub(crate) fn run(global: &Global, args: &Doctor) -> Outcome {
    let mut found = Findings::default();
    let (mut compiled, readings) = (Compiled::new(), Readings::default());
    let paths = if args.paths.is_empty() { usual() } else { args.paths.clone() };
    if hookc_runtime::engine::disabled() {
        let message = "`HOOKC_DISABLE=1` is set here: all hooks are disabled".to_owned();
        found.dead("switched-off", "HOOKC_DISABLE".to_owned(), message, "unset it");
    }
    if let Some(pause) = pause::active() {
        let help = "end the window with `hookc pause --end`";
        found.dead("paused", "hookc pause".to_owned(), pause::text(&pause), help);
    }
    for path in &paths {
        if path.is_dir() && location::agent_file(path).is_none() {
            folder(path, &readings, &mut compiled, &mut found)?;
        } else {
            file(path, &readings, &mut compiled, &mut found)?;
        }
    }
    around::look(&readings, &mut found);
    if args.paths.is_empty() {
        around::plugins_alone(&mut found);
        for (agent, path, root) in location::scripts() {
            settings::script(agent, &path, root.as_deref(), &mut compiled, &mut found);
        }
    }
    call::not_called(&compiled, &mut found);
    let mut seen = BTreeSet::new();
    found.found.retain(|one| seen.insert((one.location.clone(), one.what.clone(), one.message.clone())));
    let dead: BTreeSet<_> = found.found.iter().filter(|one| one.dead).map(finding::Finding::key).collect();
    found.found.retain(|one| one.dead || !dead.contains(&one.key()));
    let text = finding::shown(&found.found, global.format, Style(out::styled_stdout(global.color)));
    if global.format == Format::Json { out::json(&text) } else { out::styled_lines(&text) }?;
    let dead = found.found.iter().filter(|one| one.dead).count();
    out::say(global, &summary(found.files, dead));
    Ok(Exit::errors_if(dead > 0))
}

/// What keeps the hooks in an agent's settings from running, for `install`: hooks that are switched off, or that the
/// administrator does not allow.
pub(crate) fn obstacles(agent: Target, path: &Path, root: Option<&Path>) -> Vec<String> {
    let (readings, mut found) = (Readings::default(), Findings::default());
    if hookc_runtime::engine::disabled() {
        found.dead(
            "switched-off",
            "HOOKC_DISABLE".to_owned(),
            "`HOOKC_DISABLE=1` is set here".to_owned(),
            "",
        );
    }
    if let Some(file) = readings.read(path) {
        settings::switched_off(agent, &file.root, &file.sources, &mut found);
    }
    let (path, root, at) = (path.to_path_buf(), root.map(Path::to_path_buf), files::name(path));
    found.checked.push(around::CheckedSettings { agent, path, root, at });
    around::look(&readings, &mut found);
    let mut seen = BTreeSet::new();
    let found =
        found.found.into_iter().filter(|one| ["switched-off", "managed-only"].contains(&one.what.as_str()));
    found
        .map(|one| format!("{}: {}", one.location, one.message))
        .filter(|line| seen.insert(line.clone()))
        .collect()
}

/// A hook in a file of an agent that is dead, or may be.
pub(crate) struct DoubtfulHook {
    pub(crate) is_dead: bool,
    /// A name, or the code of a diagnostic.
    pub(crate) what: String,
    /// `file:line:column`
    pub(crate) location: String,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// Our calls in a file of an agent that are made for a part of the events, or that nothing waits for, for `install`.
pub(crate) fn narrowed_calls(path: &Path) -> Vec<String> {
    let calls =
        doubtful_in(path).into_iter().filter(|one| ["narrowed", "idle-call"].contains(&one.what.as_str()));
    calls
        .map(|one| {
            let help = one.help.map(|help| format!(" ({help})")).unwrap_or_default();
            format!("{}: {}{help}", one.location, one.message)
        })
        .collect()
}

/// What is dead or doubtful in a file of an agent, for `probe`.
pub(crate) fn doubtful_in(path: &Path) -> Vec<DoubtfulHook> {
    let (mut found, mut compiled, readings) = (Findings::default(), Compiled::new(), Readings::default());
    // A file that is missing or no settings file has no hooks.
    if location::agent_file(path).is_none() || file(path, &readings, &mut compiled, &mut found).is_err() {
        return Vec::new();
    }
    around::look(&readings, &mut found);
    let mut seen = BTreeSet::new();
    // A dead hook is not also doubtful.
    found.found.sort_by_key(|one| !one.dead);
    let found = found.found.into_iter().filter(|one| seen.insert(one.key()));
    let hook = |one: finding::Finding| DoubtfulHook {
        is_dead: one.dead,
        what: one.what,
        location: one.location,
        message: one.message,
        help: one.help,
    };
    found.map(hook).collect()
}

fn summary(files: usize, dead: usize) -> String {
    if files == 0 && dead == 0 {
        return "no hooks and no settings of an agent were found: name a file or a directory".to_owned();
    }
    let files = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
    if dead == 0 { format!("no dead hooks in {files}") } else { format!("{dead} dead in {files}") }
}

/// This directory, the settings of the project that it is in, and those of all projects.
fn usual() -> Vec<PathBuf> {
    let files = location::of_project().into_iter().chain(location::everywhere());
    std::iter::once(PathBuf::from(".")).chain(files).collect()
}

fn folder(
    folder: &Path,
    readings: &Readings,
    compiled: &mut Compiled,
    out: &mut Findings,
) -> Result<(), Failure> {
    for path in location::folders(folder) {
        settings::is_folder(&path, out);
    }
    let mut texts = Texts::kept();
    texts.named.add([&folder.to_path_buf()]);
    let ours = |path: &Path| location::agent_file(path).is_some() || location::ignored_by(path).is_some();
    let mut found = policies::survey(folder, &mut |path| texts.regular(path, ours));
    texts.add(std::mem::take(&mut found.contents));
    for path in &found.files {
        if let Some(agent_file) = location::agent_file(path) {
            settings::check(&agent_file, path, &mut texts, readings, compiled, out);
        } else if let Some(agent) = location::ignored_by(path) {
            settings::ignored(agent, path, &mut texts, out);
        }
    }
    texts.last_use();
    for Unreadable { path, error, .. } in found.unreadable.iter().filter(|one| !ours(&one.path)) {
        let message = format!("this cannot be read: {error}");
        // Whether a directory contains anything is unknown.
        let tell = if path.is_dir() { Findings::odd } else { Findings::dead };
        tell(out, "unreadable", files::name(path), message, "");
    }
    for (path, looks) in found.suspects.iter().filter(|(path, _)| !ours(path)) {
        let message = format!("this looks like a policy but cannot be read as one: {looks}");
        out.dead(
            "unreadable",
            files::name(path),
            message,
            "correct the file, or move it out of the directory",
        );
    }
    for mut unit in found.units {
        unit.paths.retain(|path| !ours(path));
        if !unit.paths.is_empty() {
            policies(&unit, folder, &mut texts, compiled, out)?;
        }
    }
    Ok(())
}

fn file(
    path: &Path,
    readings: &Readings,
    compiled: &mut Compiled,
    out: &mut Findings,
) -> Result<(), Failure> {
    if !files::is_stdin(path) && path.symlink_metadata().is_err() {
        return Err(Failure::usage(format!("{} does not exist", path.display())));
    }
    let mut texts = Texts::kept();
    // The settings of a person may be links to anywhere.
    let is_of_user = location::everywhere().iter().any(|file| file == path);
    let real = path.canonicalize().ok().filter(|_| is_of_user);
    texts.named.add(std::iter::once(&path.to_path_buf()).chain(&real));
    match location::agent_file(path) {
        Some(_) if path.is_dir() => settings::is_folder(path, out),
        Some(agent_file) => settings::check(&agent_file, path, &mut texts, readings, compiled, out),
        None => {
            let unit = Unit::new(vec![path.to_path_buf()]);
            return policies(&unit, Path::new("."), &mut texts, compiled, out);
        }
    }
    Ok(())
}

/// The compiler's diagnostics of policies, and the programs of their handlers; the policies were
/// found in a directory or named on the command line.
fn policies(
    unit: &Unit,
    folder: &Path,
    texts: &mut Texts,
    compiled: &mut Compiled,
    out: &mut Findings,
) -> Result<(), Failure> {
    let (plain, first) = (args::Sources::plain(), out.found.len());
    out.files += unit.paths.len();
    if load::module_file(Module::load, &unit.paths, texts, &plain)?.is_some() {
        return Ok(());
    }
    let built = load::unit(unit, texts, &plain)?;
    let name = unit.paths.first().map(|path| files::name(path)).unwrap_or_default();
    out.diagnosed(&built.compiled.diagnostics, &built.sources, &name);
    policy::found(&built, folder, compiled, out);
    if let Some(path) = unit.paths.iter().find(|path| !texts.named.contains(path)) {
        out.withhold(first, &files::name(path));
    }
    Ok(())
}
