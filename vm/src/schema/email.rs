//! The format `email`: RFC 5321 §4.1.2 `Mailbox`.

use super::uri::is_address;

/// Whether a text is a mailbox: a local part, `@`, and a domain or an address in brackets.
pub(super) fn fits(text: &str) -> bool {
    text.rsplit_once('@').is_some_and(|(local, domain)| is_local(local) && is_domain(domain))
}

/// Characters of `atext` (RFC 5322 §3.2.3) besides letters and digits.
const ATOM: &[u8] = b"!#$%&'*+-/=?^_`{|}~";

fn is_local(text: &str) -> bool {
    let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let atom =
        |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || ATOM.contains(&b));
    match quoted {
        Some(inside) => is_quoted(inside),
        None => text.split('.').all(atom),
    }
}

/// Printable characters, or a quote or backslash after a backslash.
fn is_quoted(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let good = match byte {
            b'\\' => bytes.next().is_some_and(|b| matches!(b, b' '..=b'~')),
            b'"' => false,
            _ => matches!(byte, b' '..=b'~'),
        };
        if !good {
            return false;
        }
    }
    true
}

fn is_domain(text: &str) -> bool {
    if let Some(inside) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        return is_address(inside);
    }
    let label = |label: &str| {
        let edges = !label.starts_with('-') && !label.ends_with('-');
        !label.is_empty() && edges && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    text.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn mailboxes() {
        for good in [
            "joe.bloggs@example.com",
            "te~st@example.com",
            "\"joe bloggs\"@example.com",
            "\"joe..bloggs\"@example.com",
            "\"joe@bloggs\"@example.com",
            "a@[127.0.0.1]",
            "a@[IPv6:::1]",
            "\"a\\\"b\"@c",
        ] {
            assert!(fits(good), "{good}");
        }
        for bad in [
            "2962",
            ".test@example.com",
            "te..st@example.com",
            "a@-b.c",
            "a@[127.0.0.300]",
            "a@b,c",
            "a@",
            "@b",
            "\"a\"b\"@c",
            "a b@c",
        ] {
            assert!(!fits(bad), "{bad}");
        }
    }
}
