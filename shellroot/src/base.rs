//! The files of a root: bash, a few real wrappers, their libraries, and a stub for each program.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::inside;

/// Wrappers that run as they are: they start what their arguments name, and it is a stub again.
pub(crate) const REAL: [&str; 10] =
    ["env", "nice", "timeout", "nohup", "xargs", "setsid", "ionice", "flock", "find", "time"];

/// Shells, which run as bash.
pub(crate) const SHELLS: [&str; 5] = ["bash", "sh", "dash", "ksh", "zsh"];

/// The user that the root's own user is outside: nobody.
const NOBODY: &str = "65534";

/// The files of all roots of a call.
#[derive(Debug)]
pub(crate) struct Base {
    folder: TempDir,
}

impl Base {
    /// Prepares the files, with stubs of these names, and proves that a root can be entered.
    ///
    /// # Errors
    /// They cannot be prepared, or a root would not be safe.
    pub(crate) fn new(programs: &BTreeSet<String>) -> Result<Self, String> {
        let folder = tempfile::Builder::new().prefix("shellroot").tempdir().map_err(told)?;
        let base = Self { folder };
        base.fill(programs).map_err(|error| format!("cannot prepare a root: {error}"))?;
        base.prove()?;
        Ok(base)
    }

    /// Prepares the files, with these programs of the machine.
    ///
    /// # Errors
    /// As [`Base::new`].
    pub(crate) fn with_programs(programs: &[(&str, &Path)]) -> Result<Self, String> {
        let folder = tempfile::Builder::new().prefix("shellroot").tempdir().map_err(told)?;
        let base = Self { folder };
        let failed = |error: std::io::Error| format!("cannot prepare a root: {error}");
        base.fill(&BTreeSet::new()).map_err(failed)?;
        let root = base.folder.path().join("root");
        for (name, program) in programs {
            let to = root.join(".hookc/real").join(name);
            base.install(program, &to).map_err(failed)?;
            let link = root.join("bin").join(name);
            // A stub of this name makes room.
            let _ = fs::remove_file(&link);
            symlink(format!("/.hookc/real/{name}"), &link).map_err(failed)?;
        }
        let usr = root.join("usr");
        if usr.exists() {
            // Libraries are below it, so that it is mounted as it is.
            symlink("/bin", usr.join("bin")).map_err(failed)?;
        }
        open(base.folder.path()).map_err(failed)?;
        base.prove()?;
        Ok(base)
    }

    fn prove(&self) -> Result<(), String> {
        let first = self.ask(&json!({"line": "probe-of-root a; cd /", "names": []}))?;
        let names =
            first["started"].as_array().map(|all| all.iter().map(|one| &one["name"]).collect::<Vec<_>>());
        if names != Some(vec![&json!("probe-of-root")]) {
            return Err(format!("no safe root: a known line started {first}"));
        }
        Ok(())
    }

    fn fill(&self, programs: &BTreeSet<String>) -> std::io::Result<()> {
        let top = self.folder.path();
        let root = top.join("root");
        for folder in ["bin", ".hookc/real"] {
            fs::create_dir_all(root.join(folder))?;
        }
        fs::create_dir(top.join("mnt"))?;
        let stub = root.join(".hookc/stub");
        self.install(&std::env::current_exe()?, &stub)?;
        fs::copy(&stub, top.join(inside::NAME))?;
        let find = |name: &str| {
            ["/bin", "/usr/bin"].iter().map(|folder| Path::new(folder).join(name)).find(|path| path.is_file())
        };
        let bash = find("bash").ok_or_else(|| std::io::Error::other("there is no bash"))?;
        self.install(&bash, &root.join(".hookc/real/bash"))?;
        for name in REAL {
            if let Some(own) = find(name) {
                self.install(&own, &root.join(".hookc/real").join(name))?;
            }
        }
        let known = REAL.iter().chain(&SHELLS).chain(crate::wrapper::NAMES.iter()).chain(PROGRAMS);
        let known = known.map(|name| (*name).to_owned()).chain(programs.iter().cloned());
        for name in known.filter(|name| is_name(name)).collect::<BTreeSet<_>>() {
            symlink("/.hookc/stub", root.join("bin").join(name))?;
        }
        open(top)
    }

