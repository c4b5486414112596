//! A session: everything that the loop needs, shared by the session's own agent and its
//! sub-agents.
//!
//! ```text
//! submit ─▶ UserPromptSubmit, PromptSubmit ─▶ run ┬▶ limits, before_step, compaction
//!                                                 ├▶ ask ─▶ model; error ─▶ retry
//!                                                 ├▶ calls ─▶ PreToolUse ─▶ permission ─▶ tool ─▶ PostToolUse
//!                                                 └▶ Stop
//! ```

mod ask;
mod calls;
mod compact;
mod conversation;
mod end;
pub(crate) mod escalation;
mod gates;
mod hooks;
mod host;
pub(crate) mod judge;
mod open;
mod repository;
mod run;
mod skills;
mod subagent;
mod submit;
mod system;
pub(crate) mod thread;
mod threads;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use hookc_runtime::action::Action;
use hookc_runtime::history::SharedHistory;
use hookc_runtime::host::EventContext;
use hookc_runtime::log::Log;
use hookc_runtime::skill::{Scripts, SkillRegistry};
use hookc_runtime::thread::Returns;
use hookc_runtime::{ActionFailure, Engine, Outcome};
use serde_json::{Map, Value};

pub(crate) use conversation::Conversation;
pub(crate) use end::End;
pub(crate) use open::Start;

use crate::failure::Failure;
use crate::message::Usage;
use crate::model::Model;
use crate::output::{Origin, Output};
use crate::permission::Permissions;
use crate::store::{DirectiveOf, Entry, Journal, Step};
use crate::tools::{Place, Tool};

/// What directives and workflows add to a session.
pub(crate) trait Extension: Send + Sync {
    /// Executes an action that the session itself does not, or not in this way; `None` leaves it
    /// to the session.
    fn perform(
        &self,
        session: &Arc<Session>,
        caller: &Caller,
        action: &Action,
        context: &EventContext<'_>,
    ) -> Option<Result<Outcome, ActionFailure>> {
        let _ = (session, caller, action, context);
        None
    }

    /// More members of the `event` of a thread event, such as `directive`.
    fn event_members(&self, caller: &Caller) -> Map<String, Value> {
        let _ = caller;
        Map::new()
    }
}

/// Who causes an event: kept in every call, so that depth and costs belong to somebody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The sub-agent; `None` for the session's own agent.
    pub(crate) agent_id: Option<String>,
    /// Its type.
    pub(crate) agent_type: Option<String>,
    /// The sub-agent that has started it; `None` if it was the session's own agent.
    pub(crate) parent: Option<String>,
    /// 0 for the session's own agent.
    pub(crate) depth: u32,
    /// The call of the tool that started it.
    pub(crate) tool_use_id: Option<String>,
}

impl Caller {
    pub(crate) fn origin(&self) -> Origin {
        Origin { agent_id: self.agent_id.clone(), tool_use_id: self.tool_use_id.clone() }
    }
}

/// What a directive or a workflow changes in a session.
#[derive(Default)]
pub(crate) struct Changes {
    /// The policies with their return schemas, instead of those of the project.
    pub(crate) policies: Option<(Engine, Returns)>,
    /// A text to append to the system prompt.
    pub(crate) system: Option<String>,
    pub(crate) extension: Option<Arc<dyn Extension>>,
    /// A model that is open already, instead of the one of the command line.
    pub(crate) model: Option<Box<dyn Model>>,
    /// The directive that a thread follows.
    pub(crate) directive: Option<DirectiveOf>,
    /// Whether it writes nothing to standard output.
    pub(crate) is_quiet: bool,
}

/// The limits of a session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Answers for one prompt.
    pub(crate) turns: Option<u64>,
    pub(crate) tokens: Option<u64>,
    /// USD.
    pub(crate) budget: Option<f64>,
    /// USD per million tokens read and written.
    pub(crate) price: Option<(f64, f64)>,
    pub(crate) context_window: u64,
    pub(crate) output_tokens: u64,
    pub(crate) depth: u32,
}

