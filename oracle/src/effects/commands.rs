//! The effects of the commands of a line.

use super::arguments::{Argument, Arguments, Given, arguments};
use super::line::{Command, Line, Word};
use super::model::{Act, Deeds, Effect, Flag, Kind, Operand, Scheme};
use super::place::resolve;
use super::plain::is_plain;
use super::refs::pushes;
use super::roles::{Object, has_attribute, named, objects, outputs, uploads};
use super::rows::Row;
use super::shown::{STARTS, Seen};
use super::streams::sends_input;
use super::table::Rows;
use super::text::{Symbol, Text};
use super::transfers::{copies, links};

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
    super::status::settle(deeds.commands.get_mut(first..).unwrap_or_default(), first);
    super::flow::add_copies(rows, line, first, deeds, start);
    super::flow::add_sent(line, first, deeds, start);
    super::flow::add_files(deeds, start);
}

pub(super) struct Reader<'a> {
    pub(super) rows: &'a Rows,
    pub(super) line: &'a Line,
    pub(super) command: &'a Command,
    pub(super) number: usize,
    first: usize,
    seen: &'a Seen,
}

/// A command with its arguments.
pub(super) struct Parsed<'r> {
    pub(super) program: Option<&'r Row>,
    pub(super) arguments: Arguments<'r>,
    /// Where its relative paths start.
    pub(super) directories: Vec<Text>,
    /// Every directory that it can start in.
    starts: Vec<Text>,
}

/// The words of a command with their roles.
pub(super) fn parsed<'r>(rows: &'r Rows, command: &Command) -> Parsed<'r> {
    let program = command.program.as_deref().and_then(|name| rows.program(&base(name)));
    let arguments = arguments(program, &command.words);
    let mut starts: Vec<Text> = command.directories.iter().map(place).collect();
    let options = |argument: &&Argument| argument.role == "DIR" && argument.option.is_some();
    for argument in arguments.roles.iter().filter(options) {
        starts = starts.iter().map(|directory| resolve(directory, &argument.text)).collect();
    }
    let count = if command.is_either { 2 } else { 1 };
    let directories = starts.iter().take(count).cloned().collect();
    Parsed { program, arguments, directories, starts }
}

/// The last name of a program.
pub(super) fn base(program: &str) -> String {
    let folded = program.to_ascii_lowercase();
    let is_windows = [".exe", ".cmd", ".bat", ".com", ".ps1"].iter().any(|suffix| folded.ends_with(suffix));
    let ends = |c: char| c == '/' || c == '\\' && is_windows;
    program.rsplit(ends).next().unwrap_or_default().to_owned()
}

fn place(directory: &Option<String>) -> Text {
    directory.as_deref().map_or_else(|| Text::unknown("$PWD"), Text::from)
}

/// The likely directory.
pub(super) fn likely(directories: &[Option<String>]) -> Text {
    directories.first().map_or_else(|| Text::unknown("$PWD"), place)
}

