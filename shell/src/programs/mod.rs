//! What programs do with their arguments, as data: which ones start another program or read code, which options take
//! a value, where a subcommand is, which files they write.
//!
//! The rows are in `data/programs/*.toml`, a table for each program, in the notation that `docs/programs.md` explains.
//! The build packs them; the row of a program and its options are read when it is first named.

pub mod draft;
pub(crate) mod escapes;
pub(crate) mod globs;
pub mod hash;
pub mod interpreters;
mod model;
pub mod notation;
pub(crate) mod numbers;
mod options;
pub mod packages;
mod packed;
mod policy;
mod regexes;
pub mod shape;
mod table;
pub mod variables;

use std::collections::{BTreeSet, HashMap};
use std::sync::{LazyLock, OnceLock};

use interpreters::without_version;
pub(crate) use model::operand;
pub use model::{If, Operand, Row, Text, Values};
pub(crate) use notation::Field;
pub use notation::{Attribute, Attributes, Opt, OptionArgument, Place, Role};
pub use options::Options;
pub use policy::{Described, Programs};

/// The row of each program.
pub fn rows() -> impl ExactSizeIterator<Item = &'static Row> + Clone {
    (0..packed::COUNT).map(|number| {
        static NONE: LazyLock<Row> = LazyLock::new(Row::default);
        packed::row(number).unwrap_or(&NONE)
    })
}

/// Where the subcommand of a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sub {
    /// It has none.
    None,
    /// The first operand; after one of these groups, the next. A group with a `+` has a name between them.
    First(&'static str),
    /// The second operand: a service is before it.
    Second,
    /// The first operand that is one of these; else the last of the operands that look like names.
    Verb(&'static str),
}

impl Sub {
    fn from_row(row: &'static Row) -> Self {
        match (row.text("verbs"), row.text("groups")) {
            (Some(verbs), _) => Self::Verb(verbs),
            (None, Some("*")) => Self::Second,
            (None, Some(groups)) => Self::First(groups),
            (None, None) if !row.subs().is_empty() => Self::First(""),
            (None, None) => Self::None,
        }
    }
}

/// A program with what is found fast.
#[derive(Debug)]
pub struct Program {
    /// Its row.
    pub row: &'static Row,
    /// The name of its table: the same for `xargs` and `gxargs`.
    pub kind: &'static str,
    /// Where its subcommand is.
    pub sub: Sub,
    /// It has options of several letters after one dash.
    pub(crate) long_dash: bool,
    pub(crate) shell: bool,
    /// It reads code of another language.
    pub(crate) interpreter: bool,
    /// What it starts runs elsewhere.
    pub(crate) elsewhere: bool,
    /// Its last operands are a command.
    pub(crate) starts: bool,
    /// What its options start reads what it writes.
    pub(crate) feeds: bool,
    /// It writes files with content that the line does not show.
    pub(crate) fills: bool,
    /// Its parser completes the names of long options.
    pub(crate) completes: bool,
    /// It can start something without an option or subcommand that says so.
    pub(crate) acts: bool,
    /// Options can follow operands.
    pub(crate) permutes: bool,
    /// Options that it does not list are operands.
    pub(crate) takes_text: bool,
    /// It reads words from variables of the environment.
    pub(crate) has_variables: bool,
    verbs: OnceLock<ByName<&'static Row>>,
    /// The subcommands of each group.
    nested: OnceLock<ByName<ByName<&'static Row>>>,
}

impl Program {
    fn new(row: &'static Row) -> Self {
        let (shell, interpreter) = (row.is("shell"), row.is("interpreter"));
        let operands = row.text("operands");
        Self {
            row,
            kind: row.name(),
            sub: Sub::from_row(row),
            long_dash: row.has_long_dash(),
            shell,
            interpreter,
            elsewhere: row.is("elsewhere"),
            starts: operands.is_some_and(model::is_started),
            has_variables: has_variables(row),
            feeds: row.starts() && !row.is("passes_input"),
            fills: row.is("fills"),
            completes: !row.is("exact"),
            acts: shell
                || interpreter
                || row.text("escapes").is_some()
                || row.is("assigns")
                || operands.is_none_or(|list| !is_data(list)),
            permutes: !row.stops(),
            takes_text: row.takes_text(),
            verbs: OnceLock::new(),
            nested: OnceLock::new(),
        }
    }

    /// Its options before and after the subcommand.
    pub fn options(&'static self) -> &'static Options<'static> {
        self.row.read_options()
    }

    /// The options of a subcommand, by any of its names.
    pub fn verb(&'static self, name: &str) -> Option<&'static Options<'static>> {
        self.verbs().get(name).map(|row| row.read_options())
    }

    /// The options of a subcommand of a group, if they are not those of the subcommand without the group.
    pub fn nested(&'static self, group: &str, name: &str) -> Option<&'static Options<'static>> {
        let groups = self.nested.get_or_init(|| {
            let mut groups = ByName::default();
            collect_groups(self.row.subs(), &mut groups);
            groups
        });
        groups.get(group)?.get(name).map(|row| row.read_options())
    }

    /// Whether its row says what it starts. A policy can declare another one as a wrapper.
    pub(crate) fn is_described(&self) -> bool {
        self.row.starts() && !self.row.is_bare() || self.shell || self.interpreter
    }

    fn verbs(&'static self) -> &'static ByName<&'static Row> {
        self.verbs.get_or_init(|| {
            let mut verbs = ByName::<&'static Row>::default();
            let subcommands = self.row.subs();
            for row in subcommands.iter().chain(subcommands.iter().flat_map(Row::subs)) {
                row.names().for_each(|name| _ = verbs.entry(name).or_insert(row));
            }
            verbs
        })
    }
}

/// Whether a program or one of its subcommands reads words from variables of the environment.
fn has_variables(row: &Row) -> bool {
    row.named("variables").any(|(_, role)| role == "WORDS") || row.subs().iter().any(has_variables)
}

/// Whether operands are data, any number of them.
fn is_data(list: &str) -> bool {
    let places = notation::operands(list).unwrap_or_default();
    places.last().is_some_and(|place| place.repeats && !place.role.starts())
}

/// The subcommands of the groups whose rows describe them. Rows are nested three deep.
fn collect_groups(rows: &'static [Row], groups: &mut ByName<ByName<&'static Row>>) {
    for row in rows.iter().filter(|row| row.is_group()) {
        for name in row.names() {
            let verbs = groups.entry(name).or_default();
            for sub in row.subs() {
                sub.names().for_each(|name| _ = verbs.entry(name).or_insert(sub));
            }
        }
        collect_groups(row.subs(), groups);
    }
}

type ByName<T> = HashMap<&'static str, T, foldhash::fast::RandomState>;

/// The program of the row of a number.
fn numbered(number: usize) -> Option<&'static Program> {
    static PROGRAMS: [OnceLock<Box<Program>>; packed::COUNT] = [const { OnceLock::new() }; packed::COUNT];
    let row = packed::row(number)?;
    Some(PROGRAMS.get(number)?.get_or_init(|| Box::new(Program::new(row))))
}

