//! What a program does with its arguments, as data: a row for each program, and one for each subcommand.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use regex::Regex;

use super::Options;
use super::interpreters::without_version;
use super::notation::{self, Opt, OptionArgument, Place, Role};
use crate::token::short;

/// A text of a row.
pub type Text = Cow<'static, str>;

/// The keys of a row with their values; a flag is `true`, a list has lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Values {
    list: Box<[(&'static str, Text)]>,
    /// The bits of all keys. A row has few of the keys that are asked for.
    keys: u64,
}

impl Values {
    pub(super) fn new(list: Vec<(&'static str, Text)>) -> Self {
        let keys = list.iter().fold(0, |keys, (key, _)| keys | bit(key));
        Self { list: list.into(), keys }
    }

    /// The value of a key.
    #[inline]
    fn get(&self, key: &str) -> Option<&str> {
        if self.keys & bit(key) == 0 { None } else { self.find(key) }
    }

    fn find(&self, key: &str) -> Option<&str> {
        self.list.iter().find(|(listed, _)| *listed == key).map(|(_, value)| &**value)
    }
}

/// A bit for a key.
#[inline]
fn bit(key: &str) -> u64 {
    let (first, last) = match key.as_bytes() {
        [first, .., last] => (u32::from(*first), u32::from(*last)),
        _ => (0, 0),
    };
    1 << ((first + last * 5 + short(key.len()) * 11) % u64::BITS)
}

/// What a program or a subcommand does with its arguments. The keys are those of `docs/programs.md`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Row {
    names: Text,
    also: Text,
    group: Text,
    same_as: Text,
    values: Values,
    ifs: Cow<'static, [If]>,
    subs: Cow<'static, [Row]>,
    options: Cached<Box<Options<'static>>>,
}

/// What is read from texts once. It is no part of what they say.
#[derive(Debug)]
struct Cached<T>(OnceLock<T>);

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Clone for Cached<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> PartialEq for Cached<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Cached<T> {}

impl<T> Hash for Cached<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// What is different if a flag, a word or a number of operands is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct If {
    values: Values,
    options: Cached<Vec<Opt<'static>>>,
    /// Those of [`REGEXES`].
    regexes: Cached<[Option<Regex>; REGEXES.len()]>,
}

/// The keys of an `if` whose values are regexes.
const REGEXES: [&str; 2] = ["expr", "expr_not"];

impl If {
    /// An `if` with these values.
    pub(super) const fn new(values: Values) -> Self {
        Self { values, options: Cached(OnceLock::new()), regexes: Cached(OnceLock::new()) }
    }

    /// The options that are different.
    pub(crate) fn read_options(&'static self) -> &'static [Opt<'static>] {
        let read = || notation::options(self.text("options").unwrap_or_default()).flatten().collect();
        self.options.0.get_or_init(read)
    }

    /// Whether code matches the regex of a key; `None` if the key has none.
    pub(crate) fn is_match(&self, key: &str, code: &str) -> Option<bool> {
        let read = || REGEXES.map(|key| super::regexes::read(self.text(key)?).ok());
        let at = REGEXES.iter().position(|known| *known == key)?;
        let regex = self.regexes.0.get_or_init(read).get(at)?.as_ref()?;
        Some(regex.is_match(code))
    }

    /// Its regexes, each with its key.
    pub(super) fn regexes(&self) -> impl Iterator<Item = (&'static str, &str)> {
        REGEXES.into_iter().filter_map(|key| Some((key, self.text(key)?)))
    }

    /// The value of a key.
    #[must_use]
    #[inline]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.values.get(key)
    }

    /// Whether a flag is set.
    #[must_use]
    #[inline]
    pub fn is(&self, key: &str) -> bool {
        self.text(key) == Some("true")
    }

    /// The names of options of a key, with their dashes.
    pub fn flags(&self, key: &str) -> impl Iterator<Item = &str> {
        let flags = self.text(key).unwrap_or_default().split(['/', ' ']);
        flags.filter(|name| !name.is_empty())
    }

