//! An agent's settings file, in the agent's own form.

use std::path::Path;
use std::rc::Rc;

use hookc_compiler::Dialect;
use hookc_compiler::lint::in_script;
use hookc_schema::agents;
use hookc_schema::value::{Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, HookEffect, SourceId, Sources, Span};
use hookc_syntax::front::{Unread, settings_value, unknown_tool, unread};

use super::around::{self, CheckedSettings};
use super::call::Compiled;
use super::finding::Findings;
use super::handler;
use super::location::AgentFile;
use super::policy;
use super::reading::{AgentText, Readings};
use super::words::HandlerContext;
use crate::files::Texts;
use crate::installed::calls::narrowed;
use crate::installed::fallback::{self, Fallback};
use crate::installed::target::Target;
use crate::installed::{call, scripts};
use crate::{args, files, load};
use hookc_runtime::policies::Unit;

/// The dialect as which the compiler reads an agent's settings.
pub(crate) fn dialect(agent: Target) -> Dialect {
    let is_of = |dialect: &Dialect| {
        dialect.agent().is_some_and(|agent_of_dialect| agent_of_dialect.name == agent.name)
    };
    Dialect::all().find(is_of).unwrap_or(Dialect::Settings)
}

/// Checks a file of an agent.
pub(super) fn check(
    agent_file: &AgentFile,
    path: &Path,
    texts: &mut Texts,
    readings: &Readings,
    compiled: &mut Compiled,
    out: &mut Findings,
) {
    let first = out.found.len();
    check_shown(agent_file, path, texts, readings, compiled, out);
    if !texts.named.contains(path) {
        out.withhold(first, &files::name(path));
    }
}

fn check_shown(
    agent_file: &AgentFile,
    path: &Path,
    texts: &mut Texts,
    readings: &Readings,
    compiled: &mut Compiled,
    out: &mut Findings,
) {
    out.files += 1;
    let (agent, name) = (agent_file.agent, files::name(path));
    let read = read(path, texts, out).map(Rc::new);
    readings.add(path, read.clone());
    let Some(read) = read else { return };
    let AgentText { root, sources } = &*read;
    let root = &agent.agent().by_event(&name, root.clone());
    let unit = Unit::new(vec![path.to_path_buf()]).with_dialect(dialect(agent));
    if let Ok(built) = load::unit(&unit, texts, &args::Sources::plain()) {
        let reported = built.compiled.diagnostics.iter().filter(|new| !is_ours(new, &built.sources));
        let reported: Vec<Diagnostic> =
            reported.map(|new| in_settings(new, root, agent, &built.sources)).collect();
        out.diagnosed(&reported, &built.sources, &name);
        policy::never(&built, out);
    }
    unread_file(agent, &name, sources, out);
    switched_off(agent, root, sources, out);
    let env = root.get("env").map(Value::members).unwrap_or_default().iter();
    let env = env.filter_map(|member| Some((member.key.node.clone(), member.value.as_str()?.to_owned())));
    let root_folder = agent_file.root.as_deref();
    let file = File { agent, path, root: root_folder, sources, env: env.collect() };
    for hooks in root.members().iter().filter(|member| member.key.node == "hooks") {
        if !hooks.value.members().is_empty() {
            let (path, root, at) =
                (path.to_path_buf(), agent_file.root.clone(), sources.location(hooks.key.span));
            out.checked.push(CheckedSettings { agent, path, root, at });
        }
        for event in hooks.value.members() {
            file.event(event, compiled, out);
        }
    }
}

