//! The keys of a YAML or JSON text, found without parsing it.

use hookc_schema::decode::{Evidence, Object};
use hookc_schema::dialect::{HOOKS, hooks, workflow};

/// The key of a graph that contains its hooks.
pub(super) const CONFIG: &str = "config";

/// The type of a member's value, by its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueShape {
    /// A list, or nothing.
    List,
    Mapping,
    Other,
}

/// The keys that distinguish dialects.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// The root is a mapping.
    pub(super) mapping: bool,
    /// The root is in braces, as in JSON.
    pub(super) flow: bool,
    /// The type of the value of `hooks`.
    pub(super) hooks: Option<ValueShape>,
    /// The keys below `hooks`.
    pub(super) below: Vec<String>,
    /// The keys at the root, and whether each contains a list.
    roots: Vec<(String, bool)>,
    /// A key that only a policy has.
    own: bool,
    /// A key that only a policy has in addition to `hooks`: other formats have it without.
    with_hooks: bool,
    /// A list of hooks in legacy syntax: under a legacy key, or as `hooks` of a graph's `config`.
    pub(super) legacy: bool,
}

/// The keys whose members are read too.
#[derive(Clone, Copy)]
enum Parent {
    Hooks,
    Config,
}

impl Parent {
    fn from_key(key: &str) -> Option<Self> {
        match key {
            HOOKS => Some(Self::Hooks),
            CONFIG => Some(Self::Config),
            _ => None,
        }
    }
}

impl Shape {
    pub(super) fn read(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let mut shape = Self::default();
        let content = |line: &&str| !matches!(line.trim_start().bytes().next(), None | Some(b'#' | b'%'));
        let first = text.lines().find(|line| content(line) && !is_start(line)).unwrap_or("");
        shape.flow = first.trim_start_matches("--- ").trim_start().starts_with(['{', '/']);
        if shape.flow {
            shape.braces(text)
        } else {
            shape.block(text, first)
        }
        shape
    }

    /// A hooks file.
    pub(super) fn is_policy(&self) -> bool {
        self.own || self.hooks == Some(ValueShape::List) || (self.with_hooks && self.hooks.is_some())
    }

    /// Whether the root has a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.roots.iter().any(|(name, _)| name == key)
    }

    /// Whether the keys at the root occur together only in this dialect.
    pub(super) fn is_only(&self, dialect: &Object) -> bool {
        self.roots.iter().any(|(name, _)| match dialect.evidence(name) {
            Evidence::None => false,
            Evidence::With(other) => self.has(other),
            Evidence::Alone => true,
        })
    }

    /// Whether the root has a legacy key for a list of hooks.
    pub(super) fn has_legacy_key(&self) -> bool {
        self.roots.iter().any(|(name, _)| is_legacy_list(name))
    }

    /// Whether the root has a misspelled `key`.
    pub(super) fn has_misspelt(&self, key: &str) -> bool {
        self.misspelt(key).is_some()
    }

    /// The misspelled `key` at the root.
    pub(super) fn misspelt(&self, key: &str) -> Option<&str> {
        let slip = |name: &&str| *name != key && hookc_schema::suggest::slip(name, [key]).is_some();
        self.roots.iter().map(|(name, _)| name.as_str()).find(slip)
    }

    /// The keys at the root that contain lists.
    pub(super) fn lists(&self) -> impl Iterator<Item = &String> {
        self.roots.iter().filter_map(|(name, list)| list.then_some(name))
    }

    /// Records a key at the root; returns whether it decides.
    fn key(&mut self, key: &str, value: impl FnOnce() -> ValueShape) -> bool {
        self.mapping = true;
        let value = value();
        if key == HOOKS {
            self.hooks = Some(value);
        }
        match hooks::FILE.evidence(key) {
            Evidence::None => {}
            Evidence::With(_) => self.with_hooks = true,
            Evidence::Alone => self.own = true,
        }
        self.legacy |= value == ValueShape::List && is_legacy_list(key);
        self.roots.push((key.to_owned(), value == ValueShape::List));
        self.is_policy()
    }

    /// Records a key below a key at the root.
    fn key_below(&mut self, parent: Parent, key: &str, value: impl FnOnce() -> ValueShape) {
        match parent {
            Parent::Hooks => self.below.push(key.to_owned()),
            Parent::Config if key == HOOKS => self.legacy |= value() == ValueShape::List,
            Parent::Config => {}
        }
    }

    /// The keys of a block mapping: lines with the indentation of the `first` one, or less, and below a
    /// [`Parent`] the lines with the next indentation.
    fn block(&mut self, text: &str, first: &str) {
        let mut lines = text.lines();
        let (root, mut below) = (indentation(first), None);
        while let Some(line) = lines.next() {
            let indent = indentation(line);
            let Some((key, value)) = block_key(line.get(indent..).unwrap_or("")) else { continue };
            if indent <= root {
                if self.key(key, || block_value_shape(value, lines.clone())) {
                    return;
                }
                below = Parent::from_key(key).map(|parent| (parent, None));
            } else if let Some((parent, depth)) = &mut below
                && *depth.get_or_insert(indent) == indent
            {
                self.key_below(*parent, key, || block_value_shape(value, lines.clone()));
            }
        }
    }

    /// The keys of a mapping in braces.
    fn braces(&mut self, text: &str) {
        let (mut depth, mut below) = (0_usize, None);
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}', '[', ']', '"', '\'', '/']) {
            let (before, found) = rest.split_at_checked(at).unwrap_or(("", ""));
            let mut chars = found.chars();
            let token = chars.next();
            rest = chars.as_str();
            match token {
                Some('{' | '[') => depth += 1,
                Some('}' | ']') => depth = depth.saturating_sub(1),
                Some('/') => rest = comment(before, rest),
                Some(quote) => {
                    let (string, after) = quoted(rest, quote);
                    rest = after;
                    let value = after.trim_start().strip_prefix(':').map(str::trim_start);
                    match value.filter(|_| depth <= 2) {
                        Some(value) if depth == 1 => {
                            below = Parent::from_key(string);
                            if self.key(string, || value_shape(value)) {
                                return;
                            }
                        }
                        Some(value) => {
                            if let Some(parent) = below {
                                self.key_below(parent, string, || value_shape(value));
                            }
                        }
                        None => {}
                    }
                }
                None => return,
            }
            self.mapping |= depth > 0;
        }
    }
}

