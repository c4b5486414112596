//! `hookc fmt`: the one layout of a hooks file (dialect A), meaning the same.
//!
//! ```text
//! text --read--> nodes with their comments --order--> keys in order --write--> text
//! ```
//!
//! `node.rs` says what is kept of a text; `tokens.rs`, `read.rs`, `leaf.rs` and
//! `comments.rs` find it,
//! `order.rs` knows the order of keys, `write.rs`, `flow.rs` and `scalar.rs`
//! lay it out. The compiler's `format` compares what both
//! texts mean. Linear in the text.

mod comments;
mod flow;
mod leaf;
mod node;
mod order;
mod read;
mod scalar;
mod tokens;
mod write;

use hookc_schema::SourceId;
use hookc_schema::value::Value;

use crate::front::yaml;

/// Columns of a line within which a list or mapping that was written in
/// brackets stays there.
pub const WIDTH: usize = 100;

/// The layout alone, nothing compared; `None` where the text is not YAML, or
/// has no layout that this module knows.
#[must_use]
pub fn canonical(text: &str) -> Option<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let document = read::read(text)?;
    let out = write::write(&document);
    let carriage = text.split_once('\n').is_some_and(|(first, _)| first.ends_with('\r'));
    Some(if carriage { out.replace('\n', "\r\n") } else { out })
}

/// Whether two texts are the same value, in whatever order their members are.
#[must_use]
pub fn same_value(a: &str, b: &str) -> bool {
    matches!((value(a), value(b)), (Some(a), Some(b)) if a.same(&b))
}

/// How many comments a text has; `None` if it is not YAML.
#[must_use]
pub fn comments(text: &str) -> Option<usize> {
    tokens::read(text).map(|(_, comments)| comments.len())
}

fn value(text: &str) -> Option<Value> {
    yaml::read(text, SourceId(0), &mut Vec::new())
}
