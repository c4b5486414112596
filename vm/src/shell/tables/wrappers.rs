//! Programs that start the program in their arguments.

use super::model::{Row, row};

const NPX: &str = "-y --yes -n --no --no-install -q --quiet -p@ --package@ -c! --call! -w: --workspace: \
    --prefer-offline --prefer-online --offline --ignore-existing";

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
    --all-extras --extra: --group: --only-group: --no-dev --dev --only-dev --all-groups -q --quiet -v \
    --verbose --offline --no-cache -n --exact --package: --refresh -U --upgrade";

const MISE: &str = "-c! --command! -C~ --cd~ -E: --env: -P: --profile: -j: --jobs: --log-level: --raw --fresh-env \
    --allow-env: --allow-net: --allow-read: --allow-write: --deny-all --deny-env --deny-net --deny-read --deny-write \
    --no-prepare --no-deps --no-config -q --quiet --silent -v --verbose -y --yes";

const DOPPLER: &str = "--command! -p: --project: -c: --config: -t: --token: --config-dir: --scope: --api-host: \
    --dashboard-host: --fallback: --name-transformer: --format: --mount: --mount-format: --mount-template: \
    --mount-max-reads: --passphrase: --only-secrets: --secrets: --preserve-env? --timeout: --attempts: --configuration: \
    --dynamic-ttl: --dns-resolver-address: --dns-resolver-proto: --dns-resolver-timeout: --watch --silent --debug \
    --fallback-readonly --fallback-only --no-exit-on-write-failure --no-read-env --print-config --json --no-cache --no-fallback --no-color --no-verify-tls --no-timeout --no-check-version --forward-signals";

