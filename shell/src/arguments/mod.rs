//! What the words of a command are to its program, along the program's row.

mod bundle;
mod conditions;
mod fields;
mod flags;
mod places;
mod plain;
mod verb;

use std::ops::Range;

use crate::programs::{Attribute, Attributes, If, Opt, Options, Place, Program, Role, Row, Sub};
use crate::{Command, Word};

pub(crate) use flags::{FlagReading, is_false};

/// A word of a command with its role.
#[derive(Clone, Debug)]
pub struct Argument<'w> {
    /// The word: an operand, or the value of an option.
    pub word: Word<'w>,
    /// Which word of the command it is in; the program is 0.
    pub at: usize,
    /// The option whose value it is, without dashes.
    pub flag: Option<&'w str>,
    /// What it is to the program. None if the row does not say.
    pub role: Option<Role>,
    /// What kind of name it is, if it is no file: `env` of `READ:env`.
    pub scheme: Option<&'static str>,
    /// What it names in the word: `FILE` of `dd if=FILE`.
    pub range: Range<usize>,
    /// What its option says about the whole command.
    pub attributes: Attributes,
}

impl<'w> Argument<'w> {
    /// A word without a role.
    fn new(word: Word<'w>, at: usize) -> Self {
        let range = 0..word.text().len();
        Self { word, at, flag: None, role: None, scheme: None, range, attributes: Attributes::default() }
    }
}

/// A command with the roles of its words.
pub(crate) struct Reading<'w> {
    command: Command<'w>,
    pub(crate) program: Option<&'static Program>,
    /// The options of its subcommand; without one, those of the program.
    options: Option<&'static Options<'static>>,
    /// The options of the rows around that of the subcommand, the innermost first.
    parents: Vec<&'static Options<'static>>,
    /// The group in front of the subcommand.
    group: Option<&'w str>,
    /// How many of its operands name its row: `drop` of `git stash drop`.
    names: usize,
    pub(crate) flags: Vec<FlagReading<'w>>,
    pub(crate) arguments: Vec<Argument<'w>>,
    /// The script in the place of a subcommand: `x.ts` of `bun x.ts`.
    script: Option<(usize, Word<'w>)>,
    /// Its operands, and which word each of them is.
    operands: Vec<(usize, Word<'w>)>,
    /// What is different with the words of this command.
    ifs: Vec<&'static If>,
    /// The options that it has.
    used: Vec<Opt<'static>>,
    pub(crate) is_plain: bool,
    pub(crate) has_unlisted: bool,
}

impl<'w> Command<'w> {
    /// The row of its subcommand; without one, that of its program.
    #[must_use]
    pub fn row(self) -> Option<&'static Row> {
        Reading::new(self).row()
    }

    /// The canonical name of its subcommand with its groups: `push`, `pr create`; `run` of `docker container run`.
    #[must_use]
    pub fn verb(self) -> Option<String> {
        Reading::new(self).verb()
    }

    /// The value of a key of its row, with what is different for its words.
    #[must_use]
    pub fn says(self, key: &str) -> Option<&'static str> {
        Reading::new(self).text(key)
    }

    /// Its words with their roles: the values of its options, and its operands.
    #[must_use]
    pub fn arguments(self) -> Vec<Argument<'w>> {
        Reading::new(self).arguments
    }

    /// Whether its words tell all that it does.
    #[must_use]
    pub fn is_plain(self) -> bool {
        Reading::new(self).is_plain
    }
}

impl<'w> Reading<'w> {
    pub(crate) fn new(command: Command<'w>) -> Self {
        let program = command.described();
        let (group, verb) = (command.group(), command.described_sub());
        // A program with subcommands says nothing about the operands of those that it does not list.
        let has_sub = program.is_some_and(|program| program.sub != Sub::None);
        // But an interpreter runs the script that is there instead: `bun x.ts`.
        let is_script =
            program.is_some_and(|program| program.interpreter && program.row.operands().is_some());
        let is_own = !has_sub || is_script || command.sub_word().is_none();
        let options = verb.or_else(|| program.filter(|_| is_own).map(Program::options));
        let parent = program.zip(group).and_then(|(program, group)| program.verb(group));
        let parents = parent.into_iter().collect();
        let mut reading = Self {
            command,
            program,
            options,
            parents,
            group,
            names: 0,
            script: command
                .sub_word()
                .filter(|_| is_script && verb.is_none())
                .map(|word| (command.sub_at(), word)),
            flags: Vec::new(),
            arguments: Vec::new(),
            operands: Vec::new(),
            ifs: Vec::new(),
            used: Vec::new(),
            is_plain: false,
            has_unlisted: false,
        };
        reading.descend();
        reading.read_flags();
        reading.operands = reading.after_bundle();
        reading.choose_ifs(false);
        reading.read_values();
        reading.read_operands();
        reading.choose_ifs(true);
        reading.read_signs();
        reading.arguments.sort_by_key(|argument| argument.at);
        reading.is_plain = reading.tells_all();
        reading
    }

