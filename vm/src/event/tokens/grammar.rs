//! The grammar over the tokens, 64 at a time. The first of them is the last of the 64 before, so that
//! every token but the first of the text is checked with the one before it.

use hookc_base::row_number;

use super::super::json::Json;
use super::{Planes, Tokens};

/// What is passed here is inlined into functions that enable the instructions it needs.
impl Tokens {
    /// Checks the tokens, and pairs the brackets; `false` if the text is not an object of JSON.
    #[inline(always)]
    pub(super) fn check(
        &mut self,
        text: &str,
        depth: usize,
        planes: impl Fn(&[u8; 64]) -> Planes,
        prefix_xor: impl Fn(u64) -> u64,
    ) -> bool {
        let Self { count, starts, bytes, mates, open, .. } = self;
        let count = *count;
        if count == 0 || bytes.first() != Some(&b'{') {
            return false;
        }
        if let Some(end) = starts.get_mut(count) {
            *end = row_number(text.len());
        }
        let json = Json::new(text, depth);
        let open = open.get_mut(..depth).unwrap_or_default();
        let mut brackets = Brackets { mates, open, level: 0, object: 0, wrong: 0 };
        let mut state = State::default();
        let mut base = 0;
        loop {
            let Some(block) = bytes.get(base..).and_then(<[u8]>::first_chunk) else { return false };
            let found = planes(block);
            let left = count.wrapping_sub(base);
            let there = if left < 64 { (1_u64 << left).wrapping_sub(1) } else { u64::MAX };
            // The text begins with the first token, and those of other blocks were checked.
            let checked = there & !1;
            let bracketed = if base == 0 { there } else { checked };
            let Some(turns) = brackets.pair(&found, bracketed, row_number(base)) else { return false };
            let inside = prefix_xor(turns) ^ state.inside;
            let (wrong, scalars) = state.pairs(&found, inside);
            state.inside = if brackets.object == 1 { u64::MAX } else { 0 };
            if wrong & checked != 0 || !check_scalars(&json, starts, scalars & checked, base) {
                return false;
            }
            if left <= 64 {
                break;
            }
            base = base.wrapping_add(63);
        }
        brackets.wrong == 0 && brackets.level == 0 && self.mate(0).wrapping_add(1) == count
    }
}

/// The brackets so far.
#[derive(Debug)]
struct Brackets<'t> {
    mates: &'t mut [u32],
    /// Of each open container, the token that opens it times four, two if it is inside an object, and
    /// one if it is an object. There are as many places as containers may be nested.
    open: &'t mut [u32],
    /// The number of open containers.
    level: usize,
    /// One if the innermost of them is an object.
    object: u32,
    /// One if a bracket closes the other kind.
    wrong: u32,
}

impl Brackets<'_> {
    /// Pairs the brackets of 64 tokens. Returns the tokens from which on the container is of the
    /// other kind than before; `None` if they are nested too deep, or if nothing is open.
    #[inline(always)]
    fn pair(&mut self, found: &Planes, there: u64, base: u32) -> Option<u64> {
        let opens = found.open_object | found.open_array;
        let objects = found.open_object | found.close_object;
        let mut rest = (opens | found.close_object | found.close_array) & there;
        let mut turns = 0;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            let token = base.wrapping_add(bit);
            let of_object = u32::from(objects >> bit & 1 == 1);
            let now = if opens >> bit & 1 == 1 {
                *self.open.get_mut(self.level)? = token << 2 | self.object << 1 | of_object;
                self.level = self.level.wrapping_add(1);
                of_object
            } else {
                self.level = self.level.checked_sub(1)?;
                let opened = *self.open.get(self.level)?;
                *self.mates.get_mut(opened as usize >> 2)? = token;
                self.wrong |= (opened ^ of_object) & 1;
                opened >> 1 & 1
            };
            // After the last token of 64 there is no bit: the next 64 begin with `object`.
            turns |= u64::from(now ^ self.object).wrapping_shl(bit) << 1;
            self.object = now;
        }
        Some(turns)
    }
}

