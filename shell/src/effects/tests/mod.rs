//! Tests of predicates.

mod commands;
mod doubts;
mod guards;
mod keys;
mod only;
mod problems;
mod properties;
mod sets;
mod view;

use super::{
    Actions, Compiled, Event, Guard, Input, Predicate, Project, Set, ToolRoles, Tools, Value, Verb, check,
    gather,
};

struct Line<'l>(&'l str);

impl Input for Line<'_> {
    fn each(&self, path: &str, see: &mut dyn FnMut(Value<'_>)) {
        if path == "command" {
            see(Value::Text(self.0));
        }
    }
}

/// What a command line does in `/srv/app`.
pub(super) fn actions(line: &str) -> Actions {
    actions_in(line, Some("/srv/app"))
}

fn actions_in(line: &str, cwd: Option<&str>) -> Actions {
    let inputs = Some(vec![("command".to_owned(), "line required".to_owned())]);
    let tools = Tools { shipped: vec![ToolRoles { name: "Bash".to_owned(), inputs }], ..Tools::default() };
    let event = Event {
        tool: "Bash",
        host_tool: None,
        cwd,
        project: Project::Absent,
        tools: &tools,
        programs: Default::default(),
    };
    let mut actions = Actions::default();
    gather(&event, &Line(line), &mut actions);
    actions
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// `runs(...)`, `may_read(... except ...)`.
fn guard(name: &str, of: &[&str], except: &[&str]) -> Guard {
    let verb = Verb::ALL.iter().find(|verb| verb.plural() == name || verb.possible() == name).unwrap();
    let is_possible = verb.possible() == name;
    Guard { is_possible, of: texts(of), except: texts(except), ..Guard::new(*verb) }
}

fn compiled(predicate: &Predicate, sets: &[Set]) -> Compiled {
    check(predicate, sets, Default::default())
        .unwrap_or_else(|problem| panic!("{}: {predicate:?}", problem.message()))
}

fn holds(guard: &Guard, line: &str) -> bool {
    compiled(&Predicate::Guard(guard.clone()), &[]).holds(&actions(line))
}

fn only(guards: &[Guard], line: &str) -> bool {
    compiled(&Predicate::Only(guards.to_vec()), &[]).holds(&actions(line))
}