/// A session.
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) project: PathBuf,
    pub(crate) place: Place,
    pub(crate) model: Box<dyn Model>,
    pub(crate) engine: Engine,
    pub(crate) returns: Returns,
    defaults: Engine,
    default_returns: Returns,
    pub(crate) output: Output,
    pub(crate) tools: Vec<Box<dyn Tool>>,
    pub(crate) permissions: Permissions,
    pub(crate) skills: SkillRegistry,
    pub(crate) scripts: Scripts,
    pub(crate) limits: Limits,
    pub(crate) extension: Option<Arc<dyn Extension>>,
    has_repository_hooks: bool,
    has_hooks: hooks::Known,
    journal: Journal,
    /// What conditions about earlier events read, if the policies have any.
    history: Option<SharedHistory>,
    log: Option<Log>,
    /// The texts to append to the system prompt.
    append_system: Vec<String>,
    system: Mutex<Option<Arc<str>>>,
    state: Mutex<State>,
}

/// What changes while a session runs, apart from the conversations.
#[derive(Debug, Default)]
struct State {
    /// The tokens of all agents.
    usage: Usage,
    /// How often the limits of tokens and of the budget were raised.
    raised_tokens: u64,
    raised_budget: u64,
    /// Abilities that guards have disabled.
    disabled: BTreeMap<String, String>,
    /// The context of the session's start, until the first prompt has it.
    start: Option<Vec<String>>,
    is_started: bool,
    /// Sub-agents that were not done when the session was left, by id.
    children: BTreeMap<String, (Conversation, String)>,
    /// Threads that hooks have started, until their results are used.
    threads: Vec<threads::OpenThread>,
    /// Those whose result is a summary that has not replaced the conversation yet.
    compacting: Vec<String>,
    /// Whether a thread of the last event waits itself.
    child_waits: bool,
    /// Notifications that were not delivered yet, with the agent that each is for.
    notices: Vec<(String, String)>,
    background: Vec<(String, JoinHandle<Result<End, Failure>>)>,
    /// Handlers that nothing waits for before the end.
    handlers: Vec<JoinHandle<()>>,
    denials: Vec<Value>,
    abilities_used: BTreeSet<String>,
    changed_files: BTreeSet<String>,
    model_ms: u64,
    agents: u64,
}

impl State {
    /// The results of these threads were used.
    fn children_done(&mut self, threads: &[String]) {
        self.threads.retain(|thread| !threads.contains(&thread.child.thread));
    }

    /// The tokens of a thread are counted.
    fn child_spent(&mut self, thread: &str, usage: Usage) {
        for open in self.threads.iter_mut().filter(|own| own.child.thread == thread) {
            open.spent.add(usage);
        }
    }

    /// The next notification for an agent.
    fn next_notice(&mut self, agent: &str) -> Option<String> {
        let at = self.notices.iter().position(|(to, _)| to == agent)?;
        Some(self.notices.remove(at).1)
    }

    /// A limit is raised by itself.
    fn raise(&mut self, limit: &str) {
        match limit {
            "tokens_exceeded" => self.raised_tokens += 1,
            "spend_exceeded" => self.raised_budget += 1,
            _ => {}
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Session {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a step to the journal, and applies it.
    pub(crate) fn record(&self, agent: &mut Conversation, step: Step) -> Result<(), Failure> {
        self.record_all(agent, vec![step])
    }

    /// Writes several steps at once.
    fn record_all(&self, agent: &mut Conversation, steps: Vec<Step>) -> Result<(), Failure> {
        let entry = |step| Entry { agent: agent.key().to_owned(), step };
        let entries: Vec<Entry> = steps.into_iter().map(entry).collect();
        self.write_entries(&entries)?;
        entries.iter().for_each(|entry| agent.apply(&entry.step));
        Ok(())
    }

    fn write(&self, agent: &str, step: Step) -> Result<(), Failure> {
        self.write_entries(&[Entry { agent: agent.to_owned(), step }])
    }

    fn write_entries(&self, entries: &[Entry]) -> Result<(), Failure> {
        self.journal.write_all(entries).map_err(|error| {
            Failure::failed(format!("{}: the state cannot be saved: {error}", self.journal.path().display()))
        })
    }

    /// Writes a step that belongs to no conversation.
    pub(crate) fn note(&self, step: Step) -> Result<(), Failure> {
        self.record(&mut Conversation::default(), step)
    }

    /// What the session has cost so far, in USD; `None` without prices.
    pub(crate) fn cost(&self) -> Option<f64> {
        let (input, output) = self.limits.price?;
        let usage = self.state().usage;
        Some((usage.input_tokens as f64 * input + usage.output_tokens as f64 * output) / 1e6)
    }

    /// Counts the tokens of a request that `started` then.
    pub(crate) fn spend(&self, usage: Usage, started: Instant) {
        let mut state = self.state();
        state.usage.add(usage);
        state.model_ms += u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    }
}
