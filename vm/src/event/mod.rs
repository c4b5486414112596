//! The event: one validating pass from bytes into slots, guided by the path
//! trie, and the values that slots hold.
//!
//! ```text
//! bytes ──size, UTF-8──▶ text ──scan (json)─▶ spans per slot ──get──▶ Item
//! ```
//!
//! All of the text is read once, whatever is captured, because an event that
//! is not JSON is an error wherever it is wrong. What no path reaches is thrown
//! away on the spot; of what a path reaches, only its kind and its span stay.
//! Strings with escapes are decoded when captured, containers never are: an
//! [`Item`] reads those where they lie.

mod canonical;
mod duplicate;
mod error;
mod item;
mod json;
mod lex;
mod path;
mod scan;
mod slots;
mod string;
mod tree;
mod trie_index;
mod value;

pub use error::EventError;
pub use item::Item;
pub use slots::{Slots, Trie};
pub(crate) use tree::{Nodes, TooMany, Tree};
pub use trie_index::TrieIndex;
