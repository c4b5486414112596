//! Handlers in policies: their programs are checked as in settings, from the directories in which
//! the runtime would start them.
//!
//! A policy in a call of `hookc run` runs where that call runs. For a policy found in a directory
//! the caller is unknown: its relative paths must exist in the root of the repository, or in a
//! directory between the root and the policy.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hookc_base::action::Kind;
use hookc_compiler::Dialect;
use hookc_schema::tree::{Action, Cond, CondKind, Family, Hook, Op, Right, print};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic};

use super::call::Compiled;
use super::finding::Findings;
use super::handler;
use super::words::HandlerContext;
use crate::installed::location::real;
use crate::load::Built;

/// Checks the handlers of a policy in a call of the settings.
pub(super) fn called(
    built: &Built,
    context: &HandlerContext<'_>,
    compiled: &mut Compiled,
    out: &mut Findings,
) {
    never(built, out);
    for (hook, file) in hooks(built) {
        let at = HandlerContext {
            at: String::new(),
            file: &file,
            plugin: plugin(&file),
            env: &[],
            ..context.clone()
        };
        Handler { hook, built }.check(at, compiled, out);
    }
}

/// For each event, the only tools that each of its hooks is for.
pub(crate) fn tools(built: &Built) -> BTreeMap<String, Vec<Option<BTreeSet<String>>>> {
    let mut by_event: BTreeMap<String, Vec<Option<BTreeSet<String>>>> = BTreeMap::new();
    for (hook, _) in hooks(built) {
        let tools = hook.condition.as_ref().and_then(only_tools);
        for event in &hook.events {
            by_event.entry(event.node.clone()).or_default().push(tools.clone());
        }
    }
    by_event
}

/// Codes of diagnostics about a leaf that is never true.
const NEVER: [Code; 9] = [
    Code::W0416,
    Code::W0424,
    Code::W0426,
    Code::W0601,
    Code::W0605,
    Code::W0611,
    Code::W0620,
    Code::W0622,
    Code::W0627,
];

/// Reports the hooks of a policy whose conditions are never true, with the code of the reason.
pub(super) fn never(built: &Built, out: &mut Findings) {
    let diagnostics = &built.compiled.diagnostics;
    for (hook, _) in hooks(built) {
        let Some(reason) = hook.condition.as_ref().and_then(|cond| reason(cond, diagnostics)) else {
            continue;
        };
        let location = reason.span().map(|span| built.sources.location(span)).unwrap_or_default();
        let message = format!("this hook never matches: {}", reason.message);
        out.dead(reason.code.name(), location, message, reason.help.as_deref().unwrap_or_default());
    }
}

/// The diagnostic because of which a condition is never true.
fn reason<'d>(cond: &Cond, diagnostics: &'d [Diagnostic]) -> Option<&'d Diagnostic> {
    let within = |new: &&Diagnostic| {
        let span = new.span().unwrap_or_default();
        span.source == cond.span.source && cond.span.start <= span.start && span.end <= cond.span.end
    };
    let constant = diagnostics.iter().filter(within).find(|new| {
        new.code == Code::W0604 && new.span() == Some(cond.span) && new.message.contains("never")
    });
    constant.or_else(|| match &cond.kind {
        CondKind::All(parts) => {
            let clash = |new: &&Diagnostic| {
                new.code == Code::W0604 && new.notes.iter().any(|note| note.contains("never matches"))
            };
            parts
                .iter()
                .find_map(|part| reason(part, diagnostics))
                .or_else(|| diagnostics.iter().filter(within).find(clash))
        }
        CondKind::Any(parts) => {
            let reasons = parts.iter().map(|part| reason(part, diagnostics)).collect::<Option<Vec<_>>>()?;
            reasons.first().copied()
        }
        CondKind::Leaf(leaf) if !matches!(leaf.op.node, Op::Ne | Op::Exists) => {
            let found: Vec<&Diagnostic> =
                diagnostics.iter().filter(within).filter(|new| NEVER.contains(&new.code)).collect();
            let needed = match &leaf.right {
                Right::Value(value) if leaf.op.node == Op::In => value.items().len().max(1),
                _ => 1,
            };
            let whole = found.iter().any(|new| matches!(new.code, Code::W0416 | Code::W0424));
            found.first().copied().filter(|_| whole || found.len() >= needed)
        }
        _ => None,
    })
}

