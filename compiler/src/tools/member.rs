//! The members of a tool's input or response.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use hookc_schema::suggest::slip;
use hookc_schema::vocab::{FieldSchema, ToolField, ToolType};
use hookc_schema::{Code, Diagnostic, Span, agents};

use super::Table;
use super::set::{Others, ToolSet};
use crate::names::{LISTED, Suggester, listed};

/// The declaration of a member.
pub(crate) enum Member<'a> {
    /// It can be present with any value.
    Open,
    /// It has this schema.
    Declared(Box<FieldSchema>),
    /// None of the possible tools has it; these do.
    Elsewhere(Vec<&'a str>),
    /// No tool has it.
    Nowhere,
}

/// A member of `part` of the tools in a set.
pub(crate) fn member<'a>(table: &Table<'a>, set: ToolSet, part: ToolField, name: &str) -> Member<'a> {
    let has = |tool: &'a ToolType| tool.field(part).and_then(|schema| schema.property(name));
    let mut tools = table.tools_in(set).peekable();
    let open = |set| table.tools_in(set).any(|(_, tool)| tool.field(part).is_none());
    match set.others() {
        Others::Named => return Member::Open,
        Others::Excluded if tools.peek().is_none() || open(set) => return Member::Open,
        Others::Excluded | Others::Unstated => {}
    }
    if let Some(union) = tools.filter_map(|(_, tool)| has(tool)).cloned().reduce(FieldSchema::either) {
        return Member::Declared(Box::new(union));
    }
    let mut elsewhere: Vec<_> =
        table.tools_in(ToolSet::ALL).filter(|(_, tool)| has(tool).is_some()).collect();
    // The best known tools first: they have the most inputs.
    elsewhere.sort_by_key(|(_, tool)| {
        Reverse(tool.field(part).map(|schema| schema.properties.len()).unwrap_or_default())
    });
    let elsewhere: Vec<&str> = elsewhere.into_iter().map(|(name, _)| name).collect();
    if elsewhere.is_empty() { Member::Nowhere } else { Member::Elsewhere(elsewhere) }
}

/// Every member of `part` of the tools in a set; `None` if there can be others.
pub(crate) fn all<'t>(
    table: &'t Table<'_>,
    set: ToolSet,
    part: ToolField,
) -> Option<Vec<(&'t String, &'t FieldSchema)>> {
    let is_open = table.tools_in(set).any(|(_, tool)| tool.field(part).is_none());
    if is_open || set.others() != Others::Excluded {
        return None;
    }
    let schemas = table.tools_in(set).filter_map(|(_, tool)| tool.field(part));
    Some(schemas.flat_map(|schema| &schema.properties).collect())
}

/// A member that is never present: where it is read, and for which tools.
pub(crate) struct Missing<'m> {
    /// The member's name.
    pub(crate) name: &'m str,
    /// Its parent.
    pub(crate) part: ToolField,
    /// The possible tools.
    pub(crate) set: ToolSet,
    /// The name in its path.
    pub(crate) span: Span,
    /// Whether the span is exactly the name.
    pub(crate) is_name: bool,
}

impl Missing<'_> {
    /// The diagnostic for the result of [`member`]. In an undeclared response, only a name close to
    /// a declared one is reported.
    pub(crate) fn report(
        &self,
        elsewhere: &[&str],
        table: &Table<'_>,
        near: &mut Suggester,
    ) -> Option<Diagnostic> {
        let meant = self.near(elsewhere, table, near);
        let name = self.name;
        let new = if elsewhere.is_empty() {
            if self.part == ToolField::Response && meant.is_none() {
                return None;
            }
            let what = match self.part {
                ToolField::Input => format!("no tool has an input `{name}`"),
                ToolField::Response => format!("no known tool has a field `{name}` in its response"),
            };
            Diagnostic::new(Code::W0416, self.span, what).with_label("not declared")
        } else {
            let what = format!("{} `{name}`", self.without(table));
            let new = Diagnostic::new(Code::W0424, self.span, what)
                .with_label("never present for this `tool_name`");
            new.note(format!("{} {}", self.belongs(), listed(elsewhere)))
        };
        let open = self.set.others() == Others::Unstated && self.part == ToolField::Input;
        let new = match open && elsewhere.is_empty() {
            true => new.note(
                "if a tool of an MCP server has it, name the tool, as in `tool_name starts_with 'mcp__'`",
            ),
            false => new,
        };
        Some(match (&meant, elsewhere) {
            (Some(meant), _) if self.is_name => new.did_you_mean(Some(meant), self.span),
            (Some(meant), _) => new.help(format!("did you mean `{meant}`?")),
            (None, []) => new.help("`docs/vocabulary.md` lists the inputs of each tool"),
            (None, [one, ..]) => {
                new.help(format!("test `tool_name` for a tool that has it, such as `{one}`"))
            }
        })
    }

    fn belongs(&self) -> &'static str {
        match self.part {
            ToolField::Input => "it is an input of",
            ToolField::Response => "it is a field in the response of",
        }
    }

    /// "`Bash` has no input", "none of `Edit` and `Write` has an input".
    fn without(&self, table: &Table<'_>) -> String {
        let (no, a) = match self.part {
            ToolField::Input => ("no input", "an input"),
            ToolField::Response => ("no response field", "a response field"),
        };
        let tools: Vec<&str> = table.tools_in(self.set).map(|(name, _)| name).collect();
        match tools.as_slice() {
            [one] => format!("`{one}` has {no}"),
            several if several.len() <= LISTED => format!("{} do not have {a}", listed(several)),
            _ => format!("no tool that `tool_name` can be here has {a}"),
        }
    }

    /// The closest declared name: of the possible tools, otherwise of any; names that several tools
    /// have are preferred. A name that is right for other tools is not a mistake unless it is
    /// almost equal.
    fn near(&self, elsewhere: &[&str], table: &Table<'_>, near: &mut Suggester) -> Option<String> {
        let names_in = |set: ToolSet| {
            let schemas = table.tools_in(set).filter_map(|(_, tool)| tool.field(self.part));
            schemas.flat_map(|schema| schema.properties.keys().map(String::as_str))
        };
        let mut meant = agents::inputs_meant(self.name).filter(|_| self.part == ToolField::Input);
        if let Some(meant) = meant.find(|meant| names_in(self.set).any(|name| name == *meant)) {
            return Some(meant.to_owned());
        }
        if !elsewhere.is_empty() {
            return slip(self.name, names_in(self.set)).map(str::to_owned);
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        names_in(ToolSet::ALL).for_each(|name| *counts.entry(name).or_default() += 1);
        let common = counts.iter().filter(|(_, count)| **count > 1).map(|(name, _)| *name);
        let near_own =
            near.find_spelling(self.name, names_in(self.set).filter(|name| counts.get(name) > Some(&1)));
        let near_own = near_own.or_else(|| near.find_spelling(self.name, names_in(self.set)));
        let any = || near.find_spelling(self.name, common);
        let any = near_own.or_else(any).or_else(|| near.find_spelling(self.name, names_in(ToolSet::ALL)));
        any.map(str::to_owned)
    }
}
