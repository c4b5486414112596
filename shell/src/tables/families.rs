//! Parsers of options, by what they do with a part of a name: `--colo` is `--color` to getopt, optparse and nopt.

use super::model::words;

/// Programs whose parsers take exact names only, by family.
const EXACT: &[&str] = &[
    // Go: flag, pflag, urfave/cli, kong.
    "age aws-vault chamber devbox direnv docker docker-compose doppler flyctl fly fzf gh glab go goreman helm hivemind \
     infisical kubectl nerdctl oc op overmind packer podman podman-compose pulumi rclone reflex sops teller terraform \
     terragrunt tofu",
    // Rust: clap, lexopt, bpaf.
    "bat batcat cargo delta fd fdfind flox fnm hyperfine just mise nu pixi pueue railway rg rtx rustup rye sccache uv uvx \
     volta watchexec xh xhs zellij",
    // JavaScript: commander, yargs, oclif, clipanion, cac; node and bun themselves.
    "bun bunx concurrently conc cross-env deno dotenv dotenvx env-cmd firebase heroku lerna netlify node nodejs nodemon nx \
     onchange serverless sls vercel wrangler yarn",
    // Python: click, cleo, and python itself.
    "black flask hatch poetry python python3",
    // C with popt or GOption: rsync, rpm, flatpak.
    "flatpak flatpak-spawn gnome-terminal mate-terminal rpm rpmbuild rpmkeys rpmspec rsync xfce4-terminal",
    // Their own: shells, bubblewrap, firejail, nix, sqlite, the JVM, perl, ruby, php.
    "bash bwrap dash firejail fish java javaw ksh nix nix-shell perl php ruby sh sqlite sqlite3 zsh",
];

/// Whether the parser of a program completes a name that begins one option only.
pub(super) fn completes(name: &str) -> bool {
    !EXACT.iter().flat_map(|names| words(names)).any(|exact| exact == name)
}
