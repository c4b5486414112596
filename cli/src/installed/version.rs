//! Versions of hookc: a call in settings has that of the `hookc` that wrote it.

/// The version of this program.
pub(crate) const OWN: &str = env!("CARGO_PKG_VERSION");

/// Whether a version is older than another one. One that cannot be read is not.
pub(crate) fn is_older(version: &str, than: &str) -> bool {
    numbers(version).zip(numbers(than)).is_some_and(|(version, than)| version < than)
}

/// Major, minor and patch; suffixes such as `-rc.1` are ignored.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let core = version.split(['-', '+']).next()?;
    let mut parts = core.split('.').map(|part| part.parse().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        assert!(is_older("0.9.0", "0.10.0") && is_older("0.1.0", "1.0.0"));
        for (version, than) in [
            ("0.10.0", "0.9.0"),
            ("0.2.0", "0.2.0"),
            ("0.2.0-rc.1", "0.2.0"),
            ("x", "0.2.0"),
            ("0.2", "0.3.0"),
        ] {
            assert!(!is_older(version, than), "{version} {than}");
        }
        assert!(numbers(OWN).is_some());
    }
}
