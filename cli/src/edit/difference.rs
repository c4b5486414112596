//! The difference of two texts by lines, in the unified format.

use std::collections::HashMap;
use std::fmt::Write as _;

/// The most lines that may differ for the smallest difference; beyond it, all lines between the first and the last
/// difference are replaced.
const DIFFERENT: usize = 1000;

/// Lines that differ, with the lines around them.
pub(crate) struct Hunk<'t> {
    /// `@@ -1,2 +1,3 @@`
    pub(crate) header: String,
    /// The lines, each with `-`, `+` or a space.
    pub(crate) lines: Vec<(char, &'t str)>,
}

/// The difference in the unified format, with the name of the file; nothing if the texts are equal.
pub(crate) fn unified(name: &str, old: &str, new: &str) -> String {
    let hunks = hunks(old, new, 3);
    let mut out = String::new();
    if !hunks.is_empty() {
        let _ = write!(out, "--- {name}\n+++ {name}\n");
    }
    for hunk in hunks {
        let _ = writeln!(out, "{}", hunk.header);
        for (mark, line) in hunk.lines {
            let end = if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
            let _ = write!(out, "{mark}{line}{end}");
        }
    }
    out
}

/// The parts of two texts that differ, each with so many lines around it.
pub(crate) fn hunks<'t>(old: &'t str, new: &'t str, around: usize) -> Vec<Hunk<'t>> {
    let lines = lines(old, new);
    let mut changed =
        lines.iter().enumerate().filter(|(_, (mark, _))| *mark != ' ').map(|(at, _)| at).peekable();
    let mut hunks = Vec::new();
    let (mut done, mut before) = (0, (0, 0));
    while let Some(first) = changed.next() {
        let mut last = first;
        while let Some(next) = changed.next_if(|next| *next <= last + 2 * around) {
            last = next;
        }
        let range = first.saturating_sub(around)..lines.len().min(last + around + 1);
        let skipped = lines.get(done..range.start).unwrap_or_default();
        let shown = lines.get(range.clone()).unwrap_or_default();
        before = after(before, skipped);
        let end = after(before, shown);
        let header = format!("@@ -{} +{} @@", position(before.0, end.0), position(before.1, end.1));
        hunks.push(Hunk { header, lines: shown.to_vec() });
        (done, before) = (range.end, end);
    }
    hunks
}

/// The numbers of lines of both texts after some lines of the difference.
fn after((old, new): (usize, usize), lines: &[(char, &str)]) -> (usize, usize) {
    let count = |other: char| lines.iter().filter(|(mark, _)| *mark != other).count();
    (old + count('+'), new + count('-'))
}

/// The first line of a range and its length.
fn position(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        length => format!("{},{length}", start + 1),
    }
}

/// All lines of both texts, in order.
fn lines<'t>(old: &'t str, new: &'t str) -> Vec<(char, &'t str)> {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let ends = old.iter().skip(start).rev().zip(new.iter().skip(start).rev());
    let end = ends.take_while(|(a, b)| a == b).count();
    let middle = |lines: &[&'t str]| lines.get(start..lines.len() - end).unwrap_or_default().to_vec();
    let equal = |range: &[&'t str]| range.iter().map(|line| (' ', *line)).collect::<Vec<_>>();
    let mut out = equal(old.get(..start).unwrap_or_default());
    out.extend(ordered(edits(&middle(&old), &middle(&new))));
    out.extend(equal(old.get(old.len() - end..).unwrap_or_default()));
    out
}

/// Removed lines before the added ones, as far as no equal line is between them.
fn ordered<'t>(edits: Vec<(char, &'t str)>) -> Vec<(char, &'t str)> {
    let is_together = |a: &(char, &str), b: &(char, &str)| (a.0 == ' ') == (b.0 == ' ');
    let in_order = |part: &[(char, &'t str)]| {
        let marked = |mark: char| part.iter().copied().filter(move |line| line.0 == mark).collect::<Vec<_>>();
        [marked(' '), marked('-'), marked('+')].concat()
    };
    edits.chunk_by(is_together).flat_map(in_order).collect()
}

/// The smallest difference, by the algorithm of Myers (1986).
fn edits<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(char, &'t str)> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut number = |lines: &[&'t str]| -> Vec<usize> {
        let one = |line: &&'t str| {
            let next = numbers.len();
            *numbers.entry(line).or_insert(next)
        };
        lines.iter().map(one).collect()
    };
    let (old_numbers, new_numbers) = (number(old), number(new));
    let Some(steps) = steps(&old_numbers, &new_numbers) else {
        return old.iter().map(|line| ('-', *line)).chain(new.iter().map(|line| ('+', *line))).collect();
    };
    let (mut old, mut new) = (old.iter(), new.iter());
    let line = |mark: char| {
        let removed = if mark == '+' { None } else { old.next() };
        let added = if mark == '-' { None } else { new.next() };
        Some((mark, *removed.or(added)?))
    };
    steps.into_iter().filter_map(line).collect()
}