/// The program of an exact name.
fn named(name: &str) -> Option<&'static Program> {
    packed::find(name).and_then(numbered)
}

/// The number of the row of a program, by its name without its directory, in any case.
fn number(name: &str) -> Option<usize> {
    exact_number(name).or_else(|| exact_number(&self::name(name)))
}

/// The number of the row of a program in the case of its row.
fn exact_number(name: &str) -> Option<usize> {
    if let Some(number) = packed::find(name) {
        return Some(number);
    }
    let bare = without_version(without_system(without_request(name)));
    if bare.len() != name.len() {
        return packed::find(bare);
    }
    let is_gnu = |number: &usize| packed::row(*number).is_some_and(|row| row.is("gnu"));
    packed::find(name.strip_prefix('g')?).filter(is_gnu)
}

/// The program of a name, without its directory: also of `python3.12`, `git.exe`, `npm.cmd`, `gsed`, and in other case,
/// as on disks without regard to it.
#[must_use]
pub fn program(name: &str) -> Option<&'static Program> {
    number(name).and_then(numbered)
}

/// The name of a program as it is written, and in the other ways in which a pattern can have it.
pub(crate) fn spellings(name: &str) -> impl Iterator<Item = &str> {
    let bare = [without_version(name), without_system(name), without_request(name)];
    let others = bare.into_iter().chain(name.strip_prefix('g')).filter(move |bare| *bare != name);
    std::iter::once(name).chain(others)
}

