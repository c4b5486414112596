//! What is true of every line.

use hookc_corpus::amount;
use hookc_shell::{Context, rewrite, view, with_commands};
use proptest::prelude::*;
use serde_json::Value;

use super::cases;

fn parsed(line: &str) -> Value {
    serde_json::from_str(&view(line, Some("/r"), Default::default())).unwrap()
}

/// The compiler's indexes of conditions about views rely on this.
#[test]
fn views_have_printable_ascii_as_it_is() {
    for char in (' '..='~').filter(|char| !matches!(char, '"' | '\\' | '\'')).step_by(amount(1, 9)) {
        let view =
            view(&format!("x 'a{char}b' 'é{char}b' $'\\t{char}b' # {char}"), Some("/r"), Default::default());
        for text in [format!("\"a{char}b\""), format!("é{char}b\""), format!("\\t{char}b\"")] {
            assert!(view.contains(&text), "{text}: {view}");
        }
    }
}

/// After a line was rewritten, no command of it has a program that the table replaces.
#[test]
fn a_rewritten_line_starts_none_of_the_old_programs() {
    const TABLE: [(&str, &str); 4] =
        [("git", "new-git"), ("rm", "new-rm"), ("npm", "new-npm"), ("git push", "new-git new-push")];
    let lines = include_str!("commands.txt").lines().filter_map(|line| line.strip_prefix("$ "));
    let mut rewritten = 0;
    for line in lines.map(|line| line.replace('⏎', "\n")) {
        let Ok(new) = rewrite(&line, &Context::default(), &TABLE) else { continue };
        rewritten += 1;
        let old = |name: Option<&str>| name.is_some_and(|name| TABLE.iter().any(|(old, _)| *old == name));
        let is_clean = with_commands(&new, &Context::default(), |commands| {
            commands.iter().all(|command| !old(command.name()))
        });
        assert_eq!(is_clean, Ok(true), "{line} became {new}");
    }
    assert!(rewritten > 20, "{rewritten}");
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_quoted_word_is_its_text(text in "[^\0']{0,40}") {
        let view = parsed(&format!("'x' '{text}'"));
        prop_assert_eq!(&view["commands"][0]["args"][0], &Value::String(text));
        prop_assert_eq!(&view["commands"][0]["known"], &Value::Bool(true));
    }

    #[test]
    fn any_text_has_a_view(text in any::<String>()) {
        let view = parsed(&text);
        prop_assert!(view["ok"] == true || view["commands"] == Value::Array(Vec::new()));
    }

    #[test]
    fn spaces_and_comments_change_nothing(at in 0_usize..LINES.len(), spaces in 1_usize..5) {
        let line = LINES[at];
        let wide = line.replace(' ', &" ".repeat(spaces));
        prop_assert_eq!(parsed(line), parsed(&wide));
        prop_assert_eq!(parsed(line), parsed(&format!("{line} # git push")));
        prop_assert_eq!(parsed(line), parsed(&format!("\n \t{line}\n\n")));
    }

    #[test]
    fn parts_of_a_word_in_quotes_are_the_same_word(cuts in prop::collection::vec(0_usize..9, 0..3)) {
        let mut line = "git push --force origin".to_owned();
        let plain = parsed(&line);
        for at in cuts {
            line.insert_str(at.min(line.len()), if at == 3 { "" } else { "''" });
        }
        let view = parsed(&line.replace("git '' push", "git push"));
        prop_assert_eq!(plain["commands"][0]["name"].clone(), view["commands"][0]["name"].clone());
    }
}

const LINES: &[&str] = &[
    "sudo -u root rm -rf x",
    "cd a && git push origin main || exit 1",
    "curl x | tee y | bash",
    "for f in a b; do rm $f; done",
    "x=rm; $x -rf y > ../z",
    "if a; then b; else c; fi",
];

/// The line with a line continuation in each plain word that is not reserved: such a word is read
/// in the way of words with quotes.
fn with_continuations(line: &str) -> String {
    const RESERVED: &str = "if then elif else fi while until do done for in select case esac function \
                            coproc time -p";
    let is_plain = |word: &str| {
        word.len() > 1
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_./-".contains(&byte))
            && !RESERVED.split_ascii_whitespace().any(|reserved| reserved == word)
    };
    let word = |word: &str| match word.split_at_checked(1) {
        Some((first, rest)) if is_plain(word) => format!("{first}\\\n{rest}"),
        _ => word.to_owned(),
    };
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn plain_words_of_the_corpus_are_read_as_all_others() {
    let lines = [include_str!("views.txt"), include_str!("commands.txt")];
    let lines = lines.iter().flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix("$ "));
    let (mut count, special) = (0_usize, ['\'', '"', '`', '$', '#', '\\', '⏎', '␍']);
    let lines = lines.filter(|line| !line.contains(special) && !line.contains("<<"));
    for line in lines.step_by(amount(1, 20)) {
        count += 1;
        assert_eq!(parsed(line), parsed(&with_continuations(line)), "{line}");
    }
    assert!(count > amount(200, 10), "{count}");
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn plain_words_are_read_as_all_others(words in prop::collection::vec(0_usize..WORDS.len(), 0..12)) {
        let line = words.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" ");
        prop_assert_eq!(parsed(&line), parsed(&with_continuations(&line)));
    }
}

const WORDS: &[&str] = &[
    "git", "push", "-rf", "--force", "rm", "sudo", "env", "cd", "../x", "xargs", "find", "-exec", "export",
    "declare", "eval", "bash", "-c", "timeout", "10", ";", "&&", "||", "|", "&", ">", "2>", ">>", "{", "}",
    "(", ")", "!", "if", "then", "fi", "while", "do", "done", "A=1", "x*", "{a,b}",
];
