//! Tests of the file, or of the address, of a tool.

use hookc_base::Verb;
use hookc_base::input_role::InputKind;
use hookc_schema::tree::{Leaf, Op, Path, Segment, Selector, Step, ViewKind};
use hookc_schema::vocab;

use super::meaning::Meaning;
use super::words::{self, ANY, BOUNDARY, END, START};

/// What a test of a path means: the effects of the tools that it is about.
pub(super) fn meaning(leaf: &Leaf, tools: Option<&[String]>) -> Option<Meaning> {
    let mut verbs: Vec<Verb> = Vec::new();
    for (_, kind) in owners(&leaf.path, tools) {
        let verb = match kind {
            InputKind::Read => Verb::Read,
            InputKind::Write | InputKind::Edit => Verb::Write,
            InputKind::Delete | InputKind::Move => Verb::Delete,
            InputKind::Send => Verb::Send,
            InputKind::Url | InputKind::Host => Verb::Contact,
            _ => return None,
        };
        if !verbs.contains(&verb) {
            verbs.push(verb);
        }
    }
    if verbs.contains(&Verb::Contact) {
        return Meaning::new(Some(Verb::Contact), hosts(leaf).filter(|_| verbs.len() == 1)?);
    }
    let guards = match leaf.path.view(ViewKind::File) {
        Some(view) => {
            let [Segment::Child(selectors)] = view.rest.segments.as_slice() else { return None };
            let [Selector::Name(member)] = selectors.as_slice() else { return None };
            if member == "inside" {
                let outside = verbs.iter().map(|verb| Meaning::except(*verb, "./**")).reduce(Meaning::or);
                return outside.filter(|_| is_outside(leaf));
            }
            of_member(leaf, member)?
        }
        None => of_path(leaf)?,
    };
    verbs.iter().map(|verb| Meaning::new(Some(*verb), guards.clone())).reduce(|a, b| Some(a?.or(b?)))?
}

/// The patterns of the hosts that a test of an address is about, if it is about nothing else.
fn hosts(leaf: &Leaf) -> Option<Vec<String>> {
    let texts: Vec<String> = match leaf.op.node {
        Op::StartsWith | Op::Glob => leaf.texts().map(|(_, text)| format!("{START}{text}")).collect(),
        Op::Contains | Op::EndsWith => leaf.texts().map(|(_, text)| text.to_owned()).collect(),
        Op::Regex => words::texts_of_names(leaf.right.text()?)?,
        _ => return None,
    };
    let hosts = texts.iter().map(|text| host(text)).collect::<Option<Vec<_>>>()?;
    (!hosts.is_empty()).then_some(hosts)
}

fn host(text: &str) -> Option<String> {
    let is_start = text.starts_with(START);
    let text = text.replace(ANY, "*").replace([START, END, BOUNDARY], "");
    let (scheme, rest) = text.split_once("://").map_or((None, &*text), |(scheme, rest)| (Some(scheme), rest));
    let (name, after) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let is_name = |next: char| next.is_ascii_alphanumeric() || matches!(next, '.' | '-' | '*');
    let is_host = name.chars().all(is_name) && name.chars().any(|next| next.is_ascii_alphanumeric());
    let is_known = scheme.is_some() || name.contains('.') && !name.starts_with('.') && !is_start;
    let is_whole = matches!(after, "" | "/" | "/*" | "/**");
    let any = if scheme.is_some() { "" } else { "*" };
    (is_host && is_known && is_whole).then(|| format!("{any}{name}"))
}

/// The tools with the input of a path, each with what it does with that.
fn owners(path: &Path, tools: Option<&[String]>) -> Vec<(&'static str, InputKind)> {
    let Some(input) = input(path) else { return Vec::new() };
    let is_meant = |tool: &str| match tools {
        Some(tools) => tools.iter().any(|named| named == tool),
        None => !tool.contains('*') && !tool.starts_with("mcp__"),
    };
    vocab::owners(&input).iter().copied().filter(|(tool, _)| is_meant(tool)).collect()
}

/// Whether the input of a path is a text that is written to a file.
pub(super) fn is_content(path: &Path, tools: Option<&[String]>) -> bool {
    let owners = owners(path, tools);
    let writes = |(_, kind): (&str, InputKind)| matches!(kind, InputKind::Write | InputKind::Edit);
    owners.iter().all(|(_, kind)| *kind == InputKind::Text)
        && owners.iter().any(|(tool, _)| vocab::inputs(tool).any(writes))
}

/// The name of the input of a path: `edits[*].new_string` also for one of the edits.
fn input(path: &Path) -> Option<String> {
    let steps = path.source().singular()?;
    let mut steps = steps.iter();
    match steps.next()? {
        Step::Name(name) if name == "tool_input" => {}
        _ => return None,
    }
    let mut name = String::new();
    for step in steps {
        match step {
            Step::Name(part) if name.is_empty() => name.clone_from(part),
            Step::Name(part) => name = format!("{name}.{part}"),
            Step::Index(_) => name.push_str("[*]"),
            Step::View(_) => return None,
        }
    }
    Some(name).filter(|name| !name.is_empty())
}

/// Whether some tool that is meant reads the input of a path as a command line.
pub(super) fn is_line(path: &Path, tools: Option<&[String]>) -> bool {
    owners(path, tools).iter().any(|(_, kind)| *kind == InputKind::Line)
}

