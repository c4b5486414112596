//! The texts that a simple regular expression matches.

/// Any text, also none.
pub(super) const ANY: char = '\u{1}';
/// The start of the text.
pub(super) const START: char = '\u{2}';
/// The end of the text.
pub(super) const END: char = '\u{3}';
/// The boundary of a word.
pub(super) const BOUNDARY: char = '\u{5}';

/// The most texts.
const TEXTS: usize = 16;

/// The texts of which a regular expression finds one, with [`ANY`], [`START`] and [`END`]; `None` if it has other
/// parts. Whitespace, and what separates commands, is a space.
pub(super) fn texts(regex: &str) -> Option<Vec<String>> {
    let regex = regex.strip_prefix("(?i)").unwrap_or(regex);
    let mut reader = Reader { rest: regex, depth: 0 };
    let texts = reader.alternatives()?;
    reader.rest.is_empty().then_some(texts)
}

/// The whole texts that a regular expression of plain alternatives matches, `^(Write|Edit)$`, and whether it matches no
/// other text.
pub(crate) fn alternatives(regex: &str) -> Option<(Vec<String>, bool)> {
    let texts = texts(regex)?;
    let is_whole = |text: &String| text.starts_with(START) && text.ends_with(END);
    let is_exact = texts.iter().all(is_whole) && !regex.starts_with("(?i)");
    let plain = |text: &String| text.trim_matches([START, END, BOUNDARY]).to_owned();
    let texts: Vec<String> = texts.iter().map(plain).collect();
    let is_plain = |text: &String| !text.is_empty() && !text.contains([ANY, START, END, BOUNDARY, ' ']);
    texts.iter().all(is_plain).then_some((texts, is_exact))
}

/// The most parentheses around each other.
const DEPTH: usize = 8;

struct Reader<'r> {
    rest: &'r str,
    depth: usize,
}

impl Reader<'_> {
    fn take(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Texts with `|` between them. The recursion depth is limited.
    fn alternatives(&mut self) -> Option<Vec<String>> {
        let mut texts = self.sequence()?;
        while self.take("|") {
            texts.extend(self.sequence()?);
        }
        (texts.len() <= TEXTS).then_some(texts)
    }

    fn sequence(&mut self) -> Option<Vec<String>> {
        let mut texts = vec![String::new()];
        while !self.rest.is_empty() && !self.rest.starts_with(['|', ')']) {
            let mut atom = self.atom()?;
            match self.rest.chars().next() {
                Some('?') if atom != ["."] => {
                    self.take("?");
                    atom.push(String::new());
                }
                Some('*' | '+') => {
                    self.rest = self.rest.get(1..)?;
                    self.take("?");
                    atom = match atom.as_slice() {
                        [one] if one == "." => vec![ANY.to_string()],
                        [one] if one == " " => vec![" ".to_owned()],
                        _ => return None,
                    };
                }
                Some('{' | '?') => return None,
                _ if atom == ["."] => return None,
                _ => {}
            }
            // A dot is any character, and an escaped one is itself.
            atom.iter_mut().for_each(|text| *text = text.replace(DOT, "."));
            texts =
                texts.iter().flat_map(|start| atom.iter().map(move |end| format!("{start}{end}"))).collect();
            if texts.len() > TEXTS {
                return None;
            }
        }
        Some(texts)
    }

    fn atom(&mut self) -> Option<Vec<String>> {
        let next = self.rest.chars().next()?;
        self.rest = self.rest.get(next.len_utf8()..)?;
        let text = match next {
            '(' => return self.group(),
            '[' => return self.class(),
            '\\' => return self.escape(),
            '^' => START.to_string(),
            '$' => END.to_string(),
            '*' | '+' | '?' | '{' | '}' | ']' => return None,
            other => other.to_string(),
        };
        Some(vec![text])
    }

    fn group(&mut self) -> Option<Vec<String>> {
        self.depth += 1;
        let is_group = self.depth <= DEPTH && (self.take("?:") || !self.rest.starts_with('?'));
        let inner = if is_group { self.alternatives()? } else { return None };
        self.depth -= 1;
        self.take(")").then_some(inner)
    }

    /// A class of what separates words and commands.
    fn class(&mut self) -> Option<Vec<String>> {
        let end = self.rest.find(']')?;
        let class = self.rest.get(..end)?.replace("\\s", " ");
        self.rest = self.rest.get(end + 1..)?;
        let is_separator = |next: char| matches!(next, ' ' | ';' | '&' | '|' | '(' | '`');
        (!class.is_empty() && class.chars().all(is_separator)).then(|| vec![" ".to_owned()])
    }

    fn escape(&mut self) -> Option<Vec<String>> {
        let next = self.rest.chars().next()?;
        self.rest = self.rest.get(next.len_utf8()..)?;
        let text = match next {
            's' => " ".to_owned(),
            'b' => BOUNDARY.to_string(),
            'A' => START.to_string(),
            'z' => END.to_string(),
            '.' => DOT.to_string(),
            other if other.is_ascii_alphanumeric() => return None,
            other => other.to_string(),
        };
        Some(vec![text])
    }
}

/// A dot that is no wildcard, while a sequence is read.
const DOT: char = '\u{4}';

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(regex: &str) -> Option<Vec<String>> {
        let show = |text: String| {
            text.replace(ANY, "..").replace(START, "<").replace(END, ">").replace(BOUNDARY, "/")
        };
        Some(texts(regex)?.into_iter().map(show).collect())
    }

    #[test]
    fn simple_expressions_are_texts() {
        for (regex, expected) in [
            (r"^git\s+push", &["<git push"][..]),
            (r"\bgit push\b.*--force", &["/git push/..--force"]),
            (r"(^|[;&|]\s*)rm -rf", &["<rm -rf", "  rm -rf"]),
            (r"^(Write|Edit)$", &["<Write>", "<Edit>"]),
            (r"\.env$", &[".env>"]),
            (r"pushe?d", &["pushed", "pushd"]),
            (r"(?i)drop", &["drop"]),
        ] {
            assert_eq!(
                shown(regex),
                Some(expected.iter().map(|text| (*text).to_owned()).collect()),
                "{regex}"
            );
        }
    }

    #[test]
    fn others_are_not() {
        for regex in [r"a.c", r"[a-z]+", r"\d", r"a{2}", r"(?=x)", r"x+", "(", "a|b)", r"(?P<n>x)", "*"] {
            assert_eq!(shown(regex), None, "{regex}");
        }
        let names = vec!["Write".to_owned(), "Edit".to_owned()];
        assert_eq!(alternatives("Write|Edit"), Some((names.clone(), false)));
        assert_eq!(alternatives("^(Write|Edit)$"), Some((names, true)));
        assert_eq!(alternatives("mcp__.*"), None);
    }
}