    /// Whether its row has other options with a flag.
    pub(crate) fn changes_options(&self) -> bool {
        self.text("options").is_some() && self.text("flag").is_some()
    }

    /// The kinds of its operands, if they end with a program or a line and a word is the first one that it is for.
    pub(crate) fn kinds_after(&self, first: &str) -> Option<Vec<Operand>> {
        let operands = self.text("operands").filter(|list| is_started(list))?;
        let is_first = super::globs::matches_any(self.text("first")?, first);
        is_first.then(|| notation::operands(operands).ok().map(|places| kinds(&places)))?
    }

    /// The operands that it has in place of those of its row.
    #[must_use]
    pub fn operands(&self) -> Option<Vec<Place>> {
        notation::operands(self.text("operands")?).ok()
    }
}

impl Row {
    /// A row with these names and values.
    pub(super) const fn new(
        names: Text,
        also: Text,
        group: Text,
        same_as: Text,
        values: Values,
        ifs: Cow<'static, [If]>,
        subs: Cow<'static, [Row]>,
    ) -> Self {
        let options = Cached(OnceLock::new());
        Self { names, also, group, same_as, values, ifs, subs, options }
    }

    /// Its names in this place, without versions; the first one is that of its table.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        words(&self.names).chain(words(&self.also))
    }

    /// The name of its table.
    #[must_use]
    pub fn name(&self) -> &str {
        words(&self.names).next().unwrap_or_default()
    }

    /// Whether this is one of its names.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        let has = |list: &str| match list.len().cmp(&name.len()) {
            Ordering::Less => false,
            Ordering::Equal => list == name && !name.contains(' '),
            Ordering::Greater => words(list).any(|listed| listed == name),
        };
        has(&self.names) || has(&self.also)
    }

    /// Whether a program of this name is certainly one of the row: it has the case of the row, and a version or the `g` of
    /// GNU only if the row says so.
    #[must_use]
    pub(crate) fn is_exactly(&self, name: &str) -> bool {
        let is_gnu = || self.is("gnu") && name.strip_prefix('g').is_some_and(|name| self.is_named(name));
        self.is_named(name) || self.is("versions") && self.is_named(without_version(name)) || is_gnu()
    }

    /// Whether a program of this name is the first one of the row, under any of its names.
    #[must_use]
    pub fn is_program(&self, name: &str) -> bool {
        let bare = super::without_system(name);
        self.same_program().any(|listed| listed.eq_ignore_ascii_case(bare))
    }

    /// The names of its first program.
    pub(crate) fn same_program(&self) -> impl Iterator<Item = &str> {
        same_program(&self.names, &self.also)
    }

    /// The name that all spellings of it have: `install` for `npm i`.
    #[must_use]
    pub fn canonical<'n>(&'n self, name: &'n str) -> &'n str {
        match (&*self.same_as, words(&self.also).any(|listed| listed == name)) {
            ("", true) => self.name(),
            ("", false) => name,
            (canonical, _) => canonical,
        }
    }

    /// The groups before its canonical name: `pr` of `gh pr create`; none for `docker container run`, which is
    /// `docker run`.
    #[must_use]
    pub fn group(&self) -> &str {
        &self.group
    }

    /// The value of a key.
    #[must_use]
    #[inline]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.values.get(key)
    }

    /// Whether a flag is set.
    #[must_use]
    #[inline]
    pub fn is(&self, key: &str) -> bool {
        self.text(key) == Some("true")
    }

    /// Every option.
    pub fn options(&self) -> impl Iterator<Item = Opt<'_>> {
        notation::options(self.text("options").unwrap_or_default()).flatten()
    }

    /// Every option, for a fast search.
    pub(crate) fn read_options(&'static self) -> &'static Options<'static> {
        self.options.0.get_or_init(|| Box::new(Options::from_row(self)))
    }

    /// Every name of an option with what it takes.
    pub fn known(&self) -> impl Iterator<Item = (&str, OptionArgument)> {
        self.options().flat_map(|option| option.names().map(move |name| (name, option.takes)))
    }

    /// What its operands are; `None` if nothing is known about them.
    #[must_use]
    pub fn operands(&self) -> Option<Vec<Place>> {
        notation::operands(self.text("operands")?).ok()
    }

    /// What its operands after `--` are.
    #[must_use]
    pub fn after(&self) -> Vec<Place> {
        self.text("after").and_then(|list| notation::operands(list).ok()).unwrap_or_default()
    }

    /// What is different with some words.
    #[must_use]
    pub fn ifs(&self) -> &[If] {
        &self.ifs
    }

    /// Its subcommands.
    #[must_use]
    pub fn subs(&self) -> &[Row] {
        &self.subs
    }

    /// The row of a subcommand.
    #[must_use]
    pub fn sub(&self, name: &str) -> Option<&Row> {
        if name.contains(' ') {
            return None;
        }
        self.subs.iter().find(|row| row.is_named(name))
    }

    /// Whether its words tell all that it does.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.is("plain")
    }

    /// Whether it lists all of its `subcommands` or `options`.
    #[must_use]
    pub(crate) fn lists_all(&self, what: &str) -> bool {
        self.text("complete").is_some_and(|listed| listed.split(' ').any(|word| word == what))
    }

    /// Whether options that it does not list run nothing.
    #[must_use]
    pub(crate) fn is_lenient(&self) -> bool {
        self.text("rest") == Some("harmless")
    }

    /// Whether options that it does not list are operands: `-f` of `test -f`.
    #[must_use]
    pub fn takes_text(&self) -> bool {
        self.text("rest") == Some("text")
    }

    /// Whether an option is an operand because the row does not list it.
    pub(crate) fn is_text(&'static self, option: &str) -> bool {
        let name = option.split_once('=').map_or(option, |(name, _)| name);
        let options = self.read_options();
        let is_listed = match name.get(..2) {
            Some("--") => options.takes(name).or_else(|| options.abbreviated(name).map(|(_, takes)| takes)),
            letter => options.takes(name).or_else(|| options.takes(letter?)),
        };
        self.takes_text() && is_listed.is_none()
    }

    /// Whether it has options of several letters after one dash.
    #[must_use]
    pub fn has_long_dash(&self) -> bool {
        self.is("long_dash")
    }

    /// Whether options end at its first operand. Programs that start what their operands name do so.
    #[must_use]
    pub fn stops(&self) -> bool {
        let starts = |list: &str| ["COMMAND", "SCRIPT", "LINE..."].iter().any(|role| list.contains(role));
        match self.text("stops") {
            Some(stops) => stops == "true",
            None => self.text("operands").is_none_or(starts),
        }
    }

    /// Whether something that it names is code or a program, or nothing is known about its operands.
    #[must_use]
    pub fn starts(&self) -> bool {
        self.is("starts")
    }

    /// Whether it is a group of subcommands whose own options and operands are described: `perf mem`, and `perf stat`,
    /// which also starts a program.
    #[must_use]
    pub fn is_group(&self) -> bool {
        !self.subs.is_empty() && (self.starts_first_operand() || self.text("operands") == Some("TEXT"))
    }

    /// Whether its first operand is a program.
    #[must_use]
    pub fn starts_first_operand(&self) -> bool {
        self.text("operands") == Some("COMMAND...")
    }

    /// Whether what it starts is after `--`.
    #[must_use]
    pub(crate) fn is_dashed(&self) -> bool {
        self.text("after").is_some_and(is_started)
    }

    /// Whether it starts what its arguments name, and lists all of its options.
    #[must_use]
    pub(crate) fn is_strict(&self) -> bool {
        let starts = |key: &str| self.text(key).is_some_and(is_started);
        !self.is_lenient() && self.text("options").is_some() && (starts("operands") || self.is_dashed())
    }

    /// Whether nothing is known about its arguments.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.text("operands").is_none() && self.text("options").is_none() && self.subs.is_empty()
    }

    /// Whether all of its arguments can be code.
    #[must_use]
    pub(crate) fn is_all_code(&self) -> bool {
        !self.is_dashed() && self.text("operands").is_none_or(|list| list == "CODE...")
    }

    /// Names with roles: of `variables` of the environment that it reads code from, of `settings`.
    pub(crate) fn named(&self, key: &str) -> impl Iterator<Item = (&str, &str)> {
        let listed = self.text(key).unwrap_or_default().split(' ');
        listed.filter_map(|token| token.rsplit_once('='))
    }

    /// What the value of a variable is to it or to one of its subcommands.
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        let mut listed = self.named("variables").filter(|(listed, _)| super::globs::matches(listed, name));
        let role_here = listed.next().map(|(_, role)| role);
        role_here.or_else(|| self.subs().iter().find_map(|sub| sub.variable(name)))
    }

    /// Whether none of its operands is code or starts something.
    #[must_use]
    pub(crate) fn has_data(&self) -> bool {
        self.operands().is_some_and(|places| !places.iter().any(|place| place.role.starts()))
    }

    /// Whether variables can precede its operands.
    #[must_use]
    pub fn sets(&self) -> bool {
        self.text("operands").is_some_and(|list| list.starts_with("SET... "))
    }

    /// The kind of an operand; `at` counts them from 0.
    #[must_use]
    pub fn operand(&self, at: usize) -> Operand {
        operand(&self.kinds(), at)
    }

    /// The kinds of its operands in order, the last one for all that follow.
    pub(super) fn kinds(&self) -> Vec<Operand> {
        match self.operands() {
            Some(places) => kinds(&places),
            None => vec![Operand::Code { unless_given: false }],
        }
    }
}

