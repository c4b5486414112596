//! Which dialect a file is in, by its name and shape.
//!
//! The shape is told without parsing: the keys at the root of a YAML or JSON
//! text, how an XML text starts, the fences of a Markdown text. One pass over
//! the bytes at most, and it ends at the first key that decides.

use hookc_schema::{Code, Diagnostic, SourceId, Span};

use super::Dialect;

/// The dialect of a file, if it can be told.
#[must_use]
pub fn detect(name: &str, text: &str) -> Option<Dialect> {
    match Name::of(name) {
        // Without a fence that holds one, the front end says what is missing.
        Name::Xml | Name::Markdown => Some(Dialect::DirectiveXml),
        Name::Hooks => (!Roots::of(text).settings()).then_some(Dialect::HooksYaml),
        Name::Data => Roots::of(text).policy().then_some(Dialect::HooksYaml),
        Name::Other if starts_as_xml(text) || fenced(text) => Some(Dialect::DirectiveXml),
        Name::Other => Roots::of(text).policy().then_some(Dialect::HooksYaml),
    }
}

/// The diagnostic for a file that fits none: lists what was tried.
#[must_use]
pub fn unknown(source: SourceId, name: &str, text: &str) -> Diagnostic {
    let names: Vec<_> = Dialect::ALL.iter().map(|one| format!("`--dialect {}`", one.name())).collect();
    let mut new = Diagnostic::new(
        Code::E0003,
        Span { source, start: 0, end: 0 },
        format!("the dialect of `{name}` cannot be told from its name and shape"),
    );
    for dialect in Dialect::ALL {
        let why = match dialect {
            Dialect::HooksYaml => Roots::of(text).why(),
            Dialect::DirectiveXml => {
                "the text does not start with `<directive` or `<?xml`, nor has a fence that does".to_owned()
            }
            Dialect::Settings | Dialect::Repository | Dialect::Skill | Dialect::Workflow => continue,
        };
        new = new.note(format!("not {}: {why}", dialect.name()));
    }
    new.help(format!("say which it is: {}", names.join(" or ")))
}

/// What a file's name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    /// `hooks.yaml`, the name of the dialect itself.
    Hooks,
    /// `*.yaml`, `*.yml`, `*.json`
    Data,
    Xml,
    Markdown,
    /// Nothing.
    Other,
}

impl Name {
    fn of(name: &str) -> Self {
        let file = name.rsplit(['/', '\\']).next().unwrap_or("").to_ascii_lowercase();
        match (file.as_str(), file.rsplit_once('.').map_or("", |(_, extension)| extension)) {
            ("hooks.yaml" | "hooks.yml", _) => Self::Hooks,
            (_, "yaml" | "yml" | "json") => Self::Data,
            (_, "xml") => Self::Xml,
            (_, "md" | "markdown") => Self::Markdown,
            _ => Self::Other,
        }
    }
}

fn starts_as_xml(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        rest = comment.split_once("-->").map_or("", |(_, rest)| rest.trim_start());
    }
    rest.starts_with("<directive") || rest.starts_with("<?xml")
}

/// Whether a Markdown text has an XML fence with a directive in it.
fn fenced(text: &str) -> bool {
    let fence = |line: &str| line.starts_with("```") || line.starts_with("~~~");
    let mut within = false;
    for line in text.lines() {
        let line = line.trim_start_matches([' ', '\t', '>']);
        if fence(line) {
            within = line.trim_start_matches(['`', '~']).trim_start().starts_with("xml");
        } else if within && line.contains("<directive") {
            return true;
        }
    }
    false
}

/// What a mapping's member holds, by its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    /// A list, or nothing.
    List,
    Mapping,
    Other,
}

/// The keys at the root that tell dialects apart.
#[derive(Debug, Default)]
struct Roots {
    /// The root is a mapping.
    mapping: bool,
    /// What `hooks` holds.
    hooks: Option<Holds>,
    /// A key that only a policy has.
    own: bool,
    /// `schema_version`, which other files have too.
    versioned: bool,
}

impl Roots {
    fn of(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let mut roots = Self::default();
        let content = |line: &&str| !matches!(line.trim_start().bytes().next(), None | Some(b'#' | b'%'));
        let first = text.lines().find(|line| content(line) && line.trim_end() != "---").unwrap_or("");
        match first.trim_start_matches("--- ").trim_start().starts_with('{') {
            true => roots.flow(text),
            false => roots.block(text),
        }
        roots
    }

    fn policy(&self) -> bool {
        self.own || self.hooks == Some(Holds::List) || (self.versioned && self.hooks.is_some())
    }

    fn settings(&self) -> bool {
        !self.policy() && self.hooks == Some(Holds::Mapping)
    }

    fn why(&self) -> String {
        match self.hooks {
            _ if !self.mapping => "the text is not a mapping",
            Some(Holds::Mapping) => {
                "`hooks` holds a mapping, as agent settings do, where a policy has a list of hooks"
            }
            Some(_) => "`hooks` does not hold a list",
            None => "neither `hooks` nor `builtin_hooks` at the root",
        }
        .to_owned()
    }

    /// Notes a key; says whether it decides.
    fn key(&mut self, key: &str, holds: impl FnOnce() -> Holds) -> bool {
        self.mapping = true;
        match key {
            "hooks" => self.hooks = Some(holds()),
            "schema_version" => self.versioned = true,
            "builtin_hooks" | "action_types" | "event_context_schema" | "return_schema" => self.own = true,
            _ => {}
        }
        self.policy()
    }

