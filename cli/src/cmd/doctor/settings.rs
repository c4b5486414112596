//! An agent's settings file, in the agent's own form.

use std::path::Path;
use std::rc::Rc;

use hookc_compiler::Dialect;
use hookc_schema::agents::Version;
use hookc_schema::suggest::nearest;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Sources};
use hookc_syntax::front::settings_value;

use super::around::{self, CheckedSettings};
use super::call::Compiled;
use super::finding::Findings;
use super::handler;
use super::location::AgentFile;
use super::matcher;
use super::reading::{AgentText, Readings};
use super::words::HandlerContext;
use crate::cmd::install::settings::call;
use crate::cmd::install::target::Target;
use crate::edit::json::{items, members};
use crate::files::Texts;
use crate::{args, files, load};
use hookc_runtime::policies::Unit;

/// The dialect as which the compiler reads an agent's settings, if it reports what is wrong there.
fn compiled_as(agent: Target) -> Option<Dialect> {
    match agent.name.as_str() {
        "claude" => Some(Dialect::Settings),
        "codex" => Some(Dialect::Codex),
        _ => None,
    }
}

/// Checks a file of an agent.
pub(super) fn check(
    own: &AgentFile,
    path: &Path,
    texts: &mut Texts,
    readings: &Readings,
    compiled: &mut Compiled,
    out: &mut Findings,
) {
    out.files += 1;
    let (agent, name) = (own.agent, files::name(path));
    let read = read(path, texts, out).map(Rc::new);
    readings.add(path, read.clone());
    let Some(read) = read else { return };
    let AgentText { root, sources } = &*read;
    let dialect = compiled_as(agent);
    let told = dialect.is_some();
    if let Some(dialect) = dialect {
        let unit = Unit::of(vec![path.to_path_buf()]).with_dialect(dialect);
        if let Ok(built) = load::unit(&unit, texts, &args::Sources::plain()) {
            let own = |told: &&Diagnostic| !harmless(told, root) && !is_ours(told, &built.sources);
            let told = built.compiled.diagnostics.iter().filter(own);
            out.diagnosed(&told.cloned().collect::<Vec<_>>(), &built.sources, &name);
        }
    }
    switched_off(agent, root, sources, out);
    let env = root.get("env").map(members).unwrap_or_default().iter();
    let env = env.filter_map(|member| Some((member.key.node.clone(), member.value.as_str()?.to_owned())));
    let root_folder = own.root.as_deref();
    let further = agent.is_at_further(path);
    let file = File { agent, path, root: root_folder, sources, told, further, env: env.collect() };
    file.version(root, &name, out);
    for hooks in members(root).iter().filter(|member| member.key.node == "hooks") {
        if !matches!(hooks.value.kind, Kind::Map(_)) {
            file.wrong(&hooks.value, "`hooks`", "an object of events", out);
        }
        if !members(&hooks.value).is_empty() {
            let (path, root, at) = (path.to_path_buf(), own.root.clone(), sources.location(hooks.key.span));
            out.checked.push(CheckedSettings { agent, path, root, at });
        }
        for event in members(&hooks.value) {
            file.event(event, compiled, out);
        }
    }
}

/// Whether a non-event key of `hooks` has no content that could be a hook.
fn harmless(told: &Diagnostic, root: &Value) -> bool {
    let under = root.get("hooks").map(members).unwrap_or_default();
    let mut all = under.iter().chain(members(root));
    let member = all.find(|member| Some(member.key.span.range()) == told.span().map(|span| span.range()));
    let bare = |value: &Value| members(value).is_empty() && items(value).is_empty();
    told.code == Code::W0245 && member.is_some_and(|member| bare(&member.value))
}

/// Keys of the language, which agents do not read: see [`File::not_read`].
const OURS: [&str; 8] =
    ["when", "condition", "action", "enabled", "mode", "on_error", "on_failure", "priority"];

/// Whether it is about a key that is also checked here.
fn is_ours(told: &Diagnostic, sources: &Sources) -> bool {
    let text = told.span().and_then(|span| sources.text(span.source).get(span.range()));
    told.code == Code::W0232 && text.is_some_and(|text| OURS.contains(&text.trim_matches('"')))
}

/// Reports a directory where a settings file is expected.
pub(super) fn is_folder(path: &Path, out: &mut Findings) {
    out.files += 1;
    let message = "the settings cannot be read: this is a directory".to_owned();
    out.dead("unreadable", files::name(path), message, "replace it with a file, or remove it");
}

