//! The command lines of handlers, as trees.

use hookc_shell::syntax::{Assignment, Command, CommandKind, Expansion, List, PartKind, Value, Word};

/// The lists in a command, with those of the function that it defines.
pub(super) fn lists(command: &Command) -> Vec<&List> {
    match &command.kind {
        CommandKind::Group(list) | CommandKind::Subshell(list) | CommandKind::Coprocess(list) => vec![list],
        CommandKind::If { branches, otherwise } => {
            branches.iter().flat_map(|(condition, body)| [condition, body]).chain([otherwise]).collect()
        }
        CommandKind::While { condition, body } => vec![condition, body],
        CommandKind::For { body, .. } | CommandKind::Count { body, .. } => vec![body],
        CommandKind::Case { arms, .. } => arms.iter().map(|arm| &arm.body).collect(),
        CommandKind::Function { body, .. } => lists(body),
        CommandKind::Simple { .. } | CommandKind::Test(_) | CommandKind::Empty => Vec::new(),
    }
}

/// The commands of a list.
pub(super) fn commands(list: &List) -> impl Iterator<Item = &Command> {
    list.pipelines.iter().flat_map(|pipeline| &pipeline.commands)
}

/// The first word of a list, and of the command lines in its words, about which a function says something. The bodies of
/// functions have parameters of their own, and are left out.
pub(super) fn find_word<T>(list: &List, find: &mut dyn FnMut(&Word) -> Option<T>) -> Option<T> {
    commands(list).find_map(|command| {
        let of_value = |assignment: &'_ Assignment| match &assignment.value {
            Value::Text(word) => vec![word.clone()],
            _ => Vec::new(),
        };
        let mut words: Vec<Word> = match &command.kind {
            CommandKind::Simple { assignments, words } => {
                assignments.iter().flat_map(of_value).chain(words.iter().cloned()).collect()
            }
            CommandKind::For { items, .. } => items.clone().unwrap_or_default(),
            CommandKind::Case { word, .. } => vec![word.clone()],
            CommandKind::Test(words) => words.clone(),
            CommandKind::Function { .. } => return None,
            _ => Vec::new(),
        };
        for redirect in &command.redirects {
            words.push(redirect.word.clone());
            words.extend(redirect.body.clone());
        }
        let here = words.iter().find_map(|word| in_word(word, find));
        here.or_else(|| lists(command).into_iter().find_map(|list| find_word(list, find)))
    })
}

fn in_word<T>(word: &Word, find: &mut dyn FnMut(&Word) -> Option<T>) -> Option<T> {
    find(word).or_else(|| {
        word.parts.iter().find_map(|part| {
            let PartKind::Expansion(expansion) = &part.kind else { return None };
            match &**expansion {
                Expansion::Input(list) | Expansion::Sink(list) | Expansion::Output(list) => {
                    find_word(list, find)
                }
                Expansion::Parameter { words, .. } => words.iter().find_map(|word| in_word(word, find)),
                Expansion::Arithmetic(word) => in_word(word, find),
                Expansion::Array(words) => words.iter().find_map(|word| in_word(word, find)),
            }
        })
    })
}
