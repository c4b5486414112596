//! Calls of `hookc run`: whether hookc accepts them, and whether their policy has hooks for the
//! event.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use hookc_runtime::adapter;
use hookc_schema::agents::Matching;
use hookc_vm::Module;

use super::finding::Findings;
use super::handler::{split, started, unset};
use super::policy;
use super::words::HandlerContext;
use crate::args::{Command, Run, Sources};
use crate::cmd::run::module;
use crate::files::Texts;
use crate::installed::location::{self, contains};
use crate::installed::target::Target;
use crate::installed::{START, command, hooked, observed, on_path, program};
use crate::load::Built;

/// Compiled policies by key, or the reason for their absence.
pub(super) type Compiled = BTreeMap<String, Result<Hooked, String>>;

/// What a policy has hooks for.
#[derive(Clone, Debug, Default)]
pub(super) struct Hooked {
    events: BTreeSet<String>,
    /// The events that its conditions are about when they are past.
    observed: BTreeSet<String>,
    /// For each event, the only tools that its hooks are for: one entry for each hook, `None` if it is for any tool.
    tools: BTreeMap<String, Vec<Option<BTreeSet<String>>>>,
}

/// A call of a policy in the settings of an agent.
#[derive(Debug)]
pub(super) struct Called {
    agent: Target,
    policy: String,
    /// The policy for people.
    shown: String,
    event: &'static str,
    /// The agent's name of the event.
    native: &'static str,
    at: String,
    /// The settings file.
    file: PathBuf,
    matcher: String,
    /// The words of the call: an agent runs equal calls once.
    words: String,
}

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
        if started(program, context, out) {
            temporary(program, context, out);
        }
    } else if on_path(program).is_none() {
        let message = format!("`{program}` is not on PATH");
        context.absent("not-on-path", message, "add it to PATH, or run `hookc install` again", out);
    } else {
        temporary(program, context, out);
    }
    match command::parsed(words) {
        Ok(cli) => {
            if let Command::Run(run) = cli.command {
                of_run(&run, off, context, compiled, out);
            }
        }
        // Only the shell can expand this.
        Err(_) if words.iter().any(|word| word.contains(['$', '*', '?', '{'])) => {}
        Err(error) => rejected(&error, words, context, out),
    }
}

/// Reports a call in settings whose program is in a directory that is emptied, or has a name that only this terminal
/// finds.
fn temporary(program: &str, context: &HandlerContext<'_>, out: &mut Findings) {
    if context.agent.is_none() || context.sample {
        return;
    }
    if let Some(trouble) = program::trouble(program) {
        out.odd("temporary", context.at.clone(), trouble.message, &trouble.help);
    }
}

/// Reports a call that decides nothing: it prints its help or its version, and the event passes, or it ends as wrong
/// usage, which most agents read as a denial.
fn rejected(error: &clap::Error, words: &[String], context: &HandlerContext<'_>, out: &mut Findings) {
    let is_run = words.iter().any(|word| word == "run");
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let message = "this call of hookc only prints its help or its version: every event passes".to_owned();
        let help = "write `hookc run --host NAME POLICY`";
        return match error.kind() {
            _ if is_run => out.dead("wrong-call", context.at.clone(), message, help),
            ErrorKind::DisplayHelp => out.odd("wrong-call", context.at.clone(), message, help),
            // `hookc --version && ...` tests whether hookc is there.
            _ => {}
        };
    }
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
    let why = lines.collect::<Vec<_>>().join(" ");
    let why = why.strip_prefix("error: ").unwrap_or(&why);
    let help = "it exits with 2, which most agents read as a denial; see `hookc run --help`";
    out.dead("wrong-call", context.at.clone(), format!("`hookc` rejects this call: {why}"), help);
}

