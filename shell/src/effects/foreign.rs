//! What code of other languages does with files that a literal names.

use super::Kind;

/// What a function does with the files that its arguments name.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    /// As its mode says, without one it reads: `open('F', 'w')`.
    Open,
    Write,
    Delete,
    /// With everything below.
    DeleteTree,
    /// From all files but the last to the last.
    Copy,
    Move,
    /// It makes a file of a path, and a method says what happens: `Path('F').unlink()`.
    Path,
}

/// How names of functions that read or open a file start.
const READERS: [&str; 6] = ["createRead", "file_get", "fopen", "open", "read", "slurp"];

/// Functions by their names, with the name in front of a dot where the last one means other things too.
const FUNCTIONS: [(&str, Act); 6] = [
    ("Path PathBuf file", Act::Path),
    (
        "writeFile writeFileSync appendFile appendFileSync outputFile outputFileSync createWriteStream writeTextFile \
         writeTextFileSync file_put_contents write_text write_bytes write_file truncate truncateSync touch binwrite \
         File.write IO.write Bun.write",
        Act::Write,
    ),
    (
        "unlink unlinkSync rmdir rmdirSync removedirs os.remove fs.rm fsPromises.rm promises.rm File.delete FileUtils.rm \
         FileUtils.rm_f Deno.remove Deno.removeSync",
        Act::Delete,
    ),
    (
        "rmtree rm_rf rm_r rmSync removeSync remove_tree remove_entry remove_entry_secure rimraf",
        Act::DeleteTree,
    ),
    (
        "copyFile copyFileSync copyfile copy2 copytree copy_file cp_r cpSync shutil.copy fs.cp FileUtils.cp",
        Act::Copy,
    ),
    ("renameSync os.rename os.replace shutil.move fs.rename FileUtils.mv File.rename Deno.rename", Act::Move),
];

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Opened<'c> {
    pub(super) name: &'c str,
    pub(super) kinds: &'static [Kind],
    pub(super) is_tree: bool,
}

/// A call whose arguments are being read.
struct Call<'c> {
    act: Act,
    names: Vec<&'c str>,
    /// A mode opens a file for writing.
    writes: bool,
}

/// What code does with the files that its literals name: `open('F')`, `writeFile("F")`, `Path('F').unlink()`.
pub(super) fn opened(code: &str) -> Vec<Opened<'_>> {
    let (mut found, mut call, mut rest) = (Vec::new(), None::<Call<'_>>, code);
    while let Some((before, text, after)) = quoted(rest) {
        let goes_on = call.is_some() && !before.contains([')', ';', '\n', '{', '}']);
        if !goes_on {
            let is_method = call.as_ref().is_some_and(|call| call.act == Act::Path && is_method(before));
            let act = called(before).filter(|_| !is_method);
            finish(call.take(), before, text, &mut found);
            call = act.map(|act| Call { act, names: Vec::new(), writes: false });
        }
        if let Some(call) = &mut call {
            call.add(text);
        }
        rest = after;
    }
    finish(call, rest, "", &mut found);
    found
}

impl<'c> Call<'c> {
    fn add(&mut self, text: &'c str) {
        if is_mode(text) {
            self.writes |= writes(text);
            return;
        }
        // `open F, '>x'` of Perl.
        let name = if self.act == Act::Open { text.trim_start_matches(['<', '>', '+', ' ']) } else { text };
        self.writes |= text.strip_suffix(name).is_some_and(writes);
        self.names.push(name);
    }
}

/// Adds what a call does; `after` is the code up to the next literal.
fn finish<'c>(call: Option<Call<'c>>, after: &str, next: &str, found: &mut Vec<Opened<'c>>) {
    let Some(Call { mut act, names, mut writes }) = call else { return };
    let is_path = act == Act::Path;
    if is_path {
        let method = method(after).unwrap_or_default();
        act = function(method, method).filter(|act| *act != Act::Path).unwrap_or(Act::Open);
        writes = method == "open" && self::writes(next) && is_mode(next);
    }
    // What follows the file is its new text, or an encoding.
    let count = if is_path || !matches!(act, Act::Open | Act::Write) { names.len() } else { 1 };
    let last = names.len().saturating_sub(1);
    for (number, name) in names.into_iter().take(count).enumerate() {
        let kinds: &[Kind] = match act {
            Act::Open if !writes => &[Kind::Read],
            Act::Delete | Act::DeleteTree => &[Kind::Delete],
            Act::Copy if number < last || last == 0 => &[Kind::Use],
            Act::Move if number < last || last == 0 => &[Kind::Use, Kind::Delete],
            _ => &[Kind::Write],
        };
        found.push(Opened { name, kinds, is_tree: act == Act::DeleteTree });
    }
}