/// Whether a key of a hooks file is a legacy name of a list of hooks.
fn is_legacy_list(key: &str) -> bool {
    hooks::FILE.key(key).is_some_and(|key| key.legacy && key.becomes.is_some())
}

fn indentation(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}

/// Whether a line starts a document.
fn is_start(line: &str) -> bool {
    line.trim_end() == "---"
}

/// The key at the start of a line, and the text after its colon.
fn block_key(line: &str) -> Option<(&str, &str)> {
    let named = line.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '"' | '\''));
    let (key, value) = line.split_once(':').filter(|_| named)?;
    Some((key.trim_end().trim_matches(['"', '\'']), value))
}

/// The text after a slash: after the comment, if it starts one.
fn comment<'a>(before: &str, rest: &'a str) -> &'a str {
    // In YAML a slash can be inside a word.
    let begins = before.is_empty() || before.ends_with(|c: char| c.is_whitespace() || c == ',');
    match rest.as_bytes().first() {
        Some(b'/') if begins => rest.split_once('\n').map_or("", |(_, rest)| rest),
        Some(b'*') if begins => rest.split_once("*/").map_or("", |(_, rest)| rest),
        _ => rest,
    }
}

/// Whether a text has one of the keys that only workflow hooks have, or `on_error` on its own line.
pub(super) fn has_timing(text: &str) -> bool {
    workflow::POINTS.names().any(|key| {
        text.match_indices(key).any(|(at, _)| {
            let after = text.get(at + key.len()..).unwrap_or("").trim_start_matches(['"', '\'']).trim_start();
            let value = after.strip_prefix(':').map(|value| value.lines().next().unwrap_or("").trim());
            // `on_error: skip` is a key of many formats.
            value.is_some_and(|value| value.is_empty() || value.starts_with(['[', '#']))
        })
    })
}

/// The string up to the next `quote`, with its escapes as written, and the text after it.
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

fn value_shape(value: &str) -> ValueShape {
    match value.bytes().next() {
        Some(b'[') => ValueShape::List,
        Some(b'{') => ValueShape::Mapping,
        _ if value.starts_with("null") || value.starts_with('~') => ValueShape::List,
        _ => ValueShape::Other,
    }
}

/// The value of a block mapping's member: the text after the colon, otherwise the next non-empty
/// line.
fn block_value_shape<'a>(value: &str, lines: impl Iterator<Item = &'a str>) -> ValueShape {
    let mut value = value.trim_start();
    while value.starts_with(['&', '!']) {
        value = value.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
    }
    if !value.is_empty() && !value.starts_with('#') {
        return value_shape(value);
    }
    let mut lines = lines.filter(|line| !matches!(line.trim_start().bytes().next(), None | Some(b'#')));
    match lines.next() {
        Some(line) if line.trim_start().starts_with('-') => ValueShape::List,
        Some(line) if line.starts_with([' ', '\t']) => ValueShape::Mapping,
        _ => ValueShape::List,
    }
}
