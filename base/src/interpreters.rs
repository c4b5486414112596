//! Programs that run code which they are given: the names of shells and interpreters, and the
//! endings of scripts. Whoever needs such a name looks here: the checks of `argv`, the lints, the
//! rules of permissions, and the commands that examine handlers.

/// Programs that are one interpreter. Names are separated by spaces, so that a table of the options
/// of programs can be written with them.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter {
    /// Its names, without versions.
    pub names: &'static str,
    /// The endings of its scripts, without the dot.
    pub endings: &'static [&'static str],
    /// Whether it is a shell: it reads command lines, as its input and after `-c`.
    pub shell: bool,
}

/// Shells that follow POSIX.
pub const POSIX_SHELLS: &str = "sh bash dash zsh ksh mksh ash rbash yash posh lksh oksh loksh hush brush";
/// The friendly interactive shell.
pub const FISH: &str = "fish";
/// The C shells.
pub const C_SHELLS: &str = "csh tcsh";
/// Several programs in one, shells among them.
pub const BUSYBOX: &str = "busybox";
/// PowerShell, whose lines no other shell reads.
pub const POWERSHELL: &str = "pwsh powershell";
/// The shell of Windows, whose lines no other shell reads.
pub const CMD: &str = "cmd";
/// Python.
pub const PYTHON: &str = "python pypy python3w pythonw";
/// Node.js.
pub const NODE: &str = "node nodejs";
/// Deno.
pub const DENO: &str = "deno";
/// Bun.
pub const BUN: &str = "bun";
/// TypeScript on Node.js.
pub const TYPESCRIPT: &str = "tsx ts-node";
/// Ruby.
pub const RUBY: &str = "ruby jruby";
/// Perl.
pub const PERL: &str = "perl";
/// PHP.
pub const PHP: &str = "php php-cgi php-fpm";
/// Lua.
pub const LUA: &str = "lua luajit texlua luau";

/// The table.
pub const INTERPRETERS: [Interpreter; 15] = [
    Interpreter { names: POSIX_SHELLS, endings: &["sh", "bash", "zsh", "ksh"], shell: true },
    Interpreter { names: FISH, endings: &["fish"], shell: true },
    Interpreter { names: C_SHELLS, endings: &["csh"], shell: true },
    Interpreter { names: BUSYBOX, endings: &[], shell: true },
    Interpreter { names: POWERSHELL, endings: &["ps1"], shell: false },
    Interpreter { names: CMD, endings: &["bat"], shell: false },
    Interpreter { names: PYTHON, endings: &["py"], shell: false },
    Interpreter { names: NODE, endings: &["js", "mjs", "cjs"], shell: false },
    Interpreter { names: DENO, endings: &[], shell: false },
    Interpreter { names: BUN, endings: &[], shell: false },
    Interpreter { names: TYPESCRIPT, endings: &["ts", "mts", "cts", "tsx"], shell: false },
    Interpreter { names: RUBY, endings: &["rb"], shell: false },
    Interpreter { names: PERL, endings: &["pl"], shell: false },
    Interpreter { names: PHP, endings: &["php"], shell: false },
    Interpreter { names: LUA, endings: &["lua"], shell: false },
];

/// The interpreter that a program is: `/usr/bin/python3.12` is Python.
#[must_use]
pub fn interpreter(program: &str) -> Option<&'static Interpreter> {
    let name = program.rsplit('/').next().unwrap_or(program);
    let named = |name: &str| INTERPRETERS.iter().find(|row| row.names.split(' ').any(|own| own == name));
    named(name).or_else(|| named(without_version(name)))
}

/// Whether a program is a shell, which reads command lines.
#[must_use]
pub fn is_shell(program: &str) -> bool {
    interpreter(program).is_some_and(|found| found.shell)
}

/// Whether a file name has the ending of a script, and something before it.
#[must_use]
pub fn is_script(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    !stem.is_empty() && INTERPRETERS.iter().any(|row| row.endings.contains(&ending))
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
