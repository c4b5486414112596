//! Predicates, by their rules.

use super::glob::{Glob, Relation, Wildcards, relate};
use super::list::{Item, Sets, items, regex};
use super::model::Act;
use super::model::{Deeds, Effect, Kind, Scheme};
use super::place::{anchored, has_wildcard, is_below, marked, narrowed, place, relate_paths, tree};
use super::rows::Row;
use super::table::Rows;
use super::text::{Hole, Symbol, Text};
use super::{command, only};

/// What a guard asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the language")]
pub enum Verb {
    Run,
    Read,
    Write,
    Delete,
    Change,
    Contact,
    Send,
    Install,
    Push,
}

/// A guard as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// What it asks about.
    pub verb: Verb,
    /// `may_`.
    pub is_possible: bool,
    /// Patterns of which one must match.
    pub of: Vec<String>,
    /// Patterns of what does not count.
    pub except: Vec<String>,
    /// Patterns of the commands whose effects count.
    pub by: Vec<String>,
    /// Patterns of the commands whose effects do not count.
    pub not_by: Vec<String>,
}

/// A predicate as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// `reads(...)`
    Guard(Guard),
    /// `only(...)`
    Only(Vec<Guard>),
    /// `unknown()`
    Unknown,
    /// `mentions(...)`
    Mentions(Vec<String>),
    /// `passed(...)`
    Passed(Vec<String>),
}

impl Predicate {
    /// Whether it is true of what an event does.
    #[must_use]
    pub fn holds(&self, sets: &Sets, rows: &Rows, deeds: &Deeds) -> bool {
        let context = Context { sets, rows, deeds };
        match self {
            Self::Guard(guard) => context.guard(guard),
            Self::Only(guards) => only::holds(&context, guards),
            Self::Unknown => deeds.is_unknown,
            Self::Mentions(patterns) => context.mentions(patterns),
            Self::Passed(patterns) => command::passed(&context, patterns),
        }
    }
}

/// The event, and the sets of the policy.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) sets: &'a Sets,
    pub(super) rows: &'a Rows,
    pub(super) deeds: &'a Deeds,
}

/// The kinds of effects that a guard asks about.
fn kinds(verb: Verb) -> &'static [Kind] {
    match verb {
        Verb::Run => &[],
        Verb::Read => &[Kind::Read],
        Verb::Write => &[Kind::Write],
        Verb::Delete => &[Kind::Delete],
        Verb::Change => &[Kind::Write, Kind::Delete],
        Verb::Contact => &[Kind::Contact],
        Verb::Send => &[Kind::Send],
        Verb::Install => &[Kind::Install],
        Verb::Push => &[Kind::Push],
    }
}

/// Variables that change nothing but what a program shows.
const HARMLESS: &[&str] =
    &["LANG", "LANGUAGE", "TZ", "TERM", "NO_COLOR", "CI", "RUST_BACKTRACE", "REPLY", "OPTARG", "OPTIND"];

