//! Templates where something would read the event as code: a shell's line, the
//! name of a program, code in an argument of an interpreter, a variable that says
//! what a program loads.

use hookc_schema::tree::{Action, Path};
use hookc_schema::{Code, Diagnostic};

use super::Cx;
use super::template::Draft;

/// What an argument that is no flag is to an interpreter.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    /// Its script: what stands behind is data.
    Script,
    /// What it is to do: what stands behind is data.
    Verb,
    /// Something else: flags may stand behind it.
    Other,
    /// Code, unless a flag brought some.
    Code,
}

/// A program that reads an argument as code.
struct Interpreter {
    names: &'static [&'static str],
    /// Letters of the flags that code stands behind.
    letters: &'static str,
    /// Flags whose value stands behind them.
    valued: &'static [&'static str],
    manner: Manner,
}

const fn interpreter(names: &'static [&'static str], letters: &'static str) -> Interpreter {
    Interpreter { names, letters, valued: VALUED, manner: Manner::Script }
}

const fn late(names: &'static [&'static str], letters: &'static str) -> Interpreter {
    Interpreter { manner: Manner::Other, ..interpreter(names, letters) }
}

const INTERPRETERS: &[Interpreter] = &[
    interpreter(&["sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "csh", "tcsh", "busybox"], "c"),
    interpreter(&["python", "pypy"], "c"),
    interpreter(&["node", "nodejs", "bun", "deno", "ruby", "perl", "lua", "luajit", "osascript"], "eEp"),
    interpreter(&["php"], "rRBE"),
    // A setting of git may name a program.
    Interpreter {
        valued: &["-C", "--git-dir", "--work-tree", "--namespace"],
        manner: Manner::Verb,
        ..interpreter(&["git"], "c")
    },
    late(&["su", "runuser", "script", "psql", "expect", "vi", "vim", "nvim", "ex", "emacs"], "c"),
    late(&["mysql", "mariadb", "rsync"], "e"),
    Interpreter {
        valued: &["-f", "-v", "-F", "-l", "--file", "--assign", "--field-separator", "--line-length"],
        manner: Manner::Code,
        ..interpreter(&["awk", "gawk", "mawk", "nawk", "sed", "gsed"], "e")
    },
];

/// Programs that read all their arguments as code.
const GREEDY: &[&str] = &["pwsh", "powershell", "cmd", "eval", "ssh", "rsh", "watch", "parallel", "sqlite"];

/// Programs that start the program in their arguments.
const STARTERS: &[&str] = &[
    "env", "timeout", "nice", "ionice", "nohup", "sudo", "doas", "xargs", "time", "stdbuf", "busybox",
    "setsid", "uv", "npx", "docker", "podman", "flock", "chroot", "strace", "command", "exec",
];

/// Those whose first argument that is no flag is that program.
const FIRST: &[&str] = &[
    "env", "nice", "ionice", "nohup", "sudo", "doas", "xargs", "time", "stdbuf", "busybox", "setsid", "npx",
    "strace", "command", "exec",
];

/// Tests of `find` that a program stands behind.
const EXEC: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];

/// Long flags that code stands behind.
const LONG: &[&str] = &[
    "--eval",
    "--print",
    "--command",
    "--session-command",
    "--init-command",
    "--execute",
    "--expression",
    "--source",
    "--rsh",
    "eval",
];

/// Flags of most interpreters whose value stands behind them.
const VALUED: &[&str] =
    &["-o", "+o", "-O", "+O", "-W", "-X", "-r", "-I", "--require", "--import", "--rcfile", "--init-file"];

/// Variables that say what a program runs or loads.
const LOADING: &[&str] = &[
    "PATH",
    "BASH_ENV",
    "ENV",
    "IFS",
    "PS4",
    "SHELLOPTS",
    "BASHOPTS",
    "PROMPT_COMMAND",
    "ZDOTDIR",
    "NODE_OPTIONS",
    "NODE_PATH",
    "RUBYOPT",
    "RUBYLIB",
    "CLASSPATH",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS",
    "EDITOR",
    "VISUAL",
    "PAGER",
];

/// How the names of more such variables begin.
const LOADING_PREFIXES: &[&str] = &["LD_", "DYLD_", "PYTHON", "PERL", "BASH_FUNC_", "GIT_"];

/// Tells about a template of a `run` that would be read as code; `false` then.
pub(super) fn check(action: &Action, name: &str, draft: &Draft, cx: &mut Cx<'_>) -> bool {
    if action.kind.node != "run" {
        return true;
    }
    let found = match name {
        "command" if text(draft) => {
            whole(draft, "in a shell command", "the shell would read the event as code")
        }
        "shell" => whole(draft, "in the name of a shell", "the event would say which program runs"),
        "argv" => argv(draft),
        "args" => args(action, draft),
        "env" => env(draft),
        _ => None,
    };
    let Some((path, place, why)) = found else { return true };
    let what = format!("template `${{{}}}` {place}", path.text);
    let mut new = Diagnostic::new(Code::E0307, path.span, what).saying(why);
    if name == "command" {
        new = new.note("to mean `${` itself, as the shell does, write `$${`");
    }
    cx.tell(new.help(match name {
        "command" => "pass it in `argv` or `env`, or read the event from stdin",
        "shell" => "name the shell itself",
        "env" => "pass it in a variable of another name, or read the event from stdin",
        _ => "pass it as an argument behind the program and its code, or read the event from stdin",
    }));
    false
}

/// A template that is read as code: where, and why that is bad.
type Found<'d> = Option<(&'d Path, &'static str, &'static str)>;

