//! What `install` says about the calls that it wrote: what each event does, what keeps them from running, which other
//! calls decide the same, and what people must know.

use std::path::{Path, PathBuf};

use hookc_schema::Sources;
use hookc_syntax::front;
use hookc_vm::{DecideOptions, Module, Scratch};
use serde_json::json;

use super::settings::RequiredCall;
use crate::args::{Global, Install, Scope};
use crate::cmd::doctor;
use crate::exit::Failure;
use crate::installed::START;
use crate::installed::calls::{self, Call};
use crate::installed::target::Target;
use crate::installed::{command, file_here, location};
use crate::out::{self, plural};
use crate::{files, load};

/// The calls of a settings file.
#[derive(Debug)]
pub(super) struct Installed<'i> {
    pub(super) agent: Target,
    pub(super) args: &'i Install,
    pub(super) module: &'i Module,
    pub(super) settings: &'i Path,
    pub(super) root: Option<&'i Path>,
    pub(super) calls: &'i [RequiredCall],
}

impl Installed<'_> {
    /// What each event does.
    pub(super) fn events(&self, global: &Global) -> Result<(), Failure> {
        for call in self.calls {
            let name = self.agent.translated(&call.event);
            let hooks = hooks(self.module, name)?;
            let hooks = match crate::installed::observed(self.module).contains(name) {
                false => hooks,
                true if name == START => {
                    format!("{hooks}, recorded as the start of the history of a session")
                }
                true => format!("{hooks}, recorded for conditions about earlier events"),
            };
            let gone = match self.without_program(&call.event) {
                true => "denied",
                false => "not denied",
            };
            out::say(global, &format!("  {}: {hooks}; {gone} if hookc cannot start", call.event));
        }
        Ok(())
    }

    fn without_program(&self, event: &str) -> bool {
        self.agent.fallback(event).is_some()
            || self.agent.closed(event).is_some()
            || self.agent.any_status_denies(event)
    }

    /// What keeps the calls from running in settings with this text, and other calls that decide the same.
    pub(super) fn warnings(&self, global: &Global, text: &str) {
        if let Some(why) = self.unread(text) {
            out::say(global, &format!("warning: {why}, so these calls never run"));
        }
        for why in doctor::obstacles(self.agent, self.settings, self.root) {
            out::say(global, &format!("warning: {why}, so these calls never run"));
        }
        for why in doctor::narrowed_calls(self.settings) {
            out::say(global, &format!("warning: {why}"));
        }
        for (call, agent) in self.others() {
            let who = if agent.name == self.agent.name { "" } else { ", and this agent runs those too" };
            out::say(
                global,
                &format!(
                    "warning: {} also calls hookc with this policy for {}{who}: every event is decided twice",
                    call.at, call.event
                ),
            );
        }
    }

    /// Why the agent does not read settings with this text, with the location.
    fn unread(&self, text: &str) -> Option<String> {
        let name = files::name(self.settings);
        let unread = front::unread(self.agent.agent(), &name, text)?;
        let mut sources = Sources::new();
        sources.add(name, text);
        Some(format!("{}: {}", sources.location(unread.span), unread.message))
    }

    /// Calls of these policies for these events in other files, or written another way in this one.
    fn others(&self) -> Vec<(Call, Target)> {
        let policies: Vec<String> = self.args.files.iter().map(|path| calls::name(path)).collect();
        let project = crate::installed::project();
        let installed = calls::files(self.agent, &project).into_iter().map(|(_, file)| (self.agent, file));
        let here = file_here(self.agent, Scope::Project).into_iter().map(|file| (self.agent, file));
        let foreign = self.agent.settings.foreign.iter().filter_map(|file| {
            let agent = crate::installed::target::all()
                .find(|agent| agent.project_files().any(|project_file| project_file == file))?;
            Some((agent, project.join(file)))
        });
        let mut seen: Vec<PathBuf> = Vec::new();
        let mut found = Vec::new();
        for (agent, file) in installed.chain(here).chain(foreign) {
            let real = location::real(&file);
            if seen.contains(&real) {
                continue;
            }
            let root = location::real(self.root.unwrap_or(&project));
            let calls = calls::of_file(agent, "", &file, Some(&root)).unwrap_or_default();
            let is_own = real == location::real(self.settings);
            let mut written = Vec::new();
            for call in calls {
                let same = call.policies.iter().any(|policy| policies.contains(policy)) && self.has(&call);
                let first = is_own && same && !written.contains(&call.event);
                if first {
                    written.push(call.event.clone());
                } else if same {
                    found.push((call, agent));
                }
            }
            seen.push(real);
        }
        found
    }

    /// Whether a call is for one of the events.
    fn has(&self, call: &Call) -> bool {
        let event = call.agent.translated(&call.event);
        self.calls.iter().any(|installed| self.agent.translated(&installed.event) == event)
    }

    /// What people must know.
    pub(super) fn notes(&self, global: &Global) {
        let label = &self.agent.label;
        if self.args.scope == Scope::Project {
            let denied =
                self.calls.iter().map(|call| call.event.as_str()).filter(|event| self.without_program(event));
            let denied = denied.collect::<Vec<_>>().join(", ");
            let without = match denied.is_empty() {
                true => "without it, nothing is decided for them".to_owned(),
                false => format!("without it, {label} denies them {denied}"),
            };
            out::say(global, &format!("note: everyone who shares these settings needs `hookc`: {without}"));
        }
        let policies = self.args.files.iter().map(|path| command::quoted(&files::name(path)));
        let policies = policies.collect::<Vec<_>>().join(" ");
        if !self.guards_itself() {
            let settings = self.settings.display();
            let how = "add the hooks of `hookc starter show guard-itself`, which ask first, or keep them where the agent \
                       cannot write";
            out::say(global, &format!("note: the agent can edit {policies} and {settings}: {how}"));
        }
        let scope = match self.args.scope {
            Scope::Project => "",
            Scope::Local => " --scope local",
            Scope::User => " --scope user",
        };
        let asked = super::asked(self.args);
        let again = format!("hookc install {} {asked}{policies}{scope}", self.agent.name);
        out::say(global, &format!("note: when the policy gets hooks for another event, run `{again}` again"));
    }

    /// Whether the policy denies the agent's tools for files these very files, or asks about them.
    fn guards_itself(&self) -> bool {
        let files = self.args.files.iter().map(PathBuf::as_path).chain([self.settings]);
        let mut scratch = Scratch::new();
        files
            .map(location::real)
            .all(|file| ["Edit", "Write"].iter().all(|tool| self.stops(tool, &file, &mut scratch)))
    }

    fn stops(&self, tool: &str, file: &Path, scratch: &mut Scratch) -> bool {
        let root = location::real(&crate::installed::project());
        let input = json!({"file_path": file, "content": "x", "old_string": "x", "new_string": "y"});
        let event = json!({
            "hook_event_name": BEFORE_TOOL, "session_id": "install", "cwd": root, "tool_name": tool, "tool_input": input,
        })
        .to_string();
        let options = DecideOptions::default().event(BEFORE_TOOL);
        let decision = self.module.decide(scratch, event.as_bytes(), &options);
        decision.is_ok_and(|decision| decision.hooks().any(|hook| matches!(hook.kind(), "deny" | "ask")))
    }
}

/// The event before a tool, in the vocabulary.
const BEFORE_TOOL: &str = "PreToolUse";

/// The hooks of an event by their actions.
fn hooks(module: &Module, event: &str) -> Result<String, Failure> {
    let tables = load::tables(module)?;
    let events = tables.events.iter().filter(|row| tables.str(row.name.get()) == event);
    let (mut kinds, mut count) = (Vec::<(&str, usize)>::new(), 0);
    for hook in events.flat_map(|row| tables.hooks_of(row)) {
        let action = tables.actions.get(hook.action.get() as usize);
        let kind =
            if hook.enforces() { action.map_or("", |action| tables.kind_of(action)) } else { "only logged" };
        count += 1;
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, number)) => *number += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let kinds = kinds.iter().map(|(kind, number)| format!("{kind} {number}")).collect::<Vec<_>>().join(", ");
    Ok(if count == 0 { "no hook".to_owned() } else { format!("{} ({kinds})", plural(count, "hook")) })
}
