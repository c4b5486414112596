//! Redirections by their position (W0670): `c.redirects[0].target` is another one if a redirection precedes it.

use hookc_schema::tree::{Leaf, PathKind, Segment, Selector, Step};
use hookc_schema::{Code, Diagnostic};

/// Reports a member of one redirection. Whether there is a first one is a test that no other redirection changes.
pub(super) fn check(leaf: &Leaf) -> Option<Diagnostic> {
    let is_placed = match &leaf.path.kind {
        PathKind::Short(steps) => steps.windows(3).any(
            |steps| matches!(steps, [Step::Name(list), Step::Index(_), Step::Name(_)] if list == "redirects"),
        ),
        PathKind::View(view) => view.rest.segments.windows(3).any(|segments| match segments {
            [Segment::Child(list), Segment::Child(at), Segment::Child(_)] => {
                matches!(list.as_slice(), [Selector::Name(name)] if name == "redirects")
                    && matches!(at.as_slice(), [Selector::Index(_)])
            }
            _ => false,
        }),
        PathKind::Query(_) => false,
    };
    if !is_placed {
        return None;
    }
    let path = &leaf.path.text;
    let (list, member) = path.rsplit_once('[').unwrap_or((path, ""));
    let member = member.split_once(']').map_or("", |(_, member)| member);
    let what = format!("`{path}` is not always the same redirection");
    let new = Diagnostic::new(Code::W0670, leaf.path.span, what).with_label("a redirection by its position");
    let new = new.note("others can precede it, as in `2>/dev/null >/etc/hosts`");
    Some(new.help(format!("test each of them: `some(r in {list}: r{member} ...)`")))
}