const NIX: &str = "-c& --command& -f@ --file@ -I@ --include@ --expr@ --arg:: --argstr:: --option:: --override-input:: \
    --inputs-from: --profile: -k: --keep: -u: --unset: --keep-env-var: --unset-env-var: -s:: --set-env-var:: \
    -i --ignore-environment --impure --offline --refresh --phase: -L -v -j: --max-jobs: --cores:";

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
        "-A -b -B -E -e -H -i -K -k -l -n -N -P -S -s -V -v -h? --askpass --background --bell --edit \
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
    row("sg", "-c!", "data code").permutes(),
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
    // For shells themselves.
    row("noglob nocorrect", "", "command"),
    row("repeat", "", "data command"),
    row("exec", "-a: -c -l", "command"),
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
    row("setarch linux32 linux64 i386 x86_64 uname26", "-R -B -F -I -L -S -T -X -Z -v -3 -4", "data command"),
    row(
        "prlimit",
        "-p: --pid: -o: --output: --noheadings --raw --verbose -c? -d? -e? -f? -i? -l? -m? -n? -q? -r? -s? -t? \
         -u? -v? -x? -y?",
        "command",
    ),
    row(
        "strace",
        "-A -c -C -d -D -f -F -h -i -k -n -N -q -r -t -T -v -V -w -x -y -z -Z -a: -b: -e: -E= --env= -I: -o! \
         --output! -O: -p: -P: -s: -S: -u: -U: -X: --trace: --follow-forks --summary-only",
        "command",
    ),
    row(
        "ltrace",
        "-b -c -C -f -i -L -r -S -t -T -V -h -a: -A: -D: -e: -F@ -l@ -n: -o: -p: -s: -u: -w: -x:",
        "command",
    ),
    row("valgrind", "-q -v -d --db-command! --tool@", "command"),
    row("systemd-run", "--user --system --scope --no-block -r --remain-after-exit --wait -P --pipe -t --pty -q --quiet -G --collect -S! --shell! -d --same-dir --unit: -u: --description: -p! --property! -E= --setenv= --uid: --gid: --slice: --nice: --service-type: --working-directory~ -H@ --host@ -M@ --machine@ --on-active: --on-boot: --on-calendar: --timer-property: --path-property:", "command"),
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
    row("firejail", "--profile@ --quiet --noprofile --private? --net? --debug", "command"),
    row("perf", "", "code").verbs(&[
        row("stat record trace", "-a -d -g -v -q -e: --event: -o: --output: -r: --repeat: -C: --cpu: -p: -t: -F: -c: -x: --", "command"),
    ]),
    row(
        "script",
        "-c! --command! -a --append -e --return -f --flush -F -q --quiet -t? --timing? -T: --log-timing: -I: -O: \
         -B: --log-in: --log-out: --log-io: -E: --echo: -m: --logging-format: -o: --output-limit: --force",
        "data code",
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
    row("sshpass", "-p: -f: -d: -e -P: -v", "command"),
    row("mosh", "--ssh! --server! --client! -p: --port: --predict: -a -n -4 -6", "data code"),
    row("parallel sem", "", "code"),
    row("hyperfine entr", "", "code"),
    row("tmux screen", "-S: -L: -c! -f@ -d -m", "code"),
    row("at batch", "-f@ -m -M -q: -t: -v -l -d -r -c -b", "data*"),
    row("crontab", "-u: -l -r -e -i -s -T:", "code"),
    row(
        "gdb lldb cgdb",
        "-ex! -eval-command! -iex! -x! -command! -ix! -batch -nx -nh -q -quiet -silent -args> -p: -pid: -cd~ -d@ \
         -s@ -e@ -se@ -c@ -core@ -o! -O! -b",
        "script data*",
    )
    .long_dash(),
    row("direnv", "", "code").verbs(&[row("exec", "", "script command")]),
    row("mise rtx", MISE, "code").verbs(&[row("exec x", MISE, "dashed")]),
    row("asdf rbenv pyenv nodenv goenv", "", "code").verbs(&[row("exec", "", "command")]),
    row("volta", "", "code").verbs(&[row(
        "run",
        "--node: --npm: --pnpm: --yarn: --bundled-npm --no-pnpm --no-yarn --verbose --very-verbose --quiet",
        "command",
    )]),
    row(
        "nix-shell",
        "--run! --command! -p --packages -A: --attr: -E@ --expr@ --arg:: --argstr:: --option:: -I@ -i@ --pure \
         --keep: --exclude: -j: --max-jobs: --cores: -v --verbose -Q",
        "code",
    )
    .permutes(),
    row("nix", NIX, "code").verbs(&[row("shell develop", NIX, "data*").permutes()]),
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
    row("npm pnpm yarn", "--prefix~ -C~ --dir~ --cwd~ -w: --workspace: --filter: -s --silent", "code")
        .verbs(&[row("exec x dlx", NPX, "command")]),
    row("bundle", "", "code").verbs(&[row("exec", "--keep-file-descriptors --gemfile@", "command")]),
    row("poetry pipenv pdm hatch rye", "-C~ --directory~ -P: --project: -q -v", "code")
        .verbs(&[row("run", "", "command")]),
    row("conda mamba micromamba", "", "code").verbs(&[row(
        "run",
        "-n: --name: -p: --prefix: --cwd~ --no-capture-output --live-stream -v --dev",
        "command",
    )]),
    row("uv", "--directory~ --project@ --config-file@ -q --quiet -v --verbose --offline", "code")
        .verbs(&[row("run", UV_RUN, "command"), row("tool", "", "code").verbs(&[row("run", UV_RUN, "script data*")])]),
    row("uvx", "--from@ --with@ -p@ --python@ --isolated -q --quiet -v --verbose", "script data*"),
    row("pipx", "", "code").verbs(&[row("run", "--spec@ --python@ --pip-args! --no-cache", "script data*")]),
    row("rustup", "", "code").verbs(&[row("run", "--install", "script command")]),
    row("aws-vault", "--debug --backend:", "code").verbs(&[row(
        "exec",
        "-d: --duration: -n --no-session --region: -t: --mfa-token: -j --json -s --server --ecs-server \
         --ec2-server --lazy --stdout --prompt: --backend:",
        "data command",
    )]),
    row("op", "--account: --config@ --session: --format: --encoding:", "code").verbs(&[row(
        "run",
        "--env-file@ --environment: --no-masking --account: --config@ --session: --format: --encoding: --debug",
        "command",
    )]),
    row("doppler", DOPPLER, "code").verbs(&[row("run", DOPPLER, "command")]),
    row("chamber", "-b: --backend: -r: --retries: -v --verbose", "code").verbs(&[row(
        "exec",
        "--pristine --strict --strict-value: -b: --backend: --backend-s3-bucket: --kms-key-alias: -r: --retries: \
         --retry-mode: --min-throttle-delay: -v --verbose",
        "dashed",
    )]),
    row("teller", "-c@ --config@", "code").verbs(&[row("run", "-c@ --config@ --reset --shell", "command")]),
    row("infisical", "--domain: -l: --log-level: --token: --silent", "code").verbs(&[row(
        "run",
        "-c! --command! -e: --env: --path: --projectId: --token: -t: --tags: --expand? --include-imports? \
         --recursive? --secret-overriding? --watch --watch-interval: --project-config-dir: --broker \
         --broker-poll-interval: --broker-allow-hosts: --domain: -l: --log-level: --silent",
        "command",
    )]),
    row("dotenv", "-e@ -f@ --file@ -q: --quote: -x: --export: -v: -c? -p: -o --override -i --ignore", "code")
        .verbs(&[row("run", "--override --no-override", "command")]),
    row("dotenvx", "-q --quiet -v --verbose -d --debug -l: --log-level:", "code").verbs(&[row(
        "run",
        "-e= --env= -f@ --env-file@ -fv@ --env-vault-file@ -fk@ --env-keys-file@ -o --overload --strict \
         --convention: --ignore: -q --quiet -v --verbose -d --debug -l: --log-level:",
        "command",
    )
    .long_dash()]),
    row(
        "env-cmd",
        "-e: --environments: -f@ --file@ -r@ --rc-file@ -x --expand-envs --fallback --no-override --silent \
         --use-shell --verbose -V --version",
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
    row("systemd-inhibit", "--what: --who: --why: --mode: --list --no-pager --no-legend", "command"),
    row("systemd-cat", "-t: --identifier: -p: --priority: --stderr-priority: --level-prefix:", "command"),
    row("sandbox-exec", "-f@ -n: -p! -D:", "command"),
    row(
        "runcon aa-exec capsh cgexec minijail0 nsjail trickle cpulimit eatmydata catatonit daemonize \
         dbus-launch xinit startx ssh-agent reattach-to-user-namespace systemd-nspawn",
        "",
        "code",
    ),
    row("guix toolbox distrobox lxc incus machinectl wsl wine limactl colima", "", "code"),
    row("multipass pueue tsp act foreman overmind honcho goreman hivemind mprocs watchexec", "", "code"),
    row("dtach abduco zellij tmate", "", "code"),
    row("adb", "-s: -t: -d -e -a -H: -P: -L:", "data*").permutes().lenient().verbs(&[row("shell exec-out", "", "code")]),
];
