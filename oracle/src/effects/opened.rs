//! What code of other languages does with files that a literal names: `open('F')`, `writeFile("F")`, `os.remove('F')`.

use std::sync::LazyLock;

use regex::Regex;

use super::arguments::Argument;
use super::commands::{Reader, base};
use super::line::{Command, RedirectKind};
use super::model::{Effect, Kind, Scheme};
use super::place::resolve;
use super::roles::Object;
use super::shown::STARTS;
use super::text::Text;

/// A function, and what it does with its files.
struct Function {
    /// Its call in front of an argument, or in front of the arguments of a statement.
    call: Regex,
    /// As a method of a path, after it.
    method: Regex,
    verb: Verb,
}

#[derive(Clone, Copy, PartialEq)]
enum Verb {
    Open,
    Write,
    Delete,
    DeleteTree,
    Copy,
    Move,
    Path,
}

static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let function = |names: &str, verb| {
        // `open('F'`, and `open F, 'x'` of Perl.
        let call = format!(
            r"(?:(?:^|[^A-Za-z0-9_])(?:{names})\s*\([^(;\n{{}}]*|(?:^|[;\n{{}}])\s*(?:[^ ,;\n{{}}(]*[^A-Za-z0-9_ ,;\n{{}}(])?(?:{names})(?:[ ,][^;\n{{}}(]*)?)$"
        );
        let method = format!(r"^\s*\)\s*\.(?:{names})(?:[^A-Za-z0-9_]|$)");
        let [call, method] = [call, method].map(|text| Regex::new(&text).unwrap_or_else(|_| unreachable!()));
        Function { call, method, verb }
    };
    vec![
        function("Path|PathBuf|file", Verb::Path),
        function(
            r"(?:writeFile|appendFile|outputFile|writeTextFile|truncate)(?:Sync)?|createWriteStream|file_put_contents|write_(?:text|bytes|file)|touch|binwrite|(?:File|IO|Bun)\.write",
            Verb::Write,
        ),
        function(
            r"(?:unlink|rmdir)(?:Sync)?|removedirs|os\.remove|(?:fs|fsPromises|promises)\.rm|File\.delete|FileUtils\.rm(?:_f)?|Deno\.remove(?:Sync)?",
            Verb::Delete,
        ),
        function(
            "rmtree|rm_rf|rm_r|rmSync|removeSync|remove_tree|remove_entry(?:_secure)?|rimraf",
            Verb::DeleteTree,
        ),
        function(
            r"copyFile(?:Sync)?|copyfile|copy2|copytree|copy_file|cp_r|cpSync|shutil\.copy|(?:fs|FileUtils)\.cp",
            Verb::Copy,
        ),
        function(
            r"renameSync|os\.re(?:name|place)|shutil\.move|(?:fs|File|Deno)\.rename|FileUtils\.mv",
            Verb::Move,
        ),
        function("(?:createRead|file_get|fopen|open|read|slurp)[A-Za-z0-9_]*", Verb::Open),
    ]
});

impl Reader<'_> {
    /// What code that an interpreter gets on the line does with files that literals name.
    pub(super) fn opened(&self, context: &Object<'_>) -> Vec<Effect> {
        if !context.program.is_some_and(|row| row.is("interpreter")) {
            return Vec::new();
        }
        let roles = &context.parsed.roles;
        let is_code = |argument: &&Argument| argument.role == "CODE" || argument.role == "EXPR";
        let mut codes: Vec<String> = roles.iter().filter(is_code).map(|code| code.text.written()).collect();
        let starts =
            |argument: &Argument| STARTS.contains(&argument.role.as_str()) && argument.text.written() != "-";
        let body = |command: &Command| {
            let here = command.input.iter().filter(|redirect| redirect.kind == RedirectKind::Here);
            here.map(|redirect| redirect.word.text.written()).collect::<Vec<_>>()
        };
        if !roles.iter().any(starts) {
            codes.extend(body(self.command));
        }
        // Code that several interpreters read counts for the first.
        let is_interpreter = |command: &Command| {
            let program = command.program.as_deref().and_then(|name| self.rows.program(&base(name)));
            program.is_some_and(|row| row.is("interpreter"))
        };
        let is_first = |giver: &&usize| {
            let earlier = self.line.commands.iter().take(self.number);
            !earlier.into_iter().any(|other| other.runs.contains(giver) && is_interpreter(other))
        };
        let givers = self.command.runs.iter().filter(is_first);
        for giver in givers.filter_map(|number| self.line.commands.get(*number)) {
            codes.extend(giver.words.iter().skip(1).map(|word| word.text.written()));
            codes.extend(body(giver));
        }
        let path = |name: &str| resolve(context.directory, &Text::from(name));
        let each = |(kind, name, is_tree): Opened| Effect {
            is_tree,
            ..self.effect(kind, Scheme::File, path(&name))
        };
        codes.iter().flat_map(|code| opened(code)).map(each).collect()
    }
}

