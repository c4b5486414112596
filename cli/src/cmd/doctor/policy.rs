//! Handlers in policies: what they start is looked at as in settings, from the
//! folders that the runtime would start them in.
//!
//! A policy that a call of `hookc run` names runs where that call does. Of one that
//! was found in a folder nobody knows who will call it: there what a relative path
//! names must be in the root of the repository, or in a folder between that and the
//! policy.

use std::path::{Path, PathBuf};

use hookc_compiler::Dialect;
use hookc_schema::tree::{Action, Family, Hook, print};
use hookc_schema::value::Value;

use super::call::Compiled;
use super::finding::Findings;
use super::handler;
use super::words::Place;
use crate::cmd::install::place::real;
use crate::edit::json::{items, members};
use crate::load::Built;

/// Looks at the handlers of a policy that a call in settings names.
pub(super) fn called(built: &Built, place: &Place<'_>, compiled: &mut Compiled, out: &mut Findings) {
    for (hook, file) in hooks(built) {
        let at = Place { at: String::new(), file: &file, plugin: plugin(&file), env: &[], ..place.clone() };
        Handler { hook, built }.check(at, compiled, out);
    }
}

/// Looks at the handlers of policies that were found in a folder.
pub(super) fn found(built: &Built, folder: &Path, compiled: &mut Compiled, out: &mut Findings) {
    for (hook, file) in hooks(built) {
        let dialect = built.dialect(hook.span.0.source);
        let plugin = plugin(&file);
        let sample = dialect.is_some_and(is_an_agents);
        let mut folders = match dialect {
            // The project that they are for is not known from where they lie.
            _ if sample => Vec::new(),
            Some(Dialect::Skill) if hook.family == Family::Agent => project(&file).into_iter().collect(),
            _ => between(&file, folder),
        };
        let root = (!folders.is_empty()).then(|| folders.remove(0));
        let place = Place {
            host: None,
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
            env: &[],
        };
        let mut own = Findings::default();
        Handler { hook, built }.check(place, compiled, &mut own);
        // No agent reads such a file where it lies.
        own.found.iter_mut().for_each(|found| found.dead &= !sample);
        out.found.append(&mut own.found);
    }
}

/// Whether files of a dialect are read by an agent, each from a place of its own.
fn is_an_agents(dialect: Dialect) -> bool {
    match dialect {
        Dialect::HooksYaml
        | Dialect::DirectiveXml
        | Dialect::Repository
        | Dialect::Skill
        | Dialect::Workflow => false,
        Dialect::Settings
        | Dialect::Codex
        | Dialect::Gemini
        | Dialect::Cursor
        | Dialect::Copilot
        | Dialect::Windsurf
        | Dialect::Kiro => true,
    }
}

/// The folder whose `.claude` a file is in.
fn project(file: &Path) -> Option<PathBuf> {
    let whole = real(file);
    let own = whole.ancestors().find(|above| above.file_name().is_some_and(|name| name == ".claude"))?;
    own.parent().map(Path::to_path_buf)
}

/// The hooks that somebody wrote and did not switch off, each with its file. What
/// stands in the repository's and the skills' own form the compiler looks at.
fn hooks(built: &Built) -> impl Iterator<Item = (&Hook, PathBuf)> {
    built.written().flat_map(|(policy, _)| {
        let file = PathBuf::from(built.sources.name(policy.source.span.source));
        let on = |hook: &&Hook| hook.enabled.as_ref().is_none_or(|enabled| enabled.node);
        policy.hooks.iter().filter(on).map(move |hook| (hook, file.clone()))
    })
}

/// The folder of the plugin whose `hooks/hooks.json` a file is.
fn plugin(file: &Path) -> Option<PathBuf> {
    let whole = real(file);
    whole.ends_with("hooks/hooks.json").then(|| whole.ancestors().nth(2).map(Path::to_path_buf))?
}

/// The folders that a handler may run in: the root of the repository first, or else
/// the folder that was searched, then those between it and the policy.
fn between(file: &Path, folder: &Path) -> Vec<PathBuf> {
    let (file, searched) = (real(file), real(folder));
    let above: Vec<&Path> = file.ancestors().skip(1).collect();
    let repository = above.iter().position(|folder| folder.join(".git").exists());
    let top = repository.or_else(|| above.iter().position(|folder| *folder == searched)).unwrap_or(0);
    let mut all: Vec<PathBuf> =
        above.get(..=top).unwrap_or_default().iter().map(|p| p.to_path_buf()).collect();
    all.reverse();
    all.extend((!all.contains(&searched)).then_some(searched));
    all
}

/// A hook whose action starts something.
struct Handler<'h> {
    hook: &'h Hook,
    built: &'h Built,
}

