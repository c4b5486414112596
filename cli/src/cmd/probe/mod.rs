//! `hookc probe`: whether each installed call answers. A call is started as the agent starts it, with an event that no
//! hook of a policy gets ([`hookc_runtime::probe`]), and its answer is compared with the one that the agent would read.
//!
//! `question.rs` makes the events, `needs.rs` knows what policies have hooks for, `matched.rs` which handlers an event
//! reaches, `attempt.rs` starts a call, `live.rs` the agent itself, and `show.rs` writes the result. What only the files show, such as a switch that
//! disables all hooks, is from `doctor`.

mod attempt;
mod live;
mod matched;
mod needs;
mod question;
mod show;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use hookc_runtime::{adapter, probe, process};
use hookc_schema::agents::Event;

use attempt::Attempts;
use live::Observed;
use matched::SettingsFile;
use needs::{Need, Needs};
use question::Subject;
use show::{Row, State};

use crate::args::{Format, Global, ProbeArgs, Sources};
use crate::exit::{Exit, Failure, Outcome};
use crate::installed::calls::{self, Call};
use crate::installed::command::quoted;
use crate::installed::target::Target;
use crate::installed::{self, location};
use crate::{files, out, signals};

/// How long an answer is waited for if the agent waits longer and nothing else is said.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn run(global: &Global, args: &ProbeArgs) -> Outcome {
    let ended_by = AtomicI32::new(0);
    let end = |signal, _: &_| {
        ended_by.store(signal, Ordering::SeqCst);
        process::terminate_all();
    };
    let done = signals::watched(signals::ENDING, end, || probe(global, args));
    match ended_by.load(Ordering::SeqCst) {
        0 => done,
        signal => Ok(Exit::Host(signals::status(signal))),
    }
}

fn probe(global: &Global, args: &ProbeArgs) -> Outcome {
    let agent = installed::host(&args.host)?;
    let adapter =
        adapter::by_name(&agent.name).ok_or_else(|| Failure::usage("this agent is not answered"))?;
    let root = location::real(&installed::project());
    let patience = args.timeout.map(|seconds| Duration::from_secs(seconds.into()));
    let observed = if args.live { observe(global, agent, &root, patience)? } else { None };
    let attempts = Attempts { agent, adapter, root: &root, patience: patience.unwrap_or(PATIENCE) };
    let mut session =
        Session { attempts, observed, rows: Vec::new(), reached: BTreeSet::new(), called: Vec::new() };
    for (scope, path) in calls::files(agent, &installed::project()) {
        session.file(scope, path)?;
    }
    session.not_reached();
    session.not_installed(&args.policies)?;
    let rows = session.rows;
    let text = show::shown(&rows, &agent.name, global.format);
    if global.format == Format::Json { out::json(&text) } else { out::lines(&text) }?;
    out::say(global, &show::summary(&rows));
    let is_alive = || rows.iter().any(|row| row.state == State::Alive);
    Ok(Exit::errors_if(rows.is_empty() || rows.iter().any(Row::is_bad) || (args.live && !is_alive())))
}

/// The session of `--live`, if there is a call that it can show.
fn observe(
    global: &Global,
    agent: Target,
    root: &Path,
    patience: Option<Duration>,
) -> Result<Option<Observed>, Failure> {
    let live = live::of_agent(agent)?;
    let patience = patience.unwrap_or(live::PATIENCE);
    if patience >= probe::LIFE {
        return Err(Failure::usage(format!(
            "`--timeout` is less than {} seconds with `--live`",
            probe::LIFE.as_secs()
        )));
    }
    let project = installed::project();
    let has_call = calls::files(agent, &project).into_iter().any(|(scope, path)| {
        calls::of_file(agent, scope, &path, Some(root)).is_ok_and(|found| !found.is_empty())
    });
    has_call.then(|| live::observe(global, (agent, live), root, patience)).transpose()
}

/// A call whose policy is known, for what no call gets.
struct Called {
    call: Call,
    needs: Needs,
}

struct Session<'a> {
    attempts: Attempts<'a>,
    /// The session of the agent's own program, which takes the place of attempts.
    observed: Option<Observed>,
    rows: Vec<Row>,
    /// What a living call gets: its policies, the event type of the vocabulary, and the tool.
    reached: BTreeSet<(Vec<String>, String, Option<String>)>,
    called: Vec<Called>,
}