    /// Copies a program and its libraries.
    fn install(&self, program: &Path, to: &Path) -> std::io::Result<()> {
        fs::copy(program, to)?;
        let found = Command::new("ldd").arg(program).stdin(Stdio::null()).output()?;
        for library in
            String::from_utf8_lossy(&found.stdout).split_whitespace().filter(|word| word.starts_with('/'))
        {
            let inside = self.folder.path().join("root").join(library.trim_start_matches('/'));
            if !inside.exists() {
                inside.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::copy(library, inside)?;
            }
        }
        Ok(())
    }

    /// Runs a line in a new root: what [`inside`] answers.
    ///
    /// # Errors
    /// No safe root could be entered: the line did not run.
    pub(crate) fn ask(&self, question: &Value) -> Result<Value, String> {
        let top = self.folder.path();
        let privileged = rustix::process::geteuid().is_root();
        let mut words: Vec<PathBuf> = Vec::new();
        if privileged {
            let user = format!("--reuid={NOBODY}");
            let group = format!("--regid={NOBODY}");
            words.extend(["setpriv", &user, &group, "--clear-groups"].map(PathBuf::from));
        }
        words.extend(
            ["unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc", "--uts", "--fork"]
                .map(PathBuf::from),
        );
        words.extend(["--kill-child=KILL".into(), top.join(inside::NAME), top.to_path_buf()]);
        let (program, rest) = words.split_first().ok_or("no command")?;
        let mut child = Command::new(program)
            .args(rest)
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .current_dir(top)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("no namespaces: {}: {error}", program.display()))?;
        if let Some(mut input) = child.stdin.take() {
            // A child that has ended already has reported the reason.
            let _ = input.write_all(question.to_string().as_bytes());
        }
        let done = child.wait_with_output().map_err(told)?;
        if !done.status.success() {
            let why = String::from_utf8_lossy(&done.stderr);
            return Err(format!("no safe root ({}): {}", done.status, why.trim()));
        }
        serde_json::from_slice(&done.stdout).map_err(|error| format!("no answer from the root: {error}"))
    }
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Whether a text can be the name of a stub.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() < 200 && !name.contains(['/', '\0']) && name != "." && name != ".."
}

/// Lets everybody read the files, and nobody write them.
fn open(path: &Path) -> std::io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    if found.is_symlink() {
        return Ok(());
    }
    fs::set_permissions(path, Permissions::from_mode(0o755))?;
    if found.is_dir() {
        for entry in fs::read_dir(path)? {
            open(&entry?.path())?;
        }
    }
    Ok(())
}

/// Programs that lines name in ways which only a shell resolves.
const PROGRAMS: &[&str] = &[
    "rm",
    "git",
    "curl",
    "wget",
    "ls",
    "cat",
    "cp",
    "mv",
    "ln",
    "mkdir",
    "rmdir",
    "touch",
    "chmod",
    "chown",
    "dd",
    "mkfs",
    "shred",
    "tee",
    "grep",
    "sed",
    "awk",
    "head",
    "tail",
    "sort",
    "uniq",
    "wc",
    "cut",
    "tr",
    "base64",
    "xxd",
    "rev",
    "tac",
    "which",
    "date",
    "sleep",
    "seq",
    "yes",
    "whoami",
    "id",
    "uname",
    "hostname",
    "ps",
    "ssh",
    "scp",
    "rsync",
    "nc",
    "python",
    "python3",
    "perl",
    "ruby",
    "node",
    "npm",
    "npx",
    "yarn",
    "pnpm",
    "pip",
    "pip3",
    "cargo",
    "rustc",
    "go",
    "make",
    "cmake",
    "gcc",
    "docker",
    "kubectl",
    "terraform",
    "aws",
    "gh",
    "systemctl",
    "apt",
    "apt-get",
    "brew",
    "tar",
    "gzip",
    "unzip",
    "openssl",
    "jq",
    "vim",
    "less",
    "more",
    "basename",
    "dirname",
    "realpath",
    "readlink",
    "stat",
    "du",
    "df",
    "diff",
    "probe-of-root",
    "diskutil",
    "mount",
    "umount",
    "crontab",
    "reboot",
    "shutdown",
    "psql",
    "mysql",
    "sqlite3",
    "rg",
    "fd",
];
