//! Calls of hookc by its own handlers. A call that decides about the event of its own handler would
//! recurse forever.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The variable that tells handlers which calls they run within.
pub(crate) const VARIABLE: &str = "HOOKC_WITHIN";

/// Most calls within one another.
const DEEPEST: usize = 16;

/// The calls that handlers of this one run within, for the variable.
///
/// # Errors
/// A handler of the same policy and event made this call, or the nesting of calls is too deep.
pub(crate) fn enter(module: [u8; 32], event: &[u8]) -> Result<String, String> {
    join(&std::env::var(VARIABLE).unwrap_or_default(), &name(module, event))
}

/// A policy and an event.
fn name(module: [u8; 32], event: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    (module, event).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn join(outer: &str, own: &str) -> Result<String, String> {
    let depth = outer.split_whitespace().count();
    if outer.split_whitespace().any(|call| call == own) {
        return Err(
            "a handler of this policy calls `hookc` with the same policy for the same event: this would \
             never end"
                .to_owned(),
        );
    }
    if depth >= DEEPEST {
        return Err(format!("this call of `hookc` is nested in handlers of {depth} other calls"));
    }
    Ok(format!("{outer} {own}").trim_start().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_call_and_too_many() {
        let (a, b) = (name([1; 32], b"{}"), name([1; 32], b"[]"));
        let both = join(&join("", &a).unwrap(), &b).unwrap();
        assert_eq!(both, format!("{a} {b}"));
        assert!(join(&both, &a).is_err() && join(&both, &b).is_err());
        let many = (0..DEEPEST).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        assert!(join(&many, &a).is_err());
    }
}
