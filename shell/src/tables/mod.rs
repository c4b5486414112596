//! What programs do with their arguments, as data: which ones start another program or read code,
//! which options take a value, where a subcommand is.
//!
//! [`wrappers`], [`tracers`], [`interpreters`] and [`programs`] are about what runs: the check of templates and
//! the view read them. [`mod@facts`] are about names of options and subcommands; only the view reads
//! them. The notation is that of [`model`].

pub mod facts;
mod families;
mod files;
mod interpreters;
pub mod model;
pub(super) mod numbers;
mod options;
mod packages;
mod programs;
mod services;
mod tracers;
pub mod variables;
mod versioning;
mod wrappers;
pub(super) mod writers;

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use hookc_base::interpreters::POSIX_SHELLS;

use facts::{Fact, Sub, Verb};
use model::{Row, words};
pub(super) use options::Options;
use writers::Writer;

/// Every known program that starts others, or reads code.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    let wrappers = wrappers::ROWS.iter().chain(tracers::ROWS);
    wrappers.chain(interpreters::ROWS).chain(programs::ROWS)
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
    "lxc",
    "vagrant",
    "adb",
];

/// Whether the commands of a program of this name run elsewhere.
#[must_use]
pub fn runs_elsewhere(name: &str) -> bool {
    ELSEWHERE.contains(&name)
}

/// Whether the tables have a subcommand of a program.
#[must_use]
pub fn has_subcommand(name: &str, sub: &str) -> bool {
    program(name).is_some_and(|program| program.verb(sub).is_some())
}

/// Whether the tables have subcommands of a program.
#[must_use]
pub fn has_subcommands(name: &str) -> bool {
    program(name).is_some_and(|program| program.has_verbs())
}

/// Whether some program of the tables has this subcommand.
#[must_use]
pub fn is_subcommand(sub: &str) -> bool {
    INDEX.values().any(|program| program.verb(sub).is_some())
}

/// Whether the tables have a program of this name.
#[must_use]
pub fn has_program(name: &str) -> bool {
    program(name).is_some()
}

/// Whether a program of this name has subcommands.
#[must_use]
pub fn takes_subcommands(name: &str) -> bool {
    program(name).is_some_and(|program| program.sub != Sub::None)
}

/// A program of the tables.
pub(super) struct Program {
    row: Option<&'static Row>,
    fact: Option<&'static Fact>,
    /// The first name of its entry: the same for `xargs` and `gxargs`.
    pub(super) kind: &'static str,
    /// Where its subcommand is.
    pub(super) sub: Sub,
    /// It has options of several letters after one dash.
    pub(super) long_dash: bool,
    pub(super) shell: bool,
    /// It reads code of another language.
    pub(super) interpreter: bool,
    /// What it starts runs elsewhere.
    pub(super) elsewhere: bool,
    /// Its last operands are a command.
    pub(super) starts: bool,
    /// What its options start reads what it writes.
    pub(super) feeds: bool,
    /// What it writes.
    pub(super) writer: Option<&'static Writer>,
    /// Its parser completes the names of long options.
    pub(super) completes: bool,
    /// It can start something without an option or subcommand that says so.
    pub(super) acts: bool,
    own: OnceLock<Box<Options>>,
    verbs: OnceLock<ByName<Subcommand>>,
    /// The subcommands of each group.
    nested: OnceLock<ByName<ByName<Subcommand>>>,
}

/// A subcommand, whose options are compiled when it is first met: some programs have a hundred.
#[derive(Default)]
struct Subcommand {
    row: Option<&'static Row>,
    verb: Option<&'static Verb>,
    options: OnceLock<Box<Options>>,
}

impl Subcommand {
    fn options(&self) -> &Options {
        self.options.get_or_init(|| {
            let (options, same) = self.verb.map_or(("", ""), |verb| (verb.options, verb.same));
            Box::new(Options::of(self.row, options, same))
        })
    }
}

impl Program {
    fn new(row: Option<&'static Row>, fact: Option<&'static Fact>) -> Self {
        let names = row.map(|row| row.names).or_else(|| fact.map(|fact| fact.names));
        let sub = match (fact, row) {
            (Some(fact), _) => fact.sub,
            (None, Some(row)) if !row.verbs.is_empty() => Sub::First(""),
            _ => Sub::None,
        };
        Self {
            row,
            fact,
            kind: names.and_then(|names| words(names).next()).unwrap_or_default(),
            sub,
            completes: false,
            long_dash: row.is_some_and(|row| row.long_dash) || fact.is_some_and(|fact| fact.long_dash),
            shell: false,
            interpreter: false,
            elsewhere: false,
            feeds: false,
            writer: None,
            starts: row.is_some_and(|row| row.operands.ends_with("command")),
            acts: row.is_some_and(|row| !row.operands.ends_with("data*")),
            own: OnceLock::new(),
            verbs: OnceLock::new(),
            nested: OnceLock::new(),
        }
    }