fn text(draft: &Draft) -> bool {
    matches!(draft, Draft::Hole(..) | Draft::Text(_))
}

fn whole<'d>(draft: &'d Draft, place: &'static str, why: &'static str) -> Found<'d> {
    draft.first_path().map(|path| (path, place, why))
}

fn program(draft: &Draft) -> Found<'_> {
    whole(draft, "in the name of a program", "the event would say which program runs")
}

fn code(draft: &Draft) -> Found<'_> {
    whole(draft, "in the code of an interpreter", "the event would be read as code")
}

fn argv(draft: &Draft) -> Found<'_> {
    let Draft::Seq(items) = draft else { return program(draft) };
    let first = items.first()?;
    program(first).or_else(|| started(constant(first)?, items.get(1..)?))
}

/// Behind `command`, which is the program then.
fn args<'d>(action: &Action, draft: &'d Draft) -> Found<'d> {
    let command = action.params.iter().find(|(name, _)| name.node == "command")?;
    let command = command.1.as_str()?;
    match draft {
        Draft::Seq(items) => started(command, items),
        whole => read(&name(command), std::slice::from_ref(whole)),
    }
}

/// What an interpreter reads, or one that `env`, `timeout` and the like start.
fn started<'d>(program: &str, items: &'d [Draft]) -> Found<'d> {
    let name = name(program);
    let starts = STARTERS.contains(&name.as_str());
    let inner = || starts.then(|| first(&name, items).or_else(|| behind(items))).flatten();
    let tests = || (name == "find").then(|| executed(items)).flatten();
    read(&name, items).or_else(inner).or_else(tests)
}

/// What a program itself reads.
fn read<'d>(name: &str, items: &'d [Draft]) -> Found<'d> {
    match Interpreter::of(name) {
        Some(one) => one.reads(items),
        None if GREEDY.contains(&name) => items.iter().find_map(code),
        None => None,
    }
}

/// A program's name without its folder and version.
fn name(program: &str) -> String {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program).to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').to_owned()
}

/// The program that a program starts, if that is its first argument.
fn first<'d>(name: &str, items: &'d [Draft]) -> Found<'d> {
    let own = items.iter().find(|item| constant(item) != Some("--"))?;
    let variable = matches!(own, Draft::Text(parts)
        if parts.first().and_then(constant).is_some_and(|text| text.contains('=')));
    (FIRST.contains(&name) && !variable).then(|| program(own)).flatten()
}