/// The names of the first program of the row that a program of a name has, without reading the row.
fn same_program(name: &str) -> impl Iterator<Item = &'static str> {
    number(name).into_iter().flat_map(packed::same_program)
}

/// The row of a program, by the word that starts it: with its directory, its version and suffixes of the system.
#[must_use]
pub fn find(program: &str) -> Option<&'static Row> {
    let name = name(program);
    let row = |name: &str| packed::find(name).and_then(packed::row);
    row(&name).or_else(|| row(without_version(&name)))
}

/// A program's name without the version that a package manager is asked for: `prisma` of `npx prisma@5`.
#[must_use]
pub fn without_request(name: &str) -> &str {
    name.rsplit_once('@').map_or(name, |(bare, _)| if bare.is_empty() { name } else { bare })
}

/// A program's name without the suffix that its file has on Windows.
#[must_use]
pub(crate) fn without_system(name: &str) -> &str {
    let suffixes = [".exe", ".cmd", ".bat", ".com", ".ps1"];
    let bare = |suffix: &&str| {
        let (bare, last) = name.split_at_checked(name.len().checked_sub(suffix.len())?)?;
        (last.eq_ignore_ascii_case(suffix) && !bare.is_empty()).then_some(bare)
    };
    suffixes.iter().find_map(bare).unwrap_or(name)
}

/// A program's name without its directory and without suffixes of the system.
fn name(program: &str) -> String {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program).to_ascii_lowercase();
    let name = without_system(&name);
    let added = [".basic", ".tiny", ".nox", ".gtk", ".distrib"];
    added.iter().find_map(|added| name.strip_suffix(added)).unwrap_or(name).to_owned()
}

/// Whether the commands of a program of this name run elsewhere: in a container, on another machine.
#[must_use]
pub fn runs_elsewhere(name: &str) -> bool {
    named(name).is_some_and(|program| program.elsewhere)
}

/// Whether the rows have a subcommand of a program.
#[must_use]
pub fn has_subcommand(name: &str, sub: &str) -> bool {
    program(name).is_some_and(|program| program.verbs().contains_key(sub))
}

/// Whether the rows have subcommands of a program.
#[must_use]
pub fn has_subcommands(name: &str) -> bool {
    program(name).is_some_and(|program| !program.row.subs().is_empty())
}

/// Whether some program has this subcommand.
#[must_use]
pub fn is_subcommand(sub: &str) -> bool {
    let has = |row: &Row| row.subs().iter().any(|row| row.is_named(sub) || row.sub(sub).is_some());
    rows().any(has)
}

/// The programs that have a subcommand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Owners {
    /// How many.
    pub count: usize,
    /// The one of them with the most subcommands.
    pub largest: &'static str,
    size: usize,
}

/// The programs that have a subcommand, without those whose row has several names.
#[must_use]
pub fn with_subcommand(sub: &str) -> Owners {
    static KNOWN: OnceLock<HashMap<&'static str, Owners>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let mut known = HashMap::<&str, Owners>::new();
        for row in rows() {
            let size = row.subs().len();
            let direct = row.subs().iter().flat_map(Row::names);
            for name in direct.collect::<BTreeSet<_>>() {
                let owners = known.entry(name).or_default();
                owners.count += 1;
                if size > owners.size {
                    (owners.largest, owners.size) = (row.name(), size);
                }
            }
        }
        known
    });
    known.get(sub).copied().unwrap_or_default()
}

/// Whether there is a row of a program of this name.
#[must_use]
pub fn has_program(name: &str) -> bool {
    program(name).is_some()
}

/// Whether a program of this name has subcommands.
#[must_use]
pub fn takes_subcommands(name: &str) -> bool {
    program(name).is_some_and(|program| program.sub != Sub::None)
}

/// Whether a row says what a program of this name starts. A policy can declare another one as a wrapper.
#[must_use]
pub fn is_described(name: &str) -> bool {
    program(name).is_some_and(Program::is_described)
}

/// The last part of a program's path. That of a program of Windows can have backslashes: `C:\bin\git.exe`.
pub(crate) fn base_name(program: &str) -> &str {
    let is_windows = || without_system(program).len() < program.len();
    let slash = program.bytes().rposition(|byte| byte == b'/' || byte == b'\\' && is_windows());
    slash.map_or(program, |at| program.get(at + 1..).unwrap_or_default())
}
