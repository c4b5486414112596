//! The event: one validating pass from bytes into slots, guided by the path trie, and the values in
//! slots.
//!
//! ```text
//! bytes ──size, UTF-8──▶ text ──scan (json)─▶ spans per slot ──get──▶ Item
//! ```
//!
//! The whole text is read once, whatever is captured, because an event that is not JSON is an error
//! wherever the mistake is. Values that no path reaches are discarded immediately; for the others,
//! only kind and span are kept. Strings with escapes are decoded when captured, long ones when they
//! are read ([`late`]); containers never are: an [`Item`] reads them in place.
//!
//! An event that is parsed already ([`ParsedEvent`]) has no text: a value is found when it is read, and
//! borrowed.
//!
//! The view of a text is JSON as an event's is, and is scanned as one, from its own root of
//! the trie.

mod canonical;
mod duplicate;
mod error;
mod item;
mod json;
mod late;
mod lex;
mod parsed;
mod path;
mod scan;
mod size;
mod slots;
mod string;
mod tokens;
mod tree;
mod trie;
mod trie_index;
mod value;
mod views;
mod walk;

pub use error::EventError;
pub use item::Item;
pub(crate) use item::same_length;
pub(crate) use json::Kind;
pub(crate) use late::{Decoded, Stored};
pub(crate) use parsed::Parsed;
pub use parsed::ParsedEvent;
pub(crate) use slots::Origin;
pub use slots::Slots;
pub(crate) use slots::TYPES;
pub use tokens::Level;
pub(crate) use tree::{Nodes, Strings, TooMany, Tree};
pub use trie::Trie;
pub use trie_index::TrieIndex;
pub(crate) use trie_index::prefix_key;
