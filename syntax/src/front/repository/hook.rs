//! Reads the keys of a hook.

use hookc_schema::decode::{Fields, YAML, misspelled, short};
use hookc_schema::dialect::repository::{HANDLER, HOOK};
use hookc_schema::suggest::nearest;
use hookc_schema::tree::{Action, Effect, Family, Hook, UncomparedSpan};
use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use super::event::{self, Audience};
use super::matching;

/// Kinds of handlers that the format reserves.
const LATER: [&str; 2] = ["builtin", "http"];

/// Reads a hook; `None` after an error was reported.
pub(super) fn hook(root: &Value, out: &mut Diagnostics) -> Option<Hook> {
    let start = out.errors();
    let fields = HOOK.read(root, YAML, out)?;
    let vocabulary = Vocabulary::builtin();
    let mut draft = Draft::read(&fields, &vocabulary, out);
    draft.left_out(&fields, root, out);
    draft.audience(out);
    let condition = match (draft.matching, &draft.event) {
        (Some(block), Some(event)) => matching::condition(block, event, &vocabulary, out),
        _ => None,
    };
    let sound = out.errors() == start;
    if let Some(event) = draft.event.as_ref().filter(|_| !sound) {
        event::undeclared(event, &vocabulary, out);
    }
    draft.hook(root.span, condition).filter(|_| sound)
}

/// A hook under construction.
#[derive(Default)]
struct Draft<'a> {
    id: Option<Spanned<String>>,
    event: Option<Spanned<String>>,
    enabled: Option<Spanned<bool>>,
    blocking: Option<Spanned<bool>>,
    summary: Option<Spanned<String>>,
    matching: Option<&'a Value>,
    handler: Option<Spanned<Text>>,
    effects: Vec<Effect>,
}

impl<'a> Draft<'a> {
    fn read(fields: &Fields<'a>, vocabulary: &Vocabulary, out: &mut Diagnostics) -> Self {
        // The line end after a folded scalar is not significant.
        let summary =
            fields.string("summary").map(|text| Spanned::new(text.node.trim_end().to_owned(), text.span));
        Self {
            id: fields.string("id").inspect(|id| out.extend(case(id))),
            event: fields.string("event_type").map(|name| event::event(name, vocabulary, out)),
            enabled: fields.boolean("enabled"),
            blocking: fields.boolean("blocking"),
            summary: summary.filter(|text| !text.node.is_empty()),
            matching: matching(fields, out),
            handler: fields.value("handler").and_then(|value| handler(value, out)),
            effects: fields.value("effects").map(|value| effects(value, out)).unwrap_or_default(),
        }
    }

    /// Handles keys that earlier editions did not require.
    fn left_out(&mut self, fields: &Fields<'_>, root: &Value, out: &mut Diagnostics) {
        let mut reported = |key: &str, taken: bool, why: String| {
            let what = format!("`{key}` is missing: hookc uses `{taken}`");
            let new = Diagnostic::new(Code::N0255, short(root), what).with_label(format!("no `{key}` here"));
            out.push(new.note(why).help(format!("write `{key}: {taken}`")));
        };
        if !fields.has("enabled") {
            reported("enabled", true, "hooks are enabled by default".to_owned());
        }
        let Some(event) = self.event.as_ref().filter(|_| !fields.has("blocking")) else { return };
        let waits = event::audience(&event.node) == Audience::Model;
        let who = if waits { "the model waits" } else { "no turn waits" };
        reported("blocking", waits, format!("{who} for the hooks of `{}`", event.node));
        self.blocking = Some(Spanned::new(waits, root.span));
    }

    /// Reports a `blocking` that does not fit the event.
    fn audience(&self, out: &mut Diagnostics) {
        let (Some(event), Some(blocking)) = (&self.event, self.blocking) else { return };
        let new = match (event::audience(&event.node), blocking.node) {
            (Audience::Nobody, true) => {
                let what = format!("a blocking hook of `{}`, which blocks nothing", event.node);
                let new =
                    Diagnostic::new(Code::W0253, blocking.span, what).with_label("nothing waits for it");
                new.help("write `blocking: false`")
            }
            (Audience::Model, false) => {
                let what = format!("a hook of `{}` that is not blocking", event.node);
                let new = Diagnostic::new(Code::W0254, blocking.span, what);
                let new = new.with_label("the model does not wait for its signals and never sees them");
                new.help("write `blocking: true` if it returns signals")
            }
            _ => return,
        };
        out.push(new.also(event.span, "the event"));
    }

    fn hook(self, span: Span, condition: Option<hookc_schema::tree::Cond>) -> Option<Hook> {
        let action = action(self.handler?, self.blocking);
        Some(Hook {
            id: Some(self.id?),
            enabled: self.enabled,
            condition,
            description: self.summary,
            effects: self.effects,
            ..Hook::new(span, vec![self.event?], Family::Repository, action)
        })
    }
}

/// The action of a handler. The handler is a path, not a command line: it runs without a shell, and
/// a bare name is not searched in `PATH`.
fn action(command: Spanned<Text>, blocking: Option<Spanned<bool>>) -> Action {
    let span = command.span;
    let path = match command.node.value.contains('/') {
        true => Value::new(Kind::Str(command.node), span),
        false => Value::string(format!("./{}", command.node.value), span),
    };
    let blocking = blocking.unwrap_or(Spanned::new(true, span));
    let param = |name: &str, span, kind| (Spanned::new(name.to_owned(), span), Value::new(kind, span));
    Action {
        span: UncomparedSpan(span),
        kind: Spanned::new("run".to_owned(), span),
        params: vec![
            param("argv", span, Kind::Seq(vec![path])),
            param("blocking", blocking.span, Kind::Bool(blocking.node)),
            param("result", span, Kind::Str(Text::plain("signals"))),
        ],
        templates: false,
    }
}

