//! The tables of names: events, tools, actions, operators, sets.

use std::collections::BTreeMap;

use hookc_base::ViewKind;
use hookc_base::input_role::InputKind;
use hookc_schema::agents::{self, Capability, Event};
use hookc_schema::tree::{Family, Op};
use hookc_schema::vocab::{ActionKind, FieldSchema, ParamType, Vocabulary, view};
use hookc_shell::effects::{ShippedSet, shipped_sets};

/// The characters of the patterns of a set that the guide shows.
const PATTERNS: usize = 16;
/// What hooks are mostly for.
const ANSWERS: [Capability; 5] =
    [Capability::Deny, Capability::Ask, Capability::Allow, Capability::Modify, Capability::Inject];

/// The table of that name.
pub(super) fn table(name: &str) -> Option<String> {
    let vocabulary = Vocabulary::builtin();
    Some(match name {
        "operators" => operators(&vocabulary),
        "common" => {
            vocabulary.common.get(&Family::Agent).map(|schema| fields(schema, None)).unwrap_or_default()
        }
        "events" => events(&vocabulary),
        "other_events" => other_events(&vocabulary),
        "tools" => tools(&vocabulary),
        "actions" => vocabulary.actions.iter().map(|(name, kind)| action(name, kind)).collect(),
        "answers" => honoured(&vocabulary, &ANSWERS, 7),
        "agents" => honoured(&vocabulary, Capability::ALL, 1),
        "sets" => sets(),
        "roles" => InputKind::ALL.iter().map(|kind| format!("- `{kind}`: {}\n", kind.meaning())).collect(),
        "views" => views(),
        _ => return None,
    })
}

fn operators(vocabulary: &Vocabulary) -> String {
    let about = |op: &Op| vocabulary.operators.get(op.name()).map(|operator| operator.description.as_str());
    let row = |op: &Op| {
        let yaml = if op.symbol() == op.name() { String::new() } else { format!(" `{}`", op.name()) };
        format!("- `{}`{yaml}: {}\n", op.symbol(), about(op).unwrap_or_default())
    };
    Op::ALL.iter().map(row).collect()
}

/// The names of the members of an object, without those of `without`: `name`, `name{members}`, `name[members]`, and
/// `<role>` after an input that a tool does something with.
fn fields(schema: &FieldSchema, without: Option<&FieldSchema>) -> String {
    let is_new = |name: &str| without.is_none_or(|without| without.property(name).is_none());
    let members = schema.properties.iter().filter(|(name, field)| is_new(name) && is_shared(field));
    members.map(|(name, field)| format!("{name}{}", contents(field))).collect::<Vec<_>>().join(" ")
}

/// Whether all agents send a field: the description of another one ends with their names.
fn is_shared(field: &FieldSchema) -> bool {
    !field.description.ends_with(')')
}

/// What follows the name of a field.
fn contents(field: &FieldSchema) -> String {
    let role = field.role.as_ref().and_then(|role| role.node.split(' ').next());
    let role = role.filter(|role| *role != InputKind::Data.name());
    let role = role.map(|role| format!("<{role}>")).unwrap_or_default();
    let items = field.items.as_ref().filter(|items| !items.properties.is_empty());
    match items {
        Some(items) => format!("{role}[{}]", fields(items, None)),
        None if !field.properties.is_empty() => format!("{role}{{{}}}", fields(field, None)),
        None => role,
    }
}

/// Names in lines by what is the same for them, the names in order.
fn grouped<'n>(rows: impl Iterator<Item = (&'n str, String)>) -> String {
    let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
    for (name, fields) in rows {
        match groups.iter_mut().find(|(_, known)| *known == fields) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], fields)),
        }
    }
    let line = |(names, fields): &(Vec<&str>, String)| {
        let code = if fields.is_empty() { "no fields".to_owned() } else { format!("`{fields}`") };
        format!("- {}: {code}\n", names.join(", "))
    };
    groups.iter().map(line).collect()
}

/// The events that some answer can change something about, and the names of the others.
fn events(vocabulary: &Vocabulary) -> String {
    let common = vocabulary.common.get(&Family::Agent);
    let events = vocabulary.events.iter().filter(|((family, _), _)| *family == Family::Agent);
    let rows = events.map(|((_, name), event)| (name.as_str(), fields(&event.schema, common)));
    let can = |name: &str| {
        let any = |event: &Event| Capability::ALL.iter().any(|capability| event.can(*capability));
        agents::answered().any(|agent| agent.events_of(name).any(any))
    };
    let (seen, others): (Vec<_>, Vec<_>) = rows.partition(|(name, _)| can(name));
    let others: Vec<&str> = others.into_iter().map(|(name, _)| name).collect();
    format!("{}- only to be seen: {}\n", grouped(seen.into_iter()), others.join(" "))
}

