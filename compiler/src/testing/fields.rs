//! Misspelled fields of test events (E0436), and events that no agent sends (W0647). No condition
//! reads such a field, so a test that expects no decision would pass by accident.
//!
//! Agents send fields that no vocabulary declares, so only a name that is almost a declared one is
//! reported. An event in JSON text is not checked and stays unchanged.

use hookc_schema::decode::short;
use hookc_schema::suggest::slip;
use hookc_schema::tree::{Family, Policy};
use hookc_schema::value::{Kind, Member, Text, Value};
use hookc_schema::vocab::{EventType, FieldSchema, ToolField, ToolType, Tools, Vocabulary};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, agents};

/// The misspelled names in an event of a coding agent, given as JSON.
#[must_use]
pub fn misspelled(name: &str, event: &str) -> Vec<Diagnostic> {
    let mut out = Diagnostics::new();
    let text = Text::plain(event);
    if let Some(event) = hookc_syntax::expr::json::parse(&text, Span::default(), &mut out) {
        Fields::of_policies(&[]).check(Family::Agent, name, &event, &mut out);
    }
    out.finish()
}

/// The declared fields, of the shipped vocabulary and of policies.
pub(super) struct Fields {
    vocabulary: Vocabulary,
}

impl Fields {
    pub(super) fn of_policies(policies: &[Policy]) -> Self {
        let mut vocabulary = Vocabulary::clone(&Vocabulary::builtin());
        for policy in policies.iter().filter(|policy| has_schemas(policy)) {
            // Their errors are reported during compilation.
            vocabulary = vocabulary.with_declarations(&policy.declarations, &mut Diagnostics::new());
        }
        Self { vocabulary }
    }

    /// Reports each misspelled field of an event. The nesting limit of front ends bounds the recursion.
    pub(super) fn check(&self, family: Family, name: &str, event: &Value, out: &mut Diagnostics) {
        let Some(declared) = self.vocabulary.event(family, name) else { return };
        let before = out.reported();
        self.members(declared, event, out);
        if declared.family == Family::Agent && out.reported() == before {
            out.extend(unsent(declared, event));
        }
    }

    fn members(&self, declared: &EventType, event: &Value, out: &mut Diagnostics) {
        let tools = &self.vocabulary.tools;
        let tool = event.get("tool_name").and_then(Value::as_str).unwrap_or_default();
        if declared.family == Family::Agent {
            out.extend(self.wrong_case(event));
        }
        let root = &declared.schema;
        let inner = root.property("event");
        let sent = |field: &str| declared.family == Family::Agent && tools.sends(&declared.name, field);
        let walk = Walk { tools, tool };
        for member in members(event) {
            let field = member.key.node.as_str();
            if root.property(field).is_none()
                && (sent(field) || inner.is_some_and(|members| members.property(field).is_some()))
            {
                continue;
            }
            if field == "event" && inner.is_some() {
                // The fields of `event` can be merged with the root's.
                for member in members(&member.value) {
                    let both = inner.into_iter().chain([root.as_ref()]);
                    walk.member(member, &both.collect::<Vec<_>>(), out);
                }
            } else if let Some(misplaced) = walk.misplaced(member, root) {
                out.push(misplaced);
            } else {
                walk.member(member, &[root.as_ref()], out);
            }
        }
    }
}

impl Fields {
    /// The name of a tool that is one in another case only.
    fn wrong_case(&self, event: &Value) -> Option<Diagnostic> {
        let value = event.get("tool_name")?;
        let text = value.as_str()?;
        let names = || self.vocabulary.tools.by_name.keys();
        let meant = names().find(|name| name.eq_ignore_ascii_case(text)).filter(|name| *name != text)?;
        let what = format!("no tool has the name `{text}`");
        let new = Diagnostic::new(Code::E0436, value.span, what).with_label("no condition is about it");
        let new = new.note("to keep the name, write the event as JSON text, which is not checked");
        Some(new.help(format!("did you mean `{meant}`?")))
    }
}

