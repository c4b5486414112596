//! Merge keys: `<<: *base` and `<<: [*a, *b]`.

use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics};

use super::frame::MapBody;

/// Adds the members of `<<` after a mapping's own members. Own keys win, then the first mapping of
/// a list.
pub(super) fn merge(map: &mut MapBody, out: &mut Diagnostics) {
    let Some((_, Some(value))) = map.merge.take() else {
        return;
    };
    match value.kind {
        Kind::Seq(items) => items.into_iter().for_each(|item| add(map, item, out)),
        _ => add(map, value, out),
    }
}

fn add(map: &mut MapBody, value: Value, out: &mut Diagnostics) {
    let noun = value.noun();
    let Kind::Map(members) = value.kind else {
        let new = Diagnostic::new(Code::E0106, value.span, format!("`<<` cannot merge {noun}"));
        out.push(
            new.with_label("not a mapping").help("write an alias of a mapping, or a list of such aliases"),
        );
        return;
    };
    for member in members {
        if map.keys.find(&map.members, &member.key.node).is_none() {
            map.members.push(member);
            map.keys.pushed(&map.members);
        }
    }
}
