//! Programs that start the program in their arguments and record what it does.

use super::model::{Row, row};

/// Options of `perf record -h`, 6.1. The other commands that record have its options too; their own ones come first.
const PERF_RECORD: &str = "-a --all-cpus -b --branch-any -B --no-buildid -c: --count: -C: --cpu: -d --data -D: --delay: -e: \
    --event: -F: --freq: -g -G: --cgroup: -I? --intr-regs? -i --no-inherit -j: --branch-filter: -k: \
    --clockid: -m: --mmap-pages: -N --no-buildid-cache -n --no-samples -o: --output: -P --period -p: \
    --pid: -q --quiet -R --raw-samples -r: --realtime: -S? --snapshot? -s --stat -t: --tid: -T \
    --timestamp -u: --uid: -v --verbose -W --weight -z? --compression-level? --affinity: --aio? \
    --all-cgroups --all-kernel --all-user --aux-sample? --buildid-all --buildid-mmap --call-graph: \
    --clang-opt: --clang-path@ --code-page-size --control: --data-page-size --debuginfod? --dry-run \
    --exclude-perf --filter: --group --kcore --kernel-callchains --max-size: --mmap-flush: --namespaces \
    --no-bpf-event --no-buffering --num-thread-synthesize: --off-cpu --overwrite --per-thread \
    --phys-data --proc-map-timeout: --running-time --sample-cpu --sample-identifier --strict-freq \
    --switch-events --switch-max-files: --switch-output? --switch-output-event: --synth: \
    --tail-synthesize --threads? --timestamp-boundary --timestamp-filename --transaction \
    --user-callchains --user-regs? --vmlinux:";

/// Options of `perf mem record`.
const PERF_MEM: &str = "-C: --cpu: -D -f --force -p --phys-data --data-page-size -t: --type: -U --all-user -K --all-kernel \
    -e: --event: --ldlat: -v --verbose -a --all-cpus -b --branch-any -B --no-buildid -c: --count: -d \
    --data --delay: -F: --freq: -g -G: --cgroup: -I? --intr-regs? -i --no-inherit -j: --branch-filter: \
    -k: --clockid: -m: --mmap-pages: -N --no-buildid-cache -n --no-samples -o: --output: -P --period \
    --pid: -q --quiet -R --raw-samples -r: --realtime: -S? --snapshot? -s --stat --tid: -T --timestamp \
    -u: --uid: -W --weight -z? --compression-level? --affinity: --aio? --all-cgroups --aux-sample? \
    --buildid-all --buildid-mmap --call-graph: --clang-opt: --clang-path@ --code-page-size --control: \
    --debuginfod? --dry-run --exclude-perf --filter: --group --kcore --kernel-callchains --max-size: \
    --mmap-flush: --namespaces --no-bpf-event --no-buffering --num-thread-synthesize: --off-cpu \
    --overwrite --per-thread --proc-map-timeout: --running-time --sample-cpu --sample-identifier \
    --strict-freq --switch-events --switch-max-files: --switch-output? --switch-output-event: --synth: \
    --tail-synthesize --threads? --timestamp-boundary --timestamp-filename --transaction \
    --user-callchains --user-regs? --vmlinux:";

/// Options of `perf c2c record`.
const PERF_C2C: &str = "-e: --event: -l: --ldlat: -k --all-kernel -u --all-user -v --verbose -a --all-cpus -b --branch-any \
    -B --no-buildid -c: --count: -C: --cpu: -d --data -D: --delay: -F: --freq: -g -G: --cgroup: -I? \
    --intr-regs? -i --no-inherit -j: --branch-filter: --clockid: -m: --mmap-pages: -N --no-buildid-cache \
    -n --no-samples -o: --output: -P --period -p: --pid: -q --quiet -R --raw-samples -r: --realtime: -S? \
    --snapshot? -s --stat -t: --tid: -T --timestamp --uid: -W --weight -z? --compression-level? \
    --affinity: --aio? --all-cgroups --aux-sample? --buildid-all --buildid-mmap --call-graph: \
    --clang-opt: --clang-path@ --code-page-size --control: --data-page-size --debuginfod? --dry-run \
    --exclude-perf --filter: --group --kcore --kernel-callchains --max-size: --mmap-flush: --namespaces \
    --no-bpf-event --no-buffering --num-thread-synthesize: --off-cpu --overwrite --per-thread \
    --phys-data --proc-map-timeout: --running-time --sample-cpu --sample-identifier --strict-freq \
    --switch-events --switch-max-files: --switch-output? --switch-output-event: --synth: \
    --tail-synthesize --threads? --timestamp-boundary --timestamp-filename --transaction \
    --user-callchains --user-regs? --vmlinux:";