/// Checks a script of an agent that runs one for each event.
pub(super) fn script(
    agent: Target,
    path: &Path,
    root: Option<&Path>,
    compiled: &mut Compiled,
    out: &mut Findings,
) {
    let (name, mut found) = (files::name(path), Findings::default());
    out.files += 1;
    if !files::runs(path) {
        let message = format!("{} cannot run it: it is not an executable file", agent.label);
        found.dead("not-executable", name.clone(), message, "make it executable with `chmod +x`");
    }
    match files::text(path) {
        Ok(Ok(text)) => {
            let event = path.file_name().unwrap_or_default().to_string_lossy();
            let lost = in_script(&text, agent.agent(), &event);
            found.diagnosed(lost.as_slice(), &Sources::new(), &name);
            let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
            let text = scripts::as_settings(path, &text);
            let source = sources.add(name.as_str(), text.as_str());
            let read = settings_value(&name, &text, source, &mut diagnostics);
            let file = File { agent, path, root, sources: &sources, env: Vec::new() };
            let events = read.iter().filter_map(|read| read.get("hooks")).flat_map(Value::members);
            events.for_each(|event| file.event(event, compiled, &mut found));
        }
        Ok(Err(unreadable)) => found.dead("unreadable", name.clone(), unreadable.message, ""),
        Err(error) => {
            found.dead("unreadable", name.clone(), format!("the script cannot be read: {error}"), "")
        }
    }
    // Positions would be those of settings with the call.
    found.found.iter_mut().for_each(|one| one.location.clone_from(&name));
    out.found.append(&mut found.found);
    out.called.append(&mut found.called);
}

/// Reports that the agent does not read the file at all.
fn unread_file(agent: Target, name: &str, sources: &Sources, out: &mut Findings) {
    let text = sources.text(SourceId(0));
    let Some(Unread { span, message, .. }) = unread(agent.agent(), name, text) else { return };
    let help = "correct it: until then, none of the hooks in this file runs";
    out.dead("unreadable", sources.location(span), message, help);
}

/// A diagnostic as it applies to settings: of a repeated key, the first one is dead if it has hooks, and so are hooks
/// next to `hooks`.
fn in_settings(new: &Diagnostic, root: &Value, agent: Target, sources: &Sources) -> Diagnostic {
    let mut new = new.clone();
    match new.code {
        // Patterns of JavaScript have what those of hookc do not have.
        Code::E0404 if agent.has_lookaround() && is_lookaround(&new, sources) => {
            new.hook_effect = Some(HookEffect::Doubtful);
        }
        Code::W0231 => {
            let first = new.labels.get(1).map(|label| label.span);
            let value = first.and_then(|first| member_at(root, first));
            if value.is_some_and(|value| !value.members().is_empty() || !value.items().is_empty()) {
                new.labels.rotate_left(1);
                new.hook_effect = Some(HookEffect::Dead);
                new.message = format!("{}: this one is not read", new.message);
            }
        }
        Code::W0232 => {
            let at_root = root.members().iter().filter(|member| member.key.node != "hooks");
            let mut spans = at_root.map(|member| member.key.span.to(member.value.span));
            if new
                .span()
                .is_some_and(|span| spans.any(|range| range.start <= span.start && span.end <= range.end))
            {
                new.hook_effect = Some(HookEffect::Dead);
            }
        }
        _ => {}
    }
    new
}

/// Whether a diagnostic is about a look-ahead or a look-behind.
fn is_lookaround(diagnostic: &Diagnostic, sources: &Sources) -> bool {
    let text = diagnostic.span().and_then(|span| sources.text(span.source).get(span.range()));
    text.is_some_and(|text| ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|start| text.starts_with(start)))
}

/// The value of the member whose key has this span.
fn member_at(value: &Value, key: Span) -> Option<&Value> {
    let inner = || {
        let values = value.members().iter().map(|member| &member.value).chain(value.items());
        values.into_iter().find_map(|value| member_at(value, key))
    };
    let here = value.members().iter().find(|member| member.key.span == key).map(|member| &member.value);
    here.or_else(inner)
}

/// Keys of the language, which agents do not read: see [`File::not_read`].
const OURS: [&str; 8] =
    ["when", "condition", "action", "enabled", "mode", "on_error", "on_failure", "priority"];

/// Whether it is about a key that is also checked here.
fn is_ours(diagnostic: &Diagnostic, sources: &Sources) -> bool {
    let text = diagnostic.span().and_then(|span| sources.text(span.source).get(span.range()));
    diagnostic.code == Code::W0232 && text.is_some_and(|text| OURS.contains(&text.trim_matches('"')))
}

