//! The keywords of each place as rules; schemas in them are places' numbers.

use hookc_schema::suggest;
use hookc_schema::value::{Kind, Member, Number, Value};
use hookc_schema::{Diagnostic, Span};
use hookc_vm::limits::DIVISOR_DIGITS;
use hookc_vm::number::Divisor;
use hookc_vm::schema::{Format, Keyword};

use super::graph::{Operand, Rule, Written};
use super::index::Index;
use super::keyword::{Holds, KEYWORDS, holds, instead};
use super::refs::{self, Reference};
use super::{Literal, pattern, tell};

/// What a place says.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// Its rules, in the order of the table; `allOf` is not among them.
    pub(super) rules: Vec<Written>,
    /// The places of `allOf`.
    pub(super) all: Vec<u32>,
    /// Its references.
    pub(super) references: Vec<Reference>,
}

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";
const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

/// The rules of every place; everything wrong with a keyword is told.
pub(super) fn read(index: &Index<'_>, formats: bool, out: &mut Vec<Diagnostic>) -> Vec<Rules> {
    let read = |(place, at): (usize, &super::index::Place<'_>)| {
        let mut reader = Reader { index, place, value: at.value, formats, out, rules: Rules::default() };
        reader.all();
        reader.rules.rules.sort_by_key(|rule| rule.keyword);
        reader.rules
    };
    index.places.iter().enumerate().map(read).collect()
}

struct Reader<'r, 'v> {
    index: &'r Index<'v>,
    place: usize,
    value: &'v Value,
    formats: bool,
    out: &'r mut Vec<Diagnostic>,
    rules: Rules,
}

