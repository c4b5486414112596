//! Schemas in the VM: limits, exact multiples, verifier errors.

use crate::common;

use common::{Asm, amount, cases, decide, end, every_keyword, rich};
use hookc_vm::LoadError;
use hookc_vm::format::keyword::{Format, Keyword, Shape};
use hookc_vm::format::number::Divisor;
use hookc_vm::format::op::Op;
use hookc_vm::format::{Image, U32};
use hookc_vm::limits::{DIVISOR_DIGITS, Limits, SCHEMA_STEPS};
use hookc_vm::{DecideError, DecideOptions, Module, Scratch};
use num_bigint::BigInt;
use proptest::prelude::{any, prop_assert_eq, proptest};

/// An image with one hook that tests whether `v` matches the schema from `make`.
fn image(make: impl FnOnce(&mut Asm) -> u32) -> Image {
    let mut asm = Asm::new();
    let slot = asm.slot("v");
    let schema = make(&mut asm);
    let cond = asm.when(Op::Matches, slot, schema);
    asm.one_hook(cond)
}

fn event(value: &str) -> String {
    format!("{{\"event_type\":\"e\",\"v\":{value}}}")
}

fn holds(module: &Module, value: &str) -> bool {
    !decide(module, &event(value), &DecideOptions::default()).unwrap().0.is_empty()
}

#[test]
fn absent_is_not_valid_and_null_may_be() {
    let module = Module::load(image(|asm| asm.schema(&[])).encode()).unwrap();
    assert!(holds(&module, "null") && holds(&module, "[{}]"));
    let mut scratch = Scratch::new();
    let without = module.decide(&mut scratch, b"{\"event_type\":\"e\"}", &DecideOptions::default()).unwrap();
    assert_eq!(without.hooks().count(), 0);
}

/// A schema that tries its one member in two ways: twice the work for each
/// level, which no event can pay for when the innermost is not valid.
fn doubling(asm: &mut Asm) -> u32 {
    let x = asm.string("x");
    let ways = [0, 1].map(|own| {
        let pair = asm.pick(&[x, 2]);
        let rows =
            [(Keyword::Type, 64, 0, 0), (Keyword::Required, pair, 1, 0), (Keyword::Properties, pair, 2, 0)];
        assert_eq!(asm.schema(&rows), own);
        own
    });
    let both = asm.pick(&ways);
    asm.schema(&[(Keyword::AnyOf, both, 2, 0)])
}

#[test]
fn work_and_depth_are_bounded() {
    let nested = |levels: usize| format!("{}1{}", "{\"x\":".repeat(levels), "}".repeat(levels));
    let steps = amount(hookc_corpus::effort(SCHEMA_STEPS, 40_000), 10_000);
    let mut limits = Limits::default();
    limits.schema_steps = steps;
    let module = Module::load_with(image(doubling).encode(), limits).unwrap();
    let mut scratch = Scratch::new();
    let text = event(&nested(100));
    let error = module.decide(&mut scratch, text.as_bytes(), &DecideOptions::default()).unwrap_err();
    assert_eq!(error, DecideError::SchemaSteps(steps));
    assert!(error.to_string().contains("steps"));
    assert!(!holds(&module, &nested(8)));
    let limits = |steps, depth| {
        let mut limits = Limits::default();
        (limits.schema_steps, limits.schema_depth) = (steps, depth);
        Module::load_with(image(doubling).encode(), limits).unwrap()
    };
    let at = |module: &Module, levels| {
        module
            .decide(&mut Scratch::new(), event(&nested(levels)).as_bytes(), &DecideOptions::default())
            .map(|_| ())
    };
    assert_eq!(at(&limits(10, 512), 8), Err(DecideError::SchemaSteps(10)));
    assert_eq!(at(&limits(1 << 20, 9), 8), Err(DecideError::SchemaDepth(9)));
    assert_eq!(at(&limits(usize::MAX, usize::MAX), 2), Ok(()));
}

