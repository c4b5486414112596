//! The parts of words that objects of effects are made of.

use std::ops::Range;

use super::text::Text;
use crate::token::long;

/// Where a part of a text is, if no part of it is in a hole.
fn find(text: Text<'_>, from: usize, is_wanted: impl Fn(u8) -> bool) -> Option<usize> {
    let is_inner = |at: usize| text.holes.iter().any(|gap| (long(gap.from)..long(gap.to)).contains(&at));
    let mut bytes = text.text.bytes().enumerate().skip(from);
    bytes.find(|(at, byte)| is_wanted(*byte) && !is_inner(*at)).map(|(at, _)| at)
}

/// The last byte of a range that is not in a hole and is one of some.
fn find_last(text: Text<'_>, range: Range<usize>, is_wanted: impl Fn(u8) -> bool) -> Option<usize> {
    let mut last = None;
    let mut from = range.start;
    while let Some(at) = find(text, from, &is_wanted).filter(|at| *at < range.end) {
        last = Some(at);
        from = at + 1;
    }
    last
}

/// Where the scheme of an address ends: `https` of `https://x`.
pub(super) fn scheme(text: Text<'_>) -> Option<&str> {
    let (scheme, _) = text.text.split_once("://")?;
    let is_literal = text.holes.first().is_none_or(|gap| long(gap.from) >= scheme.len());
    (is_literal && is_scheme(scheme)).then_some(scheme)
}

/// Where the address of a package starts, which can have a name in front of it: `name@https://host/x.tgz`,
/// `name @ https://host/x.whl`, `name@git@example.org:x.git`.
pub(super) fn package_address(text: Text<'_>) -> Option<usize> {
    if is_address(text, 0) {
        return Some(0);
    }
    let start = find(text, 1, |byte| byte == b'@')? + 1;
    let rest = text.text.get(start..)?;
    let start = start + rest.len() - rest.trim_start().len();
    is_address(text, start).then_some(start)
}

/// Whether an address starts at a place of a text: one with a scheme, or `USER@HOST:PATH` with a dot in the host, as
/// npm tells it from `name@tag`.
fn is_address(text: Text<'_>, start: usize) -> bool {
    let Some(rest) = text.text.get(start..) else { return false };
    let is_literal = |end: usize| text.holes.iter().all(|gap| long(gap.from) >= end || long(gap.to) <= start);
    if let Some((scheme, _)) = rest.split_once("://").filter(|(scheme, _)| is_scheme(scheme)) {
        return is_literal(start + scheme.len());
    }
    let after = |from: usize, byte: u8| find(text, from, |found| found == byte);
    let Some((at, colon)) = after(start, b'@').and_then(|at| Some((at, after(at, b':')?))) else {
        return false;
    };
    let (host, path) = (text.text.get(at + 1..colon).unwrap_or_default(), text.text.get(colon + 1..));
    let is_path = path.is_some_and(|path| !path.is_empty() && !path.starts_with("//"));
    at > start && is_path && host.contains('.') && !host.contains(['/', '@'])
}

fn is_scheme(text: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    !text.is_empty() && text.bytes().all(is_name)
}

/// The user, the host and the port of an address.
pub(super) fn authority(text: Text<'_>) -> Range<usize> {
    let start = scheme(text).map_or(0, |scheme| scheme.len() + 3);
    let end = find(text, start, |byte| matches!(byte, b'/' | b'?' | b'#' | b'\\'));
    start..end.unwrap_or(text.text.len())
}

/// The host of an address, of `USER@HOST:PORT`, or of `HOST:PATH`.
pub(super) fn host(text: Text<'_>) -> Range<usize> {
    let Range { start, end } = authority(text);
    let start = find_last(text, start..end, |byte| byte == b'@').map_or(start, |at| at + 1);
    if text.text.get(start..end).is_some_and(|host| host.starts_with('[')) {
        // `[::1]:80`
        let close = find(text, start, |byte| byte == b']').filter(|close| *close < end);
        return start + 1..close.unwrap_or(end);
    }
    let end = find(text, start, |byte| byte == b':').filter(|colon| *colon < end).unwrap_or(end);
    start..end
}

/// Where the path of `[USER@]HOST:PATH` starts; none for the path of a file here, and for an address.
pub(super) fn remote_path(text: Text<'_>) -> Option<usize> {
    let colon = find(text, 0, |byte| byte == b':')?;
    let slash = find(text, 0, |byte| byte == b'/').unwrap_or(usize::MAX);
    (colon > 0 && colon < slash && scheme(text).is_none()).then_some(colon + 1)
}

/// Whether a text names a file here, and no address: `./x`, `../x`, `/x`, `~/x`, `.`.
pub(super) fn is_path(text: Text<'_>) -> bool {
    let is_literal = text.holes.first().is_none_or(|gap| gap.from > 0);
    is_literal && text.text.starts_with(['/', '.', '~'])
}

/// What a ref of a push names on the remote: `refs/heads/main` of `+HEAD:refs/heads/main`, `main` of `:main`. None for
/// the branch of the work tree, whose name is unknown.
pub(super) fn pushed(text: Text<'_>) -> Option<Range<usize>> {
    let end = text.text.len();
    let start = usize::from(text.text.starts_with('+'));
    let start = find_last(text, start..end, |byte| byte == b':').map_or(start, |colon| colon + 1);
    (!matches!(text.text.get(start..end), Some("" | "HEAD" | "@"))).then_some(start..end)
}

