//! Enters a root and runs one line there. This process is the first of its namespaces: when it
//! ends, everything that the line started ends.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::net::{TcpStream, UdpSocket};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixDatagram;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::CWD;
use rustix::mount::{self, MountFlags, MountPropagationFlags, UnmountFlags};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets};
use serde_json::{Value, json};

use crate::stub::{FETCHED, PROBE, UNKNOWN};

/// The name of this role.
pub(crate) const NAME: &str = "shellroot-inside";
/// Where stubs send what they record. A socket: no redirection can open or empty it.
pub(crate) const LOG: &str = "/run/log";
/// The directory in which lines run.
pub(crate) const HOME: &str = "/home/me";
/// How long a line may take, and how long what it left in the background.
const LINE: Duration = Duration::from_secs(4);
const BACKGROUND: Duration = Duration::from_millis(300);
/// Programs of one line that are recorded.
const STARTED: usize = 2000;

/// Everything in `/`, next to directories of libraries.
const TOP: [&str; 10] = [".hookc", "bin", "dev", "home", "lib", "lib64", "proc", "run", "tmp", "usr"];

type Done<T> = Result<T, String>;

fn at<E: std::fmt::Display>(what: impl std::fmt::Display) -> impl FnOnce(E) -> String {
    move |error| format!("{what}: {error}")
}

pub(crate) fn run() -> Done<()> {
    let top = PathBuf::from(std::env::args_os().nth(1).ok_or("no base")?);
    alone()?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(at("the question"))?;
    let question: Value = serde_json::from_str(&text).map_err(at("the question"))?;
    enter(&top, &question)?;
    let log = UnixDatagram::bind(LOG).map_err(at(LOG))?;
    drop_privileges()?;
    check()?;
    let probe = Command::new("/.hookc/stub").arg0(PROBE).env_clear().output().map_err(at("the probe"))?;
    if !probe.status.success() {
        return Err(format!("not a safe root: {}", String::from_utf8_lossy(&probe.stderr).trim()));
    }
    println!("{}", line(&question, &log)?);
    Ok(())
}

/// Whether this process is the first of its own namespaces, and nobody outside.
fn alone() -> Done<()> {
    if std::process::id() != 1 {
        return Err("not in a process namespace of its own".to_owned());
    }
    let map = fs::read_to_string("/proc/self/uid_map").map_err(at("uid_map"))?;
    let ids: Vec<&str> = map.split_whitespace().collect();
    if !matches!(ids.as_slice(), ["0", outside, "1"] if *outside != "0") {
        return Err(format!("not an unprivileged user outside: `{}`", map.trim()));
    }
    let devices = fs::read_to_string("/proc/self/net/dev").map_err(at("net/dev"))?;
    let devices: Vec<&str> =
        devices.lines().skip(2).filter_map(|line| line.split(':').next()).map(str::trim).collect();
    if devices.iter().any(|name| *name != "lo") {
        return Err(format!("not in a network namespace of its own: {devices:?}"));
    }
    Ok(())
}

/// Builds the root and makes it the only one.
fn enter(top: &Path, question: &Value) -> Done<()> {
    let (files, new) = (top.join("root"), top.join("mnt"));
    mount::mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .map_err(at("private mounts"))?;
    memory(&new)?;
    for entry in fs::read_dir(&files).map_err(at("the base"))? {
        let entry = entry.map_err(at("the base"))?;
        let to = new.join(entry.file_name());
        fs::create_dir_all(&to).map_err(at(to.display()))?;
        mount::mount_bind(entry.path(), &to).map_err(at(to.display()))?;
        let fixed = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV;
        mount::mount_remount(&to, fixed, "").map_err(at(format!("{} read-only", to.display())))?;
    }
    for folder in ["usr", "dev", "proc", "home", "tmp", "run"] {
        fs::create_dir_all(new.join(folder)).map_err(at(folder))?;
    }
    for folder in ["home", "tmp", "run"] {
        memory(&new.join(folder))?;
    }
    if !new.join("usr/bin").exists() {
        symlink("/bin", new.join("usr/bin")).map_err(at("usr/bin"))?;
    }
    devices(&new)?;
    stubs(&new, question)?;
    std::env::set_current_dir(&new).map_err(at("mnt"))?;
    rustix::process::pivot_root(".", ".").map_err(at("pivot_root"))?;
    mount::unmount(".", UnmountFlags::DETACH).map_err(at("the old root"))?;
    std::env::set_current_dir("/").map_err(at("/"))?;
    let fixed = MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV;
    mount::mount_remount("/", fixed, "").map_err(at("/ read-only"))
}

