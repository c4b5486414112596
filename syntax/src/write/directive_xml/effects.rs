//! Predicates about effects, and the declarations that they use.

use hookc_schema::tree::{Declarations, Guard, Pattern, Predicate};
use hookc_schema::value::{Kind, Member, Value};

use super::{Attributes, Xml, boolean};

impl Xml<'_> {
    /// `<program>`, `<set>`, `<tool>` and `<project>`.
    pub(super) fn effect_declarations(&mut self, declarations: &Declarations) {
        let members = |value: &Option<Value>| value.as_ref().map(Value::members).unwrap_or_default().to_vec();
        if let Some(path) = declarations.project.as_ref().and_then(Value::as_str) {
            self.empty("project", &[("path", path)]);
        }
        members(&declarations.programs).iter().for_each(|program| self.program("program", program));
        members(&declarations.sets).iter().for_each(|set| self.set(set));
        members(&declarations.tools).iter().for_each(|tool| self.tool(tool));
    }

    /// A program, or a subcommand.
    fn program(&mut self, element: &'static str, program: &Member) {
        self.program_table(element, Some(&program.key.node), &program.value);
    }

    fn program_table(&mut self, element: &'static str, name: Option<&str>, table: &Value) {
        let (mut start, mut sources, mut ifs, mut subs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        start.extend(name.map(|name| ("name", name)));
        for member in table.members() {
            let key = member.key.node.as_str();
            match &member.value.kind {
                Kind::Str(text) => start.push((key, text.value.as_str())),
                Kind::Bool(flag) => start.push((key, boolean(*flag))),
                Kind::Map(_) if key == "if" => ifs.push(&member.value),
                Kind::Map(_) => subs.push(member),
                Kind::Seq(items) if key == "if" => ifs.extend(items),
                Kind::Seq(items) => sources.extend(items.iter().filter_map(Value::as_str)),
                _ => {}
            }
        }
        if sources.is_empty() && ifs.is_empty() && subs.is_empty() {
            return self.empty(element, &start);
        }
        self.open(element, &start);
        sources.into_iter().for_each(|source| self.text("source", &[], source));
        ifs.into_iter().for_each(|condition| self.program_table("if", None, condition));
        subs.into_iter().for_each(|sub| self.program("subcommand", sub));
        self.close(element);
    }

    fn set(&mut self, set: &Member) {
        let texts = |value: Option<&Value>| match value.map(|value| &value.kind) {
            Some(Kind::Seq(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let is_list = matches!(set.value.kind, Kind::Seq(_));
        let of: Vec<String> = texts(if is_list { Some(&set.value) } else { set.value.get("of") });
        let except: Vec<String> = texts(set.value.get("except"));
        self.open("set", &[("name", &set.key.node)]);
        of.iter().for_each(|pattern| self.text("of", &[], pattern));
        except.iter().for_each(|pattern| self.text("except", &[], pattern));
        self.close("set");
    }

    fn tool(&mut self, tool: &Member) {
        let name = tool.key.node.as_str();
        if tool.value.as_str().is_some() {
            return self.empty("tool", &[("name", name), ("unknown", "true")]);
        }
        let inputs = || tool.value.members().iter().filter_map(|input| Some((input, input.value.as_str()?)));
        let mut start = vec![("name", name)];
        start.extend(
            inputs()
                .filter(|(input, _)| is_attribute(&input.key.node))
                .map(|(i, role)| (i.key.node.as_str(), role)),
        );
        let others: Vec<_> = inputs().filter(|(input, _)| !is_attribute(&input.key.node)).collect();
        if others.is_empty() {
            return self.empty("tool", &start);
        }
        self.open("tool", &start);
        for (input, role) in others {
            self.empty("input", &[("path", &input.key.node), ("role", role)]);
        }
        self.close("tool");
    }

    pub(super) fn predicate(&mut self, predicate: &Predicate) {
        let name = predicate.name();
        match predicate {
            Predicate::Guard(guard) => self.guard(guard),
            Predicate::Unknown => self.empty(name, &[]),
            Predicate::Only(guards) if guards.is_empty() => self.empty(name, &[]),
            Predicate::Only(guards) => {
                self.open(name, &[]);
                guards.iter().for_each(|guard| self.guard(guard));
                self.close(name);
            }
            Predicate::Mentions(of) | Predicate::Passed(of) => {
                self.open(name, &[]);
                self.patterns("of", of);
                self.close(name);
            }
        }
    }

    /// One pattern of a list is an attribute if the reader does not normalize it, several are elements.
    fn guard(&mut self, guard: &Guard) {
        let name = guard.name().as_str();
        let lists = [("except", &guard.except), ("by", &guard.by), ("not-by", &guard.not_by)];
        let mut attributes: Attributes<'_> = Vec::new();
        let mut elements: Vec<(&str, &[Pattern])> = vec![("of", &guard.of)];
        for (word, list) in lists {
            match list.as_slice() {
                [one] if !one.node.value.contains(char::is_control) => {
                    attributes.push((word, &one.node.value))
                }
                several => elements.push((word, several)),
            }
        }
        elements.retain(|(_, list)| !list.is_empty());
        if elements.is_empty() {
            return self.empty(name, &attributes);
        }
        self.open(name, &attributes);
        elements.iter().for_each(|(word, list)| self.patterns(word, list));
        self.close(name);
    }

    fn patterns(&mut self, word: &str, patterns: &[Pattern]) {
        patterns.iter().for_each(|pattern| self.text(word, &[], &pattern.node.value));
    }
}

/// Whether the name of an input can be the attribute of a tool.
fn is_attribute(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_name =
        name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit() || c == '-');
    is_name && !matches!(name, "name" | "unknown") && !name.starts_with("xml")
}
