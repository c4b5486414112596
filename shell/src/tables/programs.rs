//! Programs with options, operands or subcommands that run something.

use super::model::{Row, row};

const GIT_GLOBAL: &str = "-c! --config-env! --exec-path@ -C: --git-dir@ --work-tree: --namespace: --super-prefix: \
    --shallow-file: --list-cmds? --attr-source: -p --paginate -P --no-pager --bare --no-replace-objects --no-lazy-fetch \
    --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs";

const GIT: &[Row] = &[
    row("clone", "-u! --upload-pack! -c! --config! --template@ --bundle-uri: -b: --branch: --depth: -o: --origin: --reference: -j: --jobs: --filter: --separate-git-dir:", "data*").permutes(),
    row("fetch", "--upload-pack! --depth: --refmap: -j: -o: --server-option:", "data*").permutes(),
    row("pull", "--upload-pack! -s@ --strategy@ -X: --strategy-option: --depth:", "data*").permutes(),
    row("push", "--receive-pack! --exec! -o: --push-option: --repo:", "data*").permutes(),
    row("ls-remote fetch-pack send-pack archive", "--upload-pack! --receive-pack! --exec! --remote: -o: --output: --format: --prefix:", "data*").permutes(),
    row("grep", "-O! --open-files-in-pager! -e: -f: -A: -B: -C: -m: --max-depth: --threads:", "data*").permutes(),
    row("rebase", "-x! --exec! -s@ --strategy@ -X: --strategy-option: --onto:", "data*").permutes(),
    row("merge cherry-pick revert", "-s@ --strategy@ -X: --strategy-option: -m: -F: --file: --into-name: --cleanup:", "data*").permutes(),
    row("bisect", "", "data*").permutes().verbs(&[row("run", "", "command")]),
    row("submodule", "", "data*").permutes().verbs(&[row("foreach", "", "code"), row("add update", "-b: --branch: --name: --reference: --depth: -j: --jobs: --filter:", "data*").permutes()]),
    row("difftool mergetool", "-x! --extcmd! -t@ --tool@", "data*").permutes(),
    row("init", "--template@ -b: --initial-branch: --separate-git-dir:", "data*").permutes(),
    row("diff log show shortlog whatchanged", "-G: -S: -n: -L: -U: -O: -M? -C? --format: --pretty? --grep: --author: --committer: --since: --until: --after: --before: --output: --max-count: --date: --color?", "data*").permutes(),
    row("commit", "-m: --message: -F: --file: -C: -c: --reuse-message: --reedit-message: --author: --date: -t: --template: --fixup: --squash: --trailer: --cleanup: -S? -u?", "data*").permutes(),
    row("tag notes stash", "-m: --message: -F: --file: -u: --local-user: -C: -c:", "data*").permutes(),
    row("checkout switch branch worktree restore reset clean", "-b: -B: -c: -C: -s: --source: -u: --set-upstream-to: -e: --exclude:", "data*").permutes(),
    row("add rm mv blame status ls-files ls-tree rev-list rev-parse for-each-ref describe", "-L: -S: --format: --sort: --chmod: --pathspec-from-file:", "data*").permutes(),
    row("filter-branch", "--setup! --env-filter! --tree-filter! --index-filter! --parent-filter! --msg-filter! --commit-filter! --tag-name-filter! -d: --original: --state-branch: -f --force", "code"),
    row("send-email", "--smtp-server! --sendmail-cmd! --to-cmd! --cc-cmd! --header-cmd!", "code"),
    row("config filter-repo instaweb cvsserver daemon shell hook svn p4 maintenance scalar credential remote-ext upload-pack receive-pack sh-setup web--browse", "", "code"),
];

