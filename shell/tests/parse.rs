//! The structure of lines.

use hookc_shell::syntax::{Command, CommandKind, Expansion, Joint, List, PartKind, Value, Word, parse};

/// A list in the notation of Lisp.
fn shown(list: &List) -> String {
    let mut out = String::new();
    for pipeline in &list.pipelines {
        out.push_str(match pipeline.joint {
            Joint::Next => "",
            Joint::And => "&& ",
            Joint::Or => "|| ",
        });
        out.push_str(if pipeline.is_negated { "! " } else { "" });
        let commands: Vec<String> = pipeline.commands.iter().map(command).collect();
        out.push_str(&format!("{}{} ", commands.join("|"), if pipeline.is_background { " &" } else { "" }));
    }
    out.trim_end().to_owned()
}

fn words(words: &[Word]) -> String {
    words.iter().map(|word| word.text.clone()).collect::<Vec<_>>().join(" ")
}

fn command(command: &Command) -> String {
    let kind = match &command.kind {
        CommandKind::Simple { assignments, words: own } => {
            let settings = assignments.iter().map(|own| match &own.value {
                Value::Text(text) => format!("{}={} ", own.name, text.text),
                Value::Array(all) => format!("{}=[{}] ", own.name, words(all)),
                Value::Element { subscript, value } => format!("{}={} ", subscript.text, value.text),
            });
            format!("({}{})", settings.collect::<String>(), words(own))
        }
        CommandKind::Group(list) => format!("{{{}}}", shown(list)),
        CommandKind::Coprocess(list) => format!("coproc{{{}}}", shown(list)),
        CommandKind::Subshell(list) => format!("sub{{{}}}", shown(list)),
        CommandKind::If { branches, otherwise } => {
            let each =
                branches.iter().map(|(condition, body)| format!("{} -> {}; ", shown(condition), shown(body)));
            format!("if{{{}{}}}", each.collect::<String>(), shown(otherwise))
        }
        CommandKind::While { condition, body } => format!("while{{{}; {}}}", shown(condition), shown(body)),
        CommandKind::For { variable, items, body } => {
            let items = items.as_ref().map_or_else(|| "args".to_owned(), |items| words(items));
            format!("for{{{} in {items}; {}}}", variable.text, shown(body))
        }
        CommandKind::Count { body, .. } => format!("count{{{}}}", shown(body)),
        CommandKind::Case { word, arms } => {
            let each = arms.iter().map(|arm| format!("; {} -> {}", words(&arm.patterns), shown(&arm.body)));
            format!("case{{{}{}}}", word.text, each.collect::<String>())
        }
        CommandKind::Function { name, body } => format!("fn{{{} {}}}", name.text, self::command(body)),
        CommandKind::Test(_) => "test".to_owned(),
        CommandKind::Empty => "nothing".to_owned(),
    };
    let redirects = command.redirects.iter().map(|own| format!(" {}{}", own.operator, own.word.text));
    let time = if command.is_timed { "time " } else { "" };
    format!("{time}{kind}{}", redirects.collect::<String>())
}

#[test]
fn every_form_has_its_place_in_the_tree() {
    for (line, expected) in [
        ("a b && c || d; e &", "(a b) && (c) || (d) (e) &"),
        ("! a | b 2>x | time c", "! (a)|(b) >x|time (c)"),
        ("A=1 B=(x y) c", "(A=1 B=[x y] c)"),
        ("{ a; b; } >x", "{(a) (b)} >x"),
        ("coproc a b", "coproc{(a b)}"),
        ("(a; b) | c", "sub{(a) (b)}|(c)"),
        ("if a; then b; elif c; then d; else e; fi", "if{(a) -> (b); (c) -> (d); (e)}"),
        ("while a; do b; done <f", "while{(a); (b)} <f"),
        ("for x in a b; do c; done", "for{x in a b; (c)}"),
        ("for x; do c; done", "for{x in args; (c)}"),
        ("for ((i=0; i<3; i++)); do c; done", "count{(c)}"),
        ("case $x in a|b) c;; *) d;; esac", "case{$x; a b -> (c); * -> (d)}"),
        ("f() { a; }", "fn{f {(a)}}"),
        ("[[ a == b ]]", "test"),
        ("x {a,b}c", "(x ac bc)"),
        ("cat <<E | b\nx\nE", "(cat) <<E|(b)"),
        ("time", "time nothing"),
        ("", ""),
    ] {
        assert_eq!(shown(&parse(line).unwrap()), expected, "{line}");
    }
    assert!(parse("a &&").is_err() && parse("'").is_err());
}

