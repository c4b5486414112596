//! Programs that start the program in their arguments.

use super::model::{Row, row};

const SETARCH: &str = "-R -B -F -I -L -S -T -X -Z -v -3 -4 --addr-no-randomize --32bit --fdpic-funcptrs --short-inode \
    --addr-compat-layout --whole-seconds --sticky-timeouts --read-implies-exec --mmap-page-zero --3gb --4gb --uname-2.6 \
    --verbose --list --show?";

const NPX: &str = "-y --yes -n --no --no-install -q --quiet -p@ --package@ -c! --call! -w: --workspace: \
    --prefer-offline --prefer-online --offline --ignore-existing --bun --silent --verbose";

const DOCKER_RUN: &str = "-d --detach -i --interactive -t --tty --rm --init --privileged --read-only -P --publish-all \
    --no-healthcheck --oom-kill-disable -q --quiet --disable-content-trust -e= --env= --env-file@ \
    -v: --volume: --mount: -w: --workdir: -u: --user: --name: -h: --hostname: -l: --label: --label-file: \
    -p: --publish: --expose: --network: --net: --network-alias: --ip: --ip6: --dns: --dns-search: \
    --add-host: --entrypoint! -m: --memory: --memory-swap: --cpus: --cpuset-cpus: --cpu-shares: -c: \
    --pids-limit: --shm-size: --tmpfs: --ulimit: --device: --gpus: --cap-add: --cap-drop: --security-opt: \
    --platform: --pull: --restart: --runtime@ --isolation: --log-driver: --log-opt: --stop-signal: \
    --stop-timeout: --cidfile: --pid: --ipc: --uts: --userns: --cgroupns: --cgroup-parent: --group-add: \
    --health-cmd! --health-interval: --health-timeout: --health-retries: --sysctl: --volumes-from: \
    --volume-driver: --mac-address: --link: --detach-keys: -a: --attach:";

const DOCKER_EXEC: &str = "-d --detach -i --interactive -t --tty --privileged -e= --env= --env-file@ -w: --workdir: \
    -u: --user: --detach-keys:";

const COMPOSE_RUN: &str = "-d --detach --rm -T --no-TTY --no-tty --no-deps --build --service-ports --use-aliases -i --interactive \
    --quiet-pull --remove-orphans --privileged -e= --env= --env-from-file@ --entrypoint! -v: --volume: \
    -w: --workdir: -u: --user: --name: -l: --label: -p: --publish: --index: --cap-add: --cap-drop:";

const COMPOSE: &[Row] = &[
    row("run", COMPOSE_RUN, "data command"),
    row("exec", COMPOSE_RUN, "data command"),
    row("ps logs top port stop start restart kill pause", "", "data*").permutes().lenient(),
];

const CONTAINER: &[Row] = &[
    row("run create", DOCKER_RUN, "script command"),
    row("exec", DOCKER_EXEC, "data command"),
    row("build buildx bake compose plugin swarm stack service commit import load", "", "code"),
];

const UV_RUN: &str = "--with@ --with-editable@ --with-requirements@ -p@ --python@ --directory~ --project@ --env-file@ \
    -m& --module& -s --script --gui-script --no-project --no-sync --frozen --locked --isolated --active \
    --all-extras --extra: --no-extra: --group: --no-group: --only-group: --no-dev --dev --only-dev --all-groups \
    --no-default-groups --no-editable --all-packages --inexact --exact --package: --no-env-file --show-resolution -q --quiet -v \
    --verbose --offline --no-offline --no-cache -n --cache-dir: --refresh --refresh-package: -U --upgrade -P: --upgrade-package: \
    --reinstall --reinstall-package: --no-active --no-config --config-file@ --color: --no-progress --native-tls --system-certs \
    --allow-insecure-host: --index: --default-index: -i: --index-url: --extra-index-url: --no-index -f: --find-links: \
    --index-strategy: --keyring-provider: --resolution: --prerelease: --fork-strategy: -C: --config-setting: \
    --config-settings-package: --no-build-isolation --no-build-isolation-package: --exclude-newer: --exclude-newer-package: \
    --link-mode: --compile-bytecode --no-sources --no-sources-package: --no-build --no-build-package: --no-binary \
    --no-binary-package: --managed-python --no-managed-python --no-python-downloads --python-preference: --python-platform: \
    --torch-backend: --no-python-platform --preview --preview-features: --no-prune";

/// `uv tool run`, whose `-w` is `--with`.
const UVX: &str = "--from@ -w@ --with@ --with-editable@ --with-requirements@ -c: --constraints: -b: --build-constraints: --overrides: \
    -p@ --python@ --directory~ --project@ --env-file@ --no-env-file --isolated --lfs -q --quiet -v --verbose --offline --no-cache -n \
    --cache-dir: --refresh --refresh-package: -U --upgrade -P: --upgrade-package: --reinstall --reinstall-package: --no-config \
    --config-file@ --color: --no-progress --native-tls --system-certs --allow-insecure-host: --index: --default-index: -i: \
    --index-url: --extra-index-url: --no-index -f: --find-links: --index-strategy: --keyring-provider: --resolution: --prerelease: \
    --fork-strategy: -C: --config-setting: --no-build-isolation --no-build-isolation-package: --exclude-newer: --link-mode: \
    --compile-bytecode --no-sources --no-build --no-build-package: --no-binary --no-binary-package: --managed-python \
    --no-managed-python --no-python-downloads --python-preference: --python-platform: --torch-backend: -V --preview";

const MISE: &str = "-c! --command! -C~ --cd~ -E: --env: -P: --profile: -j: --jobs: --log-level: --raw --fresh-env \
    --allow-env: --allow-net: --allow-read: --allow-write: --deny-all --deny-env --deny-net --deny-read --deny-write \
    --no-prepare --no-deps --no-config -q --quiet --silent -v --verbose -y --yes";

