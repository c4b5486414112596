//! Names in messages: lists of them, and the one that was probably meant.

use hookc_schema::suggest;

/// The most names in a list.
pub(crate) const LISTED: usize = 4;

/// All of the names, as text.
pub(crate) fn listed_all(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match shown.split_last() {
        None => String::new(),
        Some((one, [])) => one.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// Some of the names, as text.
pub(crate) fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    match (shown.split_last(), names.len().saturating_sub(LISTED)) {
        (None, _) => String::new(),
        (Some(_), more @ 1..) => format!("{} and {more} more", shown.join(", ")),
        (Some((one, [])), _) => one.clone(),
        (Some((last, rest)), _) => format!("{} and {last}", rest.join(", ")),
    }
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
        let left = &mut self.left;
        if *left == 0 {
            return None;
        }
        suggest::nearest(wrong, names.into_iter().inspect(|_| *left = left.saturating_sub(1)))
    }

    /// Like `find`, for names that are not of the language: fields, values.
    pub(crate) fn find_spelling<'n>(
        &mut self,
        wrong: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        let left = &mut self.left;
        if *left == 0 {
            return None;
        }
        suggest::nearest_spelling(wrong, names.into_iter().inspect(|_| *left = left.saturating_sub(1)))
    }
}
