//! Package managers and build tools.

use super::facts::{Fact, Sub, fact};

/// Settings of npm that take a value, from `definitions.js` of `@npmcli/config`: each of them is an option.
const NPM: &str = "--registry: --prefix: -w: --workspace: --tag: --access: --otp: --loglevel: --cache: --userconfig: --scope: \
    --omit: --include: -C: --dir: --cwd: --filter: -F: -m: --message: -L: --location: --also: --audit-level: --auth-type: --before: --ca: \
    --cafile: --call: --cert: --cidr: --cpu: --depth: --diff: --diff-dst-prefix: --diff-src-prefix: --diff-unified: --editor: \
    --expect-result-count: --expires: --fetch-retries: --fetch-retry-factor: --fetch-retry-maxtimeout: --fetch-retry-mintimeout: \
    --fetch-timeout: --git: --globalconfig: --heading: --https-proxy: --init-author-email: --init-author-name: --init-author-url: \
    --init-license: --init-module: --init-type: --init-version: --install-strategy: --key: --libc: --local-address: --lockfile-version: \
    --logs-dir: --logs-max: --maxsockets: --min-release-age: --name: --node-gyp: --node-options: --noproxy: --only: --orgs: --os: --pack-destination: \
    --package: --packages: --password: --preid: --provenance-file: --proxy: --reg: --save-prefix: --sbom-format: --sbom-type: --scopes: \
    --script-shell: --searchexclude: --searchlimit: --searchopts: --searchstaleness: --shell: --tag-version-prefix: --umask: --user-agent: \
    --viewer: --which: --all --allow-same-version --audit --bin-links --commit-hooks --color --description --dev --dry-run --engine-strict --force \
    --foreground-scripts --format-package-lock --fund --git-tag-version --global --global-style --if-present --ignore-scripts \
    --include-staged --include-workspace-root --install-links --json --legacy-bundling --legacy-peer-deps --link --long --offline \
    --omit-lockfile-registry-resolved --optional --package-lock --package-lock-only --parseable --prefer-dedupe --prefer-offline \
    --prefer-online --production --progress --provenance --read-only --rebuild-bundle --save --save-bundle --save-dev --save-exact \
    --save-optional --save-peer --save-prod --shrinkwrap --sign-git-commit --sign-git-tag --strict-peer-deps --strict-ssl --timing \
    --unicode --update-notifier --usage --versions --workspaces --workspaces-update --yes";

/// The `-w` of pnpm takes no value.
const PNPM: &str = "--registry: --prefix: --tag: --access: --otp: --loglevel: --cache: --userconfig: --scope: --omit: --include: \
    -C: --dir: --cwd: --filter: -F: --filter-prod: --reporter: --store-dir: --virtual-store-dir: --virtual-store-dir-max-length: --lockfile-dir: \
    --global-dir: --global-bin-dir: --cache-dir: --state-dir: --modules-dir: --package-import-method: --child-concurrency: --network-concurrency: \
    --workspace-concurrency: --resume-from: --changed-files-ignore-pattern: --test-pattern: --node-linker: --pnpmfile: --global-pnpmfile: \
    --hoist-pattern: --public-hoist-pattern: --fetch-retries: --fetch-retry-factor: --fetch-retry-maxtimeout: --fetch-retry-mintimeout: \
    --fetch-timeout: --https-proxy: --proxy: --noproxy: --cafile: --ca: --cert: --key: --local-address: --npm-path: --use-node-version: \
    --node-version: --npmrc-auth-file: --script-shell: --save-prefix: --depth: --config-dir: --workspace-dir: --user-agent:";

