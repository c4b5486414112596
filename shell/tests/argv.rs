//! Every program of the tables, with accepted and rejected arguments.

use std::borrow::Cow;

use hookc_shell::Wrapper;
use hookc_shell::argv::{ArgumentText, Risk, StartedIn, scan};
use hookc_shell::programs::{self, Programs, Row};

/// `@` is a template; `·` a space.
fn words(line: &str) -> Vec<ArgumentText<'_>> {
    let word = |text: &str| {
        let (text, is_open) = text.split_once('@').map_or((text, false), |(text, _)| (text, true));
        ArgumentText { text: Cow::Owned(text.replace('·', " ")), is_open }
    };
    line.split(' ').map(word).collect()
}

fn risks(line: &str) -> Vec<Risk> {
    scan(&words(line), StartedIn::KnownDirectory, &Programs::SHIPPED)
        .into_iter()
        .map(|found| found.risk)
        .collect()
}

fn examples() -> impl Iterator<Item = (bool, &'static str)> {
    include_str!("argv.txt").lines().filter_map(|line| match line.split_once(' ')? {
        ("+", line) => Some((true, line)),
        ("-", line) => Some((false, line)),
        _ => None,
    })
}

#[test]
fn each_example_is_true() {
    let wrong = |(accepted, line): (bool, &str)| {
        let found = risks(line);
        (found.is_empty() != accepted).then(|| format!("{line}: {found:?}"))
    };
    assert_eq!(examples().filter_map(wrong).collect::<Vec<_>>(), [""; 0]);
}

