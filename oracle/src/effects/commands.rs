//! The effects of the commands of a line.

use super::arguments::{Argument, Arguments, Given, arguments};
use super::line::{Command, Line, Redirect, RedirectKind, Word};
use super::model::{Act, Deeds, Effect, Flag, Kind, Operand, Scheme};
use super::place::resolve;
use super::roles::{Object, copies, has_attribute, named, objects, pushes};
use super::rows::{Row, Rows};
use super::text::{Hole, Symbol, Text};

/// Adds what a line does.
pub(super) fn add_line(rows: &Rows, line: &Line, deeds: &mut Deeds) {
    let first = deeds.commands.len();
    deeds.is_unknown |= line.is_opaque;
    deeds.variables.extend(line.variables.iter().cloned());
    for (number, command) in line.commands.iter().enumerate() {
        let reader = Reader { rows, line, command, number, first };
        let parsed = reader.parsed();
        reader.effects(&parsed, deeds);
        let act = reader.act(&parsed);
        deeds.commands.push(act);
    }
}

struct Reader<'a> {
    rows: &'a Rows,
    line: &'a Line,
    command: &'a Command,
    number: usize,
    first: usize,
}

/// A command with its arguments.
struct Parsed<'r> {
    program: Option<&'r Row>,
    arguments: Arguments<'r>,
    /// Where its relative paths start.
    directories: Vec<Text>,
}

/// The last name of a program.
fn base(program: &str) -> String {
    program.rsplit('/').next().unwrap_or_default().to_owned()
}

fn place(directory: &Option<String>) -> Text {
    directory.as_deref().map_or_else(Text::unknown, Text::from)
}

/// The likely directory.
fn likely(directories: &[Option<String>]) -> Text {
    directories.first().map_or_else(Text::unknown, place)
}

/// Variables that a shell sets itself.
const SHELL_VARIABLES: &[&str] = &[
    "PWD",
    "OLDPWD",
    "RANDOM",
    "SECONDS",
    "LINENO",
    "PPID",
    "UID",
    "EUID",
    "GID",
    "HOSTNAME",
    "IFS",
    "COLUMNS",
    "LINES",
    "SHLVL",
    "OPTARG",
    "OPTIND",
    "BASH",
    "BASHPID",
    "BASH_VERSION",
    "EPOCHSECONDS",
    "EPOCHREALTIME",
    "HOSTTYPE",
    "MACHTYPE",
    "OSTYPE",
    "SRANDOM",
    "ZSH_VERSION",
];

/// Keys of roles that are paths.
const PATHS: &[&str] = &["READ", "USE", "LIST", "WRITE", "EDIT", "DELETE", "MOVE", "INTO", "SEND", "REMOTE"];

