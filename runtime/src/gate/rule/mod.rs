//! Permission rules of agents (`Bash(git *)`, `Edit(src/**)`), which handlers have as `if`: whether
//! one matches an event.
//!
//! If parsing cannot decide it, the result is unknown and the handler runs: it can check for
//! itself.

mod cover;
mod forms;
mod line;
mod path;
mod wild;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

pub(crate) use cover::covers;

use crate::event::Event;
use crate::limits::ARGUMENT_BYTES;
use forms::Forms;
use hookc_shell::programs::Programs;
use hookc_shell::units::Unit;
use wild::{Pattern, units};

/// The result of matching a rule against an event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleMatch {
    /// It matches.
    Matches,
    /// It does not.
    Fails,
    /// Unknown, for this reason.
    Unknown(String),
}

impl RuleMatch {
    fn unknown(why: &str) -> Self {
        Self::Unknown(why.to_owned())
    }

    fn from_bool(holds: bool) -> Self {
        if holds { Self::Matches } else { Self::Fails }
    }
}

/// The base directories of file patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseDirs {
    /// The agent's working directory.
    pub cwd: PathBuf,
    /// The root of the project.
    pub project: PathBuf,
    /// The user's home.
    pub home: Option<PathBuf>,
}

impl BaseDirs {
    /// From the event and its handler's variables, otherwise from this process.
    #[must_use]
    pub(super) fn for_event(event: &Event, variable: impl Fn(&str) -> Option<String>) -> Self {
        let path = |text: Option<String>| text.filter(|text| !text.is_empty()).map(PathBuf::from);
        // A value that is not a directory is not copied.
        let folder = |text: &Cow<'_, str>| text.len() < ARGUMENT_BYTES;
        let process_directory = || std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let cwd =
            path(event.text("cwd").filter(folder).map(Cow::into_owned)).unwrap_or_else(process_directory);
        let project = path(variable("CLAUDE_PROJECT_DIR")).unwrap_or_else(|| cwd.clone());
        Self { cwd, project, home: path(variable("HOME")) }
    }
}

/// Tools whose rules are about a file, and the fields with its path.
const FILES: [(&str, &[&str]); 9] = [
    ("Edit", &["file_path"]),
    ("Glob", &["path"]),
    ("Grep", &["path"]),
    ("LS", &["path"]),
    ("MultiEdit", &["file_path"]),
    ("NotebookEdit", &["notebook_path", "file_path"]),
    ("NotebookRead", &["notebook_path", "file_path"]),
    ("Read", &["file_path"]),
    ("Write", &["file_path"]),
];

/// The maximum length of a tool's name in a rule match.
const TOOL: usize = 64 << 10;

/// Whether a rule matches an event. No rule matches an event without a tool.
#[must_use]
pub(crate) fn judge(rule: &str, event: &Event, places: &BaseDirs, programs: &Programs) -> RuleMatch {
    judge_names(rule, event, places, (programs, Names::Written))
}

/// Like `judge` for a rule that denies or asks: a program also counts by its name without the directory.
#[must_use]
pub(crate) fn judge_strictly(rule: &str, event: &Event, places: &BaseDirs, programs: &Programs) -> RuleMatch {
    judge_names(rule, event, places, (programs, Names::AlsoBase))
}

/// How the program of a command is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Names {
    /// As written.
    Written,
    /// Also without its directory: `/bin/rm` is `rm`.
    AlsoBase,
}

fn judge_names(rule: &str, event: &Event, places: &BaseDirs, line: (&Programs, Names)) -> RuleMatch {
    let Some(tool) = event.text("tool_name") else { return RuleMatch::Fails };
    let Some((name, input)) = parse(rule) else { return RuleMatch::unknown("it is not a permission rule") };
    if tool.len() > TOOL {
        return RuleMatch::unknown("the tool's name is too long");
    }
    if !names(name, &tool) {
        return RuleMatch::Fails;
    }
    let Some(input) = input else { return RuleMatch::Matches };
    let text = |field: &str| event.text_in("tool_input", field);
    if let Some(fields) = file_fields(&tool) {
        return path::judge(input, file(event, fields).as_deref(), places);
    }
    match &*tool {
        "Bash" => command(input, text("command").as_deref(), line),
        "WebFetch" => site(input, text("url").as_deref()),
        "Agent" | "Task" => word(input, text("subagent_type").as_deref()),
        "Skill" => {
            skill(input, text("skill").or_else(|| text("command")).as_deref(), text("args").as_deref())
        }
        _ => RuleMatch::unknown("the fields that rules for this tool test are unknown"),
    }
}