/// The deepest walk that the limits allow fits the stack of a thread.
#[test]
fn the_deepest_walk_fits() {
    let chain = |asm: &mut Asm| {
        let mut schema = asm.schema(&[]);
        let root = 200;
        let mut first = true;
        for _ in 0..root {
            let inner = asm.pick(&[schema]);
            let items = (Keyword::Items, root, 0, 0);
            let all = (Keyword::AllOf, inner, 1, 0);
            schema = if std::mem::take(&mut first) { asm.schema(&[items, all]) } else { asm.schema(&[all]) };
        }
        schema
    };
    let module = Module::load(image(chain).encode()).unwrap();
    let value = format!("{}{}", "[".repeat(100), "]".repeat(100));
    let error =
        module.decide(&mut Scratch::new(), event(&value).as_bytes(), &DecideOptions::default()).unwrap_err();
    assert_eq!(error, DecideError::SchemaDepth(hookc_vm::limits::SCHEMA_DEPTH));
    assert!(holds(&module, "[[]]"));
}

#[test]
fn steps_are_counted_per_decision() {
    let items = |asm: &mut Asm| {
        let any = asm.schema(&[]);
        asm.schema(&[(Keyword::Items, any, 0, 0)])
    };
    let mut limits = Limits::default();
    limits.schema_steps = amount(SCHEMA_STEPS, 1_000);
    let module = Module::load_with(image(items).encode(), limits).unwrap();
    let value = format!("[{}1]", "1,".repeat(amount(100_000, 200)));
    let mut scratch = Scratch::new();
    let text = event(&value);
    for _ in 0..amount(50, 6) {
        assert!(module.decide(&mut scratch, text.as_bytes(), &DecideOptions::default()).is_ok());
    }
}

/// Checking for unique elements needs a sort, and each check is charged.
#[test]
fn unique_items_of_large_arrays() {
    let unique = |asm: &mut Asm| asm.schema(&[(Keyword::UniqueItems, 0, 0, 0)]);
    let module = Module::load(image(unique).encode()).unwrap();
    let share = amount(1, 500);
    let all = (0..100_000 / share).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    assert!(holds(&module, &format!("[{all}]")) && !holds(&module, &format!("[{all},77.0]")));
    let often = |asm: &mut Asm| {
        let never = asm.schema(&[(Keyword::Never, 0, 0, 0)]);
        let both = (0..100).map(|_| {
            let ways = asm.pick(&[never]);
            asm.schema(&[(Keyword::UniqueItems, 0, 0, 0), (Keyword::AllOf, ways, 1, 0)])
        });
        let both: Vec<u32> = both.collect();
        let ways = asm.pick(&both);
        asm.schema(&[(Keyword::AnyOf, ways, 100, 0)])
    };
    let mut limits = Limits::default();
    limits.schema_steps = (1 << 21) / share;
    let module = Module::load_with(image(often).encode(), limits).unwrap();
    let (mut scratch, text) = (Scratch::new(), event(&format!("[{all}]")));
    let error = module.decide(&mut scratch, text.as_bytes(), &DecideOptions::default()).unwrap_err();
    assert_eq!(error, DecideError::SchemaSteps((1 << 21) / share));
}

#[test]
fn the_verifier_enforces_the_table() {
    let good = image(|asm| {
        let (list, pattern) = (asm.list(&["1", "\"a\""]), asm.pattern("^a"));
        every_keyword(asm, list, pattern)
    });
    assert!(Module::load(good.encode()).is_ok());
    let own = good.schemas.len() as u32 - 1;
    let row_of = |keyword: Keyword| good.keywords.iter().rposition(|row| row.op == keyword as u8).unwrap();
    for keyword in Keyword::ALL.iter().filter(|keyword| **keyword != Keyword::Never) {
        let bad = |change: &dyn Fn(&mut Image, usize)| {
            let mut image = good.clone();
            change(&mut image, row_of(*keyword));
            let found = Module::load(image.encode()).err();
            assert!(matches!(found, Some(LoadError::Row { .. })), "{}: {found:?}", keyword.mnemonic());
        };
        match keyword.shape() {
            Shape::None | Shape::Count => bad(&|image, row| image.keywords[row].b = 1.into()),
            Shape::Branch => bad(&|image, row| image.keywords[row].c = own.into()),
            Shape::Inner => bad(&|image, row| image.keywords[row].a = own.into()),
            Shape::Inners | Shape::NamedInners => bad(&|image, row| {
                let last = image.keywords[row].a.get() + image.keywords[row].b.get() - 1;
                image.indices[last as usize] = own.into();
            }),
            _ => bad(&|image, row| image.keywords[row].a = u32::MAX.into()),
        }
        bad(&|image, row| image.keywords[row].op = 0xff);
        bad(&|image, row| image.keywords[row].zero[1] = 1);
    }
    let bad = |change: &dyn Fn(&mut Image)| {
        let mut image = good.clone();
        change(&mut image);
        assert!(Module::load(image.encode()).is_err());
    };
    bad(&|image| image.keywords.swap(3, 4));
    bad(&|image| image.schemas[0].length = 2.into());
    bad(&|image| image.schemas.truncate(own as usize));
    bad(&|image| image.preds[0].b = 99.into());
    bad(&|image| {
        let row = row_of(Keyword::Properties);
        let start = image.keywords[row].a.get() as usize;
        image.indices.swap(start, start + 2);
    });
}

