//! Views: texts that are read as parts of the event, and what the event does.

use hookc_base::ViewKind;

use hookc_shell::limits;

use super::{Checked, Work, ascends, ensure, spans, within};
use crate::module::Tables;
use crate::rows::{NONE, SectionKind, U32, View};

/// The roots of the views ascend, and none is the root of the event.
pub(super) fn roots(t: &Tables<'_>) -> Checked {
    let mut before = 0;
    for (row, view) in t.views.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Views, row, what);
        bad((view.node.get() as usize) < t.nodes.len(), "the node is out of range")?;
        bad(view.node.get() > before, "not above the view before it")?;
        let kind = view.kind();
        bad(kind.is_some(), "an unknown kind")?;
        bad(
            kind == Some(ViewKind::Shell) || view.tool.get() == NONE,
            "a tool, which only a command line has",
        )?;
        let is_file = kind == Some(ViewKind::File);
        bad(is_file || view.project.get() == NONE && view.stated.get() == NONE, "a project without a file")?;
        let is_stated = view.stated.get() == NONE || within(view.stated, t.strings);
        bad(is_stated, "the project is out of range")?;
        bad(
            view.text().is_some() || view.cwd.get() == NONE && within(view.source, t.scopes),
            "effects without a row of scopes",
        )?;
        before = view.node.get();
    }
    Ok(())
}

/// The names of wrappers ascend strictly, and their options are strings.
pub(super) fn wrappers(t: &Tables<'_>, work: &mut Work) -> Checked {
    ensure(t.wrappers.len() <= limits::SHELL_WRAPPERS, SectionKind::Wrappers, 0, "too many wrappers")?;
    let mut before: &[u8] = b"";
    for (row, wrapper) in t.wrappers.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Wrappers, row, what);
        bad(within(wrapper.name, t.strings), "the name is out of range")?;
        let name = t.bytes(wrapper.name.get());
        work.charge(name.len())?;
        bad(name > before, "not above the wrapper before it")?;
        before = name;
        bad(spans(wrapper.options, t.indices), "the options are out of range")?;
        let options = t.indices_of(wrapper.options);
        bad(options.len() <= limits::SHELL_WRAPPER_OPTIONS, "too many options")?;
        bad(ascends(options), "the options do not ascend")?;
        for option in options {
            bad(within(*option, t.strings), "an option is out of range")?;
            work.charge(t.bytes(option.get()).len())?;
        }
        let operands = wrapper.operands.get() as usize;
        bad(operands <= limits::SHELL_WRAPPER_OPERANDS, "too many operands")?;
    }
    Ok(())
}

/// The sources of a view belong to the event itself, so that no view depends on another. The trie
/// has been verified, its `slots` and the derived ones too.
pub(super) fn views(t: &Tables<'_>, slots: u32) -> Checked {
    if t.views.is_empty() {
        return Ok(());
    }
    let places = Places::new(t, slots);
    for (row, derived) in t.derived.iter().enumerate() {
        let outside = !places.is_inside(derived.guard);
        ensure(outside, SectionKind::Derived, row, "the guard lies in a view")?;
    }
    for (row, view) in t.views.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Views, row, what);
        if let Some(text) = view.text() {
            let source = places.nodes.get(text as usize);
            bad(source.is_some(), "the source is not a slot of the trie")?;
            let is_before = source.is_some_and(|node| *node < view.node.get());
            bad(is_before, "the source is not below the view's node")?;
            bad(!places.is_inside(view.source), "the source lies in a view")?;
        }
        for (slot, range, inside) in [
            (view.cwd, "the directory is out of range", "the directory lies in a view"),
            (view.tool, "the tool is out of range", "the tool lies in a view"),
            (view.project, "the project is out of range", "the project lies in a view"),
        ] {
            bad(slot.get() == NONE || slot.get() < t.slots, range)?;
            bad(!places.reads_view(slot), inside)?;
        }
    }
    for (row, scope) in t.scopes.iter().enumerate() {
        let slots = [scope.input, scope.tool, scope.host_tool, scope.cwd, scope.project];
        let outside = slots.iter().all(|slot| !places.reads_view(*slot));
        ensure(outside, SectionKind::Scopes, row, "a slot lies in a view")?;
    }
    Ok(())
}

/// The nodes and slots of views.
struct Places<'t, 'm> {
    t: &'t Tables<'m>,
    /// By slot of the trie, its node.
    nodes: Vec<u32>,
    /// By node.
    inside: Vec<bool>,
}

impl<'t, 'm> Places<'t, 'm> {
    fn new(t: &'t Tables<'m>, slots: u32) -> Self {
        let mut places = Self { t, nodes: vec![0; slots as usize], inside: vec![false; t.nodes.len()] };
        for View { node, .. } in t.views {
            places.enter(*node);
        }
        // Children have higher numbers than their parents.
        for (number, node) in (0_u32..).zip(t.nodes) {
            if let Some(place) = places.nodes.get_mut(node.slot.get() as usize) {
                *place = number;
            }
            if places.inside.get(number as usize) == Some(&true) {
                t.edges_of(node).iter().for_each(|edge| places.enter(edge.node));
            }
        }
        places
    }

    fn enter(&mut self, node: U32) {
        if let Some(inside) = self.inside.get_mut(node.get() as usize) {
            *inside = true;
        }
    }

    /// Whether a slot of the trie belongs to a view.
    fn is_inside(&self, slot: U32) -> bool {
        let node = self.nodes.get(slot.get() as usize);
        node.and_then(|node| self.inside.get(*node as usize)).copied().unwrap_or_default()
    }

    /// Whether a slot, a derived one too, can take its value from a view.
    fn reads_view(&self, slot: U32) -> bool {
        let derived = (slot.get() as usize).checked_sub(self.nodes.len());
        match derived.and_then(|row| self.t.derived.get(row)) {
            Some(row) => [row.root, row.nested].into_iter().any(|slot| self.is_inside(slot)),
            None => self.is_inside(slot),
        }
    }
}