/// Keys of roles that are paths.
pub(super) const PATHS: &[&str] =
    &["READ", "USE", "LIST", "WRITE", "EDIT", "DELETE", "MOVE", "INTO", "SEND", "REMOTE"];

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
        let (mut is_dry, mut uploaded) = (false, None);
        for directory in &parsed.directories {
            let context = Object { row: &row, program: parsed.program, parsed: &parsed.arguments, directory };
            is_dry = has_attribute(&context, "dry") || row.is("dry") || asks_for_help(&parsed.arguments);
            let is_tree = has_attribute(&context, "tree") || row.is("tree");
            effects.extend(self.all_arguments(&context, is_tree, deeds));
            effects.extend(self.opened(&context));
            let more = pushes(&context).into_iter().chain(links(&context)).chain(copies(&context));
            effects.extend(more.map(|(kind, scheme, object)| self.effect(kind, scheme, object)));
            let into = parsed.arguments.roles.iter().rfind(|argument| argument.role == "INTO");
            let into = into.filter(|_| row.text("outputs").is_none());
            let into = into.map(|argument| super::place::resolve(directory, &argument.text));
            let written = |path| Effect { is_tree: true, ..self.effect(Kind::Write, Scheme::File, path) };
            let patched = self.patched(&context, &parsed.directories, deeds);
            let outputs = if patched.is_some() { Vec::new() } else { outputs(&context) };
            effects.extend(outputs.into_iter().chain(into).map(written));
            effects.extend(patched.into_iter().flatten());
            if has_attribute(&context, "code") {
                effects.push(self.effect(Kind::Code, Scheme::Code, Text::default()));
            }
            self.implied(&context, is_tree, &mut effects);
            uploaded = uploads(&context, &effects);
        }
        match uploaded {
            Some(sent) if sent.is_empty() && self.is_fed() => effects.extend(self.standard_input()),
            sent => effects.extend(sent.into_iter().flatten()),
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
        deeds.effects.retain(|effect| !effect.is_sink());
        self.seen.hide(self.number, deeds.effects.get_mut(start..).unwrap_or_default());
        let sent = self.output(deeds);
        deeds.effects.extend(sent);
    }

    /// The effects of the arguments in a directory.
    fn all_arguments(&self, context: &Object<'_>, is_tree: bool, deeds: &Deeds) -> Vec<Effect> {
        let mut effects = Vec::new();
        // What the reader follows is on the line.
        let is_followed = context.row.is("follows")
            && (has_attribute(context, "first-is-code") || has_attribute(context, "all-are-code"));
        for (argument, is_below) in self.with_added(context, deeds) {
            if is_followed && argument.role == "SCRIPT" {
                continue;
            }
            let mut found = self.argument(context, &argument, is_tree && is_below.is_none());
            if self.command.is_traced && argument.role == "SCRIPT" {
                let used = found.iter_mut().filter(|effect| effect.kind == Kind::Use);
                used.for_each(|effect| effect.kind = Kind::Read);
            }
            effects.extend(found.into_iter().map(|effect| match is_below {
                Some(is_tree) => listed(effect, is_tree),
                None => effect,
            }));
            effects.extend(self.attributed(context, &argument));
            effects.extend(self.taken(&argument, deeds));
        }
        effects
    }

    /// The arguments, with those that the starter of the command gives it, and whether it gives all below them.
    fn with_added(&self, context: &Object<'_>, deeds: &Deeds) -> Vec<(Argument, Option<bool>)> {
        let parsed = context.parsed;
        let is_given = |argument: &Argument| {
            let is_starter_there = self.command.starter.is_some();
            is_starter_there && argument.text.is_hole() && is_replaced(&argument.text.written())
        };
        let given = |lister| super::flow::given(self.rows, self.line, lister, self.first, deeds);
        let mut added = Vec::new();
        for argument in &parsed.roles {
            if !is_given(argument) || !PATHS.contains(&argument.role.as_str()) {
                added.push((argument.clone(), None));
                continue;
            }
            // The directory of the command, if nobody knows it.
            let here = |text: Text| if text.0.is_empty() { Text::from(".") } else { text };
            let with = |(text, is_tree)| (Argument { text: here(text), ..argument.clone() }, Some(is_tree));
            added.extend(given(self.command.starter).into_iter().map(with));
        }
        if self.command.has_more || has_attribute(context, "names") {
            let role = next_role(parsed);
            let is_host = matches!(role.as_str(), "URL" | "HOST");
            let more = given(self.lister(context)).into_iter();
            let more = more.filter(|_| is_host || PATHS.contains(&role.as_str()));
            // What is listed is a file, and no address.
            let name =
                |(text, is_tree)| (if is_host && is_tree { Text::unknown("{}") } else { text }, is_tree);
            let with =
                |(text, is_tree)| (Argument { role: role.clone(), text, option: None, at: 0 }, Some(is_tree));
            added.extend(more.map(name).map(with));
        }
        added
    }

    /// The command that names further operands: the one that starts this one, or itself, from its input.
    fn lister(&self, context: &Object<'_>) -> Option<usize> {
        let has_names = |given: &&Given| {
            given.options.iter().any(|options| options.attributes.iter().any(|listed| listed == "names"))
        };
        let option = context.parsed.given.iter().find(has_names).filter(|_| !self.command.has_more);
        let Some(option) = option else { return self.command.starter };
        let is_input = option.values.first().is_none_or(|value| {
            value.literal().is_some_and(|text| matches!(text.as_str(), "-" | "/dev/stdin" | "/dev/fd/0"))
        });
        if is_input { Some(self.number) } else { self.command.starter }
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

    /// What the option of a value says about it besides its role.
    fn attributed(&self, context: &Object<'_>, argument: &Argument) -> Vec<Effect> {
        let Some(names) = &argument.option else { return Vec::new() };
        let given = context.parsed.given.iter().find(|given| given.names == *names);
        let attributes =
            given.and_then(|given| given.options.as_ref()).map(|options| options.attributes.clone());
        let roles = [("write", "WRITE"), ("package", "PACKAGE")].into_iter();
        let roles = roles.filter(|(name, _)| attributes.iter().flatten().any(|listed| listed == name));
        let with = |role: &str| Argument { role: role.to_owned(), ..argument.clone() };
        roles.flat_map(|(_, role)| self.argument(context, &with(role), false)).collect()
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
        let has_role = |given: &Given, role: &str| {
            given.options.iter().any(|options| options.roles.iter().any(|listed| listed == role))
        };
        // Words of `env -S` that are a command, and no variables.
        let is_program = |value: &Text| {
            value.has_hole() || value.written().split_whitespace().any(|word| !word.contains('='))
        };
        let is_code = |given: &Given| {
            has_role(given, "CODE") || has_role(given, "WORDS") && given.values.iter().any(is_program)
        };
        let has_name = operands().any(|argument| argument.role.contains(':') || starts(&argument.role))
            || context.parsed.given.iter().any(is_code);
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
        let is_contact = |effect: &Effect| effect.kind == Kind::Contact;
        let is_here = |argument: &Argument| {
            let names_place = matches!(argument.role.as_str(), "URL" | "REMOTENAME");
            names_place && argument.text.prefix().starts_with(['.', '/', '~'])
        };
        let has_host = effects.iter().any(is_contact) || parsed.arguments.roles.iter().any(is_here);
        effects.retain(|effect| !is_contact(effect) || !effect.object.0.is_empty());
        if !has_host {
            for host in hosts.unwrap_or_default().split_whitespace() {
                let contact = self.effect(Kind::Contact, Scheme::Host, Text::from(host));
                effects.push(Effect { is_implied: true, ..contact });
            }
        }
    }

    fn act(&self, parsed: &Parsed<'_>) -> Act {
        let command = self.command;
        let row = parsed.arguments.row.clone().unwrap_or_default();
        let flags: Vec<Flag> = parsed.arguments.given.iter().map(flag).collect();
        let setting = |(name, value): &(Word, Word)| Some((name.text.literal()?, value.text.clone()));
        let env: Vec<(String, Text)> = command.env.iter().filter_map(setting).collect();
        let has_unlisted = flags.iter().any(|flag| flag.is_unlisted);
        let word = |at: usize| command.words.get(at).cloned().unwrap_or_default();
        let operand = |(at, text, _): &(usize, Text, bool)| Operand {
            text: text.clone(),
            path: resolve(parsed.directories.first().unwrap_or(&Text::unknown("$PWD")), text),
            at: *at,
            source: word(*at).source,
            variables: word(*at).variables,
        };
        let arguments: Vec<&Word> = command.words.iter().skip(1).collect();
        let numbers = |list: &[usize]| list.iter().map(|at| self.number(*at)).collect();
        let is_named = command.program.as_deref().is_some_and(|name| self.rows.is_exact(&base(name)));
        let path = command.program.as_ref().filter(|program| program.contains('/'));
        let verb = parsed.arguments.verb.as_ref();
        let here = parsed.directories.first().cloned().unwrap_or_else(|| Text::unknown("$PWD"));
        let is_script = |argument: &&Argument| argument.role == "SCRIPT" && argument.option.is_none();
        let script = parsed.arguments.roles.iter().find(is_script);
        // A client of a database executes all that it reads, unless its words have the code.
        let has_code =
            || parsed.arguments.roles.iter().any(|argument| STARTS.contains(&argument.role.as_str()));
        let is_client = row.text("stdin") == Some("SQL") && !has_code();
        Act {
            name: command.program.as_deref().map(base),
            program: command.words.first().map(|word| word.text.clone()),
            path: path.map(|path| resolve(&likely(&command.directories), &Text::from(path.as_str()))),
            script: script.map(|argument| resolve(&here, &argument.text)),
            verbs: verb.filter(|verb| verb.path.is_some()).map(|verb| verb.names.clone()).unwrap_or_default(),
            is_verb_unknown: verb.is_some_and(|verb| verb.path.is_none()),
            flags,
            operands: parsed.arguments.operands.iter().map(operand).collect(),
            words: arguments.iter().map(|word| word.text.clone()).collect(),
            sources: arguments.iter().map(|word| word.source.clone()).collect(),
            has_more: command.has_more,
            has_hole: command.has_more || arguments.iter().any(|word| word.text.can_be_flag()),
            environment: environment(&env, &command.exported),
            env,
            has_row: parsed.arguments.row.as_ref().is_some_and(|row| row.operands.is_some()),
            is_plain: is_plain(&row, parsed, &command.words) && !has_unlisted && is_named,
            is_required: command.is_required,
            status: super::status::from_row(&row, parsed),
            executes: (row.is("executes")
                || parsed.program.is_some_and(|row| row.is("interpreter") || row.is("shell")))
                && !is_client,
            starts: parsed.starts.clone(),
            runs: numbers(&command.runs),
            pipes_to: numbers(&command.pipes_to),
            inputs: numbers(&command.inputs),
            files: Vec::new(),
            starter: command.starter.map(|at| self.number(at)),
        }
    }
}

