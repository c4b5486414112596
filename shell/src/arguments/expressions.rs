//! Conditions of rows on code: what `sed` and `awk` scripts do.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use regex::Regex;

/// The regexes of rows, which are compiled when they are first met.
static REGEXES: LazyLock<Mutex<HashMap<String, Option<Regex>>>> = LazyLock::new(Mutex::default);

/// Whether code matches a regex; `None` if that is no regex.
pub(super) fn is_match(regex: &str, code: &str) -> Option<bool> {
    let mut regexes = REGEXES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = regexes.get(regex) {
        return known.as_ref().map(|regex| regex.is_match(code));
    }
    let compiled = Regex::new(regex).ok();
    let is_match = compiled.as_ref().map(|regex| regex.is_match(code));
    regexes.insert(regex.to_owned(), compiled);
    is_match
}
