//! `hookc guide`: it is short, complete, and what it shows is true.

use std::collections::BTreeMap;
use std::fs;

use hookc_schema::decode::Object;
use hookc_schema::diag::ALL_CODES;
use hookc_schema::dialect::{hooks, test};
use hookc_schema::tree::{Op, PredicateName};
use hookc_schema::vocab::Vocabulary;
use hookc_shell::effects::shipped_sets;

use crate::common;

/// The most bytes of a page.
const SIZES: [(&str, usize); 6] = [
    ("language", 24 << 10),
    ("shell", 6 << 10),
    ("agents", 8 << 10),
    ("tests", 8 << 10),
    ("history", 12 << 10),
    ("codes", 20 << 10),
];

fn page(topic: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let run = common::hookc(folder.path(), &["guide", topic], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{topic}");
    run.out
}

#[test]
fn pages_are_short() {
    for (topic, most) in SIZES {
        let size = page(topic).len();
        assert!(size <= most, "{topic}: {size} bytes, more than {most}");
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(common::hookc(folder.path(), &["guide"], "").out, page("language"));
}

/// Each word of the data occurs, as a word.
#[test]
fn every_name_of_the_data_occurs() {
    let language = page("language");
    let vocabulary = Vocabulary::builtin();
    let keys = |object: &'static Object| object.keys.iter().filter(|key| !key.legacy).map(|key| key.name);
    let mut names: Vec<String> = vocabulary.events.keys().map(|(_, name)| name.clone()).collect();
    names.extend(vocabulary.tools.by_name.keys().cloned());
    names.extend(vocabulary.actions.keys().cloned());
    names.extend(Op::ALL.iter().map(|op| op.symbol().to_owned()));
    names.extend(PredicateName::all().map(|name| name.as_str().to_owned()));
    names.extend(shipped_sets().iter().map(|set| format!("@{}", set.name)));
    let objects = [&hooks::FILE, &hooks::HOOK, &hooks::CONDITION];
    names.extend(objects.into_iter().flat_map(keys).map(str::to_owned));
    for name in names {
        assert!(has(&language, &name), "language: `{name}`");
    }
    let tests = page("tests");
    for name in [&test::FILE, &test::TEST, &test::EXPECT].into_iter().flat_map(keys) {
        assert!(has(&tests, name), "tests: `{name}`");
    }
    let codes = page("codes");
    for code in ALL_CODES {
        assert!(has(&codes, code.name()), "codes: {code}");
    }
}

/// Whether a text has a word.
fn has(text: &str, word: &str) -> bool {
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        !letter(text[..at].chars().next_back()) && !letter(text[at + word.len()..].chars().next())
    })
}