impl<'a> Reader<'a> {
    fn parsed(&self) -> Parsed<'a> {
        let program = self.command.program.as_deref().and_then(|name| self.rows.program(&base(name)));
        let arguments = arguments(program, &self.command.words);
        let count = if self.command.is_either { 2 } else { 1 };
        let mut directories: Vec<Text> = self.command.directories.iter().take(count).map(place).collect();
        let options = |argument: &&Argument| argument.role == "DIR" && argument.option.is_some();
        for argument in arguments.roles.iter().filter(options) {
            directories = directories.iter().map(|directory| resolve(directory, &argument.text)).collect();
        }
        Parsed { program, arguments, directories }
    }

    fn number(&self, at: usize) -> usize {
        self.first + at
    }

    fn effect(&self, kind: Kind, scheme: Scheme, object: Text) -> Effect {
        let command = Some(self.number(self.number));
        Effect { kind, scheme, object, is_tree: false, is_implied: false, is_assumed: false, command }
    }

    fn effects(&self, parsed: &Parsed<'_>, deeds: &mut Deeds) {
        let row = parsed.arguments.row.clone().unwrap_or_default();
        let mut effects = Vec::new();
        let mut is_dry = false;
        for directory in &parsed.directories {
            let context = Object { row: &row, program: parsed.program, parsed: &parsed.arguments, directory };
            is_dry = has_attribute(&context, "dry") || row.is("dry");
            let is_tree = has_attribute(&context, "tree") || row.is("tree");
            for argument in &parsed.arguments.roles {
                let hides = row.text("hidden") == Some(argument.role.as_str());
                let is_path = PATHS.contains(&argument.role.as_str()) && argument.option.is_none();
                for (kind, scheme, object) in objects(&context, argument) {
                    let kind = if hides && kind == Kind::Read { Kind::Use } else { kind };
                    effects.push(Effect { is_tree: is_tree && is_path, ..self.effect(kind, scheme, object) });
                }
            }
            let more = pushes(&context).into_iter().chain(copies(&context));
            effects.extend(more.map(|(kind, scheme, object)| self.effect(kind, scheme, object)));
            self.implied(&context, is_tree, &mut effects);
        }
        self.hosts(parsed, &row, &mut effects);
        if row.list("stdin").iter().any(|role| role == "SEND") {
            effects.extend(self.input());
        }
        let leaves = |effect: &Effect| {
            !is_dry
                || !matches!(
                    effect.kind,
                    Kind::Write | Kind::Delete | Kind::Send | Kind::Install | Kind::Push
                )
        };
        deeds.effects.extend(effects.into_iter().filter(leaves));
        for redirect in &self.command.redirects {
            deeds.effects.extend(self.redirect(redirect));
        }
        self.words(parsed, deeds);
        deeds.effects.retain(|effect| !is_sink(effect));
    }

    /// What the program does without a word for it.
    fn implied(&self, context: &Object<'_>, is_tree: bool, effects: &mut Vec<Effect>) {
        let is_path = |argument: &Argument| {
            let role = argument.role.split(':').next().unwrap_or_default();
            argument.option.is_none() && (PATHS.contains(&role) || role == "COMMAND")
        };
        let Some(text) = context.row.text("implied") else { return };
        if context.parsed.roles.iter().any(is_path) || self.command.has_more {
            return;
        }
        for part in text.split(", ") {
            let Some((role, object)) = part.split_once(' ') else { continue };
            // A search reads what is piped into it.
            if role == "READ" && !object.contains(':') && self.is_fed() && !has_attribute(context, "tree") {
                continue;
            }
            let argument = Argument { role: role.to_owned(), text: Text::from(object), option: None, at: 0 };
            for (kind, scheme, object) in named(context, &argument) {
                effects.push(Effect { is_implied: true, is_tree, ..self.effect(kind, scheme, object) });
            }
        }
    }

    /// The machines that the program contacts if no word names one.
    fn hosts(&self, parsed: &Parsed<'_>, row: &Row, effects: &mut Vec<Effect>) {
        let hosts = row.text("hosts").or_else(|| parsed.program.and_then(|row| row.text("hosts")));
        if !effects.iter().any(|effect| effect.kind == Kind::Contact) {
            for host in hosts.unwrap_or_default().split_whitespace() {
                let contact = self.effect(Kind::Contact, Scheme::Host, Text::from(host));
                effects.push(Effect { is_implied: true, ..contact });
            }
        }
    }

    fn is_fed(&self) -> bool {
        let gets = |command: &Command| command.pipes_to.contains(&self.number);
        self.line.commands.iter().any(gets)
    }

    /// What a program does that sends its input.
    fn input(&self) -> Vec<Effect> {
        let files = self.command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Read);
        let mut sent: Vec<Effect> =
            files.map(|redirect| self.effect(Kind::Send, Scheme::File, self.target(redirect))).collect();
        if self.is_fed() {
            sent.push(self.effect(Kind::Send, Scheme::File, Text::unknown()));
        }
        sent
    }

    fn target(&self, redirect: &Redirect) -> Text {
        resolve(&likely(&redirect.directories), &redirect.word.text)
    }

    fn redirect(&self, redirect: &Redirect) -> Vec<Effect> {
        let path = self.target(redirect);
        let (reads, writes) = match redirect.kind {
            RedirectKind::Read => (true, false),
            RedirectKind::Write => (false, true),
            RedirectKind::ReadWrite => (true, true),
            RedirectKind::Here | RedirectKind::Duplicate => return Vec::new(),
        };
        if let Some(rest) = path.strip_prefix("/dev/tcp/").or_else(|| path.strip_prefix("/dev/udp/")) {
            let host = rest.split('/').into_iter().next().unwrap_or_default();
            let mut effects = vec![self.effect(Kind::Contact, Scheme::Host, host)];
            if writes {
                effects.push(self.effect(Kind::Send, Scheme::File, Text::unknown()));
            }
            return effects;
        }
        let kinds = [(reads, Kind::Read), (writes, Kind::Write)];
        let effect = |(is, kind): (bool, Kind)| is.then(|| self.effect(kind, Scheme::File, path.clone()));
        kinds.into_iter().filter_map(effect).collect()
    }

    /// Variables of the environment in words, and wildcards of the shell.
    fn words(&self, parsed: &Parsed<'_>, deeds: &mut Deeds) {
        let row = parsed.arguments.row.clone().unwrap_or_default();
        let kind = if self.command.is_captured { Kind::Use } else { Kind::Read };
        let is_known = |name: &str| {
            SHELL_VARIABLES.contains(&name) || self.line.variables.iter().any(|(own, _)| own == name)
        };
        let bodies = self.command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Here);
        let words = self.command.words.iter().enumerate().skip(1);
        let words = words.filter(|(at, _)| {
            let roles = parsed.arguments.roles.iter().filter(|argument| argument.at == *at);
            !roles.clone().any(|argument| is_object(&argument.role))
        });
        let texts = words.map(|(_, word)| word).chain(bodies.map(|redirect| &redirect.word));
        for name in texts.flat_map(|word| &word.variables) {
            let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            if is_name && !is_known(name) && !row.is("silent") {
                deeds.effects.push(self.effect(kind, Scheme::Variable, Text::from(name.as_str())));
            }
        }
        for word in &self.command.words {
            if let Some(directory) = globbed(&word.text) {
                let path = resolve(&likely(&self.command.directories), &directory);
                deeds.effects.push(self.effect(Kind::List, Scheme::File, path));
            }
        }
    }

    fn act(&self, parsed: &Parsed<'_>) -> Act {
        let command = self.command;
        let row = parsed.arguments.row.clone().unwrap_or_default();
        let flags: Vec<Flag> = parsed.arguments.given.iter().map(flag).collect();
        let has_unlisted = flags.iter().any(|flag| flag.is_unlisted);
        let word = |at: usize| command.words.get(at).cloned().unwrap_or_default();
        let operand = |(at, text, _): &(usize, Text, bool)| Operand {
            text: text.clone(),
            path: resolve(parsed.directories.first().unwrap_or(&Text::unknown()), text),
            source: word(*at).source,
            variables: word(*at).variables,
        };
        let arguments: Vec<&Word> = command.words.iter().skip(1).collect();
        let numbers = |list: &[usize]| list.iter().map(|at| self.number(*at)).collect();
        let path = command.program.as_ref().filter(|program| program.contains('/'));
        let verb = parsed.arguments.verb.as_ref();
        Act {
            name: command.program.as_deref().map(base),
            path: path.map(|path| resolve(&likely(&command.directories), &Text::from(path.as_str()))),
            verbs: verb.filter(|verb| verb.path.is_some()).map(|verb| verb.names.clone()).unwrap_or_default(),
            is_verb_unknown: verb.is_some_and(|verb| verb.path.is_none()),
            flags,
            operands: parsed.arguments.operands.iter().map(operand).collect(),
            words: arguments.iter().map(|word| word.text.clone()).collect(),
            sources: arguments.iter().map(|word| word.source.clone()).collect(),
            has_more: command.has_more,
            has_hole: command.has_more || arguments.iter().any(|word| can_be_flag(&word.text)),
            env: command
                .env
                .iter()
                .filter_map(|(name, value)| Some((name.text.literal()?, value.text.clone())))
                .collect(),
            has_row: parsed.arguments.row.as_ref().is_some_and(|row| row.operands.is_some()),
            is_plain: is_plain(&row, parsed) && !has_unlisted,
            executes: row.is("executes") || row.is("interpreter") || row.is("shell"),
            starts: parsed.directories.clone(),
            runs: numbers(&command.runs),
            pipes_to: numbers(&command.pipes_to),
            inputs: numbers(&command.inputs),
            starter: command.starter.map(|at| self.number(at)),
        }
    }
}

