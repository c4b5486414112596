//! Edits files of the user in place: everything else stays unchanged, byte for byte.
//!
//! `change.rs` applies edits to a text; `json.rs` finds them in JSON, with `gap.rs` and
//! `layout.rs`, and `settings.rs` in the hooks of an agent's settings; `yaml.rs` finds them in
//! YAML, and `block.rs` writes it. `difference.rs` compares two texts. `save.rs` changes the file and keeps a backup: `swap.rs`
//! replaces a file, and `owner.rs` checks its owner.

mod block;
mod change;
pub(crate) mod difference;
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

use hookc_schema::value::{Kind, Value};
use hookc_schema::{Diagnostics, SourceId};
use hookc_syntax::front;

/// A value without a span.
fn plain(value: &serde_json::Value) -> Value {
    let read = front::json::read(&value.to_string(), SourceId(0), &mut Diagnostics::new());
    read.map_or_else(|| Value::new(Kind::Null, Default::default()), |document| document.value)
}
