//! What a line of a trace does: which program it starts, which files it opens or changes, and whether it connects.

use std::fmt;

use hookc_shell::paths;

use crate::inside::HOME;

/// What a call of the system does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Start(String),
    Read(String),
    Change(String),
    Contact,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(program) => write!(f, "starts {program}"),
            Self::Read(path) => write!(f, "opens {path}"),
            Self::Change(path) => write!(f, "changes {path}"),
            Self::Contact => f.write_str("connects"),
        }
    }
}

/// Calls that change what their paths name.
const CHANGES: [&str; 24] = [
    "chmod",
    "chown",
    "creat",
    "fchmodat",
    "fchmodat2",
    "fchownat",
    "lchown",
    "link",
    "linkat",
    "lsetxattr",
    "mkdir",
    "mkdirat",
    "mknod",
    "mknodat",
    "removexattr",
    "rename",
    "renameat",
    "renameat2",
    "rmdir",
    "setxattr",
    "symlink",
    "symlinkat",
    "unlink",
    "unlinkat",
];

/// The calls of a line of a trace; those for files of the system are left out.
pub(super) fn of_line(line: &str, cwd: &str) -> Vec<Call> {
    let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let Some((name, rest)) = line.split_once('(') else { return Vec::new() };
    if matches!(name, "socket" | "connect" | "sendto") {
        return if rest.contains("AF_INET") { vec![Call::Contact] } else { Vec::new() };
    }
    let is_success = !line.contains(" = -1 ");
    let texts = quoted(rest);
    if matches!(name, "execve" | "execveat") {
        let program = texts.first().and_then(|(_, path)| path.rsplit('/').next());
        return program
            .filter(|_| is_success)
            .map(|program| Call::Start(program.to_owned()))
            .into_iter()
            .collect();
    }
    let is_change = CHANGES.contains(&name)
        || name.starts_with("open")
            && ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].iter().any(|flag| rest.contains(flag));
    let mut calls = Vec::new();
    // The second text of other calls is the name of an attribute, or a result.
    let has_two = ["rename", "link", "symlink"].iter().any(|two| name.starts_with(two));
    for (folder, text) in texts.into_iter().take(if has_two { 2 } else { 1 }) {
        let mut path = String::new();
        if text.is_empty() || paths::resolve(folder.unwrap_or(cwd), text, &mut path).is_none() {
            continue;
        }
        let is_ours = path.starts_with(HOME) || path.starts_with("/tmp/");
        // The directory itself, and what is above it, are where it runs.
        let is_place = cwd.starts_with(&path);
        match is_change {
            true if is_ours => calls.push(Call::Change(path)),
            true if is_success && !path.starts_with("/dev/") && !path.starts_with("/proc/") => {
                calls.push(Call::Change(path))
            }
            false if is_ours && !is_place => calls.push(Call::Read(path)),
            _ => {}
        }
    }
    calls
}

/// The texts in quotes, each with the directory of the descriptor before it: `openat(3</home/me>, "x"`.
fn quoted(rest: &str) -> Vec<(Option<&str>, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) =
        rest.get(at..).and_then(|rest| rest.find('"')).map(|start| at.saturating_add(start))
    {
        let before = rest.get(at..start).unwrap_or_default();
        let inner = rest.get(start.saturating_add(1)..).unwrap_or_default();
        let Some(length) = inner.find('"') else { break };
        let folder =
            before.rsplit_once('<').and_then(|(_, folder)| folder.split_once('>')).map(|(folder, _)| folder);
        found
            .push((folder.filter(|folder| folder.starts_with('/')), inner.get(..length).unwrap_or_default()));
        at = start.saturating_add(length).saturating_add(2);
    }
    found
}
