//! Effects of events: any text as a command line, a path, an address and a patch has effects within the limits, whose
//! texts have their holes in order. The first line is the working directory.

use hookc_shell::effects::{Actions, Event, Input, Project, Text, ToolRoles, Tools, Value, gather};
use hookc_shell::limits;

/// A text as the value of every input.
struct Each<'t>(&'t str);

impl Input for Each<'_> {
    fn each(&self, _: &str, see: &mut dyn FnMut(Value<'_>)) {
        see(Value::Text(self.0));
    }
}

/// Tools with one input each, by its role.
const ROLES: [&str; 8] =
    ["line required", "read", "edit", "list glob", "url", "patch", "package", "read tree ."];

/// Holes are in order and in their text.
fn holes(text: Text<'_>) {
    let mut end = 0;
    for gap in text.holes {
        assert!(end <= gap.from && gap.from <= gap.to, "{text:?}");
        assert_eq!(text.source(gap).len(), gap.to.saturating_sub(gap.from) as usize, "{text:?}");
        end = gap.to;
    }
}

/// See the description of the module.
pub fn effects(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (cwd, text) = text.split_once('\n').unwrap_or(("/r", &text));
    let mut actions = Actions::default();
    for role in ROLES {
        let inputs = Some(vec![("x".to_owned(), role.to_owned())]);
        let tools = Tools { own: vec![ToolRoles { name: "t".to_owned(), inputs }], shipped: Vec::new() };
        let (cwd, project) = (Some(cwd), Project::Absent);
        let event = Event { tool: "t", host_tool: None, cwd, project, tools: &tools, wrappers: &[] };
        gather(&event, &Each(text), &mut actions);
        let first = actions.work();
        assert!(actions.effects().len() <= limits::EFFECTS, "{text:?}");
        actions.effects().for_each(|effect| holes(effect.object));
        let count = actions.commands().len();
        for act in actions.commands() {
            act.words().for_each(holes);
            act.operands().for_each(|operand| holes(operand.path));
            let mut others = act.runs().chain(act.pipes_to()).chain(act.inputs()).chain(act.starter());
            assert!(others.all(|number| number < count), "{text:?}");
        }
        gather(&event, &Each(text), &mut actions);
        assert_eq!(actions.work(), first, "{text:?}");
    }
}
