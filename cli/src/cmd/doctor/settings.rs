//! A host's settings file, in the host's own form.

use std::path::Path;

use hookc_compiler::Dialect;
use hookc_compiler::front::json;
use hookc_schema::suggest::nearest;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Sources};

use super::finding::Findings;
use super::handler::{self, Compiled};
use super::words::Place;
use crate::cmd::install::host::{self, Form, Host};
use crate::edit::json::{items, members};
use crate::{args, files, load};
use hookc_runtime::policies::Unit;

/// The host that reads a file, by its path.
pub(super) fn host_of(path: &Path) -> Option<&'static Host> {
    host::ALL.iter().find(|host| {
        let named = [Some(host.project), host.local, Some(host.user)];
        let folder = |file: &str| Path::new(file).parent().map(Path::to_owned);
        // Copilot reads all files of its folder.
        let any = host.name == "copilot" && path.extension().is_some_and(|extension| extension == "json");
        named.into_iter().flatten().any(|file| {
            path.ends_with(file)
                || any && path.parent().zip(folder(file)).is_some_and(|(is, own)| is.ends_with(own))
        })
    })
}

/// The host in whose folder a file lies that the host does not read.
pub(super) fn ignored_by(path: &Path) -> Option<&'static Host> {
    let folder = path.parent()?;
    let is_json = path.extension().is_some_and(|extension| extension == "json" || extension == "jsonc");
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let sample = ["example", "sample", "template"].iter().any(|word| name.contains(word));
    if !is_json || sample || host_of(path).is_some() {
        return None;
    }
    host::ALL.iter().filter(|host| host.name != "copilot").find(|host| {
        let own = Path::new(host.project).parent().unwrap_or(Path::new(""));
        folder.ends_with(own) || folder.ends_with(own.join("hooks"))
    })
}

/// Looks at a file of a host.
pub(super) fn check(host: &'static Host, path: &Path, compiled: &mut Compiled, out: &mut Findings) {
    out.files += 1;
    let name = files::name(path);
    let Some((root, sources)) = read(path, out) else { return };
    if host.name == "claude" || host.name == "codex" {
        let unit = Unit { dialect: Some(Dialect::Settings), paths: vec![path.to_path_buf()] };
        if let Ok(built) = load::unit(&unit, &args::Sources::plain()) {
            let told = built.compiled.diagnostics.iter().filter(|told| !harmless(told, &root));
            out.diagnosed(&told.cloned().collect::<Vec<_>>(), &built.sources, &name);
        }
    } else {
        switched_off(host, &root, &sources, out);
    }
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let env = root.get("env").map(members).unwrap_or_default().iter();
    let env = env.filter_map(|member| Some((member.key.node.clone(), member.value.as_str()?.to_owned())));
    let file = File { host, root: project(host, &whole), sources: &sources, env: env.collect() };
    for hooks in members(&root).iter().filter(|member| member.key.node == "hooks") {
        for event in members(&hooks.value) {
            file.event(event, compiled, out);
        }
    }
}

/// Whether a key of `hooks` that is no event holds nothing that could be a hook.
fn harmless(told: &Diagnostic, root: &Value) -> bool {
    let under = root.get("hooks").map(members).unwrap_or_default();
    let mut all = under.iter().chain(members(root));
    let member = all.find(|member| Some(member.key.span.range()) == told.span().map(|span| span.range()));
    let bare = |value: &Value| members(value).is_empty() && items(value).is_empty();
    told.code == Code::W0245 && member.is_some_and(|member| bare(&member.value))
}

/// Looks at a file that a host does not read.
pub(super) fn ignored(host: &'static Host, path: &Path, out: &mut Findings) {
    let mut own = Findings::default();
    let Some((root, sources)) = read(path, &mut own) else { return };
    let events = host.names();
    let hooks = members(&root).iter().find(|member| member.key.node == "hooks");
    let has = |hooks: &&Member| members(&hooks.value).iter().any(|member| events.contains(&member.key.node));
    if let Some(hooks) = hooks.filter(has) {
        out.files += 1;
        let message = format!("{} does not read this file", host.label);
        let read = host.local.map(|local| format!(" or {local}")).unwrap_or_default();
        let help = format!("its hooks stand in {}{read}", host.project);
        out.dead("ignored-file", sources.place(hooks.key.span), message, &help);
    }
}