/// Options of `perf timechart record`.
const PERF_TIMECHART: &str = "-P --power-only -T --tasks-only -I --io-only -g --callchain -a --all-cpus -b --branch-any -B \
    --no-buildid -c: --count: -C: --cpu: -d --data -D: --delay: -e: --event: -F: --freq: -G: --cgroup: \
    --intr-regs? -i --no-inherit -j: --branch-filter: -k: --clockid: -m: --mmap-pages: -N \
    --no-buildid-cache -n --no-samples -o: --output: --period -p: --pid: -q --quiet -R --raw-samples -r: \
    --realtime: -S? --snapshot? -s --stat -t: --tid: --timestamp -u: --uid: -v --verbose -W --weight -z? \
    --compression-level? --affinity: --aio? --all-cgroups --all-kernel --all-user --aux-sample? \
    --buildid-all --buildid-mmap --call-graph: --clang-opt: --clang-path@ --code-page-size --control: \
    --data-page-size --debuginfod? --dry-run --exclude-perf --filter: --group --kcore \
    --kernel-callchains --max-size: --mmap-flush: --namespaces --no-bpf-event --no-buffering \
    --num-thread-synthesize: --off-cpu --overwrite --per-thread --phys-data --proc-map-timeout: \
    --running-time --sample-cpu --sample-identifier --strict-freq --switch-events --switch-max-files: \
    --switch-output? --switch-output-event: --synth: --tail-synthesize --threads? --timestamp-boundary \
    --timestamp-filename --transaction --user-callchains --user-regs? --vmlinux:";

/// Options of `perf stat -h`.
const PERF_STAT: &str = "-a --all-cpus -A --no-aggr -B --big-num -C: --cpu: -D: --delay: -d --detailed -e: --event: -G: \
    --cgroup: -g --group -I: --interval-print: -i --no-inherit -j --json-output -M: --metrics: -n --null \
    -o: --output: -p: --pid: -r: --repeat: -S --sync -t: --tid: -T --transaction -v --verbose -x: \
    --field-separator: --all-kernel --all-user --append --control: --cputype: --filter: \
    --for-each-cgroup: --hybrid-merge --interval-clear --interval-count: --iostat? --log-fd: \
    --metric-no-group --metric-no-merge --metric-only --no-csv-summary --no-merge --per-core --per-die \
    --per-node --per-socket --per-thread --percore-show-thread --post! --pre! --quiet --scale --smi-cost \
    --summary --table --td-level: --timeout: --topdown";

/// Options of `perf trace -h`.
const PERF_TRACE: &str = "-a --all-cpus -C: --cpu: -D: --delay: -e: --event: -f --force -F: --pf: -G: --cgroup: -i: --input: \
    -m: --mmap-pages: -o: --output: -p: --pid: -s --summary -S --with-summary -t: --tid: -T --time -u: \
    --uid: -v --verbose --call-graph: --comm --duration: --errno-summary --expr: --failure --filter: \
    --filter-pids: --kernel-syscall-graph --libtraceevent_print --map-dump: --max-events: --max-stack: \
    --min-stack: --no-inherit --print-sample --proc-map-timeout: --sched --show-on-off-events \
    --sort-events --switch-off: --switch-on: --syscalls --tool_stats";