/// Checks a file that an agent does not read.
pub(super) fn ignored(agent: Target, path: &Path, texts: &mut Texts, out: &mut Findings) {
    let mut own = Findings::default();
    let Some(AgentText { root, sources }) = read(path, texts, &mut own) else { return };
    let events: Vec<&str> = agent.event_names().collect();
    let hooks = members(&root).iter().find(|member| member.key.node == "hooks");
    let has = |hooks: &&Member| {
        members(&hooks.value).iter().any(|member| events.contains(&member.key.node.as_str()))
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
    let (name, mut sources, mut told) = (files::name(path), Sources::new(), Diagnostics::new());
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
    let value = settings_value(&name, &text, source, &mut told);
    told.retain(Diagnostic::is_error);
    out.diagnosed(&told, &sources, &name);
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
    /// Whether the compiler reports errors in its format.
    told: bool,
    /// Whether it contains other settings than hooks: then it needs no version.
    further: bool,
    env: Vec<(String, String)>,
}

impl File<'_> {
    /// A value of the wrong type.
    fn wrong(&self, value: &Value, what: &str, expected: &str, out: &mut Findings) {
        if !self.told {
            let message = format!("{what} must be {expected}, not {}", value.noun());
            out.dead("not-read", self.sources.location(value.span), message, "");
        }
    }

    /// The version of files whose events contain handlers.
    fn version(&self, root: &Value, name: &str, out: &mut Findings) {
        let has_hooks = root.get("hooks").is_some();
        if self.agent.settings.version == Version::None || !has_hooks || self.further {
            return;
        }
        let help = "write `\"version\": 1` next to `hooks`";
        match root.get("version") {
            None => {
                let message =
                    format!("`version` is missing, which {} requires in its hooks files", self.agent.label);
                let assumed = self.agent.settings.version == Version::Assumed;
                let tell = if assumed { Findings::odd } else { Findings::dead };
                tell(out, "no-version", name.to_owned(), message, help);
            }
            Some(value) if matches!(&value.kind, Kind::Num(number) if number.0 == "1") => {}
            Some(value) => {
                let message = format!("{} supports hooks files of version 1", self.agent.label);
                out.dead("no-version", self.sources.location(value.span), message, help);
            }
        }
    }

    /// Keys of hookc: hooks with these keys belong in a policy.
    fn not_read(&self, value: &Value, out: &mut Findings) {
        for member in members(value) {
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
        // The compiler reports the events of Claude Code.
        if agent.form.is_some() && agent.event(name).is_none() {
            let near = nearest(name, agent.event_names());
            let help = near.or_else(|| agent.native_name(name)).map(|near| format!("did you mean `{near}`?"));
            let message = format!("{} has no event `{name}`", agent.label);
            let location = self.sources.location(event.key.span);
            out.dead("unknown-event", location, message, help.as_deref().unwrap_or(""));
            return;
        }
        let Kind::Seq(entries) = &event.value.kind else {
            return self.wrong(&event.value, &format!("`{name}`"), "an array", out);
        };
        for entry in entries {
            if !matches!(entry.kind, Kind::Map(_)) {
                self.wrong(entry, &format!("an entry of `{name}`"), "an object", out);
                continue;
            }
            self.not_read(entry, out);
            if let Some(matcher) = entry.get("matcher").filter(|_| agent.groups) {
                matcher::check(agent, name, matcher, &self.sources.location(matcher.span), out);
            }
            match (agent.groups, entry.get("hooks")) {
                (true, Some(hooks)) => {
                    for handler in items(hooks) {
                        self.not_read(handler, out);
                        self.handler(name, handler, compiled, out);
                    }
                }
                (true, None) => self.alone(name, entry, compiled, out),
                (false, None) => self.handler(name, entry, compiled, out),
                (false, Some(hooks)) => {
                    let message = format!("{} does not support groups of handlers", agent.label);
                    let help = "write the handlers themselves under the event";
                    out.dead("not-read", self.sources.location(hooks.span), message, help);
                }
            }
        }
    }

    /// A handler without a group; for two hosts the compiler reports it.
    fn alone(&self, event: &str, entry: &Value, compiled: &mut Compiled, out: &mut Findings) {
        if !self.told {
            let message = format!("{} ignores a handler outside a group", self.agent.label);
            let help = "put it into a group: `{\"hooks\": [{\"type\": ...}]}`";
            out.dead("not-read", self.sources.location(entry.span), message, help);
        }
        self.handler(event, entry, compiled, out);
    }

    fn handler(&self, event: &str, handler: &Value, compiled: &mut Compiled, out: &mut Findings) {
        self.timeout(handler, out);
        let command = self.agent.command_keys().find_map(|key| handler.get(key));
        let Some((command, line)) = command.and_then(|value| Some((value, value.as_str()?))) else { return };
        let args = handler
            .get("args")
            .map(|args| items(args).iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>());
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
            env,
        };
        self.open(event, handler, &context.at, out);
        handler::check(line, args, context, compiled, out);
    }

    /// A call of `hookc run` that the agent ignores if it fails, although it can deny.
    fn open(&self, event: &str, handler: &Value, at: &str, out: &mut Findings) {
        let Some(key) = self.agent.closed(event).filter(|key| handler.get(key).is_none()) else { return };
        if call(self.agent, handler).is_some() {
            let message = format!("{} lets the action pass if this call fails", self.agent.label);
            let help = format!("add `\"{key}\": true`, or run `hookc install {}` again", self.agent.name);
            out.odd("fails-open", at.to_owned(), message, &help);
        }
    }

    /// A timeout in another unit than the agent's; for two hosts the compiler reports it.
    fn timeout(&self, handler: &Value, out: &mut Findings) {
        let (key, unit) = self.agent.timeout_key();
        let Some(value) = handler.get(key) else { return };
        let Kind::Num(number) = &value.kind else { return };
        let Ok(time) = number.0.parse::<f64>() else { return };
        let (location, written) = (self.sources.location(value.span), &number.0);
        if unit == 1000 && time < 1000.0 {
            let message = format!("a `{key}` of {written} milliseconds looks like seconds");
            let help = format!("{} reads it in milliseconds: write {written}000", self.agent.label);
            out.dead("timeout-unit", location, message, &help);
        } else if unit == 1 && !self.agent.groups && time >= 1000.0 && time % 1000.0 == 0.0 {
            let message = format!("a `{key}` of {written} seconds looks like milliseconds");
            let help = format!("{} reads it in seconds", self.agent.label);
            out.odd("timeout-unit", location, message, &help);
        }
    }
}