    /// Whether its row says more than that its operands may be code.
    pub(super) fn is_described(&self) -> bool {
        self.row.is_some_and(|row| {
            let is_bare = row.options.is_empty() && row.verbs.is_empty() && row.operands == "code";
            !is_bare || self.shell || self.interpreter
        })
    }

    pub(super) fn options(&self) -> &Options {
        self.own.get_or_init(|| {
            let (options, same) = self.fact.map_or(("", ""), |fact| (fact.options, fact.same));
            Box::new(Options::of(self.row, options, same))
        })
    }

    pub(super) fn row(&self) -> Option<&'static Row> {
        self.row
    }

    /// The options of a subcommand.
    pub(super) fn verb(&self, name: &str) -> Option<&Options> {
        let all = self.verbs.get_or_init(|| self.subcommands());
        all.get(name).map(Subcommand::options)
    }

    /// The options of a subcommand of a group, if they are not those of the subcommand without the group.
    pub(super) fn nested(&self, group: &str, name: &str) -> Option<&Options> {
        let all = self.nested.get_or_init(|| {
            let mut all = ByName::default();
            collect_groups(self.row.map_or(&[][..], |row| row.verbs), &mut all);
            all
        });
        all.get(group)?.get(name).map(Subcommand::options)
    }

    fn has_verbs(&self) -> bool {
        self.fact.is_some_and(|fact| !fact.verbs.is_empty())
            || self.row.is_some_and(|row| !row.verbs.is_empty())
    }

    fn subcommands(&self) -> ByName<Subcommand> {
        let mut all = ByName::<Subcommand>::default();
        for verb in self.fact.map_or(&[][..], |fact| fact.verbs) {
            for name in words(verb.names) {
                all.entry(name).or_default().verb.get_or_insert(verb);
            }
        }
        let rows = self.row.map_or(&[][..], |row| row.verbs);
        for row in rows.iter().flat_map(|row| [row].into_iter().chain(row.verbs)) {
            for name in words(row.names) {
                let subcommand = all.entry(name).or_default();
                if row.verbs.is_empty() || row.is_group() {
                    subcommand.row.get_or_insert(row);
                }
            }
        }
        all
    }
}

/// The subcommands of the groups whose rows describe them. Rows are constants, nested three deep.
fn collect_groups(rows: &'static [Row], all: &mut ByName<ByName<Subcommand>>) {
    for row in rows.iter().filter(|row| row.is_group()) {
        let mut verbs = ByName::<Subcommand>::default();
        for verb in row.verbs {
            let each = words(verb.names);
            verbs.extend(each.map(|name| (name, Subcommand { row: Some(verb), ..Subcommand::default() })));
        }
        for name in words(row.names) {
            all.entry(name).or_insert_with(|| std::mem::take(&mut verbs));
        }
        collect_groups(row.verbs, all);
    }
}

type ByName<T> = HashMap<&'static str, T, foldhash::fast::RandomState>;

static INDEX: LazyLock<ByName<Program>> = LazyLock::new(|| {
    let mut facts_of = ByName::<&'static Fact>::default();
    for fact in facts() {
        facts_of.extend(words(fact.names).map(|name| (name, fact)));
    }
    let mut index = ByName::<Program>::default();
    for row in rows() {
        for name in words(row.names) {
            let fact = || facts_of.get(name).copied();
            index.entry(name).or_insert_with(|| Program::new(Some(row), fact()));
        }
    }
    for row in interpreters::ROWS {
        for name in words(row.names) {
            if let Some(program) = index.get_mut(name) {
                program.shell = row.names == POSIX_SHELLS;
                program.interpreter = !program.shell;
                program.acts = true;
            }
        }
    }
    for row in programs::ROWS {
        for name in words(row.names) {
            if let Some(program) = index.get_mut(name) {
                program.feeds = !row.passes_input;
            }
        }
    }
    for name in ELSEWHERE {
        if let Some(program) = index.get_mut(name) {
            program.elsewhere = true;
        }
    }
    for (name, fact) in facts_of {
        index.entry(name).or_insert_with(|| Program::new(None, Some(fact)));
    }
    for name in writers::names() {
        index.entry(name).or_insert_with(|| Program::new(None, None));
    }
    for (name, program) in &mut index {
        program.completes = families::completes(name);
        program.writer = writers::find(name).or_else(|| writers::find(program.kind));
    }
    index
});

/// Whether the tables say what a program of this name starts. A policy's own wrappers are others.
#[must_use]
pub fn is_described(name: &str) -> bool {
    program(name).is_some_and(Program::is_described)
}

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
