//! Checks scripts in the file system: each must be a file, and inside the directory of its skill
//! after links are resolved.

use hookc_base::action;
use hookc_schema::tree::{Family, Hook, Policy};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, Diagnostics};

use super::script;
use crate::files::{self, FileKind, Files};

/// Checks the scripts of a skill.
pub(crate) fn check(policy: &Policy, files: &dyn Files, out: &mut Diagnostics) {
    let Some(skill) = &policy.skill else { return };
    let folder = files::directory(&skill.path);
    let home = files.canonical(if folder.is_empty() { "." } else { folder });
    for file in policy.hooks.iter().filter_map(script_of) {
        out.extend(problem(file, folder, home.as_deref(), files));
    }
}

fn script_of(hook: &Hook) -> Option<&Value> {
    let is_own = hook.family == Family::Skill && hook.action.is(action::Kind::Script);
    let (_, file) = hook.action.params.iter().find(|(name, _)| is_own && name.node == "file")?;
    Some(file)
}

fn problem(file: &Value, folder: &str, home: Option<&str>, files: &dyn Files) -> Option<Diagnostic> {
    let place = file.as_str()?;
    let path = place.strip_prefix(folder).unwrap_or(place);
    let new = |what: String, label| Diagnostic::new(Code::E0258, file.span, what).with_label(label);
    match files.kind(place) {
        Some(FileKind::File { .. }) => {}
        Some(FileKind::Directory) => {
            return Some(new(format!("the script `{path}` is a directory"), "not a file"));
        }
        Some(FileKind::Other) => {
            return Some(new(format!("the script `{path}` is not a file"), "not a file"));
        }
        None => {
            let new = new(format!("the script `{path}` does not exist"), "no such file");
            let new = new.note(format!(
                "searched for `{place}`: script paths are relative to the directory of the skill"
            ));
            return Some(new.help("correct the path, or add the script; `--no-fs` skips this check"));
        }
    }
    let real = files.canonical(place)?;
    let inside = home.is_none_or(|home| {
        real.strip_prefix(home).is_some_and(|rest| home.ends_with('/') || rest.starts_with('/'))
    });
    (!inside).then(|| script::outside(path, file.span).note(format!("a symbolic link points to `{real}`")))
}
