//! What a program does with its arguments, as data: one row per program, in a small notation.
//!
//! Options, separated by spaces, each with a suffix for its argument:
//!
//! | suffix | the option |
//! |---|---|
//! | none | takes nothing |
//! | `:` `::` `:::` | takes data: one word, two words, three words |
//! | `?` | takes data, joined only |
//! | `#` | takes digits, joined only |
//! | `!` | takes code, which replaces the program's own code operand |
//! | `.` | takes code; all words behind that are data |
//! | `&` | takes the name of a program (a module) whose arguments are the words behind it |
//! | `@` | takes the name of what is run or loaded |
//! | `~` | takes the folder that the program behind runs in |
//! | `=` `==` | takes `NAME=VALUE`; a name and a value |
//! | `%` | takes words that precede the others (`env -S`) |
//! | `>` | the words behind it, up to `;` or `+`, are a command |
//! | `$` | takes nothing; the first operand is then code |
//! | `^` | takes nothing; all operands are then code |
//! | `*` | any word that begins so, which is code if a template is in it |
//!
//! Operands in order, the last one for all that follow: `data`, `code`, `script` (a file to run),
//! `code?` and `script?` (the same, unless an option provided the code), `set*` (any number of
//! `NAME=VALUE`), `command` (a program with its own arguments), `dashed` (a command behind `--`; for
//! templates it is code).

use std::iter;

use hookc_base::interpreters::without_version;

/// How a program writes its options, and how complete its row is.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The names that it has, without versions, separated by spaces.
    pub names: &'static str,
    /// Its options, each with its suffix.
    pub options: &'static str,
    /// Its operands in order.
    pub operands: &'static str,
    /// The choice of the first operand, for programs with subcommands.
    pub verbs: &'static [Row],
    /// Options can follow operands.
    pub permutes: bool,
    /// Unlisted options run nothing.
    pub lenient: bool,
    /// Options of several letters after one dash.
    pub long_dash: bool,
    /// What its options start reads the input of the program itself. Otherwise, what a program starts that is no
    /// wrapper reads what the program writes: a page, a part of an archive, a connection.
    pub passes_input: bool,
}

/// A program without special rules.
pub const fn row(names: &'static str, options: &'static str, operands: &'static str) -> Row {
    Row {
        names,
        options,
        operands,
        verbs: &[],
        permutes: false,
        lenient: false,
        long_dash: false,
        passes_input: false,
    }
}

impl Row {
    /// The same row for a program whose options can follow operands.
    pub const fn permutes(self) -> Self {
        Self { permutes: true, ..self }
    }

    /// The same row for a program whose unlisted options run nothing.
    pub const fn lenient(self) -> Self {
        Self { lenient: true, ..self }
    }

    /// The same row for a program with options of several letters after one dash.
    pub const fn long_dash(self) -> Self {
        Self { long_dash: true, ..self }
    }

    /// The row of a program whose options start something that reads the input of the program.
    pub const fn passes_input(self) -> Self {
        Self { passes_input: true, ..self }
    }

    /// The same row with subcommands.
    pub const fn verbs(self, verbs: &'static [Row]) -> Self {
        Self { verbs, ..self }
    }

    /// Whether this is one of its names.
    pub fn is_named(&self, name: &str) -> bool {
        words(self.names).any(|own| own == name)
    }

    /// Whether it is a group of subcommands whose own options and operands are described: `perf mem`, and `perf stat`,
    /// which also starts a program.
    pub fn is_group(&self) -> bool {
        !self.verbs.is_empty() && matches!(self.operands, "command" | "data")
    }

    /// Whether its first operand is a program.
    pub fn is_wrapper(&self) -> bool {
        self.operands == "command"
    }

    /// Whether it starts what its arguments name, and lists all of its options.
    pub fn is_strict(&self) -> bool {
        let is_started = |kind: &str| matches!(kind, "command" | "dashed");
        !self.lenient && !self.options.is_empty() && self.operands.split(' ').any(is_started)
    }