/// The match block. An empty one is reported.
fn matching<'a>(fields: &Fields<'a>, out: &mut Diagnostics) -> Option<&'a Value> {
    let (_, member) = fields.sound().find(|(key, _)| key.name == "match")?;
    let says = matches!(&member.value.kind, Kind::Map(members) if !members.is_empty());
    if !says {
        let new = Diagnostic::new(Code::W0248, member.key.span, "an empty match block");
        let new = new.with_label("every event of the hook matches");
        out.push(new.help("write what it should match, or remove the key"));
    }
    says.then_some(&member.value)
}

/// The note about an id that is not in kebab case.
fn case(id: &Spanned<String>) -> Option<Diagnostic> {
    let what = format!("id `{}` is not in kebab-case", id.node);
    let new = Diagnostic::new(Code::N0256, id.span, what);
    let better = to_kebab(&id.node);
    let advice = format!("the format recommends `{better}`; ids in snake_case work as well");
    (!kebab(&id.node)).then(|| if better.is_empty() { new } else { new.help(advice) })
}

fn kebab(id: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    id.split('-').all(part)
}

fn to_kebab(id: &str) -> String {
    let words = id.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

fn handler(value: &Value, out: &mut Diagnostics) -> Option<Spanned<Text>> {
    let start = out.len();
    let fields = HANDLER.read(value, YAML, out)?;
    let kind = fields.value("kind").map(|kind| script(kind, out));
    let reported = misspelled(out.get(start..).unwrap_or(&[]), "command");
    // The keys of other kinds of handlers are unknown.
    if !fields.has("command") && kind != Some(false) && !reported {
        out.extend(HANDLER.key("command").map(|key| key.missing(value, HANDLER.what)));
    }
    let path = fields.value("command").and_then(|path| command(path, out));
    path.filter(|_| kind == Some(true))
}

/// Whether the kind is `script`; any other kind is reported.
fn script(value: &Value, out: &mut Diagnostics) -> bool {
    let Some(kind) = YAML.string(value, "a handler's `kind`", out) else { return false };
    if kind.node == "script" {
        return true;
    }
    out.push(if LATER.contains(&kind.node.as_str()) {
        let what = format!("handlers of kind `{}` are not supported yet", kind.node);
        let new = Diagnostic::new(Code::E0257, kind.span, what).with_label("reserved by the format");
        new.help("write `kind: script` with a command")
    } else {
        let what = format!("a handler's `kind` cannot be `{}`", kind.node);
        let new = Diagnostic::new(Code::E0204, kind.span, what).with_label("not an allowed value");
        let near = nearest(&kind.node, ["script"]);
        new.help("the only kind is `script`").did_you_mean(near, kind.span)
    });
    false
}

fn command(value: &Value, out: &mut Diagnostics) -> Option<Spanned<Text>> {
    let help = "write the path of a script from the root of the repository";
    if let Kind::Seq(_) = value.kind {
        out.push(YAML.wrong(value, "a handler's `command`", "a path as a string").help(help));
        return None;
    }
    let path = YAML.string(value, "a handler's `command`", out)?;
    if path.node.trim().is_empty() {
        let new = Diagnostic::new(Code::E0203, value.span, "a handler's `command` is empty");
        out.push(new.with_label("empty").help(help));
        return None;
    }
    super::handler::lint(&path.node, value, out);
    let map = match &value.kind {
        Kind::Str(text) => text.map.clone(),
        _ => Default::default(),
    };
    Some(Spanned::new(Text { value: path.node, map }, path.span))
}

/// Reads the list of effects: each has a name and optionally a target. A single name is accepted
/// too.
fn effects(value: &Value, out: &mut Diagnostics) -> Vec<Effect> {
    match &value.kind {
        Kind::Null => Vec::new(),
        Kind::Seq(items) => items.iter().filter_map(|item| effect(item, out)).collect(),
        _ => {
            let new = Diagnostic::new(Code::W0297, short(value), "`effects` must be a list");
            let new = new.with_label(format!("this is {}", YAML.noun(value)));
            out.push(new.note("read as a list of one").help("write a list: start each effect with `- `"));
            effect(value, out).into_iter().collect()
        }
    }
}

fn effect(value: &Value, out: &mut Diagnostics) -> Option<Effect> {
    match &value.kind {
        Kind::Str(text) => Some(Effect { name: Spanned::new(text.value.clone(), value.span), detail: None }),
        Kind::Map(members) => match members.as_slice() {
            [only] => Some(Effect { name: only.key.clone(), detail: Some(only.value.clone()) }),
            _ => {
                let what = format!("an effect has one key, not {}", members.len());
                let new = Diagnostic::new(Code::E0203, short(value), what).with_label("several in one");
                out.push(new.help("start each effect with `- `"));
                None
            }
        },
        _ => {
            out.push(
                YAML.wrong(value, "an effect", "a string, or one `key: value`").help("put it in quotes"),
            );
            None
        }
    }
}
