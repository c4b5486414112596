//! What the words of a command are to its program, along the program's row.

mod bundle;
mod expressions;
mod places;

use std::ops::Range;

use crate::programs::{
    Attribute, Attributes, If, Opt, OptionArgument, Options, Place, Program, Role, Row, Sub,
};
use crate::{Command, HoleKind, Word};

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

/// A flag under one of its names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlagReading<'w> {
    pub(crate) name: &'w str,
    pub(crate) value: Option<Word<'w>>,
    pub(crate) at: usize,
    pub(crate) is_global: bool,
    pub(crate) is_alias: bool,
    pub(crate) is_listed: bool,
    pub(crate) is_code: bool,
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
        let group = program.and_then(|program| group(program, command));
        let sub = command.sub().map(Word::text);
        let verb = program.zip(sub).and_then(|(program, sub)| {
            group.and_then(|group| program.nested(group, sub)).or_else(|| program.verb(sub))
        });
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

    /// Goes to the rows below that operands name: `git stash drop`.
    fn descend(&mut self) {
        if self.command.sub().is_none() {
            return;
        }
        let operands = self.command.operands();
        for word in operands {
            let Some(options) = self.options else { return };
            let Some(row) = word.literal().and_then(|name| options.row.sub(name)) else { return };
            self.parents.insert(0, options);
            self.options = Some(row.read_options());
            self.names += 1;
        }
    }

    /// The options of its row, and of those around it.
    fn rows(&self) -> impl Iterator<Item = &'static Options<'static>> + '_ {
        self.options.into_iter().chain(self.parents.iter().copied())
    }

    /// The canonical name of its subcommand with its groups.
    pub(crate) fn verb(&self) -> Option<String> {
        self.program?;
        let sub = self.command.sub()?.text();
        let first = if self.names == 0 { self.options } else { self.parents.get(self.names - 1).copied() };
        let verb = first.map(|options| options.row).filter(|row| row.is_named(sub));
        let (group, name) = match verb {
            Some(row) => (row.group(), row.canonical(sub)),
            None => (self.group.unwrap_or_default(), sub),
        };
        let mut names = if group.is_empty() { name.to_owned() } else { format!("{group} {name}") };
        let below = self.parents.iter().take(self.names.saturating_sub(1)).rev().copied().chain(self.options);
        for (word, options) in self.command.operands().take(self.names).zip(below) {
            names.push(' ');
            names.push_str(options.row.canonical(word.text()));
        }
        Some(names)
    }

    /// The option of a flag: one that is different for this command, that of its row, or of a row around it.
    fn option(&self, name: &str, is_global: bool) -> Option<Opt<'static>> {
        let dashed = |option: &str| option.trim_start_matches('-') == name;
        let mut given =
            self.ifs.iter().rev().filter(|_| !is_global).flat_map(|condition| condition.read_options());
        if let Some(option) = given.find(|option| option.names().any(dashed)) {
            return Some(*option);
        }
        let option = self.rows().filter(|_| !is_global).find_map(|options| options.flag(name));
        option.or_else(|| self.program?.options().flag(name)).copied()
    }

    /// Whether a word that looks like an option which it does not have is an operand: `echo ---`.
    fn takes_text(&self) -> bool {
        self.text("rest") == Some("text")
    }

    fn is_listed(&self, name: &str) -> bool {
        let dashed = if name.chars().count() > 1 { format!("--{name}") } else { format!("-{name}") };
        let lists = |options: &Options<'_>| options.lists(&dashed);
        matches!(name, "help" | "version")
            || self.rows().any(lists)
            || self.program.is_some_and(|program| lists(program.options()))
    }

    fn read_flags(&mut self) {
        for (flag, is_global, is_alias) in self.command.all_flags() {
            let option = self.option(flag.name(), is_global);
            let is_listed = option.is_some() || self.is_listed(flag.name()) || self.takes_text();
            let is_code = option.is_some_and(is_code) && !self.is("follows");
            let (name, value, at) = (flag.name(), flag.value(), flag.at());
            self.flags.push(FlagReading { name, value, at, is_global, is_alias, is_listed, is_code });
            self.has_unlisted |= !is_listed;
        }
    }

    /// Reads the values of the flags.
    fn read_values(&mut self) {
        for number in 0..self.flags.len() {
            let Some(flag) = self.flags.get(number).copied().filter(|flag| !flag.is_alias) else { continue };
            let option = self.option(flag.name, flag.is_global);
            self.used.extend(option.filter(|option| !self.is_off(flag, *option)));
            let attributes = option.map(|option| option.attributes).unwrap_or_default();
            let roles = option.map(|option| option.roles).unwrap_or_default();
            let scheme = option.and_then(|option| option.scheme);
            let first = flag.value.map(|word| Argument {
                flag: Some(flag.name),
                role: roles.first().copied().flatten(),
                scheme,
                attributes,
                ..Argument::new(word, flag.at)
            });
            self.arguments.extend(first);
            // `--x ONE TWO`
            let Some(OptionArgument::Data(count @ 2..)) = option.map(|option| option.takes) else { continue };
            for (number, role) in roles.into_iter().enumerate().take(count).skip(1) {
                let at = flag.at + 1 + number;
                let Some(word) = self.command.word_at(at) else { break };
                self.arguments.push(Argument {
                    flag: Some(flag.name),
                    role,
                    attributes,
                    ..Argument::new(word, at)
                });
            }
        }
    }

    /// Whether the value of an option takes it back: `--dry-run=false`. Some parsers read the next word as the value.
    fn is_off(&self, flag: FlagReading<'w>, option: Opt<'_>) -> bool {
        let is_dry = option.attributes.has(Attribute::Dry);
        let is_off = |value: Word<'_>| value.literal().map_or(is_dry, is_false);
        match flag.value {
            Some(value) => is_off(value),
            None => {
                is_dry
                    && self.command.word_at(flag.at + 1).is_some_and(|next| next.literal() == Some("false"))
            }
        }
    }

    /// Whether it has one of some flags, which have their dashes.
    fn has_any<'n>(&self, names: impl Iterator<Item = &'n str>) -> bool {
        let mut names = names.map(|name| name.trim_start_matches('-'));
        names.any(|name| self.flags.iter().any(|flag| flag.name == name))
    }

    /// Chooses what is different for this command: what depends on its expressions, once their roles are known, or else.
    fn choose_ifs(&mut self, has_roles: bool) {
        let Some(row) = self.row() else { return };
        let depends = |condition: &If| ["expr", "expr_not"].iter().any(|key| condition.text(key).is_some());
        let ifs =
            row.ifs().iter().filter(|condition| depends(condition) == has_roles && self.is_true(condition));
        let ifs: Vec<&'static If> = ifs.collect();
        self.ifs.extend(ifs);
    }

    fn is_true(&self, condition: &If) -> bool {
        let count = self.operands.len();
        let has = |key: &str| condition.text(key).is_some();
        let is_word = |globs: &str| {
            let texts = self.command.words().skip(1).filter_map(Word::literal);
            texts.into_iter().any(|text| globs.split(['|', ' ']).any(|glob| matches(glob, text)))
        };
        (!has("flag") || self.has_any(condition.flags("flag")))
            && !self.has_any(condition.flags("unless"))
            && condition.text("words").is_none_or(is_word)
            && condition.text("first").is_none_or(|globs| self.is_first(globs))
            && (!condition.is("nothing") || self.flags.is_empty() && count == 0 && self.command.is_bare())
            && (!has("two") || count == 2)
            && condition.text("expr").is_none_or(|regex| self.expressions(regex) == Some(true))
            && condition.text("expr_not").is_none_or(|regex| self.expressions(regex) == Some(false))
    }

    /// Whether the first operand matches one of some globs, and none of those after `!`.
    fn is_first(&self, globs: &str) -> bool {
        self.operands
            .first()
            .and_then(|(_, word)| word.literal())
            .is_some_and(|text| matches_any(globs, text))
    }

    /// Whether a text is an address of a package in a form without `://`.
    pub(crate) fn is_address(&self, text: &str) -> bool {
        self.inherited("addresses").is_some_and(|globs| matches_any(globs, text))
    }

    /// Whether every expression matches a regex, or none does; `None` if some do, or if one is unknown.
    fn expressions(&self, regex: &str) -> Option<bool> {
        let mut found = None;
        for argument in self.arguments.iter().filter(|argument| argument.role == Some(Role::Expr)) {
            let is = expressions::is_match(regex, argument.word.literal()?)?;
            if found.replace(is).is_some_and(|other| other != is) {
                return None;
            }
        }
        found
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

    /// The directories that its own options name, in order.
    pub(crate) fn directories(&self) -> impl Iterator<Item = Word<'w>> + '_ {
        let is = |argument: &&Argument<'w>| argument.role == Some(Role::Dir) && argument.flag.is_some();
        self.arguments.iter().filter(is).map(|argument| argument.word)
    }

    /// Whether its words tell all that it does.
    fn tells_all(&self) -> bool {
        let Some(row) = self.options.map(|options| options.row) else { return false };
        let is_plain = self.given("plain").map_or(row.is_plain(), |plain| plain == "true");
        // Where case counts, it is another program.
        let is_named = self.command.name().is_some_and(|name| crate::programs::exact(name).is_some());
        let takes_back = self.ifs.iter().any(|condition| condition.text("plain") == Some("false"));
        let is_sub_known = self.command.sub_word().is_none() || self.command.sub().is_some();
        is_plain
            && is_named
            && !takes_back
            && is_sub_known
            && !self.has_unlisted
            && (!self.has_option(Attribute::Code) || self.is("follows"))
            && !self.flags.iter().any(|flag| flag.is_code)
            && !self.can_be_option()
    }

    /// Whether an unknown word can be an option that does more than print differently.
    fn can_be_option(&self) -> bool {
        let ends = |word: &Word<'_>| word.text() == "--" && word.literal().is_some();
        let mut words = self.command.words().skip(1).take_while(|word| !ends(word));
        let is_open = |word: Word<'_>| {
            word.holes().next().is_some_and(|hole| hole.range.start == 0 && hole.kind == HoleKind::Text)
        };
        let is_harmful = |options: &Options<'_>| {
            let is_text = |role: Role| matches!(role, Role::Text | Role::Read | Role::List | Role::Use);
            options.listed().iter().any(|option| {
                option.attributes != Attributes::default() || !option.roles.into_iter().flatten().all(is_text)
            })
        };
        words.any(is_open)
            && (self.options.is_some_and(is_harmful)
                || self.program.is_some_and(|program| is_harmful(program.options())))
    }
}

