//! Regular expressions between slashes where an operator compares text (W0625): `contains '/^rm/i'`; and
//! where the text is the name of a tool, which has no slashes.

use hookc_schema::tree::{Leaf, Op, Right};
use hookc_syntax::pattern::slashes::{PATTERN, enclosed, report};

use super::Cx;
use super::tools::is_tool_name;

/// Reports the text of a leaf that is a regular expression between slashes. Those of `=~` are reported with
/// the pattern.
pub(super) fn check(leaf: &Leaf, cx: &mut Cx<'_>) {
    let Right::Value(value) = &leaf.right else { return };
    let Some(found) = value.as_str().and_then(enclosed) else { return };
    let tool = is_tool_name(&leaf.path);
    let new = match leaf.op.node {
        Op::Regex if tool && !found.is_pattern() => report(value, PATTERN, found.help("")),
        Op::Eq | Op::Ne | Op::Contains | Op::StartsWith | Op::EndsWith | Op::Glob
            if tool || found.is_pattern_in_text() =>
        {
            let what = format!("`{}` compares text, and the slashes are a part of it", leaf.op.node.name());
            report(value, &what, found.help("=~ "))
        }
        _ => return,
    };
    cx.report_once(new);
}
