//! Tools: what a condition determines about the tool of an event, and the resulting schema of the
//! tool's input and response.
//!
//! A test of `tool_name` narrows the schema of `tool_input`. A leaf matters only if the other parts
//! leave the result open: under `all` if the others are true, under `any` if they are false. So
//! each leaf has a set of tools for which it matters ([`mod@narrow`]), and a field that none of
//! them has is never present. Undeclared tools, mainly those of MCP servers, have inputs of their
//! own: if a condition allows one of them by name, nothing is reported.

pub(crate) mod input;
pub(crate) mod leaf;
pub(crate) mod member;
pub(crate) mod narrow;
mod set;

use std::collections::HashMap;

use hookc_base::text::Case;
use hookc_schema::tree::Cond;
use hookc_schema::vocab::{ToolField, ToolType, Tools};

pub(crate) use narrow::{Narrowed, Place, narrow};
pub(crate) use set::ToolSet;

/// The declared tools, and cached results of patterns over their names.
pub(crate) struct Table<'a> {
    declared: &'a Tools,
    /// Sorted by name; a tool's index is its position in a [`ToolSet`].
    pub(crate) tools: Vec<(&'a str, &'a ToolType)>,
    patterns: HashMap<(String, Case), leaf::Matched>,
    shared: narrow::SharedResults,
}

impl<'a> Table<'a> {
    pub(crate) fn new(declared: &'a Tools) -> Self {
        let tools = declared.by_name.iter().map(|(name, tool)| (name.as_str(), tool));
        // A tool beyond the capacity of a set is treated as undeclared.
        let tools = tools.take(set::CAPACITY).collect();
        Self { declared, tools, patterns: HashMap::new(), shared: narrow::SharedResults::default() }
    }

    /// Whether some agent sends a root field at an event.
    pub(crate) fn sends(&self, event: &str, field: &str) -> bool {
        self.declared.sends(event, field)
    }

    /// Whether some tool has an input of this name.
    pub(crate) fn has_input(&self, name: &str) -> bool {
        let inputs = || self.tools.iter().filter_map(|(_, tool)| tool.input.as_ref());
        inputs().any(|input| input.property(name).is_some())
    }

    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        self.tools.binary_search_by_key(&name, |(tool, _)| tool).ok()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.tools.iter().map(|(name, _)| *name)
    }

    /// A bit for each tool.
    pub(crate) fn all(&self) -> u128 {
        (0..self.tools.len()).fold(0, |tools, index| tools | ToolSet::bit(index))
    }

    /// The names of the tools of a set, if it has no undeclared ones.
    pub(crate) fn only(&self, set: ToolSet) -> Option<Vec<&'a str>> {
        (set.others() == set::Others::Excluded).then(|| self.tools_in(set).map(|(name, _)| name).collect())
    }

    /// The tools of a set whose input or response is an object; none if a tool that nobody declares is meant.
    pub(crate) fn objects(&self, set: ToolSet, part: ToolField) -> Vec<&'a str> {
        let tools = self.tools_in(set).filter(|(_, tool)| tool.field(part).is_some());
        tools.map(|(name, _)| name).filter(|_| !set.names_others()).collect()
    }

    /// The names of the declared tools of a set.
    pub(crate) fn names_in(&self, set: ToolSet) -> Vec<&'a str> {
        self.tools_in(set).map(|(name, _)| name).collect()
    }

    /// The tools of a set.
    pub(crate) fn tools_in(&self, set: ToolSet) -> impl Iterator<Item = (&'a str, &'a ToolType)> {
        let tools = self.tools.iter().enumerate();
        tools.filter(move |(index, _)| set.has(*index)).map(|(_, tool)| *tool)
    }
}

/// Whether a condition on the name is true for no tool of a set.
pub(crate) fn excludes(cond: &Cond, set: ToolSet, table: &mut Table<'_>) -> bool {
    let both = narrow(Some(cond), table).whole().and(set);
    both.others() == set::Others::Excluded && table.tools_in(both).next().is_none()
}
