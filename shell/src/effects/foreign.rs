//! Files that code of other languages opens, as far as a literal names them.

/// How names of functions that read a file start.
const READERS: [&str; 6] = ["createRead", "file_get", "fopen", "open", "read", "slurp"];
/// Names of types and functions that make a file of a path.
const PATHS: [&str; 3] = ["Path", "PathBuf", "file"];

/// The literal names of files that code opens: `open('F')`, `readFile("F")`, `Path('F').read_text()`.
pub(super) fn opened(code: &str) -> impl Iterator<Item = &str> {
    let (mut rest, mut is_opened) = (code, false);
    std::iter::from_fn(move || {
        loop {
            let at = rest.find(['\'', '"'])?;
            let (before, quoted) = rest.split_at_checked(at)?;
            let quote = quoted.chars().next()?;
            let inner = quoted.get(1..)?;
            let end = inner.find(quote)?;
            let text = inner.get(..end)?;
            // Another argument of a call is in front of its end.
            is_opened = opens(before) || is_opened && !before.contains([')', ';', '\n', '{', '}']);
            let is_name = is_opened && !is_mode(text);
            rest = inner.get(end + 1..).unwrap_or_default();
            if is_name {
                return Some(text);
            }
        }
    })
}

/// Whether a text ends with a call of a function that reads a file, in front of an argument.
fn opens(before: &str) -> bool {
    let call =
        before.rfind(['(', ';', '\n', '{', '}']).filter(|at| before.as_bytes().get(*at) == Some(&b'('));
    let name = match call {
        Some(at) => before.get(..at).unwrap_or_default().trim_end(),
        // `open F, "<", "x"` of Perl.
        None => {
            let start = before.rfind([';', '\n', '{', '}']).map_or(0, |at| at + 1);
            before.get(start..).unwrap_or_default().trim_start().split([' ', ',']).next().unwrap_or_default()
        }
    };
    let start = name.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    let name = name.get(start..).unwrap_or_default();
    READERS.iter().any(|start| name.starts_with(start)) || PATHS.contains(&name)
}

/// Whether a text is how a file is opened: `r`, `<`, `utf8`.
fn is_mode(text: &str) -> bool {
    let is_mode = |c: char| matches!(c, '<' | '>' | '+' | 'r' | 'w' | 'a' | 'b' | 't' | 'x');
    text.is_empty() || text.chars().all(is_mode) || matches!(text, "utf8" | "utf-8")
}

#[cfg(test)]
mod tests {
    use super::opened;

    #[test]
    fn literal_names_of_files() {
        for (code, expected) in [
            ("print(open('.env').read())", vec![".env"]),
            ("require('fs').readFileSync(\".env\",'utf8')", vec![".env"]),
            ("open(F,'<','.env'); print <F>", vec![".env"]),
            ("open F, '.env'; print <F>", vec![".env"]),
            ("puts File.read('.env')", vec![".env"]),
            ("from pathlib import Path; print(Path('.env').read_text())", vec![".env"]),
            ("print('.env')", vec![]),
        ] {
            assert_eq!(opened(code).collect::<Vec<_>>(), expected, "{code}");
        }
        assert_eq!(opened("open('a").count(), 0);
    }
}
