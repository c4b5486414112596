//! How long the view of a line takes.

use std::hint::black_box;
use std::time::Instant;

use hookc_shell::{MemberBits, Members, write_view};

use super::SHAPES;

/// Lines of 40 bytes, as scripts have them.
const SCRIPT: [&str; 6] = [
    "cargo test -p api --test main -- login\n",
    "cp -r target/debug/app /opt/app/bin/new\n",
    "grep -rn \"some text\" src/main.rs | head\n",
    "npm install --save-dev typescript@5.4.2\n",
    "git commit -am \"docs: explain the flag\"\n",
    "mkdir -p \"$HOME/.cache/app\" && ls /etc\n",
];

/// The least of several times, in nanoseconds.
fn least(text: &str, members: &Members, rounds: usize) -> f64 {
    let mut out = String::new();
    let mut once = || {
        let started = Instant::now();
        for _ in 0..rounds {
            out.clear();
            write_view(black_box(text), Some("/repo"), Default::default(), members, &mut out);
            black_box(&out);
        }
        started.elapsed().as_secs_f64() * 1e9 / rounds as f64
    };
    (0..8).map(|_| once()).fold(f64::MAX, f64::min)
}

pub(super) fn print() {
    let body = "    let value = compute(\"a\", 1); // text\n".repeat(256);
    let texts = [
        ("short", "git push origin main".to_owned()),
        ("agent", "cd /home/me/repo && git add -A && git commit -m \"fix: a message\"".to_owned()),
        (
            "four commands",
            "cd /repo && FOO=1 git commit -m \"fix: don't push; (see #12)\" && npm test 2>&1 | tee log"
                .to_owned(),
        ),
        ("many commands", "cd /repo && git commit -m \"a b\" | tee 'x y' > log; ".repeat(200)),
        ("script", SCRIPT.concat().repeat(43)),
        ("here-document", format!("cat > src/x.rs <<'EOF'\n{body}EOF\n")),
    ];
    // What a guard of a program with its flags and operands reads.
    let few = Members::from_bits(["flags", "name", "operands"].into_iter().collect::<MemberBits>());
    for (name, text) in &texts {
        let [all, few] = [Members::all(), &few].map(|members| least(text, members, 250_000 / text.len()));
        println!(
            "{name}: {} bytes: {all:.0} ns, {:.2} ns/byte; three members {few:.0} ns",
            text.len(),
            all / text.len() as f64
        );
    }
    let mut shapes: Vec<(f64, String)> = SHAPES
        .iter()
        .map(|shape| {
            let [one, two] =
                [8, 16].map(|size| least(&shape.repeat((size << 10) / shape.len()), Members::all(), 1));
            let line = format!(
                "{shape:?}: 8 KiB {:.0} us, 16 KiB {:.0} us, grows {:.2}",
                one / 1e3,
                two / 1e3,
                two / one
            );
            (two / one, line)
        })
        .collect();
    shapes.sort_by(|a, b| a.0.total_cmp(&b.0));
    shapes.iter().for_each(|(_, line)| println!("{line}"));
}
