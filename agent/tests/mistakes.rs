//! Mistakes of a tired person on the command line: each has a message that says what was expected, and
//! an exit status; nothing is started.

use serde_json::json;

use super::world::{World, run};

/// The arguments, and a part of the message. `@` is the directory of the test.
const MISTAKES: [(&str, &str); 58] = [
    ("-p go --context-window 0", "expected a whole number from 1"),
    ("-p go --context-window 1e6", "expected a whole number from 1"),
    ("-p go --model-timeout 0", "expected whole seconds from 1 to 86400"),
    ("-p go --model-timeout 18446744073709551615", "expected whole seconds from 1 to 86400"),
    ("-p go --max-turns 0", "expected a whole number from 1"),
    ("-p go --max-tokens many", "expected a whole number from 1"),
    ("-p go --max-output-tokens 0", "expected a whole number from 1"),
    ("-p go --max-budget 0 --price 3/15", "an amount in USD that is more than 0"),
    ("-p go --max-budget nan --price 3/15", "an amount in USD that is more than 0"),
    ("-p go --max-budget 1", "`--max-budget` needs the prices of the model: `--price IN/OUT`"),
    ("-p go --price 3", "expected two prices in USD per million tokens"),
    ("-p go --max-depth -1", "unexpected argument '-1'"),
    ("-p go --model gpt", "unknown model `gpt`: expected `anthropic:NAME`"),
    ("-p go --model anthropic:", "names no model"),
    ("-p go --model script:", "names no model"),
    ("-p go --model script:@/none.jsonl", "No such file"),
    ("-p go --model script:@/project", "cannot read"),
    ("-p go --model openai:m --base-url nonsense", "expected a URL such as `http://localhost:11434`"),
    ("-p go --model openai:m --base-url localhost:11434", "expected a URL such as"),
    ("-p go --model openai:m --base-url http://x/v1/chat/completions", "the agent adds the path itself"),
    ("-p go --model script:@/ok.jsonl --base-url http://x", "a script has no endpoint"),
    ("-p go --output-format yaml", "text, json, stream-json"),
    ("-p go --compat cursor", "claude"),
    ("-p go --merge both", "append, replace"),
    ("-p go --permission-mode yolo", "bypassPermissions"),
    ("-p go --allow rm", "expected the name of a tool, such as `Bash(rm *)`"),
    ("-p go --deny Bahs(rm)", "there is no tool `Bahs` (did you mean `Bash`?)"),
    ("-p go --deny Bash(rm", "is not a permission rule"),
    ("-p go --settings @/none.json", "No such file"),
    ("-p go --settings @/broken.json", "broken.json"),
    ("-p go --policy @/none.yaml", "none.yaml"),
    ("-p go --policy @/broken.yaml", "broken.yaml:1"),
    ("-p go --project @/none", "No such file"),
    ("-p go --project @/ok.jsonl", "is not a directory"),
    ("-p go --state @/ok.jsonl", "ok.jsonl"),
    ("-p go --log @/project", "directory"),
    ("-p go --session-id ../x", "cannot be the id of a session"),
    ("-p go --resume ../x", "cannot be the id of a session"),
    ("-p go --resume nobody", "there is no such session"),
    ("-p go --resume a --session-id b", "cannot be used with"),
    ("-p go there", "two prompts"),
    ("-p", "no prompt"),
    ("run nobody", "there is no directive `nobody`"),
    ("run ../x", "is not the name of a directive"),
    ("run d --param x", "expected NAME=VALUE"),
    ("run d --param =1", "the name before `=` is empty"),
    ("run d --param a:=x", "is not JSON"),
    ("run d --param a=1 --param a=2", "`--param a=...` is given twice"),
    ("run d --transcript @/project", "directory"),
    ("run d --resume nobody", "there is no such session"),
    ("answer nobody yes", "there is no such session"),
    ("answer nobody maybe", "yes, no"),
    ("workflow @/none.yaml", "No such file"),
    ("workflow @/project", "directory"),
    ("workflow @/list.yaml", "is not a mapping of names to values"),
    ("workflow @/twice.yaml", "two steps are called `a`"),
    ("workflow @/flow.yaml --set balance=7", "the run sets `balance` itself"),
    ("workflow @/flow.yaml --ledger @/project", "is not a regular file"),
];