/// Whether each tool that is meant is known, and reads the input of a path as a command line.
pub(super) fn is_only_line(path: &Path, tools: Option<&[String]>) -> bool {
    let reads = |tool: &String| is_line(path, Some(std::slice::from_ref(tool)));
    tools.is_some_and(|tools| !tools.is_empty() && tools.iter().all(reads))
}

/// `file(...).inside == false`, or `!= true`.
pub(super) fn is_outside(leaf: &Leaf) -> bool {
    match leaf.op.node {
        Op::Eq => leaf.right.truth() == Some(false),
        Op::Ne => leaf.right.truth() == Some(true),
        _ => false,
    }
}

/// The patterns of a test of a member of `file(...)`.
fn of_member(leaf: &Leaf, member: &str) -> Option<Vec<String>> {
    let texts = || leaf.texts().map(|(_, text)| text.to_owned());
    let patterns: Vec<String> = match (member, leaf.op.node) {
        ("name", Op::Eq | Op::In | Op::Glob) => texts().collect(),
        ("name", Op::EndsWith) => texts().map(|text| format!("*{text}")).collect(),
        ("name", Op::StartsWith) => texts().map(|text| format!("{text}*")).collect(),
        ("extension", Op::Eq | Op::In) => texts().map(|text| format!("*.{text}")).collect(),
        ("relative", Op::Eq | Op::In | Op::Glob) => texts().map(|text| from_project(&text)).collect(),
        ("relative", Op::StartsWith) => {
            let directory = |text: String| Some(format!("./{}/**", text.strip_suffix('/')?));
            texts().map(directory).collect::<Option<_>>()?
        }
        ("path", _) => return of_path(leaf),
        _ => return None,
    };
    let is_name = member == "name";
    let is_unfit = |text: &String| text.is_empty() || text.starts_with('@') || is_name && text.contains('/');
    (!patterns.is_empty() && !patterns.iter().any(is_unfit)).then_some(patterns)
}

/// A pattern of a path below the project.
fn from_project(text: &str) -> String {
    if text.contains('/') { text.to_owned() } else { format!("./{text}") }
}

/// The patterns of a test of a whole path.
pub(super) fn of_path(leaf: &Leaf) -> Option<Vec<String>> {
    let texts = || leaf.texts().map(|(_, text)| text);
    let patterns: Option<Vec<String>> = match leaf.op.node {
        Op::Eq | Op::In => texts().map(|text| pattern(&format!("{START}{text}{END}"))).collect(),
        Op::StartsWith => texts().map(|text| pattern(&format!("{START}{text}"))).collect(),
        Op::EndsWith => texts().map(|text| pattern(&format!("{text}{END}"))).collect(),
        Op::Contains => texts().map(pattern).collect(),
        Op::Regex => {
            let texts = words::texts_of_names(leaf.right.text()?)?;
            texts.iter().map(|text| pattern(&text.replace(BOUNDARY, ""))).collect()
        }
        Op::Glob => {
            let is_whole = |text: &str| text.starts_with(['/', '~']) || text.starts_with("**");
            let whole = |text: &str| is_whole(text).then(|| shorter(text));
            texts().map(whole).collect()
        }
        _ => None,
    };
    patterns.filter(|patterns| !patterns.is_empty())
}

/// The patterns of a test of a path as it is written, which can be a relative one.
pub(super) fn of_word(leaf: &Leaf) -> Option<Vec<String>> {
    let name = |text: &str| {
        let name = text.strip_prefix("./").unwrap_or(text);
        let is_name = !name.is_empty()
            && !name.contains(|next: char| !next.is_ascii_alphanumeric() && !"._-".contains(next));
        is_name.then(|| name.to_owned())
    };
    match leaf.op.node {
        Op::Eq | Op::In => leaf.texts().map(|(_, text)| name(text)).collect::<Option<_>>(),
        _ => None,
    }
    .or_else(|| of_path(leaf))
}

/// The pattern of paths that have a text in them, with its start and its end.
pub(super) fn pattern(text: &str) -> Option<String> {
    let inside = text.trim_matches([START, END]);
    // The end of `.env.*` is no end of what is before.
    let is_start = text.starts_with(START) && !inside.starts_with(ANY);
    let is_end = text.ends_with(END) && !inside.ends_with(ANY);
    let text = inside.trim_matches(ANY);
    let is_special =
        |next: char| !next.is_ascii_alphanumeric() && !matches!(next, '-' | '_' | '.' | '/' | '~' | '+');
    if text.is_empty()
        || text.trim_matches('/').is_empty()
        || text.contains(is_special)
        || text.contains("..")
    {
        return None;
    }
    let before = match (is_start, text.starts_with('/')) {
        (true, true) => "",
        (true, false) if text.starts_with('~') => "",
        (true, false) => return None,
        (false, true) => "**",
        (false, false) => "**/*",
    };
    let after = match (is_end, text.ends_with('/')) {
        (true, _) => "",
        (false, true) => "**",
        (false, false) => "*/**",
    };
    Some(shorter(&format!("{before}{text}{after}")))
}

/// A pattern without what each pattern of a last name has.
fn shorter(pattern: &str) -> String {
    match pattern.strip_prefix("**/") {
        Some(name) if !name.contains('/') && !name.is_empty() && name != "**" => name.to_owned(),
        _ => pattern.to_owned(),
    }
}
