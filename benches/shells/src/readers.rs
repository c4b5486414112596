//! The readers, each with what it says about a line.

use std::cell::RefCell;
use std::io::Cursor;
use std::sync::LazyLock;

use conch_parser::ast::builder::StringBuilder;
use conch_parser::lexer::Lexer;
use conch_parser::parse::Parser as ConchParser;
use hookc_shell::{self as shell, MemberBits, Members};
use serde_json::Value;
use tree_sitter::{Node, Parser, TreeCursor};

/// A reader.
pub struct Reader {
    pub name: &'static str,
    /// Whether it accepts a line.
    pub accepts: fn(&str) -> bool,
    /// The names of the commands that it shows, if its tree has words and not only ranges of the source.
    pub commands: Option<fn(&str) -> Vec<String>>,
}

pub const READERS: &[Reader] = &[
    Reader { name: "hookc (the view)", accepts: hookc, commands: Some(hookc_commands) },
    Reader { name: "hookc (three members)", accepts: hookc_some, commands: Some(hookc_commands) },
    Reader { name: "shuck-parser", accepts: shuck, commands: None },
    Reader { name: "brush-parser", accepts: brush, commands: Some(brush_commands) },
    Reader { name: "rable", accepts: rable, commands: Some(rable_commands) },
    Reader { name: "tree-sitter-bash", accepts: tree_sitter, commands: Some(tree_sitter_commands) },
    Reader { name: "conch-parser", accepts: conch, commands: Some(conch_commands) },
    Reader { name: "shlex (words only)", accepts: shlex, commands: Some(shlex_commands) },
];

/// As the VM does: into a buffer that is used again.
fn hookc_with(line: &str, members: &Members) -> bool {
    thread_local! {
        static VIEW: RefCell<String> = const { RefCell::new(String::new()) };
    }
    VIEW.with_borrow_mut(|view| {
        view.clear();
        shell::write_view(line, Some("/home/me/repo"), Default::default(), members, view);
        !view.starts_with("{\"commands\":[],\"ok\":false")
    })
}

fn hookc(line: &str) -> bool {
    hookc_with(line, Members::all())
}

/// The view of a policy about programs, their flags and operands.
fn hookc_some(line: &str) -> bool {
    static FEW: LazyLock<Members> = LazyLock::new(|| {
        Members::from_bits(["flags", "name", "operands"].into_iter().collect::<MemberBits>())
    });
    hookc_with(line, &FEW)
}

fn hookc_commands(line: &str) -> Vec<String> {
    let view: Value = serde_json::from_str(&shell::view(line, Some("/home/me/repo"), Default::default()))
        .unwrap_or_default();
    let commands = view["commands"].as_array().cloned().unwrap_or_default();
    commands.iter().filter_map(|command| command["name"].as_str().map(str::to_owned)).collect()
}

fn shuck(line: &str) -> bool {
    shuck_parser::parser::Parser::new(line).parse().is_ok()
}

fn brush_tree(line: &str) -> Option<brush_parser::ast::Program> {
    brush_parser::Parser::new(Cursor::new(line), &brush_parser::ParserOptions::default()).parse_program().ok()
}

fn brush(line: &str) -> bool {
    brush_tree(line).is_some()
}

/// The words as its tree prints them, without the quotes around whole words.
fn brush_commands(line: &str) -> Vec<String> {
    let shown = brush_tree(line).map(|tree| format!("{tree:?}")).unwrap_or_default();
    after(&shown, "word_or_name: Some(Word { value: \"")
}

fn rable(line: &str) -> bool {
    rable::parse(line, false).is_ok()
}

fn rable_commands(line: &str) -> Vec<String> {
    let nodes = rable::parse(line, false).unwrap_or_default();
    let shown: Vec<String> = nodes.iter().map(ToString::to_string).collect();
    after(&shown.join(" "), "(command (word \"")
}

fn tree_of(line: &str) -> Option<tree_sitter::Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    parser.parse(line, None)
}

fn tree_sitter(line: &str) -> bool {
    tree_of(line).is_some_and(|tree| !tree.root_node().has_error())
}

fn tree_sitter_commands(line: &str) -> Vec<String> {
    fn visit<'t>(cursor: &mut TreeCursor<'t>, line: &str, found: &mut Vec<String>) {
        let node: Node<'t> = cursor.node();
        if node.kind() == "command_name" {
            found.extend(line.get(node.byte_range()).map(str::to_owned));
        }
        if cursor.goto_first_child() {
            visit(cursor, line, found);
            while cursor.goto_next_sibling() {
                visit(cursor, line, found);
            }
            cursor.goto_parent();
        }
    }
    let mut found = Vec::new();
    if let Some(tree) = tree_of(line) {
        visit(&mut tree.walk(), line, &mut found);
    }
    found
}

fn conch_tree(line: &str) -> Result<Vec<String>, ()> {
    let parser = ConchParser::<_, StringBuilder>::new(Lexer::new(line.chars()));
    parser.into_iter().map(|command| command.map(|command| format!("{command:?}")).map_err(|_| ())).collect()
}

fn conch(line: &str) -> bool {
    let parser = ConchParser::<_, StringBuilder>::new(Lexer::new(line.chars()));
    parser.into_iter().all(|command| command.is_ok())
}

fn conch_commands(line: &str) -> Vec<String> {
    let shown = conch_tree(line).unwrap_or_default().join(" ");
    after(&shown, "redirects_or_cmd_words: [CmdWord(TopLevelWord(Single(Simple(Literal(\"")
}

fn shlex(line: &str) -> bool {
    shlex::split(line).is_some()
}

fn shlex_commands(line: &str) -> Vec<String> {
    shlex::split(line).unwrap_or_default().into_iter().take(1).collect()
}

/// The texts after each occurrence of a marker, up to a quote.
fn after(shown: &str, marker: &str) -> Vec<String> {
    shown.split(marker).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}