#[test]
fn each_mistake_has_a_message() {
    let world = World::new();
    world.write("ok.jsonl", "{\"text\": \"never\"}\n");
    world.write("broken.json", "{\"permissions\": ");
    world.write("broken.yaml", "hooks: [{event: PreToolUs, action: {type: deny}}]\n");
    world.write("list.yaml", "- a\n- b\n");
    let step = "{name: a, prompt: x}";
    world.write("flow.yaml", &format!("id: me\nworkflow: {{steps: [{step}]}}\n"));
    world.write("twice.yaml", &format!("id: me\nworkflow: {{steps: [{step}, {step}]}}\n"));
    world.write("project/.ai/directives/d.md", "# d\n\n```xml\n<directive name=\"d\"></directive>\n```\n");
    let root = world.path("").to_string_lossy().trim_end_matches('/').to_owned();
    world.script(&[json!({"text": "never"})]);
    let mut wrong = Vec::new();
    for (line, why) in MISTAKES {
        let line = line.replace('@', &root);
        let args: Vec<&str> = line.split(' ').collect();
        let has_model = line.contains("--model ") || line.starts_with("answer");
        let mut command = if has_model { world.bare(&args) } else { world.command(&args) };
        command.env("OPENAI_API_KEY", "k");
        let ran = run(command);
        if ran.code != Some(2) || !ran.err.contains(why) || ran.out.contains("never") {
            wrong.push(format!("{line}: {:?}, expected `{why}`:\n{}{}", ran.code, ran.out, ran.err));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Lines of a script that say nothing, or something else than an answer.
#[test]
fn each_line_of_a_script_is_an_answer() {
    for (line, why) in [
        ("[]", "expected an object with `text`"),
        ("[\"text\"]", "expected an object with `text`"),
        ("\"text\"", "expected an object with `text`"),
        ("{}", "it says nothing"),
        ("{\"text\": 7}", "expected a string"),
        ("{\"tool_calls\": [[\"Bash\", {}]]}", "is not an object with `name` and `input`"),
        ("{\"tool_calls\": [{\"nme\": \"Bash\"}]}", "unknown field `nme`"),
        ("{\"tool_calls\": []}", "it says nothing"),
        ("{\"error\": [429]}", "`error` is not an object"),
        ("{\"error\": {\"status\": 70000}}", "70000"),
        ("{\"error\": {}, \"text\": \"x\"}", "an error has no answer"),
        ("{\"text\": \"x\", \"usage\": [1, 2]}", "`usage` is not an object"),
        ("{\"text\": \"x\"", "EOF"),
    ] {
        let world = World::new();
        world.write("script.jsonl", &format!("{{\"text\": \"never\"}}\n{line}\n"));
        let ran = world.ask("go", &[]);
        assert!(
            ran.code == Some(2) && ran.err.contains("script.jsonl:2: ") && ran.err.contains(why),
            "{line}: {:?} {}{}",
            ran.code,
            ran.out,
            ran.err
        );
    }
}

/// Hooks at the points of a workflow run in `hookc-agent workflow` only, which is reported.
#[test]
fn hooks_of_workflows_are_reported_in_sessions() {
    let world = World::new();
    let hook = "hooks: [{event: pre_decision, action: {type: invoke, artifact: a}}]";
    world.write("project/.ai/config/hooks.yaml", hook);
    world.script(&[json!({"text": "done"})]);
    let ran = world.ask("go", &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("hooks for `pre_decision` do not run here"), "{}", ran.err);
}

/// A key that no header field can have is no key.
#[test]
fn a_key_must_be_one() {
    let world = World::new();
    let mut command = world.bare(&["-p", "go", "--model", "openai:m"]);
    command.env("OPENAI_API_KEY", "a\nb");
    let ran = run(command);
    assert!(ran.code == Some(2) && ran.err.contains("OPENAI_API_KEY is not a key"), "{}", ran.err);
}
