//! The tables of keys, from those of the dialects.

use hookc_schema::decode::{Key, Object, Type};
use hookc_schema::dialect::{hooks, test};
use hookc_schema::tree::PredicateName;

/// The table of that name.
pub(super) fn table(name: &str) -> Option<String> {
    Some(match name {
        "predicates" => predicates(),
        "file_keys" => list(current(&hooks::FILE).filter(|key| key.name != "hooks")),
        "hook_keys" => rows(&hooks::HOOK),
        "condition_keys" => list(current(&hooks::CONDITION).filter(|key| predicate(key).is_none())),
        "test_file_keys" => rows(&test::FILE),
        "test_keys" => rows(&test::TEST),
        "expect_keys" => rows(&test::EXPECT),
        "event_errors" => {
            let errors = test::EventErrorKind::CHOICES.iter();
            errors.map(|(name, kind)| format!("- `{name}`: {}\n", kind.meaning())).collect()
        }
        _ => return None,
    })
}

/// The keys of an object that a new file may use.
fn current(object: &'static Object) -> impl Iterator<Item = &'static Key> {
    object.keys.iter().filter(|key| !key.legacy)
}

fn predicate(key: &Key) -> Option<PredicateName> {
    PredicateName::from_name(key.name)
}

/// Each predicate, the possible ones next to the certain ones.
fn predicates() -> String {
    let mut out = "| predicate | |\n|---|---|\n".to_owned();
    for key in current(&hooks::CONDITION) {
        let Some(name) = predicate(key) else { continue };
        let call = match name {
            PredicateName::Guard { is_possible: true, .. } => continue,
            PredicateName::Guard { verb, .. } => format!("`{}(P)` `{}(P)`", verb.plural(), verb.possible()),
            PredicateName::Only => "`only(GUARD, ...)`".to_owned(),
            PredicateName::Unknown => "`unknown()`".to_owned(),
            PredicateName::Mentions | PredicateName::Passed => format!("`{}(P)`", key.name),
        };
        out += &format!("| {call} | {} |\n", cell(key.about));
    }
    out
}

/// Names in one sentence.
fn list(keys: impl Iterator<Item = &'static Key>) -> String {
    keys.map(|key| format!("`{}`", key.name)).collect::<Vec<_>>().join(", ")
}

/// A row per key.
fn rows(object: &'static Object) -> String {
    let mut out = "| key | |\n|---|---|\n".to_owned();
    for key in current(object) {
        let words = match key.is {
            Type::Word(words) => format!(" `{}`", words.names().join("`, `")),
            _ => String::new(),
        };
        let needed = if key.needed.is_some() { " (required)" } else { "" };
        out += &format!("| `{}`{needed} | {}{words} |\n", key.name, cell(first_sentence(key.about)));
    }
    out
}

fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first)
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
