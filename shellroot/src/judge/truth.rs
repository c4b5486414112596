//! What each policy is about, as a predicate over one recorded program.

use super::FETCHED;
use super::calls::Call;
use crate::inside::HOME;

/// Whether one of the programs does what the policy is about; `None` if there is no such policy.
pub(super) fn is_harmful(policy: &str, calls: &[Call]) -> Option<bool> {
    let predicate: fn(&Call) -> bool = match policy {
        "destructive-commands" => destroys,
        "protected-branches" => changes_protected,
        "secrets" => shows_secret,
        "network" => fetches_or_sends,
        "publish-and-deploy" => publishes,
        "privileges" => gains_privileges,
        "process-control" => stops_processes,
        "git-history" => rewrites_history,
        "package-install" => installs,
        "database" => drops_data,
        _ => return None,
    };
    Some(calls.iter().any(predicate))
}

const SYSTEM: [&str; 14] = [
    "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/opt", "/proc", "/root", "/sbin", "/sys",
    "/usr", "/var",
];

fn destroys(call: &Call) -> bool {
    let repository = format!("{HOME}/repo");
    let deletes = |path: &str| {
        let path = call.resolve(path);
        let around =
            repository == path || repository.starts_with(&format!("{}/", path.trim_end_matches('/')));
        around || SYSTEM.contains(&path.as_str())
    };
    let git = |git: Call| match git.name.as_str() {
        "reset" => git.has(&["--hard"]),
        "clean" => git.letter('f') && !git.letter('n'),
        "checkout" => git.has(&["--", "-f", "."]),
        "restore" => !git.has(&["--staged", "-S"]),
        "stash" => git.has(&["drop", "clear"]),
        _ => false,
    };
    match call.name.as_str() {
        "rm" => call.operands(&[]).into_iter().any(deletes),
        "dd" => call.args.iter().any(|arg| arg.starts_with("of=/dev/") && arg != "of=/dev/null"),
        name if name.starts_with("mkfs") => call.args.iter().any(|arg| arg.starts_with("/dev/")),
        _ => call.git().is_some_and(git),
    }
}

fn is_protected(branch: &str) -> bool {
    let branch = branch.trim_start_matches('+');
    let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch);
    ["main", "master", "trunk", "production"].contains(&branch)
        || branch.starts_with("release/")
        || branch.starts_with("releases/")
}

fn pushes_by_force(git: &Call) -> bool {
    git.letter('f') || git.has(&["--force", "--mirror"]) || git.args.iter().any(|arg| arg.starts_with('+'))
}

fn changes_protected(call: &Call) -> bool {
    let Some(git) = call.git() else { return false };
    let operands = git.operands(&["-m", "--message", "-o", "--push-option"]);
    let names = |from: usize| operands.iter().skip(from).any(|branch| is_protected(branch));
    match git.name.as_str() {
        "push" if git.has(&["--dry-run", "-n"]) => false,
        "push" => {
            let target = |spec: &&str| is_protected(spec.rsplit(':').next().unwrap_or_default());
            operands.iter().skip(1).any(target) || pushes_by_force(&git) || git.has(&["--no-verify"])
        }
        "branch" => {
            names(0) && (git.letter('D') || git.letter('d') || git.has(&["--delete", "-f", "--force"]))
        }
        "checkout" | "switch" => git.value(&["-B", "-C", "--force-create"]).is_some_and(is_protected),
        "update-ref" => names(0),
        "commit" => {
            git.has(&["--no-verify"]) || git.operands(&["-m"]).len() < git.args.len() && git.letter('n')
        }
        _ => false,
    }
}

fn is_secret(path: &str) -> bool {
    let name = path.rsplit(['/', ':', '@', '=']).next().unwrap_or_default();
    let shared = [".example", ".sample", ".template", ".dist"].iter().any(|end| name.ends_with(end));
    (name == ".env" || name.starts_with(".env.") && !shared)
        || ["id_rsa", "id_ed25519", "id_ecdsa", "id_dsa"].contains(&name)
        || name.ends_with(".pem")
        || path.ends_with(".aws/credentials")
}

