//! The wanted hook: from flags, and from answers for missing ones.

use std::path::Path;

use hookc_base::action::Kind;
use hookc_compiler::Dialect;
use hookc_schema::agents::Capability;
use hookc_schema::suggest::nearest;
use hookc_schema::tree::Family;
use hookc_schema::vocab::{EventType, Vocabulary};
use serde_json::Value;

use crate::args::{Language, NewHook};
use crate::ask::{Asker, Question};
use crate::exit::Failure;
use crate::installed::target::{self, Target};

/// The dialects that hooks are scaffolded in.
pub(crate) const DIALECTS: [Dialect; 4] =
    [Dialect::HooksYaml, Dialect::Repository, Dialect::Settings, Dialect::Skill];

/// A hook to write.
#[derive(Debug)]
pub(super) struct Spec {
    /// The coding agent that it is for, if there is one.
    pub(super) host: Option<Target>,
    pub(super) dialect: Dialect,
    pub(super) id: String,
    pub(super) family: Family,
    pub(super) event: String,
    pub(super) blocking: Option<bool>,
    pub(super) matches: Vec<(String, String)>,
    pub(super) when: Option<String>,
    /// One line; empty if absent.
    pub(super) summary: String,
    pub(super) action: Kind,
    pub(super) params: Vec<(String, Value)>,
    /// The language of the handler, if there is one.
    pub(super) handler: Option<Language>,
    /// The file of `--into`, relative to the root of the repository.
    pub(super) into: Option<String>,
}

impl Spec {
    pub(super) fn gather(args: &NewHook, asker: &mut Asker) -> Result<Self, Failure> {
        let host = host(args, asker)?;
        let dialect = dialect(args, host, asker)?;
        fits(args, dialect, host)?;
        let id = id(args, dialect, asker)?;
        let (family, event) = event(args, dialect, host, asker)?;
        let action = action(args, dialect, host.filter(|host| can_deny(*host, &event)), asker)?;
        let handler = handler(args, action, asker)?;
        let mut spec = Self {
            host,
            dialect,
            id,
            family,
            event,
            blocking: args.blocking,
            matches: pairs(&args.matches, "match")?,
            when: args.when.clone(),
            summary: line(args.summary.as_deref().unwrap_or_default()),
            params: pairs(&args.params, "param")?
                .into_iter()
                .map(|(key, text)| (key, scalar(&text)))
                .collect(),
            action,
            handler,
            into: args.into.as_ref().map(|path| into(path)).transpose()?,
        };
        spec.match_keys()?;
        if asker.asks() {
            spec.optional(args, asker)?;
        }
        Ok(spec)
    }

    /// Optional values.
    fn optional(&mut self, args: &NewHook, asker: &mut Asker) -> Result<(), Failure> {
        let any = |text: &str| Ok(text.to_owned());
        let question =
            |flag, text| Question { flag, text, takes: String::new(), default: Some(String::new()) };
        if args.summary.is_none() {
            let asked = question("summary", "a description of one line (may be empty)");
            self.summary = line(&asker.value(&asked, None, any)?);
        }
        let takes_when = matches!(self.dialect, Dialect::HooksYaml | Dialect::Settings);
        if takes_when && args.when.is_none() && args.matches.is_empty() {
            let asked = question("when", "condition, such as `tool_name == 'Bash'` (empty: always)");
            let when = asker.value(&asked, None, any)?;
            self.when = Some(when).filter(|when| !when.is_empty());
        }
        Ok(())
    }

    /// The event as the vocabulary declares it.
    pub(super) fn declared(&self) -> Option<EventType> {
        Vocabulary::builtin().events.get(&(self.family, self.event.clone())).cloned()
    }

    /// Whether the model waits for repository hooks of the event.
    pub(super) fn waits(&self) -> bool {
        matches!(self.event.as_str(), "PromptSubmit" | "PreAbilityCreate" | "PreAbilityCall")
    }

    /// Keys with a meaning in a dialect; a path can be anything.
    fn match_keys(&self) -> Result<(), Failure> {
        let known: &[&str] = match self.dialect {
            Dialect::Repository => &["ability_scope", "min_duration_ms", "only_if_changed_paths"],
            Dialect::Settings => &["matcher"],
            _ => return Ok(()),
        };
        match self.matches.iter().find(|(key, _)| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some((key, _)) => {
                let why = unknown("key", key, known.iter().copied());
                Err(Failure::usage(format!("`--match {key}=...`: {why}")))
            }
        }
    }
}

/// What `--host` is for a hook that no coding agent calls.
const NO_HOST: &str = "none";

/// The coding agent. If the notation is known, only a person is asked.
fn host(args: &NewHook, asker: &mut Asker) -> Result<Option<Target>, Failure> {
    let others = args.dialect.as_deref().is_some_and(|dialect| dialect != Dialect::HooksYaml.name());
    if args.host.is_none() && (others || (args.dialect.is_some() && !asker.asks())) {
        return Ok(None);
    }
    let names: Vec<&str> = target::all().map(|agent| agent.agent().name.as_str()).chain([NO_HOST]).collect();
    let list = names.join(", ");
    let question = Question {
        flag: "host",
        text: &format!("for which coding agent: {list}"),
        takes: list.clone(),
        default: Some("claude".to_owned()),
    };
    asker.value(&question, args.host.as_deref(), |text| match text {
        NO_HOST => Ok(None),
        text => target::by_name(text).map(Some).ok_or_else(|| unknown("agent", text, names.iter().copied())),
    })
}

