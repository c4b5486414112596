//! Checks handlers in the file system: each must be an executable file. Disabled hooks are not
//! checked.

use hookc_base::action;
use hookc_schema::tree::{Family, Hook, Policy};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics};

use super::handler::outside;
use crate::files::{self, FileKind, Files};

/// The directory of hooks in a repository.
const SYSTEM: &str = ".system";

/// Checks the handlers of repository hooks; `name` is the source's.
pub(crate) fn check(policy: &Policy, name: &str, files: &dyn Files, out: &mut Diagnostics) {
    let root = root(name);
    for hook in &policy.hooks {
        let enabled = hook.enabled.is_none_or(|enabled| enabled.node);
        if let Some(handler) = handler(hook).filter(|_| enabled) {
            out.extend(problem(handler, &root, files));
        }
    }
}

/// The root of the repository of a hook's file, as a path: the parent of the last `.system/hooks`,
/// or the current directory if there is none.
fn root(name: &str) -> String {
    let (mut root, mut before, mut system) = ("", "", None);
    for part in name.split_inclusive('/') {
        match part.trim_end_matches('/') {
            "hooks" => root = system.take().unwrap_or(root),
            part => system = (part == SYSTEM).then_some(before),
        }
        before = name.get(..before.len() + part.len()).unwrap_or(name);
    }
    root.to_owned()
}

fn handler(hook: &Hook) -> Option<&Value> {
    if hook.family != Family::Repository || !hook.action.is(action::Kind::Run) {
        return None;
    }
    let (_, argv) = hook.action.params.iter().find(|(name, _)| name.node == "argv")?;
    match &argv.kind {
        Kind::Seq(items) => items.first(),
        _ => None,
    }
}

fn problem(handler: &Value, root: &str, files: &dyn Files) -> Option<Diagnostic> {
    let path = handler.as_str()?;
    let place = files::join(root, path);
    let new = match files.kind(&place) {
        Some(FileKind::File { executable: true }) => return linked_out(handler, path, root, files),
        Some(FileKind::File { executable: false }) => {
            let what = format!("the handler `{path}` is not executable");
            let new = Diagnostic::new(Code::E0259, handler.span, what).with_label("no execute permission");
            return Some(new.help(format!("run `chmod +x {place}`")));
        }
        Some(FileKind::Directory) => {
            let what = format!("the handler `{path}` is a directory");
            Diagnostic::new(Code::E0258, handler.span, what).with_label("not a file")
        }
        Some(FileKind::Other) => {
            let what = format!("the handler `{path}` is not a file");
            Diagnostic::new(Code::E0258, handler.span, what).with_label("not a file")
        }
        None => {
            let what = format!("the handler `{path}` does not exist");
            Diagnostic::new(Code::E0258, handler.span, what).with_label("no such file")
        }
    };
    let new =
        new.note(format!("searched for `{place}`: handler paths are relative to the root of the repository"));
    Some(match path.contains(char::is_whitespace) {
        true => new.help(
            "write only the path of a script: it runs without a shell, so put its arguments and \
             interpreter into the script",
        ),
        false => new.help("correct the path, or add the script; `--no-fs` skips this check"),
    })
}

/// The diagnostic for a handler inside the repository by its path, and outside of it after
/// resolving links.
fn linked_out(handler: &Value, path: &str, root: &str, files: &dyn Files) -> Option<Diagnostic> {
    let home = files.canonical(if root.is_empty() { "." } else { root })?;
    let real = files.canonical(&files::join(root, path))?;
    let inside = real.strip_prefix(&home).is_some_and(|rest| home.ends_with('/') || rest.starts_with('/'));
    let by_form = path.starts_with('/') || path.split('/').any(|part| part == "..");
    let new = || outside(path, handler.span).note(format!("a symbolic link points to `{real}`"));
    (!inside && !by_form).then(new)
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn the_root_contains_the_system_directory() {
        for (name, expected) in [
            (".system/hooks/a.yaml", ""),
            ("repo/.system/hooks/a.yaml", "repo/"),
            ("/r/.system/hooks/deep/a.yaml", "/r/"),
            ("a.yaml", ""),
            ("hooks/a.yaml", ""),
            ("/.system/hooks/x", "/"),
            ("/home/.system/repo/.system/hooks/a.yaml", "/home/.system/repo/"),
            ("a/.system/hooks/b/.system/hooks/c.yaml", "a/.system/hooks/b/"),
            ("a/.system/x/hooks/c.yaml", ""),
        ] {
            assert_eq!(root(name), expected, "{name}");
        }
    }
}
