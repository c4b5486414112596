//! The time of a typical expression, as a measurement rather than a test: `cargo test --release
//! --test main expr_speed -- --ignored --nocapture`.

use std::hint::black_box;
use std::time::Instant;

use hookc_schema::value::{Text, TextMap};
use hookc_schema::{Diagnostics, Span};
use hookc_syntax::expr::{path, when};

const TYPICAL: [&str; 3] = [
    "classification.category == 'rate_limited'",
    "classification.category == 'rate_limited' and (cost.spend > 10 or not exists(error.code))",
    "tool_name in ['Bash', 'Write', 'Edit'] and tool_input.command =~ 'rm -rf' and not cwd starts_with '/home'",
];

#[test]
#[ignore = "a measurement"]
fn typical_expressions() {
    const ROUNDS: u32 = 200_000;
    for text in TYPICAL {
        let input = Text { value: text.to_owned(), map: TextMap::Shift(0) };
        let start = Instant::now();
        for _ in 0..ROUNDS {
            black_box(when::parse(black_box(&input), Span::default(), &mut Diagnostics::new()).unwrap());
        }
        println!("{:?} {text}", start.elapsed() / ROUNDS);
    }
    let input = Text { value: "classification.category".to_owned(), map: TextMap::Shift(0) };
    let start = Instant::now();
    for _ in 0..ROUNDS {
        black_box(path::parse(black_box(&input), Span::default(), &mut Diagnostics::new()).unwrap());
    }
    println!("{:?} {}", start.elapsed() / ROUNDS, input.value);
}
