//! The work for hostile lines grows no faster than the lines, counted in steps instead of seconds.

use hookc_shell::limits;
use hookc_shell::work;

use super::SHAPES;
use hookc_corpus::amount;

/// What is before a repeated text, the text, and what is after it.
const AROUND: &[(&str, &str, &str)] = &[
    ("x ", "y ", ""),
    ("x ", "-a -b ", ""),
    ("x -", "abc", " y"),
    ("rm -", "r", " y"),
    ("x ", "<<E ", ""),
    ("x ", "<<'E' ", ""),
    ("x ", "<<E <<F\nE\nF\n", ""),
    ("x ", "<<-E \n\tE\n", ""),
    ("cat <<E\n", "$x ", "\nE"),
    ("bash <<E\n", "x;", "\nE"),
    ("x <<< \"", "$y ", "\""),
    ("x ", ">a ", ""),
    ("x ", "2>&1 ", ""),
    ("x ", "<(y) ", ""),
    ("x ", "$(y) ", ""),
    ("", "$(y) ", ""),
    ("", "`y` ", ""),
    ("", "$x ", ""),
    ("", "$((1)) ", ""),
    ("", "sudo ", ""),
    ("", "env a=1 ", ""),
    ("", "! ", "x"),
    ("x ", "{a,b} ", ""),
    ("x ", "{a,b}{a,b}{a,b}{a,b} ", ""),
    ("x ", "{1..9} ", ""),
    ("case x in ", "x) a;; ", "esac"),
    ("f() { a; };", "f;", ""),
    ("", "f() { f; };", "f"),
    ("f() { x \"$@\"; }; f ", "a ", ""),
    ("for i in ", "a ", "; do x $i; done"),
    ("set -- ", "a ", "; x \"$@\""),
    ("", "set -- \"$@\" a;", "x \"$@\""),
    ("x", " | y", ""),
    ("x", " && y", ""),
    ("x", " || y", ""),
    ("", "cd a && ", "x"),
    ("", "cd a; x >b; ", ""),
    ("", "a=1 ", "x"),
    ("a=x;", "$a ", ""),
    ("a=", "b", "; x ${a//b/cc}"),
    ("a=", "b", "; x ${a%%*b} ${a##*b}"),
    ("", "A=$A:b; ", "x $A"),
    ("", "A+=b; ", "x $A"),
    ("", "a=(b); a+=(c); ", ""),
    ("", "export a=1; ", ""),
    ("", "alias a=b; ", "a"),
    ("git -c alias.a='", "b ", "' a"),
    ("", "git config alias.a b; ", "git a"),
    ("parallel ", "a ", "::: b"),
    ("find . ", "-exec a \\; ", ""),
    ("x ", "* ", ""),
    ("printf '", "%s", "' a b | sh"),
    ("echo ", "a ", "| bash"),
    ("eval ", "a ", ""),
    ("", "trap a EXIT; ", ""),
    ("", "pushd a; ", ""),
    ("", "su -c 'a'; ", ""),
];

#[test]
fn the_work_grows_no_faster_than_the_line() {
    let alone = SHAPES.iter().map(|shape| ("", *shape, ""));
    for (before, shape, after) in AROUND.iter().copied().chain(alone).step_by(amount(1, 30)) {
        let works: Vec<usize> = [4, 8, 16, 32]
            .map(|size| {
                format!("{before}{}{after}", shape.repeat((size * amount(1 << 10, 1 << 3)) / shape.len()))
            })
            .map(|text| work(&text))
            .into();
        // A limit ends what would be more: that work is bounded, whatever the line.
        let bound = limits::SHELL_STEPS * 8 + limits::SHELL_VIEW_BYTES * 2;
        assert!(works.iter().all(|work| *work <= bound), "{before}{shape}{after}: {works:?}");
        // Miri reads short lines, whose work is not yet bounded by a limit.
        for pair in works.windows(2).take(amount(usize::MAX, 0)) {
            let exceeded = pair[1] > limits::SHELL_STEPS * 4;
            assert!(exceeded || pair[1] <= pair[0] * 23 / 10 + 4096, "{before}{shape}{after}: {works:?}");
        }
    }
}
