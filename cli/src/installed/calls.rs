//! The calls of `hookc run` in the settings of agents, and the log that each writes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hookc_schema::agents;
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Diagnostics, Sources};
use hookc_syntax::front::settings_value;

use super::command::{self, Words};
use super::target::{self, Target};
use super::{fallback, location, scripts};
use crate::args::{Command, Run, Scope};
use crate::files;
use crate::state;

/// A call in settings.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) agent: Target,
    /// `project`, `local`, `user` or `managed`.
    pub(crate) scope: &'static str,
    pub(crate) file: PathBuf,
    /// `file:line:column`
    pub(crate) at: String,
    /// The agent's name of the event.
    pub(crate) event: String,
    /// The policies and layers, as the log has them.
    pub(crate) policies: Vec<String>,
    pub(crate) log: Log,
    /// Its program, as written.
    pub(crate) program: String,
    /// Whether it does nothing next to another call: `--or-starter`.
    pub(crate) is_fallback: bool,
    /// `file:line:column` of its handler.
    pub(crate) handler: String,
    /// How the agent starts it.
    pub(crate) start: Start,
}

/// How an agent starts a call.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// The command line, or the program if there are arguments.
    pub(crate) line: String,
    pub(crate) args: Option<Vec<String>>,
    /// The shell that the handler names.
    pub(crate) shell: Option<String>,
    /// Variables that the settings set.
    pub(crate) env: Vec<(String, String)>,
    pub(crate) timeout: Option<Duration>,
    /// The key because of which the call is not made at each event, or not waited for.
    pub(crate) narrowed: Option<&'static str>,
    /// The key that its modules are signed with.
    pub(crate) verify_key: Option<PathBuf>,
}

/// The key that narrows a handler: with it, an agent skips events or does not wait for the answer.
pub(crate) fn narrowed(handler: &Value, agent: Target) -> Option<&'static str> {
    let is_read = |key: &&str| match &agent.form {
        Some(form) => form.handler.keys.iter().any(|known| known.name == **key),
        None => true,
    };
    let is_set = |key: &&str| match handler.get(key).map(|value| &value.kind) {
        Some(Kind::Str(text)) => !text.value.trim().is_empty(),
        Some(Kind::Bool(on)) => *on,
        _ => false,
    };
    ["async", "asyncRewake", "if"].into_iter().filter(is_read).find(is_set)
}

/// The log of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Log {
    File(PathBuf),
    /// Nowhere: `--no-log`.
    None,
    /// Why it is unknown here.
    Unknown(String),
}

/// The files that an agent reads, as far as they exist.
pub(crate) fn files(agent: Target, root: &Path) -> Vec<(&'static str, PathBuf)> {
    let user = super::file(agent, Scope::User).ok();
    let settings = agent.settings;
    let project = [("project", Some(&settings.project)), ("local", settings.local.as_ref())];
    let project = project.into_iter().filter_map(|(scope, file)| Some((scope, below(root, file?))));
    // In the home directory both are the same file.
    let differs =
        |file: &PathBuf| user.as_ref().is_none_or(|user| location::real(user) != location::real(file));
    let mut of_project: Vec<_> = project.filter(|(_, file)| differs(file)).collect();
    of_project.extend(user.clone().map(|file| ("user", file)));
    let mut files: Vec<(&str, PathBuf)> = Vec::new();
    for (scope, file) in of_project {
        let folder = file.parent().filter(|_| settings.whole_folder);
        let mut beside = folder.map(target::json_files).unwrap_or_default();
        beside.retain(|path| *path != file);
        files.extend(std::iter::once(file).chain(beside).map(|file| (scope, file)));
    }
    let further = settings.also.iter().map(|file| ("project", below(root, file)));
    let further = further.filter(|(_, file)| {
        !super::more_files(agent).iter().any(|listed| location::real(listed) == location::real(file))
    });
    files.extend(further.chain(super::more_files(agent).into_iter().map(|file| ("user", file))));
    files.extend(agent.managed_files().into_iter().map(|file| ("managed", file)));
    files.retain(|(_, file)| file.symlink_metadata().is_ok());
    if settings.scripts {
        let scripts = |(scope, folder): (&'static str, PathBuf)| {
            scripts::files(agent, &folder).into_iter().map(move |file| (scope, file))
        };
        return files.into_iter().flat_map(scripts).collect();
    }
    files
}

