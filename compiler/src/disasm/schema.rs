//! Schemas of a module for people: JSON Schema, in which nested schemas are `mN`.

use hookc_base::json::quoted;
use hookc_vm::format::Tables;
use hookc_vm::format::keyword::{Format, Keyword, Shape};
use hookc_vm::format::{Keyword as Row, NONE, Range};

use super::describe::Names;
use crate::plan::types;

/// A schema on one line: `{type: string, minLength: 3}`.
pub(super) fn schema(names: &Names<'_>, tables: &Tables<'_>, schema: u32, longest: usize) -> String {
    let keywords = tables.keywords_of(schema).iter().map(|row| keyword(names, tables, row, longest));
    bracketed(keywords, ('{', '}'), longest)
}

/// A keyword with its operands.
pub(super) fn keyword(names: &Names<'_>, tables: &Tables<'_>, row: &Row, longest: usize) -> String {
    let Some(keyword) = Keyword::from_number(row.op) else { return format!("? {:#04x}", row.op) };
    let (a, b, c) = (row.a.get(), row.b.get(), row.c.get());
    let picked = || tables.indices_of(Range { start: row.a, length: row.b }).iter().map(|index| index.get());
    let name = |at: u32| quoted(tables.str(at));
    let schema = |at: u32| format!("m{at}");
    let listed = |texts: Vec<String>, (open, close): (char, char)| bracketed(texts, (open, close), longest);
    let pairs = |first: &dyn Fn(u32) -> String, second: &dyn Fn(u32) -> String| {
        let numbers: Vec<u32> = picked().collect();
        let pair = |pair: &[u32]| match pair {
            [a, b] => format!("{}: {}", first(*a), second(*b)),
            _ => String::new(),
        };
        listed(numbers.chunks(2).map(pair).collect(), ('{', '}'))
    };
    let or_true = |at: u32| if at == NONE { "true".to_owned() } else { schema(at) };
    let operand = match keyword.shape() {
        Shape::None => "true".to_owned(),
        Shape::Types => types(a),
        Shape::List => names.list(a),
        Shape::Number | Shape::Divisor => names.constant(a),
        Shape::Count => a.to_string(),
        Shape::Pattern => names.pattern(a),
        Shape::Format => Format::from_number(a).map_or("?", Format::name).to_owned(),
        Shape::Names => listed(picked().map(name).collect(), ('[', ']')),
        Shape::NamePairs => pairs(&name, &name),
        Shape::Child | Shape::Inner => schema(a),
        Shape::ChildFrom => format!("{} from {b}", schema(a)),
        Shape::Contains if c == NONE => format!("{} at least {b}", schema(a)),
        Shape::Contains => format!("{} {b} to {c}", schema(a)),
        Shape::Children | Shape::Inners => listed(picked().map(schema).collect(), ('[', ']')),
        Shape::NamedChildren | Shape::NamedInners => pairs(&name, &schema),
        Shape::PatternChildren => pairs(&|at| names.pattern(at), &schema),
        Shape::Branch => format!("{} then {} else {}", schema(a), or_true(b), or_true(c)),
    };
    format!("{}: {operand}", keyword.mnemonic())
}

/// Texts between brackets; those beyond a length are left out.
pub(super) fn bracketed(
    texts: impl IntoIterator<Item = String>,
    (open, close): (char, char),
    longest: usize,
) -> String {
    let mut out = String::from(open);
    for (at, text) in texts.into_iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        if out.len() > longest {
            out.push_str("...");
            break;
        }
        out.push_str(&text);
    }
    out.push(close);
    out
}