    /// The row of a subcommand.
    pub fn verb(&self, name: &str) -> Option<&'static Row> {
        self.verbs.iter().find(|row| row.is_named(name))
    }

    /// Every option with its argument.
    pub fn known(&self) -> impl Iterator<Item = (&'static str, OptionArgument)> + use<> {
        tokens(self.options)
    }

    /// The kind of an operand; `at` counts them from 0.
    pub fn operand(&self, at: usize) -> Operand {
        let mut kinds = self.operands.split(' ').filter(|kind| *kind != "set*");
        let last = self.operands.split(' ').next_back().unwrap_or_default();
        match kinds.nth(at).unwrap_or(last) {
            "data" | "data*" => Operand::Data,
            "code?" => Operand::Code { unless_given: true },
            "script" => Operand::Script { unless_given: false },
            "script?" => Operand::Script { unless_given: true },
            "command" => Operand::Command,
            _ => Operand::Code { unless_given: false },
        }
    }

    /// Whether variables can precede the operands.
    pub fn sets(&self) -> bool {
        self.operands.starts_with("set* ")
    }
}

/// The words of a list with single spaces between them. They are short: a search for the spaces with vectors costs
/// more than it saves.
pub(super) fn words(list: &'static str) -> impl Iterator<Item = &'static str> {
    let mut rest = Some(list);
    iter::from_fn(move || {
        let all = rest?;
        let Some((word, behind)) =
            all.bytes().position(|byte| byte == b' ').and_then(|at| all.split_at_checked(at))
        else {
            return rest.take();
        };
        rest = behind.get(1..);
        Some(word)
    })
}

/// The options of a list, each with its argument.
pub fn tokens(options: &'static str) -> impl Iterator<Item = (&'static str, OptionArgument)> {
    options.split_ascii_whitespace().map(|token| {
        let (suffix, takes) = SUFFIXES
            .iter()
            .find(|(suffix, _)| token.len() > suffix.len() && token.ends_with(suffix))
            .map_or(("", OptionArgument::Nothing), |(suffix, takes)| (*suffix, *takes));
        (token.strip_suffix(suffix).unwrap_or(token), takes)
    })
}

/// The argument of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionArgument {
    /// It takes nothing.
    Nothing,
    /// This number of words of data.
    Data(usize),
    /// Data in the same word.
    Joined,
    /// Digits in the same word.
    Digits,
    /// Code.
    Code,
    /// Code; the words behind it are data.
    LastCode,
    /// A program, whose arguments are the words behind it.
    Module,
    /// What is run or loaded.
    Program,
    /// The directory that the program runs in.
    Folder,
    /// `NAME=VALUE`.
    Variable,
    /// A name and a value.
    NameAndValue,
    /// Words that precede the others.
    Words,
    /// A command up to `;` or `+`.
    Command,
    /// Nothing; the first operand is code.
    FirstIsCode,
    /// Nothing; all operands are code.
    AllAreCode,
    /// Any text behind this prefix.
    Prefix,
}

/// Longer ones first.
const SUFFIXES: [(&str, OptionArgument); 17] = [
    (":::", OptionArgument::Data(3)),
    ("::", OptionArgument::Data(2)),
    ("==", OptionArgument::NameAndValue),
    (":", OptionArgument::Data(1)),
    ("?", OptionArgument::Joined),
    ("#", OptionArgument::Digits),
    ("!", OptionArgument::Code),
    (".", OptionArgument::LastCode),
    ("&", OptionArgument::Module),
    ("@", OptionArgument::Program),
    ("~", OptionArgument::Folder),
    ("=", OptionArgument::Variable),
    ("%", OptionArgument::Words),
    (">", OptionArgument::Command),
    ("$", OptionArgument::FirstIsCode),
    ("^", OptionArgument::AllAreCode),
    ("*", OptionArgument::Prefix),
];

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
}

/// The row of a program, by the word that starts it.
pub fn find(program: &str) -> Option<&'static Row> {
    let name = name(program);
    let bare = without_version(&name);
    let named = |name: &str| super::rows().find(|row| row.is_named(name));
    named(&name).or_else(|| named(bare))
}

/// A program's name without its directory and without suffixes of the system.
fn name(program: &str) -> String {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program).to_ascii_lowercase();
    let added = [".exe", ".cmd", ".bat", ".basic", ".tiny", ".nox", ".gtk", ".distrib"];
    let bare = added.iter().find_map(|added| name.strip_suffix(added));
    bare.map(str::to_owned).unwrap_or(name)
}
