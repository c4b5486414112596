//! JSON Schemas: keywords in order, operands as declared in the keyword table.

use hookc_base::row_number;

use super::{Checked, Claims, Work, ensure, spans, within};
use crate::limits::MODULE_DEPTH;
use crate::module::Tables;
use crate::number::Divisor;
use crate::rows::keyword::{Format, Keyword, Shape};
use crate::rows::{Keyword as Row, NONE, Range, SectionKind, U32, tag};

/// Inner schemas have lower numbers, to a bounded depth; blocks do not
/// overlap; keywords ascend.
pub(super) fn schemas(t: &Tables<'_>, work: &mut Work) -> Checked {
    let mut claims = Claims::new(t.keywords.len());
    let mut depths: Vec<usize> = Vec::with_capacity(t.schemas.len());
    for (schema, range) in t.schemas.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Schemas, schema, what);
        bad(claims.take(*range), "a block out of range, or another schema's")?;
        let block = t.keywords_of(row_number(schema));
        let mut depth = 0;
        let mut before = 0;
        for (row, keyword) in (range.start.get() as usize..).zip(block) {
            let at = At { t, row, keyword, depths: &depths };
            let ascends = keyword.op > std::mem::replace(&mut before, keyword.op);
            ensure(ascends, SectionKind::Keywords, row, "not after the previous keyword")?;
            depth = depth.max(at.check(work)?);
        }
        bad(depth <= MODULE_DEPTH, "nested too deep")?;
        depths.push(depth);
    }
    ensure(claims.all(), SectionKind::Keywords, t.keywords.len(), "a row belongs to no schema")
}

/// The current row; `depths` are those of the previous schemas.
struct At<'t> {
    t: &'t Tables<'t>,
    row: usize,
    keyword: &'t Row,
    depths: &'t [usize],
}

impl<'t> At<'t> {
    fn bad(&self, good: bool, what: &'static str) -> Checked {
        ensure(good, SectionKind::Keywords, self.row, what)
    }

    /// One more than the greatest depth of its inner schemas.
    fn check(&self, work: &mut Work) -> Checked<usize> {
        let (t, row) = (self.t, self.keyword);
        let keyword = Keyword::from_number(row.op).filter(|_| row.zero == [0; 3]);
        self.bad(keyword.is_some(), "not a keyword")?;
        let shape = keyword.map_or(Shape::None, Keyword::shape);
        self.bad(self.unused(shape), "an operand that the keyword does not have")?;
        let a = row.a;
        let good = match shape {
            Shape::None | Shape::Count => true,
            Shape::Types => (1..=127).contains(&a.get()),
            Shape::List => within(a, t.lists),
            Shape::Number => number(t, a).is_some(),
            Shape::Divisor => number(t, a).is_some_and(|text| Divisor::parse(text).is_some()),
            Shape::Pattern => within(a, t.patterns),
            Shape::Format => Format::from_number(a.get()).is_some(),
            Shape::Child | Shape::ChildFrom | Shape::Contains => within(a, t.schemas),
            Shape::Inner | Shape::Branch => true,
            _ => return self.ranged(shape, work),
        };
        self.bad(good, "an operand is out of range")?;
        match shape {
            Shape::Inner => self.inner(std::slice::from_ref(&row.a)),
            Shape::Branch => {
                let there: Vec<U32> = [row.b, row.c].into_iter().filter(|m| m.get() != NONE).collect();
                Ok(self.inner(&[row.a])?.max(self.inner(&there)?))
            }
            _ => Ok(0),
        }
    }

    /// Operands that a keyword has not are zero.
    fn unused(&self, shape: Shape) -> bool {
        let [a, b, c] = [self.keyword.a, self.keyword.b, self.keyword.c].map(|operand| operand.get() == 0);
        match shape {
            Shape::None => a && b && c,
            Shape::Contains | Shape::Branch => true,
            Shape::ChildFrom
            | Shape::Names
            | Shape::NamePairs
            | Shape::Children
            | Shape::NamedChildren
            | Shape::PatternChildren
            | Shape::Inners
            | Shape::NamedInners => c,
            _ => b && c,
        }
    }

    /// Keywords whose operands are a range of the indices.
    fn ranged(&self, shape: Shape, work: &mut Work) -> Checked<usize> {
        let t = self.t;
        let range = Range { start: self.keyword.a, length: self.keyword.b };
        self.bad(spans(range, t.indices), "a range out of range")?;
        let indices = t.indices_of(range);
        work.charge(size_of_val(indices))?;
        let paired = !matches!(shape, Shape::Names | Shape::Children | Shape::Inners);
        let (pairs, rest) = indices.as_chunks::<2>();
        self.bad(!paired || rest.is_empty(), "not pairs")?;
        let each = |good: fn(&Tables<'_>, U32) -> bool| indices.iter().all(|index| good(t, *index));
        let first = |good: fn(&Tables<'_>, U32) -> bool| pairs.iter().all(|[first, _]| good(t, *first));
        let child = |t: &Tables<'_>, index: U32| within(index, t.schemas);
        let name = |t: &Tables<'_>, index: U32| within(index, t.strings);
        let pattern = |t: &Tables<'_>, index: U32| within(index, t.patterns);
        let second = || pairs.iter().all(|[_, second]| child(t, *second));
        let good = match shape {
            Shape::Names | Shape::NamePairs => each(name),
            Shape::Children => each(child),
            Shape::NamedChildren => first(name) && second(),
            Shape::PatternChildren => first(pattern) && second(),
            Shape::NamedInners => first(name),
            _ => true,
        };
        self.bad(good, "an operand is out of range")?;
        match shape {
            Shape::Names => self.ascends(indices.iter(), work)?,
            Shape::NamedChildren => self.ascends(pairs.iter().map(|[name, _]| name), work)?,
            Shape::Inners => return self.inner(indices),
            Shape::NamedInners => {
                let schemas: Vec<U32> = pairs.iter().map(|[_, schema]| *schema).collect();
                return self.inner(&schemas);
            }
            _ => {}
        }
        Ok(0)
    }

    fn ascends<'n>(&self, names: impl Iterator<Item = &'n U32>, work: &mut Work) -> Checked {
        let mut before: Option<&[u8]> = None;
        for name in names {
            let name = self.t.bytes(name.get());
            work.charge(name.len())?;
            self.bad(before.is_none_or(|before| before < name), "names do not ascend")?;
            before = Some(name);
        }
        Ok(())
    }

    /// Inner schemas have lower numbers than their own schema.
    fn inner(&self, schemas: &[U32]) -> Checked<usize> {
        let mut depth = 0;
        for schema in schemas {
            let below = self.depths.get(schema.get() as usize);
            self.bad(below.is_some(), "a schema is not below the one that it is part of")?;
            depth = depth.max(below.map_or(0, |below| below.saturating_add(1)));
        }
        Ok(depth)
    }
}

fn number<'m>(t: &Tables<'m>, index: U32) -> Option<&'m str> {
    let constant = t.consts.get(index.get() as usize)?;
    (constant.tag.get() == tag::NUMBER).then(|| t.str(constant.text.get()))
}
