//! A coding agent's skills: how they are found, and how they reach the model.

use hookc_compiler::Dialect;
use hookc_runtime::Event;
use hookc_runtime::host::NoopHost;
use hookc_runtime::skill::SkillRegistry;
use hookc_schema::tree::Layer;
use hookc_vm::{DecideOptions, Family};
use serde_json::json;

use super::{Folder, skill};

#[test]
fn skills_of_user_and_project_and_their_commands() {
    let folder = Folder::new()
        .with("user/commit.md", &skill("commit", "trigger: /commit\n", "", "the user's"))
        .with("user/notes.md", &skill("notes", "trigger: /notes\n", "", "take notes"))
        .with("user/plain.md", &skill("plain", "", "", "no command"))
        .with(
            "project/commit/SKILL.md",
            &skill("commit", "trigger: /commit\n", "", "# Commit\n\nthe project's"),
        )
        .with("project/readme.txt", "nothing");
    let shelf = SkillRegistry::read(Some(&folder.path().join("user")), Some(&folder.path().join("project")));
    let commands: Vec<_> = shelf.commands().map(|(trigger, skill)| (trigger, skill.layer)).collect();
    assert_eq!(commands, [("/notes", Layer::User), ("/commit", Layer::Project)]);
    let commit = shelf.command("/commit all of it").unwrap();
    assert_eq!(
        (commit.body.trim(), commit.description.as_deref()),
        ("# Commit\n\nthe project's", Some("about commit"))
    );
    assert!(
        shelf.command("commit").is_none() && shelf.command("/plain").is_none() && shelf.command("").is_none()
    );
    assert_eq!((shelf.skills.len(), shelf.diagnostics.len(), shelf.unread.len()), (3, 0, 0));
    assert_eq!((commit.title(), commit.in_event()["name"].as_str()), ("Commit", Some("commit")));

    // For equal names in the front matter, the project's wins, wherever the files are.
    let folder = folder.with("project/other.md", &skill("notes", "trigger: /n\n", "", "the project's notes"));
    let shelf = SkillRegistry::read(Some(&folder.path().join("user")), Some(&folder.path().join("project")));
    let commands: Vec<_> = shelf.commands().map(|(trigger, skill)| (trigger, skill.layer)).collect();
    assert_eq!(commands, [("/commit", Layer::Project), ("/n", Layer::Project)]);
    assert!(SkillRegistry::read(None, Some(&folder.path().join("nowhere"))).skills.is_empty());
}

fn shelf() -> (Folder, SkillRegistry) {
    let folder = Folder::new()
        .with("user/notes.md", &skill("notes", "", "", "# Notes\n\nTake notes."))
        .with("user/commit.md", &skill("commit", "trigger: /commit\n", "", "the user's"))
        .with("project/commit.md", &skill("commit", "trigger: /commit\n", "", "# Commit\n\nWrite it well."))
        .with("project/bare.md", &skill("bare", "trigger: /bare\n", "", ""));
    let shelf = SkillRegistry::read(Some(&folder.path().join("user")), Some(&folder.path().join("project")));
    (folder, shelf)
}

/// Step 7: a slash command sends the instructions of its skill to the model, with the rest of the
/// message, through the same hooks as other messages.
#[test]
fn a_slash_command_sends_its_skill() {
    let (folder, shelf) = shelf();
    let sent = |message: &str| shelf.prompt(message);
    assert_eq!(sent("/commit").as_deref(), Some("# Commit\n\nWrite it well."));
    assert_eq!(sent(" /commit\tthe tests \n").as_deref(), Some("# Commit\n\nWrite it well.\n\nthe tests"));
    assert_eq!(sent("/bare with words").as_deref(), Some("with words"));
    for none in ["commit", "/commits", "/notes", "please /commit", ""] {
        assert_eq!(sent(none), None, "{none}");
    }

    let settings = json!({"hooks": {"UserPromptSubmit": [{"type": "command",
        "command": "echo \"context: $USER_MESSAGE\""}]}});
    let folder = folder.with("settings.json", &settings.to_string());
    let engine = folder.engine("settings.json", Dialect::Settings);
    let prompt = sent("/commit the tests").unwrap();
    let event = Event::from_value(json!({"prompt": prompt, "cwd": folder.path()}));
    let ask = DecideOptions::default().event("UserPromptSubmit").family(Family::Agent);
    let handled = engine.handle(&event, &ask, &NoopHost).unwrap();
    assert_eq!(handled.verdict().0.prompt, Some(format!("context: {prompt}")));
}

/// The part of the system prompt about skills: all active ones in order, each with its
/// instructions; nothing if there is none.
#[test]
fn the_system_prompt_describes_active_skills() {
    let (_folder, shelf) = shelf();
    let expected = "# Active Skills\n\n\
        ## notes\n\nabout notes\n\n# Notes\n\nTake notes.\n\n\
        ## bare (/bare)\n\nabout bare\n\n\
        ## commit (/commit)\n\nabout commit\n\n# Commit\n\nWrite it well.\n";
    assert_eq!(shelf.system_prompt().as_deref(), Some(expected));
    assert_eq!(SkillRegistry::default().system_prompt(), None);
}