/// The value of a file; `None` if it has none, which has been told.
fn read(path: &Path, out: &mut Findings) -> Option<(Value, Sources)> {
    let (name, mut sources, mut told) = (files::name(path), Sources::new(), Vec::new());
    let text = match files::text(path) {
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
    let document = json::read(&text, source, &mut told);
    told.retain(Diagnostic::is_error);
    out.diagnosed(&told, &sources, &name);
    document.map(|document| (document.value, sources))
}

/// The folder of the project whose settings a file holds; a file below the
/// home folder is a person's.
fn project(host: &Host, path: &Path) -> Option<std::path::PathBuf> {
    let levels = Path::new(host.project).components().count();
    let root = path.ancestors().nth(levels)?;
    let home = std::env::var_os("HOME").is_some_and(|home| Path::new(&home) == root);
    (!home).then(|| root.to_path_buf())
}

/// Keys that switch hooks off.
fn switched_off(host: &Host, root: &Value, sources: &Sources, out: &mut Findings) {
    let keys: &[(&[&str], bool)] = match host.name {
        "gemini" => &[
            (&["hooksConfig", "enabled"], false),
            (&["hooks", "enabled"], false),
            (&["tools", "enableHooks"], false),
        ],
        _ => &[(&["disableAllHooks"], true)],
    };
    for (path, off) in keys {
        let found = path.iter().try_fold(root, |value, key| value.get(key));
        if let Some(value) = found.filter(|value| value.kind == Kind::Bool(*off)) {
            let message = format!("`{}` switches all hooks off", path.join("."));
            out.dead("switched-off", sources.place(value.span), message, "remove it");
        }
    }
}

struct File<'f> {
    host: &'static Host,
    root: Option<std::path::PathBuf>,
    sources: &'f Sources,
    env: Vec<(String, String)>,
}

impl File<'_> {
    fn event(&self, event: &Member, compiled: &mut Compiled, out: &mut Findings) {
        let (host, name) = (self.host, event.key.node.as_str());
        let Kind::Seq(entries) = &event.value.kind else { return };
        if host.name != "claude" && host.vocabulary(name).is_none() {
            let names = host.names();
            let near = nearest(name, names.iter().map(String::as_str)).map(str::to_owned);
            let help = near.or_else(|| host.native(name)).map(|near| format!("did you mean `{near}`?"));
            let message = format!("{} has no event `{name}`", host.label);
            let place = self.sources.place(event.key.span);
            out.dead("unknown-event", place, message, help.as_deref().unwrap_or(""));
            return;
        }
        for entry in entries {
            match (host.form, entry.get("hooks")) {
                (Form::Groups, Some(hooks)) => {
                    items(hooks).iter().for_each(|handler| self.handler(name, handler, compiled, out));
                }
                (Form::Groups, None) => self.alone(name, entry, compiled, out),
                (Form::Handlers, None) => self.handler(name, entry, compiled, out),
                (Form::Handlers, Some(hooks)) => {
                    let message = format!("{} has no groups of handlers", host.label);
                    let help = "write the handlers themselves under the event";
                    out.dead("not-read", self.sources.place(hooks.span), message, help);
                }
            }
        }
    }

    /// A handler without a group; of two hosts the compiler says it.
    fn alone(&self, event: &str, entry: &Value, compiled: &mut Compiled, out: &mut Findings) {
        if self.host.name == "gemini" {
            let message = format!("{} reads no handler outside of a group", self.host.label);
            let help = "put it into a group: `{\"hooks\": [{\"type\": ...}]}`";
            out.dead("not-read", self.sources.place(entry.span), message, help);
        }
        self.handler(event, entry, compiled, out);
    }

    fn handler(&self, event: &str, handler: &Value, compiled: &mut Compiled, out: &mut Findings) {
        self.timeout(handler, out);
        let command = ["command", "bash"].iter().find_map(|key| handler.get(key));
        let Some((command, line)) = command.and_then(|value| Some((value, value.as_str()?))) else { return };
        let args = handler
            .get("args")
            .map(|args| items(args).iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>());
        let at = self.sources.place(command.span);
        let root = self.root.as_deref();
        let folder = root.map(Path::to_owned);
        let place = Place { host: self.host, event, at, root, folder, env: &self.env };
        handler::check(line, args, place, compiled, out);
    }

    /// A timeout in another unit than the host's; of two hosts the compiler
    /// says it.
    fn timeout(&self, handler: &Value, out: &mut Findings) {
        let (key, unit) = self.host.timeout;
        let Some(value) = handler.get(key) else { return };
        let Kind::Num(number) = &value.kind else { return };
        let Ok(time) = number.0.parse::<f64>() else { return };
        let (place, written) = (self.sources.place(value.span), &number.0);
        if unit == 1000 && time < 1000.0 {
            let message = format!("a `{key}` of {written} milliseconds looks like seconds");
            let help = format!("{} counts it in milliseconds: write {written}000", self.host.label);
            out.dead("timeout-unit", place, message, &help);
        } else if unit == 1 && self.host.form == Form::Handlers && time >= 1000.0 && time % 1000.0 == 0.0 {
            let message = format!("a `{key}` of {written} seconds looks like milliseconds");
            let help = format!("{} counts it in seconds", self.host.label);
            out.odd("timeout-unit", place, message, &help);
        }
    }
}
