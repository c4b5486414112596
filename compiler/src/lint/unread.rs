//! An `allow` that is decided about a command line without its being readable (W0643): a line that
//! cannot be read has no commands, and every condition is true for each of no commands.

use hookc_schema::tree::{Cond, CondKind, Hook, Path, PathKind, Quantifier, Right, Segment, Selector, View};
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

/// Checks the condition of a hook that allows something.
pub(super) fn check(hook: &Hook, out: &mut Vec<Diagnostic>) {
    if hook.action.kind.node != "allow" {
        return;
    }
    let mut found = Found::default();
    if let Some(cond) = &hook.condition {
        found.visit(cond, false);
    }
    if let Some((path, view)) = found.each.filter(|_| !found.ok) {
        out.push(unread(path, view));
    }
}

/// What a condition asks about command lines.
#[derive(Default)]
struct Found<'h> {
    /// The first path whose nodes are all tested, and its view.
    each: Option<(&'h Path, &'h View)>,
    /// Whether some leaf tests `ok`.
    ok: bool,
}

impl<'h> Found<'h> {
    /// The recursion depth is the nesting of the condition.
    fn visit(&mut self, cond: &'h Cond, negated: bool) {
        match &cond.kind {
            CondKind::Const(_) => {}
            CondKind::All(parts) | CondKind::Any(parts) => {
                parts.iter().for_each(|part| self.visit(part, negated));
            }
            CondKind::Not(part) => self.visit(part, !negated),
            CondKind::Leaf(leaf) => {
                let right = matches!(&leaf.right, Right::Path(path) if is_ok(path));
                self.ok |= right || is_ok(&leaf.path);
            }
            CondKind::Quantified(inner) => {
                let each = (inner.quantifier == Quantifier::Every) != negated;
                if let PathKind::Shell(view) = &inner.path.kind
                    && each
                {
                    self.each = self.each.or(Some((&inner.path, view)));
                }
                self.visit(&inner.cond, negated);
            }
        }
    }
}

/// Whether a path is `shell(PATH).ok`.
fn is_ok(path: &Path) -> bool {
    let PathKind::Shell(view) = &path.kind else { return false };
    matches!(view.rest.segments.as_slice(), [Segment::Child(names)]
        if matches!(names.as_slice(), [Selector::Name(name)] if name == "ok"))
}

fn unread(path: &Path, view: &View) -> Diagnostic {
    let source = print::path(&view.source);
    Diagnostic::new(Code::W0643, path.span, "this allows a command line that cannot be read")
        .with_label("such a line has no commands")
        .note("a condition about each of no commands is true")
        .help(format!("require that it can be read, with `and`: `shell({source}).ok == true`"))
}
