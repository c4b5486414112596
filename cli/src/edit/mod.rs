//! Files that are somebody's, changed in place: what is not meant stays as it
//! is, to the byte.
//!
//! `change.rs` makes changes of a text; `json.rs` finds them in JSON, with
//! `gap.rs` and `layout.rs`, and `settings.rs` in the hooks of an agent's
//! settings; `yaml.rs` finds them in YAML, and `block.rs` writes it. `save.rs`
//! does it to the file, and keeps what was there beside it: `swap.rs` puts a file
//! in the place of another, and `owner.rs` knows whose may be changed.

mod block;
mod change;
mod gap;
pub(crate) mod json;
mod layout;
mod owner;
pub(crate) mod save;
pub(crate) mod settings;
pub(crate) mod swap;
pub(crate) mod yaml;

pub(crate) use block::{lines, scalar};
pub(crate) use layout::line_end;

use hookc_schema::SourceId;
use hookc_schema::value::{Kind, Value};
use hookc_syntax::front;

/// A value without a place.
fn plain(value: &serde_json::Value) -> Value {
    let read = front::json::read(&value.to_string(), SourceId(0), &mut Vec::new());
    read.map_or_else(|| Value::new(Kind::Null, Default::default()), |document| document.value)
}
