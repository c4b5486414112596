//! What the words of a command change about its row.

use super::arguments::{Arguments, Given, names};
use super::glob::{Glob, Wildcards, relate};
use super::line::Word;
use super::rows::{If, Row, has_glob};
use super::text::Text;

/// The row with what its `if`s change.
pub(super) fn effective(row: &Row, arguments: &Arguments<'_>, words: &[Word]) -> Row {
    let mut effective = row.alone();
    effective.ifs.retain(|condition| is_met(condition, arguments, words));
    for condition in &row.ifs {
        if !is_met(condition, arguments, words) {
            continue;
        }
        let inner = &condition.row;
        effective.operands = inner.operands.clone().or(effective.operands);
        effective.after = inner.after.clone().or(effective.after);
        effective.texts.extend(inner.texts.clone());
        effective.facts.extend(inner.facts.clone());
        if inner.facts.get("plain") == Some(&false) {
            effective.facts.insert("not_plain".to_owned(), true);
        }
        if let Some(two) = condition.two.clone().filter(|_| arguments.operands.len() == 2) {
            effective.operands = Some(two);
        }
    }
    effective
}

fn is_met(condition: &If, arguments: &Arguments<'_>, words: &[Word]) -> bool {
    let has = |groups: &Vec<Vec<String>>| {
        let names: Vec<&str> = groups.iter().flatten().map(|name| name.trim_start_matches('-')).collect();
        arguments.given.iter().any(|given| given.names.iter().any(|name| names.contains(&name.as_str())))
    };
    let first = arguments.operands.first().and_then(|(_, text, _)| text.literal());
    let is_first = first.is_some_and(|text| has_glob(&condition.first, &text));
    let is_word = |word: &Word| {
        let glob = |glob: &String| Glob::new(glob, Wildcards::Texts);
        relate(&condition.words.iter().map(glob).collect::<Vec<_>>(), &word.text).certain
    };
    (condition.flag.is_empty() || has(&condition.flag))
        && !has(&condition.unless)
        && (condition.words.is_empty() || words.iter().skip(1).any(is_word))
        && (condition.first.is_empty() || is_first)
        && (!condition.is_nothing || words.len() == 1)
        && (condition.two.is_none() || arguments.operands.len() == 2)
        && (condition.expr.is_none() && condition.expr_not.is_none() || has_expressions(condition, arguments))
}

/// Whether the expressions of a command are those that a condition wants.
fn has_expressions(condition: &If, arguments: &Arguments<'_>) -> bool {
    let expression = |text: &Option<String>| text.as_ref().and_then(|text| regex::Regex::new(text).ok());
    let (wanted, unwanted) = (expression(&condition.expr), expression(&condition.expr_not));
    let expressions = arguments.roles.iter().filter(|argument| argument.role == "EXPR");
    let mut texts = expressions.map(|argument| argument.text.literal()).peekable();
    texts.peek().is_some()
        && texts.all(|text| {
            text.is_some_and(|text| {
                wanted.as_ref().is_none_or(|wanted| wanted.is_match(&text))
                    && unwanted.as_ref().is_none_or(|unwanted| !unwanted.is_match(&text))
            })
        })
}

/// Operands that imply an option: `+main` of a push.
pub(super) fn add_signs(arguments: &mut Arguments<'_>) {
    let signs = arguments.row.as_ref().map(|row| row.list("signs")).unwrap_or_default();
    for (glob, option) in signs.iter().filter_map(|sign| sign.split_once('=')) {
        let is_sign =
            |(_, text, _): &&(usize, Text, bool)| relate(&[Glob::new(glob, Wildcards::Texts)], text).certain;
        let Some((at, ..)) = arguments.operands.iter().find(is_sign).cloned() else { continue };
        let rows = arguments.row.iter().flat_map(|row| &row.options);
        let options =
            rows.into_iter().find(|options| options.names.iter().any(|listed| listed == option)).cloned();
        let dashed = options.as_ref().map_or(vec![option.to_owned()], |options| names(options, option));
        let names = dashed.iter().map(|name| name.trim_start_matches('-').to_owned()).collect();
        let (values, values_at) = (Vec::new(), Vec::new());
        arguments.given.push(Given { names, values, values_at, options, is_global: false, at });
    }
}