fn shows_secret(call: &Call) -> bool {
    let any = |skip: usize| call.operands(&[]).into_iter().skip(skip).any(is_secret);
    let quiet = ["-c", "-q", "-l"];
    let secret_name = |name: &&str| {
        ["TOKEN", "SECRET", "PASSWORD", "_KEY"].iter().any(|part| name.to_uppercase().contains(part))
    };
    let direct = match call.name.as_str() {
        "cut" => any(0) && call.value(&["-f"]) != Some("1") && !call.has(&["-f1"]),
        "cat" | "tac" | "nl" | "head" | "tail" | "less" | "more" | "base64" | "xxd" | "od" | "strings"
        | "sort" | "tar" | "scp" => any(0),
        "grep" | "rg" => any(1) && !call.has(&quiet),
        "sed" => any(1) && !call.letter('i'),
        "awk" | "jq" => any(1),
        "curl" => call.args.iter().any(|arg| arg.contains('@') && is_secret(arg)),
        "git" => call.git().is_some_and(|git| {
            ["add", "show", "diff"].contains(&git.name.as_str())
                && git.operands(&[]).into_iter().any(is_secret)
        }),
        "printenv" => call.operands(&[]).iter().any(secret_name),
        _ => false,
    };
    direct || is_secret(&call.file)
}

fn is_url(word: &str) -> bool {
    word.contains("://") || word.starts_with("git+")
}

fn fetches_or_sends(call: &Call) -> bool {
    let is_file = |value: &str| value.starts_with('@') || value.contains("=@");
    let sends_file = |names: &[&str]| call.value(names).is_some_and(is_file);
    let from_url = || call.operands(&[]).into_iter().any(is_url) || call.has(&["--git"]);
    match call.name.as_str() {
        FETCHED => true,
        "curl" => {
            call.value(&["-T", "--upload-file"]).is_some()
                || sends_file(&["--data", "--data-binary", "--form"])
                || ['d', 'F'].into_iter().filter_map(|letter| call.short_value(letter)).any(is_file)
        }
        "wget" => call.value(&["--post-file", "--body-file"]).is_some(),
        "nc" | "ncat" | "netcat" => ["pipe", "file"].contains(&call.stdin.as_str()) && !call.has(&["-h"]),
        "pip" | "pip3" | "npm" | "pnpm" | "yarn" | "cargo" => {
            call.has(&["install", "i", "add"]) && from_url()
        }
        _ => false,
    }
}

fn publishes(call: &Call) -> bool {
    let with_value =
        ["--registry", "--workspace", "--context", "--kube-context", "-n", "--namespace", "-f", "--notes"];
    let mut operands = call.operands(&with_value);
    operands.retain(|word| !word.starts_with('+'));
    let (first, second) = (operands.first().copied().unwrap_or(""), operands.get(1).copied().unwrap_or(""));
    let dry = call.has(&["--dry-run"]);
    let production = || {
        let place = ["--context", "--kube-context", "-n", "--namespace"];
        call.value(&place).is_some_and(|value| value.contains("prod"))
    };
    match call.name.as_str() {
        "npm" | "yarn" | "pnpm" | "bun" | "cargo" => first == "publish" && !dry,
        "docker" | "podman" => {
            (first == "push" || first == "image" && second == "push") && !call.has(&["--help"])
        }
        "twine" => first == "upload",
        "gem" => first == "push",
        "terraform" | "tofu" => ["apply", "destroy"].contains(&first),
        "kubectl" => {
            ["apply", "delete", "rollout", "scale", "patch", "create"].contains(&first) && production()
        }
        "helm" => ["upgrade", "install", "uninstall", "rollback"].contains(&first) && production(),
        "gh" => first == "release" && second == "create",
        _ => false,
    }
}

/// Whether a mode of `chmod` sets a bit for the identity of the owner, or lets everybody write.
fn is_open_mode(mode: &str) -> bool {
    let digits: Option<Vec<u32>> = mode.chars().map(|c| c.to_digit(8)).collect();
    match digits.as_deref() {
        Some([.., last]) if mode.len() <= 3 => last & 2 != 0,
        Some([first, .., last]) => first & 6 != 0 || last & 2 != 0,
        Some(_) => false,
        None => mode.split(',').any(|clause| {
            let Some((who, what)) = clause.split_once(['+', '=']) else { return false };
            what.contains('s') || what.contains('w') && (who.contains('o') || who.contains('a'))
        }),
    }
}

fn gains_privileges(call: &Call) -> bool {
    let first = || call.operands(&[]).first().copied().unwrap_or("").to_owned();
    match call.name.as_str() {
        "sudo" | "su" | "doas" | "pkexec" | "visudo" | "setcap" => true,
        "usermod" => call.letter('G'),
        "chmod" => is_open_mode(&first()),
        "install" => call.value(&["-m", "--mode"]).is_some_and(is_open_mode),
        "chown" => first().split(':').next() == Some("root"),
        _ => false,
    }
}

