//! Files that code of other languages opens, as far as a literal names them: `open('F')`, `readFile("F")`.

use regex::Regex;

/// Functions that read a file, and what makes a file of a path.
const READERS: &str = "(?:createRead|file_get|fopen|open|read|slurp)[A-Za-z0-9_]*|Path|PathBuf|file";

/// The names of the files.
pub(super) fn opened(code: &str) -> Vec<String> {
    // `open('F'`, and `open F, 'x'` of Perl.
    let call = format!(r"(?:^|[^A-Za-z0-9_])(?:{READERS})\s*\([^(;\n{{}}]*$");
    let statement = format!(
        r"(?:^|[;\n{{}}])\s*(?:[^ ,;\n{{}}(]*[^A-Za-z0-9_ ,;\n{{}}(])?(?:{READERS})(?:[ ,][^;\n{{}}(]*)?$"
    );
    let calls: Vec<Regex> = [call, statement].iter().filter_map(|text| Regex::new(text).ok()).collect();
    let (mut names, mut rest, mut is_opened) = (Vec::new(), code, false);
    while let Some((before, text, after)) = quoted(rest) {
        let opens = calls.iter().any(|call| call.is_match(before));
        is_opened = opens || is_opened && !before.contains([')', ';', '\n', '{', '}']);
        let is_mode = text.chars().all(|c| "<>+rwabtx".contains(c)) || matches!(text, "utf8" | "utf-8");
        if is_opened && !is_mode {
            names.push(text.to_owned());
        }
        rest = after;
    }
    names
}

/// The first text in quotes, with what is before and after it.
fn quoted(code: &str) -> Option<(&str, &str, &str)> {
    let (before, _) = code.split_at_checked(code.find(['\'', '"'])?)?;
    let quote = code.get(before.len()..)?.chars().next()?;
    let (text, after) = code.get(before.len() + 1..)?.split_once(quote)?;
    Some((before, text, after))
}
