//! The keywords of each location as rules; nested schemas are location numbers.

mod nested;
mod values;

use hookc_schema::keyword::{KEYWORDS, KeywordValue, value_kind};
use hookc_schema::suggest;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Diagnostic, Diagnostics, Span};
use hookc_vm::format::keyword::Keyword;

use super::graph::{Operand, Rule, Written};
use super::index::Index;
use super::keyword::instead;
use super::refs::{self, Reference};
use super::{Literal, problem};
use crate::fault::{Fault, Faults};

/// The rules of a location.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// Its rules, in the order of the table; `allOf` is not among them.
    pub(super) rules: Vec<Written>,
    /// The locations of `allOf`.
    pub(super) all_of: Vec<u32>,
    /// Its references.
    pub(super) references: Vec<Reference>,
}

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The rules of every location; all errors of keywords are reported.
pub(super) fn read(index: &Index<'_>, formats: bool, out: &mut Diagnostics) -> Vec<Rules> {
    let faults = Faults::default();
    let read = |(place, at): (usize, &super::index::Location<'_>)| {
        let (value, rules, out) = (at.value, Rules::default(), &mut *out);
        let mut reader = Reader { index, place, value, formats, out, rules, faults: &faults };
        reader.read_value();
        reader.rules.rules.sort_by_key(|rule| rule.keyword);
        reader.rules
    };
    let rules = index.places.iter().enumerate().map(read).collect();
    out.extend(faults.check(()).err().map(Fault::diagnostic));
    rules
}

struct Reader<'r, 'v> {
    index: &'r Index<'v>,
    place: usize,
    value: &'v Value,
    formats: bool,
    out: &'r mut Diagnostics,
    rules: Rules,
    faults: &'r Faults,
}

