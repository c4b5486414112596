//! Variables of the environment whose values a line gives to others.

use crate::syntax::{Command, CommandKind, Expansion, List, PartKind, Value, Word};

/// Commands that give their words, or what they read, to variables.
const SETTERS: [&str; 10] =
    ["declare", "export", "getopts", "local", "mapfile", "read", "readarray", "readonly", "set", "typeset"];

/// The variables that are in values of assignments, in lists of loops, and in what such commands read.
pub(super) fn sources(list: &List) -> Vec<&str> {
    let mut names = Vec::new();
    of_list(list, &mut names);
    names.sort_unstable();
    names.dedup();
    names
}

fn of_list<'l>(list: &'l List, names: &mut Vec<&'l str>) {
    let commands = list.pipelines.iter().flat_map(|pipeline| &pipeline.commands);
    commands.for_each(|command| of_command(command, names));
}

fn of_command<'l>(command: &'l Command, names: &mut Vec<&'l str>) {
    let mut is_setter = true;
    match &command.kind {
        CommandKind::Simple { assignments, words } => {
            for assignment in assignments {
                match &assignment.value {
                    Value::Text(word) | Value::Element { value: word, .. } => of_word(word, names),
                    Value::Array(words) => words.iter().for_each(|word| of_word(word, names)),
                }
            }
            is_setter = words.first().is_some_and(|name| SETTERS.contains(&name.text.as_str()));
            if is_setter {
                words.iter().for_each(|word| of_word(word, names));
            }
        }
        CommandKind::Group(list) | CommandKind::Subshell(list) | CommandKind::Coprocess(list) => {
            of_list(list, names);
        }
        CommandKind::If { branches, otherwise } => {
            let lists = branches.iter().flat_map(|(condition, body)| [condition, body]);
            lists.chain([otherwise]).for_each(|list| of_list(list, names));
        }
        CommandKind::While { condition, body } => {
            [condition, body].into_iter().for_each(|list| of_list(list, names))
        }
        CommandKind::For { items, body, .. } => {
            items.iter().flatten().for_each(|word| of_word(word, names));
            of_list(body, names);
        }
        CommandKind::Count { body, .. } => of_list(body, names),
        CommandKind::Case { arms, .. } => arms.iter().for_each(|arm| of_list(&arm.body, names)),
        CommandKind::Function { body, .. } => of_command(body, names),
        CommandKind::Test(_) | CommandKind::Empty => is_setter = false,
    }
    if is_setter {
        for redirect in &command.redirects {
            of_word(&redirect.word, names);
            redirect.body.iter().for_each(|body| of_word(body, names));
        }
    }
}

fn of_word<'l>(word: &'l Word, names: &mut Vec<&'l str>) {
    for part in &word.parts {
        let PartKind::Expansion(expansion) = &part.kind else { continue };
        match &**expansion {
            Expansion::Parameter { variable, words } => {
                names.extend(variable.as_deref());
                words.iter().for_each(|word| of_word(word, names));
            }
            Expansion::Array(words) => words.iter().for_each(|word| of_word(word, names)),
            Expansion::Output(_) | Expansion::Input(_) | Expansion::Sink(_) | Expansion::Arithmetic(_) => {}
        }
    }
}