/// Checks the numbers, and the words `true`, `false` and `null`.
#[inline(always)]
fn check_scalars(json: &Json<'_>, starts: &[u32], mut scalars: u64, base: usize) -> bool {
    while scalars != 0 {
        let token = base.wrapping_add(scalars.trailing_zeros() as usize);
        scalars &= scalars.wrapping_sub(1);
        let Some([start, end]) = starts.get(token..).and_then(<[u32]>::first_chunk) else { return false };
        let (start, end) = (*start as usize, *end as usize);
        if !is_short(json.bytes(), start, end) && !is_scalar(json, start, end) {
            return false;
        }
    }
    true
}

/// One byte eight times.
const fn all(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Whether a word or a short number, and nothing else, is between two positions: digits, with a point
/// between them or a minus before them. The others are left to [`is_scalar`].
#[inline(always)]
fn is_short(text: &[u8], start: usize, end: usize) -> bool {
    let length = end.wrapping_sub(start);
    if length.wrapping_sub(1) >= 8 {
        return false;
    }
    let Some((_, chunk)) = text.get(..end).and_then(<[u8]>::split_last_chunk) else { return false };
    // The text is the last bytes of a word. Those before it are made zeros.
    let first = 64_usize.wrapping_sub(length.wrapping_mul(8));
    let (word, mask) = (u64::from_le_bytes(*chunk), u64::MAX << (first & 63));
    let text = word >> (first & 63);
    let digits = ((word & mask) | (all(b'0') & !mask)) ^ all(b'0');
    let others = (((digits & all(0x7f)).wrapping_add(all(0x76))) | digits) & all(0x80);
    let leading_zero = text & 0xff == u64::from(b'0');
    if others == 0 {
        return length == 1 || !leading_zero;
    }
    if others & others.wrapping_sub(1) == 0 {
        // One byte is not a digit.
        let at = (others.trailing_zeros() & 56) as usize;
        let place = at.wrapping_sub(first) / 8;
        return match (word >> at).to_le_bytes() {
            [b'.', ..] => place > 0 && at < 56 && (place == 1 || !leading_zero),
            [b'-', next, ..] => place == 0 && length > 1 && (length == 2 || next != b'0'),
            _ => false,
        };
    }
    // The length tells zeros in the text from those after it.
    match length {
        4 => [*b"true\0\0\0\0", *b"null\0\0\0\0"].map(u64::from_le_bytes).contains(&text),
        5 => text == u64::from_le_bytes(*b"false\0\0\0"),
        _ => false,
    }
}

/// Whether a number, or a word, and white space are between two positions.
#[inline(never)]
fn is_scalar(json: &Json<'_>, start: usize, end: usize) -> bool {
    json.value(start, 0).is_ok_and(|after| json.space(after) == end)
}

/// What the next 64 tokens need to know of those before.
#[derive(Debug, Default)]
struct State {
    /// One if the first token is a key.
    key: u64,
    /// All ones if the second token is directly inside an object.
    inside: u64,
}

impl State {
    /// The tokens of 64 that cannot follow the one before, and those that are scalars without
    /// quotes. `inside` marks the tokens that are directly inside an object. Nothing is known about the
    /// first token.
    ///
    /// Every token but the first follows one of `{`, `[`, `:`, `,`, a key or the end of a value, and
    /// each of these allows some.
    #[inline(always)]
    fn pairs(&mut self, now: &Planes, inside: u64) -> (u64, u64) {
        let (open_object, open_array) = (now.open_object << 1, now.open_array << 1);
        let (colon, comma) = (now.colon << 1, now.comma << 1);
        let close = now.close_object | now.close_array;
        let open = now.open_object | now.open_array;
        let scalar = !(open | close | now.colon | now.comma | now.string);
        let key = (now.string & (open_object | (comma & inside))) | self.key;
        let whole = (now.string & !key) | scalar;
        let (value, end) = (whole | open, whole | close);
        let right = (open_object & (key | now.close_object))
            | (open_array & (value | now.close_array))
            | (colon & value)
            | (comma & ((inside & key) | (!inside & value)))
            | ((key << 1) & now.colon)
            | ((end << 1) & (now.comma | close));
        self.key = key >> 63;
        (!right, scalar)
    }
}
