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
    not(all(target_arch = "x86_64", not(miri))),
    allow(dead_code, reason = "what the vector instructions of other processors would use")
)]

mod level;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod vector;

pub use level::Level;

use hookc_base::row_number;

use super::json::Json;
use crate::limits::{DENSE_BYTES, DENSE_TOKEN};

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
    /// A bit per byte of the text: the backslash that begins an escape.
    escapes: Vec<u64>,
    /// Whether the text has an escape.
    any_escape: bool,
    /// The tokens of the containers that are open: twice the token, plus one for an object.
    open: Vec<u32>,
}

impl Tokens {
    /// Finds the tokens of a text and checks it; `false` if it is not an object of JSON, or is to be
    /// read without tokens.
    pub(super) fn read(&mut self, level: Level, text: &str, depth: usize) -> bool {
        level.read(self, text, depth)
    }

    /// The byte of a token; zero behind the last.
    #[inline]
    pub(super) fn byte(&self, token: usize) -> u8 {
        self.bytes.get(token).copied().unwrap_or(0)
    }

    /// The position of a token.
    #[inline]
    pub(super) fn start(&self, token: usize) -> u32 {
        self.starts.get(token).copied().unwrap_or(0)
    }

    /// The positions and bytes of four tokens: a member is its key, a colon, the token where the value
    /// starts, and for a scalar the one behind it.
    #[inline(always)]
    pub(super) fn four(&self, token: usize) -> Option<(&[u32; 4], &[u8; 4])> {
        let end = token.wrapping_add(4);
        self.starts.get(token..end)?.first_chunk().zip(self.bytes.get(token..end)?.first_chunk())
    }

    /// The token that closes the container that this one opens.
    #[inline]
    pub(super) fn mate(&self, token: usize) -> usize {
        self.mates.get(token).copied().unwrap_or(0) as usize
    }

    /// Whether a part of the text has an escape.
    #[inline]
    pub(super) fn escaped(&self, start: usize, end: usize) -> bool {
        self.any_escape && start < end && self.escaped_within(start, end)
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
        let between = self.escapes.get(first.wrapping_add(1)..last).unwrap_or_default();
        word(first) & from != 0 || word(last) & to != 0 || between.iter().any(|word| *word != 0)
    }
}

/// From bytes to tokens. Inlined into functions that enable the instructions of what they pass.
impl Tokens {
    #[inline(always)]
    fn collect(
        &mut self,
        text: &str,
        masks: impl Fn(&[u8; 64]) -> Masks,
        prefix_xor: impl Fn(u64) -> u64,
        push: impl Fn(&mut [u32; 64], &mut [u8; 64], u64, u32, &[u8; 64]),
    ) -> bool {
        let json = Json::new(text, 0);
        let (blocks, rest) = text.as_bytes().as_chunks::<64>();
        let mut last = [b' '; 64];
        last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
        self.escapes.clear();
        self.any_escape = false;
        let mut strings = Strings::default();
        let (mut count, mut scalar_before, mut bad, mut base) = (0_usize, 0, 0, 0_u32);
        for part in blocks.chunks(BLOCKS).chain(std::iter::once([last].as_slice())) {
            if !self.room(count, text.len()) {
                return false;
            }
            let (starts, bytes) = (self.starts.as_mut_slice(), self.bytes.as_mut_slice());
            for block in part {
                let found = masks(block);
                if strings.passes(&found) {
                    bad |= found.control;
                    scalar_before = 0;
                    self.escapes.push(0);
                    base = base.wrapping_add(64);
                    continue;
                }
                let (escapes, quote) = strings.quotes(&found);
                let inside = prefix_xor(quote) ^ strings.inside;
                strings.inside = (inside.cast_signed() >> 63).cast_unsigned();
                bad |= found.control & inside;
                let scalar = !(found.structure | found.space | quote | inside);
                let first = scalar & !(scalar << 1 | scalar_before);
                scalar_before = scalar >> 63;
                let tokens = (found.structure & !inside) | first | (quote & inside);
                self.escapes.push(escapes);
                if escapes != 0 {
                    self.any_escape = true;
                    if !strings.escapes(&json, escapes, base) {
                        return false;
                    }
                }
                let place = starts.get_mut(count..).and_then(<[u32]>::first_chunk_mut);
                let byte_place = bytes.get_mut(count..).and_then(<[u8]>::first_chunk_mut);
                let (Some(place), Some(byte_place)) = (place, byte_place) else { return false };
                push(place, byte_place, tokens, base, block);
                count = count.wrapping_add(tokens.count_ones() as usize);
                base = base.wrapping_add(64);
            }
        }
        self.count = count;
        bad == 0 && strings.inside == 0
    }

