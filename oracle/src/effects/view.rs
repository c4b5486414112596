//! What an event does as a value: the view `effects()`.

use serde_json::{Value, json};

use super::model::{Act, Deeds, Effect, Kind, Scheme};
use super::text::Text;

/// The longest view, in bytes.
const LONGEST: usize = 1 << 20;

/// The lists of objects, and the kind of each.
const OBJECTS: [(&str, &str); 10] = [
    ("reads", "read"),
    ("uses", "use"),
    ("lists", "list"),
    ("writes", "write"),
    ("deletes", "delete"),
    ("sends", "send"),
    ("contacts", "contact"),
    ("installs", "install"),
    ("pushes", "push"),
    ("code", "code"),
];

/// The view; `unknown` says why a part is unknown.
#[must_use]
pub fn view(deeds: &Deeds, unknown: Option<String>) -> Value {
    let view = described(deeds, unknown);
    if view.to_string().len() < LONGEST {
        return view;
    }
    described(&Deeds::default(), Some("it does more than the limits allow".to_owned()))
}

fn described(deeds: &Deeds, unknown: Option<String>) -> Value {
    let mut rows = rows(deeds);
    rows.sort();
    rows.dedup();
    let effects: Vec<Value> = rows.iter().map(|row| row.value(deeds)).collect();
    let mut view = json!({
        "all": effects,
        "declared": !deeds.is_undeclared,
        "runs": deeds.commands.iter().map(run).collect::<Vec<_>>(),
        "unknown": unknown,
    });
    for (name, kind) in OBJECTS {
        let mut objects: Vec<&str> = Vec::new();
        for row in rows.iter().filter(|row| row.name() == kind) {
            if !objects.contains(&row.object.as_str()) {
                objects.push(&row.object);
            }
        }
        if let Some(members) = view.as_object_mut() {
            members.insert(name.to_owned(), objects.into());
        }
    }
    view
}

/// An effect, in the order of the view: by its command, its kind, and its object.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    command: Option<usize>,
    /// None for the start of a program.
    kind: Option<Kind>,
    object: String,
    is_tree: bool,
    is_implied: bool,
    is_assumed: bool,
    is_known: bool,
}

fn rows(deeds: &Deeds) -> Vec<Row> {
    let starts = deeds.commands.iter().enumerate().filter_map(|(number, act)| {
        let name = act.name.as_deref().map(Text::from).or_else(|| act.program.clone())?;
        Some(Row {
            command: Some(number),
            kind: None,
            object: name.written(),
            is_tree: false,
            is_implied: false,
            is_assumed: deeds.is_undeclared,
            is_known: !name.has_hole(),
        })
    });
    let row = |effect: &Effect| Row {
        command: effect.command,
        kind: Some(effect.kind),
        object: format!("{}{}", prefix(effect.scheme), effect.object.written()),
        is_tree: effect.is_tree,
        is_implied: effect.is_implied,
        is_assumed: effect.is_assumed,
        is_known: !effect.object.has_hole(),
    };
    starts.chain(deeds.effects.iter().map(row)).collect()
}

impl Row {
    fn name(&self) -> &'static str {
        match self.kind {
            None => "run",
            Some(Kind::Read) => "read",
            Some(Kind::Use) => "use",
            Some(Kind::List) => "list",
            Some(Kind::Write) => "write",
            Some(Kind::Delete) => "delete",
            Some(Kind::Send) => "send",
            Some(Kind::Contact) => "contact",
            Some(Kind::Install) => "install",
            Some(Kind::Push) => "push",
            Some(Kind::Code) => "code",
        }
    }

    fn value(&self, deeds: &Deeds) -> Value {
        let by = self.command.and_then(|number| deeds.commands.get(number)?.name.clone());
        json!({
            "assumed": self.is_assumed,
            "by": by,
            "command": self.command,
            "implied": self.is_implied,
            "kind": self.name(),
            "known": self.is_known,
            "object": self.object,
            "tree": self.is_tree,
        })
    }
}

const fn prefix(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Variable => "env:",
        Scheme::Ref => "ref:",
        Scheme::Store => "store:",
        _ => "",
    }
}

/// A command.
fn run(act: &Act) -> Value {
    let program = act.program.iter().map(Text::written);
    json!({
        "name": act.name,
        "plain": act.is_plain,
        "sub": act.verbs.first().map(|verb| verb.join(" ")),
        "words": program.chain(act.sources.iter().cloned()).collect::<Vec<_>>(),
    })
}
