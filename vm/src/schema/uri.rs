//! The format `uri`: RFC 3986 §3, with a scheme.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether a text is an absolute URI, not a relative reference.
pub(super) fn fits(text: &str) -> bool {
    read(text).is_some()
}

fn read(text: &str) -> Option<()> {
    let (scheme, rest) = text.split_once(':')?;
    let named = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    let scheme_good = named && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    let (rest, fragment) = split(rest, '#');
    let (rest, query) = split(rest, '?');
    let path = match rest.strip_prefix("//") {
        Some(rest) => {
            let end = rest.find('/').unwrap_or(rest.len());
            let (authority, path) = rest.split_at_checked(end)?;
            read_authority(authority)?;
            path
        }
        None => rest,
    };
    let tail = |part: &str| made_of(part, b":@/?");
    (scheme_good && made_of(path, b":@/") && tail(query) && tail(fragment)).then_some(())
}

fn split(text: &str, mark: char) -> (&str, &str) {
    text.split_once(mark).unwrap_or((text, ""))
}

fn read_authority(text: &str) -> Option<()> {
    let (user, host_port) = text.rsplit_once('@').unwrap_or(("", text));
    let (host, port) = match host_port.strip_prefix('[') {
        Some(rest) => {
            let (literal, port) = rest.split_once(']')?;
            read_literal(literal)?;
            ("", if port.is_empty() { "" } else { port.strip_prefix(':')? })
        }
        None => host_port.rsplit_once(':').unwrap_or((host_port, "")),
    };
    let good = made_of(user, b":") && made_of(host, b"") && port.bytes().all(|b| b.is_ascii_digit());
    good.then_some(())
}

/// `IPv6address` or `IPvFuture`.
fn read_literal(text: &str) -> Option<()> {
    let Some(future) = text.strip_prefix(['v', 'V']) else {
        return text.parse::<Ipv6Addr>().ok().map(drop);
    };
    let (version, address) = future.split_once('.')?;
    let hex = !version.is_empty() && version.bytes().all(|b| b.is_ascii_hexdigit());
    let plain = !address.contains('%') && !address.is_empty() && made_of(address, b":");
    (hex && plain).then_some(())
}

/// Whether a part consists of unreserved characters, sub-delimiters, percent escapes, and `others`.
fn made_of(text: &str, others: &[u8]) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let plain =
            byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte) || others.contains(&byte);
        let mut escape = || {
            byte == b'%'
                && [bytes.next(), bytes.next()].into_iter().all(|b| b.is_some_and(|b| b.is_ascii_hexdigit()))
        };
        if !plain && !escape() {
            return false;
        }
    }
    true
}

/// Whether a host is an IPv4 address; for `email`.
pub(super) fn is_address(text: &str) -> bool {
    match text.get(..5).filter(|tag| tag.eq_ignore_ascii_case("IPv6:")) {
        Some(tag) => text.get(tag.len()..).is_some_and(|rest| rest.parse::<Ipv6Addr>().is_ok()),
        None => text.parse::<Ipv4Addr>().is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn uris() {
        for good in [
            "http://foo.bar/?baz=qux#quux",
            "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com",
            "mailto:John.Doe@example.com",
            "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
            "ldap://[2001:db8::7]/c=GB?objectClass?one",
            "a:",
            "file:///c:/x",
            "http://[v1.fe80::a+en1]/",
        ] {
            assert!(fits(good), "{good}");
        }
        for bad in [
            "//foo.bar/?baz=qux#quux",
            "/abc",
            "\\\\WINDOWS\\fileshare",
            "abc",
            "http:// shouldfail.com",
            ":// should fail",
            "bar,baz:foo",
            "http://example.com/%zz",
            "http://[::1",
            "http://a:8x/",
            "http://[::1]x/",
            "a:b#c#d",
            "http://ex\u{e9}.org",
            "1a:b",
        ] {
            assert!(!fits(bad), "{bad}");
        }
    }
}
