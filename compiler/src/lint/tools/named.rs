//! Tests of `tool_name` whose text means other tools than its reader thinks: a part of a name that other tools have too
//! (W0672), and a name that agents no longer use (W0673).

use std::collections::HashSet;

use hookc_schema::tree::{Cond, CondPart, Leaf, Op, SharedId};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

use super::without_effect;
use crate::fields::is_tool_name;
use crate::lint::lowlevel::alternatives;
use crate::names::listed;
use crate::tools::{Narrowed, Table, ToolSet, leaf};

/// The conditions of several hooks that were judged once: whether negated, and for hooks that allow.
pub(super) type Judged = HashSet<(SharedId, bool, bool)>;

/// Reports the tests of names that must be true. `allows` is whether the hook allows: there, parts of names are reported
/// as what they permit (W0654).
pub(super) fn check(
    cond: &Cond,
    narrowed: &Narrowed,
    allows: bool,
    table: &mut Table<'_>,
    judged: &mut Judged,
) -> Vec<Diagnostic> {
    let is_new =
        |part: CondPart<'_>| part.cond.shared().is_none_or(|id| judged.insert((id, part.negated, allows)));
    let tests = cond.whole().walk(is_new).filter(|part| !part.negated).filter_map(CondPart::leaf);
    let mut found = Vec::new();
    for leaf in tests.filter(|leaf| is_tool_name(&leaf.path)) {
        found.extend(earlier(leaf, narrowed, table));
        found.extend(part(leaf, table).filter(|_| !allows));
    }
    found
}

/// A name that agents no longer use, in a condition that is true for no tool in its place.
fn earlier(leaf: &Leaf, narrowed: &Narrowed, table: &Table<'_>) -> Option<Diagnostic> {
    let (whole, is_negative) = (narrowed.whole(), leaf.op.node == Op::Ne);
    let is_meant = |name: &String| table.index(name).is_some_and(|index| whole.has(index));
    let texts = without_effect::texts(leaf).into_iter().filter(|_| !is_negative);
    let find = |(value, text): (&Value, String)| {
        let (name, tool) = table.index(&text).and_then(|index| table.tools.get(index))?;
        let now = tool.now.first().filter(|_| !tool.now.iter().any(is_meant))?;
        // The operator of a matcher is not written.
        let both = match leaf.op.span == value.span {
            true => format!("{name}|{now}"),
            false => format!("{} in ['{name}', '{now}']", leaf.path.text),
        };
        let what = format!("agents have `{now}` in place of the tool `{name}`");
        let new = Diagnostic::new(Code::W0673, value.span, what).with_label("an earlier name");
        let new = new.note(format!("`{name}`: {}", tool.description));
        Some(new.help(format!("write `{both}`, so that other versions and agents are covered too")))
    };
    texts.into_iter().find_map(find)
}

/// A text in names of tools that is the name of one, and a part of those of others.
fn part(leaf: &Leaf, table: &mut Table<'_>) -> Option<Diagnostic> {
    let (value, text) = leaf.texts().next()?;
    let words = match leaf.op.node {
        Op::Regex => alternatives(text).filter(|(_, is_exact)| !is_exact)?.0,
        Op::Contains | Op::StartsWith | Op::EndsWith => vec![text.to_owned()],
        _ => return None,
    };
    let named =
        words.iter().filter_map(|word| table.index(word)).map(ToolSet::bit).fold(0, |tools, bit| tools | bit);
    let [_, matched] = leaf::tools_by_result(leaf, table);
    let others = ToolSet::declared(matched.known() & table.all() & !named);
    // Names that agents no longer use do no harm.
    let others: Vec<&str> =
        table.tools_in(others).filter(|(_, tool)| tool.now.is_empty()).map(|(name, _)| name).collect();
    if named == 0 || others.is_empty() {
        return None;
    }
    let what = format!("this is also true of {}", listed(&others));
    let new = Diagnostic::new(Code::W0672, value.span, what).with_label("a part of these names");
    let (path, words): (_, Vec<String>) =
        (&leaf.path.text, words.iter().map(|word| print::literal(word)).collect());
    let test = match words.as_slice() {
        [word] => format!("{path} == {word}"),
        words => format!("{path} in [{}]", words.join(", ")),
    };
    Some(new.help(format!("write `{test}`, with the whole name of each tool that is meant")))
}
