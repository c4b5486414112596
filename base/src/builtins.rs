//! Words that a shell executes itself, without starting a program: its builtins and keywords.

/// Those that are not programs, or that do nothing in a process of their own.
const NOT_PROGRAMS: [&str; 47] = [
    "!", ".", ":", "[[", "alias", "break", "case", "cd", "continue", "declare", "do", "done", "elif", "else",
    "eval", "exec", "exit", "export", "fi", "for", "function", "getopts", "hash", "if", "local", "popd",
    "pushd", "read", "readonly", "return", "select", "set", "shift", "shopt", "source", "then", "trap",
    "type", "typeset", "ulimit", "umask", "unset", "until", "wait", "while", "{", "}",
];

/// Those that systems also have as programs.
const ALSO_PROGRAMS: [&str; 9] = ["[", "command", "echo", "false", "kill", "printf", "pwd", "test", "true"];

/// Whether a shell executes a word itself.
#[must_use]
pub fn is_builtin(word: &str) -> bool {
    needs_shell(word) || ALSO_PROGRAMS.contains(&word)
}

/// Whether a word has its effect only in a shell: there is no such program, or it does nothing in a
/// process of its own.
///
/// ```
/// use hookc_base::builtins::{is_builtin, needs_shell};
///
/// assert!(needs_shell("cd") && is_builtin("cd"));
/// assert!(is_builtin("echo") && !needs_shell("echo"));
/// assert!(!is_builtin("git"));
/// ```
#[must_use]
pub fn needs_shell(word: &str) -> bool {
    NOT_PROGRAMS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{ALSO_PROGRAMS, NOT_PROGRAMS};

    #[test]
    fn the_words_are_sorted_and_in_one_list() {
        assert!(NOT_PROGRAMS.is_sorted());
        assert!(!ALSO_PROGRAMS.iter().any(|word| NOT_PROGRAMS.contains(word)));
    }
}