impl Session<'_> {
    fn agent(&self) -> Target {
        self.attempts.agent
    }

    /// Asks the calls of a file.
    fn file(&mut self, scope: &'static str, path: PathBuf) -> Result<(), Failure> {
        let agent = self.agent();
        let root = matches!(scope, "project" | "local").then_some(self.attempts.root);
        // `doctor` has the reason if the file cannot be read.
        let found = calls::of_file(agent, scope, &path, root).unwrap_or_default();
        let file = SettingsFile::new(agent, path, &found);
        for one in file.others() {
            let reason = format!("{} ({})", one.message, one.what);
            let state = if one.is_dead { State::Dead } else { State::Doubtful };
            let row = Row { event: None, ..Row::new("", state, &one.location, &[]) };
            self.rows.push(row.with_reason(reason));
        }
        for call in found {
            self.call(&file, call)?;
        }
        Ok(())
    }

    /// Asks a call.
    fn call(&mut self, file: &SettingsFile, call: Call) -> Result<(), Failure> {
        let agent = self.agent();
        let known = needs::of_call(agent, &call);
        let needs = known.clone().unwrap_or_default();
        let Some(event) = agent.agent().event(&call.event) else {
            let reason = format!("{} has no event `{}`", agent.label, call.event);
            let row = Row::new(&call.event, State::Dead, &call.at, &call.policies);
            self.rows.push(row.with_reason(reason));
            return Ok(());
        };
        let (wanted, absent) = needs.at(agent, event);
        let mut first = None;
        let mut reached = Vec::new();
        for need in &wanted {
            let found = need.subjects.iter().find(|subject| {
                let incoming = self.attempts.incoming(event, subject);
                incoming.is_some_and(|incoming| file.reaches(&call, &incoming))
            });
            let Some(subject) = found else { continue };
            reached.push(need.tool.clone());
            first = first.or(Some(subject));
        }
        let row = match &self.observed {
            Some(observed) => {
                let is_reached = self.is_reached_live(file, &call, event);
                observed.row(&call, event, is_reached, file.dead(&call))
            }
            None => self.attempted((file, &call), event, (&wanted, &absent), first)?,
        };
        if row.state == State::Alive {
            let keys = reached.into_iter().map(|tool| (call.policies.clone(), event.event.clone(), tool));
            self.reached.extend(keys);
        }
        self.rows.push(row);
        self.absent(&call, absent, known)
    }

    /// Whether the tool of a session of the agent's own program reaches a call.
    fn is_reached_live(&self, file: &SettingsFile, call: &Call, event: &Event) -> bool {
        let mut tools = question::tools(self.agent().agent(), live::TOOL).into_iter().map(Subject::Tool);
        tools.any(|subject| {
            let incoming = self.attempts.incoming(event, &subject);
            incoming.is_some_and(|incoming| file.reaches(call, &incoming))
        })
    }

    /// Starts a call about the first subject that reaches it.
    fn attempted(
        &self,
        (file, call): (&SettingsFile, &Call),
        event: &Event,
        (wanted, absent): (&[Need], &[String]),
        first: Option<&Subject>,
    ) -> Result<Row, Failure> {
        let row = |state| Row::new(&call.event, state, &call.at, &call.policies);
        let dead = |reason: String| Ok(row(State::Dead).with_reason(reason));
        match (file.dead(call), first) {
            (Some(reason), _) => dead(reason),
            // The settings have a call for each of the events that the agent has for a type.
            (None, None) if wanted.is_empty() && self.agent().native_names(&event.event).len() > 1 => {
                Ok(row(State::NotSent).with_reason(no_hook(self.agent(), event, absent)))
            }
            (None, None) if wanted.is_empty() => dead(no_hook(self.agent(), event, absent)),
            (None, None) => dead(not_let_through(wanted)),
            (None, Some(subject)) => {
                let attempt = self.attempts.start(call, event, subject)?;
                let state = if attempt.dead.is_some() { State::Dead } else { State::Alive };
                let note = call.start.narrowed.map(|key| format!("`{key}` keeps this call from most events"));
                let row = row(state).with_reason(attempt.dead.or(note));
                Ok(Row { took: Some(attempt.took), ..row })
            }
        }
    }

    /// Tools of hooks that the agent does not have.
    fn absent(&mut self, call: &Call, absent: Vec<String>, known: Option<Needs>) -> Result<(), Failure> {
        for tool in absent {
            let reason =
                format!("{} has no tool `{tool}`, which is the only one of a hook", self.agent().label);
            let row = Row::new(&call.event, State::NotSent, "", &call.policies).with_reason(reason);
            if !self.rows.iter().any(|known| (&known.event, &known.reason) == (&row.event, &row.reason)) {
                self.rows.push(row);
            }
        }
        let needs = known.into_iter().map(|needs| Called { call: call.clone(), needs });
        self.called.extend(needs);
        Ok(())
    }

    /// Tools of hooks that no living call at their event gets, although there is one.
    fn not_reached(&mut self) {
        let mut seen = BTreeSet::new();
        for Called { call, needs } in &self.called {
            let Some(event) = self.attempts.agent.agent().event(&call.event) else { continue };
            let is_alive = |(policies, known, _): &(Vec<String>, String, Option<String>)| {
                *policies == call.policies && *known == event.event
            };
            if !self.reached.iter().any(is_alive) {
                continue;
            }
            for tool in needs.at(self.attempts.agent, event).0.into_iter().filter_map(|need| need.tool) {
                let key = (call.policies.clone(), event.event.clone(), Some(tool.clone()));
                if !self.reached.contains(&key) && seen.insert(key) {
                    let reason =
                        format!("the matcher keeps the call from `{tool}`, which the policy has hooks for");
                    let row = Row::new(&call.event, State::Dead, &call.at, &call.policies);
                    self.rows.push(row.with_reason(reason));
                }
            }
        }
    }

    /// Events of policies that the settings have no call for.
    fn not_installed(&mut self, more: &[PathBuf]) -> Result<(), Failure> {
        let agent = self.agent();
        let mut policies: BTreeMap<Vec<String>, Needs> = BTreeMap::new();
        for one in &self.called {
            policies.entry(one.call.policies.clone()).or_insert_with(|| one.needs.clone());
        }
        for file in more.iter().filter(|file| !files::is_stdin(file)) {
            let name = calls::name(file);
            if !policies.keys().any(|known| known.contains(&name)) {
                let needs = needs::of_files(agent, std::slice::from_ref(file), Sources::plain());
                let broken = || Failure::input(format!("{}: this policy does not compile", file.display()));
                policies.insert(vec![name], needs.ok_or_else(broken)?);
            }
        }
        for (names, needs) in &policies {
            let same = self.called.iter().filter(|one| one.call.policies == *names);
            let called: BTreeSet<&str> = same.map(|one| one.call.event.as_str()).collect();
            for native in needs.uncalled(agent, &called) {
                let words: Vec<String> = names.iter().map(|name| quoted(name)).collect();
                let reason = format!("run `hookc install {} {}`", agent.name, words.join(" "));
                self.rows.push(Row::new(native, State::NotInstalled, "", names).with_reason(reason));
            }
        }
        Ok(())
    }
}

/// Why the policy of a call has no hook for what the agent sends at its event.
fn no_hook(agent: Target, event: &Event, absent: &[String]) -> String {
    let names: Vec<String> = absent.iter().map(|tool| format!("`{tool}`")).collect();
    match names.is_empty() {
        true => format!("`{}` is only about tools that the policy has no hooks for", event.name),
        false => format!(
            "the policy has hooks for {} alone, and {} has no such tool",
            names.join(", "),
            agent.label
        ),
    }
}

/// Why no event reaches a call.
fn not_let_through(wanted: &[Need]) -> String {
    let tools: Vec<String> =
        wanted.iter().filter_map(|need| Some(format!("`{}`", need.tool.as_ref()?))).collect();
    match tools.is_empty() {
        true => "the matcher lets nothing through that the agent sends".to_owned(),
        false => {
            format!("the matcher does not let {} through, which the policy has hooks for", tools.join(", "))
        }
    }
}
