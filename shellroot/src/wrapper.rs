//! Programs that start others, as far as no real one runs in the root.

/// A wrapper: the options that take a value, and the operands before the program.
struct Wrapper {
    name: &'static str,
    short: &'static str,
    long: &'static [&'static str],
    operands: usize,
}

const fn wrapper(
    name: &'static str,
    short: &'static str,
    long: &'static [&'static str],
    operands: usize,
) -> Wrapper {
    Wrapper { name, short, long, operands }
}

const ALL: [Wrapper; 7] = [
    wrapper(
        "sudo",
        "CDghpRrTtUu",
        &[
            "--chdir",
            "--chroot",
            "--close-from",
            "--group",
            "--host",
            "--prompt",
            "--role",
            "--type",
            "--user",
        ],
        0,
    ),
    wrapper("doas", "Cu", &[], 0),
    wrapper("stdbuf", "ioe", &["--input", "--output", "--error"], 0),
    wrapper("chroot", "", &[], 1),
    wrapper("strace", "abeIoOpPsSuUX", &["--trace", "--output"], 0),
    wrapper("busybox", "", &[], 0),
    wrapper("chrt", "TPD", &[], 1),
];

/// The names of all.
pub(crate) const NAMES: [&str; 8] = ["sudo", "doas", "stdbuf", "chroot", "strace", "busybox", "chrt", "su"];

/// What a wrapper would run; `None` if the program is not a wrapper, or runs nothing.
pub(crate) fn rest(name: &str, args: &[String]) -> Option<Vec<String>> {
    if name == "su" {
        let at = args.iter().position(|arg| arg == "-c" || arg == "--command")?;
        return Some(vec!["sh".into(), "-c".into(), args.get(at.checked_add(1)?)?.clone()]);
    }
    let wrapper = ALL.iter().find(|wrapper| wrapper.name == name)?;
    let mut words = args.iter().peekable();
    while let Some(word) = words.next_if(|word| word.starts_with('-') && word.len() > 1) {
        if word == "--" {
            break;
        }
        let is_long = word.starts_with("--");
        let takes = match is_long {
            true => wrapper.long.contains(&word.as_str()),
            // The value is the rest of the word, or the next word.
            false => word
                .chars()
                .skip(1)
                .position(|c| wrapper.short.contains(c))
                .is_some_and(|at| at.saturating_add(2) == word.chars().count()),
        };
        if takes {
            words.next();
        }
    }
    if wrapper.name == "sudo" {
        while words.next_if(|word| word.contains('=') && !word.starts_with('=')).is_some() {}
    }
    let rest: Vec<String> = words.skip(wrapper.operands).cloned().collect();
    (!rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::{ALL, NAMES, rest};

    #[test]
    fn the_program_follows_the_options_and_their_values() {
        assert!(ALL.iter().all(|wrapper| NAMES.contains(&wrapper.name)));
        let run = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            rest(&words[0], &words[1..]).map(|rest| rest.join(" "))
        };
        for (line, expected) in [
            ("sudo -u me -n A=1 rm -rf x", Some("rm -rf x")),
            ("sudo -nu me rm", Some("rm")),
            ("sudo -- rm", Some("rm")),
            ("sudo -l", None),
            ("stdbuf -oL -e 0 curl x", Some("curl x")),
            ("chroot /x sh -c y", Some("sh -c y")),
            ("su me -c y", Some("sh -c y")),
            ("rm x", None),
        ] {
            assert_eq!(run(line).as_deref(), expected, "{line}");
        }
    }
}
