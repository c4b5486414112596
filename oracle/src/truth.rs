//! Truth with an unknown third value, as in Kleene's logic.

/// Why a condition is neither true nor false: a part of the history cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown;

/// The truth of a condition.
pub(crate) type Truth = Result<bool, Unknown>;

/// True if each part is; false if one part is false, whatever the others are.
pub(crate) fn every(parts: impl Iterator<Item = Truth>) -> Truth {
    let mut result = Ok(true);
    for part in parts {
        match part {
            Ok(false) => return Ok(false),
            Ok(true) => {}
            Err(Unknown) => result = Err(Unknown),
        }
    }
    result
}

/// True if one part is, whatever the others are; false if each part is.
pub(crate) fn some(parts: impl Iterator<Item = Truth>) -> Truth {
    every(parts.map(not)).map(|truth| !truth)
}

fn not(part: Truth) -> Truth {
    part.map(|truth| !truth)
}