    /// The row of its subcommand; without one, that of its program.
    pub(crate) fn row(&self) -> Option<&'static Row> {
        self.options.map(|options| options.row).or_else(|| self.program.map(|program| program.row))
    }

    /// The options of its row, and of those around it.
    fn rows(&self) -> impl Iterator<Item = &'static Options<'static>> + '_ {
        self.options.into_iter().chain(self.parents.iter().copied())
    }

    /// The value of a key: of what is different for this command, or of its row.
    pub(crate) fn text(&self, key: &str) -> Option<&'static str> {
        self.given(key).or_else(|| self.row()?.text(key))
    }

    /// The value of a key in what is different for this command; the last one wins.
    fn given(&self, key: &str) -> Option<&'static str> {
        self.ifs.iter().rev().find_map(|condition| condition.text(key))
    }

    /// The value of a key that the subcommands of a program inherit.
    pub(crate) fn inherited(&self, key: &str) -> Option<&'static str> {
        let parent = || self.parents.iter().find_map(|options| options.row.text(key));
        self.text(key).or_else(parent).or_else(|| self.program?.row.text(key))
    }

    pub(crate) fn is(&self, key: &str) -> bool {
        self.text(key) == Some("true")
    }

    pub(crate) fn has(&self, attribute: Attribute) -> bool {
        let key = match attribute {
            Attribute::Dry => "dry",
            Attribute::Tree => "tree",
            _ => "",
        };
        self.has_option(attribute) || !key.is_empty() && self.is(key)
    }

    /// Whether one of its options has an attribute.
    pub(crate) fn has_option(&self, attribute: Attribute) -> bool {
        self.used.iter().any(|option| option.attributes.has(attribute))
    }

    /// Whether it executes what it reads, and that is in `runs`. A client of a database executes all that it reads unless
    /// its words have the code.
    pub(crate) fn executes(&self) -> bool {
        let is_code =
            |argument: &Argument<'_>| argument.role.is_some_and(|role| role.starts() || role.is_code());
        let reads_code = self.text("stdin") == Some("SQL") && !self.arguments.iter().any(is_code);
        let executes =
            self.is("executes") || self.program.is_some_and(|program| program.shell || program.interpreter);
        executes && !reads_code
    }

    /// Whether it changes nothing: an option or its row has the attribute, or it only prints its help.
    pub(crate) fn is_dry(&self) -> bool {
        self.has(Attribute::Dry) || self.flags.iter().any(|flag| flag.name == "help")
    }

    /// Whether it sends what it reads to another machine.
    pub(crate) fn sends_input(&self) -> bool {
        self.text("stdin") == Some("SEND")
    }

    /// Whether its row has options with an attribute.
    pub(crate) fn lists(&self, attribute: Attribute) -> bool {
        let lists =
            |options: &Options<'_>| options.listed().iter().any(|option| option.attributes.has(attribute));
        self.options.is_some_and(lists)
    }

    /// Whether an operand can have a role.
    pub(crate) fn has_place(&self, role: Role) -> bool {
        let (places, after) = self.places();
        places.iter().flat_map(|places| places.iter()).chain(after).any(|place| place.role == role)
            || self.arguments.iter().any(|argument| argument.role == Some(role))
    }

    /// Whether its last operand is the target of copies of the others.
    pub(crate) fn copies(&self) -> bool {
        let sources =
            |place: &Place| place.repeats && matches!(place.role, Role::Read | Role::Use | Role::Move);
        let (places, _) = self.places();
        places.is_some_and(|places| {
            places.iter().any(sources) && places.last().is_some_and(|place| place.role == Role::Write)
        })
    }

    /// The file of the script that it runs.
    pub(crate) fn script_file(&self) -> Option<Word<'w>> {
        let is_named =
            |argument: &&Argument<'w>| argument.role == Some(Role::Script) && argument.flag.is_none();
        self.arguments.iter().find(is_named).map(|argument| argument.word)
    }

    /// The directories that its own options name, in order.
    pub(crate) fn directories(&self) -> impl Iterator<Item = Word<'w>> + '_ {
        let is_named = |argument: &&Argument<'w>| argument.role == Some(Role::Dir) && argument.flag.is_some();
        self.arguments.iter().filter(is_named).map(|argument| argument.word)
    }
}
