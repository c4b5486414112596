//! `effects().reads contains '.env'`, `some(f in effects().writes: f ends_with '.lock')`: the lists have whole objects.

use hookc_base::Verb;
use hookc_schema::tree::{CondKind, Leaf, Op, Path, Quantified, Quantifier, Segment, Selector, ViewKind};

use super::files;
use super::meaning::Meaning;

/// The effects of the list to which a path leads.
fn verb(path: &Path) -> Option<Verb> {
    let view = path.view(ViewKind::Effects)?;
    let [Segment::Child(selectors)] = view.rest.segments.as_slice() else { return None };
    let [Selector::Name(name)] = selectors.as_slice() else { return None };
    Verb::ALL.iter().copied().find(|verb| verb.plural() == name).filter(|verb| *verb != Verb::Run)
}

/// What a test of a list of objects means.
pub(super) fn meaning(leaf: &Leaf) -> Option<Meaning> {
    let verb = verb(&leaf.path).filter(|_| leaf.op.node == Op::Contains)?;
    Meaning::new(Some(verb), leaf.texts().map(|(_, text)| text.to_owned()).collect())
}

/// What a test of each object of a list means.
pub(super) fn of_each(inner: &Quantified) -> Option<Meaning> {
    let verb = verb(&inner.path).filter(|_| inner.quantifier == Quantifier::Some)?;
    let CondKind::Leaf(leaf) = &inner.cond.kind else { return None };
    let is_file = matches!(verb, Verb::Read | Verb::Write | Verb::Delete | Verb::Send);
    Meaning::new(Some(verb), files::of_path(leaf).filter(|_| is_file)?)
}