/// Reports a directory where a settings file is expected.
pub(super) fn is_folder(path: &Path, out: &mut Findings) {
    out.files += 1;
    let message = "the settings cannot be read: this is a directory".to_owned();
    out.dead("unreadable", files::name(path), message, "replace it with a file, or remove it");
}

/// Checks a file that an agent does not read.
pub(super) fn ignored(agent: Target, path: &Path, texts: &mut Texts, out: &mut Findings) {
    let mut new = Findings::default();
    let Some(AgentText { root, sources }) = read(path, texts, &mut new) else { return };
    let events: Vec<&str> = agent.event_names().collect();
    let hooks = root.members().iter().find(|member| member.key.node == "hooks");
    let has = |hooks: &&Member| {
        hooks.value.members().iter().any(|member| events.contains(&member.key.node.as_str()))
    };
    if let Some(hooks) = hooks.filter(has) {
        out.files += 1;
        let message = format!("{} does not read this file", agent.label);
        let read = agent.settings.local.as_ref().map(|local| format!(" or {local}")).unwrap_or_default();
        let help = format!("it reads hooks from {}{read}", agent.settings.project);
        out.dead("ignored-file", sources.location(hooks.key.span), message, &help);
    }
}

/// The value of a file; `None` after reporting that there is none.
fn read(path: &Path, texts: &mut Texts, out: &mut Findings) -> Option<AgentText> {
    let (name, mut sources, mut diagnostics) = (files::name(path), Sources::new(), Diagnostics::new());
    let text = match texts.text(path) {
        Ok(Ok(text)) => text,
        Ok(Err(diagnostic)) => {
            out.diagnosed(&[diagnostic], &sources, &name);
            return None;
        }
        Err(error) => {
            out.dead("unreadable", name, format!("the file cannot be read: {error}"), "");
            return None;
        }
    };
    let source = sources.add(name.as_str(), text.as_str());
    let value = settings_value(&name, &text, source, &mut diagnostics);
    diagnostics.retain(Diagnostic::is_error);
    out.diagnosed(&diagnostics, &sources, &name);
    Some(AgentText { root: value?, sources })
}

/// Keys that switch hooks off.
pub(super) fn switched_off(agent: Target, root: &Value, sources: &Sources, out: &mut Findings) {
    around::switches(agent, root, sources, out);
    let set = root.get("env").and_then(|env| env.get("HOOKC_DISABLE"));
    if let Some(value) = set.filter(|value| value.as_str() == Some("1")) {
        let message = "`HOOKC_DISABLE` disables all hooks that `hookc run` answers".to_owned();
        out.dead("switched-off", sources.location(value.span), message, "remove it");
    }
}

struct File<'f> {
    agent: Target,
    path: &'f Path,
    root: Option<&'f Path>,
    sources: &'f Sources,
    env: Vec<(String, String)>,
}