#[test]
fn the_table_is_well_formed() {
    for pair in Keyword::ALL.windows(2) {
        assert!((pair[0] as u8) < pair[1] as u8, "ascending numbers");
    }
    for keyword in Keyword::ALL {
        assert_eq!(Keyword::from_number(*keyword as u8), Some(*keyword));
        assert!(!keyword.meaning().is_empty());
    }
    for format in Format::ALL {
        assert_eq!(Format::from_number(*format as u32), Some(*format));
    }
}

/// `mantissa * 10^exponent` as an integer after shifting by `10^60`.
fn exact(text: &str) -> BigInt {
    let (digits, exponent) = text.split_once('e').unwrap();
    digits.parse::<BigInt>().unwrap() * BigInt::from(10).pow((exponent.parse::<i32>().unwrap() + 60) as u32)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn multiples_are_exact(
        factor in any::<i64>(),
        exponent in -9..30_i32,
        divisor in 1..1_000_000_000_000_u64,
        scale in -20..9_i32,
        off in proptest::option::of(0..10_u8),
    ) {
        let number = BigInt::from(factor) * BigInt::from(divisor) + BigInt::from(off.unwrap_or(0));
        let (number, divisor) = (format!("{number}e{exponent}"), format!("{divisor}e{scale}"));
        let expected = exact(&number) % exact(&divisor) == BigInt::from(0);
        prop_assert_eq!(Divisor::parse(&divisor).unwrap().divides(&number), expected, "{} {}", number, divisor);
    }

    #[test]
    fn patterns_that_translate_are_patterns(text in "[\\^$.*+?()\\[\\]{}|a-c0-2,:=!<>\\\\dDwWsSbBpuxkcn-]{0,16}") {
        if let Ok(translated) = hookc_vm::text::ecma::translate(&text) {
            let built = regex::RegexBuilder::new(&translated).size_limit(1 << 22).build();
            let fine = match &built {
                Ok(_) => true,
                // Repetitions can be large, properties unknown.
                Err(regex::Error::CompiledTooBig(_)) => true,
                Err(error) => text.contains("\\p") || error.to_string().contains("repetition"),
            };
            assert!(fine, "{text} becomes {translated}: {built:?}");
        }
        let _ = hookc_vm::text::ecma::is_valid(&text);
    }
}

#[test]
fn divisors() {
    for bad in ["0", "-1", "0.0", "x", "1e99999", &"1".repeat(DIVISOR_DIGITS + 1)] {
        assert!(Divisor::parse(bad).is_none(), "{bad}");
    }
    let long = "9".repeat(DIVISOR_DIGITS);
    let divisor = Divisor::parse(&long).unwrap();
    assert!(divisor.divides(&format!("{long}e9")) && divisor.divides("0") && !divisor.divides("8"));
    assert!(!divisor.divides(&format!("{long}8")) && divisor.divides(&format!("-{long}{long}")));
}

fn keyword(image: &mut Image, keyword: Keyword) -> &mut hookc_vm::format::Keyword {
    image.keywords.iter_mut().find(|row| row.op == keyword as u8).unwrap()
}