impl Handler<'_> {
    fn check(&self, place: Place<'_>, compiled: &mut Compiled, out: &mut Findings) {
        let action = &self.hook.action;
        match action.kind.node.as_str() {
            "run" => {}
            "script" => return self.script(place, out),
            _ => return,
        }
        let env = environment(action);
        let mut place = Place { env: &env, ..place };
        if !self.enter(&mut place, out) {
            return;
        }
        if let Some(argv) = param(action, "argv") {
            return self.program(argv, items(argv), place, compiled, out);
        }
        let Some(command) = param(action, "command") else { return };
        place.at = self.built.sources.location(command.span);
        match param(action, "args") {
            Some(args) => {
                let words: Vec<Value> =
                    std::iter::once(command.clone()).chain(items(args).iter().cloned()).collect();
                self.program(command, &words, place, compiled, out);
            }
            None => {
                let Some(line) = command.as_str() else { return };
                if shell(action, &place, out) {
                    handler::check(line, None, place, compiled, out);
                }
            }
        }
    }

    /// A program and its arguments, without a shell.
    fn program(
        &self,
        whole: &Value,
        words: &[Value],
        mut place: Place<'_>,
        compiled: &mut Compiled,
        out: &mut Findings,
    ) {
        place.at = self.built.sources.location(whole.span);
        let Some(words) = words.iter().map(|word| plain(word.as_str()?)).collect::<Option<Vec<String>>>()
        else {
            return;
        };
        let Some((program, args)) = words.split_first().filter(|(program, _)| !program.trim().is_empty())
        else {
            let message = "the command is empty".to_owned();
            return out.dead("empty-command", place.at, message, "write what to start");
        };
        // Of a repository's handler the compiler says whether it is there.
        if self.hook.family != Family::Repository {
            handler::check(program, Some(args.to_vec()), place, compiled, out);
        }
    }

    /// A script of a hook that is no skill's; of those the compiler says it.
    fn script(&self, mut place: Place<'_>, out: &mut Findings) {
        let file = param(&self.hook.action, "file").filter(|_| self.hook.family != Family::Skill);
        let Some((value, word)) = file.and_then(|file| Some((file, plain(file.as_str()?)?))) else { return };
        place.at = self.built.sources.location(value.span);
        if let Some(path) = place.resolve(&word).filter(|path| !path.is_file()) {
            handler::missing(&word, &path, &place, out);
        }
    }

    /// Goes into the working folder that the action says; `false` if it is not there.
    fn enter(&self, place: &mut Place<'_>, out: &mut Findings) -> bool {
        let Some(value) = param(&self.hook.action, "cwd") else { return true };
        // One that only the event knows.
        let Some(word) = value.as_str().and_then(plain) else {
            (place.folder, place.entered) = (None, true);
            place.beside.clear();
            return true;
        };
        // The runtime takes it as it is written, without a shell.
        let path = place.folder.as_ref().map(|folder| folder.join(&word));
        let others = place.beside.iter().map(|folder| folder.join(&word));
        let there = path.iter().cloned().chain(others).find(|path| path.is_dir());
        if let (None, Some(path)) = (&there, &path) {
            let message = format!("the working folder `{word}` is not there");
            let help = format!("looked for at {}", path.display());
            out.dead("missing-file", self.built.sources.location(value.span), message, &help);
            return false;
        }
        (place.folder, place.entered) = (there, true);
        place.beside.clear();
        true
    }
}

fn param<'a>(action: &'a Action, name: &str) -> Option<&'a Value> {
    action.params.iter().rfind(|(own, _)| own.node == name).map(|(_, value)| value)
}

/// What a word says, unless only the event knows it. The places of agents are
/// variables to those that read it.
fn plain(word: &str) -> Option<String> {
    let written = word.replace("$${", "\0{");
    let mut rest = written.as_str();
    while let Some((_, behind)) = rest.split_once("${") {
        if !behind.starts_with("CLAUDE_") {
            return None;
        }
        rest = behind;
    }
    Some(written.replace("\0{", "${"))
}

/// Variables that the action sets, as far as they are known.
fn environment(action: &Action) -> Vec<(String, String)> {
    let set = param(action, "env").map(members).unwrap_or_default().iter();
    set.filter_map(|member| Some((member.key.node.clone(), plain(&text(&member.value))?))).collect()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| print::json(value), str::to_owned)
}

/// Whether the shell that reads the command is there.
fn shell(action: &Action, place: &Place<'_>, out: &mut Findings) -> bool {
    let name = param(action, "shell").and_then(Value::as_str).unwrap_or("sh");
    let name = if name == "powershell" { "pwsh" } else { name };
    // What is written for another shell is not read as for this one.
    name == "sh" || handler::started(name, place, out) && !["pwsh", "fish", "nu", "cmd"].contains(&name)
}
