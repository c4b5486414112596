//! Options that a condition searches for among the words of a command (W0651): `c.args contains '-rf'` is false for
//! `rm -r -f`, and for `rm -fr`.

use hookc_schema::tree::{Leaf, Op};
use hookc_schema::vocab::{FieldSchema, Type, ViewMember};
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

use super::command::Command;
use super::{Compared, is_forced_removal};
use crate::check::Cx;

/// Reports the options among the texts that words are compared with.
pub(super) fn check(
    leaf: &Leaf,
    (member, field): (ViewMember, &FieldSchema),
    all: &[Compared<'_>],
    cx: &mut Cx<'_>,
) {
    if !matches!(member, ViewMember::Args | ViewMember::Operands | ViewMember::Rest) {
        return;
    }
    let list = field.types.has(Type::Array);
    let mut commands = cx.bound.iter().filter_map(|bound| bound.command.as_ref());
    if (list && leaf.op.node != Op::Contains) || has_both(all) || commands.any(Command::is_remote) {
        return;
    }
    for one in all {
        let whole = list || matches!(one.op, Op::Eq | Op::Ne);
        if let Some(found) = option(&one.text, whole) {
            cx.report_once(report(leaf, member, one, &found));
        }
    }
}

/// Whether a list has a short and a long name: the author thought of both.
fn has_both(all: &[Compared<'_>]) -> bool {
    let has = |is: fn(&Written<'_>) -> bool| {
        all.iter().any(|one| option(&one.text, true).is_some_and(|found| is(&found)))
    };
    has(|found| matches!(found, Written::Letter(_))) && has(|found| matches!(found, Written::Long(..)))
}

/// An option, as a condition has it.
enum Written<'t> {
    /// `-f`
    Letter(&'t str),
    /// `-rf`
    Letters(&'t str),
    /// `--force`, `--depth=1`
    Long(&'t str, Option<&'t str>),
}

/// The option that a text is, or that it is a part of.
fn option(text: &str, whole: bool) -> Option<Written<'_>> {
    let name = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic());
    if let Some(long) = text.strip_prefix("--") {
        let (long, value) = long.split_once('=').map_or((long, None), |(long, value)| (long, Some(value)));
        return (whole && name(long)).then_some(Written::Long(long, value));
    }
    let letters =
        text.strip_prefix('-').filter(|letters| letters.chars().all(|c| c.is_ascii_alphabetic()))?;
    match letters.len() {
        0 => None,
        1 => whole.then_some(Written::Letter(letters)),
        // Others can be the name of one option, as in `find -delete`.
        _ => (is_forced_removal(letters) || is_cleaning(letters)).then_some(Written::Letters(letters)),
    }
}

/// Whether letters are those of `git clean -fdx`.
fn is_cleaning(letters: &str) -> bool {
    let has = |letter: char| letters.contains(letter);
    has('f') && (has('d') || has('x')) && letters.chars().all(|c| "fdxXq".contains(c))
}

fn report(leaf: &Leaf, member: ViewMember, one: &Compared<'_>, found: &Written<'_>) -> Diagnostic {
    let text = &*one.text;
    let path = &leaf.path.text;
    let what = match member {
        ViewMember::Args => format!("`{text}` can be written in other ways"),
        _ => format!("`{path}` has no options, such as `{text}`"),
    };
    let new = Diagnostic::new(Code::W0651, one.value.span, what).with_label("an option among the words");
    let note = match found {
        _ if member != ViewMember::Args => {
            "they are words that are neither options nor their values".to_owned()
        }
        Written::Letter(letter) => {
            format!("letters can be together, as in `-{letter}v`, and the option can have a long name")
        }
        Written::Letters(_) => "the letters can be apart, and in another order".to_owned(),
        Written::Long(long, _) => {
            format!(
                "the name can be abbreviated or have a value (`--{long}=x`), and there can be a short one"
            )
        }
    };
    new.note(note).help(format!("test the flags of the command: `{}`", tests(found)))
}

/// The test of the flags for an option of the command `c`.
fn tests(found: &Written<'_>) -> String {
    match found {
        Written::Letter(letter) => format!("exists(c.flags.{letter})"),
        Written::Letters(letters) => {
            let all: Vec<String> =
                letters.chars().map(|letter| format!("exists(c.flags.{letter})")).collect();
            all.join(" and ")
        }
        Written::Long(long, None) => format!("exists({})", flag(long)),
        Written::Long(long, Some(value)) => format!("{} == {}", flag(long), print::literal(value)),
    }
}

fn flag(long: &str) -> String {
    let plain = long.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain { format!("c.flags.{long}") } else { format!("c.flags['{long}']") }
}

#[cfg(test)]
mod tests {
    use super::{option, tests};

    #[test]
    fn options_and_their_flags() {
        let of = |text: &str, whole: bool| option(text, whole).map(|found| tests(&found));
        assert_eq!(of("-f", true).as_deref(), Some("exists(c.flags.f)"));
        assert_eq!(of("-rf", false).as_deref(), Some("exists(c.flags.r) and exists(c.flags.f)"));
        assert_eq!(
            of("-xdf", true).as_deref(),
            Some("exists(c.flags.x) and exists(c.flags.d) and exists(c.flags.f)")
        );
        assert_eq!(of("--no-verify", true).as_deref(), Some("exists(c.flags['no-verify'])"));
        assert_eq!(of("--depth=1", true).as_deref(), Some("c.flags.depth == '1'"));
        for text in ["-delete", "-exec", "--", "-", "-9", "-n5", "push", "", "-fd=x", "---"] {
            assert_eq!(of(text, true), None, "{text}");
        }
        for text in ["-f", "--force"] {
            assert_eq!(of(text, false), None, "{text}");
        }
    }
}
