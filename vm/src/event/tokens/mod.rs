//! The tokens of a text, found with vector instructions, and the grammar over them.
//!
//! ```text
//! text ──64 bytes─▶ masks ─▶ tokens ──64 tokens─▶ planes: grammar, brackets, scalars ─▶ walk
//! ```
//!
//! A token is a structural character, the opening quote of a string or the first byte of any other
//! scalar. A text is rejected without a reason: the scanner then reads it again and finds the error.
//! It reads everything where the processor has no such instructions, or where tokens would take too
//! much memory.

#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "what the vector instructions of other processors would use")
)]

mod collect;
mod grammar;
mod level;
#[cfg(target_arch = "x86_64")]
mod vector;

pub use level::Level;

use crate::limits::{DENSE_BYTES, DENSE_TOKEN, EVENT_DEPTH};

/// The bytes of 64 that are of a kind, lowest first.
#[derive(Clone, Copy, Debug)]
struct Masks {
    quote: u64,
    backslash: u64,
    /// Below the space.
    control: u64,
    /// `{}[]:,`, and some control characters.
    structure: u64,
    space: u64,
}

/// The tokens of 64 that are of a kind, lowest first.
#[derive(Clone, Copy, Debug, Default)]
struct Planes {
    open_object: u64,
    close_object: u64,
    open_array: u64,
    close_array: u64,
    colon: u64,
    comma: u64,
    string: u64,
}

impl Planes {
    #[inline(always)]
    fn new(equal: impl Fn(u8) -> u64) -> Self {
        Self {
            open_object: equal(b'{'),
            close_object: equal(b'}'),
            open_array: equal(b'['),
            close_array: equal(b']'),
            colon: equal(b':'),
            comma: equal(b','),
            string: equal(b'"'),
        }
    }
}

/// The tokens of a text. The vectors are reused: they hold more than `count`.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    count: usize,
    starts: Vec<u32>,
    bytes: Vec<u8>,
    /// Of the token that opens a container, the token that closes it.
    mates: Vec<u32>,
    /// A bit per byte of the text up to the last escape: the backslash that begins an escape.
    escapes: Vec<u64>,
    /// Whether white space is after a string or another scalar.
    spaced: bool,
    /// The containers that are open, the outermost first, as [`grammar`] has them.
    open: Vec<u32>,
}

impl Tokens {
    /// Finds the tokens of a text and checks it; `false` if it is not an object of JSON, or is to be
    /// read without tokens.
    pub(super) fn read(&mut self, level: Level, text: &str, depth: usize) -> bool {
        level.read(self, text, depth)
    }

    /// The positions and the bytes of the tokens, and of some more places: equally many.
    #[inline(always)]
    pub(super) fn spans(&self) -> (&[u32], &[u8]) {
        self.bytes.get(..self.starts.len()).map_or((&[], &[]), |bytes| (self.starts.as_slice(), bytes))
    }

    /// The byte of a token; zero after the last place.
    #[inline]
    pub(super) fn byte(&self, token: usize) -> u8 {
        self.bytes.get(token).copied().unwrap_or(0)
    }

    /// The position of a token.
    #[inline]
    pub(super) fn start(&self, token: usize) -> u32 {
        self.starts.get(token).copied().unwrap_or(0)
    }

    /// The token that closes the container that this one opens.
    #[inline]
    pub(super) fn mate(&self, token: usize) -> usize {
        self.mates.get(token).copied().unwrap_or(0) as usize
    }

    /// Whether every string ends before its next token, and none has an escape.
    #[inline]
    pub(super) fn is_compact(&self) -> bool {
        !self.spaced && self.escapes.is_empty()
    }

    /// Whether a part of the text has an escape.
    #[inline]
    pub(super) fn escaped(&self, start: usize, end: usize) -> bool {
        !self.escapes.is_empty() && start < end && self.escaped_within(start, end)
    }

    #[inline(never)]
    fn escaped_within(&self, start: usize, end: usize) -> bool {
        let inner = end.wrapping_sub(1);
        let (first, last) = (start / 64, inner / 64);
        let (from, to) = (u64::MAX << (start & 63), u64::MAX >> (63 ^ (inner & 63)));
        let word = |place: usize| self.escapes.get(place).copied().unwrap_or(0);
        if first == last {
            return word(first) & from & to != 0;
        }
        let known = last.min(self.escapes.len());
        let between = self.escapes.get(first.wrapping_add(1)..known).unwrap_or_default();
        word(first) & from != 0 || word(last) & to != 0 || between.iter().any(|word| *word != 0)
    }

    /// Makes room for the tokens of the next blocks, and for what is read after them; `false` if there are
    /// too many tokens for the text.
    #[inline(always)]
    fn room(&mut self, count: usize, length: usize) -> bool {
        let room = count.wrapping_add(collect::BLOCKS.wrapping_mul(64).min(length)).wrapping_add(128);
        room <= self.starts.len() || self.grow(count, room, length)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize, room: usize, length: usize) -> bool {
        if length > DENSE_BYTES && count > length / DENSE_TOKEN {
            return false;
        }
        self.starts.resize(room, 0);
        self.bytes.resize(room, 0);
        self.mates.resize(room, 0);
        self.open.resize(EVENT_DEPTH, 0);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A level that rejects a sound text changes no answer, because the scanner reads it again.
    #[test]
    fn sound_texts_are_read() {
        let texts = [
            "{}",
            r#"{"a":1,"b":[true,null,"c"],"d":{"e":{},"f":-2.5e3}}"#,
            r#" { "a" : [ 1 , [ ] , { "b" : "c" } ] , "d" : "" } "#,
            r#"{"a\n":"\\","b":"\\\"\u00e9","c":["\"","é"]}"#,
        ];
        let many = texts.map(|text| format!("{{\"all\":[{text}{}]}}", format!(",{text}").repeat(30)));
        for level in ["avx2", "avx512"].into_iter().filter_map(Level::named) {
            let mut tokens = Tokens::default();
            for text in texts.into_iter().chain(many.iter().map(String::as_str)) {
                assert!(tokens.read(level, text, EVENT_DEPTH), "{level:?}: {text}");
            }
        }
    }
}
