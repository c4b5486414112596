//! Opens a session.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use hookc_base::Family;
use hookc_runtime::Engine;
use hookc_runtime::history::{HistoryOptions, SharedHistory};
use hookc_runtime::skill::{Scripts, SkillRegistry};
use hookc_runtime::thread::Returns;

use super::hooks::Known;
use super::threads::OpenThread;
use super::{Caller, Changes, Conversation, Limits, Session, State};
use crate::args::{Common, Compat};
use crate::failure::{Failure, NO_MODEL, complain, open_log};
use crate::id;
use crate::model::{self, Endpoint, Model};
use crate::output::{Format, Output};
use crate::permission::Permissions;
use crate::policy::{self, Files};
use crate::store::{self, DirectiveOf, Entry, Journal, Kind, Saved, Step};
use crate::tools::{self, Place};

/// How a session starts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start<'s> {
    /// A new session, with this id if one is given.
    New(Option<&'s str>),
    /// A saved one.
    Resume(&'s str),
}

impl Session {
    /// Opens a session: reads the settings, the policies and the skills, and the saved state.
    /// Returns its own agent where it was left.
    ///
    /// # Errors
    /// Something cannot be read, or contradicts itself.
    pub(crate) fn open(
        common: &Common,
        start: Start<'_>,
        changes: Changes,
    ) -> Result<(Arc<Self>, Conversation), Failure> {
        let project = project(common)?;
        let files = Files::new(&project, &common.settings, &common.policy);
        let skills = SkillRegistry::read(files.skills.0.as_deref(), Some(&files.skills.1));
        skills.unread.iter().for_each(|why| complain(&format!("a skill cannot be read: {why}")));
        let (engine, returns) = match changes.policies {
            Some(compiled) => compiled,
            None => files.compile(&skills, common.merge())?,
        };
        report_unused(&engine);
        report_unpriced(&engine, common);
        let settings: Vec<PathBuf> = files.settings.iter().map(|(_, path)| path.clone()).collect();
        let permissions = Permissions::read(&settings, common)?;
        let model = model_of(common, changes.model)?;
        let log = open_log(common.log.as_deref())?;
        let directory = store::directory(common.state.as_deref()).map_err(Failure::usage)?;
        let (id, journal, entries) =
            journal(common, start, changes.directive.as_ref(), (&directory, &project))?;
        let history = engine.module().has_history();
        let history = history.then(|| history_of(&files, changes.directive.as_ref(), &directory)).flatten();
        let (state, agent, position) = replay(entries);
        position.into_iter().for_each(|position| model.seek(position));
        let more = changes.system.into_iter().chain(common.append_system_prompt.clone());
        let session = Self {
            id,
            place: Place {
                cwd: project.clone(),
                project: project.clone(),
                home: policy::home(),
                unread: permissions.unread(),
            },
            project,
            model,
            has_hooks: Known::from_engine(&engine),
            engine,
            returns,
            defaults: policy::defaults()?,
            default_returns: Returns::builtin().map_err(|error| Failure::failed(error.to_string()))?,
            output: output(common, changes.is_quiet),
            tools: tools::all(),
            permissions,
            skills,
            scripts: Scripts::default(),
            limits: limits(common),
            extension: changes.extension,
            has_repository_hooks: files.has_repository_hooks,
            journal,
            history,
            log,
            append_system: more.collect(),
            system: Mutex::new(None),
            state: Mutex::new(state),
        };
        Ok((Arc::new(session), agent))
    }
}

/// The model of the options, unless the caller has one.
fn model_of(common: &Common, given: Option<Box<dyn Model>>) -> Result<Box<dyn Model>, Failure> {
    let name = common.model.as_deref().ok_or_else(|| Failure::usage(NO_MODEL))?;
    let endpoint = Endpoint { base_url: common.base_url.clone(), timeout: common.model_timeout() };
    given.map_or_else(|| model::open(name, &endpoint).map_err(Failure::usage), Ok)
}

fn output(common: &Common, is_quiet: bool) -> Output {
    let is_claude = common.compat == Some(Compat::Claude);
    if is_claude && common.output_format == Format::Text {
        complain("`--compat` has no effect with `--output-format text`");
    }
    match is_quiet {
        true => Output::silent(common.verbose),
        false => Output::new(common.output_format, is_claude, common.verbose),
    }
}

/// Where conditions about earlier events find them: next to the journals, for each set of policies. What they get only in
/// part, because other policies record less, is not theirs.
fn history_of(files: &Files, directive: Option<&DirectiveOf>, directory: &Path) -> Option<SharedHistory> {
    let policies = files.policies.iter().map(|(_, path, _)| path.canonicalize().unwrap_or(path.clone()));
    let policies = policies.map(|path| path.to_string_lossy().into_owned());
    let directive = directive.map(|own| format!("directive {}", own.directive));
    let policies: Vec<String> = policies.chain(directive).collect();
    let opened = HistoryOptions::new(&directory.join("history"), "hookc-agent", &policies).open();
    match opened {
        Ok(files) => {
            // What stays is removed when another session is opened.
            let _ = files.remove_old(SystemTime::now());
            Some(SharedHistory::from_files(files))
        }
        Err(why) => {
            complain(&format!("conditions about earlier events are unknown: {why}"));
            None
        }
    }
}

/// The root of the project, without links.
fn project(common: &Common) -> Result<PathBuf, Failure> {
    let path = common.project.clone().unwrap_or_else(|| PathBuf::from("."));
    let failed = |error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
    let real = path.canonicalize().map_err(failed)?;
    if real.is_dir() {
        Ok(real)
    } else {
        Err(Failure::usage(format!("{} is not a directory", path.display())))
    }
}

fn limits(common: &Common) -> Limits {
    Limits {
        turns: common.max_turns,
        tokens: common.max_tokens,
        budget: common.max_budget,
        price: common.price,
        context_window: common.context_window(),
        output_tokens: common.max_output_tokens(),
        depth: common.max_depth(),
    }
}

/// Hooks that no session runs are not ignored in silence.
fn report_unused(engine: &Engine) {
    let known = engine.module();
    let unused: Vec<&str> =
        known.events().filter(|event| event.family == Family::Workflow).map(|event| event.name).collect();
    if !unused.is_empty() {
        let names = unused.join("`, `");
        complain(&format!("hooks for `{names}` do not run here: `hookc-agent workflow` runs them"));
    }
}

/// Without prices, the spend in events is 0, and a hook that compares it never matches.
fn report_unpriced(engine: &Engine, common: &Common) {
    let module = engine.module();
    let reads = module.reads(&["cost", "spend"]) || module.reads(&["event", "cost", "spend"]);
    if common.price.is_none() && reads {
        complain("a hook reads `cost.spend`, which is 0 without the prices of the model: give `--price`");
    }
}

/// The journal of the session, with its id and steps.
fn journal(
    common: &Common,
    start: Start<'_>,
    directive: Option<&DirectiveOf>,
    (directory, project): (&Path, &Path),
) -> Result<(String, Journal, Vec<Entry>), Failure> {
    let failed = |error: store::StoreError| Failure::usage(error.to_string());
    let id = match start {
        Start::New(given) => given.map_or_else(id::uuid, str::to_owned),
        Start::Resume(given) => given.to_owned(),
    };
    if !id::is_session(&id) {
        return Err(Failure::usage(id::wrong(&id)));
    }
    let (journal, entries) = match start {
        Start::New(_) => {
            let kind = directive.map_or(Kind::Session, |_| Kind::Directive);
            let options = Step::Options { options: Box::new(Saved::read(common)?) };
            let more = directive.map(|saved| Step::Directive(saved.clone())).into_iter().chain([options]);
            let about = (kind, &*project.to_string_lossy());
            let journal = Journal::create(directory, &id, about, more.collect()).map_err(failed)?;
            (journal, Vec::new())
        }
        Start::Resume(_) => {
            let (journal, entries, removed) = Journal::open(directory, &id).map_err(failed)?;
            removed.iter().for_each(|why| complain(why));
            let saved_project = entries.iter().find_map(|entry| match &entry.step {
                Step::Session { project, .. } => Some(project.clone()),
                _ => None,
            });
            if let Some(saved_project) =
                saved_project.filter(|saved_project| Path::new(saved_project) != project)
            {
                return Err(Failure::usage(format!("session {id} belongs to the project {saved_project}")));
            }
            save_options(common, &journal, &entries)?;
            (journal, entries)
        }
    };
    Ok((id, journal, entries))
}

/// Saves the options, unless they are saved already.
fn save_options(common: &Common, journal: &Journal, entries: &[Entry]) -> Result<(), Failure> {
    let options = Saved::read(common)?;
    let last = entries.iter().rev().find_map(|entry| match &entry.step {
        Step::Options { options } => Some(options),
        _ => None,
    });
    if last.is_some_and(|last| **last == options) {
        return Ok(());
    }
    let step = Step::Options { options: Box::new(options) };
    journal.write(&Entry { agent: String::new(), step }).map_err(|error| {
        Failure::failed(format!("{}: the state cannot be saved: {error}", journal.path().display()))
    })
}

/// The state that the steps lead to.
fn replay(entries: Vec<Entry>) -> (State, Conversation, Option<u64>) {
    let (mut state, mut root, mut position) = (State::default(), Conversation::default(), None);
    for Entry { agent, step } in entries {
        match &step {
            Step::SessionStarted { contexts } => {
                (state.is_started, state.start) = (true, Some(contexts.clone()));
            }
            Step::Prompt { .. } if agent.is_empty() => state.start = None,
            Step::Agent { kind, depth, tool_use_id, parent, background, prompt } => {
                let caller = Caller {
                    agent_id: Some(agent.clone()),
                    agent_type: Some(kind.clone()),
                    parent: Some(parent.clone()).filter(|parent| !parent.is_empty()),
                    depth: *depth,
                    tool_use_id: tool_use_id.clone(),
                };
                let new = Conversation { is_background: *background, ..Conversation::new(caller) };
                state.agents += 1;
                state.children.insert(agent.clone(), (new, prompt.clone()));
            }
            Step::Note { from: Some(from), .. } => {
                if let Some((child, _)) = state.children.get_mut(from) {
                    child.is_delivered = true;
                }
            }
            Step::Child(child) => {
                position = child.position.max(position);
                state.threads.push(OpenThread::new(&agent, child.clone()));
            }
            Step::ChildrenDone { threads } => state.children_done(threads),
            Step::Spent { usage, thread: Some(thread), .. } => state.child_spent(thread, *usage),
            Step::Notified { to, text } => state.notices.push((to.clone(), text.clone())),
            Step::Delivered { .. } => drop(state.next_notice(&agent)),
            Step::Raised { limit } => state.raise(limit),
            Step::Disabled { abilities } => state.disabled = abilities.clone(),
            _ => {}
        }
        if let Step::Reply { usage, position: at, .. } | Step::Spent { usage, position: at, .. } = &step {
            state.usage.add(*usage);
            position = (*at).max(position);
        }
        match agent.as_str() {
            "" => root.apply(&step),
            own => {
                if let Some((child, _)) = state.children.get_mut(own) {
                    child.apply(&step);
                }
            }
        }
    }
    (state, root, position)
}
