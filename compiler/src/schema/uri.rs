//! References to URIs (RFC 3986 §5.2), as texts.

/// The parts of a reference; all except the path can be absent.
#[derive(Clone, Copy)]
struct Parts<'u> {
    scheme: Option<&'u str>,
    authority: Option<&'u str>,
    path: &'u str,
    query: Option<&'u str>,
    fragment: Option<&'u str>,
}

/// `reference` resolved against `base`, which can be empty; the fragment is unchanged.
pub(super) fn resolve(base: &str, reference: &str) -> String {
    let (base, target_parts) = (split(base), split(reference));
    let path;
    let target = if target_parts.scheme.is_some() {
        path = without_dots(target_parts.path);
        Parts { path: &path, ..target_parts }
    } else if target_parts.authority.is_some() {
        path = without_dots(target_parts.path);
        Parts { scheme: base.scheme, path: &path, ..target_parts }
    } else {
        let outer = Parts { scheme: base.scheme, authority: base.authority, ..target_parts };
        if target_parts.path.is_empty() {
            Parts { path: base.path, query: target_parts.query.or(base.query), ..outer }
        } else {
            path = match target_parts.path.starts_with('/') {
                true => without_dots(target_parts.path),
                false => without_dots(&merged(base, target_parts.path)),
            };
            Parts { path: &path, ..outer }
        }
    };
    join(target)
}

fn split(text: &str) -> Parts<'_> {
    let cut = |text, mark| match str::split_once(text, mark) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    };
    let (rest, fragment) = cut(text, '#');
    let (rest, query) = cut(rest, '?');
    let (scheme, rest) = match rest.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, rest),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            (Some(authority), path)
        }
        None => (None, rest),
    };
    Parts { scheme, authority, path, query, fragment }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

/// RFC 3986 §5.2.3.
fn merged(base: Parts<'_>, path: &str) -> String {
    if base.authority.is_some() && base.path.is_empty() {
        return format!("/{path}");
    }
    let folder = base.path.rsplit_once('/').map(|(folder, _)| folder);
    folder.map_or_else(|| path.to_owned(), |folder| format!("{folder}/{path}"))
}

/// RFC 3986 §5.2.4, by segments.
fn without_dots(path: &str) -> String {
    let absolute = path.starts_with('/');
    let segments: Vec<&str> = path.strip_prefix('/').unwrap_or(path).split('/').collect();
    let mut kept: Vec<&str> = Vec::with_capacity(segments.len());
    for (at, segment) in segments.iter().enumerate() {
        match *segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            segment => {
                kept.push(segment);
                continue;
            }
        }
        // A trailing directory keeps its slash.
        if at + 1 == segments.len() {
            kept.push("");
        }
    }
    let joined = kept.join("/");
    if absolute { format!("/{joined}") } else { joined }
}

fn join(parts: Parts<'_>) -> String {
    let part = |before: &str, part: Option<&str>, after: &str| {
        part.map_or_else(String::new, |part| format!("{before}{part}{after}"))
    };
    format!(
        "{}{}{}{}{}",
        part("", parts.scheme, ":"),
        part("//", parts.authority, ""),
        parts.path,
        part("?", parts.query, ""),
        part("#", parts.fragment, "")
    )
}

/// A percent-decoded fragment; `None` if that is not text.
pub(super) fn decoded(fragment: &str) -> Option<String> {
    let mut out = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(rest.next())?, digit(rest.next())?);
        out.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::{decoded, resolve};

    /// RFC 3986 §5.4.
    #[test]
    fn examples_of_the_standard() {
        let base = "http://a/b/c/d;p?q";
        for (reference, uri) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"),
            (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("g;x=1/../y", "http://a/b/c/y"),
        ] {
            assert_eq!(resolve(base, reference), uri, "{reference}");
        }
        assert_eq!(resolve("", "item"), "item");
        assert_eq!(resolve("urn:a:b", "#x"), "urn:a:b#x");
        assert_eq!(resolve("http://a", "g"), "http://a/g");
    }

    #[test]
    fn escapes() {
        assert_eq!(decoded("a%25%C3%A9").as_deref(), Some("a%é"));
        assert!(decoded("%2").is_none() && decoded("%ff").is_none());
    }
}
