//! The picture of a terminal in the README (`docs/images/terminal.svg`): commands with the real
//! output of the program. `BLESS=1` regenerates it.

use std::fmt::Write;
use std::{env, fs};

use crate::common;

const PICTURE: &str = "docs/images/terminal.svg";
/// The policy of the README.
const GUARD: &str = "corpus/quickstart/guard.yaml";
/// The commands of the picture. The first checks the policy with a misspelt field.
const CHECK: &[&str] = &["check", "guard.yaml"];
const EXPLAIN: &[&str] = &[
    "explain",
    "guard.yaml",
    "--event",
    "PreToolUse",
    "--tool",
    "Bash",
    "--input",
    "command='git push origin main'",
];

/// Pixels of a character and of a line, and the margin around the text.
const WIDTH: f32 = 8.4;
const LINE: f32 = 19.0;
const MARGIN: f32 = 18.0;
/// Height of the window's title bar.
const BAR: f32 = 30.0;

#[test]
fn the_picture_shows_what_the_program_prints() {
    let path = common::project().join(PICTURE);
    let fresh = draw(&session());
    roxmltree::Document::parse(&fresh).unwrap();
    if env::var("BLESS").is_ok() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        return fs::write(path, fresh).unwrap();
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    assert!(found == fresh, "{PICTURE} is stale: run this test with BLESS=1 to draw it again");
}

/// The policy of the README is the one that its tests and the picture use.
#[test]
fn the_readme_shows_the_policy_of_the_picture() {
    let guard = common::read(common::project(), GUARD);
    let readme = common::read(common::project(), "README.md");
    assert!(readme.contains(&guard), "README.md does not contain {GUARD}");
}

/// The commands and their coloured output.
fn session() -> String {
    let folder = tempfile::tempdir().unwrap();
    let guard = common::read(common::project(), GUARD);
    let mut text = String::new();
    common::put(folder.path(), "guard.yaml", guard.replacen("tool_input.command", "tool_input.comand", 1));
    shown(&mut text, folder.path(), CHECK);
    text.push('\n');
    common::put(folder.path(), "guard.yaml", guard);
    shown(&mut text, folder.path(), EXPLAIN);
    text
}

fn shown(text: &mut String, folder: &std::path::Path, words: &[&str]) {
    let args: Vec<String> = words.iter().map(|word| word.replace('\'', "")).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).chain(["--color", "always"]).collect();
    let run = common::hookc(folder, &args, "");
    let _ = write!(text, "\x1b[1m$ hookc {}\x1b[0m\n{}{}", words.join(" "), run.err, run.out);
}

fn draw(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let columns = lines.iter().map(|line| plain(line).chars().count()).max().unwrap_or(0);
    let rows = u16::try_from(lines.len()).unwrap();
    let (width, height) = (pixels(columns) + 2.0 * MARGIN, LINE * f32::from(rows) + 2.0 * MARGIN + BAR);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
         <title>hookc reports a misspelt field, then explains a decision</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#161b22\"/>\n\
         <g fill=\"#30363d\"><circle cx=\"20\" cy=\"18\" r=\"6\"/><circle cx=\"40\" cy=\"18\" r=\"6\"/>\
         <circle cx=\"60\" cy=\"18\" r=\"6\"/></g>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"14\" fill=\"#c9d1d9\" xml:space=\"preserve\">\n"
    );
    for (line, row) in lines.iter().zip(1u16..) {
        runs(&mut svg, line, BAR + MARGIN + LINE * f32::from(row) - 6.0);
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// A `text` element for each run of one style, at its column.
fn runs(svg: &mut String, line: &str, y: f32) {
    let (mut style, mut column) = (String::new(), 0);
    for (at, part) in line.split("\x1b[").enumerate() {
        let text = match part.split_once('m') {
            Some((codes, text)) if at > 0 => {
                codes.split(';').for_each(|code| apply(&mut style, code));
                text
            }
            _ => part,
        };
        let indent = text.chars().take_while(|c| *c == ' ').count();
        let shown = text.trim();
        if !shown.is_empty() {
            let (x, length) = (pixels(column + indent) + MARGIN, pixels(shown.chars().count()));
            let text = shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let _ =
                writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" textLength=\"{length:.1}\"{style}>{text}</text>");
        }
        column += text.chars().count();
    }
}

fn pixels(characters: usize) -> f32 {
    WIDTH * f32::from(u16::try_from(characters).unwrap())
}

fn apply(style: &mut String, code: &str) {
    match code {
        "0" => style.clear(),
        "1" => style.push_str(" font-weight=\"bold\""),
        "2" => style.push_str(" fill=\"#8b949e\""),
        "31" | "91" => style.push_str(" fill=\"#ff7b72\""),
        "32" | "92" => style.push_str(" fill=\"#7ee787\""),
        "33" | "93" => style.push_str(" fill=\"#e3b341\""),
        "34" | "94" => style.push_str(" fill=\"#79c0ff\""),
        "36" | "96" => style.push_str(" fill=\"#76e3ea\""),
        other => panic!("no colour for the code {other}"),
    }
}

/// A line without its styles.
fn plain(line: &str) -> String {
    let mut parts = line.split("\x1b[");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
}
