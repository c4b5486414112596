//! Faults of the compiler itself (E0999): its stages rely on each other, and what they rely on is
//! checked wherever a module would be wrong without it. A fault ends a compilation without a module.

use std::cell::Cell;
use std::error::Error;
use std::fmt;

use hookc_schema::{Code, Diagnostic};

/// Something that one stage of the compiler guarantees to another, and that is not so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault(&'static str);

impl Fault {
    /// The fault as an error of the compilation.
    #[must_use]
    pub fn diagnostic(self) -> Diagnostic {
        Diagnostic::global(Code::E0999, self.to_string())
            .note("the policy may be correct; no module is written")
            .help("report it with the policy, and with the version that `hookc --version` prints")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is a fault of hookc: {}", self.0)
    }
}

impl Error for Fault {}

/// The faults of a stage: it continues with a stand-in, and its result is discarded.
#[derive(Debug, Default)]
pub(crate) struct Faults(Cell<Option<Fault>>);

impl Faults {
    /// Notes a fault; the first one counts.
    pub(crate) fn note(&self, what: &'static str) {
        self.0.set(self.0.get().or(Some(Fault(what))));
    }

    /// What must be there; otherwise a stand-in, and a fault.
    pub(crate) fn known<T>(&self, found: Option<T>, stand_in: T, what: &'static str) -> T {
        found.unwrap_or_else(|| {
            self.note(what);
            stand_in
        })
    }

    /// Sets a row that must be there.
    pub(crate) fn put<T>(&self, table: &mut [T], at: usize, row: T, what: &'static str) {
        match table.get_mut(at) {
            Some(place) => *place = row,
            None => self.note(what),
        }
    }

    /// The result of the stage.
    pub(crate) fn check<T>(&self, result: T) -> Result<T, Fault> {
        self.0.get().map_or(Ok(result), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fault_counts() {
        let faults = Faults::default();
        assert_eq!(faults.check(1), Ok(1));
        assert_eq!(faults.known(Some(2), 0, "a"), 2);
        let mut table = [0; 2];
        faults.put(&mut table, 1, 5, "b");
        assert_eq!((table, faults.check(())), ([0, 5], Ok(())));
        assert_eq!(faults.known(None, 7, "c"), 7);
        faults.put(&mut table, 2, 5, "d");
        assert_eq!(faults.check(()).unwrap_err().to_string(), "this is a fault of hookc: c");
    }
}