/// Whether the value of an option means that the option is not there.
pub(crate) fn is_false(value: &str) -> bool {
    ["false", "none"].iter().any(|word| word.eq_ignore_ascii_case(value))
}

/// Whether an option has code as its value, or runs some. The command of `-exec` is a command of its own.
fn is_code(option: Opt<'_>) -> bool {
    let is = |attribute| option.attributes.has(attribute);
    option.roles.into_iter().flatten().any(|role| role.starts() && role != Role::Command)
        || is(Attribute::Code)
        || is(Attribute::FirstIsCode)
        || is(Attribute::AllAreCode)
}

/// The group in front of a subcommand.
fn group<'w>(program: &Program, command: Command<'w>) -> Option<&'w str> {
    let groups = match program.sub {
        Sub::First(groups) if !groups.is_empty() => groups,
        Sub::Second => "*",
        _ => return None,
    };
    // Words that are values of flags name nothing.
    let flags = command.all_flags().filter(|(flag, ..)| flag.value().is_some());
    let mut taken: Vec<usize> = flags.map(|(flag, ..)| flag.at() + 1).collect();
    taken.sort_unstable();
    let words = (1..command.sub_at()).rev().filter(|at| taken.binary_search(at).is_err());
    let mut words = words.filter_map(|at| command.word_at(at)).filter(|word| !word.text().starts_with('-'));
    let last = words.next()?.literal()?;
    (groups == "*" || groups.split(' ').any(|group| group == last)).then_some(last)
}

/// Whether a text matches one of some globs, and none of those after `!`.
fn matches_any(globs: &str, text: &str) -> bool {
    let is = |glob: &str| matches(glob, text);
    let (not, globs): (Vec<_>, Vec<_>) = globs.split(' ').partition(|glob| glob.starts_with('!'));
    globs.into_iter().any(is) && !not.into_iter().filter_map(|glob| glob.strip_prefix('!')).any(is)
}

/// Whether a text matches a glob, in which `*` is any text.
pub(crate) fn matches(glob: &str, text: &str) -> bool {
    let Some((first, rest)) = glob.split_once('*') else { return glob == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return text.ends_with(part);
        }
        let Some(at) = text.find(part) else { return false };
        text = text.get(at + part.len()..).unwrap_or_default();
    }
    true
}
