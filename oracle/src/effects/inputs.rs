//! What texts of inputs name: paths, globs, addresses.

use super::model::{Kind, Scheme};
use super::place::resolve;
use super::roles::{host, local};
use super::text::{Hole, Source, Symbol, Text};

/// A glob of a tool as a text with holes.
pub(super) fn wildcards(glob: &str) -> Text {
    let mut symbols = Vec::new();
    let mut rest = glob;
    while let Some(c) = rest.chars().next() {
        let group = |close: char| rest.find(close).map_or(1, |end| end + 1);
        let (hole, length) = match c {
            '*' if rest.starts_with("**/") => (Hole::Names, 2),
            '*' if rest.starts_with("**") => (Hole::Any, 2),
            '*' => (Hole::Name, 1),
            '?' => (Hole::Char, 1),
            '[' => (Hole::Char, group(']')),
            '{' => (Hole::Any, group('}')),
            '\\' => {
                let mut chars = rest.get(1..).unwrap_or_default().chars();
                symbols.extend(chars.next().map(Symbol::Char));
                rest = chars.as_str();
                continue;
            }
            c => {
                symbols.push(Symbol::Char(c));
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
                continue;
            }
        };
        let source = rest.get(..length).unwrap_or_default();
        symbols.push(Symbol::Hole(hole, Source::new(source)));
        rest = rest.get(length..).unwrap_or_default();
    }
    Text(symbols)
}

/// The host of a text, or the hosts of the addresses among its words.
pub(super) fn addresses(text: &str, is_host: bool) -> Vec<(Kind, Scheme, Text)> {
    let text = if is_host { text } else { text.trim() };
    let words: Vec<&str> = match !is_host && text.contains(char::is_whitespace) {
        true => text.split_whitespace().filter(|word| word.contains("://")).collect(),
        false => vec![text],
    };
    if words.is_empty() {
        return vec![(Kind::Contact, Scheme::Host, Text::unknown(text))];
    }
    let address = |word: &&str| match local(&Text::from(*word), &Text::unknown("$PWD")) {
        Some(path) => (Kind::Read, Scheme::File, path),
        None => (Kind::Contact, Scheme::Host, host(&Text::from(*word))),
    };
    let addresses: Vec<String> = match is_host {
        true => vec![text.to_owned()],
        false => words.iter().flat_map(|word| enclosed(word)).collect(),
    };
    addresses.iter().map(|word| address(&word.as_str())).collect()
}

/// What stands between addresses in a sentence, and what ends one.
const BETWEEN: &str = "()<>[]{}\"'`,;|";
const END: &str = ".:!?*";

/// The addresses in a word: the word if it is one, and those between brackets, quotes, commas and the like that are about
/// another host. A word without any is all that is known.
fn enclosed(word: &str) -> Vec<String> {
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let mut found: Vec<String> = Vec::new();
    for part in word.split(|c| BETWEEN.contains(c)) {
        let Some((before, after)) = part.split_once("://") else { continue };
        let scheme: Vec<char> = before.chars().rev().take_while(|c| is_scheme(*c)).collect();
        let scheme: String = scheme.into_iter().rev().collect();
        let address = format!("{scheme}://{after}");
        if !scheme.is_empty() {
            found.push(address.trim_end_matches(|c| END.contains(c)).to_owned());
        }
    }
    let scheme = word.split_once("://").map(|(scheme, _)| scheme);
    let whole = match scheme.filter(|scheme| !scheme.is_empty() && scheme.chars().all(is_scheme)) {
        Some(scheme) if scheme.eq_ignore_ascii_case("file") => word,
        Some(_) => word.trim_end_matches(|c| BETWEEN.contains(c)).trim_end_matches(|c| END.contains(c)),
        None if found.is_empty() => word,
        None => return found,
    };
    let host_of = |address: &str| host(&Text::from(address)).to_string();
    found.retain(|address| host_of(address) != host_of(whole));
    found.insert(0, whole.to_owned());
    found
}

/// A branch without the directory of branches.
pub(super) fn unprefixed(name: &str) -> &str {
    name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix("heads/")).unwrap_or(name)
}

/// The path that a tool gets, as `file()` reads it.
pub(super) fn file(text: &str, directory: &Text) -> Text {
    if !crate::ambiguous::is_ambiguous(text) {
        return resolve(directory, &Text::from(text));
    }
    let place = text.trim_end_matches(crate::ambiguous::is_blank);
    let name = crate::ambiguous::last_name(text);
    let before = name.as_deref().and_then(|name| place.get(..place.rfind(name)?)).unwrap_or(place);
    let directory = Text::unknown(before.trim_end_matches(['/', '\\']));
    let below = name.map(|name| format!("/{name}")).unwrap_or_default();
    directory.followed_by(&Text::from(below.as_str()))
}