fn of_run(run: &Run, off: bool, context: &HandlerContext<'_>, compiled: &mut Compiled, out: &mut Findings) {
    // A handler of a policy may call for another agent, about an event that it creates.
    let Some(agent) = context.agent else { return };
    let event = context.event;
    if off {
        let message = "`HOOKC_DISABLE=1` disables all hooks".to_owned();
        out.dead("switched-off", context.at.clone(), message, "remove it");
    }
    if run.host != agent.name && !run.host.contains('$') {
        let message = format!("the call has `--host {}`, but {} makes it", run.host, agent.label);
        let help = format!("write `--host {}`", agent.name);
        // A plugin marks each event, by which `run` recognizes its agent.
        match agent.settings.plugin {
            Some(_) => out.odd("wrong-host", context.at.clone(), message, &help),
            None => out.dead("wrong-host", context.at.clone(), message, &help),
        }
    }
    if let Some(stated) =
        run.given.event.as_deref().filter(|stated| *stated != event && !stated.contains('$'))
    {
        let message = format!("the call has `--event {stated}`, but is under `{event}`");
        out.dead("wrong-event", context.at.clone(), message, &format!("write `--event {event}`"));
    }
    let Some(policies) = Policies::from_run(run, context, out) else { return };
    let hooked = match compiled.get(&policies.name(agent)) {
        Some(hooked) => hooked.clone(),
        None => {
            let hooked = policies.hooked(agent, context, compiled, out);
            compiled.insert(policies.name(agent), hooked.clone());
            hooked
        }
    };
    match hooked {
        Err(why) => {
            let message = format!("the call cannot decide: {why}");
            let help = "until this is fixed, its `--on-failure` determines the answer";
            out.dead("broken-policy", context.at.clone(), message, help);
        }
        Ok(hooked) => {
            idle(agent, &hooked, context, out);
            let Some(known) = agent.agent().event(event) else { return };
            let (event, native) = (known.event.as_str(), known.name.as_str());
            let (policy, at) = (policies.name(agent), context.at.clone());
            let (shown, words) = (policies.shown(), format!("{run:?}"));
            let matcher = context.matcher.unwrap_or_default().to_owned();
            let file = context.file.to_path_buf();
            out.called.push(Called { agent, policy, shown, event, native, at, file, matcher, words });
        }
    }
}

/// What a call compiles.
struct Policies {
    files: Vec<PathBuf>,
    sources: Sources,
}

impl Policies {
    /// With the files that the words refer to; `None` if unknown or already reported as missing.
    fn from_run(run: &Run, context: &HandlerContext<'_>, out: &mut Findings) -> Option<Self> {
        let files = run.files.iter().map(|path| found("policy", path.to_str()?, context, out));
        let files = files.collect::<Option<Vec<_>>>()?;
        let (mut layers, mut policies) = (Vec::new(), Vec::new());
        for text in &run.sources.layers {
            // A missing file is reported during compilation.
            layers.push(match text.split_once('=') {
                None => text.clone(),
                Some((layer, word)) => {
                    policies.push(found("policy", word, context, out)?);
                    format!("{layer}={}", policies.last()?.display())
                }
            });
        }
        let key = run.sources.verify_key.as_ref();
        let verify_key = match key.map(|key| found("key", key.to_str()?, context, out)) {
            Some(None) => return None,
            key => key.flatten(),
        };
        let sources = Sources { layers, verify_key, ..run.sources.clone() };
        if let Some(itself) = files.iter().chain(&policies).find(|file| contains(file, context.file)) {
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

    fn shown(&self) -> String {
        self.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" ")
    }

    /// What they have hooks for; the programs of their handlers are checked.
    fn hooked(
        &self,
        agent: Target,
        context: &HandlerContext<'_>,
        compiled: &mut Compiled,
        out: &mut Findings,
    ) -> Result<Hooked, String> {
        // Until this is known, a handler with the same call is not checked.
        compiled.insert(self.name(agent), Ok(Hooked::default()));
        let mut tools = BTreeMap::new();
        let look = |built: &Built| {
            tools = policy::tools(built);
            policy::called(built, context, compiled, out);
        };
        let module = module(Module::load, &self.files, &mut Texts::default(), &self.sources, look)?;
        let misnamed = adapter::by_name(&agent.name).and_then(|agent| adapter::misnamed(&module, agent));
        match misnamed {
            Some(why) => Err(why.to_string()),
            None => Ok(Hooked { events: hooked(&module), observed: observed(&module), tools }),
        }
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
    split(word, context, out);
    let Some(path) = context.resolve(word) else {
        // Without a path after it, the variable can be an option.
        let variable = location::variable(word)
            .filter(|variable| variable.rest.starts_with('/') && !variable.has_default);
        if let (Some(variable), Some(agent)) = (variable, context.agent) {
            unset(variable.name, agent, context, out);
        }
        return None;
    };
    if !path.exists() {
        let message = format!("the {what} `{word}` does not exist");
        let help = format!("searched for {}", path.display());
        context.absent(&format!("missing-{what}"), message, &help, out);
        return None;
    }
    // Under the name it has when found in a directory, so that each finding is reported once.
    let here = std::env::current_dir().ok();
    Some(here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf)).unwrap_or(path))
}