/// An effect on a file that another command lists: on everything below it, unless the list is narrowed already.
fn listed(effect: Effect, is_tree: bool) -> Effect {
    let is_narrow = effect.object.0.contains(&Symbol::NAMES);
    Effect { is_tree: is_tree && !is_narrow && effect.scheme == Scheme::File, ..effect }
}

/// Whether a command shows its help and does nothing else.
pub(super) fn asks_for_help(arguments: &Arguments<'_>) -> bool {
    arguments.given.iter().any(|given| given.names.iter().any(|name| name == "help"))
}

/// Whether a hole is a text that a program replaces, such as `{}`.
fn is_replaced(source: &str) -> bool {
    !source.starts_with(['$', '`', '<', '>', '*', '?', '['])
}

/// The role of an operand after those that are there.
/// The variables of a command that the line sets; those in front of it replace what it has exported.
fn environment(env: &[(String, Text)], exported: &[(String, Option<Word>)]) -> Vec<(String, Text)> {
    let is_other = |(name, _): &&(String, Option<Word>)| !env.iter().any(|(near, _)| near == name);
    let text =
        |value: &Option<Word>| value.as_ref().map_or_else(|| Text::unknown("$"), |word| word.text.clone());
    let exported = exported.iter().filter(is_other).map(|(name, value)| (name.clone(), text(value)));
    env.iter().cloned().chain(exported).collect()
}

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
    values.map(|value| super::inputs::wildcards(&value.written())).collect()
}

pub(super) fn flag(given: &Given) -> Flag {
    let code = ["CODE", "SCRIPT", "LOAD", "SETTING", "MODULE", "SQL", "WORDS"];
    let options = given.options.as_ref();
    Flag {
        names: given.names.clone(),
        at: given.at,
        is_global: given.is_global,
        value: given.values.first().cloned(),
        is_unlisted: options.is_none() && !given.names.iter().any(|name| name == "help" || name == "version"),
        is_code: options.is_some_and(|options| {
            options.roles.iter().any(|role| code.contains(&role.as_str()))
                || options.attributes.iter().any(|listed| listed == "code")
        }),
    }
}
