//! Braces of patterns: `{a,b}c` is `ac` or `bc`.

/// The alternatives of a pattern, each without braces; none if they are more than `most`.
pub(crate) fn expand(pattern: &str, most: usize) -> Option<Vec<String>> {
    let mut done = Vec::new();
    let mut pending = vec![(String::new(), pattern.to_owned())];
    while let Some((before, rest)) = pending.pop() {
        if done.len() + pending.len() >= most {
            return None;
        }
        let Some((open, close)) = outermost(&rest) else {
            done.push(before + &rest);
            continue;
        };
        let head = before + rest.get(..open)?;
        let (inner, tail) = (rest.get(open + 1..close)?, rest.get(close + 1..)?);
        // The last one is on top, so that alternatives are in order.
        pending
            .extend(choices(inner).into_iter().rev().map(|choice| (head.clone(), format!("{choice}{tail}"))));
    }
    Some(done)
}

/// The first pair of braces that has a comma.
fn outermost(pattern: &str) -> Option<(usize, usize)> {
    let mut open = Vec::new();
    let mut is_escaped = false;
    let mut best: Option<(usize, usize)> = None;
    for (at, byte) in pattern.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'{' => open.push((at, false)),
            b',' => {
                if let Some((_, has_comma)) = open.last_mut() {
                    *has_comma = true;
                }
            }
            b'}' => {
                if let Some((from, true)) = open.pop() {
                    if best.is_none_or(|(best, _)| from < best) {
                        best = Some((from, at));
                    }
                    if open.is_empty() {
                        return best;
                    }
                }
            }
            _ => {}
        }
    }
    best
}

/// The parts between the commas that are in no braces.
fn choices(inner: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth, mut is_escaped) = (Vec::new(), 0, 0_usize, false);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.extend(inner.get(from..at));
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(inner.get(from..));
    parts
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn braces_are_alternatives() {
        let cases: [(&str, &[&str]); 9] = [
            ("{a,b}c{d,}", &["acd", "ac", "bcd", "bc"]),
            ("x{a,{b,c}d}", &["xa", "xbd", "xcd"]),
            ("{a}", &["{a}"]),
            ("{a{b,c}}", &["{ab}", "{ac}"]),
            ("{a,b", &["{a,b"]),
            ("{x{a,b}", &["{xa", "{xb"]),
            (r"\{a,b}", &[r"\{a,b}"]),
            (r"{a\,b,c}", &[r"a\,b", "c"]),
            ("", &[""]),
        ];
        for (pattern, expected) in cases {
            assert_eq!(expand(pattern, 9).unwrap(), expected, "{pattern}");
        }
        assert_eq!(expand("{a,b}{a,b}{a,b}{a,b}", 9), None);
        assert_eq!(expand(&"{a,b}".repeat(100), 1_024), None);
    }
}
