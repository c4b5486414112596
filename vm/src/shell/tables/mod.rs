//! What programs do with their arguments, as data: which ones start another program or read code,
//! which options take a value, where a subcommand is.
//!
//! [`wrappers`], [`interpreters`] and [`programs`] are about what runs: the check of templates and
//! the view read them. [`mod@facts`] are about names of options and subcommands; only the view reads
//! them. The notation is that of [`model`].

pub mod facts;
mod files;
mod interpreters;
pub mod model;
mod packages;
mod programs;
mod services;
mod versioning;
mod wrappers;

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use hookc_base::interpreters::POSIX_SHELLS;

use facts::{Fact, Sub, Verb};
use model::{Operand, OptionArgument, Row};

/// The version of the tables: it grows with each change of what they say about a program.
pub const VERSION: u32 = 2;

/// Every known program that starts others, or reads code.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    wrappers::ROWS.iter().chain(interpreters::ROWS).chain(programs::ROWS)
}

/// Every program with names of options and subcommands.
pub fn facts() -> impl Iterator<Item = &'static Fact> {
    versioning::FACTS.iter().chain(packages::FACTS).chain(services::FACTS).chain(files::FACTS)
}

/// Programs whose commands run elsewhere: in a container, on another machine.
const ELSEWHERE: &[&str] = &[
    "docker",
    "podman",
    "nerdctl",
    "docker-compose",
    "podman-compose",
    "kubectl",
    "oc",
    "ssh",
    "slogin",
    "rsh",
    "rlogin",
    "autossh",
    "mosh",
    "crontab",
    "at",
    "batch",
];

/// A program of the tables.
pub(super) struct Program {
    row: Option<&'static Row>,
    fact: Option<&'static Fact>,
    pub(super) shell: bool,
    /// It reads code of another language.
    pub(super) interpreter: bool,
    /// What it starts runs elsewhere.
    pub(super) elsewhere: bool,
    own: OnceLock<Options>,
    verbs: OnceLock<ByName<Options>>,
}

/// The options of a program or subcommand.
#[derive(Default)]
pub(super) struct Options {
    /// By name, with their dashes.
    all: Vec<(&'static str, OptionArgument)>,
    /// Each name of a flag with two names, and the other one; by name.
    same: Vec<(&'static str, &'static str)>,
    pub(super) row: Option<&'static Row>,
    /// The kinds of its operands in order, the last one for all that follow.
    operands: Vec<Operand>,
    /// Variables can precede the operands.
    pub(super) sets: bool,
}

impl Options {
    fn of(row: Option<&'static Row>, options: &'static str, same: &'static str) -> Self {
        let data = |takes: &OptionArgument| {
            matches!(
                takes,
                OptionArgument::Nothing
                    | OptionArgument::Data(_)
                    | OptionArgument::Joined
                    | OptionArgument::Digits
                    | OptionArgument::Program
            )
        };
        let known = || row.into_iter().flat_map(Row::known);
        // What runs is more than what takes a value; else the names of options know more.
        let mut all: Vec<_> = known().filter(|(_, takes)| !data(takes)).collect();
        all.extend(model::tokens(options));
        all.extend(known().filter(|(_, takes)| data(takes)));
        all.sort_by_key(|(name, _)| *name);
        all.dedup_by_key(|(name, _)| *name);
        let pairs = same.split_ascii_whitespace().filter_map(|pair| pair.split_once('='));
        let mut same: Vec<_> = pairs.flat_map(|(one, other)| [(one, other), (other, one)]).collect();
        same.sort_by_key(|(name, _)| *name);
        let count = row.map_or(0, |row| row.operands.split(' ').filter(|kind| *kind != "set*").count());
        let operands = row.map(|row| (0..count).map(|at| row.operand(at)).collect()).unwrap_or_default();
        Self { all, same, row, operands, sets: row.is_some_and(Row::sets) }
    }

    /// The kind of an operand; `at` counts them from 0.
    pub(super) fn operand(&self, at: usize) -> Operand {
        let kind = self.operands.get(at).or_else(|| self.operands.last());
        kind.copied().unwrap_or(Operand::Data)
    }

    pub(super) fn takes(&self, option: &str) -> Option<OptionArgument> {
        let at = self.all.binary_search_by(|(name, _)| (*name).cmp(option)).ok()?;
        self.all.get(at).map(|(_, takes)| *takes)
    }

    /// The only long option that starts so.
    pub(super) fn abbreviated(&self, option: &str) -> Option<(&'static str, OptionArgument)> {
        let from = self.all.partition_point(|(name, _)| *name < option);
        let mut near = self.all.iter().skip(from).take_while(|(name, _)| name.starts_with(option));
        let first = near.next()?;
        near.next().is_none().then_some(*first)
    }