/// An interpreter anywhere.
fn behind(items: &[Draft]) -> Found<'_> {
    let rests = (0..items.len()).filter_map(|at| items.get(at..)?.split_first());
    rests.filter_map(|(first, rest)| read(&name(constant(first)?), rest)).next()
}

/// The programs that `find` starts, and what they read.
fn executed(items: &[Draft]) -> Found<'_> {
    let tests =
        items.iter().zip(1..).filter(|(test, _)| constant(test).is_some_and(|test| EXEC.contains(&test)));
    let mut rests = tests.filter_map(|(_, behind)| items.get(behind..)?.split_first());
    rests.find_map(|(own, rest)| program(own).or_else(|| started(constant(own)?, rest)))
}

fn constant(draft: &Draft) -> Option<&str> {
    match draft {
        Draft::Const(value) => value.as_str(),
        _ => None,
    }
}

impl Interpreter {
    fn of(name: &str) -> Option<&'static Self> {
        INTERPRETERS.iter().find(|one| one.names.contains(&name))
    }

    /// The first template that it reads as code or as a flag. Behind its script,
    /// or its code, stand arguments that are data.
    fn reads<'d>(&self, items: &'d [Draft]) -> Found<'d> {
        let (mut coded, mut valued, mut done) = (false, false, false);
        for item in items {
            match constant(item) {
                Some(_) if std::mem::take(&mut valued) => {}
                Some(flag) if flag.starts_with(['-', '+']) || LONG.contains(&flag) => {
                    valued = self.valued.contains(&flag);
                    done |= valued && matches!(flag, "-f" | "--file");
                    coded = self.is_code(flag) || coded && self.manner == Manner::Script;
                }
                Some(_) if self.manner == Manner::Other || coded && self.manner == Manner::Code => {
                    done |= std::mem::take(&mut coded);
                }
                Some(_) => return None,
                None if std::mem::take(&mut valued) && self.manner != Manner::Script => {}
                // A flag that is filled in can be the one that code stands behind.
                None if coded || self.attached(item) => return code(item),
                None if self.manner == Manner::Code && done => return None,
                None if self.manner != Manner::Other && (loose(item) || self.manner == Manner::Code) => {
                    return code(item);
                }
                None if self.manner == Manner::Other => {}
                None => return None,
            }
        }
        None
    }

    fn is_code(&self, flag: &str) -> bool {
        let short = flag.strip_prefix('-').filter(|flag| !flag.starts_with('-'));
        LONG.contains(&flag) || short.is_some_and(|flag| flag.contains(|c| self.letters.contains(c)))
    }

    /// Whether a text begins with a flag that code stands behind.
    fn attached(&self, draft: &Draft) -> bool {
        let Draft::Text(parts) = draft else { return false };
        let Some(flag) = parts.first().and_then(constant).filter(|text| text.starts_with('-')) else {
            return false;
        };
        self.is_code(flag.split('=').next().unwrap_or(flag))
    }
}

/// Whether a text begins as the event says, or as a flag.
fn loose(draft: &Draft) -> bool {
    match draft {
        Draft::Text(parts) => {
            parts.first().is_none_or(|first| constant(first).is_none_or(|text| text.starts_with('-')))
        }
        draft => draft.has_hole(),
    }
}

fn env(draft: &Draft) -> Found<'_> {
    let place = "in a variable that says what programs load";
    let why = "the event would say what is loaded and run";
    let Draft::Map(members) = draft else { return whole(draft, "in place of all variables", why) };
    let loading = |name: &str| {
        LOADING.contains(&name) || LOADING_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    };
    members
        .iter()
        .filter(|(name, _)| loading(&name.node))
        .find_map(|(_, value)| self::whole(value, place, why))
}