fn other_events(vocabulary: &Vocabulary) -> String {
    let names = vocabulary.events.keys().filter(|(family, _)| *family != Family::Agent);
    let mut by_family: BTreeMap<Family, Vec<String>> = BTreeMap::new();
    for (family, name) in names {
        by_family.entry(*family).or_default().push(name.clone());
    }
    let lists = by_family.iter().map(|(family, names)| format!("{family} {}", names.join(" ")));
    lists.collect::<Vec<_>>().join("; ") + "."
}

/// The tools with an input that predicates see, and the names of the others.
fn tools(vocabulary: &Vocabulary) -> String {
    let inputs =
        |input: &Option<FieldSchema>| input.as_ref().map(|input| fields(input, None)).unwrap_or_default();
    let rows = vocabulary.tools.by_name.iter().map(|(name, tool)| (name.as_str(), inputs(&tool.input)));
    let (seen, others): (Vec<_>, Vec<_>) = rows.partition(|(_, inputs)| inputs.contains('<'));
    let others: Vec<&str> = others.into_iter().map(|(name, _)| name).collect();
    format!("{}- others: {}\n", grouped(seen.into_iter()), others.join(" "))
}

/// The parameters of an action that are shown if only some of them are required.
const PARAMETERS: usize = 4;

/// An action with its parameters; `!` is required, `|` separates values and parameters that exclude each other.
fn action(name: &str, kind: &ActionKind) -> String {
    let is_short = kind.params.len() <= PARAMETERS;
    let is_grouped = |name: &String| kind.one_of.iter().any(|group| group.contains(name));
    let one = |(name, param): (&String, &ParamType)| {
        let need = if param.required { "!" } else { "" };
        let values = param.allowed.iter().flatten().filter_map(|value| value.as_str());
        let values = values.collect::<Vec<_>>().join("|");
        let values = if values.is_empty() { values } else { format!(":{values}") };
        (is_short || param.required).then(|| format!("{name}{need}{values}"))
    };
    let single = kind.params.iter().filter(|(name, _)| !is_grouped(name)).filter_map(one);
    let groups = kind.one_of.iter().map(|group| format!("{}!", group.join("|")));
    let params = groups.chain(single).collect::<Vec<_>>().join(" ");
    let more = if is_short { "" } else { " ..." };
    let params = if params.is_empty() { params } else { format!(" `{params}`{more}") };
    format!("- **{name}** {}{params}\n", kind.description)
}

/// For each effect of an answer, the events by the agents that honour it, if at least `least` do.
fn honoured(vocabulary: &Vocabulary, effects: &[Capability], least: usize) -> String {
    let is_known = |event: &Event| vocabulary.event(Family::Agent, &event.event).is_some();
    let mut out = String::new();
    for capability in effects {
        let mut agents_of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for agent in agents::answered() {
            for event in agent.events.iter().filter(|event| event.can(*capability) && is_known(event)) {
                let known = agents_of.entry(&event.event).or_default();
                if known.last() != Some(&agent.name.as_str()) {
                    known.push(&agent.name);
                }
            }
        }
        let mut by_agents: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (event, names) in agents_of.into_iter().filter(|(_, names)| names.len() >= least) {
            let others =
                agents::answered().map(|agent| agent.name.as_str()).filter(|name| !names.contains(name));
            let others: Vec<&str> = others.collect();
            let names = match others.len() {
                0 => "all".to_owned(),
                few if few + 1 < names.len() => format!("all but {}", others.join(" ")),
                _ => names.join(" "),
            };
            by_agents.entry(names).or_default().push(event);
        }
        let lists = by_agents.iter().map(|(names, events)| format!("{} ({names})", events.join(" ")));
        out += &format!("- {}: {}\n", capability.name(), lists.collect::<Vec<_>>().join("; "));
    }
    out
}

/// The sets by the kind of their patterns, each with its first short patterns.
fn sets() -> String {
    let mut by_kind: Vec<(&str, Vec<String>)> = Vec::new();
    for set in shipped_sets() {
        let kind = set.kind.plural();
        match by_kind.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, sets)) => sets.push(shown(set)),
            None => by_kind.push((kind, vec![shown(set)])),
        }
    }
    by_kind.iter().map(|(kind, sets)| format!("- {kind}: {}\n", sets.join(", "))).collect()
}

fn shown(set: &ShippedSet) -> String {
    let mut patterns = String::new();
    for pattern in set.of {
        if patterns.len() + pattern.len() > PATTERNS || pattern.starts_with(['/', '\\', '@']) {
            break;
        }
        patterns += if patterns.is_empty() { " (`" } else { "`, `" };
        patterns += pattern;
    }
    let end = if patterns.is_empty() { "" } else { "`)" };
    format!("`@{}`{patterns}{end}", set.name)
}

fn views() -> String {
    let kinds = [ViewKind::Shell, ViewKind::File, ViewKind::Size, ViewKind::Effects];
    let one = |kind: ViewKind| format!("`{}(...)`: `{}`", kind.name(), fields(view(kind), None));
    kinds.map(one).join("; ")
}