    /// Makes room for the tokens of so many blocks, and 64 more; `false` if there are too many for the
    /// text.
    #[inline(always)]
    fn room(&mut self, count: usize, length: usize) -> bool {
        let most = BLOCKS.wrapping_mul(64).min(length);
        let room = count.wrapping_add(most).wrapping_add(128);
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
        true
    }
}

/// Blocks for which room is made at once.
const BLOCKS: usize = 64;

/// The state of the strings between two blocks.
#[derive(Debug, Default)]
struct Strings {
    /// All ones inside a string.
    inside: u64,
    /// One if the first byte is escaped.
    escaped: u64,
    /// The end of the last escape.
    end: usize,
}

impl Strings {
    /// Whether a block is the inside of a string: it has no token and no escape.
    #[inline(always)]
    const fn passes(&self, found: &Masks) -> bool {
        self.inside == u64::MAX && self.escaped == 0 && found.quote | found.backslash == 0
    }

    /// The backslashes that begin an escape, and the quotes that are not escaped. (The bits of an
    /// escape alternate: a subtraction carries through a row of backslashes, as in simdjson.)
    #[inline(always)]
    fn quotes(&mut self, found: &Masks) -> (u64, u64) {
        const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
        if found.backslash == 0 {
            let quote = found.quote & !self.escaped;
            self.escaped = 0;
            return (0, quote);
        }
        let first = found.backslash & !self.escaped;
        let codes = ((first << 1) | ODD).wrapping_sub(first) ^ ODD;
        let escaped = codes ^ (found.backslash | self.escaped);
        let escapes = codes & found.backslash;
        self.escaped = escapes >> 63;
        (escapes, found.quote & !escaped)
    }

    /// Checks the escapes that begin in a block.
    #[inline(never)]
    fn escapes(&mut self, json: &Json<'_>, mut escapes: u64, base: u32) -> bool {
        while escapes != 0 {
            let at = base.wrapping_add(escapes.trailing_zeros()) as usize;
            escapes &= escapes.wrapping_sub(1);
            if at < self.end {
                // The second half of a pair.
                continue;
            }
            match json.escape(at) {
                Ok(end) => self.end = end,
                Err(_) => return false,
            }
        }
        true
    }
}

/// The grammar over the tokens.
impl Tokens {
    #[inline(always)]
    fn check(
        &mut self,
        text: &str,
        depth: usize,
        planes: impl Fn(&[u8; 64]) -> Planes,
        prefix_xor: impl Fn(u64) -> u64,
    ) -> bool {
        if self.count == 0 || self.byte(0) != b'{' {
            return false;
        }
        if let Some(end) = self.starts.get_mut(self.count) {
            *end = row_number(text.len());
        }
        self.open.clear();
        let json = Json::new(text, depth);
        let mut before = Before::default();
        let mut base = 0;
        while base < self.count {
            let Some(block) = self.bytes.get(base..).and_then(<[u8]>::first_chunk) else { return false };
            let found = planes(block);
            let left = self.count.wrapping_sub(base);
            let there = if left < 64 { (1_u64 << left).wrapping_sub(1) } else { u64::MAX };
            let Some(turns) = self.brackets(&found, there, base, depth, &mut before.object) else {
                return false;
            };
            let inside = prefix_xor(turns) ^ before.inside;
            let (wrong, scalars) = before.pairs(&found, inside, base == 0);
            if wrong & there != 0 || !self.scalars(&json, scalars & there, base) {
                return false;
            }
            base = base.wrapping_add(64);
        }
        self.open.is_empty()
    }

