//! Keywords without schemas.

use hookc_schema::suggest;
use hookc_schema::value::{Kind, Number, Value};
use hookc_syntax::pattern::{escape, slashes};
use hookc_vm::format::keyword::{Format, Keyword};
use hookc_vm::format::number::Divisor;
use hookc_vm::limits::DIVISOR_DIGITS;

use super::super::graph::{Operand, Rule, Written};
use super::super::{Literal, pattern, problem};
use super::Reader;

const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

impl<'v> Reader<'_, 'v> {
    pub(super) fn types(&mut self, value: &Value) {
        let items = match &value.kind {
            Kind::Seq(items) => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        let mut bits = 0_u8;
        for item in items {
            let name = item.as_str().unwrap_or_default();
            let Some(bit) = TYPES.iter().position(|known| *known == name) else {
                let new = problem::unfit(item.span, "not one of the types of JSON Schema", "no such type");
                let help = format!("the types are `{}`", TYPES.join("`, `"));
                let near = suggest::nearest_spelling(name, TYPES);
                return self.report(new.help(help).did_you_mean(near, item.span));
            };
            bits |= 1 << bit;
        }
        if items.is_empty() {
            self.unfit(value.span, "`type` takes one type or more", "empty", "for any type, remove `type`");
        }
        self.rule(Keyword::Type, Operand::Types(bits));
    }

    pub(super) fn list(&mut self, value: &Value) {
        match &value.kind {
            Kind::Seq(items) if items.is_empty() => self.rule(Keyword::Never, Operand::None),
            Kind::Seq(items) => {
                let both = self.value.get("const").is_some();
                let items = items.iter().map(Literal::from_value).collect();
                match both {
                    // A rule each: a value must pass both.
                    true => self.also(Rule { keyword: Keyword::Enum, operand: Operand::List(items) }),
                    false => self.rule(Keyword::Enum, Operand::List(items)),
                }
            }
            _ => {
                let label = format!("this is {}", value.noun());
                self.unfit(value.span, "`enum` takes a list", &label, "write `const` for one value");
            }
        }
    }

    /// Narrows the constant next to it.
    fn also(&mut self, rule: Written) {
        let constant = self.value.get("const").map(Literal::from_value);
        let Operand::List(items) = &rule.operand else { return };
        if !items.iter().any(|item| Some(item) == constant.as_ref()) {
            self.rule(Keyword::Never, Operand::None);
        }
    }

    fn as_number(&mut self, keyword: Keyword, value: &'v Value) -> Option<&'v Number> {
        let Kind::Num(number) = &value.kind else {
            let what = format!("`{}` takes a number", keyword.mnemonic());
            self.unfit(value.span, &what, &format!("this is {}", value.noun()), "write a number");
            return None;
        };
        Some(number)
    }

    pub(super) fn number(&mut self, keyword: Keyword, value: &'v Value) {
        if self.as_number(keyword, value).is_some() {
            self.rule(keyword, Operand::Number(Literal::from_value(value)));
        }
    }

    pub(super) fn divisor(&mut self, value: &'v Value) {
        let Some(number) = self.as_number(Keyword::MultipleOf, value) else { return };
        if Divisor::parse(&number.0).is_none() {
            let help = format!("write a number above 0, of at most {DIVISOR_DIGITS} digits");
            let what = "`multipleOf` takes a positive number that is not too long";
            return self.unfit(value.span, what, "no multiples", &help);
        }
        self.rule(Keyword::MultipleOf, Operand::Number(Literal::from_value(value)));
    }

    /// A count.
    pub(super) fn count(&mut self, name: &str, value: &Value) -> Option<u32> {
        let zero = Number("0".to_owned());
        match &value.kind {
            Kind::Num(number) if number.is_integer() && number.compare(&zero).is_ge() => {
                Some(saturating_count(number))
            }
            _ => {
                let what = format!("`{name}` takes a whole number, 0 or more");
                self.unfit(value.span, &what, "not such a number", "write 0, 1, 2, ...");
                None
            }
        }
    }

    pub(super) fn counted(&mut self, keyword: Keyword, value: &Value) {
        if let Some(count) = self.count(keyword.mnemonic(), value) {
            self.rule(keyword, Operand::Count(count));
        }
    }

    pub(super) fn pattern(&mut self, value: &Value) {
        let Some(text) = value.as_str() else {
            let label = format!("this is {}", value.noun());
            return self.unfit(
                value.span,
                "`pattern` takes a regular expression",
                &label,
                "put it in quotes",
            );
        };
        if let Some(control) = escape::control(value, text) {
            return self.report(control);
        }
        self.out.extend(escape::doubled(value, text));
        self.out.extend(slashes::in_schema(value, text));
        match pattern::translate(text, &|range| value.span_within(range)) {
            Ok(pattern) => self.rule(Keyword::Pattern, Operand::Pattern(pattern)),
            Err(new) => self.report(*new),
        }
    }

    pub(super) fn format(&mut self, value: &Value) {
        let Some(name) = value.as_str() else {
            let label = format!("this is {}", value.noun());
            return self.unfit(value.span, "`format` takes a name", &label, "write `\"date-time\"`");
        };
        let known = Format::ALL.iter().find(|format| format.name() == name);
        match known {
            _ if !self.formats => {}
            Some(format) => self.rule(Keyword::Format, Operand::Format(*format)),
            None => {
                let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
                let what = format!("the format `{name}` cannot be asserted");
                let near = suggest::nearest_spelling(name, names.iter().copied());
                let new = problem::unknown(value.span, &what, "with `assert_format`");
                let help = format!("the formats are `{}`; use `pattern` for others", names.join("`, `"));
                self.report(new.help(help).did_you_mean(near, value.span));
            }
        }
    }

    pub(super) fn unique(&mut self, value: &Value) {
        match value.kind {
            Kind::Bool(true) => self.rule(Keyword::UniqueItems, Operand::None),
            Kind::Bool(false) => {}
            _ => {
                let label = format!("this is {}", value.noun());
                self.unfit(value.span, "`uniqueItems` takes a boolean", &label, "write `true` or `false`");
            }
        }
    }

    /// Strings that differ, sorted.
    fn names(&mut self, name: &str, value: &Value) -> Option<Vec<String>> {
        let strings = match &value.kind {
            Kind::Seq(items) => items.iter().map(Value::as_str).collect::<Option<Vec<&str>>>(),
            _ => None,
        };
        let Some(strings) = strings else {
            let what = format!("`{name}` takes lists of names");
            self.unfit(value.span, &what, "not a list of strings", "write names in quotes, in brackets");
            return None;
        };
        let mut names: Vec<String> = strings.iter().map(|name| (*name).to_owned()).collect();
        names.sort_unstable();
        names.dedup();
        if names.len() < strings.len() {
            self.unfit(value.span, &format!("duplicate name in `{name}`"), "again here", "remove one");
        }
        Some(names)
    }

    pub(super) fn required(&mut self, value: &Value) {
        if let Some(names) = self.names("required", value) {
            self.rule(Keyword::Required, Operand::Names(names));
        }
    }

    pub(super) fn dependent_required(&mut self, value: &Value) {
        let Kind::Map(members) = &value.kind else {
            let label = format!("this is {}", value.noun());
            let what = "`dependentRequired` takes an object of lists";
            return self.unfit(value.span, what, &label, "write a list of names per name");
        };
        let mut pairs = Vec::new();
        for member in members {
            let others = self.names("dependentRequired", &member.value).unwrap_or_default();
            pairs.extend(others.into_iter().map(|other| (member.key.node.clone(), other)));
        }
        pairs.sort_unstable();
        self.rule(Keyword::DependentRequired, Operand::NamePairs(pairs));
    }
}

/// A whole number as modules store counts. Those beyond what an event can have are equivalent to the
/// greatest one that is not [`NONE`](hookc_vm::format::NONE). What is no whole number is reported
/// with its keyword.
pub(super) fn saturating_count(number: &Number) -> u32 {
    number.text().parse::<u32>().unwrap_or(u32::MAX).min(u32::MAX - 1)
}
