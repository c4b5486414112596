//! Random events as text: values at the pool's paths, odd spellings of
//! numbers, strings and white space, and now and then a key twice.

use std::fmt::Write;

use hookc_schema::tree::{Layer, Policy};
use hookc_schema::value::{Kind, Value};

use super::{Rng, near, pool};

/// The members of an event, possibly repeated.
enum Node {
    Leaf(Value),
    Arr(Vec<Node>),
    Obj(Vec<(String, Node)>),
}

/// A random event of some type. `clean` ones repeat no key.
pub fn event(rng: &mut Rng, clean: bool) -> String {
    made(rng, clean, &[])
}

/// Like `event`, with values that are, or are next to, constants of the policies.
pub fn event_near(rng: &mut Rng, clean: bool, policies: &[(Policy, Layer)]) -> String {
    made(rng, clean, &near::constants(policies.iter().map(|(policy, _)| policy)))
}

fn made(rng: &mut Rng, clean: bool, constants: &[near::Constant]) -> String {
    let mut root = Node::Obj(Vec::new());
    let kind = rng.pick(pool::EVENTS);
    let spelled: &[&str] = match rng.below(10) {
        0 => &["hook_event_name"],
        1 => &["event_type"],
        _ => &["event", "type"],
    };
    put(&mut root, spelled, Node::Leaf(pool::string(kind)));
    for _ in 0..rng.below(12) {
        let path = rng.pick(pool::PATHS);
        let value = pool::any(rng, 2);
        if path != ["event"] {
            put(&mut root, path, Node::Leaf(value));
        }
    }
    command(rng, &mut root);
    file(rng, &mut root);
    tool(rng, &mut root);
    for _ in 0..if constants.is_empty() { 0 } else { 1 + rng.below(4) } {
        if let Some((path, value)) = constants.get(rng.below(constants.len())) {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            // The type of an event is a constant too, and mostly stays.
            let is_type = matches!(path.as_slice(), ["event"] | ["event", "type"] | ["event_type"]);
            if !path.is_empty() && (!is_type || rng.chance(10)) {
                put(&mut root, &path, Node::Leaf(near::near(rng, value)));
            }
        }
    }
    if !clean && rng.chance(8) {
        twice(rng, &mut root);
    }
    let mut text = String::new();
    print(rng, &root, &mut text);
    text
}

/// Command lines of the corpus, one JSON object a line.
const LINES: &str = include_str!("../../../corpus/shell/lines.ndjson");

/// Now and then a command line, and what decides how it is read.
fn command(rng: &mut Rng, root: &mut Node) {
    if !rng.chance(60) {
        return;
    }
    let path: &[&str] = if rng.chance(80) {
        pool::LINE
    } else {
        rng.pick(&[&["event", "tool_input", "command"][..], &["error", "message"]])
    };
    let line = match rng.below(12) {
        0 => {
            let words: Vec<Value> = (0..rng.below(4)).map(|_| pool::scalar(rng)).collect();
            pool::value(Kind::Seq(words))
        }
        1 => {
            let words =
                rng.pick(&[&["rm", "-rf", "it's"][..], &["bash", "-lc", "git push -f"], &["sudo", "rm"]]);
            pool::value(Kind::Seq(words.iter().map(|word| pool::string(word)).collect()))
        }
        2 => pool::any(rng, 2),
        _ => pool::string(&line(rng)),
    };
    put(root, path, Node::Leaf(line));
    if rng.chance(20) {
        let place = rng.pick(&[&["cwd"][..], &["event", "cwd"]]);
        put(root, place, Node::Leaf(if rng.chance(80) { pool::string("/r") } else { pool::scalar(rng) }));
    }
    if rng.chance(20) {
        let place = rng.pick(&[&["tool_name"][..], &["event", "tool_name"]]);
        let tool = rng.pick(&["Bash", "PowerShell", "pwsh", "CMD", "batch"]);
        put(root, place, Node::Leaf(if rng.chance(80) { pool::string(tool) } else { pool::scalar(rng) }));
    }
}

