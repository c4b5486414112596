//! Programs that write nothing but numbers, so that bash runs no code if it evaluates their output.

use super::model::words;

/// Where the format of what a program writes is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// It has none.
    None,
    /// An operand that starts with `+`.
    Operand,
    /// The value of one of these flags.
    Flag(&'static str),
}

/// A program that writes numbers.
#[derive(Debug)]
struct Counter {
    names: &'static str,
    /// Its subcommand, or nothing.
    sub: &'static str,
    /// Flags of which it needs one, if there are any.
    needs: &'static str,
    /// Flags by which it writes something else.
    lacks: &'static str,
    /// Most operands; with more, it writes names of files.
    operands: usize,
    format: Format,
    /// Directives of the format that are numbers.
    directives: &'static str,
}

const fn counter(names: &'static str, needs: &'static str, lacks: &'static str, operands: usize) -> Counter {
    Counter { names, sub: "", needs, lacks, operands, format: Format::None, directives: "" }
}

impl Counter {
    const fn sub(self, sub: &'static str) -> Self {
        Self { sub, ..self }
    }

    const fn format(self, format: Format, directives: &'static str) -> Self {
        Self { format, directives, ..self }
    }
}

/// coreutils 9.4, grep 3.11, procps 4.0, git 2.45.
const COUNTERS: &[Counter] = &[
    counter("nproc", "", "", 0),
    counter("wc", "", "files0-from", 0),
    counter("seq", "", "f format s separator", 3),
    counter("id", "u user g group", "n name Z context", 1),
    counter(
        "grep egrep fgrep",
        "c count",
        "H with-filename r recursive R dereference-recursive e regexp f file",
        2,
    ),
    counter("pgrep", "c count", "", 1),
    counter("git", "count", "left-right", usize::MAX).sub("rev-list"),
    counter("date", "", "", 2).format(Format::Operand, "sNYmdHMSjuwyI"),
    counter("stat", "c format printf", "t terse", 2).format(Format::Flag("c format printf"), "sYZXWbBhiuga"),
];

/// What a command is: its subcommand, its flags and its operands.
pub(in super::super) struct Called<'c> {
    pub(in super::super) name: &'c str,
    pub(in super::super) sub: &'c str,
    pub(in super::super) flags: Vec<(&'c str, Option<&'c str>)>,
    /// Those that are known.
    pub(in super::super) operands: Vec<Option<&'c str>>,
}

/// Whether a command writes nothing but numbers.
pub(in super::super) fn is_counter(call: &Called<'_>) -> bool {
    let Some(counter) = COUNTERS.iter().find(|counter| words(counter.names).any(|name| name == call.name))
    else {
        return false;
    };
    let has = |names: &'static str| call.flags.iter().any(|(flag, _)| words(names).any(|name| name == *flag));
    let format = match counter.format {
        Format::None => Some(""),
        Format::Operand => call.operands.iter().find_map(|text| text.and_then(|text| text.strip_prefix('+'))),
        Format::Flag(names) => {
            let mut own = call.flags.iter().filter(|(flag, _)| words(names).any(|name| name == *flag));
            let value = own.next_back().and_then(|(_, value)| *value);
            // Without a row of the program, it is an operand.
            value.or_else(|| call.operands.first().copied().flatten())
        }
    };
    (counter.needs.is_empty() || has(counter.needs))
        && !has(counter.lacks)
        && (counter.sub.is_empty() || counter.sub == call.sub)
        && call.operands.len() <= counter.operands
        && format.is_some_and(|format| is_number(format, counter.directives))
}

/// Whether a format has only these directives, digits, and what separates them.
fn is_number(format: &str, directives: &str) -> bool {
    let mut chars = format.chars();
    while let Some(char) = chars.next() {
        let is = match char {
            '%' => chars.next().is_some_and(|directive| directives.contains(directive)),
            char => char.is_ascii_digit() || matches!(char, ' ' | '-' | '.' | ':' | '+'),
        };
        if !is {
            return false;
        }
    }
    true
}