/// An event about a tool without the tool's name, or with an input that is no object (W0647).
fn unsent(declared: &EventType, event: &Value) -> Option<Diagnostic> {
    let input = declared.schema.properties.iter().find(|(_, field)| field.tool == Some(ToolField::Input));
    let (input, _) = input.filter(|_| matches!(event.kind, Kind::Map(_)))?;
    let new = match (event.get("tool_name"), event.get(input)) {
        (_, Some(value)) if !matches!(value.kind, Kind::Map(_)) => {
            let what = format!("`{input}` of an event is an object, not {}", value.noun());
            Diagnostic::new(Code::W0647, value.span, what)
                .with_label("no agent sends this")
                .help(format!("write the inputs by name: `{input}: {{command: ls}}`"))
        }
        (Some(_), _) => return None,
        (None, _) => {
            let what = format!("a `{}` event without `tool_name`", declared.name);
            Diagnostic::new(Code::W0647, short(event), what)
                .with_label("no agent sends this")
                .help("add the name of the tool: `tool_name: Bash`")
        }
    };
    Some(new.note("to keep it, write the event as JSON text, which is not checked"))
}

fn has_schemas(policy: &Policy) -> bool {
    policy.declarations.events.is_some() || policy.declarations.event_context_schema.is_some()
}

fn members(value: &Value) -> &[Member] {
    match &value.kind {
        Kind::Map(members) => members,
        _ => &[],
    }
}

struct Walk<'v> {
    tools: &'v Tools,
    /// The name of the event's tool.
    tool: &'v str,
}

impl Walk<'_> {
    /// An input of the tool that is next to the inputs.
    fn misplaced(&self, member: &Member, root: &FieldSchema) -> Option<Diagnostic> {
        let name = member.key.node.as_str();
        let (input, _) = root.properties.iter().find(|(_, field)| field.tool == Some(ToolField::Input))?;
        let inputs = self.tools.by_name.get(self.tool)?.field(ToolField::Input)?;
        if root.property(name).is_some() || inputs.property(name).is_none() {
            return None;
        }
        let what = format!("`{name}` is an input of `{}`, and this is next to its inputs", self.tool);
        let new = Diagnostic::new(Code::E0436, member.key.span, what).with_label("no condition reads it");
        let new = new.note("to keep the name, write the event as JSON text, which is not checked");
        Some(new.help(format!("write `{input}: {{{name}: ...}}`")))
    }

    /// Checks a member of an object with one of these schemas.
    fn member(&self, member: &Member, holders: &[&FieldSchema], out: &mut Diagnostics) {
        let name = member.key.node.as_str();
        if let Some(found) = holders.iter().find_map(|holder| holder.property(name)) {
            return self.below(&member.value, found, out);
        }
        let names = || holders.iter().flat_map(|holder| holder.properties.keys().map(String::as_str));
        let Some(near) = slip(name, names()) else { return };
        let what = format!("no declared field has the name `{name}`");
        let new = Diagnostic::new(Code::E0436, member.key.span, what).with_label("no condition reads it");
        let new = new.note("to keep the name, write the event as JSON text, which is not checked");
        out.push(new.did_you_mean(Some(near), member.key.span));
    }

    /// Reports a member of a tool's input that only other tools have, or that people call otherwise.
    fn other_tool(
        &self,
        member: &Member,
        schema: &FieldSchema,
        part: Option<ToolField>,
        out: &mut Diagnostics,
    ) {
        let name = member.key.node.as_str();
        let names = || schema.properties.keys().map(String::as_str);
        if part != Some(ToolField::Input) || schema.property(name).is_some() || slip(name, names()).is_some()
        {
            return;
        }
        let has = |tool: &ToolType| {
            tool.field(ToolField::Input).is_some_and(|schema| schema.property(name).is_some())
        };
        let elsewhere = self.tools.by_name.values().any(has);
        let meant = agents::inputs_meant(name).find(|meant| schema.property(meant).is_some());
        if meant.is_none() && !elsewhere {
            return;
        }
        let what = format!("`{}` has no input `{name}`", self.tool);
        let new = Diagnostic::new(Code::E0436, member.key.span, what).with_label("no condition reads it");
        let new = new.note("to keep the name, write the event as JSON text, which is not checked");
        out.push(match meant {
            Some(meant) => new.did_you_mean(Some(meant), member.key.span),
            None => new.help(format!("its inputs are `{}`", names().collect::<Vec<_>>().join("`, `"))),
        });
    }

    fn below(&self, value: &Value, schema: &FieldSchema, out: &mut Diagnostics) {
        let of_tool = |part| self.tools.by_name.get(self.tool)?.field(part);
        let union = schema.tool.and_then(of_tool);
        if let Some(union) = union {
            members(value).iter().for_each(|member| self.other_tool(member, union, schema.tool, out));
        }
        let schema = union.unwrap_or(schema);
        // An object without declared members can contain any.
        if !schema.properties.is_empty() {
            members(value).iter().for_each(|member| self.member(member, &[schema], out));
        }
    }
}