fn memory(to: &Path) -> Done<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount::mount("tmpfs", to, "tmpfs", flags, c"size=8m,nr_inodes=4096,mode=755").map_err(at(to.display()))
}

/// `/dev/null`, and descriptors by the processes of this namespace alone.
fn devices(new: &Path) -> Done<()> {
    let null = new.join("dev/null");
    File::create(&null).map_err(at("dev/null"))?;
    mount::mount_bind("/dev/null", &null).map_err(at("dev/null"))?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount::mount("proc", new.join("proc"), "proc", flags, c"subset=pid").map_err(at("proc"))?;
    for (name, to) in [("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")] {
        symlink(format!("/proc/self/{to}"), new.join("dev").join(name)).map_err(at(name))?;
    }
    Ok(())
}

/// The files that a line may expect, and stubs at the paths that it names.
fn stubs(new: &Path, question: &Value) -> Done<()> {
    let repository = new.join("home/me/repo");
    fs::create_dir_all(repository.join("src")).map_err(at("repo"))?;
    for file in ["a.txt", "b.txt", "src/main.rs"] {
        fs::write(repository.join(file), "x\n").map_err(at(file))?;
    }
    for file in question["files"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        fs::write(repository.join(file), "x\n").map_err(at(file))?;
    }
    if let Some(program) = question["fetched"].as_str() {
        let to = new.join(FETCHED.trim_start_matches('/'));
        fs::write(to, format!("{program}\n")).map_err(at(FETCHED))?;
    }
    for name in question["names"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let path = match name.strip_prefix('/') {
            Some(rest) => new.join(rest),
            None => repository.join(name),
        };
        let machine = ["/etc/passwd", "/root", "/var", "/sys", "/proc", "/dev"]
            .iter()
            .any(|path| name.starts_with(path));
        let inside = !machine && !name.split('/').any(|step| step == "..");
        if inside && fs::symlink_metadata(&path).is_err() {
            // A path that cannot be made is a program that is not there.
            let made = path.parent().map_or(Ok(()), fs::create_dir_all);
            let _ = made.and_then(|()| symlink("/.hookc/stub", &path));
        }
    }
    Ok(())
}