/// For a tool whose rules are about a file, the fields with its path.
fn file_fields(tool: &str) -> Option<&'static [&'static str]> {
    FILES.iter().find(|(name, _)| *name == tool).map(|(_, fields)| *fields)
}

/// The file in one of these fields, if the event has one.
fn file<'e>(event: &'e Event, fields: &[&str]) -> Option<Cow<'e, str>> {
    let path = fields.iter().find_map(|field| event.text_in("tool_input", field));
    // Searches without a directory use the working directory.
    path.or((fields == ["path"]).then_some(Cow::Borrowed(".")))
}

/// A path without `.`, `..` and symbolic links, as far as it exists.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    path::real(path)
}

/// Whether a text is a rule.
pub(crate) fn is_rule(text: &str) -> bool {
    parse(text).is_some()
}

/// The tool of a rule, and its pattern for the input, if any.
fn parse(rule: &str) -> Option<(&str, Option<&str>)> {
    let (tool, input) = match rule.trim().split_once('(') {
        Some((tool, rest)) => (tool.trim_end(), Some(rest.strip_suffix(')')?.trim())),
        None => (rule.trim(), None),
    };
    let is_name_char =
        |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.' | ':' | '*');
    let sound = !tool.is_empty() && tool.chars().all(is_name_char);
    sound.then_some((tool, input.filter(|input| !matches!(*input, "" | "*"))))
}

/// Whether a rule's name is that of the tool: `mcp__server` matches all tools of the server, and
/// the tool for sub-agents had another name before.
fn names(name: &str, tool: &str) -> bool {
    let agent = |name: &str| matches!(name, "Agent" | "Task");
    let server = || {
        name.matches("__").count() == 1
            && name.starts_with("mcp__")
            && tool.strip_prefix(name).is_some_and(|rest| rest.starts_with("__"))
    };
    name == tool || (agent(name) && agent(tool)) || server() || Pattern::new(name).matches(&units(tool))
}

/// A command line: each of its commands on its own, and the whole of it for a
/// pattern that has an operator itself.
fn command(input: &str, line: Option<&str>, (programs, names): (&Programs, Names)) -> RuleMatch {
    let Some(text) = line else { return RuleMatch::unknown("the tool's input has no command") };
    let patterns = patterns(input);
    let line = match line::commands(text, programs) {
        Ok(line) => line,
        Err(why) => return RuleMatch::Unknown(format!("the command has {why}")),
    };
    let mut forms = Forms::default();
    line.commands.iter().for_each(|command| forms.add(command));
    if names == Names::AlsoBase {
        line.commands.iter().for_each(|command| forms.add_base_name(command));
    }
    if input.contains(['&', '|', ';']) {
        forms.known.push(units(text.trim()));
    }
    let parts = forms.known.iter().chain(&forms.possible).map(Vec::len).sum();
    if patterns.iter().any(|pattern| pattern.is_too_much(parts)) {
        return RuleMatch::unknown("the command is too long");
    }
    let any = |texts: &[Vec<Unit>], holds: fn(&Pattern, &[Unit]) -> bool| {
        texts.iter().any(|text| patterns.iter().any(|pattern| holds(pattern, text)))
    };
    if any(&forms.known, Pattern::matches) {
        return RuleMatch::Matches;
    }
    if any(&forms.known, Pattern::may_match) || any(&forms.possible, Pattern::may_match) {
        return RuleMatch::unknown("it depends on an expansion in the command");
    }
    if line.is_opaque {
        return RuleMatch::unknown("a part of what the command runs is unknown");
    }
    RuleMatch::Fails
}

/// The patterns of a rule for command lines.
fn patterns(input: &str) -> Vec<Pattern> {
    match input.strip_suffix(":*") {
        Some(prefix) => vec![Pattern::literal(prefix), Pattern::literal(prefix).and_more()],
        None => {
            let pattern = Pattern::new(input);
            pattern.before_more().into_iter().chain([pattern]).collect()
        }
    }
}

