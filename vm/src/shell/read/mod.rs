//! The grammar of bash and POSIX shells: a text becomes a tree.
//!
//! Linear in the text: each character is read once per enclosing substitution, and the nesting of
//! substitutions is limited.

mod braces;
mod compound;
mod escapes;
mod expansion;
mod here;
mod reader;
mod word;

use super::arena::Arena;
use super::tree::{List, Node};
use super::{Cause, Problem};
use crate::limits;

pub(super) use escapes::escaped_text;
pub(super) use word::Draft;

/// Reads a text at a depth.
pub(super) fn read(text: &str, depth: usize, arena: &mut Arena) -> Result<List, Problem> {
    check(text)?;
    let mut reader = reader::Reader::new(text, depth, arena);
    let list = reader.script();
    reader.end();
    list
}

/// Reads the first command of a text, and where it starts and ends.
pub(super) fn first(text: &str, arena: &mut Arena) -> Result<(Node, usize, usize), Problem> {
    check(text)?;
    let mut reader = reader::Reader::new(text, 0, arena);
    reader.newlines()?;
    let start = reader.at;
    if reader.peek().is_none() {
        return Ok((Node::Nothing, start, start));
    }
    let node = reader.command()?;
    reader.blanks();
    Ok((node, start, reader.at))
}

fn check(text: &str) -> Result<(), Problem> {
    if text.len() > limits::SHELL_BYTES {
        return Err(Problem { cause: Cause::TooLong, at: limits::SHELL_BYTES });
    }
    if let Some(at) = memchr_nul(text) {
        return Err(Problem { cause: Cause::Nul, at });
    }
    Ok(())
}

fn memchr_nul(text: &str) -> Option<usize> {
    // Most texts have none, which this finds faster than the search for its position.
    if text.as_bytes().contains(&0) { text.bytes().position(|byte| byte == 0) } else { None }
}