/// A row a program.
pub(super) const ROWS: &[Row] = &[
    row("git", GIT_GLOBAL, "data*").permutes().lenient().verbs(GIT),
    row("hg", "--config! --cwd: -R: --repository: -r: --rev: -m: --message: -u: --user: -d: --date: --ssh! --remotecmd! --tool@ -t@", "data*").permutes().lenient(),
    row("svn", "--config-option! --config-dir@ --diff-cmd! --diff3-cmd! --editor-cmd! -m: --message: -F: -r: --username: --password:", "data*").permutes().lenient(),
    row(
        "find gfind",
        "-H -L -P -O? -D: -exec> -execdir> -ok> -okdir> ( ! , -a -and -o -or -not -amin: -anewer: -atime: -cmin: \
         -cnewer: -context: -ctime: -daystart -delete -depth -d -empty -executable -false -files0-from: -fls: -follow \
         -fprint: -fprint0: -fprintf:: -fstype: -gid: -group: -ignore_readdir_race -ilname: -iname: -inum: \
         -ipath: -iregex: -iwholename: -links: -lname: -ls -maxdepth: -mindepth: -mmin: -mount -mtime: -name: \
         -newer: -newermt: -newerXY: -nogroup -noleaf -nouser -path: -perm: -print -print0 -printf: -prune -quit -readable \
         -regex: -regextype: -samefile: -size: -true -type: -uid: -used: -user: -wholename: -writable -xdev -xtype:",
        "data*",
    )
    .long_dash()
    .permutes(),
    row("fd fdfind", "-x> --exec> -X> --exec-batch> -H -I -u -s -i -g -F -a -l -L -p -0 -q -1 -d: --max-depth: --min-depth: -t: --type: -e: --extension: -E: --exclude: -S: --size: -o: --owner: -j: --threads: -c: --color: --search-path: --base-directory~ -C~ --changed-within: --changed-before:", "data*").permutes().lenient(),
    row("rg", "--pre! --pre-glob: --hostname-bin! -e: --regexp: -f: --file: -g: --glob: -t: --type: -T: -A: -B: -C: -m: -M: -r: --replace: -j: --max-depth: -E: --engine: --color: --sort:", "data*").permutes().lenient(),
    // `src/bin/bat/clap_app.rs` of bat, `src/cli.rs` of delta.
    row("bat batcat", "--pager! --paging: -l: --language: -H: --highlight-line: --file-name: --diff-context: --tabs: --wrap: --terminal-width: --color: --italic-text: --decorations: -m: --map-syntax: --ignored-suffix: --theme: --theme-dark: --theme-light: --style: -r: --line-range: --nonprintable-notation: --binary: --squeeze-limit: --strip-ansi: --completion: -A --show-all -p --plain -d --diff -n --number -s --squeeze-blank -f --force-colorization -L --list-languages -u --unbuffered", "data*").permutes().lenient(),
    row("delta", "--pager! --paging: --diff-args: --diff-so-fancy --features: --syntax-theme: --width: --tabs: --wrap-max-lines: --config@", "data*").permutes().lenient(),
    row("ag ack", "--pager! -G: -A: -B: -C: -m: --ackrc@", "data*").permutes().lenient(),
    row(
        "tar gtar bsdtar",
        "-I! --use-compress-program! --to-command! --checkpoint-action! -F! --info-script! --new-volume-script! \
         --rsh-command! --rmt-command! -T@ --files-from@ -f: --file: -C: --directory: -X: --exclude-from: \
         --exclude: -b: -g: -H: --format: -K: -L: -N: -V: --label: --owner: --group: --mode: --mtime: \
         --strip-components: --transform: --xform: --checkpoint? -c -x -t -r -u -A -d -v -z -j -J -Z -a -p -P -k \
         -m -O -S -h -l -w -W -U",
        "data*",
    )
    .permutes()
    .lenient(),
    row("zip", "-TT! --unzip-command! -b: --temp-path: -i: -x: -n: -O: -s: -t: -P: -z -r -j -q -T -m -u -d -9", "data*").permutes().lenient(),
    row("cpio", "--rsh-command! -F: -I: -O: -D: -H: -E: -R: -i -o -p -d -m -u -v", "data*").permutes().lenient(),
    row("rsync", "-e! --rsh! --rsync-path! -M! --remote-option! --config@ --dparam! -f: --filter: --exclude: --include: --exclude-from: --files-from: --password-file: --log-file: --port: -T: -B: --bwlimit: --timeout: --chmod: --chown: -a -v -z -r -l -p -t -g -o -D -n -u -q -h -H -A -X -P", "data*").permutes().lenient(),
    row("scp", "-S! -F@ -o! -J@ -D@ -i: -P: -c: -l: -X: -r -p -q -v -C -B -3 -4 -6 -A -O -R -s -T", "code"),
    row("sftp", "-S! -F@ -o! -J@ -b@ -D! -s@ -i: -P: -c: -l: -B: -R: -X: -r -p -q -v -C -a -f -N -A -4 -6", "data*").permutes(),
    row("sort gsort", "--compress-program! -T: -o: -S: -k: -t: --parallel: --batch-size: --files0-from: -b -c -C -d -f -g -h -i -m -M -n -r -R -s -u -V -z", "data*").permutes().lenient(),
    row("split gsplit", "--filter! -a: -b: -C: -l: -n: -t: --additional-suffix: -d? -x? -e -u", "data*").permutes().lenient(),
    row("man", "-P! --pager! -H! --html! -C@ --config-file@ --preprocessor! -p! -M@ --manpath@ -T? -L: -S: -s: -e: -E: -m: -r: -X? -f -k -K -w -W -a -i -I -d -D -l", "data*").permutes().lenient(),
    row("less more most pg", "+! ++! -k@ --lesskey-file@ -o: -O: -p: -P: -t: -T: -x: -y: -z: -b: -h: -j:", "data*").permutes().lenient().passes_input(),
    row("curl", "-K@ --config@ --engine@ --libcurl: --proxy-cert: -d: --data: --data-raw: --data-binary: --data-urlencode: --data-ascii: --json: -F: --form: --form-string: -H: --header: -X: --request: -u: --user: -o: --output: -A: --user-agent: -b: --cookie: -c: --cookie-jar: -e: --referer: -m: --max-time: --connect-timeout: --url: --retry: --retry-delay: -x: --proxy: -E: --cert: --key: --cacert: -T: --upload-file: -w: --write-out: --resolve: --unix-socket: --output-dir: -r: -C: -z: -y: -Y: -f -s -S -L -k -v -i -I -g -G -N -O -J -q -n -# -0 -4 -6", "data*").permutes().lenient(),
    row("wget", "-e! --execute! --use-askpass! --config@ -O: -o: -a: -i: -P: -t: -T: -U: --header: --post-data: --post-file: --body-data: --method: --user: --password: -q -c -N -r -S -nv -nc -np", "data*").permutes().lenient(),
    row("nmap", "--script! --script-args! --script-args-file@ --datadir@ --servicedb@ -p: -oN: -oX: -oG: -oA: -iL: -T: -e: -D: -S: --exclude:", "data*").permutes().lenient(),
    row("nc ncat netcat", "-e! -c! --exec! --sh-exec! --lua-exec! -p: -s: -w: -i: -x: -X: -T: -q: -I: -O: -P: -l -u -v -n -z -4 -6 -k -N", "data*").permutes().lenient(),
    row("sshuttle", "-e! --ssh-cmd! -r: --remote: -x: --exclude: -X: -l: --listen: --python@ --dns --daemon -D -N -H -v --method: --pidfile: -s@ --subnets@", "data*").permutes().lenient(),
    row("socat", "-d -D -h -V -u -U -v -x -s -t: -T: -b: -lf: -lh -lm -lp: -ls -ly -L: -W: -g -4 -6", "code"),
    row("tcpdump", "-z! -F: -r: -w: -i: -c: -C: -G: -W: -s: -V: -y: -Z: -E: -m@ -M:", "data*").permutes().lenient(),
    row("tshark wireshark", "-X! -C@ -o! -r: -w: -i: -f: -Y: -R: -T: -e: -E: -c: -s: -F: -z: -G? --enable-protocol:", "data*").permutes().lenient(),
    row("openssl", "-engine@ -provider@ -provider-path@ -config@ -in: -out: -key: -cert: -passin: -passout: -pass: -subj: -days: -hmac: -connect: -servername: -CAfile: -CApath: -inkey: -pubin -sign: -verify: -signature:", "data*").long_dash().permutes().lenient(),
    row("gpg gpg2 gpgsm", "--exec-path@ --photo-viewer! --agent-program@ --dirmngr-program@ --keyserver-options! --options@ --homedir@ --tofu-default-policy: --gpg-agent-info@ --pinentry-program@ -r: --recipient: -u: --local-user: -o: --output: --passphrase: --passphrase-file: --status-fd: -a -b -c -d -e -s -q -v", "data*").permutes().lenient(),
    row("rpm rpmbuild rpmspec rpmkeys", "-E! --eval! -D! --define! --pipe! --macros@ --load@ --rcfile@ --dbpath: --root@ -q -a -i -l -f -p -v", "code").permutes(),
    row("apt apt-get apt-cache aptitude dpkg dpkg-deb dnf yum zypper apk pacman brew snap flatpak port emerge", "", "code"),
    row("pip pipx-install gem cpan cpanm luarocks cabal opam easy_install conan vcpkg composer", "", "code"),
    row("cargo", "--config! -Z: -C~ --manifest-path@ --color: -j: --jobs: -p: --package: --bin: --example: --test: --bench: --features: -F: --profile: --target@ --target-dir: --message-format: -q -v", "data*").permutes().lenient().passes_input().verbs(&[
        row("run r", "--config! --bin: --example: -p: --package: --features: -F: --profile: --manifest-path@", "data*").permutes().lenient(),
        row("watch", "-s! --shell! -x: --exec: -w: --watch: -i: --ignore: -C~ --workdir~ -d: --delay: -c -q -B: --why", "command"),
        row("install binstall add rustc rustdoc script fuzz clippy miri expand xtask generate new init publish", "", "code"),
    ]),
    row("go", "", "data*").passes_input().long_dash().permutes().lenient().verbs(&[
        row("run", "-exec! -toolexec! -ldflags! -gcflags! -asmflags! -overlay@ -modfile@ -pkgdir@ -C~ -o: -tags: -race -v -x", "script data*").long_dash(),
        row("build test vet list", "-exec! -toolexec! -vettool! -ldflags! -gcflags! -asmflags! -overlay@ -modfile@ -pkgdir@ -compiler@ -C~ -o: -tags: -run: -bench: -count: -timeout: -coverprofile: -parallel: -p:", "data*").long_dash().permutes().lenient(),
        row("install get generate tool mod work env", "", "code"),
    ]),
    row("gcc g++ cc c++ clang clang++ tcc rustc ld ld.lld gold as nasm javac scalac kotlinc swiftc ghc", "", "code"),
    row("mail mailx s-nail mutt neomutt sendmail exim", "", "code"),
    row("xdg-open open start gio exo-open gnome-open kde-open wslview explorer rundll32 mshta wscript cscript msiexec", "", "code"),
    row("wezterm", "", "code").verbs(&[row("start", "--cwd~ --class: --workspace: --position: --domain: --always-new-process --no-auto-connect --new-tab", "command")]),
    row("nodemon", "-x! --exec! -w: --watch: -e: --ext: -i: --ignore: -d: --delay: -s: --signal: --config@ --cwd~ -C -L -V -q -I --verbose --quiet --legacy-watch", "script data*").passes_input(),
    row("systemctl launchctl schtasks sc logrotate run-parts supervisorctl pm2 forever", "", "code"),
    row("terraform tofu pulumi vagrant packer helm salt puppet chef-client knife", "", "code"),
];