/// An operand of a keyword that has a range of them.
fn operand(image: &mut Image, keyword: Keyword, at: usize) -> &mut U32 {
    let first = self::keyword(image, keyword).a.get() as usize;
    &mut image.indices[first + at]
}

const UNUSED: &str = "an operand that the keyword does not have";
const OUT: &str = "an operand is out of range";
const NOT_BELOW: &str = "a schema is not below the one that it is part of";

/// Each check of the verifier: the change that violates it, and the message.
const BREAKS: &[common::Break] = &[
    (|i| keyword(i, Keyword::Minimum).op = 0xff, "not a keyword"),
    (|i| keyword(i, Keyword::Minimum).zero = [0, 0, 1], "not a keyword"),
    (|i| keyword(i, Keyword::UniqueItems).a = 1.into(), UNUSED),
    (|i| keyword(i, Keyword::UniqueItems).c = 1.into(), UNUSED),
    (|i| keyword(i, Keyword::Minimum).b = 1.into(), UNUSED),
    (|i| keyword(i, Keyword::Items).c = 1.into(), UNUSED),
    (|i| keyword(i, Keyword::Required).c = 1.into(), UNUSED),
    (|i| keyword(i, Keyword::Type).a = 0.into(), OUT),
    (|i| keyword(i, Keyword::Type).a = 128.into(), OUT),
    (|i| keyword(i, Keyword::Enum).a = end(&i.lists).into(), OUT),
    // The first constant is null.
    (|i| keyword(i, Keyword::Minimum).a = 0.into(), OUT),
    (|i| keyword(i, Keyword::MultipleOf).a = 0.into(), OUT),
    (|i| keyword(i, Keyword::MultipleOf).a = end(&i.consts).into(), OUT),
    (|i| keyword(i, Keyword::Pattern).a = end(&i.patterns).into(), OUT),
    (|i| keyword(i, Keyword::Format).a = 1000.into(), OUT),
    (|i| keyword(i, Keyword::PropertyNames).a = end(&i.schemas).into(), OUT),
    (|i| keyword(i, Keyword::Items).a = end(&i.schemas).into(), OUT),
    (|i| keyword(i, Keyword::Contains).a = end(&i.schemas).into(), OUT),
    (|i| keyword(i, Keyword::Required).b = 100_000.into(), "a range out of range"),
    (|i| keyword(i, Keyword::DependentRequired).b = 1.into(), "not pairs"),
    (|i| *operand(i, Keyword::Required, 0) = end(&i.strings).into(), OUT),
    (|i| *operand(i, Keyword::DependentRequired, 1) = end(&i.strings).into(), OUT),
    (|i| *operand(i, Keyword::PrefixItems, 0) = end(&i.schemas).into(), OUT),
    (|i| *operand(i, Keyword::Properties, 0) = end(&i.strings).into(), OUT),
    (|i| *operand(i, Keyword::Properties, 1) = end(&i.schemas).into(), OUT),
    (|i| *operand(i, Keyword::PatternProperties, 0) = end(&i.patterns).into(), OUT),
    (|i| *operand(i, Keyword::PatternProperties, 1) = end(&i.schemas).into(), OUT),
    (|i| *operand(i, Keyword::DependentSchemas, 0) = end(&i.strings).into(), OUT),
    // The names of `dependentRequired` follow: `k`, `other`, `k`.
    (|i| keyword(i, Keyword::Required).b = 3.into(), "names do not ascend"),
    (|i| *operand(i, Keyword::Properties, 2) = *operand(i, Keyword::Properties, 0), "names do not ascend"),
    (|i| *operand(i, Keyword::AllOf, 0) = *operand(i, Keyword::PrefixItems, 0), NOT_BELOW),
    (|i| *operand(i, Keyword::DependentSchemas, 1) = *operand(i, Keyword::PrefixItems, 0), NOT_BELOW),
    (|i| keyword(i, Keyword::Not).a = keyword(i, Keyword::Items).a, NOT_BELOW),
    (|i| keyword(i, Keyword::If).b = keyword(i, Keyword::Items).a, NOT_BELOW),
];

#[test]
fn every_check_of_the_verifier() {
    common::refused(rich, BREAKS);
}