/// The local ref that a refspec of a fetch moves: `b` of `+a:b`.
pub(super) fn fetched(text: Text<'_>) -> Option<Range<usize>> {
    let colon = find_last(text, 0..text.text.len(), |byte| byte == b':')?;
    (colon + 1 < text.text.len()).then_some(colon + 1..text.text.len())
}

/// The name of a branch without the directory of branches.
pub(super) fn branch(name: &str) -> &str {
    name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix("heads/")).unwrap_or(name)
}

/// The last name of the path of an address, which a download has.
pub(super) fn download(text: Text<'_>) -> Option<Range<usize>> {
    let start = scheme(text).map_or(0, |scheme| scheme.len() + 3);
    let end = find(text, start, |byte| matches!(byte, b'?' | b'#')).unwrap_or(text.text.len());
    let slash = find_last(text, start..end, |byte| byte == b'/')?;
    (slash + 1 < end).then_some(slash + 1..end)
}

/// Where the names of files are in a value that is sent: `F` of `@F` and `name@F`, and in a form also of
/// `name=@F;type=x,G`, `name:=@F` and `name=<F`. Empty if the value is text.
pub(super) fn sent_files(text: Text<'_>, is_form: bool) -> Vec<Range<usize>> {
    let end = text.text.len();
    if text.text.starts_with('@') {
        return std::iter::once(1..end).collect();
    }
    let Some(sign) = find(text, 0, |byte| matches!(byte, b'=' | b'@')) else { return Vec::new() };
    if text.text.as_bytes().get(sign) == Some(&b'@') {
        let name = text.text.get(..sign).unwrap_or_default();
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        return name.bytes().all(is_name).then_some(sign + 1..end).into_iter().collect();
    }
    let is_file = matches!(text.text.as_bytes().get(sign + 1), Some(b'@' | b'<'));
    let mut next = Some(sign + 2).filter(|_| is_form && is_file);
    std::iter::from_fn(|| {
        let start = next?;
        let close = find(text, start, |byte| matches!(byte, b';' | b','));
        let comma = close.and_then(|close| find(text, close, |byte| byte == b','));
        next = comma.map(|comma| comma + 1);
        Some(start..close.unwrap_or(end))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HoleKind;
    use crate::effects::Gap;

    fn part(text: &str, of: impl Fn(Text<'_>) -> Option<Range<usize>>) -> Option<&str> {
        of(Text::literal(text)).and_then(|range| text.get(range))
    }

    #[test]
    fn hosts() {
        for (text, expected) in [
            ("https://me:pw@x.example:80/a?b", "x.example"),
            ("x.example/a", "x.example"),
            ("git@h.example:me/x", "h.example"),
            ("http://docs.rs@evil.example/", "evil.example"),
            ("http://evil.example\\@docs.rs/", "evil.example"),
            ("http://[::1]:8080/x", "::1"),
            ("localhost:3000", "localhost"),
            ("h", "h"),
        ] {
            assert_eq!(part(text, |text| Some(host(text))), Some(expected), "{text}");
        }
        let holes = [Gap { from: 8, to: 15, kind: HoleKind::Text }];
        let text = Text { text: "https://$(a/b@)/c", holes: &holes };
        assert_eq!(host(text), 8..15);
    }

    #[test]
    fn refs() {
        for (text, expected) in [
            ("main", Some("main")),
            ("+HEAD:refs/heads/main", Some("refs/heads/main")),
            (":main", Some("main")),
            ("+x", Some("x")),
            ("HEAD", None),
            ("@", None),
            ("a:refs/tags/v1", Some("refs/tags/v1")),
            ("heads/main", Some("heads/main")),
        ] {
            assert_eq!(part(text, pushed), expected, "{text}");
        }
        for (name, expected) in
            [("refs/heads/main", "main"), ("heads/x/y", "x/y"), ("refs/tags/v1", "refs/tags/v1")]
        {
            assert_eq!(branch(name), expected, "{name}");
        }
        assert_eq!(part("+a:b", fetched), Some("b"));
        assert_eq!(part("a", fetched), None);
    }

    #[test]
    fn files_in_values() {
        for (text, is_form, expected) in [
            ("@.env", false, Some(".env")),
            ("a=b", false, None),
            ("f=@.env;type=text/plain", true, Some(".env")),
            ("f=<.env", true, Some(".env")),
            ("f=.env", true, None),
            ("f@.env", true, Some(".env")),
            ("f:=@.env", true, Some(".env")),
            ("me@h: x", false, Some("h: x")),
            ("mail to me@h", false, None),
            ("a=b@c", false, None),
        ] {
            assert_eq!(part(text, |text| sent_files(text, is_form).into_iter().next()), expected, "{text}");
        }
        let text = "f=@a;type=x/y,b,c;type=z";
        let files = sent_files(Text::literal(text), true);
        assert_eq!(
            files.into_iter().filter_map(|range| text.get(range)).collect::<Vec<_>>(),
            ["a", "b", "c"]
        );
        assert_eq!(part("https://h/a/b.txt?c", download), Some("b.txt"));
        assert_eq!(part("https://h/", download), None);
        let is_remote = |text| remote_path(Text::literal(text)).is_some();
        assert!(is_remote("h:x") && is_remote("me@h:") && !is_remote("./a:b") && !is_remote("https://x"));
    }
}