impl File<'_> {
    /// Keys of hookc: hooks with these keys belong in a policy.
    fn not_read(&self, value: &Value, out: &mut Findings) {
        let closed = self.agent.fail_closed_key().map(|(key, _)| key);
        for member in value.members().iter().filter(|member| closed != Some(member.key.node.as_str())) {
            let key = member.key.node.as_str();
            let location = || self.sources.location(member.key.span);
            let help =
                format!("keep the hook in a policy and run `hookc install {} POLICY`", self.agent.name);
            let message = || format!("{} does not read `{key}`", self.agent.label);
            match key {
                "when" | "condition" | "action" => out.dead("not-read", location(), message(), &help),
                "enabled" | "mode" | "on_error" | "on_failure" | "priority" => {
                    out.odd("not-read", location(), message(), &help);
                }
                _ => {}
            }
        }
    }

    fn event(&self, event: &Member, compiled: &mut Compiled, out: &mut Findings) {
        let (agent, name) = (self.agent, event.key.node.as_str());
        if agent.form.as_ref().is_some_and(|form| form.beside.iter().any(|key| key == name)) {
            return;
        }
        // The compiler reports names that are not events, and entries and handlers of another form.
        if agent.event(name).is_none() {
            return;
        }
        for entry in event.value.items() {
            self.not_read(entry, out);
            self.matcher(name, entry, out);
            for handler in agents::handlers(entry) {
                if !std::ptr::eq(entry, handler) {
                    self.not_read(handler, out);
                }
                self.handler(name, entry, handler, compiled, out);
            }
        }
    }

    /// A matcher with the name of a tool that is not known here. The compiler reports those that are certainly wrong.
    fn matcher(&self, event: &str, entry: &Value, out: &mut Findings) {
        let matcher = entry.get("matcher").filter(|_| self.agent.matches_tools(event));
        let Some((value, text)) = matcher.and_then(|value| Some((value, value.as_str()?))) else { return };
        let location = self.sources.location(value.span);
        if let Some(new) = unknown_tool(self.agent.agent(), text, value.span)
            && !out.found.iter().any(|one| one.location == location)
        {
            out.odd(new.code.name(), location, new.message, new.help.as_deref().unwrap_or_default());
        }
    }

    fn handler(
        &self,
        event: &str,
        entry: &Value,
        handler: &Value,
        compiled: &mut Compiled,
        out: &mut Findings,
    ) {
        let command = self.agent.command_keys().find_map(|key| handler.get(key));
        let Some((command, line)) = command.and_then(|value| Some((value, value.as_str()?))) else { return };
        let args = handler
            .get("args")
            .map(|args| args.items().iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>());
        let at = self.sources.location(command.span);
        let (root, folder) = (self.root, self.root.map(Path::to_owned));
        let (agent, file, env, everywhere) = (Some(self.agent), self.path, &self.env, self.root.is_none());
        let (beside, plugin, entered) = (Vec::new(), None, false);
        let sample = false;
        let context = HandlerContext {
            agent,
            event,
            at,
            file,
            root,
            everywhere,
            beside,
            sample,
            plugin,
            folder,
            entered,
            follows: false,
            env,
            quoted: Vec::new(),
            matcher: entry
                .get("matcher")
                .and_then(Value::as_str)
                .filter(|_| self.agent.settings.plugin.is_none()),
            narrowed: agent.and_then(|agent| narrowed(handler, agent)),
        };
        self.open(event, handler, &context.at, out);
        let shell = handler.get("shell").map_or(self.agent.settings.shell.as_deref(), Value::as_str);
        handler::check(line, args, shell, context, compiled, out);
    }

    /// A call of `hookc run` that the agent ignores if it fails, although it can deny.
    fn open(&self, event: &str, handler: &Value, at: &str, out: &mut Findings) {
        self.without_answer(event, handler, at, out);
        let closed = self.agent.closed(event).filter(|(key, _)| handler.get(key).is_none());
        let Some((key, yes)) = closed else { return };
        if call(self.agent, handler).is_some() {
            let message = format!("{} lets the action pass if this call fails", self.agent.label);
            let help = format!("add `\"{key}\": {yes}`, or run `hookc install {}` again", self.agent.name);
            out.odd("fails-open", at.to_owned(), message, &help);
        }
    }

    /// A call of `hookc run` without the answer in its place that the agent needs.
    fn without_answer(&self, event: &str, handler: &Value, at: &str, out: &mut Findings) {
        let is_answer = |fallback: &Fallback| matches!(fallback, Fallback::Answer(_));
        let needs = self.agent.fallback(event).is_some_and(|fallback| is_answer(&fallback));
        let line = self.agent.command_keys().find_map(|key| handler.get(key)?.as_str());
        let has = line.and_then(|line| fallback::split(line).1).is_some_and(|fallback| is_answer(&fallback));
        if needs && !has && call(self.agent, handler).is_some_and(|call| !call.fails_open) {
            let message = format!("{} runs the tool if this call ends without an answer", self.agent.label);
            let help = format!("run `hookc install {}` again", self.agent.name);
            out.odd("fails-open", at.to_owned(), message, &help);
        }
    }
}