impl<'v> Reader<'_, 'v> {
    fn read_value(&mut self) {
        match &self.value.kind {
            Kind::Bool(true) => {}
            Kind::Map(members) => members.iter().for_each(|member| self.member(member)),
            _ => self.rule(Keyword::Never, Operand::None),
        }
    }

    fn report(&mut self, new: Diagnostic) {
        let new = problem::within(new, self.index, self.place);
        self.out.push(new);
    }

    fn unfit(&mut self, span: Span, what: &str, label: &str, help: &str) {
        self.report(problem::unfit(span, what, label).help(help));
    }

    fn rule(&mut self, keyword: Keyword, operand: Operand<Literal, Vec<Literal>, String, String>) {
        self.rules.rules.push(Rule { keyword, operand });
    }

    fn member(&mut self, member: &'v Member) {
        let (name, value) = (member.key.node.as_str(), &member.value);
        let Some(kind) = value_kind(name) else { return self.unknown(member) };
        let shaped = match kind {
            KeywordValue::Data | KeywordValue::Remark => true,
            KeywordValue::Schema => self.is_schema(name, value),
            KeywordValue::Schemas => self.are_schemas(name, value),
            KeywordValue::Named => self.are_named(name, value),
        };
        if !shaped {
            return;
        }
        use Keyword as K;
        match name {
            "$schema" => self.draft(value),
            "$ref" | "$dynamicRef" => self.reference(name, value),
            "type" => self.types(value),
            "enum" => self.list(value),
            "const" => self.rule(K::Enum, Operand::List(vec![Literal::from_value(value)])),
            "minimum" => self.number(K::Minimum, value),
            "maximum" => self.number(K::Maximum, value),
            "exclusiveMinimum" => self.number(K::ExclusiveMinimum, value),
            "exclusiveMaximum" => self.number(K::ExclusiveMaximum, value),
            "multipleOf" => self.divisor(value),
            "minLength" => self.counted(K::MinLength, value),
            "maxLength" => self.counted(K::MaxLength, value),
            "minItems" => self.counted(K::MinItems, value),
            "maxItems" => self.counted(K::MaxItems, value),
            "minProperties" => self.counted(K::MinProperties, value),
            "maxProperties" => self.counted(K::MaxProperties, value),
            "pattern" => self.pattern(value),
            "format" => self.format(value),
            "uniqueItems" => self.unique(value),
            "required" => self.required(value),
            "dependentRequired" => self.dependent_required(value),
            "minContains" | "maxContains" => {
                self.count(name, value);
            }
            "contains" => self.contains(value),
            "prefixItems" => self.schemas(K::PrefixItems, value),
            "items" => self.items(value),
            "allOf" => self.rules.all_of = self.places(value),
            "anyOf" => self.schemas(K::AnyOf, value),
            "oneOf" => self.schemas(K::OneOf, value),
            "not" => self.schema(K::Not, value),
            "if" => self.branch(value),
            "dependentSchemas" => self.named(K::DependentSchemas, value),
            "properties" => self.named(K::Properties, value),
            "patternProperties" => self.patterned(value),
            "additionalProperties" => self.schema(K::AdditionalProperties, value),
            "propertyNames" => self.schema(K::PropertyNames, value),
            "unevaluatedItems" => self.schema(K::UnevaluatedItems, value),
            "unevaluatedProperties" => self.schema(K::UnevaluatedProperties, value),
            _ => {}
        }
    }

    fn unknown(&mut self, member: &Member) {
        let name = member.key.node.as_str();
        let span = member.key.span;
        let new =
            problem::unknown(span, &format!("`{name}` is not a keyword of JSON Schema 2020-12"), "unknown");
        let new = match instead(name) {
            Some(help) => new.help(help),
            None => {
                let near = suggest::nearest_spelling(name, KEYWORDS.iter().map(|(known, _)| *known));
                let new = new.help("remove it, or move its text to `$comment`");
                new.did_you_mean(near, span)
            }
        };
        self.report(new);
    }

    fn is_schema(&mut self, name: &str, value: &Value) -> bool {
        let good = matches!(value.kind, Kind::Map(_) | Kind::Bool(_));
        if !good {
            let what = format!("`{name}` takes a schema");
            let label = format!("this is {}", value.noun());
            let list = name == "items" && matches!(value.kind, Kind::Seq(_));
            let help =
                if list { "write `prefixItems` for a list" } else { "write an object, `true` or `false`" };
            self.unfit(value.span, &what, &label, help);
        }
        good
    }

    fn are_schemas(&mut self, name: &str, value: &Value) -> bool {
        match &value.kind {
            Kind::Seq(items) if !items.is_empty() => {
                items.iter().filter(|item| !self.is_schema(name, item)).count() == 0
            }
            _ => {
                let what = format!("`{name}` takes a list of schemas");
                let empty = matches!(value.kind, Kind::Seq(_));
                let label = if empty { "empty".to_owned() } else { format!("this is {}", value.noun()) };
                self.unfit(value.span, &what, &label, "write one schema or more, in brackets");
                false
            }
        }
    }

    fn are_named(&mut self, name: &str, value: &Value) -> bool {
        let Kind::Map(members) = &value.kind else {
            let what = format!("`{name}` takes an object of schemas");
            self.unfit(value.span, &what, &format!("this is {}", value.noun()), "write a schema per name");
            return false;
        };
        members.iter().filter(|member| !self.is_schema(name, &member.value)).count() == 0
    }

    fn draft(&mut self, value: &Value) {
        let known = value.as_str().is_some_and(|uri| uri == DRAFT || uri.strip_suffix('#') == Some(DRAFT));
        if !known {
            let new = problem::unknown(value.span, "a schema of another draft than 2020-12", "another draft");
            self.report(new.help(format!("remove `$schema`, or write `{DRAFT}`")));
        }
    }

    fn reference(&mut self, name: &str, value: &Value) {
        match refs::read(self.index, self.place, name, value) {
            // The order of a schema's keywords says nothing, so `$ref` is always the first.
            Ok(reference) if name == "$ref" => self.rules.references.insert(0, reference),
            Ok(reference) => self.rules.references.push(reference),
            Err(new) => self.report(*new),
        }
    }
}
