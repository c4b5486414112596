//! Declarations of tools whose effects hookc knows, and those whose names resemble such a tool (W0666).

use hookc_schema::suggest::{nearest, slip};
use hookc_schema::value::{Kind, Member};
use hookc_schema::vocab::{FieldSchema, Vocabulary};
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_shell::effects::matches_glob;

use crate::names::is_slip;

/// The most tools that a message names.
const NAMED: usize = 3;

/// Reports a declaration of tools of the vocabulary, inputs that such a tool does not have, and a name with a slip.
pub(crate) fn known_tools(tool: &Member, out: &mut Diagnostics) {
    let name = &tool.key.node;
    let tools = &Vocabulary::builtin().tools.by_name;
    if let Some(known) = tools.get(name) {
        let start = out.len();
        if let (Kind::Map(inputs), Some(schema)) = (&tool.value.kind, &known.input) {
            out.extend(inputs.iter().filter_map(|input| unknown_input(name, input, schema)));
        }
        if out.len() == start {
            let what = format!("hookc knows what `{name}` does");
            let new = Diagnostic::new(Code::W0666, tool.key.span, what).with_label("replaces what is known");
            out.push(new.help("remove this declaration; `tools` is for tools of servers, and for your own"));
        }
        return;
    }
    let matched: Vec<_> = tools.keys().filter(|known| matches_glob(name, known)).collect();
    let Some(first) = matched.first() else { return out.extend(misspelled(tool)) };
    let named: Vec<_> = matched.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = if matched.len() > NAMED { ", ..." } else { "" };
    let what = format!("`{name}` is also the name of {}{more}", named.join(", "));
    let new = Diagnostic::new(Code::W0666, tool.key.span, what).with_label("replaces what is known");
    out.push(
        new.help(format!(
            "hookc knows what `{first}` does: write a pattern of other tools, such as `mcp__*`"
        )),
    );
}

/// Reports a name that is almost that of a known tool.
fn misspelled(tool: &Member) -> Option<Diagnostic> {
    let name = &tool.key.node;
    if name.starts_with("mcp") || name.contains('*') {
        return None;
    }
    let vocabulary = Vocabulary::builtin();
    let near = slip(name, vocabulary.tools.by_name.keys().map(String::as_str))?;
    let what = format!("`{name}` resembles `{near}`");
    let new = Diagnostic::new(Code::W0666, tool.key.span, what).with_label("not a known tool");
    let help = format!("if `{near}` is meant, remove this declaration: hookc knows what it does");
    is_slip(name, near).then(|| new.help(help))
}

/// The diagnostic for an input that a tool does not have.
fn unknown_input(tool: &str, input: &Member, schema: &FieldSchema) -> Option<Diagnostic> {
    let path = &input.key.node;
    let name = path.split(['.', '[']).next().unwrap_or(path);
    if schema.property(name).is_some() {
        return None;
    }
    let names = schema.properties.keys().map(String::as_str);
    let what = format!("the tool `{tool}` has no input `{name}`");
    let new = Diagnostic::new(Code::W0666, input.key.span, what).with_label("not an input");
    Some(new.did_you_mean(nearest(name, names), input.key.span))
}