impl Context<'_> {
    /// The row of the program of a command.
    pub(super) fn row(&self, act: &Act) -> Option<&Row> {
        self.rows.program(act.name.as_deref()?)
    }

    /// Whether a variable changes nothing that a program does. `is_exported` is whether programs get it.
    pub(super) fn is_harmless(&self, name: &str, is_exported: bool) -> bool {
        let is_tied = ["path", "fpath", "cdpath", "module_path", "manpath", "mailpath"].contains(&name);
        let is_read = is_tied || name.ends_with("_proxy") || name.starts_with("npm_config_");
        let is_lower = !name.is_empty() && !name.chars().any(|c| c.is_ascii_uppercase());
        name.starts_with("LC_") || HARMLESS.contains(&name) || is_lower && !is_exported && !is_read
    }

    fn guard(&self, guard: &Guard) -> bool {
        if guard.is_possible && self.deeds.is_unknown {
            return true;
        }
        if guard.verb == Verb::Run {
            return command::runs(self, guard);
        }
        let kinds = kinds(guard.verb);
        let effects = self.deeds.effects.iter().filter(|effect| kinds.contains(&effect.kind));
        let (of, except) = (self.list(&guard.of), items(&guard.except, self.sets));
        let counts = |effect: &Effect| {
            let by =
                |patterns: &[String]| effect.command.is_some_and(|at| command::is_by(self, patterns, at));
            (guard.by.is_empty() || by(&guard.by)) && !by(&guard.not_by)
        };
        effects.clone().any(|effect| {
            counts(effect)
                && self.in_guard(effect, &of, guard.is_possible)
                && !self.in_permit(effect, &except)
        })
    }

    /// The patterns of a list; without any, everything of the kind.
    pub(super) fn list(&self, patterns: &[String]) -> Vec<Item> {
        if patterns.is_empty() { vec![Item::Pattern("**".to_owned())] } else { items(patterns, self.sets) }
    }

    /// Whether an effect is in a list that guards.
    pub(super) fn in_guard(&self, effect: &Effect, list: &[Item], may: bool) -> bool {
        let inner = list.iter().any(|item| match item {
            Item::Pattern(_) => false,
            Item::Set { of, except } => self.in_guard(effect, of, may) && !self.in_permit(effect, except),
        });
        inner || self.in_guarding_patterns(effect, &patterns(list), may)
    }

    fn in_guarding_patterns(&self, effect: &Effect, patterns: &[String], may: bool) -> bool {
        let relation = self.relate(effect, patterns, &effect.object, true);
        if relation.certain || may && relation.possible {
            return true;
        }
        if effect.scheme != Scheme::File {
            return false;
        }
        let folded: Vec<String> = patterns.iter().map(|pattern| pattern.to_lowercase()).collect();
        let globs: Vec<String> = self.globs(&folded, true);
        let object = effect.object.folded();
        if effect.is_tree {
            let below = |directory: &String| {
                globs.iter().filter_map(|glob| place(glob)).any(|place| is_below(&place, directory))
            };
            if marked(&object).literal().as_ref().is_some_and(below)
                || may && relate_paths(&globs, &tree(&marked(&object))).possible
            {
                return true;
            }
        }
        is_shell_glob(&object) && globs.iter().any(|glob| self.meets_shell_glob(glob, &object))
    }

    /// Whether what a shell's wildcard finds is near enough to a pattern.
    fn meets_shell_glob(&self, glob: &str, object: &Text) -> bool {
        if !relate_paths(&[glob.to_owned()], object).possible {
            return false;
        }
        let first = |name: Option<Text>| match name.and_then(|name| name.0.first().copied()) {
            Some(Symbol::Char(c)) => Some(c),
            _ => None,
        };
        let last = glob.rsplit('/').next().unwrap_or_default();
        let of_glob = if last.starts_with(['*', '?', '[']) {
            None
        } else {
            last.trim_start_matches('\\').chars().next()
        };
        let is_anywhere = object.0.contains(&Symbol::NAMES);
        let is_place = !has_wildcard(glob) && place(glob).is_some() && !is_anywhere;
        is_place || of_glob.is_some() && of_glob == first(object.split('/').pop())
    }

    /// Whether an effect is certainly in a list that permits.
    pub(super) fn in_permit(&self, effect: &Effect, list: &[Item]) -> bool {
        let inner = list.iter().any(|item| match item {
            Item::Pattern(_) => false,
            Item::Set { of, except } => self.in_permit(effect, of) && !self.is_possibly_in(effect, except),
        });
        let patterns = patterns(list);
        let certain = |object: &Text| self.relate(effect, &patterns, object, false).certain;
        let whole =
            if effect.scheme == Scheme::File { narrowed(&effect.object) } else { effect.object.clone() };
        inner || certain(&whole) && (!effect.is_tree || certain(&tree(&whole)))
    }

    /// Whether an effect can be in a list.
    pub(super) fn is_possibly_in(&self, effect: &Effect, list: &[Item]) -> bool {
        let inner = list.iter().any(|item| match item {
            Item::Pattern(_) => false,
            Item::Set { of, except } => self.is_possibly_in(effect, of) && !self.in_permit(effect, except),
        });
        let patterns = patterns(list);
        let possible = |object: &Text| self.relate(effect, &patterns, object, true).possible;
        let whole =
            if effect.scheme == Scheme::File { narrowed(&effect.object) } else { effect.object.clone() };
        inner || possible(&whole) || effect.is_tree && possible(&tree(&whole))
    }

    fn globs(&self, patterns: &[String], is_guard: bool) -> Vec<String> {
        let files = patterns.iter().filter(|pattern| scheme(pattern).is_none());
        let mut anchors = self.deeds.anchors.clone();
        if is_guard {
            anchors.project = anchors.project.map(|path| path.to_lowercase());
            anchors.cwd = anchors.cwd.map(|path| path.to_lowercase());
        }
        files.flat_map(|pattern| anchored(pattern, &anchors, is_guard)).collect()
    }

    /// How the object of an effect relates to patterns of its kind. Guards ignore case.
    fn relate(&self, effect: &Effect, patterns: &[String], object: &Text, is_guard: bool) -> Relation {
        let folded: Vec<String> = patterns.iter().map(|pattern| pattern.to_lowercase()).collect();
        let (patterns, object) =
            if is_guard { (folded.as_slice(), object.folded()) } else { (patterns, object.clone()) };
        let texts = |patterns: &[String], object: &Text| {
            let globs: Vec<Glob> = patterns.iter().map(|glob| Glob::new(glob, Wildcards::Texts)).collect();
            relate(&globs, object)
        };
        let of_scheme = |wanted: Scheme| -> Vec<String> {
            let with = patterns.iter().filter_map(|pattern| scheme(pattern));
            with.filter(|(scheme, _)| *scheme == wanted).map(|(_, rest)| rest.to_owned()).collect()
        };
        match effect.scheme {
            Scheme::File => relate_paths(&self.globs(patterns, is_guard), &object),
            Scheme::Variable | Scheme::Ref | Scheme::Store => texts(&of_scheme(effect.scheme), &object),
            Scheme::Posted | Scheme::Code => Relation { certain: false, possible: false },
            Scheme::Host => {
                let spelled = |host: &str| usual_address(host).unwrap_or_else(|| host.to_owned());
                let patterns: Vec<String> = patterns.iter().map(|host| spelled(host)).collect();
                let object = object.literal().map_or(object, |host| Text::from(spelled(&host).as_str()));
                texts(&patterns, &object)
            }
            Scheme::Package | Scheme::Branch => {
                let part = object.split_once(':').map(|(_, rest)| rest).unwrap_or_else(|| object.clone());
                let (whole, part_only): (Vec<String>, Vec<String>) = match effect.scheme {
                    Scheme::Branch => patterns.iter().cloned().partition(|pattern| pattern.contains(':')),
                    _ => (patterns.to_vec(), patterns.to_vec()),
                };
                let mut found = vec![texts(&whole, &object), texts(&part_only, &part)];
                if is_guard && effect.scheme == Scheme::Package {
                    let name = without_version(&object);
                    let part = name.as_ref().and_then(|name| Some(name.split_once(':')?.1));
                    found.extend(name.iter().chain(&part).map(|name| texts(patterns, name)));
                }
                Relation {
                    certain: found.iter().any(|one| one.certain),
                    possible: found.iter().any(|one| one.possible),
                }
            }
        }
    }

    fn mentions(&self, patterns: &[String]) -> bool {
        let expressions: Vec<regex::Regex> = super::list::flat(&items(patterns, self.sets))
            .iter()
            .filter_map(|pattern| {
                let (body, ignores_case) = regex(pattern)?;
                regex::RegexBuilder::new(body).case_insensitive(ignores_case).build().ok()
            })
            .collect();
        self.deeds
            .texts
            .iter()
            .any(|text| expressions.iter().any(|expression| expression.is_match(&text.to_string())))
    }
}