/// Options of `pkg/cmd/run.go` and `root.go` of doppler.
const DOPPLER: &str = "--command! -p: --project: -c: --config: -t: --token: --config-dir: --scope: --api-host: \
    --dashboard-host: --fallback: --name-transformer: --format: --mount: --mount-format: --mount-template: \
    --mount-max-reads: --passphrase: --only-secrets: --no-exit-on-missing-only-secrets --silent-exit --secrets: --preserve-env? --timeout: --attempts: --configuration: \
    --dynamic-ttl: --dns-resolver-address: --dns-resolver-proto: --dns-resolver-timeout: --enable-dns-resolver --watch --silent --debug \
    --fallback-readonly --fallback-only --no-exit-on-write-failure --no-read-env --print-config --json --no-cache --no-fallback --no-color --no-verify-tls --no-timeout --no-check-version --forward-signals";

/// Options of nix, not compared with its pages; every setting of `nix.conf` is one too.
const NIX: &str = "-c& --command& -f@ --file@ -I@ --include@ --expr@ --arg:: --argstr:: --option:: --override-input:: \
    --inputs-from: --profile: -k: --keep: -u: --unset: --keep-env-var: --unset-env-var: -s== --set-env-var== \
    -i --ignore-environment --ignore-env --impure --offline --refresh --phase: -L --print-build-logs -v --verbose \
    --quiet --debug -j: --max-jobs: --cores: --redirect:: --unpack --configure --build --check --install --installcheck \
    --arg-from-file:: --arg-from-stdin: --override-flake:: --eval-store: --store: --log-format: --output-lock-file: \
    --reference-lock-file: --update-input: --system: --builders: --extra-experimental-features: \
    --experimental-features: --substituters: --extra-substituters: --trusted-public-keys: \
    --extra-trusted-public-keys: --access-tokens: --accept-flake-config --commit-lock-file --no-registries \
    --no-update-lock-file --no-write-lock-file --recreate-lock-file --show-trace --keep-going --keep-failed --fallback \
    --repair --read-only --derivation --stdin";

/// Options of GNU parallel.
const PARALLEL: &str = "-0 --null -a: --arg-file: --arg-file-sep: --arg-sep: --bar --bg --bibtex --block: --block-timeout: \
    --basefile: --bf: --cat --cleanup -C: --colsep: --compress --compress-program! --csv --ctag --ctagstring: \
    --delay: -d: --delimiter: --dry-run -E: --embed --env: --eta --fg --fifo --filter: --group -g --halt: --halt-on-error: \
    --header: --hostgroups --hgrp -I: -i? --joblog: -j: --jobs: -P: --max-procs: -k --keep-order -L: --latest-line --ll \
    -l? --limit! --line-buffer --lb --link --xapply --load: -m -M --memfree: --memsuspend: --minversion: -n: --max-args: \
    -N: --max-replace-args: --nice: --nonall --number-of-cpus --onall --open-tty -o --output-as-files --outputasfiles \
    --files --files0 --pipe --pipe-part --pipepart --spreadstdin --plain --plus --process-slot-var: --profile: -J: \
    --progress -q --quote -r --no-run-if-empty --recend: --record-env --recstart: --regexp --regex --remove-rec-sep --rrs \
    --res: --results: --resume --resume-failed --retries: --retry-failed --return: --round-robin --round --rpl: -s: \
    --max-chars: --seqreplace: --session --shard: --bin: --shebang --shellquote --shuf --skip-first-line --sql: --sqlandworker: \
    --sqlmaster: --sqlworker: --ssh! --sshdelay: -S: --sshlogin: --slf: --sshloginfile: --semaphore --semaphorename: --id: \
    --semaphoretimeout: --st: --tag --tagstring: --tee --tempdir: --tmpdir: --template: --termseq: --timeout: --tmux \
    --tmuxpane --total-jobs: --transfer --transferfile: --tf: --trc: --trim: -t --verbose --tty -u --ungroup -U: -v --wait \
    --wd: --workdir: -w: -X --xargs -x --exit -D:";

/// `man tmux`, 3.4. `data` are keys; the others of `if-shell` are commands of tmux.
const TMUX: &[Row] = &[
    row("new-session new", "-A -d -D -E -P -X -c~ -e: -f: -F: -n: -s: -t: -x: -y:", "command"),
    row("new-window neww", "-a -b -d -k -P -S -c~ -e: -F: -n: -t:", "command"),
    row("split-window splitw", "-b -d -f -h -I -v -P -Z -c~ -e: -l: -p: -t: -F:", "command"),
    row("respawn-pane respawnp respawn-window respawnw", "-k -c~ -e: -t:", "command"),
    row("display-popup popup", "-B -C -E -b: -c~ -d: -e: -h: -s: -S: -t: -T: -w: -x: -y:", "command"),
    row("pipe-pane pipep", "-I -O -o -t:", "command"),
    row("run-shell run", "-b -C -c~ -d: -t:", "code data*"),
    row("if-shell if", "-b -F -t:", "code data*"),
    row("send-keys send", "-F -H -K -l -M -R -X -c: -N: -t:", "data"),
    row(
        "attach-session attach detach-client detach has-session has kill-pane killp kill-server kill-session kill-window \
         killw list-clients lsc list-commands lscm list-panes lsp list-sessions ls list-windows lsw rename-session rename \
         rename-window renamew select-pane selectp select-window selectw select-layout selectl set-option set \
         set-window-option setw show-options show start-server start switch-client switchc capture-pane capturep \
         display-message display resize-pane resizep save-buffer saveb show-buffer showb wait-for wait",
        "-t: -s: -F: -c: -x: -y:",
        "data*",
    )
    .permutes()
    .lenient(),
];

