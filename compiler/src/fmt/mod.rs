//! `hookc fmt`: the one layout of a hooks file (dialect A), meaning the same.
//!
//! ```text
//! text --read--> nodes with their comments --order--> keys in order --write--> text
//! ```
//!
//! `node.rs` says what is kept of a text; `tokens.rs`, `read.rs`, `leaf.rs` and
//! `comments.rs` find it,
//! `order.rs` knows the order of keys, `write.rs`, `flow.rs` and `scalar.rs`
//! lay it out. Nothing is written that was not compared: [`format()`] compiles
//! both texts. Linear in the text.

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
use hookc_schema::{Code, Diagnostic, SourceId, Sources};

use crate::front::yaml;
use crate::{Compiled, Dialect, Input, Options, compile};

/// Columns of a line within which a list or mapping that was written in
/// brackets stays there.
pub const WIDTH: usize = 100;

/// The text in its one layout. The second time changes nothing.
///
/// # Errors
/// What is wrong with a text that does not compile (errors alone), or that
/// its layout would not mean the same.
pub fn format(name: &str, text: &str) -> Result<String, (Sources, Vec<Diagnostic>)> {
    let (before, mut sources) = build(name, text);
    let Some(module) = &before.module else {
        let errors = before.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
        return Err((sources, errors));
    };
    let same = |new: &String| build(name, new).0.module.as_ref() == Some(module) && same_value(text, new);
    match layout(text).filter(same) {
        Some(new) => Ok(new),
        None => {
            sources = Sources::new();
            let message = format!("{name} cannot be laid out without a change of what it means");
            let help = "the file was not changed; this is a mistake of hookc: please report it";
            Err((sources, vec![Diagnostic::global(Code::E0802, message).help(help)]))
        }
    }
}

/// The layout alone, nothing compared; `None` where the text is not YAML, or
/// has no layout that this module knows.
#[must_use]
pub fn layout(text: &str) -> Option<String> {
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

fn build(name: &str, text: &str) -> (Compiled, Sources) {
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let inputs = [Input { source, dialect: Some(Dialect::HooksYaml), layer: None }];
    let options = Options { strip: true, ..Options::default() };
    (compile(&mut sources, &inputs, &options), sources)
}

fn value(text: &str) -> Option<Value> {
    yaml::read(text, SourceId(0), &mut Vec::new())
}