/// Whether a word can be another one, or several.
pub(super) fn can_be_flag(text: &Text) -> bool {
    text.0.contains(&Symbol::Hole(Hole::Any)) || matches!(text.0.first(), Some(Symbol::Hole(_)))
}

fn flag(given: &Given) -> Flag {
    let code = ["CODE", "SCRIPT", "LOAD", "SETTING", "MODULE", "COMMAND", "WORDS"];
    let options = given.options.as_ref();
    Flag {
        names: given.names.clone(),
        is_global: given.is_global,
        value: given.values.first().cloned(),
        is_unlisted: options.is_none(),
        is_code: options.is_some_and(|options| {
            options.roles.iter().any(|role| code.contains(&role.as_str()))
                || options.attributes.iter().any(|own| own == "code")
        }),
    }
}

/// Whether the words of a command say all that it does.
fn is_plain(row: &Row, parsed: &Parsed<'_>) -> bool {
    let is_code = parsed.arguments.given.iter().any(|given| flag(given).is_code);
    let is_verb_unknown = parsed.arguments.verb.as_ref().is_some_and(|verb| verb.path.is_none());
    row.is("plain") && !row.is("not_plain") && !is_code && !is_verb_unknown
}

/// Roles of words that name an object.
fn is_object(role: &str) -> bool {
    PATHS.contains(&role) || matches!(role, "DIR" | "URL" | "HOST" | "REMOTENAME")
}

/// The directory in which a shell looks for the names of a word.
fn globbed(text: &Text) -> Option<Text> {
    let is_wildcard = |symbol: &Symbol| matches!(symbol, Symbol::Hole(Hole::Name | Hole::Char));
    let names = text.split('/');
    let at = names.iter().position(|name| name.0.iter().any(is_wildcard))?;
    let before: Vec<Vec<Symbol>> = names.into_iter().take(at).map(|name| name.0).collect();
    let is_root = at == 1 && before.first().is_some_and(Vec::is_empty);
    Some(if is_root { Text::from("/") } else { Text(before.join(&Symbol::Char('/'))) })
}

/// Files that hold nothing.
fn is_sink(effect: &Effect) -> bool {
    let path = effect.object.literal().filter(|_| effect.scheme == Scheme::File).unwrap_or_default();
    matches!(path.as_str(), "/dev/null" | "/dev/tty" | "/dev/stdin" | "/dev/stdout" | "/dev/stderr")
        || path.starts_with("/dev/fd/")
}