/// The blocks of YAML of a page.
fn blocks(page: &str) -> Vec<&str> {
    page.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// Each policy compiles without a warning, and each block of tests passes on the policy of its page.
#[test]
fn every_example_is_true() {
    let (mut policies, mut suites) = (0, 0);
    for (topic, _) in SIZES {
        let page = page(topic);
        let guard = blocks(&page)
            .into_iter()
            .rfind(|block| !block.starts_with("policy:") && block.contains("no_force_push"));
        let guard = guard.or_else(|| blocks(&page).into_iter().find(|block| block.starts_with("hooks:")));
        for block in blocks(&page) {
            let folder = tempfile::tempdir().unwrap();
            common::put(folder.path(), "guard.yaml", guard.unwrap_or(block));
            let args: &[&str] = if block.starts_with("policy:") {
                common::put(folder.path(), "guard.test.yaml", block);
                suites += 1;
                &["test", "."]
            } else {
                common::put(folder.path(), "guard.yaml", block);
                policies += 1;
                &["check", "guard.yaml", "--deny", "warnings"]
            };
            let run = common::hookc(folder.path(), args, "");
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{topic}:\n{block}\n{}", run.out);
        }
    }
    assert!(policies >= 16 && suites >= 2, "{policies} policies, {suites} suites");
}

/// The recipes of the guide are those of the corpus, whose tests `tests/cases` runs.
#[test]
fn examples_are_recipes() {
    let (language, history) = (page("language"), page("history"));
    let shown = blocks(language.split("## Examples").nth(1).unwrap());
    let past = blocks(history.split("## Recipes").nth(1).unwrap());
    let entries = fs::read_dir(common::project().join("corpus/recipes")).unwrap();
    let recipes: Vec<String> = entries
        .filter_map(|entry| fs::read_to_string(entry.unwrap().path().join("hooks.yaml")).ok())
        .collect();
    assert_eq!((shown.len(), past.len()), (12, 10));
    assert!(shown.iter().chain(&past).all(|block| recipes.iter().any(|recipe| recipe == block)));
}

/// The table of patterns of commands: what each matches, and what not.
#[test]
fn patterns_match_as_the_table_says() {
    let page = page("language");
    let rows = page.split("| pattern | also matches | not |\n|---|---|---|\n").nth(1).unwrap();
    let mut lines = 0;
    for row in rows.lines().take_while(|line| line.starts_with('|')) {
        let row = row.replace("\\|", "\u{1}");
        // After a colon is what a part of the pattern means.
        let code = |cell: &str| -> Vec<String> {
            let lines = cell.split(": ").next().unwrap_or_default().split('`').skip(1).step_by(2);
            lines.map(|code| code.replace('\u{1}', "|")).collect()
        };
        let cells: Vec<Vec<String>> = row.split('|').skip(1).map(code).collect();
        let folder = tempfile::tempdir().unwrap();
        let policy = format!(
            "hooks:\n  - {{event: PreToolUse, when: \"runs('{}')\", action: {{type: deny, reason: x}}}}\n",
            cells[0][0]
        );
        common::put(folder.path(), "guard.yaml", policy);
        for (line, is_match) in
            cells[1].iter().map(|line| (line, true)).chain(cells[2].iter().map(|line| (line, false)))
        {
            let input = format!("command={line}");
            let args = [
                "eval",
                "guard.yaml",
                "--event",
                "PreToolUse",
                "--tool",
                "Bash",
                "--set",
                "cwd=/repo",
                "--input",
                &input,
            ];
            let run = common::hookc(folder.path(), &args, "");
            assert_eq!(
                run.out.contains(r#""deny""#),
                is_match,
                "{}: {line}: {}{}",
                cells[0][0],
                run.out,
                run.err
            );
            lines += 1;
        }
    }
    assert!(lines > 15, "{lines}");
}

/// A sentence has one place: one topic of the guide, and none of the documents.
#[test]
fn no_sentence_is_written_twice() {
    let mut texts: Vec<(String, String)> =
        SIZES.iter().map(|(topic, _)| ((*topic).to_owned(), page(topic))).collect();
    for name in ["language", "shell", "testing", "cli", "agents", "security"] {
        texts.push((format!("docs/{name}.md"), common::read(common::project(), &format!("docs/{name}.md"))));
    }
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for (name, text) in &texts {
        for sentence in sentences(text) {
            if let Some(other) = seen.insert(sentence.clone(), name)
                && (SIZES.iter().any(|(topic, _)| topic == name || *topic == other))
            {
                panic!("{name} and {other}: {sentence}");
            }
        }
    }
}

/// The sentences of prose with at least eight words: not of tables, which are generated, nor of code.
fn sentences(text: &str) -> Vec<String> {
    let is_generated = |line: &str| {
        line.starts_with('|')
            || line.strip_prefix("- ").is_some_and(|item| item.starts_with(char::is_lowercase))
    };
    let prose = text.split("```").step_by(2).flat_map(str::lines).filter(|line| !is_generated(line));
    let prose = prose.map(|line| if line.is_empty() { ". ".to_owned() } else { format!("{line} ") });
    let prose: String = prose.collect();
    let whole = prose.split(['.', ':', ';']).map(|one| one.split_whitespace().collect::<Vec<_>>());
    whole.filter(|words| words.len() >= 8).map(|words| words.join(" ")).collect()
}

#[test]
fn unknown_names_are_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    for (args, near) in
        [(&["guide", "langauge"][..], "`language`"), (&["guide", "agents", "claud"], "`claude`")]
    {
        let run = common::hookc(folder.path(), args, "");
        assert!(
            run.code == 2 && run.err.contains(near) && run.err.contains("known: "),
            "{args:?}: {}",
            run.err
        );
    }
    let run = common::hookc(folder.path(), &["guide", "shell", "claude"], "");
    assert_eq!((run.code, run.err.as_str()), (2, "hookc: `shell` takes no name: `hookc guide shell`\n"));
    let run = common::hookc(folder.path(), &["guide", "agents", "codex"], "");
    assert!(run.code == 0 && run.out.starts_with("## Codex CLI (`codex`)\n"), "{}", run.out);
}
