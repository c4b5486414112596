//! The event: one validating pass from bytes into slots, guided by the path
//! trie, and the values that slots hold. (interface draft)

mod error;
mod item;
mod slots;

pub use error::EventError;
pub use item::Item;
pub use slots::{Slots, Trie};
