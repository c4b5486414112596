//! The lines that show what a program does: one with its operands, and one for each option.

use hookc_shell::programs::{Opt, OptionArgument, Role, Row};

/// The lines of a program. Options and operands that start something are left out.
pub(super) fn of_row(name: &str, row: &Row) -> Vec<String> {
    let places = row.operands().unwrap_or_default();
    let operands: Option<Vec<&str>> = places.iter().map(|place| word(place.role)).collect();
    let Some(operands) = operands.map(|words| words.join(" ")) else { return Vec::new() };
    let options = row.options().filter_map(|option| written(&option));
    let options = std::iter::once(String::new()).chain(options);
    options.map(|option| format!("{name} {option} {operands}")).collect()
}

/// A word for a role; none if it would be code.
fn word(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Write | Role::Into => "new",
        Role::Text => "word",
        Role::Variable => "HOME",
        Role::Expr => "p",
        Role::Command => "probe-of-root",
        Role::Set => "A=1",
        role if role.starts() => return None,
        _ => "a.txt",
    })
}

/// An option with its value, by its longest name.
fn written(option: &Opt<'_>) -> Option<String> {
    let name = option
        .names()
        .filter(|name| name.starts_with('-') && name.len() > 1)
        .max_by_key(|name| name.len())?;
    if matches!(name, "--help" | "--version") {
        return None;
    }
    let values: Option<Vec<&str>> = option.roles.iter().flatten().map(|role| word(*role)).collect();
    let values = values?.join(" ");
    match option.takes {
        OptionArgument::Nothing => Some(name.to_owned()),
        OptionArgument::Joined | OptionArgument::Data(1) if name.starts_with("--") => {
            Some(format!("{name}={values}"))
        }
        OptionArgument::Joined => Some(format!("{name}{values}")),
        OptionArgument::Data(_) => Some(format!("{name} {values}")),
        _ => None,
    }
}

/// The options that a text of `--help` has at the starts of its lines.
pub(super) fn options_of_help(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let indented = line.trim_start();
        if !indented.starts_with('-') || line.len().saturating_sub(indented.len()) > 12 {
            continue;
        }
        let names = indented.split("  ").next().unwrap_or_default();
        for word in names.split([',', ' ', '/', '|']).filter(|word| word.starts_with('-')) {
            let end = word
                .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))
                .unwrap_or(word.len());
            let name = word.get(..end).unwrap_or_default();
            let bare = name.trim_start_matches('-');
            let is_placeholder = bare.len() > 1 && bare.contains(|c: char| c.is_ascii_uppercase());
            let is_number = bare.len() > 1 && bare.bytes().all(|byte| byte.is_ascii_digit());
            if !bare.is_empty() && !is_placeholder && !is_number {
                found.push(name.to_owned());
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
