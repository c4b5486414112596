//! The effects of the commands of a line.

use super::arguments::{Argument, Arguments, Given, arguments};
use super::line::{Command, Line, RedirectKind, Word};
use super::model::{Act, Deeds, Effect, Flag, Kind, Operand, Scheme};
use super::place::resolve;
use super::roles::{Object, copies, has_attribute, named, objects, outputs, pushes};
use super::rows::{Options, Row, Rows};
use super::shown::Seen;
use super::streams::sends_input;
use super::text::{Hole, Symbol, Text};

/// Adds what a line does.
pub(super) fn add_line(rows: &Rows, line: &Line, deeds: &mut Deeds) {
    let first = deeds.commands.len();
    deeds.is_unknown |= line.is_opaque;
    deeds.variables.extend(line.variables.iter().cloned());
    let seen = Seen::new(rows, line);
    let start = deeds.effects.len();
    for (number, command) in line.commands.iter().enumerate() {
        let reader = Reader { rows, line, command, number, first, seen: &seen };
        let parsed = reader.parsed();
        reader.effects(&parsed, deeds);
        let act = reader.act(&parsed);
        deeds.commands.push(act);
    }
    super::flow::add_files(deeds, start);
}

pub(super) struct Reader<'a> {
    rows: &'a Rows,
    pub(super) line: &'a Line,
    pub(super) command: &'a Command,
    pub(super) number: usize,
    first: usize,
    seen: &'a Seen,
}

/// A command with its arguments.
pub(super) struct Parsed<'r> {
    program: Option<&'r Row>,
    pub(super) arguments: Arguments<'r>,
    /// Where its relative paths start.
    directories: Vec<Text>,
}

/// The words of a command with their roles.
pub(super) fn parsed<'r>(rows: &'r Rows, command: &Command) -> Parsed<'r> {
    let program = command.program.as_deref().and_then(|name| rows.program(&base(name)));
    let arguments = arguments(program, &command.words);
    let count = if command.is_either { 2 } else { 1 };
    let mut directories: Vec<Text> = command.directories.iter().take(count).map(place).collect();
    let options = |argument: &&Argument| argument.role == "DIR" && argument.option.is_some();
    for argument in arguments.roles.iter().filter(options) {
        directories = directories.iter().map(|directory| resolve(directory, &argument.text)).collect();
    }
    Parsed { program, arguments, directories }
}

/// The last name of a program.
pub(super) fn base(program: &str) -> String {
    let folded = program.to_ascii_lowercase();
    let is_windows = [".exe", ".cmd", ".bat", ".com", ".ps1"].iter().any(|suffix| folded.ends_with(suffix));
    let ends = |c: char| c == '/' || c == '\\' && is_windows;
    program.rsplit(ends).next().unwrap_or_default().to_owned()
}

fn place(directory: &Option<String>) -> Text {
    directory.as_deref().map_or_else(Text::unknown, Text::from)
}