/// The kinds of operands in order, the last one for all that follow.
fn kinds(places: &[Place]) -> Vec<Operand> {
    let listed = places.iter().filter(|place| place.role != Role::Set);
    let end = listed.clone().position(|place| place.repeats).map_or(places.len(), |at| at + 1);
    listed.take(end).map(Operand::from_place).collect()
}

/// The kind of an operand among the kinds of a row; `at` counts them from 0.
pub(crate) fn operand(kinds: &[Operand], at: usize) -> Operand {
    kinds.get(at).or_else(|| kinds.last()).copied().unwrap_or(Operand::Data)
}

/// The kind of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Data.
    Data,
    /// Code.
    Code {
        /// Unless an option provided it.
        unless_given: bool,
    },
    /// A file to run.
    Script {
        /// Unless an option provided the code.
        unless_given: bool,
    },
    /// A program with its arguments.
    Command,
    /// All words from here on are a command line for a shell.
    Line,
}

impl Operand {
    fn from_place(place: &Place) -> Self {
        let unless_given = place.unless_given;
        match place.role {
            Role::Line if place.repeats => Self::Line,
            role if role.is_code() => Self::Code { unless_given },
            Role::Words => Self::Code { unless_given },
            Role::Script | Role::Load | Role::Module => Self::Script { unless_given },
            Role::Command => Self::Command,
            _ => Self::Data,
        }
    }
}

/// Whether the last operands are a program with its arguments, or a command line for a shell.
pub(super) fn is_started(operands: &str) -> bool {
    operands.ends_with("COMMAND...") || operands.ends_with("LINE...")
}

/// The first name of a row, and the other names of that program.
pub(super) fn same_program<'n>(names: &'n str, also: &'n str) -> impl Iterator<Item = &'n str> {
    words(names).take(1).chain(words(also))
}

/// The words of a list with single spaces between them.
pub(super) fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split(' ').filter(|word| !word.is_empty())
}