/// What happens to each line; `None` if too many differ.
fn steps(old: &[usize], new: &[usize]) -> Option<Vec<char>> {
    let rows = rows(old, new)?;
    let mut steps = Vec::new();
    // The diagonal of `x` and `y` has the number `at`, which is `(x - y + edits) / 2`, in the row of so many edits.
    let (mut x, mut at) = (old.len(), (old.len() + rows.len() - 1).checked_sub(new.len())? / 2);
    for edits in (0..rows.len()).rev() {
        let previous = edits.checked_sub(1).and_then(|edits| rows.get(edits));
        let (start, is_added) = reached(previous, at);
        steps.extend(std::iter::repeat_n(' ', x.saturating_sub(start)));
        x = start;
        if previous.is_none() {
            break;
        }
        if is_added {
            steps.push('+');
        } else {
            steps.push('-');
            (x, at) = (x.checked_sub(1)?, at.checked_sub(1)?);
        }
    }
    steps.reverse();
    Some(steps)
}

/// For each number of edits, how many old lines are before the furthest point of each diagonal.
fn rows(old: &[usize], new: &[usize]) -> Option<Vec<Vec<usize>>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for edits in 0..=DIFFERENT.min(old.len() + new.len()) {
        let mut row = Vec::with_capacity(edits + 1);
        for at in 0..=edits {
            let (mut x, _) = reached(rows.last(), at);
            let mut y = (x + edits).saturating_sub(2 * at);
            while x < old.len() && old.get(x) == new.get(y) {
                (x, y) = (x + 1, y + 1);
            }
            row.push(x);
            if x == old.len() && y == new.len() {
                rows.push(row);
                return Some(rows);
            }
        }
        rows.push(row);
    }
    None
}

/// How far a diagonal gets by one more edit, and whether that adds a line rather than removes one.
fn reached(previous: Option<&Vec<usize>>, at: usize) -> (usize, bool) {
    let added = previous.and_then(|row| row.get(at)).copied();
    let removed = at.checked_sub(1).and_then(|at| previous?.get(at)).map(|x| x + 1);
    match (added, removed) {
        (Some(added), Some(removed)) if removed > added => (removed, false),
        (Some(added), _) => (added, true),
        (None, removed) => (removed.unwrap_or_default(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_unified() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n";
        let new = "a\nB\nc\nd\ne\nf\ng\nh\ni\nj\nx\nk\nl";
        let expected = "--- n\n+++ n\n@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n d\n e\n@@ -8,5 +8,6 @@\n h\n i\n j\n+x\n k\n-l\n+l\n\\ No newline at end of file\n";
        assert_eq!(unified("n", old, new), expected);
        assert_eq!(unified("n", old, old), "");
        assert_eq!(unified("n", "", "a\n"), "--- n\n+++ n\n@@ -0,0 +1 @@\n+a\n");
        assert_eq!(unified("n", "a\n", ""), "--- n\n+++ n\n@@ -1 +0,0 @@\n-a\n");
    }

    #[test]
    fn a_difference_leads_from_one_text_to_the_other() {
        let texts: Vec<String> = (0..81_usize)
            .map(|number| {
                (0..4).map(|digit| ["a\n", "b\n", "c\n"][number / 3_usize.pow(digit) % 3]).collect()
            })
            .collect();
        for old in &texts {
            for new in &texts {
                let lines = lines(old, new);
                let without = |other: char| -> String {
                    lines.iter().filter(|(mark, _)| *mark != other).map(|(_, line)| *line).collect()
                };
                assert_eq!((&without('+'), &without('-')), (old, new));
            }
        }
        let (old, new): (String, String) = (
            (0..3000).map(|n| format!("{n}\n")).collect(),
            (0..3000).map(|n| format!("{}\n", n * 2 + 1)).collect(),
        );
        assert!(lines(&old, &new).len() > 3000);
    }
}
