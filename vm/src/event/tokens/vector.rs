//! The vector instructions of x86-64 that find the tokens: 64 bytes of the text at a time become bit
//! masks, and the bits of tokens become positions.
//!
//! This is the only file of the workspace with unsafe code, for two reasons: a function that needs
//! instructions that not every processor has can only be called after a check that the compiler
//! cannot see, and vectors are stored through pointers.

#![allow(unsafe_code, reason = "the only file that may: see above")]

use std::arch::x86_64::*;
use std::sync::OnceLock;

use simdutf8::basic::imp::x86::sse42;

use super::{Masks, Planes, Tokens};

static BEST: OnceLock<Level> = OnceLock::new();

/// Instructions that events are read with. Only [`Level::named`] makes one, so this processor has them.
///
/// ```
/// use hookc_vm::format::event::Level;
///
/// assert!(Level::named("portable").is_some());
/// assert!(Level::named("sse9").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// No vectors of our own.
    Portable,
    Avx2,
    Avx512,
}

impl Level {
    /// The best of this processor, or the one that was chosen before the first event was read.
    pub fn best() -> Self {
        let available = || ["avx512", "avx2"].into_iter().find_map(Self::named);
        *BEST.get_or_init(|| available().unwrap_or(Self(Set::Portable)))
    }

    /// Reads all events of this process with these instructions; `false` if others are in use already.
    pub fn choose(self) -> bool {
        *BEST.get_or_init(|| self) == self
    }

    /// Its name: `portable`, `avx2` or `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Set::Portable => "portable",
            Set::Avx2 => "avx2",
            Set::Avx512 => "avx512",
        }
    }

    /// The level with this name; `None` if this processor does not have it.
    pub fn named(name: &str) -> Option<Self> {
        let bits = is_x86_feature_detected!("pclmulqdq")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        let set = match name {
            "portable" => Set::Portable,
            "avx2" if bits && is_x86_feature_detected!("avx2") => Set::Avx2,
            "avx512"
                if bits
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("avx512vbmi2") =>
            {
                Set::Avx512
            }
            _ => return None,
        };
        Some(Self(set))
    }

    /// Bytes as a text if all of them are ASCII; `None` as well if this level cannot say.
    pub(in super::super) fn ascii(self, bytes: &[u8]) -> Option<&str> {
        let is_ascii = match self.0 {
            Set::Portable => false,
            // SAFETY: `Level::named` has found the instructions that this function enables.
            Set::Avx2 => unsafe { is_ascii_avx2(bytes) },
            // SAFETY: as above.
            Set::Avx512 => unsafe { is_ascii_avx512(bytes) },
        };
        // SAFETY: bytes below 128 are characters of UTF-8, and there are no others.
        is_ascii.then(|| unsafe { std::str::from_utf8_unchecked(bytes) })
    }

    /// Bytes as a text if they are UTF-8. For a processor with AVX2, `simdutf8::basic::from_utf8` computes addresses
    /// after the bytes, to prefetch from there, which is undefined in Rust although nothing is read. Its
    /// implementation for SSE 4.2 does not.
    pub(crate) fn utf8(bytes: &[u8]) -> Option<&str> {
        if !is_x86_feature_detected!("sse4.2") {
            return std::str::from_utf8(bytes).ok();
        }
        // SAFETY: this processor has SSE 4.2.
        unsafe { sse42::validate_utf8(bytes) }.ok()?;
        // SAFETY: the bytes have been validated.
        Some(unsafe { std::str::from_utf8_unchecked(bytes) })
    }

    /// Reads the tokens of a text; `false` if this level cannot.
    pub(super) fn read(self, tokens: &mut Tokens, text: &str, depth: usize) -> bool {
        match self.0 {
            Set::Portable => false,
            // SAFETY: `Level::named` has found the instructions that this function enables.
            Set::Avx2 => unsafe { read_avx2(tokens, text, depth) },
            // SAFETY: as above.
            Set::Avx512 => unsafe { read_avx512(tokens, text, depth) },
        }
    }
}

/// Whether no byte has its highest bit.
#[target_feature(enable = "avx2")]
fn is_ascii_avx2(bytes: &[u8]) -> bool {
    let (blocks, rest) = bytes.as_chunks::<64>();
    let mut bits = _mm256_setzero_si256();
    for block in blocks {
        let (low, high) = halves(block);
        bits = _mm256_or_si256(bits, _mm256_or_si256(low, high));
    }
    // The last 64 bytes have the rest.
    let Some(last) = bytes.last_chunk() else { return rest.is_ascii() };
    let (low, high) = halves(last);
    bits = _mm256_or_si256(bits, _mm256_or_si256(low, high));
    _mm256_movemask_epi8(bits) == 0
}

