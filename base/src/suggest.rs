//! "Did you mean": the closest of the valid names.
//!
//! The distance is Damerau-Levenshtein in its "optimal string alignment" form (insert, delete,
//! replace, swap two neighbours), after folding case and word separators. The cost per name is at
//! most the product of both lengths, and zero if the lengths differ too much.

/// Longer names are not looked up: people do not mistype them, programs generate them.
const LONGEST: usize = 128;

/// The closest of `names` to `wrong`, if it is close enough to be a mistake. It prefers a name that
/// differs only in case and separators, then a known synonym, then an edit distance of at most
/// a third of the length (at least one). The first name wins a tie.
#[must_use]
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    near(wrong, synonyms(wrong), names)
}

/// As [`nearest`], for names from the user's own data: without synonyms, so that a field `message`
/// is not confused with a declared `reason`.
#[must_use]
pub fn nearest_spelling<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    near(wrong, &[], names)
}

/// The name that differs by one or two letters or by case: close enough to be certain.
#[must_use]
pub fn slip<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(wrong);
    let most = 2.min(folded.len() / 4);
    let mut rows = Rows::default();
    let far = |name: &'a str| {
        if is_far(&folded, name, most) {
            None
        } else {
            Some((rows.distance(&folded, &fold(name), most)?, name))
        }
    };
    names.into_iter().filter_map(far).min_by_key(|(far, _)| *far).map(|(_, name)| name)
}

/// As [`slip`], for names that are all known: one letter of a name of three letters may differ too.
#[must_use]
pub fn slip_of_name<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.chars().count() == 3 { nearest_spelling(wrong, names) } else { slip(wrong, names) }
}

