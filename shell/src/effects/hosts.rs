//! One spelling of an address: programs take `0x7f.1`, `2130706433` and `127.0.0.1` for the same machine.

use std::net::{Ipv4Addr, Ipv6Addr};

/// The usual spelling of an address of a machine, as inet_aton(3) and RFC 5952 have it; none for a name, and if it is
/// spelled so.
pub(super) fn canonical(host: &str) -> Option<String> {
    let is_number = host.starts_with(|first: char| first.is_ascii_digit());
    if !is_number && !host.contains(':') {
        return None;
    }
    let text = match host.parse::<Ipv6Addr>() {
        Ok(address) => address.to_ipv4_mapped().map_or_else(|| address.to_string(), |four| four.to_string()),
        Err(_) => four_bytes(host)?.to_string(),
    };
    (text != host).then_some(text)
}

/// One to four numbers, decimal, octal or hexadecimal. The last one fills the bytes that are left.
fn four_bytes(host: &str) -> Option<Ipv4Addr> {
    let parts: Vec<u64> = host.split('.').map(number).collect::<Option<_>>()?;
    let (last, first) = parts.split_last()?;
    let bits = 32_u32.checked_sub(8 * u32::try_from(first.len()).ok()?).filter(|bits| *bits > 0)?;
    if *last >> bits != 0 || first.iter().any(|byte| *byte > 255) {
        return None;
    }
    let places = [24, 16, 8];
    let high: u64 = first.iter().zip(places).map(|(byte, place)| byte << place).sum();
    Some(Ipv4Addr::from(u32::try_from(high | last).ok()?))
}

fn number(text: &str) -> Option<u64> {
    let is_octal = text.len() > 1 && text.starts_with('0');
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None if is_octal => (text, 8),
        None => (text, 10),
    };
    // A sign is not part of a number here.
    let has_digits = digits.starts_with(|first: char| first.is_ascii_hexdigit());
    if has_digits { u64::from_str_radix(digits, radix).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn addresses_have_one_spelling() {
        for (host, expected) in [
            ("0177.0.0.1", "127.0.0.1"),
            ("0x7f.1", "127.0.0.1"),
            ("2130706433", "127.0.0.1"),
            ("127.1", "127.0.0.1"),
            ("010.0.0.1", "8.0.0.1"),
            ("0", "0.0.0.0"),
            ("169.254.43518", "169.254.169.254"),
            ("::ffff:127.0.0.1", "127.0.0.1"),
            ("0:0:0:0:0:0:0:1", "::1"),
        ] {
            assert_eq!(canonical(host).as_deref(), Some(expected), "{host}");
        }
        for host in [
            "127.0.0.1",
            "::1",
            "localhost",
            "1.example",
            "256.0.0.1",
            "1.2.3.4.5",
            "09.0.0.1",
            "4294967296",
            "0x",
            "1..2",
            "1.",
            "",
            "h:80",
            "127.*",
            "1.+2",
        ] {
            assert_eq!(canonical(host), None, "{host}");
        }
    }
}
