//! Names in messages: lists of them, and the one that was probably meant.

use hookc_schema::suggest;

/// The most names in a list.
pub(crate) const LISTED: usize = 4;

/// The most letters of a name of which another letter makes another word.
const SHORT: usize = 4;

/// Each name as code.
pub(crate) fn quoted(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("`{name}`")).collect()
}

/// `a`; `a and b`; `a, b and c`.
pub(crate) fn joined(names: &[String]) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// All of the names, as code.
pub(crate) fn listed_all(names: &[&str]) -> String {
    joined(&quoted(names))
}

/// Some of the names, as code.
pub(crate) fn listed(names: &[&str]) -> String {
    match (names.get(..LISTED), names.len().saturating_sub(LISTED)) {
        (Some(first), more @ 1..) => format!("{} and {more} more", quoted(first).join(", ")),
        _ => listed_all(names),
    }
}

/// Whether a text that is almost a name has a slip: `Head` is another word than `Read`, `Raed` is not.
pub(crate) fn is_slip(text: &str, name: &str) -> bool {
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    let (text, name) = (letters(text), letters(name));
    text.len() > SHORT || text.len() != name.len() || text == name
}

/// Did-you-mean with a budget of names to compare.
pub(crate) struct Suggester {
    pub(crate) left: usize,
}

impl Suggester {
    pub(crate) fn find<'n>(
        &mut self,
        wrong: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        suggest::nearest(wrong, self.counted(names)?)
    }

    /// Like `find`, for names that are not of the language: fields, values.
    pub(crate) fn find_spelling<'n>(
        &mut self,
        wrong: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        suggest::nearest_spelling(wrong, self.counted(names)?)
    }

    /// The names, each of which is counted when it is compared; `None` if the budget is used up.
    fn counted<'n>(
        &mut self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Option<impl Iterator<Item = &'n str>> {
        let left = &mut self.left;
        (*left > 0).then(move || names.into_iter().inspect(move |_| *left = left.saturating_sub(1)))
    }
}
