//! Programs for files, texts, processes and the network.

use super::facts::{Fact, fact};

pub(super) const FACTS: &[Fact] = &[
    fact("rm", "--recursive --force --interactive? --one-file-system --no-preserve-root --preserve-root? --dir --verbose", "r=recursive R=recursive R=r f=force d=dir v=verbose"),
    fact("rmdir", "--parents --verbose --ignore-fail-on-non-empty", "p=parents v=verbose"),
    fact("cp", "--archive --recursive --force --interactive --no-clobber --link --symbolic-link --preserve? --parents --update? --verbose --no-dereference --no-target-directory --remove-destination -t: --target-directory: -S: --suffix: --backup?", "a=archive r=recursive R=recursive f=force i=interactive n=no-clobber l=link s=symbolic-link u=update v=verbose t=target-directory S=suffix T=no-target-directory P=no-dereference"),
    fact("mv", "--force --interactive --no-clobber --update? --verbose --no-target-directory -t: --target-directory: -S: --suffix: --backup?", "f=force i=interactive n=no-clobber u=update v=verbose t=target-directory S=suffix T=no-target-directory"),
    fact("ln", "--symbolic --force --interactive --no-dereference --relative --verbose -t: --target-directory: -S: --suffix: --backup?", "s=symbolic f=force i=interactive n=no-dereference r=relative v=verbose t=target-directory S=suffix"),
    fact("mkdir", "-m: --mode: --parents --verbose", "m=mode p=parents v=verbose"),
    fact("chmod", "--recursive --reference: --verbose --changes --silent --quiet", "R=recursive v=verbose c=changes f=silent"),
    fact("chown chgrp", "--recursive --reference: --from: --verbose --changes --no-dereference", "R=recursive v=verbose c=changes h=no-dereference f=silent"),
    fact("touch", "-d: --date: -r: --reference: -t:", "d=date r=reference c=no-create"),
    fact("truncate", "-s: --size: -r: --reference:", "s=size r=reference c=no-create"),
    fact("shred", "-n: --iterations: -s: --size: --random-source: --remove? --force --zero", "n=iterations s=size u=remove f=force z=zero v=verbose"),
    fact("install", "-m: --mode: -o: --owner: -g: --group: -t: --target-directory: -S: --suffix:", "m=mode o=owner g=group t=target-directory d=directory"),
    fact("tee", "--append --ignore-interrupts", "a=append i=ignore-interrupts"),
    fact("cat tac nl", "-b? -s:", "n=number A=show-all E=show-ends"),
    fact("head tail", "-n: --lines: -c: --bytes: -s: --sleep-interval: --pid: --follow?", "n=lines c=bytes q=quiet v=verbose f=follow s=sleep-interval"),
    fact("ls", "--color? -I: --ignore: --sort? --time? --format? -w: -T:", "a=all A=almost-all R=recursive h=human-readable r=reverse d=directory I=ignore"),
    fact("grep egrep fgrep", "-e: --regexp: -f: --file: -m: --max-count: -A: --after-context: -B: --before-context: -C: --context: --include: --exclude: --exclude-dir: --exclude-from: --color? --label: -d: -D:", "e=regexp f=file m=max-count A=after-context B=before-context C=context r=recursive R=dereference-recursive i=ignore-case v=invert-match n=line-number l=files-with-matches c=count q=quiet o=only-matching E=extended-regexp F=fixed-strings P=perl-regexp w=word-regexp"),
    fact("sort", "-k: --key: -t: --field-separator: -o: --output: -S: --buffer-size: -T: --temporary-directory: --parallel: --compress-program:", "k=key t=field-separator o=output S=buffer-size T=temporary-directory u=unique r=reverse n=numeric-sort"),
    fact("cut", "-d: --delimiter: -f: --fields: -c: --characters: -b: --bytes: --output-delimiter:", "d=delimiter f=fields c=characters b=bytes s=only-delimited"),
    fact("uniq wc tr comm join paste", "-f: -s: -w: -d: -t: -1: -2:", ""),
    fact("diff cmp", "-U: --unified? -C: --context? -x: --exclude: -X: -I: --label: -W: -n:", "U=unified r=recursive u=unified q=brief x=exclude"),
    fact("dd", "", ""),
    fact("shuf", "-i: --input-range: -n: --head-count: -o: --output: --random-source:", "o=output n=head-count i=input-range"),
    fact("iconv", "-f: --from-code: -t: --to-code: -o: --output:", "f=from-code t=to-code o=output"),
    fact("xxd", "-c: -cols: -g: -groupsize: -l: -len: -n: -name: -o: -R: -s: -seek:", "").long_dash(),
    fact("patch", "-p: --strip: -d: --directory: -i: --input: -o: --output: -r: --reject-file: -B: --prefix: -D: --ifdef: -F: --fuzz: -V: --version-control: -Y: --basename-prefix: -z: --suffix: -g: --get:", "p=strip d=directory i=input o=output r=reject-file R=reverse"),
    fact("aria2c", "-d: --dir: -o: --out: -i: --input-file: -j: -s: --split: -x: --max-connection-per-server: -k: -t: --timeout: -m: --max-tries: --header: -U: --user-agent: --referer: --checksum: -l: --log: --conf-path: -Z", "d=dir o=out i=input-file"),
    fact("axel", "-o: --output: -n: --num-connections: -s: --max-speed: -H: --header: -U: --user-agent: -T: --timeout:", "o=output"),
    fact("http https xh xhs", "-o: --output: -a: --auth: -A: --auth-type: -p: --print: -s: --style: --session: --proxy: --timeout: --verify: --cert: --cert-key:", "o=output a=auth d=download"),
    fact("age", "-o: --output: -r: --recipient: -R: --recipients-file: -i: --identity:", "o=output d=decrypt e=encrypt"),
    fact("base64", "-w: --wrap: -i: --input: -o: --output: -b: --break:", "d=decode w=wrap o=output i=input"),
    fact("pandoc", "-o: --output: -f: --from: -t: --to: -r: -w: -V: --variable: -M: --metadata: --template: -H: -B: -A: -c:", "o=output f=from t=to"),
    fact("rclone", "--config: --transfers: --checkers: --include: --exclude: --filter: --log-file: --log-level: --bwlimit:", ""),
    fact("mkfs", "-t: --type:", "t=type"),
    fact("mount umount", "-t: --types: -o: --options: -L: -U:", "t=types o=options a=all f=force l=lazy"),
    fact("kill killall pkill", "-s: --signal: -n: -u: -g: -t: -P:", "s=signal f=full x=exact"),
    fact(
        "curl",
        "-X: --request: -H: --header: -d: --data: --data-raw: --data-binary: --data-urlencode: --data-ascii: --json: -F: --form: --form-string: -o: \
         --output: --output-dir: -u: --user: -A: --user-agent: -e: --referer: -b: --cookie: -c: --cookie-jar: -T: --upload-file: -K: \
         --config: -x: --proxy: -U: --proxy-user: -E: --cert: --key: --cacert: --capath: --url: -m: --max-time: --connect-timeout: --retry: \
         --retry-delay: -w: --write-out: -D: --dump-header: -r: --range: -C: --continue-at: -z: --time-cond: -y: -Y: -Q: --quote: -t: -P: \
         --resolve: --interface: --limit-rate: --unix-socket: --dns-servers: --doh-url: -h? --stderr: --trace: --trace-ascii: --pinnedpubkey: \
         --netrc-file: --oauth2-bearer: --aws-sigv4: --max-redirs: --preproxy: --socks5: --socks5-hostname: --cert-type: --ciphers: --tls-max: \
         --insecure --location --silent --show-error --fail --remote-name --head --include --get --verbose --compressed",
        "X=request H=header d=data F=form o=output u=user A=user-agent e=referer b=cookie c=cookie-jar T=upload-file K=config x=proxy U=proxy-user \
         E=cert m=max-time w=write-out D=dump-header r=range C=continue-at k=insecure L=location s=silent S=show-error f=fail O=remote-name I=head i=include G=get v=verbose Q=quote",
    ),
    fact(
        "wget",
        "-O: --output-document: -o: --output-file: -P: --directory-prefix: -i: --input-file: -U: --user-agent: --header: --post-data: \
         --post-file: --body-data: --body-file: --method: --user: --password: --http-user: --http-password: -t: --tries: -T: --timeout: -w: --wait: \
         -l: --level: -A: --accept: -R: --reject: -D: --domains: -e: --execute: --ca-certificate: --load-cookies: --save-cookies: -a: \
         --append-output: -B: --base: --limit-rate: -Q: --quota: -I: -X: --proxy: --config: --referer: --recursive --quiet --no-check-certificate --continue",
        "O=output-document o=output-file P=directory-prefix i=input-file U=user-agent t=tries T=timeout w=wait l=level A=accept R=reject D=domains \
         e=execute a=append-output B=base r=recursive q=quiet c=continue",
    ),
    fact("nc ncat netcat socat", "-p: -s: -w: -e: -c: --exec: --sh-exec: -i: -q: -X: -x: -P: -o:", "e=exec c=sh-exec l=listen u=udp k=keep-open w=wait"),
    fact("scp sftp", "-P: -i: -o: -F: -c: -l: -J: -S: -b: -D:", ""),
    fact("rsync", "-e: --rsh: --rsync-path: -f: --filter: --exclude: --include: --exclude-from: --include-from: --files-from: -T: --temp-dir: -B: --port: --password-file: --log-file: --max-size: --min-size: --bwlimit: --timeout: --out-format: --backup-dir: --suffix: --chmod: --chown: --delete --delete-before --delete-after --delete-excluded --archive --recursive --dry-run --remove-source-files", "e=rsh f=filter a=archive r=recursive n=dry-run v=verbose z=compress q=quiet u=update l=links T=temp-dir"),
    fact("gzip gunzip bzip2 xz zstd", "-S: --suffix: -o: --output:", "d=decompress k=keep f=force c=stdout r=recursive o=output"),
    fact("unzip", "-d: -x: -P:", ""),
    fact("zip 7z", "-x: -i: -P:", "r=recurse-paths"),
    fact("openssl", "-in: -out: -k: -K: -pass: -inkey: -cert: -key: -days: -subj: -config: -CAfile: -connect: -iv: -passin: -passout:", "").sub(super::facts::Sub::First("")).long_dash(),
    fact("jq yq", "-f: --from-file: -L: --indent: --tab", "r=raw-output c=compact-output n=null-input s=slurp e=exit-status i=in-place f=from-file"),
    fact("crontab", "-u:", "u=user e=edit l=list r=remove"),
    fact("iptables ip6tables", "-A: -D: -I: -R: -P: -t: -p: -s: -d: -i: -o: -j: -m: --dport: --sport:", "A=append D=delete I=insert F=flush P=policy t=table p=protocol s=source d=destination j=jump"),
    fact("useradd usermod userdel", "-u: -g: -G: -d: -s: -c: -p: -e:", "u=uid g=gid G=groups d=home s=shell r=remove m=create-home"),
    fact("psql", "", "c=command f=file d=dbname h=host p=port U=username"),
    fact("ssh", "", ""),
    fact("tar", "--file: --directory: --exclude: --extract --create --list", "x=extract c=create t=list f=file C=directory z=gzip j=bzip2 J=xz v=verbose P=absolute-names O=to-stdout"),
    fact("sed", "", "i=in-place n=quiet n=silent e=expression f=file E=regexp-extended r=regexp-extended z=null-data s=separate"),
    fact("sudo", "", "u=user g=group i=login s=shell E=preserve-env n=non-interactive k=reset-timestamp S=stdin b=background e=edit l=list D=chdir h=host"),
    fact("xargs", "", "0=null r=no-run-if-empty I=replace n=max-args P=max-procs L=max-lines d=delimiter a=arg-file t=verbose p=interactive"),
    fact("env", "", "i=ignore-environment u=unset C=chdir S=split-string 0=null"),
];