/// Options of `perf ftrace -h` and of its commands.
const PERF_FTRACE: &str = "-D: --delay: -F: --funcs: -G: --graph-funcs: -g: --nograph-funcs: -m: --buffer-size: -N: \
    --notrace-funcs: -T: --trace-funcs: -t: --tracer: --func-opts: --graph-opts: --inherit -n --use-nsec \
    -b --use-bpf";

/// The commands of `perf` that start a program: `cmd_*` of its sources. `record` may be cut to three letters within others.
const PERF: &[Row] = &[
    row("record", PERF_RECORD, "command"),
    // With `kvm` before it, `stat` has these too.
    row("stat", PERF_STAT, "command").verbs(&[
        row("record rec reco recor", PERF_STAT, "command"),
        row("report live", "", "data").lenient(),
    ]),
    row("trace", PERF_TRACE, "command").verbs(&[row("record", PERF_RECORD, "command")]),
    row("ftrace", PERF_FTRACE, "command").verbs(&[row("trace latency profile", PERF_FTRACE, "command")]),
    row("iostat", PERF_STAT, "dashed"),
    row(
        "mem",
        "-C: --cpu: -D --dump-raw-samples -f --force -i: --input: -p --phys-data -t: --type: -U --hide-unresolved -x: \
         --field-separator: --data-page-size",
        "data",
    )
    .lenient()
    .verbs(&[row("record rec reco recor", PERF_MEM, "command")]),
    row("c2c", "-v --verbose", "data").lenient().verbs(&[row("record rec reco recor", PERF_C2C, "command")]),
    row("lock", "-D --dump-raw-trace -f --force -i: --input: -q --quiet -v --verbose --kallsyms: --vmlinux:", "data")
        .lenient()
        .verbs(&[
            row("record rec reco recor", PERF_RECORD, "command"),
            row(
                "contention con cont conte conten content contenti contentio",
                "-a --all-cpus -b --use-bpf -C: --cpu: -E: --entries: -F: --field: -k: --key: -p: --pid: -t --threads \
                 --map-nr-entries: --max-stack: --stack-skip: --tid:",
                "command",
            ),
        ]),
    row(
        "kmem",
        "-f --force -i: --input: -l: --line: -s: --sort: -v --verbose --alloc --caller --live --page --raw-ip --slab --time:",
        "data",
    )
    .lenient()
    .verbs(&[row("record rec reco recor", PERF_RECORD, "command")]),
    row("sched", "-D --dump-raw-trace -f --force -i: --input: -v --verbose", "data").lenient().verbs(&[
        row("record rec reco recor", PERF_RECORD, "command"),
        row("stats", "-i: --input: -o: --output: -C: --cpu: -v --verbose", "command")
            .verbs(&[row("record rec reco recor", "-o: --output: -C: --cpu: -v --verbose", "command"), row("report", "", "data")]),
    ]),
    row("kwork", "-D --dump-raw-trace -f --force -k: --kwork: -v --verbose", "data")
        .lenient()
        .verbs(&[row("record rec reco recor", PERF_RECORD, "command")]),
    row(
        "timechart",
        "-f --force -i: --input: -n: --proc-num: -o: --output: -p: --process: -t --topology -w: --width: --highlight: \
         --io-merge-dist: --io-min-time: --io-skip-eagain --symfs:",
        "data",
    )
    .lenient()
    .verbs(&[row("record rec reco recor", PERF_TIMECHART, "command")]),
    row(
        "kvm",
        "-i: --input: -o: --output: -v --verbose --guest --guest-code --guestkallsyms: --guestmodules: --guestmount: \
         --guestvmlinux: --host",
        "data",
    )
    .lenient()
    .verbs(&[
        row("record rec reco recor", PERF_RECORD, "command"),
    ]),
    row("script", "-s@ --script@ -i: --input: -F: --fields: -k: --vmlinux: -C: --cpu: -c: --comms: -S: --symbols: --dlfilter@ --dlarg:", "data")
        .lenient()
        .verbs(&[row("record", PERF_RECORD, "script command")]),
];

