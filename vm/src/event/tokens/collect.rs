//! From the bytes of a text to its tokens, 64 bytes at a time.

use hookc_base::row_number;

use super::super::json::Json;
use super::{Masks, Tokens};

/// Blocks for which room is made at once.
pub(super) const BLOCKS: usize = 64;

/// What is passed here is inlined into functions that enable the instructions it needs.
impl Tokens {
    /// Finds the tokens; `false` if a string is not valid, or if there are too many tokens. `plain` finds
    /// out whether a block has no quote, no backslash and no control character.
    #[inline(always)]
    pub(super) fn collect(
        &mut self,
        text: &str,
        plain: impl Fn(&[u8; 64]) -> bool,
        masks: impl Fn(&[u8; 64]) -> Masks,
        prefix_xor: impl Fn(u64) -> u64,
        push: impl Fn(&mut [u32; 64], &mut [u8; 64], u64, u32, &[u8; 64]),
    ) -> bool {
        let (blocks, rest) = text.as_bytes().as_chunks::<64>();
        self.escapes.clear();
        let mut state = State::default();
        let (mut count, mut base, mut escaped_to) = (0_usize, 0_u32, 0);
        for part in blocks.chunks(BLOCKS) {
            if !self.room(count, text.len()) {
                return false;
            }
            let starts = self.starts.as_mut_slice();
            // Equally long slices need one check of their bounds.
            let Some(bytes) = self.bytes.get_mut(..starts.len()) else { return false };
            for block in part {
                if state.is_inside() && plain(block) {
                    base = base.wrapping_add(64);
                    continue;
                }
                let Some((tokens, escapes)) = state.tokens(&masks(block), &prefix_xor) else { return false };
                if escapes != 0 {
                    escaped_to = check_escapes(text, &mut self.escapes, escapes, (base, escaped_to));
                }
                let Some((positions, token_bytes)) = places(starts, bytes, count) else { return false };
                push(positions, token_bytes, tokens, base, block);
                count = count.wrapping_add(tokens.count_ones() as usize);
                base = base.wrapping_add(64);
            }
        }
        if !rest.is_empty() {
            // The last 64 bytes have the rest, after some that were read already.
            let short = if blocks.is_empty() { padded(rest) } else { [b' '; 64] };
            let after = 64_u32.wrapping_sub(row_number(rest.len()));
            let (block, shift) = text.as_bytes().last_chunk().map_or((&short, 0), |block| (block, after));
            if !self.room(count, text.len()) {
                return false;
            }
            let starts = self.starts.as_mut_slice();
            // Equally long slices need one check of their bounds.
            let Some(bytes) = self.bytes.get_mut(..starts.len()) else { return false };
            let found = masks(block).after(shift);
            let Some((tokens, escapes)) = state.tokens(&found, &prefix_xor) else { return false };
            if escapes != 0 {
                escaped_to = check_escapes(text, &mut self.escapes, escapes, (base, escaped_to));
            }
            let Some((positions, token_bytes)) = places(starts, bytes, count) else { return false };
            push(positions, token_bytes, tokens << shift, base.wrapping_sub(shift), block);
            count = count.wrapping_add(tokens.count_ones() as usize);
        }
        self.count = count;
        self.spaced = state.spaced != 0;
        state.inside == 0 && escaped_to != INVALID
    }
}

/// The end of the last escape if one is not valid.
const INVALID: usize = usize::MAX;

/// Records and checks the escapes that begin in a block, given the end of the last one before. Returns the
/// end of the last of these.
#[inline(never)]
fn check_escapes(
    text: &str,
    positions: &mut Vec<u64>,
    mut escapes: u64,
    (base, mut end): (u32, usize),
) -> usize {
    positions.resize(base as usize / 64, 0);
    positions.push(escapes);
    let json = Json::new(text, 0);
    while escapes != 0 {
        let at = base.wrapping_add(escapes.trailing_zeros()) as usize;
        escapes &= escapes.wrapping_sub(1);
        // Not the second half of a pair, or after an escape that is not valid.
        if at >= end {
            end = json.escape(at).unwrap_or(INVALID);
        }
    }
    end
}

/// The places of 64 tokens.
#[inline(always)]
fn places<'t>(
    starts: &'t mut [u32],
    bytes: &'t mut [u8],
    count: usize,
) -> Option<(&'t mut [u32; 64], &'t mut [u8; 64])> {
    let end = count.wrapping_add(64);
    starts.get_mut(count..end)?.first_chunk_mut().zip(bytes.get_mut(count..end)?.first_chunk_mut())
}

impl Masks {
    /// Those of the bytes from `shift` on, with spaces after the last.
    #[inline(always)]
    const fn after(self, shift: u32) -> Self {
        let Self { quote, backslash, control, structure, space } = self;
        Self {
            quote: quote >> shift,
            backslash: backslash >> shift,
            control: control >> shift,
            structure: structure >> shift,
            space: (space >> shift) | !(u64::MAX >> shift),
        }
    }
}

/// A short text as a block, with spaces after it.
#[cold]
#[inline(never)]
fn padded(rest: &[u8]) -> [u8; 64] {
    let mut block = [b' '; 64];
    if let Some(start) = block.get_mut(..rest.len()) {
        start.copy_from_slice(rest);
    }
    block
}

/// What a block needs to know of those before it, and what was found in them.
#[derive(Debug, Default)]
struct State {
    /// All ones inside a string.
    inside: u64,
    /// One if the first byte is escaped.
    escaped: u64,
    /// One if a scalar without quotes, and if any scalar, ends before the first byte.
    scalar_before: u64,
    end_before: u64,
    /// White space directly after strings and other scalars.
    spaced: u64,
}

impl State {
    /// Whether a block begins inside a string, and not with the second byte of an escape.
    #[inline(always)]
    const fn is_inside(&self) -> bool {
        self.inside == u64::MAX && self.escaped == 0
    }

    /// The tokens of a block, and its backslashes that begin an escape; `None` if there is a control
    /// character in a string.
    #[inline(always)]
    fn tokens(&mut self, found: &Masks, prefix_xor: impl Fn(u64) -> u64) -> Option<(u64, u64)> {
        let (escapes, quote) = self.quotes(found);
        let inside = prefix_xor(quote) ^ self.inside;
        self.inside = (inside.cast_signed() >> 63).cast_unsigned();
        if found.control & inside != 0 {
            return None;
        }
        // Closing quotes, and all bytes of scalars without quotes.
        let ends = !(found.structure | found.space | inside);
        let scalar = ends & !quote;
        let first = scalar & !(scalar << 1 | self.scalar_before);
        self.spaced |= found.space & (ends << 1 | self.end_before);
        (self.scalar_before, self.end_before) = (scalar >> 63, ends >> 63);
        Some(((found.structure & !inside) | first | (quote & inside), escapes))
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
}