/// As [`is_ascii_avx2`].
#[target_feature(enable = "avx512f,avx512bw")]
fn is_ascii_avx512(bytes: &[u8]) -> bool {
    let (blocks, rest) = bytes.as_chunks::<64>();
    let mut bits = _mm512_setzero_si512();
    for block in blocks {
        bits = _mm512_or_si512(bits, whole(block));
    }
    let Some(last) = bytes.last_chunk() else { return rest.is_ascii() };
    _mm512_movepi8_mask(_mm512_or_si512(bits, whole(last))) == 0
}

#[target_feature(enable = "avx2,pclmulqdq,bmi1,bmi2,popcnt")]
fn read_avx2(tokens: &mut Tokens, text: &str, depth: usize) -> bool {
    collect_avx2(tokens, text) && check_avx2(tokens, text, depth)
}

#[target_feature(enable = "avx2,pclmulqdq,bmi1,bmi2,popcnt")]
#[inline(never)]
fn collect_avx2(tokens: &mut Tokens, text: &str) -> bool {
    tokens.collect(
        text,
        |block| plain_avx2(block),
        |block| masks_avx2(block),
        |bits| prefix_xor(bits),
        push_each,
    )
}

#[target_feature(enable = "avx2,pclmulqdq,bmi1,bmi2,popcnt")]
#[inline(never)]
fn check_avx2(tokens: &mut Tokens, text: &str, depth: usize) -> bool {
    tokens.check(text, depth, |block| planes_avx2(block), |bits| prefix_xor(bits))
}

#[target_feature(enable = "avx2,pclmulqdq,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn read_avx512(tokens: &mut Tokens, text: &str, depth: usize) -> bool {
    collect_avx512(tokens, text) && check_avx512(tokens, text, depth)
}

#[target_feature(enable = "avx2,pclmulqdq,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
#[inline(never)]
fn collect_avx512(tokens: &mut Tokens, text: &str) -> bool {
    tokens.collect(
        text,
        |block| plain_avx512(block),
        |block| masks_avx512(block),
        |bits| prefix_xor(bits),
        |positions, bytes, found, base, block| push_avx512(positions, bytes, found, base, block),
    )
}

#[target_feature(enable = "avx2,pclmulqdq,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
#[inline(never)]
fn check_avx512(tokens: &mut Tokens, text: &str, depth: usize) -> bool {
    tokens.check(text, depth, |block| planes_avx512(block), |bits| prefix_xor(bits))
}

/// Writes four tokens at a time: what is after the last is written again, or not read.
#[inline(always)]
fn push_each(positions: &mut [u32; 64], bytes: &mut [u8; 64], mut found: u64, base: u32, block: &[u8; 64]) {
    let (positions, bytes) = (positions.as_chunks_mut::<4>().0, bytes.as_chunks_mut::<4>().0);
    for (positions, bytes) in positions.iter_mut().zip(bytes) {
        if found == 0 {
            break;
        }
        for (position, byte) in positions.iter_mut().zip(bytes) {
            let place = found.trailing_zeros();
            *position = base.wrapping_add(place);
            *byte = block.get(place as usize & 63).copied().unwrap_or_default();
            found &= found.wrapping_sub(1);
        }
    }
}

/// Each bit of the result is the parity of the bits up to its own.
#[target_feature(enable = "pclmulqdq")]
#[inline]
fn prefix_xor(bits: u64) -> u64 {
    let product = _mm_clmulepi64_si128::<0>(_mm_set_epi64x(0, bits.cast_signed()), _mm_set1_epi8(-1));
    _mm_cvtsi128_si64(product).cast_unsigned()
}

/// Low nibbles of white space, and of structure after its bit 5 is set.
const SPACE: [u8; 16] =
    [b' ', 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, b'\t', b'\n', 0xff, 0xff, b'\r', 0xff, 0xff];
const STRUCTURE: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, b':', b'{', b',', b'}', 0, 0];