fn below(root: &Path, file: &str) -> PathBuf {
    if root == Path::new(".") { PathBuf::from(file) } else { root.join(file) }
}

/// The calls in a file, or why they are unknown.
pub(crate) fn of_file(
    agent: Target,
    scope: &'static str,
    file: &Path,
    root: Option<&Path>,
) -> Result<Vec<Call>, String> {
    match files::text(file) {
        Ok(Ok(text)) => of_text(agent, scope, file, root, &text),
        Ok(Err(diagnostic)) => Err(diagnostic.message),
        Err(error) => Err(error.to_string()),
    }
}

/// Like `of_file`, for the text of the file.
pub(crate) fn of_text(
    agent: Target,
    scope: &'static str,
    file: &Path,
    root: Option<&Path>,
    text: &str,
) -> Result<Vec<Call>, String> {
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Ok(Vec::new());
    }
    let script = agent.settings.scripts.then(|| scripts::as_settings(file, text));
    let text = script.as_deref().unwrap_or(text);
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let source = sources.add(files::name(file), text);
    let read = settings_value(&files::name(file), text, source, &mut diagnostics);
    if let Some(wrong) = diagnostics.iter().find(|diagnostics| diagnostics.is_error()) {
        let at = wrong.span().map(|span| format!("{}: ", sources.location(span))).unwrap_or_default();
        return Err(format!("{at}{}", wrong.message));
    }
    let Some(root_value) = read else { return Ok(Vec::new()) };
    let root_value = agent.agent().by_event(&files::name(file), root_value);
    let env = root_value.get("env").map(Value::members).unwrap_or_default().iter();
    let env = env.filter_map(|member| Some((member.key.node.clone(), member.value.as_str()?.to_owned())));
    let settings = Settings { agent, scope, file, root, sources: &sources, env: env.collect() };
    // Of repeated keys, agents read the last one.
    let hooks = root_value.members().iter().rfind(|member| member.key.node == "hooks");
    let events = hooks.map(|hooks| hooks.value.members()).unwrap_or_default();
    let is_list = agent.form.as_ref().is_some_and(|form| form.listed.is_some());
    let last: BTreeMap<&str, usize> =
        events.iter().enumerate().map(|(at, event)| (event.key.node.as_str(), at)).collect();
    let read = events
        .iter()
        .enumerate()
        .filter(|(at, event)| is_list || last.get(event.key.node.as_str()) == Some(at));
    Ok(read.flat_map(|(_, event)| settings.under(&event.key.node, &event.value)).collect())
}

struct Settings<'s> {
    agent: Target,
    scope: &'static str,
    file: &'s Path,
    root: Option<&'s Path>,
    sources: &'s Sources,
    env: Vec<(String, String)>,
}