/// The first text in quotes, with what is before and after it.
fn quoted(code: &str) -> Option<(&str, &str, &str)> {
    let (before, quoted) = code.split_at_checked(code.find(['\'', '"'])?)?;
    let inner = quoted.get(1..)?;
    let end = inner.find(quoted.chars().next()?)?;
    Some((before, inner.get(..end)?, inner.get(end + 1..)?))
}

/// The function that a text ends with a call of, in front of an argument.
fn called(before: &str) -> Option<Act> {
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
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let start = name.rfind(|c| !is_name(c) && c != '.').map_or(0, |at| at + 1);
    let path = name.get(start..).unwrap_or_default();
    let last = path.rfind('.').map_or(path, |at| path.get(at + 1..).unwrap_or_default());
    let front = path.strip_suffix(last).and_then(|path| path.strip_suffix('.')).unwrap_or_default();
    let qualified = front.rfind('.').map_or(path, |at| path.get(at + 1..).unwrap_or_default());
    function(last, qualified)
}

fn function(name: &str, qualified: &str) -> Option<Act> {
    let is_named = |names: &str| names.split(' ').any(|one| one == name || one == qualified);
    let named = FUNCTIONS.iter().find(|(names, _)| is_named(names)).map(|(_, act)| *act);
    named.or_else(|| READERS.iter().any(|start| name.starts_with(start)).then_some(Act::Open))
}

/// The method that is called of what a call returns: `).unlink(`.
fn method(after: &str) -> Option<&str> {
    let name = after.trim_start().strip_prefix(')')?.trim_start().strip_prefix('.')?;
    name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()
}

/// Whether a text ends in the arguments of such a method.
fn is_method(before: &str) -> bool {
    let name = method(before).unwrap_or_default();
    let arguments =
        before.trim_start().strip_prefix(')').map(str::trim_start).and_then(|rest| rest.strip_prefix('.'));
    let arguments = arguments.and_then(|rest| rest.strip_prefix(name)?.trim_start().strip_prefix('('));
    arguments.is_some_and(|rest| !rest.contains(['(', ')', ';', '\n', '{', '}']))
}

/// Whether a text is how a file is opened: `r`, `<`, `utf8`.
fn is_mode(text: &str) -> bool {
    let is_mode = |c: char| matches!(c, '<' | '>' | '+' | 'r' | 'w' | 'a' | 'b' | 't' | 'x');
    text.is_empty() || text.chars().all(is_mode) || matches!(text, "utf8" | "utf-8")
}

/// Whether a mode opens a file for writing.
fn writes(mode: &str) -> bool {
    mode.contains(['w', 'a', 'x', '+', '>'])
}

#[cfg(test)]
mod tests {
    use super::{Kind, opened};

    #[test]
    fn literal_names_of_files() {
        let (read, write, delete) = (&[Kind::Read][..], &[Kind::Write][..], &[Kind::Delete][..]);
        for (code, expected) in [
            ("print(open('.env').read())", vec![(".env", read)]),
            ("require('fs').readFileSync(\".env\",'utf8')", vec![(".env", read)]),
            ("open(F,'<','.env'); print <F>", vec![(".env", read)]),
            ("open F, '.env'; print <F>", vec![(".env", read)]),
            ("open(F,'>>','a.txt')", vec![("a.txt", write)]),
            ("open F, '> a.txt'", vec![("a.txt", write)]),
            ("open('a.txt', mode='x')", vec![("a.txt", write)]),
            ("open('a.txt', 'rb')", vec![("a.txt", read)]),
            ("puts File.read('.env')", vec![(".env", read)]),
            ("File.write('a.txt', 'text')", vec![("a.txt", write)]),
            ("from pathlib import Path; print(Path('.env').read_text())", vec![(".env", read)]),
            ("Path('a.txt').write_text('b.txt')", vec![("a.txt", write)]),
            ("Path('a.txt').open('w').write('b.txt')", vec![("a.txt", write)]),
            ("Path('a.txt').unlink(); open('b.txt')", vec![("a.txt", delete), ("b.txt", read)]),
            ("fs.writeFileSync(\"a.txt\")", vec![("a.txt", write)]),
            ("os.remove('a.txt')", vec![("a.txt", delete)]),
            ("unlink 'a.txt'", vec![("a.txt", delete)]),
            ("names.remove('a.txt'); f.write('b.txt'); text.replace('c', 'd')", vec![]),
            ("shutil.copy('a.txt', 'b.txt')", vec![("a.txt", &[Kind::Use][..]), ("b.txt", write)]),
            (
                "os.rename('a.txt', 'b.txt')",
                vec![("a.txt", &[Kind::Use, Kind::Delete][..]), ("b.txt", write)],
            ),
            ("print('.env')", vec![]),
        ] {
            let found: Vec<_> = opened(code).iter().map(|one| (one.name, one.kinds)).collect();
            assert_eq!(found, expected, "{code}");
        }
        assert!(opened("shutil.rmtree('a.txt')").iter().all(|one| one.is_tree));
        assert_eq!(opened("open('a").len(), 0);
    }
}
