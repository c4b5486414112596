//! The grammar of bash and POSIX shells: a text becomes a tree.
//!
//! Linear in the text: each character is read once per enclosing substitution, and the nesting of
//! substitutions is limited.

mod braces;
mod class;
mod compound;
mod conditional;
mod escapes;
mod expansion;
mod here;
mod reader;
mod redirect;
mod word;

use super::arena::Arena;
use super::token::Token;
use super::tree::{List, Node};
use super::{Cause, Problem};
use crate::limits;

pub(super) use escapes::escaped_text;
pub(super) use reader::{SPECIAL, is_identifier};

/// Reads a line.
pub(super) fn read(text: &str, arena: &mut Arena) -> Result<List, Problem> {
    check(text)?;
    let base = arena.add_line(text);
    reader::Reader::new(text, base, 0, arena).all()
}

/// Reads a text at a depth that starts at `base` in the arena.
pub(super) fn read_part(text: &str, base: u32, depth: usize, arena: &mut Arena) -> Result<List, Problem> {
    check(text)?;
    reader::Reader::new(text, base, depth, arena).all()
}

/// Reads a text in which only expansions have a meaning.
pub(super) fn read_expansions(text: &str, depth: usize, arena: &mut Arena) -> Result<Token, Problem> {
    check(text)?;
    let base = arena.add(text);
    reader::Reader::new(text, base, depth, arena).text()
}

/// Reads the first command of a text, and where it starts and ends.
pub(super) fn first(text: &str, arena: &mut Arena) -> Result<(Node, usize, usize), Problem> {
    check(text)?;
    let base = arena.add(text);
    let mut reader = reader::Reader::new(text, base, 0, arena);
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