/// A call for an event that the policy does not handle, or that is not made where the policy has hooks.
fn idle(agent: Target, hooked: &Hooked, context: &HandlerContext<'_>, out: &mut Findings) {
    let Some(event) = agent.vocabulary(context.event) else { return };
    let at = context.at.clone();
    if !hooked.events.contains(event) && !hooked.observed.contains(event) {
        let message = format!("the policy has no hook for `{}`", context.event);
        return out.dead("idle-call", at, message, "run `hookc install` again");
    }
    match context.narrowed {
        Some("if") => {
            let message = "`if` keeps this call from most events: the policy does not decide them".to_owned();
            out.odd("narrowed", at.clone(), message, "remove `if`: the conditions of the policy decide");
        }
        Some(key) => {
            let message = format!("nothing waits for this call, so it cannot deny: it has `{key}`");
            out.dead("narrowed", at.clone(), message, &format!("remove `{key}`"));
        }
        None => {}
    }
    let matcher = context.matcher.filter(|text| !matches!(*text, "" | "*" | ".*"));
    let Some(matcher) = matcher.filter(|_| agent.matches_tools(context.event)) else { return };
    let Some(names) = names(matcher) else { return };
    let hooks = hooked.tools.get(event).map(Vec::as_slice).unwrap_or_default();
    let is_called = |tools: &BTreeSet<String>| {
        tools.iter().any(|tool| names.iter().any(|name| selects(agent, name, tool)))
    };
    let never = hooks.iter().flatten().filter(|tools| !is_called(tools)).count();
    if !hooks.is_empty() && never == hooks.len() {
        let message = format!("the matcher `{matcher}` lets no tool through that the policy has hooks for");
        out.dead("idle-call", at, message, "remove the matcher: the conditions of the policy decide");
    } else if never > 0 || hooks.iter().any(Option::is_none) {
        let message =
            format!("the matcher `{matcher}` keeps this call from tools that the policy has hooks for");
        out.odd("narrowed", at, message, "remove the matcher: the conditions of the policy decide");
    }
}

/// Whether a name in a matcher selects a tool of the vocabulary.
fn selects(agent: Target, written: &str, tool: &str) -> bool {
    let name = written.trim_matches(['^', '$']);
    let is_part =
        agent.form.as_ref().is_some_and(|form| matches!(form.matching, Matching::Linear | Matching::Listed))
            && !(written.starts_with('^') && written.ends_with('$'));
    let mut natives = agent.all_tools().filter(|(_, known)| known == tool);
    agent.tool(agent.agent().alias(name)) == tool
        || name == tool
        || is_part && natives.any(|(native, _)| native.contains(name))
}

