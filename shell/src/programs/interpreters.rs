//! Programs that run code which they are given, by their rows: shells, interpreters, and the endings of scripts.

use super::model::{Row, words};
use super::{packed, program};

/// The row of the interpreter that a program is: `/usr/bin/python3.12` is Python.
#[must_use]
pub fn interpreter(name: &str) -> Option<&'static Row> {
    let row = program(name.rsplit('/').next().unwrap_or(name))?.row;
    (is_shell_row(row) || row.text("endings").is_some()).then_some(row)
}

/// Whether a program is a shell, which reads command lines as its input and after `-c`.
#[must_use]
pub fn is_shell(name: &str) -> bool {
    interpreter(name).is_some_and(is_shell_row)
}

fn is_shell_row(row: &Row) -> bool {
    row.is("shell") || row.is("reads_lines")
}

/// Whether a file name has the ending of a script, and something before it.
#[must_use]
pub fn is_script(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    !stem.is_empty() && words(packed::ENDINGS).any(|known| known == ending)
}

/// A program's name without the version at its end.
#[must_use]
pub fn without_version(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_scripts() {
        for program in ["sh", "/bin/bash", "zsh-5.9", "fish", "tcsh", "busybox", "ksh93"] {
            assert!(is_shell(program), "{program}");
        }
        for program in
            ["python3", "/usr/bin/python3.12", "node", "nodejs", "php", "perl5.38.2", "pwsh", "lua5.4"]
        {
            assert!(interpreter(program).is_some() && !is_shell(program), "{program}");
        }
        for program in ["", "git", "go", "bashful", "pythons", "3", "sh/x"] {
            assert!(interpreter(program).is_none(), "{program}");
        }
        assert!(is_script("a/b.py") && is_script("x.tsx") && is_script("./x.sh"));
        assert!(!is_script(".py") && !is_script("py") && !is_script("a.txt") && !is_script("a.py/b"));
    }
}