    /// The other name of a flag.
    pub(super) fn same<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'static str> + use<'n> {
        let from = self.same.partition_point(|(own, _)| *own < name);
        let all = self.same.iter().skip(from).take_while(move |(own, _)| *own == name);
        all.map(|(_, other)| *other)
    }
}

impl Program {
    fn new(row: Option<&'static Row>, fact: Option<&'static Fact>) -> Self {
        let (own, verbs) = (OnceLock::new(), OnceLock::new());
        Self { row, fact, shell: false, interpreter: false, elsewhere: false, own, verbs }
    }

    pub(super) fn options(&self) -> &Options {
        self.own.get_or_init(|| {
            let (options, same) = self.fact.map_or(("", ""), |fact| (fact.options, fact.same));
            Options::of(self.row, options, same)
        })
    }

    /// The first name of its entry: the same for `xargs` and `gxargs`.
    pub(super) fn kind(&self) -> &'static str {
        let names = self.row.map(|row| row.names).or_else(|| self.fact.map(|fact| fact.names));
        names.and_then(|names| names.split(' ').next()).unwrap_or_default()
    }

    pub(super) fn row(&self) -> Option<&'static Row> {
        self.row
    }

    /// Whether it has options of several letters after one dash.
    pub(super) fn long_dash(&self) -> bool {
        self.row.is_some_and(|row| row.long_dash) || self.fact.is_some_and(|fact| fact.long_dash)
    }

    /// Where its subcommand is.
    pub(super) fn sub(&self) -> Sub {
        match (self.fact, self.row) {
            (Some(fact), _) => fact.sub,
            (None, Some(row)) if !row.verbs.is_empty() => Sub::First(""),
            _ => Sub::None,
        }
    }

    /// The options of a subcommand.
    pub(super) fn verb(&self, name: &str) -> Option<&Options> {
        let all = self.verbs.get_or_init(|| self.compiled());
        all.get(name)
    }

    fn compiled(&self) -> ByName<Options> {
        let mut names: Vec<&'static str> = Vec::new();
        let verbs = self.fact.map_or(&[][..], |fact| fact.verbs);
        names.extend(verbs.iter().flat_map(|verb| verb.names.split(' ')));
        let rows = self.row.map_or(&[][..], |row| row.verbs);
        let inner = rows.iter().flat_map(|row| [row].into_iter().chain(row.verbs));
        names.extend(inner.clone().flat_map(|row| row.names.split(' ')));
        let options = |name: &'static str| {
            let row = inner.clone().find(|row| row.verbs.is_empty() && row.is_named(name));
            let verb: Option<&Verb> = verbs.iter().find(|verb| verb.names.split(' ').any(|own| own == name));
            let (options, same) = verb.map_or(("", ""), |verb| (verb.options, verb.same));
            (name, Options::of(row, options, same))
        };
        names.into_iter().map(options).collect()
    }
}

type ByName<T> = HashMap<&'static str, T, foldhash::fast::RandomState>;

static INDEX: LazyLock<ByName<Program>> = LazyLock::new(|| {
    let mut index = ByName::<Program>::default();
    for row in rows() {
        for name in row.names.split(' ') {
            index.entry(name).or_insert_with(|| Program::new(Some(row), None));
        }
    }
    for row in interpreters::ROWS {
        for name in row.names.split(' ') {
            if let Some(program) = index.get_mut(name) {
                program.shell = row.names == POSIX_SHELLS;
                program.interpreter = !program.shell;
            }
        }
    }
    for name in ELSEWHERE {
        if let Some(program) = index.get_mut(name) {
            program.elsewhere = true;
        }
    }
    for fact in facts() {
        for name in fact.names.split(' ') {
            index.entry(name).or_insert_with(|| Program::new(None, None)).fact = Some(fact);
        }
    }
    index
});

/// The program of a name, without its directory.
pub(super) fn program(name: &str) -> Option<&'static Program> {
    if let Some(program) = INDEX.get(name) {
        return Some(program);
    }
    // `python3.12`, `git.exe`
    let bare = name.strip_suffix(".exe").unwrap_or(name);
    let bare = bare.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    if bare.len() != name.len() {
        return INDEX.get(bare);
    }
    let gnu = name.strip_prefix('g').filter(|name| GNU.contains(name))?;
    INDEX.get(gnu)
}

/// Programs that are installed with a `g` before their names where the system has others.
const GNU: &[&str] = &[
    "awk", "cat", "chgrp", "chmod", "chown", "chroot", "cp", "cut", "date", "dd", "df", "diff", "du",
    "egrep", "env", "fgrep", "find", "grep", "head", "install", "kill", "ln", "ls", "make", "mkdir",
    "mktemp", "mv", "nice", "nohup", "patch", "readlink", "realpath", "rm", "rmdir", "sed", "shred", "sort",
    "split", "stat", "stdbuf", "tail", "tar", "tee", "time", "timeout", "touch", "tr", "truncate", "uniq",
    "unlink", "wc", "xargs",
];
