//! The action of a hook that matches.

use hookc_schema::tree::{Cond, CondKind, Family, Path, PathKind, Predicate, Step};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::{ParamType, Type};

use crate::decide::Ranked;
use crate::decimal::Decimal;
use crate::json::Json;
use crate::moment::Moment;
use crate::repeated::Place;
use crate::template;

impl Ranked {
    /// The action with templates filled and defaults added, as JSON.
    pub(crate) fn action(&self, moment: &Moment<'_>) -> Option<String> {
        let action = &self.hook.action;
        let kind = self.vocabulary.actions.get(&action.kind.node);
        let mut params: Vec<(String, Json)> = Vec::new();
        for (key, value) in &action.params {
            let filled = self.fill(value, moment);
            let declared = kind.and_then(|kind| kind.params.get(&key.node));
            if declared.is_some_and(|declared| !conforms(&filled, declared)) {
                return None;
            }
            params.push((key.node.clone(), filled));
        }
        for (name, declared) in kind.iter().flat_map(|kind| &kind.params) {
            if let Some(default) = &declared.default
                && !params.iter().any(|(key, _)| key == name)
            {
                // Handlers of repositories print signals.
                let signals = self.family == Family::Repository
                    && (action.kind.node.as_str(), name.as_str()) == ("run", "result")
                    && default.as_str() == Some("status");
                let default =
                    if signals { Json::Str("signals".to_owned()) } else { Json::from_value(default) };
                params.push((name.clone(), default));
            }
        }
        let is_denial = matches!(action.kind.node.as_str(), "deny" | "ask");
        if is_denial && !params.iter().any(|(key, _)| key == "reason") && self.always_says_why() {
            params.push(("reason".to_owned(), self.because(moment)));
        }
        let body = Json::Obj(params).canonical();
        let kind = Json::Str(action.kind.node.clone()).canonical();
        let comma = if body == "{}" { "" } else { "," };
        Some(format!("{{\"type\":{kind}{comma}{}", body.strip_prefix('{').unwrap_or_default()))
    }

    fn fill(&self, value: &Value, moment: &Moment<'_>) -> Json {
        match &value.kind {
            Kind::Str(text) if self.hook.action.templates => {
                let parts = self.parts(&text.value);
                let find = |path: &Path| match self.is_because(path) {
                    true => Some(self.because(moment)),
                    false => self.filling(path, moment),
                };
                template::fill(&parts, &find)
            }
            Kind::Seq(items) => Json::Arr(items.iter().map(|item| self.fill(item, moment)).collect()),
            Kind::Map(members) => {
                Json::Obj(members.iter().map(|m| (m.key.node.clone(), self.fill(&m.value, moment))).collect())
            }
            _ => Json::from_value(value),
        }
    }
}

impl Ranked {
    /// Whether a path of a template is `because`, which no field of the event is.
    pub(crate) fn is_because(&self, path: &Path) -> bool {
        let is_field =
            || self.schema.as_ref().is_some_and(|schema| schema.properties.contains_key("because"));
        let is_name = |step: &Step| matches!(step, Step::Name(name) if name == "because");
        matches!(&path.kind, PathKind::Short(steps) if steps.len() == 1 && steps.iter().all(is_name))
            && !is_field()
    }

    /// Why the condition of the hook is true: what is said about the first predicate that made it true.
    fn because(&self, moment: &Moment<'_>) -> Json {
        let cond = self.hook.condition.as_ref();
        let sentence = cond.and_then(|cond| self.reason(cond, true, self.place(), moment));
        Json::Str(sentence.unwrap_or_else(|| "the condition of the hook is true".to_owned()))
    }

    /// The sentence about the first predicate that gave a condition its truth.
    fn reason(&self, cond: &Cond, truth: bool, place: Place, moment: &Moment<'_>) -> Option<String> {
        let is_so = |part: &&Cond| self.holds(part, place, moment, &mut Vec::new()) == Ok(truth);
        let reason = |part: &Cond| self.reason(part, truth, place, moment);
        match &cond.kind {
            // It is false without a success, too.
            CondKind::Predicate(predicate)
                if !truth
                    && matches!(**predicate, Predicate::Passed(_))
                    && self.test(moment.schema).has_passed(predicate, moment.json) =>
            {
                None
            }
            CondKind::Predicate(predicate) => Some(self.test(moment.schema).sentence(predicate, moment.json)),
            CondKind::Not(part) => self.reason(part, !truth, place.not(), moment),
            CondKind::All(parts) if truth => parts.iter().find_map(reason),
            CondKind::Any(parts) if !truth => parts.iter().find_map(reason),
            CondKind::All(parts) | CondKind::Any(parts) => parts.iter().filter(is_so).find_map(reason),
            CondKind::Const(_) | CondKind::Leaf(_) | CondKind::Quantified(_) | CondKind::Formerly(_) => None,
        }
    }

    /// Whether each way to the truth of the condition is by a predicate.
    fn always_says_why(&self) -> bool {
        self.hook.condition.as_ref().is_some_and(|cond| is_always(cond, true))
    }
}

fn is_always(cond: &Cond, truth: bool) -> bool {
    match &cond.kind {
        // It is false without a success, too.
        CondKind::Predicate(predicate) => truth || !matches!(**predicate, Predicate::Passed(_)),
        CondKind::Not(part) => is_always(part, !truth),
        CondKind::All(parts) if truth => parts.iter().any(|part| is_always(part, truth)),
        CondKind::Any(parts) if !truth => parts.iter().any(|part| is_always(part, truth)),
        CondKind::All(parts) | CondKind::Any(parts) => {
            !parts.is_empty() && parts.iter().all(|part| is_always(part, truth))
        }
        CondKind::Const(_) | CondKind::Leaf(_) | CondKind::Quantified(_) | CondKind::Formerly(_) => false,
    }
}

fn conforms(value: &Json, declared: &ParamType) -> bool {
    let kind = match value {
        Json::Null => Type::Null,
        Json::Bool(_) => Type::Boolean,
        Json::Num(number) if number.0.is_integer() => Type::Integer,
        Json::Num(_) => Type::Number,
        Json::Str(_) => Type::String,
        Json::Arr(_) => Type::Array,
        Json::Obj(_) => Type::Object,
    };
    let allowed = |all: &Vec<Value>| all.iter().any(|one| Json::from_value(one).same(value));
    let least = declared.minimum.as_ref().and_then(|least| Decimal::parse(&least.0));
    let enough = match (value, least) {
        (Json::Num(number), Some(least)) => number.0 >= least,
        _ => true,
    };
    declared.types.has(kind) && declared.allowed.as_ref().is_none_or(allowed) && enough
}
