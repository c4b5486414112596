//! Reserved words and operators in every position: the reader and `bash -n` agree on what is valid.

use std::process::{Command, Stdio};

use hookc_vm::format::shell::read;

const WORDS: &[&str] = &[
    "x", "do", "done", "esac", "fi", "then", "else", "elif", "in", "if", "while", "until", "for", "select",
    "case", "function", "coproc", "time", "!", "{", "}", "[[", "]]", ")", "(", ";;", ";&", "&", "|", "&&",
    "||", ";", "<",
];

/// Lines in which `@` is such a word.
const LINES: &[&str] = &[
    "@",
    "@ x",
    "@;",
    "@ | x",
    "@ && x",
    "@ &",
    "@\nx",
    "! @",
    "! @ x",
    "! ! @",
    "time @",
    "time @ x",
    "time -p @",
    "coproc @",
    "coproc @ x",
    "x @",
    "x; @",
    "x | @",
    "x | @ x",
    "x && @ y",
    "x\n@",
    "if @; then y; fi",
    "if x; then @; fi",
    "{ @; }",
    "{ @ x; }",
    "( @ )",
    "x $(@ x)",
    "a=1 @",
    ">f @ x",
    "@() { x; }",
    "f() @ x",
    "function @ { x; }",
    "for @ in a; do x; done",
    "for i in @; do x; done",
    "for i in a; do @; done",
    "case @ in a) x;; esac",
    "case a in @) x;; esac",
    "case a in b) @;; esac",
    "while @; do x; done",
    "{ x; } @",
    "(x) @",
    "x < @",
];

/// Other lines.
const MORE: &[&str] = &[
    "! ! x",
    "! time x",
    "time ! x",
    "x | ! y",
    "x | time y",
    "x && ! y",
    "!",
    "! ;",
    "!\nx",
    "time",
    "time;",
    "time | x",
    "time -- x",
    "time time x",
    "coproc coproc x",
    "coproc ! x",
    "coproc N { x; }",
    "coproc { x; }",
    "function f (x)",
    "function f ( x; )",
    "function f() { x; }",
    "function f\n{ x; }",
    "function f x",
    "f() x",
    "f()\n{ x; }",
    "for i { x; }",
    "for i\n{ x; }",
    "for i; do x; done",
    "for i do x; done",
    "for i in; do x; done",
    "for i in a; { x; }",
    "for ((;;)) { x; }",
    "select i { x; }",
    "case a in esac",
    "case a in b) esac",
    "case in in in) x;; esac",
    "case a in (b) x;& c) y;;& esac",
    "case a in b) !;; esac",
    "( ! )",
    "( time )",
    "cat <<$x\na\n$x",
    "cat <<${x}\na\n${x}",
    "cat <<a$b\nx\na$b",
    "cat <<-$x\n\ta\n\t$x",
    "cat <<\\$x\na\n$x",
    "in x",
    "]] x",
    "] x",
    "x in y",
    "echo if then else fi ! time { } ]]",
    "if x; then y; fi z",
    "a=1 if x; then y; fi",
];

fn lines() -> Vec<String> {
    let filled = LINES.iter().flat_map(|line| WORDS.iter().map(|word| line.replace('@', word)));
    filled.chain(MORE.iter().map(|line| (*line).to_owned())).collect()
}

/// What `bash -n` says; nothing is executed. For a mistake in `[[ ]]` it only prints a message.
fn bash(line: &str) -> std::io::Result<bool> {
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-n", "-c", line]).env_clear().env("LC_ALL", "C").stdin(Stdio::null());
    let output = bash.output()?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_silent = messages.lines().all(|line| line.contains("warning:"));
    Ok(output.status.success() && is_silent)
}

#[test]
fn reserved_words_are_where_bash_has_them() {
    if bash("true").is_err() {
        eprintln!("skipped: there is no bash");
        return;
    }
    let mut wrong = Vec::new();
    for line in lines() {
        let (own, theirs) = (read(&line).is_ok(), bash(&line).unwrap());
        if own != theirs {
            wrong.push(format!("{line:?}: the reader {own}, bash {theirs}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