    /// The keys of a block mapping: lines without indentation.
    fn block(&mut self, text: &str) {
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if !line.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '"' | '\'')) {
                continue;
            }
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let key = key.trim_end().trim_matches(['"', '\'']);
            if self.key(key, || block_holds(value, lines.clone())) {
                return;
            }
        }
    }

    /// The keys of a mapping in braces.
    fn flow(&mut self, text: &str) {
        let mut depth = 0_usize;
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}', '[', ']', '"', '\'']) {
            let (_, found) = rest.split_at_checked(at).unwrap_or(("", ""));
            let mut chars = found.chars();
            let token = chars.next();
            rest = chars.as_str();
            match token {
                Some('{' | '[') => depth += 1,
                Some('}' | ']') => depth = depth.saturating_sub(1),
                Some(quote) => {
                    let (string, after) = quoted(rest, quote);
                    rest = after;
                    let value = after.trim_start().strip_prefix(':').filter(|_| depth == 1);
                    if value.is_some_and(|value| self.key(string, || holds(value.trim_start()))) {
                        return;
                    }
                }
                None => return,
            }
            self.mapping |= depth > 0;
        }
    }
}

/// The string that ends at the next `quote`, escapes as written, and what
/// follows it.
fn quoted(text: &str, quote: char) -> (&str, &str) {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if c == quote && !escaped {
            return (text.get(..at).unwrap_or(""), text.get(at + c.len_utf8()..).unwrap_or(""));
        }
        escaped = c == '\\' && quote == '"' && !escaped;
    }
    (text, "")
}

fn holds(value: &str) -> Holds {
    match value.bytes().next() {
        Some(b'[') => Holds::List,
        Some(b'{') => Holds::Mapping,
        _ if value.starts_with("null") || value.starts_with('~') => Holds::List,
        _ => Holds::Other,
    }
}

/// What a block mapping's member holds: what follows the colon, else the next
/// line that says something.
fn block_holds<'a>(value: &str, lines: impl Iterator<Item = &'a str>) -> Holds {
    let mut value = value.trim_start();
    while value.starts_with(['&', '!']) {
        value = value.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
    }
    if !value.is_empty() && !value.starts_with('#') {
        return holds(value);
    }
    let mut lines = lines.filter(|line| !matches!(line.trim_start().bytes().next(), None | Some(b'#')));
    match lines.next() {
        Some(line) if line.trim_start().starts_with('-') => Holds::List,
        Some(line) if line.starts_with([' ', '\t']) => Holds::Mapping,
        _ => Holds::List,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Option<Dialect> = Some(Dialect::HooksYaml);
    const B: Option<Dialect> = Some(Dialect::DirectiveXml);

    #[test]
    fn names_and_shapes_tell() {
        let fence = "# title\n\n````md\n```xml\n<x/>\n```\n````\n\n```xml\n<directive name=\"a\"/>\n```\n";
        let table = [
            ("hooks.yaml", "", A),
            ("a/hooks.yaml", "hook:\n- event: x\n", A),
            ("hooks.yaml", "hooks:\n  PreToolUse:\n    - x\n", None),
            ("x.yaml", "\u{feff}# c\n---\nhooks: # list\n\n  # c\n  - event: x\n", A),
            ("x.yml", "hooks:\n- event: x\n", A),
            ("x.yml", "a: 1\nhooks: []\n", A),
            ("x.yml", "hooks:\nother: 1\n", A),
            ("x.yml", "hooks: &x\n  - a\n", A),
            ("x.yml", "a: 1\n", None),
            ("x.yml", "schema_version: \"1.0.0\"\npatterns: []\n", None),
            ("x.yml", "- a\n", None),
            ("x.yml", "a:\n  hooks:\n    - x\n", None),
            ("x.yml", "hooks: {PreToolUse: []}\n", None),
            ("x.yml", "'schema_version': \"1.0.0\"\nhooks: {}\n", A),
            ("x.json", "{\"a\": {\"hooks\": []}, \"b\\\"\": [\"hooks\"], \"hooks\" : [ ]}", A),
            ("x.json", "{\"hooks\": {\"Stop\": []}}", None),
            ("x.json", "{\"a\": {\"hooks\": []}}", None),
            ("x.xml", "nothing", B),
            ("x.md", fence, B),
            ("x.md", "# hooks\n", B),
            ("-", "# hooks\n\nwords\n", None),
            ("-", "  <directive name='x'/>", B),
            ("-", "<!-- c --><?xml version='1.0'?>", B),
            ("-", fence, B),
            ("-", "hooks:\n  - event: x\n", A),
            ("-", "hello: 1", None),
            ("-", "", None),
        ];
        for (name, text, dialect) in table {
            assert_eq!(detect(name, text), dialect, "{name} {text:?}");
        }
    }

    #[test]
    fn what_fits_none_says_why() {
        let new = unknown(SourceId(0), "x.json", "{\"hooks\": {\"Stop\": []}}");
        assert_eq!(new.notes.len(), Dialect::ALL.len());
        assert!(new.notes.iter().any(|note| note.contains("agent settings")), "{new:?}");
        assert!(new.help.is_some_and(|help| help.contains("--dialect hooks-yaml")));
    }
}