/// Code for a shell is found after each program that starts the one in its arguments, and data stays data.
#[test]
fn each_wrapper_is_followed() {
    let wrappers = programs::rows().filter(|row| row.starts_first_operand() && row.subs().is_empty());
    let mut wrong = Vec::new();
    for name in wrappers.flat_map(Row::names) {
        let (code, data) = (risks(&format!("{name} sh -c @")), risks(&format!("{name} cat x@")));
        if code != [Risk::Code] || !data.is_empty() {
            wrong.push(format!("{name}: {code:?} {data:?}"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// A generator of numbers that is the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// Ways to start a program, any number of which can precede one.
const WRAPPERS: &[&str] = &[
    "env",
    "env -i",
    "env -u X A=1",
    "/usr/bin/env -",
    "env -S env",
    "env --split-string=nice·-n·5",
    "env -iS nohup",
    "sudo",
    "sudo -n -u root",
    "sudo -EH A=b",
    "sudo --user=root --",
    "doas -u root",
    "timeout 5",
    "timeout -k 1 -s KILL 5s",
    "timeout --signal=KILL 5",
    "nice",
    "nice -n 5",
    "nice -5",
    "ionice -c2 -n0",
    "nohup",
    "setsid -w",
    "stdbuf -oL",
    "stdbuf -o 0 -e 0",
    "time -f %e",
    "xargs -0",
    "xargs -0 -n1 -P 4",
    "xargs -I {}",
    "command",
    "exec -a x",
    "busybox",
    "chronic",
    "flock -n /lock",
    "strace -f -o /log",
    "unshare -rn",
    "nsenter -t 1 -m",
    "taskset -c 0",
    "chrt -b 0",
    "find . -name x -exec",
    "find . -type f -execdir",
    "fd x -x",
    "docker run --rm -i -e A=1 image",
    "docker exec -it box",
    "docker compose exec web",
    "kubectl exec -n x pod --",
    "uv run",
    "poetry run",
    "npx",
    "bundle exec",
    "bwrap --ro-bind / / --unshare-net",
    "systemd-run --user --scope",
];

/// Arguments with a template that is code.
const CODE: &[&str] = &[
    "sh -c @",
    "bash -lc @",
    "bash -o pipefail -ec x;@",
    "/bin/zsh @",
    "python3 -c @",
    "python3.12 -Ic @",
    "python3 -m @",
    "node -e @",
    "node --eval=@",
    "node -r @ x.js",
    "ruby -rjson -e @",
    "perl -pe @",
    "perl -ne 1 -- @",
    "php -r @",
    "lua -e @",
    "awk @",
    "gawk -F , -f @",
    "sed -n -e @",
    "sed -f @",
    "sed s/a/b/ @",
    "ssh host @",
    "su -c @",
    "eval @",
    "watch @",
    "@",
    "env @",
    "env -S @",
    "env BASH_ENV=@ true",
    "env PATH=@ true",
    "sudo LD_PRELOAD=@ true",
    "tar -xf x --to-command=@",
    "rsync -e @ a b",
    "git -c @ log",
    "git log @",
    "git clone --upload-pack=@ x",
    "find . -exec @ ;",
    "xargs @",
    "vim -c @",
    "psql -c @",
    "make @",
    "java -cp @ Main",
];

#[test]
fn no_wrappers_hide_code() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..4_000 {
        let wrappers: Vec<&str> = (0..random.below(6)).map(|_| random.pick(WRAPPERS)).collect();
        let code = random.pick(CODE);
        let line = wrappers.iter().copied().chain([code]).collect::<Vec<_>>().join(" ");
        assert!(!risks(&line).is_empty(), "{line}");
    }
}

#[test]
fn wrappers_keep_data() {
    let mut random = Random(7);
    for _ in 0..2_000 {
        let wrappers: Vec<&str> = (0..random.below(4)).map(|_| random.pick(WRAPPERS)).collect();
        let data =
            random.pick(&["./check @", "sh -c code _ @", "python3 check.py @", "grep -- @", "sed -e x -- @"]);
        let line = wrappers.iter().copied().chain([data]).collect::<Vec<_>>().join(" ");
        assert_eq!(risks(&line), [], "{line}");
    }
}

#[test]
fn wrappers_of_the_policy() {
    let wrapper = Wrapper::new("run-in").with_options(["-u", "--user"]).with_operands(1);
    let programs = Programs::new(vec![wrapper], Vec::new()).unwrap();
    let accepts = |line: &str| scan(&words(line), StartedIn::KnownDirectory, &programs).is_empty();
    for line in [
        "run-in web ./check @",
        "run-in -u @ web ./check",
        "run-in --user=@ web ./check",
        "run-in -u@ w@ ./check @",
        "sudo run-in -v web timeout 5 ./check @",
        "run-in web sh -c code _ @",
        "run-in -- web ./check @",
    ] {
        assert!(accepts(line), "{line}");
    }
    for line in [
        "run-in web @",
        "run-in web ./@",
        "run-in -@ web ./check",
        "run-in @ web ./check",
        "run-in -u me web sh -c @",
        "/opt/run-in web bash -c @",
        "sudo run-in -x web env @",
        "run-in -v @ ./check",
        "run-in web run-in web awk @",
    ] {
        assert!(!accepts(line), "{line}");
    }
    // Undeclared, the arguments are data.
    assert_eq!(risks("run-in web awk @"), []);
}

#[test]
fn directories_from_the_event() {
    let found = |line| !scan(&words(line), StartedIn::OpenDirectory, &Programs::SHIPPED).is_empty();
    for line in [
        "./check",
        "a/b",
        "env ./check",
        "sh check.sh",
        "python3 check.py",
        "timeout 5 node x.js",
        "xargs a/b",
    ] {
        assert!(found(line), "{line}");
    }
    for line in [
        "check",
        "/bin/check",
        "env check",
        "sh /x/check.sh",
        "sh -c x",
        "python3 -c x",
        "npm test",
        "git status",
    ] {
        assert!(!found(line), "{line}");
    }
    for line in ["env -C @ ./check", "sudo -D @ sh x.sh", "env --chdir=@ a/b"] {
        assert!(matches!(risks(line).as_slice(), [Risk::Folder(_)]), "{line}");
    }
    assert_eq!(risks("env -C @ check"), []);
}

#[test]
fn many_words_take_linear_time() {
    let line = format!("{}sh -c @", "env ".repeat(20_000));
    let started = std::time::Instant::now();
    assert!(!risks(&line).is_empty());
    let once = started.elapsed();
    assert!(once.as_secs() < 5, "{once:?}");
}
