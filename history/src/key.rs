//! Keys of cells: keyed hashes of canonical values.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use foldhash::fast::FixedState;

/// A map whose keys are hashes already, or identities of the module.
pub(crate) type Map<K, V> = std::collections::HashMap<K, V, FixedState>;

/// The key of a cell, or the hash of a value: 128 bits. Two different values with one hash do not occur in practice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

impl From<[u8; 16]> for Key {
    fn from(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(u128::from_le_bytes(self.0));
    }
}

impl fmt::Debug for Key {
    /// The first bytes: hashes are never printed in full.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, ..] = self.0;
        write!(f, "Key({a:02x}{b:02x})")
    }
}

/// The keys of an event under a tie, each once and in order.
#[derive(Clone)]
pub struct Keys(List);

/// Nearly every event has one key, which needs no memory of its own.
#[derive(Clone)]
enum List {
    None,
    One([Key; 1]),
    Several(Arc<[Key]>),
}

impl Keys {
    /// The key of a monitor without a tie.
    pub const UNTIED: Self = Self(List::One([Key::UNTIED]));
}

impl From<Key> for Keys {
    fn from(key: Key) -> Self {
        Self(List::One([key]))
    }
}

impl From<Vec<Key>> for Keys {
    fn from(mut keys: Vec<Key>) -> Self {
        keys.sort_unstable();
        keys.dedup();
        Self(match keys.as_slice() {
            [] => List::None,
            [key] => List::One([*key]),
            _ => List::Several(keys.into()),
        })
    }
}

impl Deref for Keys {
    type Target = [Key];

    fn deref(&self) -> &[Key] {
        match &self.0 {
            List::None => &[],
            List::One(key) => key,
            List::Several(keys) => keys,
        }
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl PartialEq for Keys {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Keys {}

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
        let mut text = Text::default();
        let mut long = None;
        for value in values {
            let value = value.as_ref();
            let length = u64::try_from(value.len()).unwrap_or(u64::MAX).to_le_bytes();
            for part in [length.as_slice(), value] {
                if long.is_none() && text.push(part) {
                    continue;
                }
                long.get_or_insert_with(|| {
                    let mut hasher = blake3::Hasher::new_keyed(&self.0);
                    hasher.update(text.bytes());
                    hasher
                })
                .update(part);
            }
        }
        let hash = match long {
            Some(hasher) => hasher.finalize(),
            None => blake3::keyed_hash(&self.0, text.bytes()),
        };
        let mut key = [0; 16];
        key.copy_from_slice(hash.as_bytes().first_chunk::<16>().unwrap_or(&[0; 16]));
        Key(key)
    }
}

/// The text of a short key, which is hashed at once.
struct Text {
    bytes: [u8; Self::SHORT],
    length: usize,
}

impl Default for Text {
    fn default() -> Self {
        Self { bytes: [0; Self::SHORT], length: 0 }
    }
}

impl Text {
    /// Most paths of files, with the length.
    const SHORT: usize = 192;

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// Appends bytes; `false` if they are too many.
    fn push(&mut self, part: &[u8]) -> bool {
        let end = self.length.saturating_add(part.len());
        let Some(place) = self.bytes.get_mut(self.length..end) else { return false };
        place.copy_from_slice(part);
        self.length = end;
        true
    }
}
