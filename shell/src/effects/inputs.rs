//! Effects of the inputs of tools.

use hookc_base::input_role::{InputKind, InputRole};

use super::collector::{Collector, Marks};
use super::pattern::braces;
use super::text::{Stored, Text};
use super::{ALTERNATIVES, Kind, Scheme, UnknownCause, objects};
use crate::{HoleKind, paths};

/// Builds where the path of a tool leads. Its place is unknown if tools of different systems read it differently; the
/// last name is known.
pub(super) fn resolve(out: &mut Collector<'_>, directory: Stored, path: &str) {
    if !paths::is_ambiguous(path) {
        return out.resolve_str(Some(directory), path);
    }
    let place = path.trim_end_matches(paths::is_blank);
    let name = paths::name(path.trim_matches(paths::is_blank));
    out.draft.clear();
    let before = name.and_then(|name| place.get(..place.rfind(name)?)).unwrap_or(place);
    out.draft.push_hole(before.trim_end_matches(paths::SEPARATORS), HoleKind::Text);
    if let Some(name) = name {
        out.draft.push_str("/");
        out.draft.push_str(name);
    }
}

/// What a tool does with a path.
pub(super) fn path(
    out: &mut Collector<'_>,
    role: &InputRole<'_>,
    directory: Stored,
    path: &str,
    globs: &[String],
) {
    let kinds: &[Kind] = match role.kind {
        InputKind::Read => &[Kind::Read],
        InputKind::Use => &[Kind::Use],
        InputKind::List => &[Kind::List],
        InputKind::Write => &[Kind::Write],
        InputKind::Delete => &[Kind::Delete],
        InputKind::Send => &[Kind::Read, Kind::Send],
        // An input with a usual name of a tool that nobody declares can be read.
        InputKind::Edit if out.is_assumed => &[Kind::Read, Kind::Write],
        InputKind::Edit => &[Kind::Use, Kind::Write],
        InputKind::Move => &[Kind::Use, Kind::Delete],
        _ => return,
    };
    if path.contains('\0') {
        return out.no_text(UnknownCause::Input);
    }
    let marks = Marks::default().tree(role.is_tree);
    if role.is_glob {
        for text in alternatives(path) {
            glob(out, directory, &text);
            out.file(kinds, Marks::default());
        }
        return;
    }
    if globs.is_empty() {
        resolve(out, directory, path);
        return out.file(kinds, marks);
    }
    for text in globs {
        resolve(out, directory, path);
        let root = out.actions.store.push(out.draft.text());
        glob(out, root, text);
        out.file(kinds, Marks::default());
    }
}

/// The globs that the braces of one stand for.
pub(super) fn alternatives(glob: &str) -> Vec<String> {
    braces::expand(glob, ALTERNATIVES).unwrap_or_else(|| vec![glob.to_owned()])
}

/// Builds the paths of a glob. Without a `/`, it is that of a name anywhere below the directory.
fn glob(out: &mut Collector<'_>, directory: Stored, text: &str) {
    let name = text.trim_start_matches("./");
    out.draft.clear();
    if !name.contains('/') && !matches!(name, "" | "~" | "." | "..") {
        out.draft.push_below(name);
    } else {
        out.draft.push_glob(text);
    }
    let path = out.actions.store.push(out.draft.text());
    out.resolve(Some(directory), path);
}

/// Contacts the machine of an address, or of each address in a text.
pub(super) fn url(out: &mut Collector<'_>, text: &str) {
    out.actions.add_text(text);
    let text = text.trim();
    if !text.contains(char::is_whitespace) {
        return addresses(out, text);
    }
    let mut words = text.split_whitespace().filter(|word| word.contains("://")).peekable();
    if words.peek().is_none() {
        out.draft.clear();
        out.draft.push_hole(text, HoleKind::Text);
        return out.drafted(Kind::Contact, Scheme::Host, Marks::default());
    }
    words.for_each(|word| addresses(out, word));
}

/// Contacts the machines of the addresses in a word of prose. A word that is an address is one up to its end: a comma in it
/// can be a part of the user's name.
fn addresses(out: &mut Collector<'_>, word: &str) {
    let host_of = |address| objects::host(Text::literal(address));
    let parts = || word.split(PUNCTUATION).filter_map(address);
    let scheme = objects::scheme(Text::literal(word));
    let whole = match scheme {
        Some(scheme) if scheme.eq_ignore_ascii_case("file") => Some(word),
        Some(_) => Some(word.trim_end_matches(PUNCTUATION).trim_end_matches(SENTENCE)),
        None if parts().next().is_none() => Some(word),
        None => None,
    };
    let known = whole.and_then(|whole| whole.get(host_of(whole)));
    whole.into_iter().for_each(|whole| host(out, whole));
    let others = parts().filter(|part| scheme.is_none() || part.get(host_of(part)) != known);
    others.for_each(|part| host(out, part));
}

/// What can stand around an address in prose: `(https://x), <https://y>`.
const PUNCTUATION: [char; 14] = ['(', ')', '<', '>', '[', ']', '{', '}', '"', '\'', '`', ',', ';', '|'];

/// What can end a sentence after an address.
const SENTENCE: [char; 5] = ['.', ':', '!', '?', '*'];

/// The address in a part of a word, without the end of a sentence.
fn address(word: &str) -> Option<&str> {
    let colon = word.find("://")?;
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let start = word.get(..colon)?.trim_end_matches(is_scheme).len();
    let address = word.get(start..)?.trim_end_matches(SENTENCE);
    (start < colon).then_some(address)
}

/// Contacts a machine.
pub(super) fn host(out: &mut Collector<'_>, text: &str) {
    let address = Text::literal(text);
    if objects::scheme(address).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file")) {
        let path = text.get("file://".len()..).unwrap_or_default();
        out.resolve_str(None, path);
        return out.file(&[Kind::Read], Marks::default());
    }
    let host = text.get(objects::host(address)).unwrap_or_default();
    out.named(Kind::Contact, Scheme::Host, host, Marks::default());
}

/// Moves a branch of a remote that no input names.
pub(super) fn pushed(out: &mut Collector<'_>, text: &str) {
    out.draft.clear();
    out.draft.push_hole("*", HoleKind::Text);
    out.draft.push_str(":");
    out.draft.push_str(objects::branch(text));
    out.drafted(Kind::Push, Scheme::Branch, Marks::default());
}