pub(super) const FACTS: &[Fact] = &[
    fact("npm", NPM, "g=global D=save-dev S=save O=save-optional E=save-exact f=force y=yes w=workspace q=quiet s=silent")
        .sub(Sub::First("")),
    fact("pnpm", PNPM, "g=global D=save-dev P=save-prod O=save-optional E=save-exact r=recursive w=workspace-root C=dir F=filter").sub(Sub::First("")),
    fact("yarn", "--cwd: --registry: --tag: --access: --otp: --cache-folder: --use-yarnrc: --modules-folder: --preferred-cache-folder: --mutex: --proxy: \
         --https-proxy: --network-concurrency: --network-timeout: --global-folder: --link-folder:", "D=dev P=peer O=optional E=exact T=tilde f=force").sub(Sub::First("workspace+ workspaces foreach npm global")),
    fact("bun", "--cwd: --config: -c: --registry: --filter: --tag: --otp: --access:", "d=dev D=dev g=global E=exact f=force y=yarn c=config").sub(Sub::First("pm")),
    fact(
        "cargo",
        "-C: -Z: --config: --explain: --color: --manifest-path: -p: --package: --features: -F: --target: --target-dir: --profile: \
         --bin: --example: --test: --bench: -j: --jobs: --registry: --index: --token: --exclude: --message-format: --vers: \
         --version: --git: --branch: --tag: --rev: --path: --root: --lockfile-path:",
        "p=package F=features j=jobs q=quiet v=verbose r=release f=force V=version",
    )
    .sub(Sub::First("")),
    fact("rustup", "--toolchain: --profile: --component: -c: -t: --target:", "c=component t=target").sub(Sub::First("toolchain target component override self default")),
    fact(
        "pip pip3",
        "-r: --requirement: -c: --constraint: -e: --editable: -t: --target: --prefix: --root: --src: -i: --index-url: \
         --extra-index-url: -f: --find-links: --proxy: --timeout: --retries: --cert: --trusted-host: --log: --python: \
         --platform: --python-version: --no-binary: --only-binary: --progress-bar: --cache-dir: --config-settings: --upgrade-strategy: --exists-action: --client-cert: --use-feature: --use-deprecated: --keyring-provider: \
         --default-timeout: --resume-retries: --log-file: --local-log: --report: --root-user-action: --abi: --implementation: --global-option: \
         --build-option: -C: -d: --dest: -w: --wheel-dir:",
        "r=requirement c=constraint e=editable t=target i=index-url f=find-links U=upgrade y=yes q=quiet v=verbose d=dest w=wheel-dir I=ignore-installed",
    )
    .sub(Sub::First("cache config index")),
    fact(
        "uv",
        "--directory: --project: --config-file: --python: -p: --index-url: -i: --extra-index-url: --index: --default-index: --find-links: -f: \
         --cache-dir: --color: --with: --with-requirements: -r: --requirement: -c: --constraint: --extra: --group: -e: --editable: --token: --publish-url: --package: \
         --allow-insecure-host: --trusted-host: --python-preference: --python-fetch: --python-platform: --python-version: --preview-feature: \
         --preview-features: --keyring-provider: --index-strategy: --resolution: --prerelease: --exclude-newer: --link-mode: --config-setting: \
         --config-settings: -C: --refresh-package: --reinstall-package: --upgrade-package: -P: -m: --module: -w:",
        "p=python i=index-url f=find-links r=requirement c=constraint e=editable q=quiet v=verbose n=no-cache U=upgrade",
    )
    .sub(Sub::First("pip tool python cache self")),
    fact("poetry pdm hatch rye pipenv", "-C: --directory: -P: --project: --group: -G: --source: -r: --repository: -u: --username: -p: --password: --extras: -E:", "C=directory P=project q=quiet v=verbose n=no-interaction r=repository u=username p=password").sub(Sub::First("env cache self source config")),
    fact("conda mamba micromamba", "-n: --name: -p: --prefix: -c: --channel: -f: --file:", "n=name p=prefix c=channel f=file y=yes q=quiet").sub(Sub::First("env config")),
    fact("gem", "-v: --version: -s: --source: -i: --install-dir: -n: --bindir: -k: --key: --host: --otp:", "v=version s=source i=install-dir f=force").sub(Sub::First("")),
    fact("bundle", "--gemfile: --path: --without: --with: -j: --jobs:", "j=jobs").sub(Sub::First("")),
    fact("composer", "-d: --working-dir:", "d=working-dir n=no-interaction q=quiet").sub(Sub::First("global")),
    fact("apt apt-get aptitude", "-o: --option: -c: --config-file: -t: --target-release: --default-release: -a: --host-architecture: -P: --build-profiles: \
         --solver: --planner: --with-source: -S: --snapshot: --color:", "y=yes q=quiet f=fix-broken m=fix-missing d=download-only s=simulate o=option c=config-file t=target-release u=show-upgraded V=verbose-versions").sub(Sub::First("")),
    fact("dpkg", "--root: --admindir: -D:", "i=install r=remove P=purge l=list L=listfiles s=status"),
    fact("yum dnf microdnf zypper", "-c: --config: -x: --exclude: --enablerepo: --disablerepo: --repo: --installroot: --releasever:", "y=assumeyes q=quiet v=verbose c=config x=exclude").sub(Sub::First("group module history")),
    fact("pacman yay paru", "-b: --dbpath: -r: --root: --config: --cachedir: --ignore:", "S=sync R=remove U=upgrade Q=query b=dbpath r=root"),
    fact("apk", "-p: --root: -X: --repository: --arch: -t: --virtual:", "p=root X=repository q=quiet f=force U=update-cache t=virtual").sub(Sub::First("")),
    fact("brew", "--prefix? --cc: --env:", "f=force q=quiet v=verbose d=debug n=dry-run s=build-from-source").sub(Sub::First("services bundle")),
    fact("port", "-D:", "").sub(Sub::First("")),
    fact("snap flatpak", "--channel: --arch: --branch:", "y=assumeyes").sub(Sub::First("")),
    fact("nix", "--option: -f: --file: --expr: -I: --store: -o: --out-link:", "f=file o=out-link").sub(Sub::First("profile store flake registry")),
    fact(
        "go",
        "-C: -o: -p: -run: -bench: -benchtime: -count: -timeout: -tags: -ldflags: -gcflags: -asmflags: -mod: -modfile: -overlay: -pkgdir: \
         -exec: -toolexec: -coverprofile: -covermode: -coverpkg: -cpu: -cpuprofile: -memprofile: -parallel: -f: -fuzz: -fuzztime: -buildmode: \
         -compiler: -installsuffix: -vet: -outputdir: -list: -skip: -a -i -n -v -x -u -race -msan -json -modcacherw -trimpath -work -short -failfast -cover -e -m -w -d -t",
        "",
    )
    .sub(Sub::First("mod work tool")).long_dash(),
    fact(
        "make gmake",
        "-C: --directory: -f@ --file@ --makefile@ -I: --include-dir: -j? --jobs? -l? --load-average? -o: --old-file: -W: \
         --what-if: --new-file: --eval! -E: --assume-new: --assume-old: -O? --output-sync?",
        "C=directory f=file f=makefile I=include-dir j=jobs k=keep-going n=dry-run n=just-print s=silent B=always-make e=environment-overrides i=ignore-errors q=question r=no-builtin-rules t=touch w=print-directory W=what-if",
    )
    .sub(Sub::First("")),
    fact("just task", "-f: --justfile: -d: --working-directory: --set:", "f=justfile d=working-directory n=dry-run").sub(Sub::First("")),
    fact("twine", "-r: --repository: -u: --username: -p: --password: --config-file: --repository-url:", "r=repository u=username p=password").sub(Sub::First("")),
    fact("mvn mvnw gradle gradlew", "-f: --file: -P? -s: -D? --settings: -p: --project-dir: -b: -x:", "f=file q=quiet").sub(Sub::First("")),
    fact("dotnet", "-c: --configuration: -f: --framework: -r: --runtime: -o: --output: -s: --source: -k: --api-key: -v: --verbosity:", "c=configuration f=framework r=runtime o=output s=source k=api-key v=verbosity").sub(Sub::First("nuget add remove tool list new")),
    fact("npx bunx pnpx", NPM, "y=yes p=package c=call q=quiet w=workspace"),
];