/// `domain:NAME`.
fn site(input: &str, url: Option<&str>) -> RuleMatch {
    let Some(domain) = input.strip_prefix("domain:") else {
        return RuleMatch::unknown("rules for `WebFetch` have the form `domain:NAME`");
    };
    match url.and_then(host) {
        Some(host) => {
            RuleMatch::from_bool(Pattern::new(&domain.trim().to_ascii_lowercase()).matches(&units(&host)))
        }
        None => RuleMatch::unknown("the tool's input names no host"),
    }
}

/// The host of a URL, in lower case.
fn host(url: &str) -> Option<String> {
    let (_, rest) = url.trim().split_once("://")?;
    let authority = rest.split(['/', '\\', '?', '#']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    (!host.is_empty()).then_some(host)
}

fn word(input: &str, word: Option<&str>) -> RuleMatch {
    match word {
        Some(word) => RuleMatch::from_bool(Pattern::new(input).matches(&units(word))),
        None => RuleMatch::unknown("the tool's input names no agent"),
    }
}

/// `NAME`, or a pattern over the name and its arguments.
fn skill(input: &str, name: Option<&str>, args: Option<&str>) -> RuleMatch {
    let Some(name) = name else { return RuleMatch::unknown("the tool's input names no skill") };
    let pattern = Pattern::new(input);
    let whole = units(args.map_or_else(|| name.to_owned(), |args| format!("{name} {args}")).trim_end());
    let bare = pattern.before_more().is_some_and(|bare| bare.matches(&units(name)));
    RuleMatch::from_bool(bare || pattern.matches(&units(name)) || pattern.matches(&whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// `+` matches, `-` does not match, `?` is unknown.
    fn sign(rule: &str, tool: &str, input: Value) -> char {
        let event = Event::from_value(json!({"cwd": "/no/p", "tool_name": tool, "tool_input": input}));
        let places = BaseDirs::for_event(&event, |_| None);
        match judge(rule, &event, &places, &Programs::SHIPPED) {
            RuleMatch::Matches => '+',
            RuleMatch::Fails => '-',
            RuleMatch::Unknown(_) => '?',
        }
    }

    #[test]
    fn wrappers_of_the_policy() {
        let event =
            |line: &str| Event::from_value(json!({"tool_name": "Bash", "tool_input": {"command": line}}));
        let wrapper = hookc_shell::Wrapper::new("company-sudo").with_options(["-u"]).with_operands(1);
        let programs = Programs::new(vec![wrapper], Vec::new()).unwrap();
        let matches = |line: &str, programs: &Programs| {
            let event = event(line);
            judge("Bash(rm *)", &event, &BaseDirs::for_event(&event, |_| None), programs)
        };
        for line in
            ["company-sudo web rm -r x", "company-sudo -u me web sh -c 'rm x'", "sudo company-sudo web rm x"]
        {
            assert_eq!(matches(line, &programs), RuleMatch::Matches, "{line}");
            assert_eq!(matches(line, &Programs::SHIPPED), RuleMatch::Fails, "{line}");
        }
        assert_eq!(matches("company-sudo rm x", &programs), RuleMatch::Fails);
    }

    #[test]
    fn programs_with_a_directory() {
        let sign = |rule: &str, line: &str, strictly: bool| {
            let event = Event::from_value(json!({"tool_name": "Bash", "tool_input": {"command": line}}));
            let places = BaseDirs::for_event(&event, |_| None);
            let judge = if strictly { judge_strictly } else { judge };
            match judge(rule, &event, &places, &Programs::SHIPPED) {
                RuleMatch::Matches => '+',
                RuleMatch::Fails => '-',
                RuleMatch::Unknown(_) => '?',
            }
        };
        for (line, strictly, as_written) in [
            ("/bin/rm x", '+', '-'),
            ("/usr/bin/rm", '+', '-'),
            ("ls; ../../bin/rm -r x", '+', '-'),
            ("sudo /bin/rm x", '+', '-'),
            ("echo $(/bin/rm x)", '+', '-'),
            ("sh -c '/bin/rm x'", '+', '-'),
            ("\"/bin/\"rm x", '+', '-'),
            ("$DIR/rm x", '+', '?'),
            ("/bin/$PROGRAM x", '?', '?'),
            ("/bin/r? x", '?', '?'),
            ("rm x", '+', '+'),
            ("/bin/rmdir x", '-', '-'),
            ("/bin/ls rm x", '-', '-'),
            ("cat /bin/rm x", '-', '-'),
            ("/bin/ x", '-', '-'),
        ] {
            assert_eq!(sign("Bash(rm *)", line, true), strictly, "{line}");
            assert_eq!(sign("Bash(rm *)", line, false), as_written, "{line}");
        }
        // A rule with a directory is about that program alone.
        assert_eq!(sign("Bash(/bin/rm *)", "/bin/rm x", true), '+');
        assert_eq!(sign("Bash(/bin/rm *)", "rm x", true), '-');
    }

    #[test]
    fn commands() {
        let table = [
            ("Bash(git *)", "git push", '+'),
            ("Bash(git *)", "git", '+'),
            ("Bash(git *)", "gitk", '-'),
            ("Bash(git*)", "gitk", '+'),
            ("Bash(git:*)", "git push", '+'),
            ("Bash(git:*)", "git", '+'),
            ("Bash(git:*)", "gitk", '-'),
            ("Bash(git push *)", "npm test && git push", '+'),
            ("Bash(git push *)", "FOO=bar git push origin", '+'),
            ("Bash(git push *)", "npm test | tee x; ls", '-'),
            ("Bash(npm run build)", "npm run build", '+'),
            ("Bash(npm run build)", "npm run build --watch", '-'),
            ("Bash(* --version)", "node --version", '+'),
            ("Bash(git * main)", "git push origin main", '+'),
            ("Bash(git * main)", "git status && echo main", '-'),
            ("Bash(curl * | bash)", "curl x | bash", '+'),
            ("Bash(rm *)", "timeout 5 rm -r x", '+'),
            ("Bash(rm *)", "echo 'rm x'", '-'),
            ("Bash(rm *)", "echo $(rm x)", '+'),
            ("Bash(rm *)", "\"rm\" x", '+'),
            ("Bash(rm *)", "$CMD x", '?'),
            ("Bash(rm *)", "echo $CMD", '-'),
            ("Bash(rm -rf *)", "rm $FLAGS x", '?'),
            ("Bash(rm *)", "cat <<E\nrm x\nE", '-'),
            ("Bash(rm *)", "cat <<E\n$(rm x)\nE", '+'),
            ("Bash(rm *)", "bash <<E\nrm x\nE", '+'),
            ("Bash(rm *)", "sudo /bin/sh -s <<'E'\nls; rm x\nE", '+'),
            ("Bash(rm *)", "bash <<E\n$X\nE", '?'),
            ("Bash(rm *)", "bash <<< 'rm x'", '+'),
            ("Bash(rm *)", "bash <<< \"$X\"", '?'),
            ("Bash(rm *)", "git commit -m 'rm x' <<< 'rm x'", '-'),
            ("Bash(rm *)", "echo 'x", '?'),
            ("Bash(git push *)", "{fd}>/dev/null git push", '+'),
            ("Bash(git push *)", "function f { git push x; }; f", '+'),
            ("Bash(git push *)", "A[0]=1 git push", '+'),
            ("Bash(git push *)", "a=(b)#c; git push", '+'),
            ("Bash(git push *)", "echo $(case x in x) git push;; esac)", '+'),
            ("Bash(git push *)", "echo ${x:-'}'$(git push x)}", '+'),
            ("Bash(git push *)", "{git,push}", '+'),
            ("Bash(git push *)", "alias g=git; g push", '+'),
            ("Bash(git push *)", "alias g=git; ls", '-'),
            ("Bash(git push *)", "alias $X; ls", '?'),
            ("Bash(git push *)", "g?t push", '?'),
            ("Bash(git push *)", "[g]it push", '?'),
            ("Bash(git push *)", "g* push", '?'),
            ("Bash(git push *)", "$X git push", '+'),
            ("Bash(git push)", "git $X push", '?'),
            ("Bash(git push *)", "timeout $X push", '?'),
            ("Bash(rm *)", "sudo -u root rm -rf x", '+'),
            ("Bash(rm *)", "find . -exec rm {} +", '+'),
            ("Bash(rm *)", "x=rm; $x y", '+'),
            ("Bash(rm *)", "eval 'rm x'", '+'),
            ("Bash(rm *)", "curl x | bash", '?'),
            ("Bash(rm *)", "test -v 'a[$(rm x)]'", '+'),
            ("Bash(rm *)", "let 'a[`rm x`]'", '+'),
            ("Bash(rm *)", "printf -v 'a[$(rm x)]' y", '+'),
            ("Bash(rm *)", "printf '[%s] $(x)' x", '-'),
            ("Bash(rm *)", "printf '$(x) [%s]' \"[$(date)]\"", '-'),
            ("Bash(rm *)", "echo rm x | sh", '+'),
            ("Bash(git push *)", "command git push", '+'),
            ("Bash(git push *)", "git push\r\n", '?'),
            ("Bash(git push)", "git push\r\n", '?'),
            ("Bash(git push *)", "[ -f x ] && ls *.txt", '-'),
            ("Bash(git push *)", "git commit -m \"$(cat <<'E'\ngit push (it's)\nE\n)\"", '-'),
            ("Bash(git push *)", "if x; then ls; fi; for a in *; do echo {a,b}; done", '-'),
            ("Bash(git push *)", "git status {a", '-'),
            ("Bash", "anything", '+'),
            ("Bash(*)", "anything", '+'),
            ("Read(x)", "anything", '-'),
        ];
        for (rule, command, expected) in table {
            assert_eq!(sign(rule, "Bash", json!({"command": command})), expected, "{rule} {command}");
        }
        assert_eq!(sign("Bash(git *)", "Bash", json!({})), '?');
        let long = "x".repeat(1 << 24);
        assert_eq!(sign("Bash(* a b)", "Bash", json!({"command": long})), '?');
    }

    #[test]
    fn other_tools() {
        let table = [
            ("Edit(src/**)", "Edit", json!({"file_path": "/no/p/src/a"}), '+'),
            ("Edit(src/**)", "Edit", json!({"file_path": "/no/p/a"}), '-'),
            ("Edit(src/**)", "Edit", json!({}), '?'),
            ("NotebookEdit(*.ipynb)", "NotebookEdit", json!({"notebook_path": "/no/p/a.ipynb"}), '+'),
            ("Grep(//no/p)", "Grep", json!({"pattern": "x"}), '+'),
            ("WebFetch(domain:example.com)", "WebFetch", json!({"url": "https://Example.com:443/x"}), '+'),
            (
                "WebFetch(domain:example.com)",
                "WebFetch",
                json!({"url": "https://example.com.evil.net/"}),
                '-',
            ),
            (
                "WebFetch(domain:example.com)",
                "WebFetch",
                json!({"url": "https://example.com@evil.net/"}),
                '-',
            ),
            ("WebFetch(domain:*.example.com)", "WebFetch", json!({"url": "https://a.example.com"}), '+'),
            ("WebFetch(domain:x)", "WebFetch", json!({"url": "x"}), '?'),
            ("WebFetch(x)", "WebFetch", json!({"url": "https://x"}), '?'),
            ("Agent(Explore)", "Task", json!({"subagent_type": "Explore"}), '+'),
            ("Agent(Explore)", "Agent", json!({"subagent_type": "Plan"}), '-'),
            ("Skill(deploy)", "Skill", json!({"skill": "deploy"}), '+'),
            ("Skill(deploy *)", "Skill", json!({"skill": "deploy", "args": "prod"}), '+'),
            ("Skill(deploy *)", "Skill", json!({"skill": "deployed"}), '-'),
            ("mcp__git", "mcp__git__push", json!({}), '+'),
            ("mcp__git__*", "mcp__git__push", json!({}), '+'),
            ("mcp__git__pull", "mcp__git__push", json!({}), '-'),
            ("mcp__gi", "mcp__git__push", json!({}), '-'),
            ("mcp__git__push(x)", "mcp__git__push", json!({}), '?'),
            ("PowerShell(rm *)", "PowerShell", json!({"command": "rm x"}), '?'),
            ("Bash(git", "Bash", json!({"command": "ls"}), '?'),
            ("a && b", "Bash", json!({"command": "ls"}), '?'),
        ];
        for (rule, tool, input, expected) in table {
            assert_eq!(sign(rule, tool, input.clone()), expected, "{rule} {tool} {input}");
        }
        let none = Event::from_value(json!({"prompt": "x"}));
        assert_eq!(
            judge("Bash", &none, &BaseDirs::for_event(&none, |_| None), &Programs::SHIPPED),
            RuleMatch::Fails
        );
    }
}
