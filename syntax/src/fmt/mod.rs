//! `hookc fmt`: the canonical format of a hooks file, with the same meaning.
//!
//! ```text
//! text --read--> nodes with their comments --order--> keys in order --write--> text
//! ```
//!
//! `node.rs` defines what is kept of a text; `tokens.rs`, `read.rs`, `leaf.rs` and `comments.rs`
//! read it, `order.rs` sorts keys, `write.rs`, `flow.rs` and `scalar.rs` format it. The compiler's
//! `format` compares the meaning of both texts. Linear in the text.

mod comments;
mod flow;
mod leaf;
mod node;
mod order;
mod read;
mod scalar;
mod tokens;
mod write;

use hookc_schema::value::Value;
use hookc_schema::{Diagnostics, SourceId};

use crate::front::yaml;
use crate::line_ends::line_feeds;

/// Columns of a line within which a list or mapping that was written in
/// brackets stays there.
pub const WIDTH: usize = 100;

/// Formats without comparing; `None` if the text is not YAML, or uses syntax that this module does
/// not support.
#[must_use]
pub fn canonical(text: &str) -> Option<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let out = write::write(&read::read(&line_feeds(text))?);
    let carriage = text.split_once('\n').is_some_and(|(first, _)| first.ends_with('\r'));
    Some(if carriage { out.replace('\n', "\r\n") } else { out })
}

/// Whether two texts are the same value, in any order of members.
#[must_use]
pub fn same_value(a: &str, b: &str) -> bool {
    matches!((value(a), value(b)), (Some(a), Some(b)) if a.same(&b))
}

/// The number of comments in a text; `None` if it is not YAML.
#[must_use]
pub fn comments(text: &str) -> Option<usize> {
    tokens::read(text).map(|(_, comments)| comments.len())
}

fn value(text: &str) -> Option<Value> {
    yaml::read(text, SourceId(0), &mut Diagnostics::new())
}