/// The only tools for which a condition can be true; `None` if that is not known.
fn only_tools(cond: &Cond) -> Option<BTreeSet<String>> {
    match &cond.kind {
        CondKind::All(parts) => parts.iter().find_map(only_tools),
        CondKind::Any(parts) => {
            let tools = parts.iter().map(only_tools).collect::<Option<Vec<_>>>()?;
            Some(tools.into_iter().flatten().collect())
        }
        CondKind::Leaf(leaf) if &*leaf.path.text == "tool_name" && leaf.ignore_case.is_none() => {
            let Right::Value(value) = &leaf.right else { return None };
            match leaf.op.node {
                Op::Eq => Some(BTreeSet::from([value.as_str()?.to_owned()])),
                Op::In => value.items().iter().map(|item| item.as_str().map(str::to_owned)).collect(),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Checks the handlers of policies that were found in a directory.
pub(super) fn found(built: &Built, folder: &Path, compiled: &mut Compiled, out: &mut Findings) {
    never(built, out);
    for (hook, file) in hooks(built) {
        let dialect = built.dialect(hook.span.0.source);
        let plugin = plugin(&file);
        let sample = dialect.is_some_and(is_an_agents);
        let mut folders = match dialect {
            // Their location does not reveal their project.
            _ if sample => Vec::new(),
            Some(Dialect::Skill) if hook.family == Family::Agent => project(&file).into_iter().collect(),
            _ => between(&file, folder),
        };
        let root = (!folders.is_empty()).then(|| folders.remove(0));
        let context = HandlerContext {
            agent: None,
            event: hook.events.first().map_or("", |event| event.node.as_str()),
            at: String::new(),
            file: &file,
            root: root.as_deref(),
            everywhere: false,
            folder: root.clone(),
            beside: folders,
            sample,
            plugin,
            entered: false,
            follows: false,
            env: &[],
            quoted: Vec::new(),
            matcher: None,
            narrowed: None,
        };
        let mut new = Findings::default();
        Handler { hook, built }.check(context, compiled, &mut new);
        // No agent reads such a file in this location.
        new.found.iter_mut().for_each(|found| found.dead &= !sample);
        out.found.append(&mut new.found);
    }
}

/// Whether an agent reads files of a dialect, each from a fixed location.
fn is_an_agents(dialect: Dialect) -> bool {
    dialect == Dialect::Settings || dialect.agent().is_some()
}

/// The directory whose `.claude` contains a file.
fn project(file: &Path) -> Option<PathBuf> {
    let whole = real(file);
    let settings_folder =
        whole.ancestors().find(|above| above.file_name().is_some_and(|name| name == ".claude"))?;
    settings_folder.parent().map(Path::to_path_buf)
}

/// The user's enabled hooks, each with its file. The compiler checks those in the formats of
/// repositories and skills.
fn hooks(built: &Built) -> impl Iterator<Item = (&Hook, PathBuf)> {
    built.written().flat_map(|(policy, _)| {
        let file = PathBuf::from(built.sources.name(policy.source.span.source));
        let on = |hook: &&Hook| hook.enabled.as_ref().is_none_or(|enabled| enabled.node);
        policy.hooks.iter().filter(on).map(move |hook| (hook, file.clone()))
    })
}

/// The plugin directory whose `hooks/hooks.json` is the file.
fn plugin(file: &Path) -> Option<PathBuf> {
    let whole = real(file);
    whole.ends_with("hooks/hooks.json").then(|| whole.ancestors().nth(2).map(Path::to_path_buf))?
}

/// The directories in which a handler can run: first the root of the repository or the searched
/// directory, then those between it and the policy.
fn between(file: &Path, folder: &Path) -> Vec<PathBuf> {
    let (file, searched) = (real(file), real(folder));
    let above: Vec<&Path> = file.ancestors().skip(1).collect();
    let repository = above.iter().position(|folder| folder.join(".git").exists());
    let top = repository.or_else(|| above.iter().position(|folder| *folder == searched)).unwrap_or(0);
    let mut paths: Vec<PathBuf> =
        above.get(..=top).unwrap_or_default().iter().map(|p| p.to_path_buf()).collect();
    paths.reverse();
    paths.extend((!paths.contains(&searched)).then_some(searched));
    paths
}

/// A hook whose action starts a program.
struct Handler<'h> {
    hook: &'h Hook,
    built: &'h Built,
}

impl Handler<'_> {
    fn check(&self, context: HandlerContext<'_>, compiled: &mut Compiled, out: &mut Findings) {
        let action = &self.hook.action;
        match action.known() {
            Some(Kind::Run) => {}
            Some(Kind::Script) => return self.script(context, out),
            _ => return,
        }
        let env = environment(action);
        let mut context = HandlerContext { env: &env, ..context };
        if !self.enter(&mut context, out) {
            return;
        }
        if let Some(argv) = param(action, "argv") {
            return self.program(argv, argv.items(), context, compiled, out);
        }
        let Some(command) = param(action, "command") else { return };
        context.at = self.built.sources.location(command.span);
        match param(action, "args") {
            Some(args) => {
                let words: Vec<Value> =
                    std::iter::once(command.clone()).chain(args.items().iter().cloned()).collect();
                self.program(command, &words, context, compiled, out);
            }
            None => {
                let Some(line) = command.as_str() else { return };
                if shell(action, &context, out) {
                    let shell = param(action, "shell").and_then(Value::as_str).unwrap_or("sh");
                    handler::check(line, None, Some(shell), context, compiled, out);
                }
            }
        }
    }

    /// A program and its arguments, without a shell.
    fn program(
        &self,
        whole: &Value,
        words: &[Value],
        mut context: HandlerContext<'_>,
        compiled: &mut Compiled,
        out: &mut Findings,
    ) {
        context.at = self.built.sources.location(whole.span);
        let Some(words) = words.iter().map(|word| plain(word.as_str()?)).collect::<Option<Vec<String>>>()
        else {
            return;
        };
        let Some((program, args)) = words.split_first().filter(|(program, _)| !program.trim().is_empty())
        else {
            let message = "the command is empty".to_owned();
            return out.dead("empty-command", context.at, message, "write the command");
        };
        // The compiler reports a missing handler of a repository.
        if self.hook.family != Family::Repository {
            handler::check(program, Some(args.to_vec()), None, context, compiled, out);
        }
    }

    /// A script of a hook outside a skill; the compiler checks those of skills.
    fn script(&self, mut context: HandlerContext<'_>, out: &mut Findings) {
        let file = param(&self.hook.action, "file").filter(|_| self.hook.family != Family::Skill);
        let Some((value, word)) = file.and_then(|file| Some((file, plain(file.as_str()?)?))) else { return };
        context.at = self.built.sources.location(value.span);
        if let Some(path) = context.resolve(&word).filter(|path| !path.is_file()) {
            handler::missing(&word, &path, &context, out);
        }
    }

    /// Changes to the working directory of the action; `false` if it does not exist.
    fn enter(&self, context: &mut HandlerContext<'_>, out: &mut Findings) -> bool {
        let Some(value) = param(&self.hook.action, "cwd") else { return true };
        // A value that depends on the event.
        let Some(word) = value.as_str().and_then(plain) else {
            (context.folder, context.entered) = (None, true);
            context.beside.clear();
            return true;
        };
        // The runtime uses it literally, without a shell.
        let path = context.folder.as_ref().map(|folder| folder.join(&word));
        let others = context.beside.iter().map(|folder| folder.join(&word));
        let there = path.iter().cloned().chain(others).find(|path| path.is_dir());
        if let (None, Some(path)) = (&there, &path) {
            let message = format!("the working directory `{word}` does not exist");
            let help = format!("searched for {}", path.display());
            out.dead("missing-file", self.built.sources.location(value.span), message, &help);
            return false;
        }
        (context.folder, context.entered) = (there, true);
        context.beside.clear();
        true
    }
}

fn param<'a>(action: &'a Action, name: &str) -> Option<&'a Value> {
    action.params.iter().rfind(|(key, _)| key.node == name).map(|(_, value)| value)
}

/// The value of a word, unless it depends on the event. The variables of agents are available to
/// agents' events.
fn plain(word: &str) -> Option<String> {
    let written = word.replace("$${", "\0{");
    let mut rest = written.as_str();
    while let Some((_, after)) = rest.split_once("${") {
        if !after.starts_with("CLAUDE_") {
            return None;
        }
        rest = after;
    }
    Some(written.replace("\0{", "${"))
}

/// Variables that the action sets, as far as known.
fn environment(action: &Action) -> Vec<(String, String)> {
    let set = param(action, "env").map(Value::members).unwrap_or_default().iter();
    set.filter_map(|member| Some((member.key.node.clone(), plain(&text(&member.value))?))).collect()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| print::json(value), str::to_owned)
}

/// Whether the shell for the command exists.
fn shell(action: &Action, context: &HandlerContext<'_>, out: &mut Findings) -> bool {
    let name = param(action, "shell").and_then(Value::as_str).unwrap_or("sh");
    let name = if name == "powershell" { "pwsh" } else { name };
    // A command for another shell is not parsed as one for this shell.
    name == "sh" || handler::started(name, context, out) && !["pwsh", "fish", "nu", "cmd"].contains(&name)
}