/// Every command and word, with those in expansions.
fn visit(list: &List, see: &mut dyn FnMut(&Command, &[Word])) {
    for command in list.pipelines.iter().flat_map(|pipeline| &pipeline.commands) {
        let words = match &command.kind {
            CommandKind::Simple { words, .. } => words.as_slice(),
            CommandKind::Group(list) | CommandKind::Subshell(list) => {
                visit(list, see);
                &[]
            }
            _ => &[],
        };
        see(command, words);
        for part in words.iter().flat_map(|word| &word.parts) {
            let PartKind::Expansion(expansion) = &part.kind else { continue };
            if let Expansion::Output(list) | Expansion::Input(list) | Expansion::Sink(list) = &**expansion {
                visit(list, see);
            }
        }
    }
}

#[test]
fn commands_and_words_have_their_ranges() {
    let line = "{ a 'b c'; } && x \"$(y z)\" <(w) # why";
    let mut seen = Vec::new();
    visit(&parse(line).unwrap(), &mut |command, words| {
        seen.push(line[command.span.clone().unwrap()].to_owned());
        seen.extend(words.iter().map(|word| line[word.span.clone().unwrap()].to_owned()));
    });
    let expected = [
        "a 'b c'",
        "a",
        "'b c'",
        "{ a 'b c'; }",
        "x \"$(y z)\" <(w)",
        "x",
        "\"$(y z)\"",
        "<(w)",
        "y z",
        "y",
        "z",
        "w",
        "w",
    ];
    assert_eq!(seen, expected);
    let mut inner = 0;
    visit(&parse("x `y z`").unwrap(), &mut |command, _| inner += usize::from(command.span.is_none()));
    assert_eq!(inner, 1, "backticks are read apart");
}

#[test]
fn expansions_have_their_names_and_lists() {
    let list = parse("x ${A:-$(y)} $1 $((B+1)) *.c `z`").unwrap();
    let CommandKind::Simple { words, .. } = &list.pipelines[0].commands[0].kind else { panic!("a command") };
    let expansion = |at: usize| match &words[at].parts[0].kind {
        PartKind::Expansion(expansion) => Some(&**expansion),
        _ => None,
    };
    let Some(Expansion::Parameter { variable, words: inner }) = expansion(1) else { panic!("{words:?}") };
    assert_eq!((variable.as_deref(), inner[0].text.as_str()), (Some("A"), "$(y)"));
    let is_one = |own: Option<&Expansion>| matches!(own, Some(Expansion::Parameter { variable: Some(name), .. }) if name == "1");
    assert!(is_one(expansion(2)));
    assert!(matches!(expansion(3), Some(Expansion::Arithmetic(_))));
    assert_eq!(words[4].parts[0].kind, PartKind::Pattern);
    assert!(matches!(expansion(5), Some(Expansion::Output(list)) if shown(list) == "(z)"));
}

#[test]
fn repeated_expansions_are_shared() {
    let mut line = "x".to_owned();
    for _ in 0..8 {
        line = format!("x {{a,b,c,d}}{{a,b,c,d}}$({line})");
    }
    let mut size = 0;
    visit_once(&parse(&line).unwrap(), &mut size);
    assert!(size < 4096, "{size}");
}

/// The number of words, with those of the first expansion of each command.
fn visit_once(list: &List, size: &mut usize) {
    for command in list.pipelines.iter().flat_map(|pipeline| &pipeline.commands) {
        let CommandKind::Simple { words, .. } = &command.kind else { continue };
        *size += words.len();
        let mut expansions = words.iter().flat_map(|word| &word.parts).filter_map(|part| match &part.kind {
            PartKind::Expansion(expansion) => Some(expansion),
            _ => None,
        });
        let Some(first) = expansions.next() else { continue };
        assert!(expansions.all(|other| std::sync::Arc::ptr_eq(first, other)));
        if let Expansion::Output(list) = &**first {
            visit_once(list, size);
        }
    }
}
