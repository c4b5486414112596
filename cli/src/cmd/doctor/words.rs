//! Resolves the words of a command: paths, and the scripts that programs receive.

use std::path::{Path, PathBuf};

use hookc_base::quoting::{self, Quoting};
use hookc_shell::programs::interpreters::{interpreter, is_script, is_shell};

use super::finding::Findings;
use crate::installed::location::{self, Variable};
use crate::installed::target::Target;

/// Programs that start another one, or a script, and the word before it.
const LAUNCHERS: [(&str, Option<&str>); 6] = [
    ("uv", Some("run")),
    ("bun", Some("run")),
    ("deno", Some("run")),
    ("go", Some("run")),
    ("npx", None),
    ("bunx", None),
];

/// Options that are not followed by a script.
const INLINE: [&str; 6] = ["-c", "-m", "-e", "-p", "--eval", "--print"];

/// The context of a handler.
#[derive(Clone)]
pub(super) struct HandlerContext<'p> {
    /// None of a policy that no call names.
    pub(super) agent: Option<Target>,
    /// The agent's event.
    pub(super) event: &'p str,
    /// `file:line:column` of the command.
    pub(super) at: String,
    /// The file.
    pub(super) file: &'p Path,
    /// The directory of the project; `None` if the file applies to all projects.
    pub(super) root: Option<&'p Path>,
    /// Whether it applies to all projects.
    pub(super) everywhere: bool,
    /// Further directories in which the handler may run, if that is unknown.
    pub(super) beside: Vec<PathBuf>,
    /// Whether it belongs to another home and another project.
    pub(super) sample: bool,
    /// The directory of its plugin.
    pub(super) plugin: Option<PathBuf>,
    /// The directory in which it runs, as far as known.
    pub(super) folder: Option<PathBuf>,
    /// Whether it changed to that directory itself.
    pub(super) entered: bool,
    /// Whether an earlier command of the line may make what is missing.
    pub(super) follows: bool,
    /// Variables that the settings set.
    pub(super) env: &'p [(String, String)],
    /// How the shell reads the variables and tildes at the start of words.
    pub(super) quoted: Vec<(String, Quoting)>,
    /// The matcher of its entry in the settings.
    pub(super) matcher: Option<&'p str>,
    /// The key because of which it is not called at each event, or not waited for.
    pub(super) narrowed: Option<&'static str>,
}

/// The arguments of a program.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Argument<'w> {
    /// Nothing to check.
    Nothing,
    /// A script.
    Script(&'w str),
    /// A line for a shell.
    Line(&'w str),
}

/// What a program runs: only a file or a command line is checked.
pub(super) fn argument<'w>(program: &str, words: &mut dyn Iterator<Item = &'w str>) -> Argument<'w> {
    let mut name = program.rsplit('/').next().unwrap_or(program);
    let mut words = words.peekable();
    let launcher = LAUNCHERS.iter().find(|(launcher, _)| *launcher == name);
    let launched = launcher.is_some_and(|(_, run)| run.is_none_or(|run| words.next_if_eq(&run).is_some()));
    if !launched && !runs_file(name) {
        return Argument::Nothing;
    }
    let (mut bare, mut option) = (launched, false);
    while let Some(word) = words.next() {
        // `go run x.go` needs no interpreter.
        let ends = is_script(word) || word.strip_suffix(".go").is_some_and(|stem| !stem.is_empty());
        if word.starts_with('-') {
            let line = !word.starts_with("--") && word.ends_with('c') && is_shell(name);
            if line || INLINE.contains(&word) {
                return if line {
                    words.next().map_or(Argument::Nothing, Argument::Line)
                } else {
                    Argument::Nothing
                };
            }
            option = true;
        } else if ends || !bare && !option && (word.contains('/') || is_file(word)) {
            return Argument::Script(word);
        } else if bare && runs_file(word) {
            (name, bare, option) = (word, false, false);
        } else if option {
            // Its value.
            option = false;
        } else {
            return Argument::Nothing;
        }
    }
    Argument::Nothing
}

/// Whether the first argument of a program is a script.
fn runs_file(program: &str) -> bool {
    interpreter(program).is_some_and(|row| row.text("endings").is_some())
}

fn is_file(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(stem, _)| !stem.is_empty())
}