fn near<'a>(wrong: &str, same: &[&str], names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.is_empty() || wrong.len() > LONGEST * 4 {
        return None;
    }
    let folded = fold(wrong);
    let cap = (folded.len() / 3).max(1).min(folded.len().saturating_sub(1));
    let mut rows = Rows::default();
    let mut best: Option<(usize, &'a str)> = None;
    for name in names {
        let limit = best.map_or(cap, |(rank, _)| rank.saturating_sub(2));
        if !same.contains(&name) && is_far(&folded, name, limit) {
            continue;
        }
        let rank = match fold(name) {
            other if other == folded => 0,
            _ if same.contains(&name) => 1,
            other => match rows.distance(&folded, &other, limit) {
                Some(far) if far > 0 => far + 1,
                _ => continue,
            },
        };
        if best.is_none_or(|(least, _)| rank < least) {
            best = Some((rank, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Whether the lengths alone show a distance above `cap`. A name of ASCII keeps its length when it is
/// folded.
fn is_far(folded: &[char], name: &str, cap: usize) -> bool {
    name.is_ascii() && name.len().min(LONGEST).abs_diff(folded.len()) > cap
}

/// The names in hookc for a term of another language: `neq` is `ne`, `startsWith` is `starts_with`.
fn synonyms(name: &str) -> &'static [&'static str] {
    let lower = name.to_lowercase();
    let found = SYNONYMS.iter().find(|(others, _)| others.contains(&lower.as_str()));
    found.map_or(&[], |&(_, ours)| ours)
}

/// `(other names, name in hookc)`: operators, combinators, keys, types, action kinds.
const SYNONYMS: &[(&[&str], &[&str])] = &[
    (&["equals", "equal", "==", "=", "===", "is", "equal_to"], &["eq"]),
    (&["neq", "not_equals", "not_equal", "!=", "<>", "!==", "is_not", "isnt"], &["ne"]),
    (&[">", "greater", "greater_than", "greaterthan", "more_than", "above"], &["gt"]),
    (&["ge", ">=", "greater_or_equal", "greater_than_or_equal", "at_least", "min"], &["gte", "minimum"]),
    (&["<", "less", "less_than", "lessthan", "below"], &["lt"]),
    (&["le", "<=", "less_or_equal", "less_than_or_equal", "at_most"], &["lte"]),
    (&["one_of", "oneof", "is_in", "any_of", "member_of"], &["in"]),
    (&["includes", "has", "like", "substring"], &["contains"]),
    (&["prefix", "begins_with", "beginswith", "has_prefix"], &["starts_with"]),
    (&["suffix", "has_suffix"], &["ends_with"]),
    (&["match", "=~", "~", "~=", "regexp", "matches_regex", "pattern", "re", "rlike"], &["regex", "matches"]),
    (&["wildcard", "fnmatch", "globs"], &["glob"]),
    (&["present", "defined", "is_set", "not_null"], &["exists"]),
    (&["schema", "json_schema", "validates"], &["matches", "schema"]),
    (&["and", "&&", "every", "allof", "all_of"], &["all", "and"]),
    (&["or", "||", "some", "anyof"], &["any", "or"]),
    (&["all"], &["and"]),
    (&["any"], &["or"]),
    (&["!", "none", "none_of", "negate"], &["not"]),
    (&["operator", "operation"], &["op"]),
    (&["field", "key", "jsonpath", "json_path"], &["path"]),
    (&["expected", "values", "operand"], &["value"]),
    (&["conditions", "if", "where", "filter"], &["condition", "when"]),
    (&["events", "event_type", "on", "trigger"], &["event", "events"]),
    (&["actions", "do", "then", "handler"], &["action"]),
    (&["order", "weight", "rank"], &["priority"]),
    (&["disabled", "active"], &["enabled"]),
    (&["params", "args", "arguments", "inputs"], &["parameters"]),
    (&["int", "long", "i64"], &["integer"]),
    (&["float", "double", "decimal", "f64"], &["number"]),
    (&["str", "text"], &["string"]),
    (&["bool"], &["boolean"]),
    (&["list", "tuple", "sequence"], &["array"]),
    (&["dict", "map", "mapping", "struct"], &["object"]),
    (&["nil", "undefined"], &["null"]),
    (&["block", "blocked", "denied", "reject", "refuse", "forbid"], &["deny"]),
    (&["permit", "approve", "approved", "accept", "allowed"], &["allow"]),
    (&["confirm", "asked"], &["ask"]),
    (&["pass", "passes", "nothing", "no_opinion"], &["none"]),
    (&["command", "exec", "execute", "shell"], &["run", "command"]),
    (&["directive", "call"], &["call_directive"]),
    (&["emit"], &["emit_event"]),
    (&["pause"], &["suspend"]),
    (&["message"], &["error_message", "reason"]),
    (&["length", "len", "strlen"], &["size"]),
];

/// Lower case, with every separator spelled `_`.
fn fold(name: &str) -> Vec<char> {
    let separator = |c: char| if matches!(c, '-' | ' ' | '.') { '_' } else { c };
    name.chars().take(LONGEST).flat_map(char::to_lowercase).map(separator).collect()
}

/// Rows of the distance table, reused for the next name.
#[derive(Default)]
struct Rows {
    /// The row being filled, the one above it, and the one before that (needed for swaps).
    line: Vec<usize>,
    above: Vec<usize>,
    before: Vec<usize>,
}

impl Rows {
    /// The distance of `a` and `b` if it is at most `cap`. Only the columns within `cap` of the
    /// diagonal are filled: every other cell is farther.
    fn distance(&mut self, a: &[char], b: &[char], cap: usize) -> Option<usize> {
        if a.len().abs_diff(b.len()) > cap {
            return None;
        }
        for row in [&mut self.line, &mut self.above, &mut self.before] {
            row.clear();
            row.resize(b.len() + 1, FAR);
        }
        for (column, cell) in self.above.iter_mut().enumerate().take(cap + 1) {
            *cell = column;
        }
        let mut last = None;
        for (row, &left) in a.iter().enumerate() {
            if self.fill(row, (left, last), b, cap) > cap {
                return None;
            }
            std::mem::swap(&mut self.before, &mut self.above);
            std::mem::swap(&mut self.above, &mut self.line);
            last = Some(left);
        }
        self.above.last().copied().filter(|&far| far <= cap)
    }

    /// Fills a row; `last` is the character of the row above. Returns the least cell.
    fn fill(&mut self, row: usize, (left, last): (char, Option<char>), b: &[char], cap: usize) -> usize {
        let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(FAR);
        let Self { line, above, before } = self;
        line.fill(FAR);
        let first = row.saturating_sub(cap);
        let mut beside = if row < cap { row + 1 } else { FAR };
        if let Some(cell) = line.first_mut() {
            *cell = beside;
        }
        let mut previous = first.checked_sub(1).and_then(|column| b.get(column)).copied();
        let mut row_minimum = beside;
        for (column, &right) in b.iter().enumerate().take(row + cap + 1).skip(first) {
            let replaced = at(above, column) + usize::from(left != right);
            let mut least = replaced.min(beside + 1).min(at(above, column + 1) + 1);
            if previous == Some(left) && last == Some(right) && column > 0 {
                least = least.min(at(before, column - 1) + 1);
            }
            if let Some(cell) = line.get_mut(column + 1) {
                *cell = least;
            }
            beside = least;
            row_minimum = row_minimum.min(least);
            previous = Some(right);
        }
        row_minimum
    }
}

/// More than every distance.
const FAR: usize = usize::MAX / 2;

#[cfg(test)]
mod tests {
    use hookc_corpus::amount;

    use super::*;

    fn far(a: &str, b: &str) -> Option<usize> {
        Rows::default().distance(&fold(a), &fold(b), 99)
    }

    /// The whole table, by the recursion of the definition.
    fn plain(a: &[char], b: &[char]) -> usize {
        let ([x @ .., c], [y @ .., d]) = (a, b) else { return a.len().max(b.len()) };
        let step = (plain(x, y) + usize::from(c != d)).min(plain(x, b) + 1).min(plain(a, y) + 1);
        match (x, y) {
            ([xx @ .., e], [yy @ .., f]) if e == d && f == c => step.min(plain(xx, yy) + 1),
            _ => step,
        }
    }

    #[test]
    fn every_cap_gives_the_distance_or_none() {
        let words: Vec<Vec<char>> = (0..3_usize.pow(4))
            .flat_map(|n| {
                (0..=4).map(move |len| (0..len).map(|at| ['a', 'b', 'c'][n / 3_usize.pow(at) % 3]).collect())
            })
            .collect();
        let mut rows = Rows::default();
        for (a, b) in
            words.iter().zip(words.iter().cycle().skip(7)).chain(words.iter().zip(words.iter().rev()))
        {
            let far = plain(a, b);
            for cap in 0..6 {
                assert_eq!(rows.distance(a, b, cap), (far <= cap).then_some(far), "{a:?} {b:?} {cap}");
            }
        }
    }

    #[test]
    fn distances() {
        assert_eq!(far("eq", "eq"), Some(0));
        assert_eq!(far("contians", "contains"), Some(1));
        assert_eq!(far("kitten", "sitting"), Some(3));
        assert_eq!(far("", "abc"), Some(3));
        assert_eq!(far("ca", "abc"), Some(3));
    }

    #[test]
    fn near_names() {
        let ops = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "contains", "starts_with", "regex"];
        let near = |wrong| nearest(wrong, ops);
        assert_eq!(near("startsWith"), Some("starts_with"));
        assert_eq!(near("Contians"), Some("contains"));
        assert_eq!(near("EQ"), Some("eq"));
        assert_eq!(near("ge"), Some("gte"));
        assert_eq!(near("equals"), Some("eq"));
        assert_eq!(near("matches_regex"), Some("regex"));
        assert_eq!(near("x"), None);
        assert_eq!(near("frobnicate"), None);
        assert_eq!(near(""), None);
    }

    #[test]
    fn ties_go_to_the_first() {
        assert_eq!(nearest("bat", ["cat", "hat"]), Some("cat"));
        assert_eq!(nearest("hat", ["cat", "Hat"]), Some("Hat"));
    }

    #[test]
    fn many_long_names_are_quick() {
        let names: Vec<String> = (19_999 - amount(19_999, 99)..20_000)
            .map(|n| format!("a_rather_long_event_name_{n:06}"))
            .collect();
        let found = nearest("a_rather_long_evnet_name_019999", names.iter().map(String::as_str));
        assert_eq!(found, Some("a_rather_long_event_name_019999"));
        assert_eq!(nearest(&"x".repeat(amount(1 << 20, 1 << 10)), names.iter().map(String::as_str)), None);
    }
}