/// The names of a matcher that lists some.
fn names(matcher: &str) -> Option<Vec<&str>> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-|, ^$".contains(c);
    matcher.chars().all(plain).then(|| matcher.split(['|', ',']).map(str::trim).collect())
}

/// Events that a called policy has hooks for, and that no settings of the agent call.
pub(super) fn not_called(compiled: &Compiled, out: &mut Findings) {
    let called = std::mem::take(&mut out.called);
    decided_twice(&called, out);
    called_by_others(&called, out);
    let mut done = BTreeSet::new();
    for one in &called {
        if !done.insert(one.policy.clone()) {
            continue;
        }
        let Some(Ok(hooked)) = compiled.get(&one.policy) else { continue };
        let same = called.iter().filter(|other| other.policy == one.policy);
        let natives: BTreeSet<&str> = same.map(|other| other.native).collect();
        for (event, native) in uncalled(one.agent, hooked.events.iter(), &natives) {
            let message = format!(
                "{} has hooks for `{event}`, and {} does not call hookc at `{native}`",
                one.shown, one.agent.label
            );
            let help = format!("run `hookc install {} {}` again", one.agent.name, one.shown);
            out.dead("not-called", one.at.clone(), message, &help);
        }
        let observed = hooked.observed.difference(&hooked.events);
        for (event, native) in uncalled(one.agent, observed, &natives) {
            let help = format!("run `hookc install {} {}` again", one.agent.name, one.shown);
            if event == START {
                let message = format!(
                    "{} has conditions about earlier events, and {} does not call hookc at `{native}`: a session without \
                     a history is taken for a new one",
                    one.shown, one.agent.label
                );
                out.odd("not-observed", one.at.clone(), message, &help);
                continue;
            }
            let message = format!(
                "{} has conditions about earlier events of `{event}`, and {} does not call hookc at `{native}`: they \
                 are never true",
                one.shown, one.agent.label
            );
            out.dead("not-observed", one.at.clone(), message, &help);
        }
    }
}

/// Events without a call, with the agent's names.
fn uncalled<'e>(
    agent: Target,
    events: impl Iterator<Item = &'e String>,
    called: &BTreeSet<&str>,
) -> Vec<(&'e String, &'static str)> {
    let natives =
        |event: &'e String| agent.uncalled(event, called).into_iter().map(move |native| (event, native));
    events.flat_map(natives).collect()
}

/// Two calls of one policy for one event of an agent.
fn decided_twice(called: &[Called], out: &mut Findings) {
    for (at, one) in called.iter().enumerate() {
        let same = |other: &&Called| {
            (&other.policy, other.event, &other.matcher) == (&one.policy, one.event, &one.matcher)
                && other.words != one.words
        };
        if let Some(other) = called.iter().take(at).find(same) {
            let message =
                format!("{} is decided twice for `{}`: {} calls it too", one.shown, one.event, other.at);
            out.odd("decided-twice", one.at.clone(), message, "remove one of the calls");
        }
    }
}

/// Files of another agent that an agent runs too, while its own settings call hookc for the same event.
fn called_by_others(called: &[Called], out: &mut Findings) {
    let mut seen = BTreeSet::new();
    for one in called {
        let settings = one.agent.settings;
        let is_foreign = |other: &&Called| {
            other.agent.name != one.agent.name
                && other.event == one.event
                && settings.foreign.iter().any(|file| location::normalized(&other.file).ends_with(file))
        };
        for other in called.iter().filter(is_foreign) {
            if !seen.insert((one.at.clone(), other.file.clone())) {
                continue;
            }
            let message = format!(
                "{} also runs the hooks of {}, and calls hookc twice for `{}`: {} calls it too",
                one.agent.label,
                other.file.display(),
                one.event,
                other.at
            );
            let help = "remove one of the calls, or switch off that the agent runs these hooks: a second call within 5 \
                        seconds repeats the first one";
            out.odd("decided-twice", one.at.clone(), message, help);
        }
    }
}