impl<'v> Reader<'_, 'v> {
    fn all(&mut self) {
        match &self.value.kind {
            Kind::Bool(true) => {}
            Kind::Map(members) => members.iter().for_each(|member| self.member(member)),
            _ => self.rule(Keyword::Never, Operand::None),
        }
    }

    fn tell(&mut self, new: Diagnostic) {
        let new = tell::within(new, self.index, self.place);
        self.out.push(new);
    }

    fn unfit(&mut self, span: Span, what: &str, label: &str, help: &str) {
        self.tell(tell::unfit(span, what, label).help(help));
    }

    fn rule(&mut self, keyword: Keyword, operand: Operand<Literal, Vec<Literal>, String, String>) {
        self.rules.rules.push(Rule { keyword, operand });
    }

    fn member(&mut self, member: &'v Member) {
        let (name, value) = (member.key.node.as_str(), &member.value);
        let Some(kind) = holds(name) else { return self.unknown(member) };
        let shaped = match kind {
            Holds::Data | Holds::Remark => true,
            Holds::Schema => self.is_schema(name, value),
            Holds::Schemas => self.are_schemas(name, value),
            Holds::Named => self.are_named(name, value),
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
            "const" => self.rule(K::Enum, Operand::List(vec![Literal::of(value)])),
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
            "allOf" => self.rules.all = self.places(value),
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
        let new = tell::unknown(span, &format!("`{name}` is no keyword of JSON Schema 2020-12"), "not known");
        let new = match instead(name) {
            Some(help) => new.help(help),
            None => {
                let near = suggest::nearest_spelling(name, KEYWORDS.iter().map(|(known, _)| *known));
                let new = new.help("leave it out, or put what it says in `$comment`");
                new.did_you_mean(near, span)
            }
        };
        self.tell(new);
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
            let new = tell::unknown(value.span, "a schema of another draft than 2020-12", "another draft");
            self.tell(new.help(format!("leave `$schema` out, or write `{DRAFT}`")));
        }
    }

    fn reference(&mut self, name: &str, value: &Value) {
        match refs::read(self.index, self.place, name, value) {
            Ok(reference) => self.rules.references.push(reference),
            Err(new) => self.tell(*new),
        }
    }

    fn types(&mut self, value: &Value) {
        let items = match &value.kind {
            Kind::Seq(items) => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        let mut bits = 0_u8;
        for item in items {
            let name = item.as_str().unwrap_or_default();
            let Some(bit) = TYPES.iter().position(|known| *known == name) else {
                let new = tell::unfit(item.span, "not one of the types of JSON Schema", "no such type");
                let help = format!("types are `{}`", TYPES.join("`, `"));
                let near = suggest::nearest_spelling(name, TYPES);
                return self.tell(new.help(help).did_you_mean(near, item.span));
            };
            bits |= 1 << bit;
        }
        if items.is_empty() {
            self.unfit(value.span, "`type` takes one type or more", "empty", "leave `type` out for any type");
        }
        self.rule(Keyword::Type, Operand::Types(bits));
    }

    fn list(&mut self, value: &Value) {
        match &value.kind {
            Kind::Seq(items) => {
                let both = self.value.get("const").is_some();
                let items = items.iter().map(Literal::of).collect();
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

    /// Narrows the constant beside it.
    fn also(&mut self, rule: Written) {
        let constant = self.value.get("const").map(Literal::of);
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

    fn number(&mut self, keyword: Keyword, value: &'v Value) {
        if self.as_number(keyword, value).is_some() {
            self.rule(keyword, Operand::Number(Literal::of(value)));
        }
    }

    fn divisor(&mut self, value: &'v Value) {
        let Some(number) = self.as_number(Keyword::MultipleOf, value) else { return };
        if Divisor::parse(&number.0).is_none() {
            let help = format!("write a number above 0, of at most {DIVISOR_DIGITS} digits");
            let what = "`multipleOf` takes a positive number that is not too long";
            return self.unfit(value.span, what, "nothing can be a multiple of it", &help);
        }
        self.rule(Keyword::MultipleOf, Operand::Number(Literal::of(value)));
    }

    /// A whole number of things. More than there can be are as good as the
    /// greatest number that a module holds.
    fn count(&mut self, name: &str, value: &Value) -> Option<u32> {
        let zero = Number("0".to_owned());
        match &value.kind {
            Kind::Num(number) if number.is_integer() && number.compare(&zero).is_ge() => {
                Some(number.text().parse::<u32>().unwrap_or(u32::MAX).min(u32::MAX - 1))
            }
            _ => {
                let what = format!("`{name}` takes a whole number, 0 or more");
                self.unfit(value.span, &what, "not such a number", "write 0, 1, 2, ...");
                None
            }
        }
    }

    fn counted(&mut self, keyword: Keyword, value: &Value) {
        if let Some(count) = self.count(keyword.mnemonic(), value) {
            self.rule(keyword, Operand::Count(count));
        }
    }

    fn pattern(&mut self, value: &Value) {
        let Some(text) = value.as_str() else {
            let label = format!("this is {}", value.noun());
            return self.unfit(
                value.span,
                "`pattern` takes a regular expression",
                &label,
                "put it in quotes",
            );
        };
        match pattern::translate(text, &|range| value.span_within(range)) {
            Ok(pattern) => self.rule(Keyword::Pattern, Operand::Pattern(pattern)),
            Err(new) => self.tell(*new),
        }
    }

    fn format(&mut self, value: &Value) {
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
                let new = tell::unknown(value.span, &what, "beside `assert_format`");
                let help = format!("formats are `{}`; write `pattern` for others", names.join("`, `"));
                self.tell(new.help(help).did_you_mean(near, value.span));
            }
        }
    }

    fn unique(&mut self, value: &Value) {
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
            self.unfit(value.span, &format!("`{name}` says a name twice"), "a name twice", "say it once");
        }
        Some(names)
    }

    fn required(&mut self, value: &Value) {
        if let Some(names) = self.names("required", value) {
            self.rule(Keyword::Required, Operand::Names(names));
        }
    }

    fn dependent_required(&mut self, value: &Value) {
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

/// Keywords that hold schemas; their shape is good.
impl<'v> Reader<'_, 'v> {
    fn place_of(&self, value: &Value) -> u32 {
        u32::try_from(self.index.of(value).unwrap_or_default()).unwrap_or(u32::MAX)
    }

    fn sibling(&self, name: &str) -> Option<u32> {
        let value = self.value.get(name)?;
        let place = self.index.of(value)?;
        Some(u32::try_from(place).unwrap_or(u32::MAX))
    }

    fn places(&self, value: &Value) -> Vec<u32> {
        match &value.kind {
            Kind::Seq(items) => items.iter().map(|item| self.place_of(item)).collect(),
            _ => Vec::new(),
        }
    }

    fn schema(&mut self, keyword: Keyword, value: &Value) {
        self.rule(keyword, Operand::Schema(self.place_of(value)));
    }

    fn schemas(&mut self, keyword: Keyword, value: &Value) {
        self.rule(keyword, Operand::Schemas(self.places(value)));
    }

    fn items(&mut self, value: &Value) {
        let prefix = self.value.get("prefixItems").map(|prefix| self.places(prefix).len());
        let first = u32::try_from(prefix.unwrap_or(0)).unwrap_or(u32::MAX);
        self.rule(Keyword::Items, Operand::From(self.place_of(value), first));
    }

    fn contains(&mut self, value: &Value) {
        let count = |name: &str| match &self.value.get(name)?.kind {
            Kind::Num(number) => Some(number.text().parse::<u32>().unwrap_or(u32::MAX).min(u32::MAX - 1)),
            _ => None,
        };
        let (least, most) = (count("minContains").unwrap_or(1), count("maxContains"));
        self.rule(Keyword::Contains, Operand::Contains(self.place_of(value), least, most));
    }

    fn branch(&mut self, value: &Value) {
        let (then, other) = (self.sibling("then"), self.sibling("else"));
        self.rule(Keyword::If, Operand::Branch(self.place_of(value), then, other));
    }

    /// Pairs by the bytes of their names.
    fn named(&mut self, keyword: Keyword, value: &Value) {
        let Kind::Map(members) = &value.kind else { return };
        let pair = |member: &Member| (member.key.node.clone(), self.place_of(&member.value));
        let mut pairs: Vec<(String, u32)> = members.iter().map(pair).collect();
        pairs.sort_unstable();
        self.rule(keyword, Operand::Named(pairs));
    }

    fn patterned(&mut self, value: &Value) {
        let Kind::Map(members) = &value.kind else { return };
        let mut pairs = Vec::new();
        for member in members {
            match pattern::translate(&member.key.node, &|_| member.key.span) {
                Ok(pattern) => pairs.push((pattern, self.place_of(&member.value))),
                Err(new) => self.tell(*new),
            }
        }
        pairs.sort_unstable();
        self.rule(Keyword::PatternProperties, Operand::Patterned(pairs));
    }
}