/// A row a program.
pub(super) const ROWS: &[Row] = &[
    row(
        "env genv",
        "- -i --ignore-environment -0 --null -v --debug -u: --unset: -C~ --chdir~ -S% --split-string% -P: -a: \
         --argv0: --block-signal? --default-signal? --ignore-signal? --list-signal-handling --help --version",
        "set* command",
    ),
    row(
        "sudo",
        "-A -b -B -E -e -H -i -K -k -l -n -N -P -S -s -V -v -h: --askpass --background --bell --edit \
         --set-home --login --list --non-interactive --no-update --preserve-env? --preserve-groups \
         --reset-timestamp --remove-timestamp --stdin --shell --validate --version --help -C: -D~ -g: -p: \
         -R@ -r: -T: -t: -U: -u: --close-from: --chdir~ --chroot@ --group: --host: --prompt: --role: \
         --command-timeout: --type: --other-user: --user:",
        "set* command",
    ),
    row("doas", "-C@ -L -n -s -u: -a:", "command"),
    row(
        "su runuser",
        "-c! --command! --session-command! -s@ --shell@ -g: --group: -G: --supp-group: -u: --user: -w: \
         --whitelist-environment: - -l --login -m -p --preserve-environment -f --fast -P --pty -T --no-pty",
        "data code",
    )
    .permutes(),
    row("sg", "- -l -c!", "data code").permutes(),
    row("newgrp", "- -l", "data").permutes(),
    row("pkexec", "--user: --disable-internal-agent --keep-cwd", "command"),
    row("gosu su-exec setuidgid s6-setuidgid envuidgid envdir s6-envdir", "", "data command"),
    row(
        "setpriv",
        "--reuid: --regid: --ruid: --rgid: --euid: --egid: --clear-groups --keep-groups --init-groups \
         --groups: --no-new-privs --nnp --inh-caps: --ambient-caps: --bounding-set: --securebits: \
         --pdeathsig: --selinux-label: --apparmor-profile: --reset-env -d --dump",
        "command",
    ),
    row("timeout gtimeout", "-k: --kill-after: -s: --signal: -f --foreground -p --preserve-status -v --verbose", "data command"),
    row("nice gnice", "-n: --adjustment: -#", "command"),
    row("ionice", "-c: --class: -n: --classdata: -p: --pid: -P: --pgid: -u: --uid: -t --ignore", "command"),
    row(
        "chrt",
        "-a -b -f -i -m -o -r -d -R -v -p -T: -P: -D: --all-tasks --batch --fifo --idle --max --other --rr \
         --deadline --reset-on-fork --verbose --pid --sched-runtime: --sched-period: --sched-deadline:",
        "data command",
    ),
    row("taskset", "-a --all-tasks -c --cpu-list -p --pid", "data command"),
    row("nohup gnohup", "--help --version", "command"),
    row("setsid", "-c --ctty -f --fork -w --wait", "command"),
    row("stdbuf gstdbuf", "-i: -o: -e: --input: --output: --error:", "command"),
    row("unbuffer", "-p", "command"),
    row(
        "time gtime",
        "-a --append -f: --format: -h -l -o: --output: -p --portability -q --quiet -v --verbose",
        "command",
    ),
    row(
        "xargs gxargs",
        "-0 --null -r --no-run-if-empty -t --verbose -p --interactive -x --exit -o --open-tty --show-limits \
         -a: --arg-file: -d: --delimiter: -E: -e? --eof? -I: -i? --replace? -J: -L: -l? --max-lines? -n: \
         --max-args: -P: --max-procs: -R: -S: -s: --max-chars: --process-slot-var@",
        "command",
    ),
    row("command", "-p -v -V", "command"),
    row(
        "ld.so ld-linux ld-linux.so ld-linux-x86-64.so ld-linux-aarch64.so ld-linux-armhf.so ld-musl-x86_64.so ld-musl-aarch64.so",
        "--library-path: --inhibit-rpath: --audit: --preload: --argv0: --glibc-hwcaps-prepend: --glibc-hwcaps-mask: --list --verify --inhibit-cache",
        "command",
    ),
    row("xcrun", "--sdk: --toolchain: -l --log -v --verbose -n --no-cache -k --kill-cache -r --run -f: --find:", "command"),
    // Of `cmake -E`.
    row("chdir", "", "data command"),
    // For shells themselves.
    row("noglob nocorrect", "", "command"),
    row("repeat", "", "data command"),
    row("exec", "-a: -c -l", "command"),
    row("jobs", "-x& -l -n -p -r -s", "data*"),
    row("builtin coproc", "", "command"),
    row("busybox toybox", "", "command"),
    row("chronic ifne catchsegv dumb-init torsocks torify tsocks", "-v -e -n -r -i -c", "command"),
    row("tini", "-s -v -w -g -e: -p: -l", "command"),
    row("caffeinate", "-d -i -m -s -u -t: -w:", "command"),
    row("rlwrap", "-a? -A? -b: -c -C: -D: -f@ -H: -i -l: -m? -n -N -o -p? -q: -r -R -s: -S: -t: -v -w: -z!", "command"),
    row("proxychains", "-q -f@", "command"),
    row("dbus-run-session", "--config-file@ --dbus-daemon@", "command"),
    row("xvfb-run", "-a --auto-servernum -l --listen-tcp -e: --error-file: -f: --auth-file: -n: --server-num: -s! --server-args! -w: --wait: -p: --xauth-protocol: -d", "command"),
    row("fakeroot", "-l@ --lib@ --faked@ -s: -i: -b: -u --unknown-is-real", "command"),
    row("faketime", "-f -m -p: --exclude-monotonic", "data command"),
    row(
        "flock",
        "-s --shared -x -e --exclusive -u --unlock -n --nb --nonblock -o --close -F --no-fork --verbose -w: \
         --wait: --timeout: -E: --conflict-exit-code: -c! --command!",
        "data command",
    ),
    row("chroot", "--userspec: --groups: --skip-chdir -u: -g: -G: -n", "script command"),
    row(
        "unshare",
        "-m -u -i -n -p -U -C -T --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? -f --fork -r \
         --map-root-user -c --map-current-user --map-auto --map-user: --map-group: --map-users: --map-groups: \
         --kill-child? --mount-proc? --propagation: --setgroups: -S: --setuid: -G: --setgid: -R@ --root@ -w~ \
         --wd~ --monotonic: --boottime: --keep-caps",
        "command",
    ),
    row(
        "nsenter",
        "-a --all -F --no-fork -e --env -Z --follow-context --preserve-credentials -t: --target: -m? -u? -i? \
         -n? -p? -C? -U? -T? --mount? --uts? --ipc? --net? --pid? --cgroup? --user? --time? -S: --setuid: -G: \
         --setgid: -r? --root? -w? --wd? -W? --wdns?",
        "command",
    ),
    row("setarch", SETARCH, "data command").permutes(),
    row("linux32 linux64 i386 x86_64 uname26", SETARCH, "command"),
    row(
        "prlimit",
        "-p: --pid: -o: --output: --noheadings --raw --verbose -c? -d? -e? -f? -i? -l? -m? -n? -q? -r? -s? -t? \
         -u? -v? -x? -y?",
        "command",
    ),
    row("systemd-run", "--user --system --scope --no-block -r --remain-after-exit --wait -P --pipe -t --pty -q --quiet -G --collect -S! --shell! -d --same-dir --unit: -u: --description: -p! --property! -E= --setenv= --uid: --gid: --slice: --nice: --service-type: --working-directory~ -H@ --host@ -M@ --machine@ --on-active: --on-boot: --on-calendar: --timer-property: --path-property: --socket-property: --no-ask-password --slice-inherit --expand-environment: --background: --job-mode: --ignore-failure --json: -v --verbose -C: --capsule@ --on-startup: --on-unit-active: --on-unit-inactive: --on-clock-change --on-timezone-change --root-directory@ -R --same-root-dir", "command"),
    row(
        "bwrap",
        "--ro-bind:: --bind:: --dev-bind:: --ro-bind-try:: --bind-try:: --dev-bind-try:: --symlink:: --file:: \
         --bind-data:: --ro-bind-data:: --chmod:: --overlay:: --setenv== --unsetenv: --clearenv --proc: \
         --dev: --tmpfs: --mqueue: --dir: --chdir~ --hostname: --uid: --gid: --args@ --argv0: --lock-file: \
         --sync-fd: --info-fd: --json-status-fd: --block-fd: --seccomp: --cap-add: --cap-drop: --perms: --size: \
         --userns: --userns2: --pidns: --exec-label: --file-label: --remount-ro: --unshare-all --unshare-user \
         --unshare-user-try --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup \
         --unshare-cgroup-try --share-net --die-with-parent --new-session --as-pid-1 --disable-userns",
        "command",
    )
    .long_dash(),
    // Its other options have their values joined.
    row("firejail", "--profile@ --quiet --noprofile --private? --net? --debug", "command").lenient(),
    row(
        "script",
        "-c! --command! -a --append -e --return -f --flush -F -q --quiet -t? --timing? -T: --log-timing: -I: -O: \
         -B: --log-in: --log-out: --log-io: -E: --echo: -m: --logging-format: -o: --output-limit: --force",
        "data command",
    )
    .permutes(),
    row("watch", "-b -c -d? -e -g -n: --interval: -p -q: --equexit: -r -s: --shotsdir: -t -w -x --exec -C -f", "code"),
    row(
        "ssh slogin rsh rlogin autossh",
        "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -B: -b: -c: -D: -E: -e: -F@ -I@ \
         -i: -J@ -L: -l: -m: -O: -o! -p: -P: -Q: -R: -S: -W: -w:",
        "data code",
    )
    .permutes(),
    row("sshfs", "-o! -F@ -p: -C -f -d -s -1 -h -V --debug", "data*").permutes().lenient(),
    row("sshpass", "-p: -f: -d: -e -P: -v", "command"),
    row("mosh", "--ssh! --server! --client! -p: --port: --predict: -a -n -4 -6", "data code"),
    row("parallel sem env_parallel", PARALLEL, "code"),
    row(
        "hyperfine",
        "-w: --warmup: -m: --min-runs: -M: --max-runs: -r: --runs: -s! --setup! --reference! -p! --prepare! -C! --conclude! \
         -c! --cleanup! -P::: --parameter-scan::: -D: --parameter-step-size: -L:: --parameter-list:: -S@ --shell@ -N -i \
         --ignore-failure? --style: --sort: -u: --time-unit: --export-asciidoc: --export-csv: --export-json: \
         --export-markdown: --export-orgmode: --show-output --output: --input: -n: --command-name:",
        "code",
    ),
    row(
        "concurrently conc",
        "-m: --max-processes: -n: --names: --name-separator: -s: --success: -r --raw --no-color --hide: -g --group --timings \
         -P --passthrough-arguments --teardown! -k --kill-others --kill-others-on-fail --kill-signal: --kill-timeout: -p: \
         --prefix: -c: --prefix-colors: -l: --prefix-length: --pad-prefix -t: --timestamp-format: -i --handle-input \
         --default-input-target: --restart-tries: --restart-after:",
        "code",
    )
    .permutes(),
    row("mprocs", "-c@ --config@ -s: --server: --ctl: --names: --npm", "code"),
    row("entr", "-a -c -d -n -p -r -s$ -x -z", "command"),
    row(
        "watchexec",
        "-w: --watch: -W: --watch-non-recursive: -F: --watch-file: -e: --exts: -f: --filter: --filter-file: -j: \
         --filter-prog: -i: --ignore: --ignore-file: --fs-events: -o: --on-busy-update: -s: --signal: --stop-signal: \
         --stop-timeout: --map-signal: -d: --debounce: --delay-run: --poll? --shell@ -n --no-shell -E= --env= \
         --wrap-process: --workdir~ --project-origin: --emit-events-to: --log-file? --socket: -c? --clear? -r --restart \
         -p --postpone -1 -N --notify? -q --quiet -v --verbose --stdin-quit --no-vcs-ignore --no-project-ignore \
         --no-global-ignore --no-default-ignore --no-discover-ignore --ignore-nothing --print-events --bell --timings",
        "code",
    ),
    row("tmux tmate", "-2 -C -D -l -N -u -v -V -c! -f@ -L: -S: -T:", "code").verbs(TMUX),
    row(
        "screen",
        "-4 -6 -a -A -c@ -d -D -e: -f -h: -i -l -L -m -O -p: -q -Q -r -R -s@ -S: -t: -T: -U -v -x -X",
        "command",
    ),
    row("at batch", "-f@ -m -M -q: -t: -v -l -d -r -c -b", "data"),
    row("dtach", "-a: -A: -c: -n: -N: -p: -e: -E -r: -z", "command"),
    row("abduco", "-a -A -c -n -e: -f -l -p -q -r -v", "data command"),
    row("zellij", "-s: --session: -l: --layout: -c@ --config@ --config-dir@ -d --debug --data-dir: --max-panes:", "code").verbs(&[row(
        "run r",
        "--cwd~ -d: --direction: -f --floating -n: --name: -c --close-on-exit -s --start-suspended -i --in-place -x: \
         -y: --width: --height: --pinned: --stacked",
        "command",
    )]),
    row("crontab", "-u: -l -r -e -i -s -T:", "code"),
    row(
        "gdb cgdb",
        "-ex! -eval-command! -iex! -x! -command! -ix! -batch -nx -nh -q -quiet -silent -args> -p: -pid: -cd~ -d@ \
         -s@ -e@ -se@ -c@ -core@ -o! -O! -b",
        "script data*",
    )
    .long_dash(),
    row(
        "lldb",
        "-f@ --file@ -c@ --core@ -o! --one-line! -O! --one-line-before-file! -k! --one-line-on-crash! -s@ --source@ -S@ \
         --source-before-file@ -K@ --source-on-crash@ -a: --arch: -l: --script-language: -n: --attach-name: -p: \
         --attach-pid: -r? --repl? -b --batch -d --debug -e --editor -P -Q --source-quietly -v --version -w --wait-for -x \
         --no-lldbinit --local-lldbinit -X --no-use-colors",
        "command",
    ),
    row("direnv", "", "code").verbs(&[row("exec", "", "script command")]),
    row("mise rtx", MISE, "code").verbs(&[row("exec x", MISE, "dashed")]),
    row("asdf rbenv pyenv nodenv goenv", "", "code").verbs(&[row("exec", "", "command")]),
    row("devbox", "", "code").verbs(&[row(
        "run",
        "-c@ --config@ -e= --env= --env-file@ --environment: --pure --omit-nix-env --all-projects -l --list -q --quiet",
        "command",
    )]),
    // `src/command/run.rs` of volta 2.
    row("volta", "", "code").verbs(&[row(
        "run",
        "--node: --npm: --pnpm: --yarn: --bundled-npm --no-pnpm --no-yarn --env= --verbose --very-verbose --quiet",
        "command",
    )]),
    row(
        "nix-shell",
        "--run! --command! -p --packages -A: --attr: -E@ --expr@ --arg:: --argstr:: --option:: -I@ -i@ --pure \
         --keep: --exclude: -j: --max-jobs: --cores: -v --verbose -Q",
        "code",
    )
    .permutes(),
    row("nix", NIX, "code").verbs(&[
        row("shell develop", NIX, "data*").permutes(),
        row("run", NIX, "script command"),
    ]),
    row("docker podman nerdctl", "-H: --host: --config@ -c: --context: -D --debug -l: --log-level: --tls", "data*")
        .permutes()
        .lenient()
        .verbs(&[
            row("run create", DOCKER_RUN, "script command"),
            row("exec", DOCKER_EXEC, "data command"),
            row("container", "", "data*").permutes().lenient().verbs(CONTAINER),
            row("compose", "-f@ --file@ -p: --project-name: --env-file@ --profile: --project-directory@", "code")
                .verbs(COMPOSE),
            row("build buildx image plugin swarm stack service commit import load", "", "code"),
        ]),
    row("docker-compose podman-compose", "-f@ --file@ -p: --project-name: --env-file@ --profile:", "code")
        .verbs(COMPOSE),
    row("kubectl oc", "-n: --namespace: --context: --kubeconfig@ --cluster: --user: -s: --server: --as:", "data*")
        .permutes()
        .lenient()
        .verbs(&[
            row("exec", "-c: --container: -i --stdin -t --tty -q --quiet --pod-running-timeout: -n: --namespace:", "data command"),
            row("run create apply replace patch edit debug plugin set kustomize config", "", "code"),
        ]),
    row("npx bunx pnpx", NPX, "command"),
    row("npm", "-c! --call! --prefix~ -C~ --dir~ --cwd~ -w: --workspace: --filter: -s --silent", "code")
        .verbs(&[row("exec x dlx", NPX, "command"), row("explore", "", "dashed")]),
    row("yarn", "--prefix~ -C~ --dir~ --cwd~ -w: --workspace: --filter: -s --silent", "code")
        .verbs(&[row("exec", NPX, "code"), row("x dlx", NPX, "command")]),
    row("pnpm", "-c^ --shell-mode^ --prefix~ -C~ --dir~ -w --workspace-root -r --recursive -F: --filter: -s --silent", "code")
        .verbs(&[row("exec x dlx", "-c^ --shell-mode^ --package@ --allow-build: -r --recursive --parallel -s --silent", "command")]),
    row("bundle", "", "code").verbs(&[row("exec", "--keep-file-descriptors --gemfile@", "command")]),
    row("poetry pipenv pdm rye", "-C~ --directory~ -P: --project: -q -v", "code").verbs(&[row("run", "", "command")]),
    // `tox exec -- PROGRAM`: `tox/session/cmd/exec_.py`. What follows `--` in others are arguments of its commands.
    row("tox", "-c@ --conf@ --workdir: --root: -e: -m: -f: -x: --override: --result-json: --runner: --colored: -v -q", "code")
        .verbs(&[row("exec e", "", "dashed").lenient()]),
    row("hatch", "-e: --env: -p: --project: -q -v --color --no-color --interactive --no-interactive --data-dir: --cache-dir: --config:", "code")
        .verbs(&[row("run", "", "command")]),
    row("conda mamba micromamba", "", "code").verbs(&[row(
        "run",
        "-n: --name: -p: --prefix: --cwd~ --no-capture-output --live-stream -v --dev",
        "command",
    )]),
    row("uv", "--directory~ --project@ --config-file@ -q --quiet -v --verbose --offline", "code")
        .verbs(&[row("run", UV_RUN, "command"), row("tool", "", "code").verbs(&[row("run", UV_RUN, "command")])]),
    row("uvx", UVX, "command"),
    row("pipx", "", "code").verbs(&[row("run", "--spec@ --python@ --pip-args: --no-cache --path --pypackages -q --quiet -v --verbose -i: --index-url: -e --editable --system-site-packages --fetch-missing-python --backend: --with@ --no-path-check", "command")]),
    row("pixi", "--manifest-path@ -q --quiet -v --verbose --color: --no-progress", "code").verbs(&[row(
        "run exec r x",
        "-e: --environment: -s: --spec: -c: --channel: -w: --with: --manifest-path@ --frozen --locked --no-install \
         --clean-env --skip-deps -q --quiet -v --verbose --color: --no-progress -p: --platform:",
        "command",
    )]),
    row("rustup", "", "code").verbs(&[row("run", "--install", "script command")]),
    row("aws-vault", "--debug --backend:", "code").verbs(&[row(
        "exec",
        "-d: --duration: -n --no-session --region: -t: --mfa-token: -j --json -s --server --ecs-server \
         --ec2-server --lazy --stdout --prompt: --backend:",
        "data command",
    )]),
    // https://developer.1password.com/docs/cli/reference/commands/run
    row("op", "--account: --cache? --config@ --session: --format: --encoding: --debug --iso-timestamps --no-color", "code").verbs(&[row(
        "run",
        "--env-file@ --environment: --no-masking --account: --cache? --config@ --session: --format: --encoding: --debug \
         --iso-timestamps --no-color",
        "command",
    )]),
    row("doppler", DOPPLER, "code").verbs(&[row("run", DOPPLER, "command")]),
    // `cmd/exec.go` and `cmd/root.go` of chamber.
    row("chamber", "-b: --backend: -r: --retries: -v --verbose", "code").verbs(&[row(
        "exec",
        "--pristine --strict --strict-value: -b: --backend: --backend-s3-bucket: --kms-key-alias: -r: --retries: \
         --retry-mode: --min-throttle-delay: -v --verbose",
        "dashed",
    )]),
    // `teller-cli/src/cli.rs` of teller 2.
    row("teller", "-c@ --config@ --verbose", "code").verbs(&[row("run", "-c@ --config@ -r --reset -s^ --shell^", "command")]),
    // `packages/cmd/run.go` and `root.go` of infisical.
    row("infisical", "--domain: -l: --log-level: --token: --silent --telemetry?", "code").verbs(&[row(
        "run",
        "-c! --command! -e: --env: --path: --projectId: --token: -t: --tags: --expand? --include-imports? \
         --recursive? --secret-overriding? --watch --watch-interval: --project-config-dir: --broker \
         --broker-poll-interval: --broker-allow-hosts: --broker-block-unknown-hosts --domain: -l: --log-level: --silent \
         --telemetry?",
        "command",
    )]),
    // The programs of that name of Node.js, Python and Ruby; not compared with their pages.
    row("dotenv", "-e@ -f@ --file@ -q: --quote: -x: --export: -v= -c? -p: -o --override --overwrite -i --ignore -t: --template: --debug --quiet", "code")
        .verbs(&[row("run", "--override --no-override", "command")]),
    row("dotenvx", "-q --quiet -v --verbose -d --debug -l: --log-level:", "code").verbs(&[row(
        "run",
        "-e= --env= -f@ --env-file@ -fv@ --env-vault-file@ -fk@ --env-keys-file@ -o --overload --strict \
         --convention: --ignore: -q --quiet -v --verbose -d --debug -l: --log-level:",
        "command",
    )
    .long_dash()]),
    // `src/parse-args.ts` of env-cmd.
    row(
        "env-cmd",
        "-e: --environments: -f@ --file@ -r@ --rc-file@ -x --expand-envs --fallback --no-override --silent \
         --use-shell^ --recursive --verbose -v --version",
        "command",
    ),
    row("cross-env", "", "set* command"),
    row(
        "run0",
        "--no-ask-password --unit: --property! --description: --slice: --slice-inherit -u: --user: -g: --group: \
         --nice: -D~ --chdir~ --setenv= --background: --pty --pipe --shell-prompt-prefix: -M: --machine: -i \
         --via-shell",
        "command",
    ),
    row("setlock", "-n -N -x -X", "data command"),
    row("softlimit", "-a: -c: -d: -f: -l: -m: -o: -p: -r: -s: -t:", "command"),
    row("chpst", "-u: -U: -b: -e@ -/@ -n: -l: -L: -m: -d: -o: -p: -f: -c: -v -V -P -0 -1 -2", "command"),
    row(
        "numactl",
        "-i: --interleave: -m: --membind: -N: --cpunodebind: -C: --physcpubind: -l --localalloc -p: --preferred: \
         -a --all",
        "command",
    ),
    row("arch", "-x86_64 -arm64 -arm64e -i386 -e= -d: -c -h -32 -64", "command").long_dash(),
    row("logsave", "-a -s -v", "data command"),
    row("choom", "-n: --adjust: -p: --pid:", "command"),
    row("uclampset", "-a --all-tasks -s --system -R --reset-on-fork -v --verbose -m: -M: -p: --pid:", "command"),
    row("systemd-inhibit", "--what: --who: --why: --mode: --list --no-pager --no-legend", "command"),
    row("systemd-cat", "-t: --identifier: -p: --priority: --stderr-priority: --level-prefix:", "command"),
    row("sandbox-exec", "-f@ -n: -p! -D:", "command"),
    row("aa-exec", "-p: --profile: -n: --namespace: -d --debug -i --immediate -v --verbose", "command"),
    row("cgexec", "-g: --sticky", "command"),
    row(
        "cpulimit",
        "-l: --limit: -e: --exe: -p: --pid: -P: --path: -z --lazy -i --include-children -b --background -f --foreground \
         -q --quiet -v --verbose -k --kill -r --restore -s: --signal: -c: --cpu:",
        "command",
    ),
    row("trickle", "-d: -u: -w: -t: -l: -L: -n: -s -v -h", "command"),
    row("eatmydata catatonit", "-g -P -L -d -V", "command"),
    row("daemonize", "-a -c~ -e: -o: -p: -l: -u: -E= -v", "command"),
    row(
        "dbus-launch",
        "--sh-syntax --csh-syntax --auto-syntax --binary-syntax --close-stderr --exit-with-session --autolaunch: \
         --config-file@",
        "command",
    ),
    row("ssh-agent", "-c -s -D -d -k -a: -E: -O: -P: -t: -T -u -U", "command"),
    row("reattach-to-user-namespace", "-l", "command"),
    row("xinit startx", "", "command"),
    row("runcon", "-c --compute -t: --type: -u: --user: -r: --role: -l: --range:", "data command"),
    row("nsjail", "-u: --user: -g: --group: -c@ --chroot@ -D~ --cwd~ -t: --time_limit: -C@ --config@", "dashed"),
    row(
        "minijail0",
        "-a: -b: -B: -c: -C: -d -e? -f: -g: -G -h -H -i -I -k: -K? -l -L -m? -M? -n -N -p -P: -r -R: -s -S: -t? -T: -u: \
         -U -v -V: -w -x? -y -Y -z",
        "command",
    ),
    row("ccache sccache distcc", "-M: -o: -F: -p -s -z -c -C -k: -h -V -x -X: --show-stats --zero-stats --clear --cleanup -j --help --version --start-server --stop-server", "command"),
    row("scan-build", "-o: -k -v -V -h -maxloop: -enable-checker: -disable-checker: -analyze-headers --use-cc@ --use-c++@ --use-analyzer@ --status-bugs -plist -load-plugin@ --exclude: --keep-cc --force-analyze-debug-code", "command").long_dash(),
    row("bear intercept-build", "-o: --output: -a --append -c@ --config@ -v --verbose --cdb: --force-preload --force-wrapper --", "command"),
    row("libtool glibtool", "--mode? --tag? --silent --quiet --verbose --no-verbose --dry-run -n --debug --features --config --finish --preserve-dup-deps --no-quiet --warnings?", "command"),
    row("with-contenv gamemoderun prime-run primusrun optirun memusage pfexec", "", "command"),
    row("fnm", "", "data*").permutes().lenient().verbs(&[row("exec", "--using: --using-file --log-level: --node-dist-mirror: --fnm-dir: --arch:", "command")]),
    row("asciinema", "", "data*").permutes().lenient().verbs(&[row(
        "rec record session",
        "-c! --command! -I --capture-input -a --append --overwrite -t: --title: -i: --idle-time-limit: -e: --env: -f: --output-format: -q --quiet --headless --window-size: --rows: --cols: --stdin",
        "data",
    )
    .permutes()]),
    row("ttyd gotty websocketd", "-p: --port: -i: --interface: -a: --address: -U: -c: --credential: -H: -u: -g: -s: -w -W --writable -t: -T: -O -m: -o --once -q -B -I: -b: -P: -f: -6 -S --ssl -C: -K: -A: -d: -r? --random-url --permit-write --reconnect --cwd~ --dir: --devconsole --loglevel: --staticdir: --cgidir: --passenv: --maxforks:", "command"),
    row("fzf", "--preview! --bind! -q: --query: -f: --filter: -d: --delimiter: -n: --nth: --with-nth: --preview-window: --height: --header: --prompt: --history: --with-shell!", "data*")
        .permutes()
        .lenient(),
    row("tsp", "-S: -t: -c: -p: -o: -i: -s: -r: -w: -k: -u: -U: -D: -W: -L: -N: -n -g -f -m -d -E -B -K -C -l -h -V", "command"),
    row("pueue", "-c@ --config@ -p: --profile: -v --verbose --color:", "code").verbs(&[row(
        "add",
        "-w~ --working-directory~ -e --escape -i --immediate --follow -s --stashed -d: --delay: -g: --group: -a: --after: \
         -o: --priority: -l: --label: -p --print-task-id",
        "command",
    )]),
    row("foreman honcho overmind goreman", "-f@ -e@ -d~ --env@ --procfile@ --root~", "code")
        .verbs(&[row("run", "-e@ --env@ -f@ --procfile@ -d~ --root~ -p: --port:", "command")]),
    row("xterm uxterm rxvt urxvt st alacritty konsole", "-e> -T: -title: -geometry: -fg: -bg: -fn: -display: -name: -hold", "data*")
        .long_dash(),
    row("gnome-terminal mate-terminal xfce4-terminal terminator tilix", "-e! --command! -x> --execute> --title: --working-directory~ --profile:", "dashed"),
    row("kitty", "-c@ --config@ -o: --override: -d~ --directory~ --working-directory~ --detach --title: -T: --name: --class: --hold --session@ -1 --single-instance", "command"),
    row("start-stop-daemon", "-S --start -K --stop -T --status -x@ --exec@ -a@ --startas@ -p: --pidfile: -u: --user: -c: --chuid: -n: --name: -g: --group: -d~ --chdir~ -b --background -m --make-pidfile -q --quiet -o --oknodo -t --test -v --verbose -R: --retry: -s: --signal: -k: --umask: -N: --nicelevel: -r: --chroot:", "data"),
    row("guix", "", "code").verbs(&[row("shell environment container", "", "dashed")]),
    row("proot", "-r@ --rootfs@ -R@ -S@ -b: --bind: -m: --mount: -q@ --qemu@ -w~ --pwd~ --cwd~ -k: --kernel-release: -0 --root-id -i: --change-id: -v: --verbose: -n --netcoop -l --link2symlink -L --kill-on-exit", "command"),
    row("fakechroot", "-s --use-system-libs -l@ --lib@ -d@ --elfloader@ -e= --environment= -c@ --config-dir@ -b@ --bindir@", "command"),
    row("nq", "-c -q", "command"),
    row("retry", "-d: --delay: -t: --times: -u: --until: -m: --message: -v --verbose", "command"),
    row("envchain", "-s -n --set --noecho -l --list --unset", "data command"),
    row("flatpak-spawn", "--host --sandbox --clear-env --watch-bus --no-network --latest-version -v --verbose --env= --unset-env: --forward-fd: --directory~ --sandbox-expose: --sandbox-expose-ro:", "command"),
    row("gpg-agent", "--daemon --homedir: -v --verbose -q --quiet -s --sh -c --csh --server --enable-ssh-support --default-cache-ttl: --max-cache-ttl: --log-file:", "command"),
    row("railway", "", "data*").permutes().lenient().verbs(&[row("run", "-s: --service: -e: --environment: -p: --project: --no-local", "command")]),
    row("heroku", "-a: --app: -r: --remote:", "data*").permutes().lenient().verbs(&[row("local:run", "-e@ --env@ -p: --port:", "command")]),
    row("netlify", "", "data*").permutes().lenient().verbs(&[row("dev:exec", "--context: --filter: --auth:", "command")]),
    row("vercel", "-t: --token: -S: --scope: --cwd~", "data*")
        .permutes()
        .lenient()
        .verbs(&[row("env", "", "data*").permutes().lenient().verbs(&[row("run", "-e: --environment: --git-branch:", "command")])]),
    row("nx lerna", "", "data*").permutes().lenient().verbs(&[row(
        "exec",
        "--scope: --ignore: --since? --concurrency: --parallel --no-bail --stream --no-prefix --include-dependents",
        "command",
    )]),
    row("onchange", "-i --initial -a --add -k --kill -o! --outpipe! -e: --exclude-path: -f: --filter: -j: --jobs: -d: --delay: -p: --poll: --await-write-finish: -v --verbose", "dashed").permutes(),
    row("reflex", "-r: --regex: -R: --inverse-regex: -g: --glob: -G: --inverse-glob: -s --start-service -d: --decoration: -c@ --config@ --substitute: -t: --shutdown-timeout: -e --sequential -v --verbose --all? --only-files --only-dirs", "command"),
    row("ip", "-n: -netns: -4 -6 -br -brief -d -details -s -stats -j -json -p -pretty -o -oneline -f: -family: -b@ -batch@", "data*")
        .lenient()
        .long_dash()
        .verbs(&[row("netns vrf", "", "data*").lenient().verbs(&[row("exec", "", "data command")])]),
    row("flox", "-v --verbose -q --quiet", "data*").lenient().verbs(&[row(
        "activate",
        "-c! --command! -d: --dir: -r: --remote: -s --start-services -t --trust -m: --mode: -g: --generation:",
        "dashed",
    )]),
    // `sops exec-env FILE CODE`; other uses have one operand, a file.
    row("sops", "-d --decrypt -e --encrypt -i --in-place -r --rotate --background --pristine --same-process --no-fifo --user: --filename: --input-type: --output-type: --config@ --extract: --set: --output: -k: --kms: -p: --pgp: -a: --age:", "data data code")
        .permutes()
        .lenient(),
    row("pee mispipe", "--ignore-sigpipe --no-ignore-sigpipe --ignore-write-errors --no-ignore-write-errors", "code"),
    row("capsh", "--print --drop? --caps? --inh? --user? --gid? --groups? --uid? --chroot@ --keep? --secbits? --mode? --shell@ --addamb? --delamb? --noamb --noenv", "code"),
    row("toolbox distrobox lxc incus machinectl systemd-nspawn wsl wine limactl colima", "", "code"),
    row("multipass act hivemind", "", "code"),
    row("adb", "-s: -t: -d -e -a -H: -P: -L:", "data*").permutes().lenient().verbs(&[row("shell exec-out", "", "code")]),
];
