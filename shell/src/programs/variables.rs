//! Variables of the environment that contain code.

/// What the value of a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'n> {
    /// A command that other programs start: code for a shell, or the name of a program.
    Code,
    /// Text that a shell expands.
    Text,
    /// Code in a notation of its own.
    Opaque,
    /// The key of a setting of git, whose value is in another variable with this number.
    GitKey(&'n str),
}

/// Those that start a command, but for the names of [`ENDS`].
const NAMES: &[&str] = &[
    "BROWSER",
    "CVS_RSH",
    "EDITOR",
    "FCEDIT",
    "FZF_DEFAULT_COMMAND",
    "GIT_EXTERNAL_DIFF",
    "GIT_PROXY_COMMAND",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "HGEDITOR",
    "KUBECTL_EXTERNAL_DIFF",
    "LESSCLOSE",
    "LESSOPEN",
    "MANPAGER",
    "PAGER",
    "PROMPT_COMMAND",
    "RSYNC_CONNECT_PROG",
    "RSYNC_RSH",
    "SVN_SSH",
    "VISUAL",
];

/// How the names of further ones end: `GH_PAGER`, `KUBE_EDITOR`.
const ENDS: &[&str] = &["_ASKPASS", "_BROWSER", "_EDITOR", "_PAGER"];

/// What the value of a variable is, if it is code.
#[must_use]
pub fn content(name: &str) -> Option<Content<'_>> {
    if let Some(number) = name.strip_prefix("GIT_CONFIG_KEY_") {
        return Some(Content::GitKey(number));
    }
    match name {
        "PS0" | "PS4" => Some(Content::Text),
        "GIT_CONFIG_PARAMETERS" => Some(Content::Opaque),
        // `BASH_FUNC_ls%%=() { CODE; }`
        _ if name.starts_with("BASH_FUNC_") => Some(Content::Opaque),
        _ if NAMES.contains(&name) || ENDS.iter().any(|end| name.ends_with(end)) => Some(Content::Code),
        _ => None,
    }
}
