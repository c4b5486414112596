//! The tokens of a JSON text that is known to be valid, read in place.

/// The tokens from here on, without the whitespace between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tokens<'t>(&'t str);

impl<'t> Tokens<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self(text)
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let text = self.0.trim_ascii_start();
        let length = match text.as_bytes().first()? {
            b'"' => string(text.as_bytes()),
            b'{' | b'}' | b'[' | b']' | b',' | b':' => 1,
            _ => text.bytes().position(ends_word).unwrap_or(text.len()),
        };
        let (token, rest) = text.split_at_checked(length)?;
        self.0 = rest;
        Some(token)
    }
}

fn ends_word(byte: u8) -> bool {
    matches!(byte, b',' | b':' | b']' | b'}') || byte.is_ascii_whitespace()
}

/// The length of the string at the start, with its quotes.
fn string(text: &[u8]) -> usize {
    let mut at: usize = 1;
    while let Some(found) =
        text.get(at..).and_then(|rest| rest.iter().position(|byte| matches!(byte, b'"' | b'\\')))
    {
        at = at.saturating_add(found);
        if text.get(at) == Some(&b'"') {
            return at.saturating_add(1);
        }
        at = at.saturating_add(2);
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::Tokens;

    #[test]
    fn tokens_in_order() {
        let names: Vec<&str> = Tokens::new(" {\"a\\\"}\" : [1e2 ,null,\"é\\\\\"]\n,\"\":{}}\t").collect();
        let expected =
            ["{", "\"a\\\"}\"", ":", "[", "1e2", ",", "null", ",", "\"é\\\\\"", "]", ",", "\"\"", ":", "{"];
        assert_eq!(names, [&expected[..], &["}", "}"]].concat());
        assert_eq!(Tokens::new("  ").count(), 0);
        assert_eq!(Tokens::new("\"cut").collect::<Vec<_>>(), ["\"cut"]);
    }
}
