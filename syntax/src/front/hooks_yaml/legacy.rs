//! Reads legacy keys: keys of hooks, lists of hooks, keys that describe the file. Each is converted
//! with a note, or reported as ignored.

use hookc_schema::decode::{Fields, short};
use hookc_schema::tree::Section;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};

use crate::front::legacy::ignored_key;

/// The layers in legacy syntax, by number and by name.
const LAYERS: [(&str, &str, Layer); 5] = [
    ("0", "user", Layer::File("user")),
    ("1", "directive", Layer::File("directive")),
    ("2", "builtin", Layer::Builtin),
    ("3", "project", Layer::File("project")),
    ("4", "infra", Layer::Builtin),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layer {
    /// The layer of a whole file.
    File(&'static str),
    Builtin,
}

/// The values of a hook's legacy keys.
pub(super) struct Keys {
    /// The section of the hook, which `layer` can change.
    pub(super) section: Section,
    /// `position`: the destination of the action's result.
    pub(super) position: Option<Spanned<String>>,
}

impl Keys {
    /// Reads the legacy keys of a hook in `section`.
    pub(super) fn read(fields: &Fields<'_>, section: Section, out: &mut Diagnostics) -> Self {
        let mut keys = Self { section, position: fields.string("position") };
        for (key, member) in fields.sound().filter(|(key, _)| key.legacy) {
            match key.name {
                "layer" => keys.layer(&member.value, out),
                "position" => {}
                name => out.push(ignored_key(name, member.key.span)),
            }
        }
        keys
    }

    fn layer(&mut self, value: &Value, out: &mut Diagnostics) {
        let written = match &value.kind {
            Kind::Num(number) => number.0.as_str(),
            Kind::Str(text) => text.value.as_str(),
            _ => "",
        };
        let found = LAYERS.iter().find(|(number, name, _)| [*number, *name].contains(&written));
        let layer = match found {
            None => {
                let names = LAYERS.iter().map(|(number, name, _)| format!("{number} ({name})"));
                let new = Diagnostic::new(Code::E0204, short(value), "unknown `layer`");
                let help = format!("write one of {}", names.collect::<Vec<_>>().join(", "));
                return out.push(new.with_label("unknown layer").help(help));
            }
            Some((_, _, layer)) => *layer,
        };
        match (self.section, layer) {
            // Legacy layer 3 corresponds to layer 4.
            (Section::Builtin, Layer::Builtin | Layer::File("project")) => {}
            (Section::Hooks, Layer::Builtin) => {
                self.section = Section::Builtin;
                let new = Diagnostic::new(Code::N0273, value.span, "a hook of layer `builtin`");
                out.push(new.with_label("legacy syntax").help("write it under `builtin_hooks:`"));
            }
            (Section::Hooks, Layer::File("directive")) => {
                let what = "without `--layer`, the layer of `hooks:` is `directive`";
                let new = Diagnostic::new(Code::N0273, value.span, what);
                out.push(new.with_label("legacy syntax").help("remove `layer`"));
            }
            (section, Layer::File(name)) => out.push(misplaced(value, section, name)),
        }
    }
}

/// The diagnostic for a layer that is invalid in this section.
fn misplaced(value: &Value, section: Section, name: &str) -> Diagnostic {
    let what = match section {
        Section::Hooks => format!("a hook cannot have the layer `{name}`"),
        Section::Builtin => format!("a hook in a list of the layer `builtin` cannot have the layer `{name}`"),
    };
    let new = Diagnostic::new(Code::W0272, value.span, what).with_label("ignored");
    new.help(format!("write it under `hooks:` of a file that you pass as `--layer {name}=FILE`"))
}

/// The note about a list that is read as `builtin_hooks`.
pub(super) fn list(key: &Spanned<String>) -> Diagnostic {
    let what = format!("hookc reads `{}` as `builtin_hooks`", key.node);
    let new = Diagnostic::new(Code::N0273, key.span, what).with_label("legacy syntax");
    new.note("its hooks come last: if the first match decides, they decide only when no other hook matches")
        .help("write `builtin_hooks:`")
}

/// The note about legacy keys that only describe the file.
pub(super) fn described(fields: &Fields<'_>) -> Option<Diagnostic> {
    let described = fields.sound().filter(|(key, _)| key.legacy && key.becomes.is_none());
    let keys: Vec<&Spanned<String>> = described.map(|(_, member)| &member.key).collect();
    let first = keys.first()?;
    let names: Vec<&str> = keys.iter().map(|key| key.node.as_str()).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    let what = format!("`{}` {verb} unrelated to hooks", names.join("`, `"));
    Some(Diagnostic::new(Code::N0273, first.span, what).with_label("not read"))
}

/// The `config` of a graph, which contains its hooks.
pub(super) fn graph(root: &Value) -> Option<&Member> {
    let Kind::Map(members) = &root.kind else { return None };
    let config = members.iter().find(|member| member.key.node == "config")?;
    let parts = ["nodes", "hooks", "start"];
    parts.iter().any(|part| config.value.get(part).is_some()).then_some(config)
}
