//! What a command line would start: `cargo run -p hookc-shell --example commands -- 'LINE'`.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example talks to its reader")]

use hookc_shell::{Command, Context, Problem, Word, with_commands};

const LINE: &str =
    r#"cd api && git -C web push -f origin "$BRANCH"; curl -s https://x.example | sudo sh > log"#;

fn main() -> Result<(), Problem> {
    let line = std::env::args().nth(1).unwrap_or_else(|| LINE.to_owned());
    let context = Context { cwd: Some("/home/me"), ..Context::default() };
    with_commands(&line, &context, |commands| {
        commands.iter().for_each(print);
        for kind in commands.opaque() {
            println!("some {} is unknown", kind.as_str());
        }
    })
}

fn print(command: Command<'_>) {
    println!("{} in {}", command.name().unwrap_or("(unknown)"), command.cwd().path().unwrap_or("(unknown)"));
    if let Some(starter) = command.starter().and_then(Command::name) {
        println!("  started by {starter}");
    }
    if let Some(sub) = command.sub_word() {
        println!("  subcommand {}", shown(sub));
    }
    for flag in command.global_flags().chain(command.flags()) {
        println!("  flag {} {}", flag.name(), flag.value().map(shown).unwrap_or_default());
    }
    for operand in command.operands() {
        println!("  operand {}", shown(operand));
    }
    for redirect in command.redirects() {
        let mut path = String::new();
        let known = redirect.resolve(&mut path).is_some();
        println!("  {:?} {}", redirect.kind(), if known { &path } else { "(unknown)" });
    }
    for source in command.runs().filter_map(Command::name) {
        println!("  runs the output of {source}");
    }
}

/// A word with its unknown parts in brackets.
fn shown(word: Word<'_>) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for hole in word.holes() {
        out.push_str(word.text().get(at..hole.range.start).unwrap_or_default());
        out.push_str(&format!("[{}]", hole.text));
        at = hole.range.end;
    }
    out.push_str(word.text().get(at..).unwrap_or_default());
    out
}
