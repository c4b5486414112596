//! What a command line does, and guards about it. The first line is the working directory. The second one is a guard: its
//! name and its patterns, with tabs between them. The rest is the command line.

use hookc_shell::effects::{
    Actions, Compiled, Event, Guard, Input, List, Predicate, Project, ToolRoles, Tools, Value, Verb, check,
    gather,
};
use hookc_shell::limits;
use hookc_shell::programs::Programs;

/// The input of a tool for command lines.
struct Line<'l>(&'l str);

impl Input for Line<'_> {
    fn each(&self, path: &str, see: &mut dyn FnMut(Value<'_>)) {
        if path == "command" {
            see(Value::Text(self.0));
        }
    }
}

/// A guard by its name and its patterns.
fn guard(text: &str) -> Option<Guard> {
    let mut words = text.split('\t');
    let name = words.next().unwrap_or_default();
    let verb = Verb::ALL.iter().find(|verb| [verb.plural(), verb.possible()].contains(&name))?;
    let mut guard = Guard::new(*verb);
    let mut list = List::Of;
    for word in words {
        let patterns = match list {
            List::Of => &mut guard.of,
            List::Except => &mut guard.except,
            List::By => &mut guard.by,
            List::NotBy => &mut guard.not_by,
        };
        match word {
            "except" => list = List::Except,
            "by" => list = List::By,
            "not by" => list = List::NotBy,
            word => patterns.push(word.to_owned()),
        }
    }
    Some(guard)
}

/// The parts of effects and commands are there, and within the limits.
pub(super) fn bounded(actions: &Actions) {
    let (commands, effects) = (actions.commands().len(), actions.effects().len());
    assert!(effects <= limits::EFFECTS, "{effects} effects");
    for effect in actions.effects() {
        assert!(effect.command.is_none_or(|command| command < commands), "{effect:?}");
        let mut end = 0;
        for hole in effect.object.holes {
            assert!(hole.from >= end && hole.to > hole.from, "{effect:?}");
            assert!(effect.object.text.get(hole.from as usize..hole.to as usize).is_some(), "{effect:?}");
            end = hole.to;
        }
    }
    for act in actions.commands() {
        assert!(
            act.runs().chain(act.pipes_to()).chain(act.inputs()).all(|other| other < commands),
            "{act:?}"
        );
        assert!(act.flags().all(|flag| flag.at < act.words().len()), "{act:?}");
    }
}

fn compiled(predicate: &Predicate) -> Option<Compiled> {
    let compiled = check(predicate, &[], Default::default()).ok()?;
    let mut bytes = Vec::new();
    predicate.encode(&[], &mut bytes);
    assert_eq!(Predicate::decode(&bytes), Ok((predicate.clone(), Vec::new())));
    Some(compiled)
}

fn guards(guard: &Guard, actions: &Actions) {
    let with = |is_possible| Predicate::Guard(Guard { is_possible, ..guard.clone() });
    let (Some(certain), Some(possible)) = (compiled(&with(false)), compiled(&with(true))) else { return };
    let (is_certain, is_possible) = (certain.holds(actions), possible.holds(actions));
    assert!(!is_certain || is_possible, "{guard:?} is certain and not possible");
    assert_eq!(certain.because(actions).is_some(), is_certain, "{guard:?}");
    let listed = Guard { is_possible: false, by: Vec::new(), not_by: Vec::new(), ..guard.clone() };
    let Some(only) = compiled(&Predicate::Only(vec![listed.clone()])) else { return };
    if !only.holds(actions) {
        return;
    }
    assert!(only.uncovered(actions).is_none() && actions.unknown().is_none(), "{guard:?}");
    if matches!(guard.verb, Verb::Read | Verb::Write | Verb::Delete | Verb::Change) {
        let of = if listed.of.is_empty() { vec!["**".to_owned()] } else { listed.of };
        let other = Guard { is_possible: true, except: of, ..Guard::new(guard.verb) };
        let other = compiled(&Predicate::Guard(other));
        assert!(other.is_none_or(|other| !other.holds(actions)), "{guard:?} permits what it does not list");
    }
}

/// The keys of patterns change no answer, and neither does reading patterns when they are needed.
fn unindexed(guard: &Guard, mut actions: Actions) {
    let guards = [false, true].map(|is_possible| Guard { is_possible, ..guard.clone() });
    let only = Predicate::Only(vec![Guard { by: Vec::new(), not_by: Vec::new(), ..guards[0].clone() }]);
    let predicates = guards.into_iter().map(Predicate::Guard).chain([only]);
    let predicates: Vec<_> = predicates.filter(|predicate| compiled(predicate).is_some()).collect();
    let holds = |actions: &Actions| -> Vec<bool> {
        let answer = |predicate: &Predicate| {
            let made = Compiled::new(predicate.clone(), &[], Default::default());
            let truth = made.holds(actions);
            assert!(made.is_readable(), "{predicate:?}");
            truth
        };
        predicates.iter().map(answer).collect()
    };
    let indexed = holds(&actions);
    actions.forget_keys();
    assert_eq!(indexed, holds(&actions), "{guard:?} is different without the index");
}

/// What a line does.
pub(super) fn gathered(cwd: Option<&str>, line: &str, programs: &Programs, actions: &mut Actions) {
    let inputs = Some(vec![("command".to_owned(), "line required".to_owned())]);
    let tools = Tools { shipped: vec![ToolRoles { name: "Bash".to_owned(), inputs }], ..Tools::default() };
    let event =
        Event { tool: "Bash", host_tool: None, cwd, project: Project::Absent, tools: &tools, programs };
    gather(&event, &Line(line), actions);
}

/// A command line, and a guard about it.
pub fn effects(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut parts = text.splitn(3, '\n');
    let mut part = || parts.next().unwrap_or_default();
    let (cwd, asked, line) = (part(), part(), part());
    let cwd = Some(cwd).filter(|cwd| !cwd.is_empty());
    let (shipped, mut actions) = (Programs::default(), Actions::default());
    gathered(cwd, line, &shipped, &mut actions);
    bounded(&actions);
    let seen = |actions: &Actions| format!("{:?}", actions.effects().collect::<Vec<_>>());
    let first = seen(&actions);
    gathered(cwd, line, &shipped, &mut actions);
    assert_eq!(first, seen(&actions), "the second time is another one");
    if let Some(guard) = guard(asked) {
        guards(&guard, &actions);
        unindexed(&guard, actions);
    }
}
