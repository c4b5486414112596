//! Stars in texts that are compared with a command line (W0617): `tool_input.command starts_with 'git push *'`.
//!
//! A command line has stars of its own: `rm -rf *` is dangerous as it is. So a star is reported only where
//! the text does not name files, or where the star adds nothing to the operator.

use hookc_schema::tree::{Leaf, Op, Right};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

use super::Cx;

/// Programs whose arguments are seldom names of files.
const WITHOUT_FILES: [&str; 34] = [
    "git",
    "gh",
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "bun",
    "pip",
    "pip3",
    "uv",
    "poetry",
    "cargo",
    "go",
    "gem",
    "brew",
    "apt",
    "apt-get",
    "docker",
    "docker-compose",
    "podman",
    "kubectl",
    "helm",
    "terraform",
    "aws",
    "gcloud",
    "az",
    "curl",
    "wget",
    "ssh",
    "sudo",
    "su",
    "systemctl",
    "kill",
    "shutdown",
];

/// Subcommands of those that take names of files.
const WITH_FILES: [&str; 8] = ["add", "rm", "mv", "checkout", "restore", "cp", "clean", "stage"];

/// Where a text has its star.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Star {
    /// `*.env`
    First,
    /// `git push *`
    Last,
    /// `git * --force`
    Inside,
}

/// Reports the stars of a leaf about a command line that were to match any text.
pub(super) fn check(leaf: &Leaf, cx: &mut Cx<'_>) {
    let Right::Value(value) = &leaf.right else { return };
    if !leaf.path.is_command_line() {
        return;
    }
    let (op, items) = match (leaf.op.node, &value.kind) {
        (op @ (Op::Eq | Op::Ne | Op::Contains | Op::StartsWith | Op::EndsWith), Kind::Str(_)) => {
            (op, std::slice::from_ref(&**value))
        }
        (Op::In, Kind::Seq(items)) => (Op::Eq, items.as_slice()),
        _ => return,
    };
    for item in
        items.iter().filter(|item| !cx.reported.contains(&(Code::W0617, item.span))).collect::<Vec<_>>()
    {
        let Some(text) = item.as_str() else { continue };
        if let Some(star) = star(op, text) {
            cx.report_once(report(leaf, item, text, star));
        }
    }
}

/// The star of a text that was to match any text.
fn star(op: Op, text: &str) -> Option<Star> {
    let trimmed = text.trim();
    if trimmed.contains("**") || trimmed.contains(['|', ';', '&', '$', '\'', '"', '(', '`', '>', '<']) {
        return None;
    }
    if let Some(rest) = trimmed.strip_prefix('*') {
        let name = rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.');
        let open = matches!(op, Op::Contains | Op::EndsWith);
        return (open && name && !rest.contains('*')).then_some(Star::First);
    }
    let mut words = trimmed.split_ascii_whitespace();
    let program = words.next()?;
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let named = program.trim_end_matches('*');
    if !named.starts_with(|c: char| c.is_ascii_lowercase()) || !named.chars().all(is_name) {
        return None;
    }
    let verb = words.next().unwrap_or_default();
    let without_files = WITHOUT_FILES.contains(&named) && !WITH_FILES.contains(&verb);
    let before = trimmed.strip_suffix('*').filter(|rest| !rest.contains('*'));
    match before {
        // What a prefix ends with can be followed by anything.
        Some(rest) => {
            let separate = rest.ends_with(' ') || rest.ends_with(|c: char| c.is_ascii_lowercase());
            let alone = op != Op::Contains && rest.trim_end() == named;
            (op != Op::EndsWith && separate && (without_files || alone)).then_some(Star::Last)
        }
        None => (without_files && trimmed.contains(" * ")).then_some(Star::Inside),
    }
}

/// The end of the message.
const GLOB: &str = "this looks like a glob";

/// Whether a diagnostic is about a star, and advises another test of the text.
pub(crate) fn is_report(found: &Diagnostic) -> bool {
    found.code == Code::W0617 && found.message.ends_with(GLOB)
}

fn report(leaf: &Leaf, value: &Value, text: &str, star: Star) -> Diagnostic {
    let (path, op) = (&leaf.path.text, leaf.op.node);
    let what = format!("`{}` compares text, and {GLOB}", op.name());
    let new = Diagnostic::new(Code::W0617, value.span, what).with_label("compared character by character");
    let bare = print::literal(text.trim().trim_matches('*'));
    let whole = matches!(op, Op::Eq | Op::Ne | Op::In);
    new.help(match star {
        Star::First => format!("write `{path} {} {bare}`", op.name()),
        Star::Last if whole => format!("write `{path} starts_with {bare}`"),
        Star::Last => format!("write `{path} {} {bare}`", op.name()),
        Star::Inside => {
            let (start, end) = match op {
                Op::StartsWith => ("", "**"),
                Op::EndsWith => ("**", ""),
                Op::Contains => ("**", "**"),
                _ => ("", ""),
            };
            let glob = format!("{start}{}{end}", text.replace('*', "**"));
            format!("write `{path} glob {}`", print::literal(&glob))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Star, star};
    use hookc_schema::tree::Op;

    #[test]
    fn stars_for_any_text() {
        for (op, text, found) in [
            (Op::StartsWith, "rm *", Star::Last),
            (Op::Eq, "rm *", Star::Last),
            (Op::StartsWith, "git push *", Star::Last),
            (Op::StartsWith, "git push*", Star::Last),
            (Op::Contains, "git push *", Star::Last),
            (Op::Contains, "curl *", Star::Last),
            (Op::Contains, "*.env", Star::First),
            (Op::EndsWith, "*.env", Star::First),
            (Op::Contains, "git * --force", Star::Inside),
        ] {
            assert_eq!(star(op, text), Some(found), "{text}");
        }
    }

    #[test]
    fn stars_of_command_lines() {
        for (op, text) in [
            (Op::Contains, "rm *"),
            (Op::Contains, "rm -rf *"),
            (Op::StartsWith, "rm -rf *"),
            (Op::Contains, "rm -rf /*"),
            (Op::StartsWith, "chmod 777 *"),
            (Op::Contains, "git add *"),
            (Op::Contains, "SELECT * FROM"),
            (Op::Contains, "*"),
            (Op::Contains, " * "),
            (Op::EndsWith, " *"),
            (Op::Contains, "* * * * *"),
            (Op::Eq, "*.env"),
            (Op::StartsWith, "*.env"),
            (Op::Contains, "**bold**"),
            (Op::Contains, "git push * | sh"),
            (Op::Contains, "crontab * x"),
        ] {
            assert_eq!(star(op, text), None, "{text}");
        }
    }
}
