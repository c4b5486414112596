//! Programs that write nothing but numbers, so that bash runs no code if it evaluates their output: the key `numbers` of
//! rows.

use super::model::Row;

/// What a command is: its flags and its operands.
pub(in super::super) struct Called<'c> {
    pub(in super::super) flags: Vec<(&'c str, Option<&'c str>)>,
    /// Those that are known.
    pub(in super::super) operands: Vec<Option<&'c str>>,
}

impl<'c> Called<'c> {
    fn has<'n>(&self, mut names: impl Iterator<Item = &'n str>) -> bool {
        names.any(|name| self.values(name).next().is_some())
    }

    /// The values of a flag, whose name has its dashes.
    fn values(&self, name: &str) -> impl Iterator<Item = Option<&'c str>> {
        let bare = name.trim_start_matches('-');
        self.flags.iter().filter(move |(flag, _)| *flag == bare).map(|(_, value)| *value)
    }
}

/// Whether a command of a row writes nothing but numbers.
pub(in super::super) fn is_counter(row: &Row, call: &Called<'_>) -> bool {
    let ifs = row.ifs().iter().filter(|condition| {
        (condition.text("flag").is_none() || call.has(condition.flags("flag")))
            && !call.has(condition.flags("unless"))
    });
    let mut numbers = ifs.filter_map(|condition| condition.text("numbers")).chain(row.text("numbers"));
    numbers.any(|numbers| writes_numbers(numbers, call))
}

/// Whether a command is within a value of the key: the most operands, and where its format is, with the directives that
/// are numbers: `2 +:sNY`, `2 -c/--format:sY`.
fn writes_numbers(numbers: &str, call: &Called<'_>) -> bool {
    let (most, format) = numbers.split_once(' ').unwrap_or((numbers, ""));
    if most.parse().is_ok_and(|most: usize| call.operands.len() > most) {
        return false;
    }
    let Some((place, directives)) = format.split_once(':') else { return true };
    let format = match place {
        "+" => call.operands.iter().find_map(|text| text.and_then(|text| text.strip_prefix('+'))),
        names => names.split('/').flat_map(|name| call.values(name)).last().flatten(),
    };
    format.is_some_and(|format| is_number(format, directives))
}

/// Whether a format has only these directives, digits, and what separates them.
fn is_number(format: &str, directives: &str) -> bool {
    let mut chars = format.chars();
    while let Some(char) = chars.next() {
        let is_numeric = match char {
            '%' => chars.next().is_some_and(|directive| directives.contains(directive)),
            char => char.is_ascii_digit() || matches!(char, ' ' | '-' | '.' | ':' | '+'),
        };
        if !is_numeric {
            return false;
        }
    }
    true
}