/// Now and then a tool, what else it gets, and where its project is.
fn tool(rng: &mut Rng, root: &mut Node) {
    if !rng.chance(40) {
        return;
    }
    let tools =
        ["Bash", "Write", "Read", "Edit", "Grep", "WebFetch", "TodoWrite", "mcp__x__put", "mcp__y", "run_it"];
    put(root, &["tool_name"], Node::Leaf(pool::string(rng.pick(&tools))));
    let inputs = ["content", "path", "where", "body", "url", "pattern", "old_string", "new_string"];
    for _ in 0..rng.below(4) {
        let text = match rng.below(4) {
            0 => rng.pick(&["https://x.example/a", "http://localhost:1/", "AKIA0000", "it's"]).to_owned(),
            _ => path_of_file(rng),
        };
        put(root, &["tool_input", rng.pick(&inputs)], Node::Leaf(pool::string(&text)));
    }
    let others: [(&str, Value); 4] = [
        ("project_dir", pool::string(rng.pick(&["/r", "/r/src", "/", "~", "r"]))),
        ("project_dir", pool::scalar(rng)),
        ("host_tool_name", pool::string(rng.pick(&["apply_patch", "shell", "Bash"]))),
        ("tool_ok", pool::value(Kind::Bool(rng.chance(80)))),
    ];
    for (name, value) in others {
        if rng.chance(20) {
            let path: &[&str] = if rng.chance(80) { &[name] } else { &["event", name] };
            put(root, path, Node::Leaf(value));
        }
    }
}

/// Parts of paths. Most mean something.
const PARTS: [&str; 24] = [
    "/", "/", "/", "r", "r", "src", "x.rs", ".env", "..", "..", ".", "", "~", "~me", "a.tar.gz", "\\", "C:",
    "file:", " ", "\u{feff}", "\0", "\u{e9}", "r2", "a:b",
];

/// Now and then the path of a file, and where it starts.
fn file(rng: &mut Rng, root: &mut Node) {
    if !rng.chance(40) {
        return;
    }
    let path: &[&str] = if rng.chance(85) { pool::FILE } else { &["event", "tool_input", "file_path"] };
    let text = match rng.below(20) {
        0 => pool::any(rng, 2),
        1 => pool::string(&"x/".repeat(16_383 + rng.below(3))),
        _ => pool::string(&path_of_file(rng)),
    };
    put(root, path, Node::Leaf(text));
    if rng.chance(70) {
        let place = rng.pick(&[&["cwd"][..], &["cwd"], &["event", "cwd"]]);
        let cwd = match rng.below(4) {
            0 => path_of_file(rng),
            _ => rng.pick(&["/r", "/r", "/", "/r/src/", "~", "~/r", "r", "/r/../r", "C:\\r"]).to_owned(),
        };
        put(root, place, Node::Leaf(pool::string(&cwd)));
    }
}

fn path_of_file(rng: &mut Rng) -> String {
    let start = rng.pick(&["", "", "/", "/r/", "/r/", "~/", "./", "../"]).to_owned();
    (0..rng.below(6)).fold(start, |mut path, at| {
        if at > 0 && rng.chance(80) {
            path.push('/');
        }
        path.push_str(rng.pick(&PARTS));
        path
    })
}

/// A line of the corpus, or some of two.
fn line(rng: &mut Rng) -> String {
    if rng.chance(6) {
        return rng.pick(&DESCRIBED).to_owned();
    }
    let mut text = one_line(rng);
    if rng.chance(10) {
        // Wrappers that policies may declare.
        let wrapper = rng.pick(&["wrap ", "run-in -u me web ", "wrap -n -- ", "run-in --user me -env x "]);
        text.insert_str(0, wrapper);
    }
    if rng.chance(30) {
        let end = rng.below(text.chars().count() + 1);
        text = text.chars().take(end).collect();
    }
    if rng.chance(20) {
        text.push_str(rng.pick(&["; ", " && ", " | ", "\n", " "]));
        text.push_str(&one_line(rng));
    }
    text
}

/// Lines with programs that policies may describe.
const DESCRIBED: [&str; 10] = [
    "frobnicate -o .env src/x.rs in.txt",
    "cd src && frobnicate --output=x.rs in",
    "frobnicate -n -o .github/x in",
    "frobnicate p -f a.pem x.example",
    "frobnicate push .env localhost; frobnicate-2 a",
    "shout --loud src/a && shout --soft src/a",
    "shout ../a | frobnicate - $X",
    "in-box -u me web rm -rf src",
    "in-box web frobnicate a b -o c/",
    "/opt/frobnicate --hook=x in; frobnicate.exe -o y z; X=1 shout a",
];

