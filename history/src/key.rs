//! Keys of cells: keyed hashes of canonical values.

use std::fmt;

/// The key of a cell, or the hash of a value: 128 bits. Two different values with one hash do not occur in practice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub(crate) [u8; 16]);

impl Key {
    /// The key of a monitor without a tie.
    pub const UNTIED: Self = Self([0; 16]);

    /// The bytes of the hash.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Debug for Key {
    /// The first bytes: hashes are never printed in full.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, ..] = self.0;
        write!(f, "Key({a:02x}{b:02x})")
    }
}

/// The secret of a store. Hashes of different stores cannot be compared.
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// A secret of random bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The hash of a value, or of a tuple of values: each is its canonical JSON text (RFC 8785). A value that is
    /// compared without regard to case is folded before.
    ///
    /// ```
    /// use hookc_history::Secret;
    /// let secret = Secret::new([7; 32]);
    /// assert_eq!(secret.key([r#""a""#, "1"]), secret.key([r#""a""#, "1"]));
    /// assert_ne!(secret.key([r#""a""#, "1"]), secret.key([r#""a"1"#]));
    /// ```
    #[must_use]
    pub fn key<T: AsRef<[u8]>>(&self, values: impl IntoIterator<Item = T>) -> Key {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        for value in values {
            let value = value.as_ref();
            hasher.update(&u64::try_from(value.len()).unwrap_or(u64::MAX).to_le_bytes());
            hasher.update(value);
        }
        let mut key = [0; 16];
        hasher.finalize_xof().fill(&mut key);
        Key(key)
    }
}