/// Takes every privilege from this process and from all that it starts, and limits them.
fn drop_privileges() -> Done<()> {
    let limits = [
        (Resource::Core, 0),
        (Resource::Cpu, 5),
        (Resource::Fsize, 1 << 20),
        (Resource::Nofile, 128),
        (Resource::Nproc, 256),
        (Resource::As, 1 << 30),
    ];
    for (resource, most) in limits {
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        setrlimit(resource, limit).map_err(at("a limit"))?;
    }
    rustix::thread::set_no_new_privs(true).map_err(at("no_new_privs"))?;
    for capability in CapabilitySet::all().iter() {
        // The kernel may not know all of them.
        let _ = rustix::thread::remove_capability_from_bounding_set(capability);
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    rustix::thread::set_capabilities(None, sets).map_err(at("capabilities"))
}

/// Checks from inside that nothing of the machine can be reached.
///
/// # Errors
/// Something can.
pub(crate) fn check() -> Done<()> {
    let top = fs::read_dir("/").map_err(at("/"))?;
    let top: BTreeSet<String> =
        top.filter_map(Result::ok).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let open: Vec<&String> =
        top.iter().filter(|name| !TOP.contains(&name.as_str()) && !is_stub_folder(name)).collect();
    if !open.is_empty() {
        return Err(format!("the root has other entries: {open:?}"));
    }
    for path in [
        "/etc/passwd",
        "/root",
        "/var",
        "/sys",
        "/proc/sys",
        "/proc/kcore",
        "/dev/mem",
        "/dev/sda",
        "/dev/tty",
    ] {
        if File::open(path).is_ok() {
            return Err(format!("{path} can be opened"));
        }
    }
    let written = OpenOptions::new().write(true).create(true).truncate(false).open("/bin/written");
    if written.is_ok() || OpenOptions::new().append(true).open("/.hookc/stub").is_ok() {
        return Err("the programs of the root can be written".to_owned());
    }
    if mount::mount("tmpfs", "/tmp", "tmpfs", MountFlags::empty(), None).is_ok()
        || rustix::process::chroot("/tmp").is_ok()
    {
        return Err("a program may mount or change its root".to_owned());
    }
    if rustix::fs::mknodat(CWD, "/tmp/node", rustix::fs::FileType::BlockDevice, 0o600.into(), 0x800).is_ok() {
        return Err("a program may make devices".to_owned());
    }
    let far = UdpSocket::bind("0.0.0.0:0").and_then(|socket| socket.connect("192.0.2.1:9"));
    let near = TcpStream::connect_timeout(&([127, 0, 0, 1], 22).into(), Duration::from_millis(200));
    if far.is_ok() || near.is_ok() {
        return Err("there is a network".to_owned());
    }
    let processes = fs::read_dir("/proc").map_err(at("/proc"))?.filter_map(Result::ok);
    let processes =
        processes.filter(|entry| entry.file_name().to_string_lossy().parse::<u32>().is_ok()).count();
    if processes > 4 { Err(format!("{processes} processes are seen")) } else { Ok(()) }
}

/// A directory that was made for a stub has nothing but stubs in it.
fn is_stub_folder(name: &str) -> bool {
    fn only_stubs(path: &Path) -> bool {
        match fs::read_link(path) {
            Ok(to) => to == Path::new("/.hookc/stub"),
            Err(_) => fs::read_dir(path)
                .is_ok_and(|all| all.filter_map(Result::ok).all(|entry| only_stubs(&entry.path()))),
        }
    }
    only_stubs(&Path::new("/").join(name))
}

/// Runs the line, and gathers what the stubs record.
fn line(question: &Value, log: &UnixDatagram) -> Done<Value> {
    let text = question["line"].as_str().unwrap_or_default();
    let mut bash = Command::new("/.hookc/real/bash");
    bash.args(["--norc", "--noprofile"]);
    if question["syntax"] == json!(true) {
        bash.arg("-n");
    }
    let unknown = format!("() {{ (exec -a {UNKNOWN} /.hookc/stub \"$@\"); }}");
    bash.args(["-c", text])
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", HOME)
        .env("LC_ALL", "C.UTF-8")
        .env("BASH_FUNC_command_not_found_handle%%", unknown)
        .current_dir(format!("{HOME}/repo"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = bash.spawn().map_err(at("bash"))?;
    let (mut started, mut buffer) = (Vec::new(), vec![0; 1 << 20]);
    log.set_read_timeout(Some(Duration::from_millis(5))).map_err(at(LOG))?;
    let most = question["seconds"].as_u64().map_or(LINE, Duration::from_secs);
    let (late, mut status, mut ended) = (Instant::now() + most, None, None);
    loop {
        if let Ok(length) = log.recv(&mut buffer) {
            if started.len() < STARTED {
                started
                    .extend(serde_json::from_slice::<Value>(buffer.get(..length).unwrap_or_default()).ok());
            }
            if Instant::now() < late {
                continue;
            }
        }
        if status.is_none() {
            status = child.try_wait().map_err(at("bash"))?;
            ended = status.map(|_| Instant::now());
        }
        let idle = ended.is_some_and(|ended: Instant| !others() || ended.elapsed() > BACKGROUND);
        if idle || Instant::now() > late {
            break;
        }
    }
    let code = status.and_then(|status| status.code());
    let wanted = question["wanted"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let read: Vec<String> = wanted
        .map(|file| String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned())
        .collect();
    Ok(json!({"line": text, "started": started, "status": code, "ended": status.is_some(), "read": read}))
}

/// Whether other processes than this one run.
fn others() -> bool {
    let entries = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    entries.filter_map(|entry| entry.file_name().to_string_lossy().parse::<u32>().ok()).any(|id| {
        // One that has ended has no memory.
        id != 1 && fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|text| !text.is_empty())
    })
}
