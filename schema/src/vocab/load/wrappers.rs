//! `wrappers:`: programs that run the command in their arguments, for the views of command lines.

use std::collections::HashMap;

use crate::decode::DECLARED;
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::dialect::declared;
use crate::span::{Span, Spanned};
use crate::value::{Kind, Value};
use crate::vocab::Wrapper;

/// The most operands that a wrapper can have before its command.
const OPERANDS: usize = 8;
/// The most wrappers that are kept: more than a policy can have (E0703), and few enough to compare each
/// program of the policy with them.
const KEPT: usize = 1_000;

/// Reads the list. What is wrong in it is reported and left out.
pub(super) fn read(section: &Value, out: &mut Diagnostics) -> Vec<Wrapper> {
    let items = match &section.kind {
        Kind::Seq(items) => items,
        _ => {
            let new = DECLARED.wrong(section, "`wrappers`", "a list of programs");
            out.push(new.help("write `wrappers: [company-sudo]`"));
            return Vec::new();
        }
    };
    let mut wrappers: Vec<Wrapper> = Vec::new();
    let mut first: HashMap<String, Span> = HashMap::new();
    for item in items {
        let Some(new) = wrapper(item, out) else { continue };
        if let Some(before) = first.get(&new.name.node) {
            let message = format!("the wrapper `{}` is declared twice", new.name.node);
            let twice = Diagnostic::new(Code::E0412, new.name.span, message).with_label("again here");
            out.push(twice.also(*before, "first here"));
            continue;
        }
        first.insert(new.name.node.clone(), new.name.span);
        if wrappers.len() < KEPT {
            wrappers.push(new);
        }
    }
    wrappers
}

fn wrapper(item: &Value, out: &mut Diagnostics) -> Option<Wrapper> {
    if let Kind::Str(text) = &item.kind {
        let name = Spanned::new(text.value.clone(), item.span);
        return valid(&name, out).then(|| Wrapper {
            operands: Spanned::new(0, name.span),
            name,
            options: Vec::new(),
        });
    }
    let fields = declared::WRAPPER.read(item, DECLARED, out)?;
    let name = DECLARED.string(fields.value("name")?, "the name of a wrapper", out)?;
    let mut options = Vec::new();
    for option in fields.items("options_with_values") {
        let Some(option) = DECLARED.string(option, "an option", out) else { continue };
        match option.node.strip_prefix('-').is_some_and(|rest| !rest.is_empty() && is_word(&option.node)) {
            true => options.push(option.node),
            false => out.push(invalid(
                option.span,
                format!("`{}` is not an option of a program", option.node),
                "not an option",
                "write an option with its dashes, such as `-u` or `--user`",
            )),
        }
    }
    let operands = match fields.number("operands") {
        None => Spanned::new(0, name.span),
        Some(count) => match count.node.0.parse::<usize>().ok().filter(|count| *count <= OPERANDS) {
            Some(number) => Spanned::new(number, count.span),
            None => {
                let what = format!("a wrapper cannot have {} operands of its own", count.node.0);
                let help = format!("write a whole number from 0 to {OPERANDS}");
                out.push(invalid(count.span, what, "too many", &help));
                return None;
            }
        },
    };
    options.sort_unstable();
    options.dedup();
    valid(&name, out).then_some(Wrapper { name, options, operands })
}

/// Reports a name that no program has.
fn valid(name: &Spanned<String>, out: &mut Diagnostics) -> bool {
    let is_valid = is_word(&name.node) && !name.node.contains('/');
    if !is_valid {
        out.push(invalid(
            name.span,
            format!("`{}` is not the name of a program", name.node),
            "not a name",
            "write the name without its directory and without arguments, such as `company-sudo`",
        ));
    }
    is_valid
}

/// Whether a text is one word of a command line.
fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

fn invalid(span: Span, what: String, label: &str, help: &str) -> Diagnostic {
    Diagnostic::new(Code::E0412, span, what).with_label(label).help(help)
}