impl Settings<'_> {
    fn under(&self, event: &str, entries: &Value) -> Vec<Call> {
        let handlers = entries.items().iter().flat_map(agents::handlers);
        handlers.filter_map(|handler| self.call(event, handler)).collect()
    }

    fn call(&self, event: &str, handler: &Value) -> Option<Call> {
        let value = self.agent.command_keys().find_map(|key| handler.get(key))?;
        let line = value.as_str()?;
        let args = handler.get("args").map(|args| args.items().iter().filter_map(Value::as_str));
        let args: Option<Vec<String>> = args.map(|args| args.map(str::to_owned).collect());
        let (run, program, set) = match &args {
            Some(args) => {
                let (run, program) = of_words(&line_and(line, args.iter().map(String::as_str)))?;
                (run, program, Vec::new())
            }
            None => of_line(line)?,
        };
        let mut env = self.env.clone();
        env.extend(set);
        let variable = |name: &str| {
            let set = env.iter().rfind(|(own, _)| own == name).map(|(_, value)| PathBuf::from(value));
            set.or_else(|| std::env::var_os(name).map(PathBuf::from))
        };
        let path = |word: &str| location::resolve(word, self.root, self.root, &variable);
        let real = |word: &str| path(word).map_or_else(|| word.to_owned(), |path| name(&path));
        let layer = |text: &String| match text.split_once('=') {
            Some((layer, file)) => format!("{layer}={}", real(file)),
            None => text.clone(),
        };
        let log = match (&run.logging.log, run.logging.no_log) {
            (_, true) => Log::None,
            (Some(log), _) => path(&log.to_string_lossy()).map_or_else(|| unknown(log), Log::File),
            (None, _) => match state::path(&variable) {
                Some(folder) => Log::File(folder.join("decisions.jsonl")),
                None => Log::Unknown("no home directory for the log".to_owned()),
            },
        };
        let policies = run.files.iter().map(|file| real(&file.to_string_lossy()));
        let verify_key = run.sources.verify_key.as_ref();
        let start = Start {
            line: line.to_owned(),
            args,
            shell: handler.get("shell").and_then(Value::as_str).map(str::to_owned),
            env: self.env.clone(),
            timeout: self.agent.own_timeout(handler).and_then(|own| Duration::try_from_secs_f64(own).ok()),
            narrowed: narrowed(handler, self.agent),
            verify_key: verify_key.map(|key| PathBuf::from(real(&key.to_string_lossy()))),
        };
        Some(Call {
            handler: self.sources.location(handler.span),
            start,
            agent: self.agent,
            scope: self.scope,
            file: self.file.to_path_buf(),
            at: self.sources.location(value.span),
            event: event.to_owned(),
            policies: policies.chain(run.sources.layers.iter().map(layer)).collect(),
            log,
            program,
            is_fallback: run.or_starter.is_some(),
        })
    }
}

fn unknown(log: &Path) -> Log {
    Log::Unknown(format!("the path of the log `{}` is relative to the directory of the agent", log.display()))
}

fn line_and<'a>(program: &'a str, args: impl Iterator<Item = &'a str>) -> Vec<String> {
    std::iter::once(program).chain(args).map(str::to_owned).collect()
}

/// The policy's name in the log: its path without symbolic links and `..`.
pub(crate) fn name(path: &Path) -> String {
    if files::is_stdin(path) { "-".to_owned() } else { location::real(path).to_string_lossy().into_owned() }
}

/// The names and values of variables that are set for a command.
type Assignments = Vec<(String, String)>;

/// The call of `hookc run` in a command line, its program, and the variables set for it; it may follow `cd DIR
/// &&`.
fn of_line(line: &str) -> Option<(Run, String, Assignments)> {
    let (mut line, _) = fallback::split(line);
    loop {
        let Words { words, rest, .. } = command::words(line);
        let (before, command_words) = words.split_at_checked(command::before(&words))?;
        if let Some((run, program)) = of_words(command_words) {
            let set = before.iter().filter_map(|word| command::assignment(word));
            return Some((
                run,
                program,
                set.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            ));
        }
        let rest = rest?;
        let next = rest.trim_start_matches(['&', '|', ';', '(', ')', '\n', '`']);
        // In a compound command, after its first word.
        line = if next.len() < line.len() { next } else { next.split_once(char::is_whitespace)?.1 };
    }
}

fn of_words(words: &[String]) -> Option<(Run, String)> {
    let (program, args) = words.split_first()?;
    if !command::is_hookc(program) && !command::is_run(args) {
        return None;
    }
    match command::parsed(args).ok()?.command {
        Command::Run(run) => Some((run, program.clone())),
        _ => None,
    }
}
