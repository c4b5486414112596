//! Programs of version control.

use super::facts::{Fact, Sub, fact, verb};

pub(super) const FACTS: &[Fact] = &[
    fact(
        "git",
        "-C: -c: --git-dir: --work-tree: --namespace: --exec-path? --super-prefix: --config-env: --list-cmds? \
         --shallow-file: --attr-source: -p --paginate -P --no-pager --bare --no-replace-objects --no-optional-locks",
        "p=paginate P=no-pager",
    )
    .sub(Sub::First(""))
    .verbs(&[
        verb(
            "push",
            "--force --force-with-lease? --force-if-includes --delete --all --branches --mirror --tags --follow-tags \
             --dry-run --porcelain --prune --quiet --verbose --set-upstream --no-verify --verify --atomic \
             --signed? --thin --no-thin --progress --recurse-submodules: --receive-pack: --exec: --repo: -o: \
             --push-option: -f -d -n -q -v -u -4 -6 --ipv4 --ipv6",
            "f=force d=delete n=dry-run q=quiet v=verbose u=set-upstream o=push-option 4=ipv4 6=ipv6",
        ),
        verb(
            "commit",
            "--all --amend --no-verify --verify --message: --file: --author: --date: --reuse-message: \
             --reedit-message: --fixup: --squash: --template: --cleanup: --trailer: --signoff --no-edit --edit \
             --allow-empty --allow-empty-message --patch --include --only --quiet --verbose --dry-run \
             --no-gpg-sign --gpg-sign? --reset-author --untracked-files? -a -m: -F: -C: -c: -t: -n -p -s -S? -u? -e -i \
             -o -q -v",
            "a=all m=message F=file C=reuse-message c=reedit-message t=template n=no-verify p=patch s=signoff \
             S=gpg-sign e=edit i=include o=only q=quiet v=verbose u=untracked-files",
        ),
        verb(
            "reset",
            "--hard --soft --mixed --merge --keep --quiet --patch --pathspec-from-file: -q -p -N",
            "q=quiet p=patch N=intent-to-add",
        ),
        verb("clean", "--force --dry-run --interactive --quiet --exclude: -d -x -X -f -n -i -q -e:", "f=force n=dry-run i=interactive q=quiet e=exclude"),
        verb(
            "checkout",
            "--force --quiet --merge --ours --theirs --detach --track? --no-track --orphan: --patch --conflict: \
             --overwrite-ignore --recurse-submodules? --pathspec-from-file: -b: -B: -f -q -m -p -t? -d -l",
            "f=force q=quiet m=merge p=patch t=track d=detach",
        ),
        verb(
            "switch",
            "--create: --force-create: --force --discard-changes --detach --track? --orphan: --quiet --merge -c: -C: -f -d -t? -q -m",
            "c=create C=force-create f=force d=detach t=track q=quiet m=merge",
        ),
        verb(
            "restore",
            "--source: --staged --worktree --patch --ours --theirs --quiet --pathspec-from-file: -s: -S -W -p -q",
            "s=source S=staged W=worktree p=patch q=quiet",
        ),
        verb(
            "branch",
            "--delete --force --move --copy --all --remotes --list --track? --set-upstream-to: --unset-upstream \
             --contains? --merged? --no-merged? --sort: --format: --points-at: --show-current --verbose --quiet \
             --edit-description -d -D -m -M -c -C -f -a -r -l -t? -u: -v -q",
            "d=delete f=force m=move c=copy a=all r=remotes l=list t=track u=set-upstream-to v=verbose q=quiet",
        ),
        verb("rm", "--force --cached --dry-run --quiet --ignore-unmatch --pathspec-from-file: -f -r -n -q", "f=force n=dry-run q=quiet"),
        verb("add", "--all --force --dry-run --update --patch --interactive --edit --intent-to-add --verbose --chmod: --pathspec-from-file: -A -f -n -u -p -i -e -N -v", "A=all f=force n=dry-run u=update p=patch i=interactive e=edit N=intent-to-add v=verbose"),
        verb("rebase", "--onto: --interactive --abort --continue --skip --exec: --autosquash --autostash --root --force-rebase --strategy: --strategy-option: -i -x: -s: -X: -f -q", "i=interactive x=exec s=strategy X=strategy-option f=force-rebase q=quiet"),
        verb("merge", "--no-ff --ff-only --squash --abort --continue --no-commit --message: --strategy: --strategy-option: --into-name: --no-verify -m: -s: -X: -F: -n -q", "m=message s=strategy X=strategy-option q=quiet"),
        verb("stash", "--message: --include-untracked --all --keep-index --patch --quiet -m: -u -a -k -p -q", "m=message u=include-untracked a=all k=keep-index p=patch q=quiet"),
        verb("tag", "--delete --force --annotate --sign --message: --list --local-user: --file: --sort: --contains? -d -f -a -s -m: -l -u: -F: -n?", "d=delete f=force a=annotate s=sign m=message l=list u=local-user F=file"),
        verb("config", "--global --system --local --worktree --file: --blob: --get --get-all --add --unset --unset-all --replace-all --list --edit --type: --default: -f: -l -e", "f=file l=list e=edit"),
        verb("fetch pull", "--all --depth: --force --prune --tags --rebase? --no-rebase --upload-pack: --refmap: --jobs: --strategy: --strategy-option: -f -p -t -a -j: -r? -q -v -s: -X: -o:", "f=force p=prune t=tags a=append j=jobs r=rebase q=quiet v=verbose"),
        verb("clone", "--branch: --depth: --origin: --upload-pack: --config: --template: --jobs: --filter: --reference: --separate-git-dir: --recurse-submodules? --bare --mirror -b: -o: -u: -c: -j: -l -n -q", "b=branch o=origin u=upload-pack c=config j=jobs n=no-checkout q=quiet"),
        verb("worktree", "--force --detach --reason: -f -b: -B: -d", "f=force d=detach"),
        verb("filter-branch", "--force --env-filter: --tree-filter: --index-filter: --parent-filter: --msg-filter: --commit-filter: --tag-name-filter: --subdirectory-filter: --setup: --original: -d: -f", "f=force"),
        verb("update-ref", "--stdin --no-deref -d -m: -z", ""),
        verb("reflog", "--expire: --expire-unreachable: --all --dry-run --rewrite --updateref -n", "n=dry-run"),
        verb("gc", "--aggressive --auto --prune? --no-prune --force --quiet -q", "q=quiet"),
    ]),
    fact("gh", "-R: --repo: --hostname:", "R=repo")
        .sub(Sub::First(
            "pr issue repo release workflow run secret variable gist auth ssh-key gpg-key label project cache \
             codespace cs extension ext config alias ruleset org attestation",
        ))
        .verbs(&[
            verb("merge", "--merge --squash --rebase --auto --admin --delete-branch --body: --subject: --body-file: --match-head-commit: --author-email: -m -s -r -d -b: -t: -F: -A:", "m=merge s=squash r=rebase d=delete-branch b=body t=subject F=body-file A=author-email"),
            verb("create", "--title: --body: --body-file: --base: --head: --label: --assignee: --reviewer: --milestone: --project: --notes: --notes-file: --target: --description: --template: --draft --fill --web --public --private -t: -b: -F: -B: -H: -l: -a: -r: -m: -p: -n: -d -f -w", "t=title F=body-file B=base H=head l=label a=assignee m=milestone w=web"),
            verb("delete", "--yes -y", "y=yes"),
            verb("api", "--method: --field: --raw-field: --header: --input: --jq: --template: --cache: --paginate -X: -F: -f: -H: -q: -t: -p:", "X=method F=field f=raw-field H=header q=jq t=template"),
            verb("list view edit comment close reopen", "--json: --jq: --template: --limit: --state: --search: --label: --author: --assignee: --body: --title: --comment: -q: -t: -L: -s: -S: -l: -A: -a: -b: -c:", "q=jq L=limit s=state S=search l=label"),
        ]),
    fact("hg", "-R: --repository: --cwd: --config: --encoding: --encodingmode: --color: --pager: -r: --rev: -m: --message: -u: --user: -d: --date:", "R=repository r=rev m=message u=user d=date f=force y=noninteractive").sub(Sub::First("")),
    fact(
        "svn",
        "-m: --message: -F: --file: -r: --revision: -c: --change: --username: --password: --config-dir: --config-option: \
         --trust-server-cert-failures: --depth: --set-depth: --targets: -l: --limit: --with-revprop: --encoding: --diff-cmd: \
         --diff3-cmd: --editor-cmd: -x: --extensions: --old: --new: --changelist: --cl: --accept: --native-eol: --strip: \
         --show-revs: --search: --search-and: --show-item: --viewspec:",
        "m=message F=file r=revision c=change l=limit x=extensions q=quiet",
    ).sub(Sub::First("")),
    fact("glab", "-R: --repo:", "R=repo").sub(Sub::First("mr issue repo ci release variable label auth")),
];