/// The likely directory.
pub(super) fn likely(directories: &[Option<String>]) -> Text {
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
        parsed(self.rows, self.command)
    }

    pub(super) fn number(&self, at: usize) -> usize {
        self.first + at
    }

    pub(super) fn effect(&self, kind: Kind, scheme: Scheme, object: Text) -> Effect {
        let command = Some(self.number(self.number));
        Effect { kind, scheme, object, is_tree: false, is_implied: false, is_assumed: false, command }
    }

    fn effects(&self, parsed: &Parsed<'_>, deeds: &mut Deeds) {
        let row = parsed.arguments.row.clone().unwrap_or_default();
        let (mut effects, start) = (Vec::new(), deeds.effects.len());
        let mut is_dry = false;
        for directory in &parsed.directories {
            let context = Object { row: &row, program: parsed.program, parsed: &parsed.arguments, directory };
            is_dry = has_attribute(&context, "dry") || row.is("dry");
            let is_tree = has_attribute(&context, "tree") || row.is("tree");
            // What the reader follows is on the line.
            let is_followed = row.is("follows")
                && (has_attribute(&context, "first-is-code") || has_attribute(&context, "all-are-code"));
            for argument in self.with_added(parsed, deeds) {
                if is_followed && argument.role == "SCRIPT" {
                    continue;
                }
                effects.extend(self.argument(&context, &argument, is_tree));
                effects.extend(self.taken(&argument, deeds));
            }
            let more = pushes(&context).into_iter().chain(copies(&context));
            effects.extend(more.map(|(kind, scheme, object)| self.effect(kind, scheme, object)));
            let into = parsed.arguments.roles.iter().rfind(|argument| argument.role == "INTO");
            let into = into.filter(|_| row.text("outputs").is_none());
            let into = into.map(|argument| super::place::resolve(directory, &argument.text));
            let written = |path| Effect { is_tree: true, ..self.effect(Kind::Write, Scheme::File, path) };
            effects.extend(outputs(&context).into_iter().chain(into).map(written));
            if has_attribute(&context, "code") {
                effects.push(self.effect(Kind::Code, Scheme::Code, Text::default()));
            }
            self.implied(&context, is_tree, &mut effects);
        }
        self.hosts(parsed, &row, &mut effects);
        if row.text("stdin") == Some("SEND") {
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
        for redirect in self.command.redirects.iter().filter(|redirect| !redirect.is_inherited) {
            deeds.effects.extend(self.redirect(redirect));
        }
        self.words(parsed, deeds);
        deeds.effects.retain(|effect| !is_sink(effect));
        self.seen.hide(self.number, deeds.effects.get_mut(start..).unwrap_or_default());
        let sent = self.output(deeds);
        deeds.effects.extend(sent);
    }

    /// The arguments, with those that the starter of the command gives it.
    fn with_added(&self, parsed: &Parsed<'_>, deeds: &Deeds) -> Vec<Argument> {
        let is_given = |argument: &Argument| {
            let word = self.command.words.get(argument.at);
            self.command.starter.is_some()
                && argument.text.is_hole()
                && word
                    .is_some_and(|word| word.source == argument.text.to_string() || is_replaced(&word.source))
        };
        let given = || super::flow::given(self.line, self.command, self.first, deeds);
        let mut added = Vec::new();
        for argument in &parsed.arguments.roles {
            if !is_given(argument) || !PATHS.contains(&argument.role.as_str()) {
                added.push(argument.clone());
                continue;
            }
            added.extend(given().into_iter().map(|(text, _)| Argument { text, ..argument.clone() }));
        }
        if self.command.has_more {
            let role = next_role(&parsed.arguments);
            let more = given().into_iter().filter(|_| PATHS.contains(&role.as_str()));
            added.extend(more.map(|(text, _)| Argument { role: role.clone(), text, option: None, at: 0 }));
        }
        added
    }

    fn argument(&self, context: &Object<'_>, argument: &Argument, is_tree: bool) -> Vec<Effect> {
        if sends_input(argument) {
            return self.standard_input();
        }
        let hides = context.row.text("hidden") == Some(argument.role.as_str());
        let is_path = PATHS.contains(&argument.role.as_str()) && argument.option.is_none();
        let names = if is_tree && is_path { narrowing(context, self.command) } else { Vec::new() };
        let mut effects = Vec::new();
        for (kind, scheme, object) in objects(context, argument) {
            let shows = context.row.text("shows") == Some(argument.role.as_str());
            let kind = match kind {
                Kind::Read if hides => Kind::Use,
                Kind::Use if shows => Kind::Read,
                kind => kind,
            };
            if names.is_empty() {
                let is_whole = matches!(argument.role.as_str(), "URL" | "PACKAGE") && kind == Kind::Use;
                let is_tree = scheme == Scheme::File && (is_tree && is_path || is_whole);
                effects.push(Effect { is_tree, ..self.effect(kind, scheme, object) });
                continue;
            }
            for name in &names {
                effects.push(self.effect(kind, scheme, super::place::below(&object, name)));
            }
        }
        effects
    }

    /// What the program does without a word for it.
    fn implied(&self, context: &Object<'_>, is_tree: bool, effects: &mut Vec<Effect>) {
        let Some(text) = context.row.text("implied").filter(|_| !self.command.has_more) else { return };
        let operands = || context.parsed.roles.iter().filter(|argument| argument.option.is_none());
        let starts = |role: &str| matches!(role, "SCRIPT" | "LOAD" | "MODULE" | "COMMAND" | "WORDS");
        let is_file = |argument: &Argument| {
            let role = argument.role.split(':').next().unwrap_or_default();
            PATHS.contains(&role) || role == "DECLARED" || starts(role)
        };
        let has_name = operands().any(|argument| argument.role.contains(':') || starts(&argument.role));
        for part in text.split(", ") {
            let Some((role, object)) = part.split_once(' ') else { continue };
            let is_name = object.contains(':');
            if is_name && has_name || !is_name && operands().any(is_file) {
                continue;
            }
            // A search reads what is piped into it.
            if role == "READ" && !object.contains(':') && self.is_fed() && !has_attribute(context, "tree") {
                continue;
            }
            let argument = Argument { role: role.to_owned(), text: Text::from(object), option: None, at: 0 };
            let names = if is_tree { narrowing(context, self.command) } else { Vec::new() };
            for (kind, scheme, object) in named(context, &argument) {
                if names.is_empty() {
                    effects.push(Effect {
                        is_implied: true,
                        is_tree,
                        ..self.effect(kind, scheme, object.clone())
                    });
                }
                for name in &names {
                    let object = super::place::below(&object, name);
                    effects.push(Effect { is_implied: true, ..self.effect(kind, scheme, object) });
                }
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

    /// Variables of the environment in words, and wildcards of the shell.
    fn words(&self, parsed: &Parsed<'_>, deeds: &mut Deeds) {
        let row = parsed.arguments.row.clone().unwrap_or_default();
        let is_known = |name: &str| {
            SHELL_VARIABLES.contains(&name) || self.line.variables.iter().any(|(listed, _)| listed == name)
        };
        let bodies = self.command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Here);
        let words = self.command.words.iter().enumerate().skip(1);
        let words = words.filter(|(at, _)| {
            let roles = parsed.arguments.roles.iter().filter(|argument| argument.at == *at);
            !roles.clone().any(|argument| is_object(&argument.role))
        });
        let is_sent = |at: usize| {
            let mut roles = parsed.arguments.roles.iter().filter(|argument| argument.at == at);
            roles.any(|argument| matches!(argument.role.as_str(), "DATA" | "FORM"))
        };
        let (sent, shown): (Vec<_>, Vec<_>) = words.partition(|(at, _)| is_sent(*at));
        let texts = shown.into_iter().map(|(_, word)| word).chain(bodies.map(|redirect| &redirect.word));
        for name in texts.flat_map(|word| &word.variables) {
            let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            let object = if name == "*" { Text::unknown() } else { Text::from(name.as_str()) };
            if (is_name && !is_known(name) || name == "*") && !row.is("silent") {
                deeds.effects.push(self.effect(Kind::Read, Scheme::Variable, object));
            }
        }
        let values =
            self.command.env.iter().map(|(_, value)| value).chain(sent.iter().map(|(_, word)| *word));
        for name in values.flat_map(|word| &word.variables) {
            if !is_known(name) && !row.is("silent") {
                deeds.effects.push(self.effect(Kind::Use, Scheme::Variable, Text::from(name.as_str())));
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
            has_hole: command.has_more || arguments.iter().any(|word| word.text.can_be_flag()),
            env: command
                .env
                .iter()
                .filter_map(|(name, value)| Some((name.text.literal()?, value.text.clone())))
                .collect(),
            has_row: parsed.arguments.row.as_ref().is_some_and(|row| row.operands.is_some()),
            is_plain: is_plain(&row, parsed, &command.words) && !has_unlisted,
            is_required: command.is_required,
            executes: row.is("executes")
                || parsed.program.is_some_and(|row| row.is("interpreter") || row.is("shell")),
            starts: parsed.directories.clone(),
            runs: numbers(&command.runs),
            pipes_to: numbers(&command.pipes_to),
            inputs: numbers(&command.inputs),
            files: Vec::new(),
            starter: command.starter.map(|at| self.number(at)),
        }
    }
}

/// Whether a hole is a text that a program replaces, such as `{}`.
fn is_replaced(source: &str) -> bool {
    !source.starts_with(['$', '`', '<', '>', '*', '?', '['])
}

/// The role of an operand after those that are there.
fn next_role(arguments: &Arguments<'_>) -> String {
    let slots = arguments.row.as_ref().and_then(|row| row.operands.clone()).unwrap_or_default();
    let number = arguments.operands.len();
    super::arguments::role_of(&slots, number, number + 1)
}

/// The globs of options that narrow what is below a directory: `find -name`.
fn narrowing(context: &Object<'_>, command: &Command) -> Vec<Text> {
    let negates = |word: &Word| matches!(word.source.as_str(), "!" | "-not" | "-o" | "-or" | "," | "-prune");
    let options = context.row.list("narrow");
    if options.is_empty() || command.words.iter().any(negates) {
        return Vec::new();
    }
    let narrows = |given: &&Given| {
        let mut names =
            options.iter().flat_map(|option| option.split('/')).map(|name| name.trim_start_matches('-'));
        names.any(|name| given.names.first().is_some_and(|listed| listed == name))
    };
    let values = context.parsed.given.iter().filter(narrows).filter_map(|given| given.values.first());
    values.map(|value| super::gather::wildcards(&value.to_string())).collect()
}

fn flag(given: &Given) -> Flag {
    let code = ["CODE", "SCRIPT", "LOAD", "SETTING", "MODULE", "SQL"];
    let options = given.options.as_ref();
    Flag {
        names: given.names.clone(),
        is_global: given.is_global,
        value: given.values.first().cloned(),
        is_unlisted: options.is_none() && !given.names.iter().any(|name| name == "help" || name == "version"),
        is_code: options.is_some_and(|options| {
            options.roles.iter().any(|role| code.contains(&role.as_str()))
                || options.attributes.iter().any(|listed| listed == "code")
        }),
    }
}

/// Whether the words of a command say all that it does.
fn is_plain(row: &Row, parsed: &Parsed<'_>, words: &[Word]) -> bool {
    let is_code = parsed.arguments.given.iter().any(|given| flag(given).is_code);
    let is_verb_unknown = parsed.arguments.verb.as_ref().is_some_and(|verb| verb.path.is_none());
    row.is("plain")
        && !row.is("not_plain")
        && !is_code
        && !is_verb_unknown
        && !can_be_harmful(row, parsed, words)
}

/// Whether an unknown word can be an option that does more than show something else.
fn can_be_harmful(row: &Row, parsed: &Parsed<'_>, words: &[Word]) -> bool {
    let harmless = |role: &String| matches!(role.as_str(), "TEXT" | "READ" | "LIST" | "USE");
    let is_harmful =
        |options: &Options| !options.attributes.is_empty() || !options.roles.iter().all(harmless);
    let parents = parsed.arguments.verb.iter().flat_map(|verb| verb.parents.iter().copied());
    let mut rows = std::iter::once(row).chain(parents).chain(parsed.program);
    let starts_open = |text: &Text| text.0.first() == Some(&Symbol::Hole(Hole::Any));
    let words = words.iter().skip(1).take_while(|word| word.source != "--");
    words.clone().any(|word| starts_open(&word.text)) && rows.any(|row| row.options.iter().any(is_harmful))
}

/// Roles of words that name an object.
fn is_object(role: &str) -> bool {
    let named = ["URL", "HOST", "REMOTENAME", "REF", "SETREF", "DELREF", "REFSPEC", "PACKAGE", "DECLARED"];
    PATHS.contains(&role) || named.contains(&role) || matches!(role, "DIR" | "SCRIPT" | "LOAD")
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