impl HandlerContext<'_> {
    /// Reports something that is missing: only odd if an earlier command of the line may make it.
    pub(super) fn absent(&self, what: &str, message: String, help: &str, out: &mut Findings) {
        match self.follows {
            true => out.odd(what, self.at.clone(), message, help),
            false => out.dead(what, self.at.clone(), message, help),
        }
    }

    /// Reads the quotes of a command line.
    pub(super) fn read_quotes(&mut self, line: &str) {
        let starts = quoting::expansions(line).into_iter().filter(|one| one.starts_word);
        self.quoted = starts.map(|one| (one.text.to_owned(), one.quoting)).collect();
    }

    fn quoting(&self, word: &str) -> Option<Quoting> {
        self.quoted.iter().find(|(start, _)| word.starts_with(start.as_str())).map(|(_, quoting)| *quoting)
    }

    /// The directory in an unquoted variable at the start of a word, if the shell splits it.
    pub(super) fn split(&self, word: &str) -> Option<PathBuf> {
        let Variable { name, rest, .. } =
            location::variable(word).filter(|_| self.quoting(word) == Some(Quoting::Bare))?;
        let is_root =
            |agent: Target| agent.settings.fills_root && agent.settings.root.as_deref() == Some(name);
        if self.agent.is_some_and(is_root) {
            return None;
        }
        let whole = self.resolve(word.strip_suffix(rest)?)?;
        let whole = location::real(&whole);
        whole.to_string_lossy().contains(char::is_whitespace).then_some(whole)
    }

    /// The path of a word; `None` if unknown here.
    pub(super) fn resolve(&self, word: &str) -> Option<PathBuf> {
        if self.quoting(word) == Some(Quoting::Literal) {
            return self.folder.as_ref().map(|folder| folder.join(word));
        }
        let home =
            word.starts_with('~') || location::variable(word).is_some_and(|variable| variable.name == "HOME");
        if self.sample && home {
            return None;
        }
        let path = |root: Option<&Path>, folder: Option<&Path>| {
            location::resolve(word, root, folder, &|name| self.variable(name))
        };
        let first = path(self.root, self.folder.as_deref());
        if first.as_ref().is_some_and(|first| first.exists()) {
            return first;
        }
        let others = self.beside.iter().filter_map(|folder| path(Some(folder), Some(folder)));
        others.into_iter().find(|path| path.exists()).or(first)
    }

    /// Whether a word refers to a different file in each project, in settings of all projects.
    pub(super) fn is_by_project(&self, word: &str) -> bool {
        let from_folder = location::variable(word).is_none() && self.entered;
        self.everywhere && !from_folder && location::by_project(word) && self.resolve(word).is_none()
    }

    /// Whether a variable of the handler has a value, as far as is known.
    pub(super) fn sets(&self, name: &str) -> bool {
        matches!(name, "HOME" | "PWD") || location::is_root(name) || self.variable(name).is_some()
    }

    /// The value of a variable, from the settings or the environment.
    fn variable(&self, name: &str) -> Option<PathBuf> {
        if let Some(plugin) = self.plugin.as_ref().filter(|_| name == "CLAUDE_PLUGIN_ROOT") {
            return Some(plugin.clone());
        }
        let set = self.env.iter().rfind(|(known, _)| known == name).map(|(_, value)| PathBuf::from(value));
        let set = set.or_else(|| std::env::var_os(name).map(PathBuf::from))?;
        Some(self.folder.as_ref().map_or(set.clone(), |folder| folder.join(set)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::installed::{command, target};

    #[test]
    fn paths_as_handlers_have_them() {
        let env = [("MINE".to_owned(), "/e".to_owned())];
        let root = Some(Path::new("/p"));
        let (agent, at) = (target::by_name("claude").unwrap(), String::new());
        let (folder, file) = (root.map(Path::to_owned), Path::new("x"));
        let (agent, beside, plugin) = (Some(agent), Vec::new(), None);
        let everywhere = false;
        let mut context = HandlerContext {
            sample: false,
            agent,
            event: "Stop",
            at,
            file,
            root,
            everywhere,
            beside,
            plugin,
            folder,
            entered: false,
            follows: false,
            env: &env,
            quoted: Vec::new(),
            matcher: None,
            narrowed: None,
        };
        for (word, expected) in [
            ("a/b.sh", Some("/p/a/b.sh")),
            ("/a/b.sh", Some("/a/b.sh")),
            ("$CLAUDE_PROJECT_DIR/x.sh", Some("/p/x.sh")),
            ("${CLAUDE_PROJECT_DIR:-.}/x.sh", Some("/p/x.sh")),
            ("${CLAUDE_PROJECT_DIR:-${PWD}}/x.sh", Some("/p/x.sh")),
            ("${CLAUDE_PROJECT_DIR%/*}/x.sh", None),
            ("$MINE/x.sh", Some("/e/x.sh")),
            ("$CLAUDE_PLUGIN_ROOT/x.sh", None),
            ("a/$X/b.sh", None),
            ("*/b.sh", None),
            ("$(pwd)/b.sh", None),
        ] {
            assert_eq!(context.resolve(word).as_deref(), expected.map(Path::new), "{word}");
        }
        (context.root, context.folder, context.everywhere) = (None, None, true);
        assert_eq!(context.resolve("a/b.sh"), None);
        assert!(context.is_by_project("a/b.sh") && !context.is_by_project("/a/b.sh"));
        context.entered = true;
        assert!(!context.is_by_project("a/b.sh") && context.is_by_project("$CLAUDE_PROJECT_DIR/b.sh"));
    }

    #[test]
    fn scripts_of_programs() {
        for (line, expected) in [
            ("python3 a/b x.py", Argument::Script("a/b")),
            ("python3 -u -W ignore x.py", Argument::Script("x.py")),
            ("python3 -m x y.py", Argument::Nothing),
            ("/usr/bin/node --no-warnings x.mjs y", Argument::Script("x.mjs")),
            ("bun x.ts", Argument::Script("x.ts")),
            ("bun run build", Argument::Nothing),
            ("uv run -q --with a x.py", Argument::Script("x.py")),
            ("uv run python a/b", Argument::Script("a/b")),
            ("uv run pytest x.py", Argument::Nothing),
            ("uv pip x.py", Argument::Nothing),
            ("npx tsx a.ts", Argument::Script("a.ts")),
            ("npx prettier a.ts", Argument::Nothing),
            ("bash -lc 'x y'", Argument::Line("x y")),
            ("sh -c 'x'", Argument::Line("x")),
            ("git run x.py", Argument::Nothing),
        ] {
            let words = command::words(line).words;
            let mut words = words.iter().map(String::as_str);
            let program = words.next().unwrap();
            assert_eq!(argument(program, &mut words), expected, "{line}");
        }
    }
}