    /// Pairs the brackets of 64 tokens. Returns the tokens from which on the container is of the
    /// other kind than before.
    #[inline(always)]
    fn brackets(
        &mut self,
        found: &Planes,
        there: u64,
        base: usize,
        depth: usize,
        object: &mut bool,
    ) -> Option<u64> {
        let opens = found.open_object | found.open_array;
        let objects = found.open_object | found.close_object;
        let mut rest = (opens | found.close_object | found.close_array) & there;
        let mut turns = 0;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            let token = base.wrapping_add(bit as usize);
            let of_object = objects >> bit & 1 == 1;
            let now = if opens >> bit & 1 == 1 {
                if self.open.len() >= depth {
                    return None;
                }
                self.open.push(row_number(token) << 1 | u32::from(of_object));
                of_object
            } else {
                let opened = self.open.pop()?;
                *self.mates.get_mut(opened as usize >> 1)? = row_number(token);
                let parent = self.open.last();
                if of_object != *object || (parent.is_none() && token.wrapping_add(1) != self.count) {
                    return None;
                }
                parent.is_some_and(|parent| parent & 1 == 1)
            };
            // Behind the last token of 64 there is no bit: the next 64 begin with `object`.
            turns |= u64::from(now != *object).wrapping_shl(bit) << 1;
            *object = now;
        }
        Some(turns)
    }

    /// Checks the numbers, and the words `true`, `false` and `null`.
    #[inline(always)]
    fn scalars(&self, json: &Json<'_>, mut scalars: u64, base: usize) -> bool {
        while scalars != 0 {
            let token = base.wrapping_add(scalars.trailing_zeros() as usize);
            scalars &= scalars.wrapping_sub(1);
            let (start, end) = (self.start(token) as usize, self.start(token.wrapping_add(1)) as usize);
            if !plain(json.bytes(), start, end) && !scalar(json, start, end) {
                return false;
            }
        }
        true
    }
}

/// Whether a word or a short natural number, and nothing else, is between two positions. The others
/// are left to [`scalar`].
#[inline(always)]
fn plain(text: &[u8], start: usize, end: usize) -> bool {
    const fn all(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    let length = end.wrapping_sub(start);
    let Some(chunk) = text.get(start..).and_then(<[u8]>::first_chunk).filter(|_| length < 8) else {
        return false;
    };
    let behind = u64::MAX << (length.wrapping_mul(8) & 63);
    let word = u64::from_le_bytes(*chunk) & !behind;
    let filled = word | (behind & all(b'0'));
    let digits = (filled & all(0xf0)) == all(0x30) && (filled.wrapping_add(all(6)) & all(0xf0)) == all(0x30);
    if digits {
        return length == 1 || word & 0xff != u64::from(b'0');
    }
    word == u64::from_le_bytes(*b"true\0\0\0\0")
        || word == u64::from_le_bytes(*b"false\0\0\0")
        || word == u64::from_le_bytes(*b"null\0\0\0\0")
}

/// Whether a number, or a word, and white space are between two positions.
#[inline(never)]
fn scalar(json: &Json<'_>, start: usize, end: usize) -> bool {
    json.value(start, 0).is_ok_and(|behind| json.space(behind) == end)
}

/// What the tokens before the next 64 were: the last of each kind in the highest bit.
#[derive(Debug, Default)]
struct Before {
    planes: Planes,
    key: u64,
    end: u64,
    /// All ones if the container is an object; `object` is the same behind the 64 tokens.
    inside: u64,
    object: bool,
}

impl Before {
    /// The tokens of 64 that cannot follow the one before, and those that are scalars without
    /// quotes. `inside` marks the tokens that are directly inside an object.
    ///
    /// Every token but the first follows one of `{`, `[`, `:`, `,`, a key or the end of a value, and
    /// each of these allows some.
    #[inline(always)]
    fn pairs(&mut self, now: &Planes, inside: u64, first: bool) -> (u64, u64) {
        let after = |plane: u64, before: u64| plane << 1 | before >> 63;
        let open_object = after(now.open_object, self.planes.open_object);
        let open_array = after(now.open_array, self.planes.open_array);
        let colon = after(now.colon, self.planes.colon);
        let comma = after(now.comma, self.planes.comma);
        let close = now.close_object | now.close_array;
        let open = now.open_object | now.open_array;
        let scalar = !(open | close | now.colon | now.comma | now.string);
        let key = now.string & (open_object | (comma & inside));
        let whole = (now.string & !key) | scalar;
        let (value, end) = (whole | open, whole | close);
        let right = (open_object & (key | now.close_object))
            | (open_array & (value | now.close_array))
            | (colon & value)
            | (comma & ((inside & key) | (!inside & value)))
            | (after(key, self.key) & now.colon)
            | (after(end, self.end) & (now.comma | close))
            | u64::from(first);
        (self.planes, self.key, self.end) = (*now, key, end);
        self.inside = if self.object { u64::MAX } else { 0 };
        (!right, scalar)
    }
}