fn one_line(rng: &mut Rng) -> String {
    let at = rng.below(LINES.lines().count());
    let line = LINES.lines().nth(at).and_then(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    line.and_then(|line| Some(line.get("line")?.as_str()?.to_owned())).unwrap_or_default()
}

fn put(node: &mut Node, path: &[&str], value: Node) {
    let Some((first, rest)) = path.split_first() else {
        *node = value;
        return;
    };
    if let Ok(index) = first.parse::<i64>() {
        let Node::Arr(items) = node else {
            *node = Node::Arr(vec![Node::Obj(Vec::new()), Node::Obj(Vec::new())]);
            return put(node, path, value);
        };
        let length = i64::try_from(items.len()).unwrap_or(0);
        let at = if index < 0 { length + index } else { index };
        if let Some(item) = usize::try_from(at).ok().and_then(|at| items.get_mut(at)) {
            put(item, rest, value);
        }
        return;
    }
    let Node::Obj(members) = node else {
        *node = Node::Obj(Vec::new());
        return put(node, path, value);
    };
    if !members.iter().any(|(key, _)| key == first) {
        members.push(((*first).to_owned(), Node::Obj(Vec::new())));
    }
    if let Some((_, child)) = members.iter_mut().find(|(key, _)| key == first) {
        put(child, rest, value);
    }
}

/// Repeats a key of some object.
fn twice(rng: &mut Rng, node: &mut Node) {
    match node {
        Node::Obj(members) if !members.is_empty() => {
            let at = rng.below(members.len());
            if rng.chance(60)
                && let Some((_, child)) = members.get_mut(at)
            {
                return twice(rng, child);
            }
            if let Some((key, _)) = members.get(at) {
                let key = key.clone();
                members.push((key, Node::Leaf(pool::scalar(rng))));
            }
        }
        Node::Arr(items) => {
            let at = rng.below(items.len());
            if let Some(item) = items.get_mut(at) {
                twice(rng, item);
            }
        }
        _ => {}
    }
}

fn print(rng: &mut Rng, node: &Node, out: &mut String) {
    space(rng, out);
    match node {
        Node::Leaf(value) => print_value(rng, value, out),
        Node::Arr(items) => list(rng, out, ['[', ']'], items, &mut |rng, item, out| print(rng, item, out)),
        Node::Obj(members) => list(rng, out, ['{', '}'], members, &mut |rng, (key, child), out| {
            space(rng, out);
            string(rng, key, out);
            space(rng, out);
            out.push(':');
            print(rng, child, out);
        }),
    }
    space(rng, out);
}

fn list<T>(
    rng: &mut Rng,
    out: &mut String,
    [open, close]: [char; 2],
    items: &[T],
    each: &mut dyn FnMut(&mut Rng, &T, &mut String),
) {
    out.push(open);
    for (n, item) in items.iter().enumerate() {
        if n > 0 {
            out.push(',');
        }
        each(rng, item, out);
    }
    space(rng, out);
    out.push(close);
}

fn print_value(rng: &mut Rng, value: &Value, out: &mut String) {
    match &value.kind {
        Kind::Null => out.push_str("null"),
        Kind::Bool(truth) => {
            let _ = write!(out, "{truth}");
        }
        Kind::Num(number) => out.push_str(&number.0),
        Kind::Str(text) => string(rng, &text.value, out),
        Kind::Seq(items) => {
            list(rng, out, ['[', ']'], items, &mut |rng, item, out| print_value(rng, item, out))
        }
        Kind::Map(members) => list(rng, out, ['{', '}'], members, &mut |rng, member, out| {
            string(rng, &member.key.node, out);
            out.push(':');
            print_value(rng, &member.value, out);
        }),
    }
}

fn string(rng: &mut Rng, text: &str, out: &mut String) {
    let escape_all = rng.chance(10);
    out.push('"');
    for c in text.chars() {
        if escape_all || c < ' ' || c == '"' || c == '\\' {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out.push('"');
}

fn space(rng: &mut Rng, out: &mut String) {
    if rng.chance(10) {
        out.push_str(rng.pick(&[" ", "\n", "\t ", "\r\n"]));
    }
}
