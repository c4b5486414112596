//! The generated part of `docs/bytecode.md`: instructions, keywords and tables, from the tables
//! that generate the code.

use std::fmt::Write;

use hookc_vm::format::keyword::Keyword;
use hookc_vm::format::op::{Group, Op};
use hookc_vm::format::{ROWS, RowDoc, SectionKind};

use super::letter;

/// Instructions by group, then sections, then the rows of their tables, as
/// Markdown.
#[must_use]
pub fn reference() -> String {
    let mut out = String::new();
    // Writing to a `String` does not fail.
    let _ = all(&mut out);
    out
}

fn all(out: &mut String) -> std::fmt::Result {
    writeln!(out, "## Predicates\n")?;
    instructions(Group::Pred, out)?;
    writeln!(out, "\n## Residual code\n")?;
    instructions(Group::Code, out)?;
    writeln!(out, "\n## Schema keywords\n")?;
    writeln!(out, "| number | keyword | meaning |\n|---|---|---|")?;
    for keyword in Keyword::ALL {
        let (number, name, operands) = (*keyword as u8, keyword.mnemonic(), keyword.shape().operands());
        writeln!(out, "| `{number:#04x}` | `{name}{operands}` | {} |", keyword.meaning())?;
    }
    writeln!(out, "\n## Filters of queries\n")?;
    instructions(Group::Filter, out)?;
    writeln!(out, "\n## Values in filters\n")?;
    instructions(Group::Value, out)?;
    writeln!(out, "\n## Sections\n")?;
    writeln!(out, "| kind | name | row | bytes | content |\n|---:|---|---|---:|---|")?;
    for kind in SectionKind::ALL {
        let (number, name, width) = (*kind as u32, kind.name(), kind.width());
        writeln!(out, "| {number} | `{name}` | `{}` | {width} | {} |", kind.row(), kind.meaning())?;
    }
    writeln!(out, "\n## Rows")?;
    ROWS.iter().try_for_each(|row| fields(row, out))
}

fn instructions(group: Group, out: &mut String) -> std::fmt::Result {
    writeln!(out, "| number | instruction | cost | meaning |\n|---|---|---:|---|")?;
    for op in Op::ALL.iter().filter(|op| op.group() == group) {
        let (a, b) = op.operands();
        let operands = [a, b].into_iter().filter_map(letter).map(|letter| format!(" {letter}N"));
        let written = op.mnemonic().to_owned() + &operands.collect::<String>();
        let (number, cost, meaning) = (*op as u8, op.cost(), op.meaning());
        writeln!(out, "| `{number:#04x}` | `{written}` | {cost} | {meaning} |")?;
    }
    Ok(())
}

fn fields(row: &RowDoc, out: &mut String) -> std::fmt::Result {
    writeln!(out, "\n### `{}`\n\n{}\n", row.name, prose(row.meaning))?;
    writeln!(out, "| field | type | meaning |\n|---|---|---|")?;
    for field in row.fields {
        writeln!(out, "| `{}` | `{}` | {} |", field.name, field.kind, prose(field.meaning))?;
    }
    Ok(())
}

/// Doc lines as one paragraph, without rustdoc's links.
fn prose(lines: &[&str]) -> String {
    let text: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    text.join(" ").replace("[`", "`").replace("`]", "`")
}