/// Options of `uftrace record` and `uftrace live`.
const UFTRACE: &str = "-A: --argument: -C: --caller-filter: -D: --depth: -E: --event: -F: --filter: -H: --hide: -L: --loc-filter: \
    -N: --notrace: -P: --patch: -R: --retval: -S@ --script@ -T: --trigger: -U: --unpatch: -W: --watch: -Z: --size-filter: \
    -b: --buffer: -d: --data: -r: --time-range: -s: --signal: -t: --time-filter: -M -a --auto-args -h -l --nest-libcall -v";

/// Options of `rr record`: `src/RecordCommand.cc`.
const RR_RECORD: &str = "--no-read-cloning --no-file-cloning --syscall-buffer-size: --nested: --scarce-fds --setuid-sudo \
    --bind-to-cpu: --disable-cpuid-features: --disable-cpuid-features-ext: --disable-cpuid-features-xsave: --num-cores: \
    --trace-id: --copy-preload-src --syscall-buffer-sig: --stap-sdt --unmap-vdso --disable-avx-512 --asan --tsan --save-as: \
    -c: --num-cpu-ticks: -h --chaos -i: --ignore-signal: -n --no-syscall-buffer -p: --print-trace-dir: -o: \
    --output-trace-dir: -s --always-switch -t: --continue-through-signal: -u --cpu-unbound -v= --env= -w --wait";

/// A row a program.
pub(super) const ROWS: &[Row] = &[
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
    row("bpftrace", "-c! -e: -f: -o: -p: -B: -I: --include: -l -v -d -k", "data*").permutes(),
    row("dtrace", "-c! -n: -P: -f: -m: -i: -s@ -p: -o: -x: -b: -D: -I: -L: -U: -X: -C -F -Z -q -v -w", "data*").permutes(),
    row("dtruss truss ktrace", "-a -c -d -e -f -i -l -o -s -b: -n: -p: -t: -W:", "command"),
    row("leaks", "--atExit --quiet --list --groupByType -q: --exclude: --outputGraph: --fullContent --hex", "dashed"),
    // Its other options have their values joined.
    row("valgrind", "-q -v -d --db-command! --tool@", "command").lenient(),
    row(
        "perf",
        "-p --paginate --no-pager -v -vv --version -h --help --exec-path? --html-path --list-cmds --list-opts --buildid-dir: \
         --debugfs-dir: --debug:",
        "code",
    )
    .verbs(PERF),
    row("py-spy", "", "code").verbs(&[row(
        "record top",
        "-o: --output: -f: --format: -d: --duration: -r: --rate: -p: --pid: -s --subprocesses -n --native -g --gil -i --idle -t --threads \
         -F --function --nolineno --nonblocking --full-filenames",
        "command",
    )]),
    row("multitime", "-f: -i! -I: -l -n: -o! -q -r! -s: -v", "command"),
    row("heaptrack", "-o: --output: -r --record-only --raw -d --debug --use-inject", "command"),
    // `uftrace PROGRAM` is `uftrace live PROGRAM`.
    row("uftrace", UFTRACE, "command").lenient().verbs(&[
        row("record live", UFTRACE, "command").lenient(),
        row("replay report info dump recv graph script tui", "", "data*").lenient(),
    ]),
    // `rr PROGRAM` is `rr record PROGRAM`; `rr DIRECTORY` replays what it has.
    row(
        "rr",
        "--disable-cpuid-faulting --disable-ptrace-exit-events --resource-path: --log: --non-interactive -A: --microarch: -C: \
         --checksum: -D: --dump-on: -E --fatal-errors -F --force-things -K --check-cached-mmaps -L --list-commands -M \
         --mark-stdio -N --version -S --suppress-environment-warnings -T: --dump-at:",
        "command",
    )
    .verbs(&[
        row("record", RR_RECORD, "command"),
        row(
            "replay rerun ps dump help ls mv rm pack sources traceinfo buildid cpufeatures explicit-sources filename",
            "",
            "data*",
        )
        .lenient(),
    ]),
];
