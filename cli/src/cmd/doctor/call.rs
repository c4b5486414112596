//! Calls of `hookc run`: whether hookc accepts them, and whether their policy has hooks for the
//! event.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use hookc_runtime::adapter;
use hookc_vm::Module;

use super::finding::Findings;
use super::handler::started;
use super::policy;
use super::words::HandlerContext;
use crate::args::{Command, Run, Sources};
use crate::cmd::install::location::contains;
use crate::cmd::install::target::Target;
use crate::cmd::install::{command, hooked, on_path};
use crate::cmd::run::module;
use crate::files::Texts;
use crate::load::Built;

/// Compiled policies by key: the events that they have hooks for, or why there are none.
pub(super) type Compiled = BTreeMap<String, Result<BTreeSet<String>, String>>;

/// Checks a call of `hookc`; `off` states whether it is disabled.
pub(super) fn check(
    program: &str,
    words: &[String],
    off: bool,
    context: &HandlerContext<'_>,
    compiled: &mut Compiled,
    out: &mut Findings,
) {
    if !matches!(program, "hookc" | "hookc.exe") {
        started(program, context, out);
    } else if on_path(program).is_none() {
        let message = format!("`{program}` is not on PATH");
        out.dead("not-on-path", context.at.clone(), message, "add it to PATH, or run `hookc install` again");
    }
    match command::parsed(words) {
        Ok(cli) => {
            if let Command::Run(run) = cli.command {
                of_run(&run, off, context, compiled, out);
            }
        }
        // Only the shell can expand this.
        Err(_) if words.iter().any(|word| word.contains(['$', '*', '?', '{'])) => {}
        Err(error) => refused(&error, context, out),
    }
}

/// A call that ends as wrong usage. Agents read its status as a denial.
fn refused(error: &clap::Error, context: &HandlerContext<'_>, out: &mut Findings) {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return;
    }
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
    let why = lines.collect::<Vec<_>>().join(" ");
    let why = why.strip_prefix("error: ").unwrap_or(&why);
    let help = "it exits with 2, which most agents read as a denial; see `hookc run --help`";
    out.dead("wrong-call", context.at.clone(), format!("`hookc` rejects this call: {why}"), help);
}

fn of_run(run: &Run, off: bool, context: &HandlerContext<'_>, compiled: &mut Compiled, out: &mut Findings) {
    let mut dead =
        |what: &str, message: String, help: &str| out.dead(what, context.at.clone(), message, help);
    // A handler of a policy may call for another agent, about an event that it creates.
    let Some(agent) = context.agent else { return };
    let event = context.event;
    if off {
        dead("switched-off", "`HOOKC_DISABLE=1` disables all hooks".to_owned(), "remove it");
    }
    if run.host != agent.name && !run.host.contains('$') {
        let message = format!("the call has `--host {}`, but {} makes it", run.host, agent.label);
        dead("wrong-host", message, &format!("write `--host {}`", agent.name));
    }
    if let Some(told) = run.given.event.as_deref().filter(|told| *told != event && !told.contains('$')) {
        let message = format!("the call has `--event {told}`, but is under `{event}`");
        dead("wrong-event", message, &format!("write `--event {event}`"));
    }
    let Some(policies) = Policies::of(run, context, out) else { return };
    let events = match compiled.get(&policies.name(agent)) {
        Some(events) => events.clone(),
        None => {
            let events = policies.events(agent, context, compiled, out);
            compiled.insert(policies.name(agent), events.clone());
            events
        }
    };
    match events {
        Err(why) => {
            let message = format!("the call cannot decide: {why}");
            let help = "until this is fixed, its `--on-failure` determines the answer";
            out.dead("broken-policy", context.at.clone(), message, help);
        }
        Ok(events) => idle(agent, &events, context, out),
    }
}

/// What a call compiles.
struct Policies {
    files: Vec<PathBuf>,
    sources: Sources,
}

impl Policies {
    /// With the files that the words refer to; `None` if unknown or already reported as missing.
    fn of(run: &Run, context: &HandlerContext<'_>, out: &mut Findings) -> Option<Self> {
        let files = run.files.iter().map(|path| found("policy", path.to_str()?, context, out));
        let files = files.collect::<Option<Vec<_>>>()?;
        let (mut layers, mut own) = (Vec::new(), Vec::new());
        for text in &run.sources.layers {
            // A missing file is reported during compilation.
            layers.push(match text.split_once('=') {
                None => text.clone(),
                Some((layer, word)) => {
                    own.push(found("policy", word, context, out)?);
                    format!("{layer}={}", own.last()?.display())
                }
            });
        }
        let key = run.sources.verify_key.as_ref();
        let verify_key = match key.map(|key| found("key", key.to_str()?, context, out)) {
            Some(None) => return None,
            key => key.flatten(),
        };
        let sources = Sources { layers, verify_key, ..run.sources.clone() };
        if let Some(itself) = files.iter().chain(&own).find(|file| contains(file, context.file)) {
            let message = format!(
                "the policy of the call is {}, the settings file that contains the call",
                itself.display()
            );
            let help = "it would start itself forever: keep the policy in a separate file";
            out.dead("calls-itself", context.at.clone(), message, help);
            return None;
        }
        Some(Self { files, sources })
    }

    fn name(&self, agent: Target) -> String {
        format!("{} {:?} {:?}", agent.name, self.files, self.sources)
    }

    /// The events that they have hooks for; the programs of their handlers are checked.
    fn events(
        &self,
        agent: Target,
        context: &HandlerContext<'_>,
        compiled: &mut Compiled,
        out: &mut Findings,
    ) -> Result<BTreeSet<String>, String> {
        // Until this is known, a handler with the same call is not checked.
        compiled.insert(self.name(agent), Ok(BTreeSet::new()));
        let look = |built: &Built| policy::called(built, context, compiled, out);
        let module = module(Module::load, &self.files, &mut Texts::default(), &self.sources, look)?;
        let misnamed = adapter::of(&agent.name).and_then(|agent| adapter::misnamed(&module, agent));
        misnamed.map_or_else(|| Ok(hooked(&module)), |why| Err(why.to_string()))
    }
}

/// The file that a word refers to, if known and existing.
fn found(what: &str, word: &str, context: &HandlerContext<'_>, out: &mut Findings) -> Option<PathBuf> {
    if context.is_by_project(word) {
        let message = format!("the path of the {what} `{word}` is relative to the current project");
        let help = format!(
            "a call without its {what} denies the event: write the absolute path, or move the call to the \
             settings of the project"
        );
        out.dead("project-path", context.at.clone(), message, &help);
        return None;
    }
    let path = context.resolve(word)?;
    if !path.exists() {
        let message = format!("the {what} `{word}` does not exist");
        let help = format!("searched for {}", path.display());
        out.dead(&format!("missing-{what}"), context.at.clone(), message, &help);
        return None;
    }
    // Under the name it has when found in a directory, so that each finding is reported once.
    let here = std::env::current_dir().ok();
    Some(here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf)).unwrap_or(path))
}

/// A call for an event that the policy does not handle.
fn idle(agent: Target, events: &BTreeSet<String>, context: &HandlerContext<'_>, out: &mut Findings) {
    let Some(event) = agent.vocabulary(context.event) else { return };
    if !events.contains(event) {
        let message = format!("the policy has no hook for `{}`", context.event);
        out.dead("idle-call", context.at.clone(), message, "run `hookc install` again");
    }
}
