//! The corpus as a whole; `tests/cases` has a trial for each case.

use std::collections::BTreeSet;

use hookc_schema::Code;
use hookc_schema::diag::ALL_CODES;

/// Codes that no small policy can report: files and limits too large for the corpus. Each has a
/// separate test.
const NO_CASE: &[Code] = &[
    Code::W0244,
    Code::W0648,
    Code::E0001,
    Code::E0002,
    Code::E0005,
    Code::E0006,
    Code::E0007,
    Code::W0008,
    Code::E0258,
    Code::E0437,
    Code::E0259,
    Code::E0703,
    Code::E0801,
    Code::E0802,
    Code::E0803,
    Code::E0999,
];

#[test]
fn every_code_has_a_case() {
    let cases = hookc_corpus::cases("reject").unwrap();
    let covered: BTreeSet<Code> =
        cases.iter().filter_map(|case| Code::from_name(case.name.split('-').next()?)).collect();
    let missing: Vec<_> =
        ALL_CODES.iter().filter(|code| !covered.contains(code) && !NO_CASE.contains(code)).collect();
    assert!(missing.is_empty(), "no case in corpus/reject gives {missing:?}");
}