/// Whether an agent can deny an event of the vocabulary.
fn can_deny(host: Target, event: &str) -> bool {
    host.agent().native(event).is_some_and(|native| native.can(Capability::Deny))
}

fn dialect(args: &NewHook, host: Option<Target>, asker: &mut Asker) -> Result<Dialect, Failure> {
    if host.is_some() && args.dialect.is_none() {
        return Ok(Dialect::HooksYaml);
    }
    let names = || DIALECTS.iter().map(|dialect| dialect.name());
    let question = Question {
        flag: "dialect",
        text: "dialect: hooks-yaml, repository, settings or skill",
        takes: names().collect::<Vec<_>>().join(", "),
        default: Some(Dialect::HooksYaml.name().to_owned()),
    };
    asker.value(&question, args.dialect.as_deref(), |text| {
        let found = DIALECTS.iter().copied().find(|dialect| dialect.name() == text);
        found.ok_or_else(|| unknown("scaffold for the dialect", text, names()))
    })
}

/// Whether the dialect supports the flags.
fn fits(args: &NewHook, dialect: Dialect, host: Option<Target>) -> Result<(), Failure> {
    let typed = matches!(dialect, Dialect::HooksYaml | Dialect::Settings);
    let skill = dialect == Dialect::Skill;
    let foreign = match dialect {
        Dialect::HooksYaml => false,
        Dialect::Settings => host.is_some_and(|host| host.name != "claude"),
        _ => host.is_some(),
    };
    let checks = [
        ("host", foreign, "is for no such agent: leave out `--dialect`"),
        ("when", args.when.is_some() && !typed, "has no conditions"),
        ("action", args.action.is_some() && !typed, "runs a script and has no other actions"),
        ("param", !args.params.is_empty() && !typed, "runs a script and has no parameters"),
        ("match", !args.matches.is_empty() && skill, "has no match keys"),
        ("into", args.into.is_some() && !typed, "has its own file"),
        ("blocking", args.blocking.is_some() && skill, "is always blocking"),
        (
            "handler",
            args.handler.is_some_and(|language| language != Language::Python) && skill,
            "is a Python file: `--handler python`",
        ),
    ];
    match checks.iter().find(|(_, wrong, _)| *wrong) {
        None => Ok(()),
        Some((flag, _, why)) => {
            Err(Failure::usage(format!("`--{flag}`: a hook of the dialect {} {why}", dialect.name())))
        }
    }
}

fn id(args: &NewHook, dialect: Dialect, asker: &mut Asker) -> Result<String, Failure> {
    let skill = dialect == Dialect::Skill;
    let question = Question {
        flag: "id",
        text: if skill { "name of the skill" } else { "id" },
        takes: "a name such as `guard-paths`".to_owned(),
        default: None,
    };
    asker.value(&question, args.id.as_deref(), |text| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric());
        if begins && text.chars().all(plain) && text != "none" {
            return Ok(text.to_owned());
        }
        let near: String =
            text.chars().map(|c| if plain(c) { c.to_ascii_lowercase() } else { '-' }).collect();
        let near = near.trim_matches(['-', '_']);
        let near = if near.is_empty() || near == "none" { "guard-paths" } else { near };
        Err(format!("an id consists of letters, digits, `-` and `_`: write `{near}`"))
    })
}

/// The event of an agent, by its name there or in the vocabulary.
fn event_of_agent(args: &NewHook, host: Target, asker: &mut Asker) -> Result<(Family, String), Failure> {
    let default = host.native_name("PreToolUse").map(str::to_owned);
    let takes = format!("the name of an event of {}", host.label);
    let names: Vec<&str> = host.event_names().collect();
    let question = Question { flag: "event", text: "event", takes, default };
    asker.value(&question, args.event.as_deref(), |text| {
        match host.native_name(text).or_else(|| host.agent().event(text).map(|known| known.name.as_str())) {
            Some(native) => Ok((Family::Agent, host.translated(native).to_owned())),
            None => Err(unknown("event", text, names.iter().copied())),
        }
    })
}

