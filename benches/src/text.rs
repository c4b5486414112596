//! Filler text.

use hookc_oracle::generate::Rng;

const WORDS: &[&str] = &[
    "the",
    "request",
    "was",
    "not",
    "finished",
    "in",
    "time",
    "because",
    "upstream",
    "closed",
    "its",
    "connection",
    "while",
    "reading",
    "headers",
    "retry",
    "later",
    "or",
    "ask",
    "an",
    "operator",
];

/// This number of words.
pub(crate) fn filler(rng: &mut Rng, words: usize) -> String {
    let words: Vec<&str> = (0..words).map(|_| rng.pick(WORDS)).collect();
    words.join(" ")
}