/// The usual spelling of an IP address: `127.0.0.1` for `0x7f.1`.
fn usual_address(host: &str) -> Option<String> {
    if let Ok(address) = host.parse::<std::net::Ipv6Addr>() {
        return Some(address.to_canonical().to_string());
    }
    let number = |part: &str| match part.to_ascii_lowercase().as_str() {
        part if part.contains(['+', '-']) => None,
        "0" => Some(0),
        part if part.starts_with("0x") => u32::from_str_radix(part.get(2..)?, 16).ok(),
        part if part.starts_with('0') => u32::from_str_radix(part, 8).ok(),
        part => part.parse().ok(),
    };
    let numbers: Vec<u32> = host.split('.').map(number).collect::<Option<_>>()?;
    let (last, bytes) = numbers.split_last().filter(|(_, bytes)| bytes.len() < 4)?;
    let rest = last.to_be_bytes();
    let (unused, used) = rest.split_at(bytes.len());
    let mut octets = bytes.iter().map(|byte| u8::try_from(*byte).ok()).collect::<Option<Vec<u8>>>()?;
    octets.extend(used);
    let octets: [u8; 4] = octets.try_into().ok()?;
    unused.iter().all(|byte| *byte == 0).then(|| std::net::Ipv4Addr::from(octets).to_string())
}