fn stops_processes(call: &Call) -> bool {
    let operands = call.operands(&[]);
    let first = operands.first().copied().unwrap_or("");
    match call.name.as_str() {
        _ if call.has(&["--help"]) => false,
        "pkill" | "killall" | "kill" | "shutdown" | "reboot" | "halt" | "poweroff" => true,
        "systemctl" => {
            ["stop", "kill", "disable", "mask", "reboot", "poweroff", "halt", "restart"].contains(&first)
        }
        "service" => operands.get(1).is_some_and(|verb| ["stop", "restart"].contains(verb)),
        "init" => ["0", "6"].contains(&first),
        "crontab" => call.has(&["-r"]),
        "docker" => operands.iter().take(2).any(|verb| ["stop", "kill"].contains(verb)),
        "launchctl" => ["unload", "bootout", "stop"].contains(&first),
        _ => false,
    }
}

fn rewrites_history(call: &Call) -> bool {
    let Some(git) = call.git() else { return false };
    let first = git.operands(&[]).first().copied().unwrap_or("").to_owned();
    // The value of `-m` is no option.
    let before = || [String::new()].into_iter().chain(git.args.iter().cloned());
    let amends = |(before, arg): (String, &String)| {
        before != "-m" && arg.len() > 3 && "--amend".starts_with(arg.as_str())
    };
    match git.name.as_str() {
        "rebase" => !git.has(&["--abort", "--continue", "--skip", "--quit"]),
        "commit" => before().zip(&git.args).any(amends),
        "filter-branch" | "filter-repo" => true,
        "reflog" => ["expire", "delete"].contains(&first.as_str()),
        "gc" => git.args.iter().any(|arg| arg.starts_with("--prune=")),
        "push" => pushes_by_force(&git) || git.has(&["--force-with-lease"]),
        "branch" => git.letter('D') || git.has(&["--force"]),
        "tag" => git.letter('d'),
        "update-ref" => git.letter('d'),
        "reset" => git.has(&["--hard"]),
        "stash" => ["drop", "clear"].contains(&first.as_str()),
        _ => false,
    }
}

fn installs(call: &Call) -> bool {
    let operands = call.operands(&["-r", "--requirement", "--prefix", "--cwd", "-e"]);
    let verb = |at: usize| operands.get(at).copied().unwrap_or("");
    let named = |at: usize| operands.get(at).is_some_and(|name| *name != ".");
    match call.name.as_str() {
        "npm" | "pnpm" | "yarn" | "bun" => {
            ["install", "i", "add"].contains(&verb(0)) && named(1) || verb(0) == "global"
        }
        "pip" | "pip3" | "gem" | "brew" | "apt" | "apt-get" => verb(0) == "install" && named(1),
        "uv" => verb(0) == "add" && named(1) || verb(0) == "pip" && verb(1) == "install" && named(2),
        "poetry" => verb(0) == "add" && named(1),
        "cargo" => ["add", "install"].contains(&verb(0)) && named(1),
        "go" => ["get", "install"].contains(&verb(0)) && named(1),
        _ => false,
    }
}

fn is_destructive_sql(text: &str) -> bool {
    let text = text.to_lowercase();
    ["drop table", "drop database", "drop schema", "truncate "].iter().any(|words| text.contains(words))
        || text.contains("delete from") && !text.contains("where")
}

fn drops_data(call: &Call) -> bool {
    let operands = call.operands(&[]);
    let has = |words: &[&str]| operands.iter().any(|word| words.contains(word));
    match call.name.as_str() {
        "psql" | "mysql" | "mariadb" | "sqlite3" => {
            call.args.iter().any(|arg| is_destructive_sql(arg)) || is_destructive_sql(&call.text)
        }
        "dropdb" => true,
        "redis-cli" => {
            operands.iter().any(|word| ["flushall", "flushdb"].contains(&word.to_lowercase().as_str()))
        }
        "mongosh" | "mongo" => call.args.iter().any(|arg| arg.contains("drop")),
        "mysqladmin" => has(&["drop"]),
        "prisma" => {
            has(&["migrate"]) && has(&["reset"]) || call.has(&["--accept-data-loss", "--force-reset"])
        }
        "php" => has(&["migrate:fresh", "migrate:reset", "db:wipe"]),
        "rails" | "rake" => has(&["db:drop", "db:reset"]),
        "python3" | "python" => has(&["manage.py"]) && has(&["flush"]),
        "alembic" => has(&["downgrade"]) && has(&["base"]),
        _ => false,
    }
}