fn event(
    args: &NewHook,
    dialect: Dialect,
    host: Option<Target>,
    asker: &mut Asker,
) -> Result<(Family, String), Failure> {
    if let Some(host) = host {
        return event_of_agent(args, host, asker);
    }
    let vocabulary = Vocabulary::builtin();
    let (family, default) = match dialect {
        Dialect::Repository => (Family::Repository, "PreAbilityCall"),
        Dialect::Settings => (Family::Agent, "PreToolUse"),
        Dialect::Skill => (Family::Skill, "pre_execute"),
        _ => (Family::Thread, "error"),
    };
    let is_possible = |event: Family| dialect == Dialect::HooksYaml || event == family;
    let names =
        || vocabulary.events.keys().filter(|(event, _)| is_possible(*event)).map(|(_, name)| name.as_str());
    let takes = match dialect {
        Dialect::HooksYaml => "the name of an event, such as `error`, `limit` or `PreToolUse`".to_owned(),
        Dialect::Settings => "the name of an event of coding agents, such as `PreToolUse`".to_owned(),
        _ => names().collect::<Vec<_>>().join(", "),
    };
    let question = Question { flag: "event", text: "event", takes, default: Some(default.to_owned()) };
    asker.value(&question, args.event.as_deref(), |text| {
        let found = vocabulary.event(family, text).filter(|event| is_possible(event.family));
        match found {
            Some(found) => Ok((found.family, text.to_owned())),
            None if vocabulary.events.contains_key(&(Family::Agent, text.to_owned())) => Err(format!(
                "this is an event of coding agents, and no agent calls a hook of the dialect {}: write `--host claude` \
                 instead of `--dialect {}`",
                dialect.name(),
                dialect.name()
            )),
            None => Err(unknown("event", text, names())),
        }
    })
}

/// The action; `denying` is the agent if it can deny the event.
fn action(
    args: &NewHook,
    dialect: Dialect,
    denying: Option<Target>,
    asker: &mut Asker,
) -> Result<Kind, Failure> {
    let vocabulary = Vocabulary::builtin();
    let names = || vocabulary.actions.keys().map(String::as_str);
    let check = |text: &str| Kind::parse(text).ok_or_else(|| unknown("action", text, names()));
    let question = Question {
        flag: "action",
        text: "action: deny, ask, inject, run (a handler), ...",
        takes: names().collect::<Vec<_>>().join(", "),
        default: Some(if denying.is_some() { Kind::Deny } else { Kind::Run }.as_str().to_owned()),
    };
    match (dialect, args.action.as_deref()) {
        (Dialect::Skill, _) => Ok(Kind::Script),
        (Dialect::Repository, _) | (Dialect::Settings, None) => Ok(Kind::Run),
        (_, given) => asker.value(&question, given, check),
    }
}

const LANGUAGES: [Language; 3] = [Language::Python, Language::Sh, Language::Typescript];

fn name(language: Language) -> &'static str {
    match language {
        Language::Python => "python",
        Language::Sh => "sh",
        Language::Typescript => "typescript",
    }
}

/// The language of the handler; scripts that are called by name are Python.
fn handler(args: &NewHook, action: Kind, asker: &mut Asker) -> Result<Option<Language>, Failure> {
    match (action, args.handler) {
        (Kind::Script, None | Some(Language::Python)) => Ok(Some(Language::Python)),
        (Kind::Script, Some(other)) => {
            Err(Failure::usage(format!("`--handler {}`: a script is a Python file", name(other))))
        }
        (Kind::Run, Some(language)) => Ok(Some(language)),
        (Kind::Run, None) => {
            let question = Question {
                flag: "handler",
                text: "handler: python, sh or typescript",
                takes: "python, sh or typescript".to_owned(),
                default: Some("python".to_owned()),
            };
            let language = |text: &str| {
                let found = LANGUAGES.into_iter().find(|language| name(*language) == text);
                found.ok_or_else(|| unknown("language", text, LANGUAGES.map(name)))
            };
            asker.value(&question, None, language).map(Some)
        }
        (_, Some(_)) => {
            let kind = action.as_str();
            Err(Failure::usage(format!("`--handler`: the action `{kind}` has no handler")))
        }
        (_, None) => Ok(None),
    }
}

/// A path as other files name it.
fn into(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().ok_or_else(|| Failure::usage(format!("{}: not UTF-8", path.display())))?;
    Ok(text.strip_prefix("./").unwrap_or(text).to_owned())
}

fn unknown<'n>(what: &str, name: &str, known: impl IntoIterator<Item = &'n str> + Clone) -> String {
    let near = nearest(name, known.clone()).map(|near| format!("; did you mean `{near}`?"));
    let known_names = || format!(" (known: {})", known.into_iter().collect::<Vec<_>>().join(", "));
    format!("unknown {what} `{name}`{}", near.unwrap_or_else(known_names))
}

fn pairs(texts: &[String], flag: &str) -> Result<Vec<(String, String)>, Failure> {
    let pair = |text: &String| match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err(Failure::usage(format!("`--{flag} {text}` should be `--{flag} KEY=VALUE`"))),
    };
    texts.iter().map(pair).collect()
}

/// A value as JSON, otherwise as text.
pub(super) fn scalar(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

/// On one line, without characters that a terminal or a comment would misread.
fn line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.trim().to_owned()
}

/// The handler's file name without its directory.
pub(super) fn file_name(id: &str, language: Language) -> String {
    let ending = match language {
        Language::Python => "py",
        Language::Sh => "sh",
        Language::Typescript => "ts",
    };
    format!("{id}.{ending}")
}

/// `path` in `dir`, without a `./` before it.
pub(super) fn place(dir: &Path, path: &str) -> std::path::PathBuf {
    if dir == Path::new(".") { path.into() } else { dir.join(path) }
}
