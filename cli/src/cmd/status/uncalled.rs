//! Events that a policy got hooks for after it was installed: no call is for them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use hookc_vm::Module;

use super::Row;
use crate::args::Sources;
use crate::cmd::run::module;
use crate::files::Texts;
use crate::installed::calls::{self, Call};
use crate::installed::command::quoted;
use crate::installed::target::Target;
use crate::installed::{self, WORKTREE, location};

/// Adds a note to the first call of each policy with such events.
pub(super) fn add_notes(rows: &mut [Row]) {
    let mut seen = BTreeSet::new();
    let notes: Vec<Option<String>> = rows
        .iter()
        .map(|row| {
            seen.insert((row.call.agent.agent().name.as_str(), row.call.policies.clone()))
                .then(|| note(row, rows))
                .flatten()
        })
        .collect();
    for (row, note) in rows.iter_mut().zip(notes) {
        row.notes.extend(note);
    }
}

fn note(row: &Row, rows: &[Row]) -> Option<String> {
    let (agent, policies) = (row.call.agent, &row.call.policies);
    // Layers have hooks of their own.
    let files: Vec<PathBuf> =
        policies.iter().filter(|policy| !policy.contains('=')).map(PathBuf::from).collect();
    if files.len() < policies.len() {
        return None;
    }
    let sources = Sources { hosts: vec![agent.agent().name.clone()], ..Sources::plain() };
    let module = module(Module::load, &files, &mut Texts::default(), &sources, |_| {}).ok()?;
    let same =
        rows.iter().filter(|other| other.call.agent.name == agent.name && other.call.policies == *policies);
    let called: BTreeSet<&str> = same.map(|other| other.call.event.as_str()).collect();
    message(agent, policies, &module, &called, "no call is for them")
}

/// The calls in the agent's settings of this project. Settings of the user are not read.
pub(crate) fn in_project(agent: Target) -> Vec<Call> {
    let project = installed::project();
    let root = location::real(&project);
    let files = calls::files(agent, &project).into_iter();
    let files = files.filter(|(scope, _)| matches!(*scope, "project" | "local"));
    files
        .flat_map(|(scope, file)| calls::of_file(agent, scope, &file, Some(&root)).unwrap_or_default())
        .collect()
}

/// Events that policies have hooks for and the agent's settings of this project do not call, for `check`. `None` if
/// the settings call all of them, or call the policies for nothing.
pub(crate) fn report(
    agent: Target,
    calls: &[Call],
    files: &[PathBuf],
    module: &dyn Fn() -> Option<Module>,
) -> Option<String> {
    let names: Vec<String> = files.iter().map(|file| calls::name(file)).collect();
    let has_all = |call: &&Call| names.iter().all(|name| call.policies.contains(name));
    let found: Vec<&Call> = calls.iter().filter(has_all).collect();
    // `install` writes no layers.
    let first = found.iter().find(|call| !call.policies.iter().any(|policy| policy.contains('=')))?;
    let called: BTreeSet<&str> = found.iter().map(|call| call.event.as_str()).collect();
    let without = format!("the settings of {} in this project have no call for them", agent.label);
    message(agent, &first.policies, &module()?, &called, &without)
}

/// The events that policies have hooks for and no call is for, and how to add the calls; `None` if each event has a call.
fn message(
    agent: Target,
    policies: &[String],
    module: &Module,
    called: &BTreeSet<&str>,
    without: &str,
) -> Option<String> {
    let (hooked, observed) = (installed::hooked(module), installed::observed(module));
    let native = |names: &BTreeSet<String>| -> Vec<&str> {
        let names = names.iter().filter(|event| *event != WORKTREE);
        names.flat_map(|event| agent.uncalled(event, called)).collect()
    };
    let observed: BTreeSet<String> = observed.difference(&hooked).cloned().collect();
    let (hooked, observed) = (native(&hooked), native(&observed));
    let missing = match (hooked.is_empty(), observed.is_empty()) {
        (true, true) => return None,
        (false, true) => format!("has hooks for {}", hooked.join(", ")),
        (true, false) => format!("has conditions about earlier events of {}", observed.join(", ")),
        (false, false) => {
            format!(
                "has hooks for {} and conditions about earlier events of {}",
                hooked.join(", "),
                observed.join(", ")
            )
        }
    };
    let shown: Vec<String> = policies.iter().map(|policy| super::show::near(policy)).collect();
    let again: Vec<String> = shown.iter().map(|policy| quoted(policy)).collect();
    Some(format!(
        "{} {missing}, and {without}: run `hookc install {} {}` again",
        shown.join(" "),
        agent.name,
        again.join(" ")
    ))
}
