//! Schemas to blocks of keywords.

use hookc_vm::format::Image;
use hookc_vm::format::{Keyword, NONE};

use super::tables::pick;
use crate::plan::{Plan, SchemaRule};
use crate::rows::range;
use crate::schema::Operand;

pub(super) fn schemas(plan: &Plan, image: &mut Image) {
    for rules in &plan.schemas {
        let start = image.keywords.len();
        for rule in rules {
            let row = row(rule, image);
            image.keywords.push(row);
        }
        image.schemas.push(range(start, image.keywords.len()));
    }
}

fn row(rule: &SchemaRule, image: &mut Image) -> Keyword {
    use Operand as O;
    let mut ranged = |numbers: Vec<u32>| {
        let picked = pick(image, numbers);
        (picked.start.get(), picked.length.get(), 0)
    };
    let (a, b, c) = match &rule.operand {
        O::None => (0, 0, 0),
        O::Types(types) => (u32::from(*types), 0, 0),
        O::Count(count) => (*count, 0, 0),
        O::Format(format) => (*format as u32, 0, 0),
        O::Number(id) => (id.0, 0, 0),
        O::List(id) => (id.0, 0, 0),
        O::Pattern(id) => (id.0, 0, 0),
        O::Names(names) => ranged(names.iter().map(|name| name.0).collect()),
        O::NamePairs(pairs) => ranged(pairs.iter().flat_map(|(a, b)| [a.0, b.0]).collect()),
        O::Schema(schema) => (*schema, 0, 0),
        O::From(schema, first) => (*schema, *first, 0),
        O::Contains(schema, least, most) => (*schema, *least, most.unwrap_or(NONE)),
        O::Schemas(schemas) => ranged(schemas.clone()),
        O::Named(pairs) => ranged(pairs.iter().flat_map(|(name, schema)| [name.0, *schema]).collect()),
        O::Patterned(pairs) => ranged(pairs.iter().flat_map(|(p, schema)| [p.0, *schema]).collect()),
        O::Branch(test, then, other) => (*test, then.unwrap_or(NONE), other.unwrap_or(NONE)),
    };
    Keyword { op: rule.keyword as u8, zero: [0; 3], a: a.into(), b: b.into(), c: c.into() }
}
