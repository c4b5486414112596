//! Did you mean: the nearest of the names that would have been right.
//! (stub: filled by the diagnostics work)

/// The name nearest to `wrong` among `names`, if one is near enough that a
/// person may have meant it: edit distance (Damerau) at most a third of the
/// length, case ignored. Ties go to the first.
#[must_use]
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let _ = wrong;
    names.into_iter().next().filter(|_| false)
}