#[target_feature(enable = "avx2")]
#[inline]
fn halves(block: &[u8; 64]) -> (__m256i, __m256i) {
    let start = block.as_ptr();
    // SAFETY: the block has 64 bytes, and these loads need no alignment.
    unsafe { (_mm256_loadu_si256(start.cast()), _mm256_loadu_si256(start.add(32).cast())) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn bits(low: __m256i, high: __m256i) -> u64 {
    let (low, high) = (_mm256_movemask_epi8(low).cast_unsigned(), _mm256_movemask_epi8(high).cast_unsigned());
    u64::from(low) | u64::from(high) << 32
}

#[target_feature(enable = "avx2")]
#[inline]
fn table_avx2(table: &[u8; 16]) -> __m256i {
    // SAFETY: the table has 16 bytes, and the load needs no alignment.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

/// Whether a block has no quote, no backslash and no control character. A quote with its second bit
/// flipped is the space, which is directly above the control characters, and they stay below it.
#[target_feature(enable = "avx2")]
#[inline]
fn plain_avx2(block: &[u8; 64]) -> bool {
    let (low, high) = halves(block);
    let marks = |bytes| {
        let flipped = _mm256_xor_si256(bytes, _mm256_set1_epi8(0x02));
        let low = _mm256_cmpeq_epi8(_mm256_min_epu8(flipped, _mm256_set1_epi8(0x20)), flipped);
        _mm256_or_si256(low, _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'\\'.cast_signed())))
    };
    let marks = _mm256_or_si256(marks(low), marks(high));
    _mm256_testz_si256(marks, marks) == 1
}

#[target_feature(enable = "avx2")]
#[inline]
fn masks_avx2(block: &[u8; 64]) -> Masks {
    let (low, high) = halves(block);
    let equal = |byte: u8| {
        let copies = _mm256_set1_epi8(byte.cast_signed());
        bits(_mm256_cmpeq_epi8(low, copies), _mm256_cmpeq_epi8(high, copies))
    };
    let found = |table: &[u8; 16], keys: (__m256i, __m256i)| {
        let table = table_avx2(table);
        let matching = |bytes, key| _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, bytes), key);
        bits(matching(low, keys.0), matching(high, keys.1))
    };
    let bit = _mm256_set1_epi8(0x20);
    let control =
        |bytes| _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, _mm256_set1_epi8(0x1f)), _mm256_set1_epi8(0x1f));
    Masks {
        quote: equal(b'"'),
        backslash: equal(b'\\'),
        control: bits(control(low), control(high)),
        structure: found(&STRUCTURE, (_mm256_or_si256(low, bit), _mm256_or_si256(high, bit))),
        space: found(&SPACE, (low, high)),
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn planes_avx2(block: &[u8; 64]) -> Planes {
    let (low, high) = halves(block);
    Planes::new(|byte| {
        let copies = _mm256_set1_epi8(byte.cast_signed());
        bits(_mm256_cmpeq_epi8(low, copies), _mm256_cmpeq_epi8(high, copies))
    })
}

#[target_feature(enable = "avx512f")]
#[inline]
fn whole(block: &[u8; 64]) -> __m512i {
    // SAFETY: the block has 64 bytes, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(block.as_ptr().cast()) }
}

/// As [`plain_avx2`].
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn plain_avx512(block: &[u8; 64]) -> bool {
    let bytes = whole(block);
    let flipped = _mm512_xor_si512(bytes, _mm512_set1_epi8(0x02));
    let backslash = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b'\\'.cast_signed()));
    _mm512_cmple_epu8_mask(flipped, _mm512_set1_epi8(0x20)) | backslash == 0
}

#[target_feature(enable = "avx512f,avx512bw,avx2")]
#[inline]
fn masks_avx512(block: &[u8; 64]) -> Masks {
    let bytes = whole(block);
    let equal = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte.cast_signed()));
    let found = |table: &[u8; 16], keys: __m512i| {
        let table = _mm512_broadcast_i32x4(_mm256_castsi256_si128(table_avx2(table)));
        _mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(table, bytes), keys)
    };
    Masks {
        quote: equal(b'"'),
        backslash: equal(b'\\'),
        control: _mm512_cmplt_epu8_mask(bytes, _mm512_set1_epi8(0x20)),
        structure: found(&STRUCTURE, _mm512_or_si512(bytes, _mm512_set1_epi8(0x20))),
        space: found(&SPACE, bytes),
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn planes_avx512(block: &[u8; 64]) -> Planes {
    let bytes = whole(block);
    Planes::new(|byte| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte.cast_signed())))
}

/// The numbers from 0 to 63.
const PLACES: [u8; 64] = {
    let mut places = [0; 64];
    let mut rest: &mut [u8] = &mut places;
    let mut number = 0;
    while let [place, others @ ..] = rest {
        *place = number;
        number += 1;
        rest = others;
    }
    places
};

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
#[inline]
fn push_avx512(positions: &mut [u32; 64], bytes: &mut [u8; 64], found: u64, base: u32, block: &[u8; 64]) {
    let places = _mm512_maskz_compress_epi8(found, whole(&PLACES));
    let values = _mm512_maskz_compress_epi8(found, whole(block));
    let base = _mm512_set1_epi32(base.cast_signed());
    let wide = |part: __m128i| _mm512_add_epi32(_mm512_cvtepu8_epi32(part), base);
    let start = positions.as_mut_ptr();
    // SAFETY: there is room for 64 bytes and for 64 positions, in four stores of 16; none needs
    // alignment.
    unsafe {
        _mm512_storeu_si512(bytes.as_mut_ptr().cast(), values);
        _mm512_storeu_si512(start.cast(), wide(_mm512_extracti32x4_epi32::<0>(places)));
        if found.count_ones() > 16 {
            _mm512_storeu_si512(start.add(16).cast(), wide(_mm512_extracti32x4_epi32::<1>(places)));
            _mm512_storeu_si512(start.add(32).cast(), wide(_mm512_extracti32x4_epi32::<2>(places)));
            _mm512_storeu_si512(start.add(48).cast(), wide(_mm512_extracti32x4_epi32::<3>(places)));
        }
    }
}
