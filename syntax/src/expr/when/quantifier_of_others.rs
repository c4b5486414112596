//! Quantifiers as other languages write them: `any(x in path: ...)`, `path.some(x => ...)`, `for x in path: ...`.

use std::ops::Range;

use super::is_reserved;

/// The longest condition that is repeated in a message.
const LONGEST: usize = 160;

/// How far before a position a quantifier starts, and how far after it one ends.
const NEAR: usize = 400;

/// A quantifier, from its first word to its end.
struct Shape<'t> {
    word: &'t str,
    name: &'t str,
    path: &'t str,
    body: &'t str,
    range: Range<usize>,
}

/// What to write instead of the quantifier of another language around a position.
pub(super) fn meant(text: &str, at: usize) -> Option<String> {
    let end = (at.saturating_add(NEAR)..text.len()).find(|end| text.is_char_boundary(*end));
    let text = text.get(..end.unwrap_or(text.len()))?;
    let starts = text.char_indices().filter(|(start, c)| {
        let before = text.get(..*start).and_then(|before| before.chars().next_back());
        is_path_char(*c) && !before.is_some_and(is_path_char) && *start <= at && at - *start <= NEAR
    });
    let found = starts.into_iter().find_map(|(start, _)| {
        shape(text, start).filter(|found| found.range.contains(&at) || found.range.end == at)
    });
    found.filter(|found| !is_reserved(found.name))?.written()
}

impl Shape<'_> {
    fn written(&self) -> Option<String> {
        let body = if self.body.len() > LONGEST { "..." } else { self.body };
        let shape = |quantifier| format!("`{quantifier}({} in {}: {body})`", self.name, self.path);
        Some(match self.word.to_ascii_lowercase().as_str() {
            "any" | "some" | "exists" | "exist" | "has" | "anyof" => {
                format!("write {}", shape("some"))
            }
            "all" | "every" | "forall" | "allof" => format!("write {}", shape("every")),
            "for" | "foreach" | "each" => {
                format!("write {}, or `every(...)` for all of them", shape("some"))
            }
            "none" | "no" => format!("write `not {}", shape("some").trim_start_matches('`')),
            _ => return None,
        })
    }
}

fn shape(text: &str, start: usize) -> Option<Shape<'_>> {
    let mut cursor = Cursor { text, at: start };
    let first = cursor.path()?;
    let shape = |word, name, path, (body, end)| Shape { word, name, path, body, range: start..end };
    if let Some((path, word)) = first.rsplit_once('.') {
        // `path.some(x => ...)`
        cursor.eat("(")?;
        let name = cursor.bound()?;
        cursor.any(&["=>", "->", ",", ":", "|"])?;
        return Some(shape(word, name, path, cursor.body(true)?));
    }
    let word = first;
    let is_open = cursor.eat("(").is_some();
    let mut other = cursor.clone();
    if let Some(found) = cursor.named() {
        cursor.any(&["satisfies", "where", "such that", "=>", "->", ":", ",", "|"])?;
        return Some(shape(word, found.0, found.1, cursor.body(is_open)?));
    }
    if !is_open {
        return None;
    }
    let path = other.clone().path()?;
    let mut after = other.clone();
    after.path()?;
    if after.any(&[",", "as "]).is_some() {
        // `any(path, x => ...)`, `some(path as x: ...)`
        let name = after.bound()?;
        after.any(&["=>", "->", ":"])?;
        return Some(shape(word, name, path, after.body(true)?));
    }
    // `any(... for x in path)`
    let (body, end) = other.body(true)?;
    let (body, rest) = body.rsplit_once(" for ")?;
    let (name, path) = Cursor { text: rest, at: 0 }.named()?;
    Some(shape(word, name, path, (body.trim(), end)))
}

#[derive(Clone)]
struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, sign: &str) -> Option<()> {
        self.skip();
        let is_there = self.rest().get(..sign.len()).is_some_and(|start| start.eq_ignore_ascii_case(sign));
        is_there.then(|| self.at += sign.len())
    }

    fn any(&mut self, signs: &[&str]) -> Option<()> {
        signs.iter().find_map(|sign| self.eat(sign))
    }

    fn path(&mut self) -> Option<&'t str> {
        self.skip();
        let rest = self.rest();
        let end = rest.find(|c| !is_path_char(c)).unwrap_or(rest.len());
        let path = rest.get(..end).filter(|path| !path.is_empty())?;
        self.at += end;
        Some(path)
    }

    fn name(&mut self) -> Option<&'t str> {
        self.path().filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
    }

    /// A name, perhaps in parentheses.
    fn bound(&mut self) -> Option<&'t str> {
        let is_open = self.eat("(").is_some();
        let name = self.name()?;
        if is_open {
            self.eat(")")?;
        }
        Some(name)
    }

    /// `x in path`, `x of path`
    fn named(&mut self) -> Option<(&'t str, &'t str)> {
        let name = self.name()?;
        self.any(&["in ", "of "])?;
        Some((name, self.path()?))
    }

    /// The condition up to the closing parenthesis or the end of the text, and where that is.
    fn body(&mut self, is_open: bool) -> Option<(&'t str, usize)> {
        self.skip();
        let rest = self.rest();
        let end = match is_open {
            true => closing(rest)?,
            false => rest.len(),
        };
        let body = rest.get(..end)?.trim();
        (!body.is_empty()).then_some((body, self.at + end + usize::from(is_open)))
    }
}

/// Where the parenthesis that encloses a text is closed.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, c) in text.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('\'' | '"', None) => quote = Some(c),
            ('(', None) => depth += 1,
            (')', None) if depth == 0 => return Some(at),
            (')', None) => depth -= 1,
            _ => {}
        }
    }
    None
}

fn is_path_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '[' | ']' | '*')
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn other_shapes() {
        let some = Some("write `some(x in a.b: x.c == 'd')`");
        let every = Some("write `every(x in a.b: x.c == 'd')`");
        for (text, expected) in [
            ("any(x in a.b: x.c == 'd')", some),
            ("exists x in a.b: x.c == 'd'", some),
            ("any x in a.b: x.c == 'd'", some),
            ("ANY x IN a.b SATISFIES x.c == 'd'", some),
            ("a.b.some(x => x.c == 'd')", some),
            ("a.b.exists(x, x.c == 'd')", some),
            ("a.b.any((x) => x.c == 'd')", some),
            ("any(a.b, x => x.c == 'd')", some),
            ("some(a.b as x: x.c == 'd')", some),
            ("any(x.c == 'd' for x in a.b)", some),
            ("some(x of a.b: x.c == 'd')", some),
            ("some(x in a.b, x.c == 'd')", some),
            ("some(x in a.b | x.c == 'd')", some),
            ("all(x in a.b: x.c == 'd')", every),
            ("forall x in a.b: x.c == 'd'", every),
            ("a.b.every(x => x.c == 'd')", every),
            ("none(x in a.b: x.c == 'd')", Some("write `not some(x in a.b: x.c == 'd')`")),
            (
                "for x in a.b: x.c == 'd'",
                Some("write `some(x in a.b: x.c == 'd')`, or `every(...)` for all of them"),
            ),
            ("e == 1 and any(x in a.b: f(x.c == ')'))", Some("write `some(x in a.b: f(x.c == ')'))`")),
            ("a.b.startsWith('d')", None),
            ("lower(a.b) == 'd'", None),
            ("any(a == 1, b ==)", None),
            ("x in a.b", None),
        ] {
            let at = text.find(['(', ':']).unwrap_or(0);
            assert_eq!(meant(text, at).as_deref(), expected, "{text}");
        }
    }
}
