//! Globs as regular expressions, token by token.

use regex::Regex;

/// Whether the whole `text` matches; an invalid glob matches nothing.
pub(crate) fn matches(pattern: &str, text: &str, ignore_case: bool) -> bool {
    let chars: Vec<char> = pattern.chars().collect();
    let mut at = 0;
    let Some(body) = sequence(&chars, &mut at, 0) else { return false };
    let flags = if ignore_case { "(?si)" } else { "(?s)" };
    Regex::new(&format!("{flags}\\A(?:{body})\\z")).is_ok_and(|regex| regex.is_match(text))
}

/// Translates up to the end, or inside braces up to `,` or `}`.
fn sequence(chars: &[char], at: &mut usize, depth: usize) -> Option<String> {
    let mut out = String::new();
    while let Some(&c) = chars.get(*at) {
        *at += 1;
        match c {
            '*' if chars.get(*at) == Some(&'*') => {
                *at += 1;
                let slash = chars.get(*at) == Some(&'/');
                *at += usize::from(slash);
                out += if slash { "(?:.*/)?" } else { ".*" };
            }
            '*' => out += "[^/]*",
            '?' => out += "[^/]",
            '[' => out += &class(chars, at)?,
            '{' => out += &braces(chars, at, depth + 1)?,
            ',' | '}' if depth > 0 => {
                *at -= 1;
                return Some(out);
            }
            '\\' => {
                let escaped = chars.get(*at)?;
                *at += 1;
                out += &regex::escape(&escaped.to_string());
            }
            c => out += &regex::escape(&c.to_string()),
        }
    }
    (depth == 0).then_some(out)
}

fn braces(chars: &[char], at: &mut usize, depth: usize) -> Option<String> {
    let mut alternatives = Vec::new();
    loop {
        alternatives.push(sequence(chars, at, depth)?);
        let stop = chars.get(*at)?;
        *at += 1;
        if *stop == '}' {
            return Some(format!("(?:{})", alternatives.join("|")));
        }
    }
}

fn class(chars: &[char], at: &mut usize) -> Option<String> {
    let negated = chars.get(*at) == Some(&'!');
    *at += usize::from(negated);
    let mut members = String::new();
    let mut first = true;
    loop {
        let mut c = *chars.get(*at)?;
        *at += 1;
        if c == ']' && !first {
            break;
        }
        first = false;
        if c == '\\' {
            c = *chars.get(*at)?;
            *at += 1;
        }
        members += &hex(c);
        let range = chars.get(*at) == Some(&'-') && chars.get(*at + 1).is_some_and(|&next| next != ']');
        if range {
            let mut last = *chars.get(*at + 1)?;
            *at += 2;
            if last == '\\' {
                last = *chars.get(*at)?;
                *at += 1;
            }
            members += &format!("-{}", hex(last));
        }
    }
    Some(if negated { format!("[^{members}/]") } else { format!("[[{members}]&&[^/]]") })
}

fn hex(c: char) -> String {
    format!("\\x{{{:x}}}", u32::from(c))
}
