//! What the bytes of a text mean.

/// It has no meaning of its own anywhere in a word.
pub(super) const PLAIN: u8 = 1;
/// It has none in a word that sets nothing and has no `{` before it.
pub(super) const BARE: u8 = 1 << 1;
/// It ends a word.
pub(super) const ENDS: u8 = 1 << 2;
/// It ends the plain text after a `"`.
pub(super) const DOUBLE: u8 = 1 << 3;
/// It ends the text after a `'`.
pub(super) const SINGLE: u8 = 1 << 4;
/// JSON escapes it.
pub(super) const ESCAPED: u8 = 1 << 5;
/// A redirection can start with it.
pub(super) const REDIRECTS: u8 = 1 << 6;
/// A reserved word can start with it.
pub(super) const RESERVED: u8 = 1 << 7;

const fn class_of(byte: u8) -> u8 {
    let name = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b'@' | b'%');
    let bare = matches!(byte, b'=' | b',' | b'+' | b'~' | b'^' | b'!' | b']' | b'}' | b'#' | 0x80..);
    let ends = matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')');
    let redirects = matches!(byte, b'<' | b'>' | b'&' | b'{' | b'0'..=b'9');
    let reserved = matches!(
        byte,
        b'c'..=b'f' | b'i' | b's'..=b'u' | b'w' | b'{' | b'}' | b'[' | b']' | b'!' | b'('
    );
    (if name { PLAIN | BARE } else { 0 })
        | (if bare { BARE } else { 0 })
        | (if ends { ENDS } else { 0 })
        | (if matches!(byte, b'"' | b'$' | b'`' | b'\\') { DOUBLE } else { 0 })
        | (if byte == b'\'' { SINGLE } else { 0 })
        | (if byte < b' ' || matches!(byte, b'"' | b'\\') { ESCAPED } else { 0 })
        | (if redirects { REDIRECTS } else { 0 })
        | (if reserved { RESERVED } else { 0 })
}

static CLASSES: [u8; 256] = {
    let (mut classes, mut byte) = ([0; 256], 0_u8);
    let mut rest: &mut [u8] = &mut classes;
    while let [first, after @ ..] = rest {
        *first = class_of(byte);
        byte = byte.wrapping_add(1);
        rest = after;
    }
    classes
};

/// What a byte means.
#[inline]
pub(super) fn class(byte: u8) -> u8 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or_default()
}

#[inline]
pub(super) fn is(byte: u8, any: u8) -> bool {
    class(byte) & any != 0
}

/// Where the bytes of some classes at the start of a text end.
#[inline]
pub(super) fn run(text: &[u8], any: u8) -> usize {
    let mut at = 0;
    while let Some(byte) = text.get(at)
        && is(*byte, any)
    {
        at += 1;
    }
    at
}