/// Arguments of a method of what a call returns.
static METHOD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*\)\s*\.[A-Za-z0-9_]*\s*\([^();\n{}]*$").unwrap_or_else(|_| unreachable!())
});

/// What happens to a file, and whether to all below it.
type Opened = (Kind, String, bool);

/// What happens to the files.
fn opened(code: &str) -> Vec<Opened> {
    let mut texts = Vec::new();
    let mut rest = code;
    while let Some((before, text, after)) = quoted(rest) {
        texts.push((before, text));
        rest = after;
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < texts.len() {
        let goes_on = |(before, _): &&(&str, &str)| !before.contains([')', ';', '\n', '{', '}']);
        let arguments = 1 + texts.iter().skip(at + 1).take_while(goes_on).count();
        let call: Vec<&str> = texts.iter().skip(at).take(arguments).map(|(_, text)| *text).collect();
        let before = texts.get(at).map_or("", |(before, _)| before);
        let verb =
            FUNCTIONS.iter().find(|function| function.call.is_match(before)).map(|function| function.verb);
        let follows = at.checked_sub(1).is_some_and(|last| is_path(&texts, last));
        let is_method = follows && METHOD.is_match(before);
        let (after, next) = texts.get(at + arguments).copied().unwrap_or((rest, ""));
        if let Some(verb) = verb.filter(|_| !is_method) {
            found.extend(files(verb, &call, after, next));
        }
        at += arguments;
    }
    found
}

/// Whether a text is an argument of what makes a file of a path.
fn is_path(texts: &[(&str, &str)], at: usize) -> bool {
    let goes_on = texts.get(at).is_some_and(|(before, _)| !before.contains([')', ';', '\n', '{', '}']));
    match at.checked_sub(1).filter(|_| goes_on) {
        Some(last) => is_path(texts, last),
        None => texts.get(at).is_some_and(|(before, _)| {
            FUNCTIONS
                .iter()
                .find(|function| function.call.is_match(before))
                .is_some_and(|one| one.verb == Verb::Path)
        }),
    }
}

/// What a call does with its files.
fn files(verb: Verb, call: &[&str], after: &str, next: &str) -> Vec<Opened> {
    let is_mode =
        |text: &str| text.chars().all(|c| "<>+rwabtx".contains(c)) || matches!(text, "utf8" | "utf-8");
    let changes = |text: &str| text.contains(['w', 'a', 'x', '+', '>']);
    let mut writes = call.iter().any(|text| is_mode(text) && changes(text));
    let mut names: Vec<&str> = call.iter().copied().filter(|text| !is_mode(text)).collect();
    let mut act = verb;
    if verb == Verb::Open {
        writes |= names.iter().any(|name| changes(name.split(|c| !"<>+ ".contains(c)).next().unwrap_or("")));
        names = names.into_iter().map(|name| name.trim_start_matches(['<', '>', '+', ' '])).collect();
    }
    if verb == Verb::Path {
        let method = FUNCTIONS.iter().find(|function| function.method.is_match(after));
        act = method.map_or(Verb::Open, |function| function.verb);
        let opens = Regex::new(r"^\s*\)\s*\.open(?:[^A-Za-z0-9_]|$)").is_ok_and(|open| open.is_match(after));
        writes = opens && is_mode(next) && changes(next);
        act = if act == Verb::Path { Verb::Open } else { act };
    } else if matches!(act, Verb::Open | Verb::Write) {
        names.truncate(1);
    }
    let count = names.len();
    let kinds = |number: usize| match act {
        Verb::Open if !writes => vec![Kind::Read],
        Verb::Delete | Verb::DeleteTree => vec![Kind::Delete],
        Verb::Copy if number + 1 < count || count == 1 => vec![Kind::Use],
        Verb::Move if number + 1 < count || count == 1 => vec![Kind::Use, Kind::Delete],
        _ => vec![Kind::Write],
    };
    let each = |(number, name): (usize, &str)| {
        kinds(number)
            .into_iter()
            .map(move |kind| (kind, name.to_owned(), act == Verb::DeleteTree))
            .collect::<Vec<_>>()
    };
    names.into_iter().enumerate().flat_map(each).collect()
}

/// The first text in quotes, with what is before and after it.
fn quoted(code: &str) -> Option<(&str, &str, &str)> {
    let (before, _) = code.split_at_checked(code.find(['\'', '"'])?)?;
    let quote = code.get(before.len()..)?.chars().next()?;
    let (text, after) = code.get(before.len() + 1..)?.split_once(quote)?;
    Some((before, text, after))
}