/// A package without its version and extras: `m:x` of `m:x@1`, of `m:x==1`, of `m:x:1` and of `m:x[y]`. `None` for an
/// address.
fn without_version(package: &Text) -> Option<Text> {
    let is_end = |symbol: &Symbol| match symbol {
        Symbol::Char(c) => "@=<>~![(;, ".contains(*c),
        Symbol::Hole(..) => Text(vec![*symbol]).written().starts_with('['),
    };
    let is_colon = |at: usize| package.0.get(at) == Some(&Symbol::Char(':'));
    let is_start = |at: usize| at == 0 || is_colon(at - 1);
    let manager = (0..package.0.len()).find(|at| is_colon(*at));
    let is_number =
        |at: usize| matches!(package.0.get(at), Some(Symbol::Char(c)) if "0123456789^~<>=!*".contains(*c));
    let is_before = |at: usize| is_colon(at) && Some(at) != manager && is_number(at + 1);
    let is_version = |at: usize, symbol: &Symbol| !is_start(at) && (is_end(symbol) || is_before(at));
    let end = package.0.iter().enumerate().position(|(at, symbol)| is_version(at, symbol));
    let name = Text(package.0.iter().take(end?).copied().collect());
    (!name.to_string().contains("://")).then_some(name)
}

/// The plain patterns of a list.
fn patterns(list: &[Item]) -> Vec<String> {
    let plain = |item: &Item| if let Item::Pattern(text) = item { Some(text.clone()) } else { None };
    list.iter().filter_map(plain).collect()
}

/// The scheme of a pattern, and the pattern of the name.
fn scheme(pattern: &str) -> Option<(Scheme, &str)> {
    let (name, rest) = pattern.split_once(':')?;
    let scheme = match name {
        "env" => Scheme::Variable,
        "ref" => Scheme::Ref,
        "store" => Scheme::Store,
        _ => return None,
    };
    Some((scheme, rest))
}

/// Whether a name is those below a directory.
fn is_below_all(name: &Text) -> bool {
    name.0.iter().all(|symbol| !matches!(symbol, Symbol::Hole(hole, _) if *hole != Hole::Names))
}

/// Whether a path has wildcards of a shell, in a directory that is known.
fn is_shell_glob(object: &Text) -> bool {
    let names = object.split('/');
    let Some((last, directories)) = names.split_last() else { return false };
    let is_anywhere = object.0.contains(&Symbol::NAMES);
    (last.has_hole() || is_anywhere)
        && !last.0.contains(&Symbol::ANY)
        && directories.iter().all(|directory| !directory.has_hole() || is_below_all(directory))
}
