//! Programs that read an argument as code, or the file that it names.

use hookc_base::interpreters::{
    BUN, C_SHELLS, CMD, DENO, FISH, LUA, NODE, PERL, PHP, POSIX_SHELLS, POWERSHELL, PYTHON, RUBY, TYPESCRIPT,
};

use super::model::{Row, row};

/// A row a program.
pub(super) const ROWS: &[Row] = &[
    row(
        POSIX_SHELLS,
        "-c$ -a -b -e -f -h -i -k -l -m -n -p -r -s -t -u -v -x -B -C -D -E -H -P -T -o: +o: -O: +O: +a +b +e +f \
         +h +k +m +n +u +v +x +B +C +E +H +P +T - --login --noprofile --norc --posix --restricted --verbose \
         --noediting --noline-editing --init-file@ --rcfile@ --debugger --emulate:",
        "script data*",
    ),
    row(FISH, "-c! --command! -C! --init-command! -i -l -n -N --no-config -p: -P -v", "script? data*"),
    row(C_SHELLS, "-c$ -b -d -e -f -i -l -m -n -q -s -t -v -V -x -X", "script data*"),
    row(POWERSHELL, "", "code"),
    row(CMD, "", "code"),
    row("nu xonsh elvish rc es osh ysh murex", "", "code"),
    row("wasmtime wasmer qjs quickjs jsc d8", "", "code"),
    row(
        PYTHON,
        "-c. -m& -B -b -d -E -h -i -I -O -P -q -s -S -u -v -V -x -R -t -W: -X: --check-hash-based-pycs: --version",
        "script data*",
    ),
    row(
        NODE,
        "-e! --eval! -p! -pe! --print! -r@ --require@ --import@ --loader@ --experimental-loader@ -C: --conditions: \
         -c --check -i --interactive -h -v --env-file@ --env-file-if-exists@ --no-warnings --trace-warnings \
         --enable-source-maps --test --watch --inspect? --max-old-space-size? --experimental-strip-types \
         --experimental-transform-types --no-deprecation --permission --run! --input-type:",
        "script? data*",
    ),
    row(DENO, "-q --quiet -L: --log-level:", "code").verbs(&[row(
        "run",
        "-A --allow-all --allow-read? --allow-write? --allow-net? --allow-env? --allow-run? --allow-ffi? \
         --allow-sys? --deny-net? -R? -W? -N? -E? -S? -c@ --config@ --import-map@ --no-check --no-lock \
         --no-prompt -q --quiet --preload@ -r? --reload? --cached-only",
        "script data*",
    )]),
    row(BUN, "-e! --eval! -p! --print! -r@ --preload@ --cwd~ -c@ --config@", "code").verbs(&[
        row("run", "--bun -b --silent -r@ --preload@ --cwd~", "script data*"),
        row("x", "--bun -p@ --package@", "command"),
        row("exec", "", "code"),
    ]),
    row(TYPESCRIPT, "-e! --eval! -p! --print! -r@ --require@ --import@ -T -P@ --tsconfig@ --no-cache", "script? data*"),
    row(
        RUBY,
        "-e! -C~ -E: -F: -I@ -K? -r@ -T? -W? -a -c -d -h -i? -l -n -p -s^ -S -U -v -w -x? -0# --disable? --enable? \
         --encoding: --external-encoding: --internal-encoding: --yjit --jit",
        "script? data*",
    ),
    // The files of `-n` and `-p` are opened with two arguments: `id|` is a command.
    row(
        PERL,
        "-e! -E! -n^ -p^ -s^ -0# -l# -a -c -C# -d? -D? -f -F? -g -h -i? -I@ -m@ -M@ -S -t -T -u -U -v -V? -w -W -X -x?",
        "script? data*",
    ),
    row(PHP, "-r! -R! -B! -E! -f! -F! -z@ -c@ -d! -t~ -S: -a -C -e -h -i -l -m -n -q -s -v -w -H", "script? data*"),
    row(LUA, "-e! -l@ -i -v -E -W - -j? -O? -b", "script? data*"),
    row("tclsh wish", "-encoding:", "script data*").long_dash(),
    row("expect", "-c! -f! -b@ -d -D: -i -n -N -v", "script? data*"),
    row("rscript littler", "-e! --verbose --vanilla --no-init-file --default-packages@", "script? data*"),
    row("julia", "-e! --eval! -E! --print! -L@ --load@ -J@ --sysimage@ --project@ -i -q -t: -p: --startup-file:", "script? data*"),
    row("r octave matlab scilab gnuplot maxima gp sage bc dc m4", "", "code"),
    row("guile", "-c. -e! -l@ -L@ -C@ -s. -q", "script data*"),
    row("racket sbcl clisp ecl ccl scheme csi gsi ocaml utop ghci runghc stack idris coqtop", "", "code"),
    row("scala groovy clojure clj bb lein kotlin jshell jbang swift dotnet fsi elixir iex erl escript mix", "", "code"),
    row(
        "java javaw",
        "-cp@ -classpath@ -class-path@ -p@ -module-path@ -upgrade-module-path@ -jar. -m. -module. -D* -X* -ea* \
         -da* -agentlib* -agentpath* -javaagent* -add-modules: -add-opens: -add-exports: -add-reads: \
         -enable-preview -enable-native-access: -server -client -version -showversion",
        "script data*",
    )
    .long_dash(),
    row("osascript", "-e! -l: -i -s:", "script? data*"),
    row("irb pry jirb", "", "code"),
    row("awk gawk mawk nawk original-awk", "-f! -e! --file! --source! -E. --exec. -i@ --include@ -l@ --load@ -F: --field-separator: -v: --assign: -W@ -b -c -C -d? -D? -g -h -I -k -L? -M -n -N -o? -O -p? -P -r -s -S -t -V --version --csv --sandbox --posix --traditional --re-interval", "code? data*"),
    row(
        "sed gsed",
        "-e! --expression! -f! --file! -n -E -r -s -u -z -i? --in-place? -l: --line-length: --debug --posix \
         --quiet --silent --regexp-extended --separate --unbuffered --null-data --sandbox --follow-symlinks -a -I:",
        "code? data*",
    )
    .permutes(),
    row(
        "jq gojq jaq yq",
        "-f! --from-file! -L@ --arg:: --argjson:: --slurpfile:: --rawfile:: --argfile:: --indent: --args --jsonargs \
         --tab --seq --stream -n -r -c -s -e -j -a -S -M -C -R -i -P -N -o: -p: -I: --null-input --raw-output \
         --raw-output0 --compact-output --slurp --exit-status --join-output --ascii-output --sort-keys \
         --monochrome-output --color-output --raw-input --in-place --no-doc --prettyPrint --output-format: \
         --input-format:",
        "code? data*",
    )
    .permutes(),
    row("ed red", "-s -v -G -l -E -r -p: --prompt:", "code"),
    row(
        "vi vim nvim ex view vimdiff gvim rvim",
        "-c! --cmd! -S@ -s@ +! -u@ -U@ -i@ -l@ -w: -W: -T: -t: -q@ -p? -o? -O? -R -n -N -e -E -b -d -y -Z -m -M -A \
         -H -v -V? --noplugin --clean --headless --embed --startuptime: --not-a-term --remote",
        "data*",
    )
    .permutes(),
    row(
        "emacs emacsclient",
        "-eval! -execute! -f! -funcall! -e! -l@ -load@ -script. -L@ -directory@ -insert: -visit: -file: -find-file: \
         -Q -q -quick -batch -nw -t -c -n -a! -alternate-editor! -u: -user: -x@ +!",
        "data*",
    )
    .long_dash()
    .permutes(),
    row(
        "psql",
        "-c! --command! -f@ --file@ -v! --set! --variable! -P! --pset! -o! --output! -d: --dbname: -h: --host: -p: \
         --port: -U: --username: -L: --log-file: -F: --field-separator: -R: --record-separator: -T: \
         --table-attr: -1 --single-transaction -0 -a -A -b -e -E -H -l -n -q -s -S -t -w -W -x -X -z --csv --html \
         --no-align --no-psqlrc --no-password --quiet --tuples-only --echo-all --list --no-readline",
        "data*",
    )
    .permutes(),
    row(
        "mysql mariadb",
        "-e! --execute! --init-command! --pager! --tee: --plugin-dir@ --defaults-file@ --defaults-extra-file@ \
         --login-path: -h: --host: -u: --user: -P: --port: -D: --database: -p? --password? -S: --socket: \
         --default-character-set: -A -B -N -s -t -v -r -H -X -E -b -f -n -q -w -C",
        "data*",
    )
    .permutes(),
    row("sqlite sqlite3 sqlcipher", "-cmd! -init@ -separator: -newline: -nullvalue: -vfs: -A! -header -noheader -json -csv -column -line -list -html -markdown -table -box -quote -tabs -ascii -batch -bail -echo -interactive -readonly -safe -stats -version", "data code")
        .long_dash()
        .permutes(),
    row("duckdb mongosh mongo redis-cli cqlsh clickhouse clickhouse-client sqlcmd sqlplus", "", "code"),
    row("eval source . trap", "", "code"),
    row("gs ghostscript convert magick identify mogrify composite montage", "", "code"),
    row("tex latex pdftex pdflatex xelatex lualatex luatex context", "", "code"),
    row("blender gimp inkscape ffmpeg-script godot", "", "code"),
    row("cmake", "-E> -P@ --preset: -S: -B: -C@ -D? -G: -T: -A: --build: --install: --toolchain@", "code"),
    row("just", "-c> --command> -f@ --justfile@ -d~ --working-directory~ --set:: --shell@ --shell-arg: -n --dry-run -q --quiet -v -l --list", "code"),
    row(
        "make gmake bmake remake ninja ctest rake task ant mvn mvnw gradle gradlew sbt scons bazel buck \
         meson nix-build invoke fab nox ansible ansible-playbook cargo-make mage gulp grunt",
        "-j? -k -s -B -d -i -n -q -C@ -f@ --file@ --makefile@ --eval! -I@ -o: --version",
        "code",
    ),
    row("timeit code runpy ensurepip venv", "", "code"),
    row("pdb cprofile profile trace", "", "script data*"),
    row("pytest py.test coverage gunicorn uvicorn flask celery ipython jupyter", "", "code"),
];
