//! Containers, clusters, clouds and services of the system.

use super::facts::{Fact, Sub, Verb, fact, verb};

const COMPOSE: &str = "-f: --file: -p: --project-name: --profile: --project-directory: --env-file: --ansi: --parallel: --progress:";

const RUN: &str = "-e: --env: --env-file: -v: --volume: --mount: -w: --workdir: -u: --user: --name: -h: --hostname: -l: --label: \
    -p: --publish: --expose: --network: --net: --dns: --add-host: --entrypoint: -m: --memory: --cpus: --pids-limit: \
    --tmpfs: --ulimit: --device: --gpus: --cap-add: --cap-drop: --security-opt: --platform: --pull: --restart: --runtime: \
    --log-driver: --log-opt: --pid: --ipc: --userns: --group-add: --volumes-from: --link: --detach-keys: -a: --attach: \
    -d --detach -i --interactive -t --tty --rm --privileged --read-only --init -P --publish-all";

/// Groups of subcommands of docker.
const GROUPS: &str = "container image volume network compose buildx builder system context swarm stack service secret config \
    plugin node manifest trust pod machine kube generate";

const DOCKER: &[Verb] = &[
    verb(
        "run create",
        RUN,
        "e=env v=volume w=workdir u=user h=hostname l=label p=publish m=memory a=attach d=detach i=interactive t=tty P=publish-all",
    ),
    verb(
        "exec",
        "-e: --env: --env-file: -w: --workdir: -u: --user: --detach-keys: --index: -d -i -t --privileged",
        "e=env w=workdir u=user d=detach i=interactive t=tty",
    ),
    verb(
        "build",
        "-t: --tag: -f: --file: --build-arg: --target: --platform: --label: --network: --secret: --ssh: --output: -o: --cache-from: --cache-to: --progress:",
        "t=tag f=file o=output q=quiet",
    ),
    verb("rm rmi prune", "--filter: -f -a -v -l", "f=force a=all v=volumes l=link"),
    verb("leave disconnect", "-f", "f=force"),
    // Options between `compose` and its subcommand.
    verb("compose", COMPOSE, "f=file p=project-name"),
    verb("down", "-t: --timeout: --rmi: -v", "t=timeout v=volumes"),
    verb("up", "-d --detach --build --scale: -t: --timeout: --pull:", "d=detach t=timeout"),
    verb("push pull", "-a -q --platform:", "a=all-tags q=quiet"),
    verb("logs", "-n: --tail: --since: --until: -f -t", "n=tail f=follow t=timestamps"),
    verb(
        "ps images ls history",
        "-a -q -l -s -n: --last: --no-trunc --digests",
        "a=all q=quiet n=last l=latest s=size",
    ),
];

pub(super) const FACTS: &[Fact] = &[
    fact("perf", "", "").sub(Sub::First("mem c2c lock kmem sched stats kwork timechart kvm stat trace ftrace script")),
    fact(
        "docker podman",
        "-H: --host: --config: -c: --context: -l: --log-level: --tlscacert: --tlscert: --tlskey: -f: --file: --filter: --format: \
         --project-name: --profile: --project-directory: --env-file: --builder: \
         --connection: --url: --identity: --ssh: --root: --runroot: --runtime: --runtime-flag: --storage-driver: --storage-opt: \
         --imagestore: --tmpdir: --volumepath: --module: --out: --conmon: --cgroup-manager: --events-backend: --hooks-dir: \
         --network-config-dir: --network-cmd-path: --cni-config-dir: --db-backend: --cdi-spec-dir: --registries-conf: \
         --default-mounts-file:",
        "H=host c=context l=log-level D=debug a=all q=quiet",
    )
    .sub(Sub::First(GROUPS))
    .verbs(DOCKER),
    fact(
        "nerdctl",
        "-a: -H: --address: --host: -n: --namespace: --snapshotter: --storage-driver: --cni-path: --cni-netconfpath: --data-root: \
         --cgroup-manager: --hosts-dir: --bridge-ip: --host-gateway-ip: --userns-remap: -f: --file: --filter: --format: --builder:",
        "a=address H=host n=namespace D=debug q=quiet",
    )
    .sub(Sub::First(GROUPS))
    .verbs(DOCKER),
    fact("docker-compose podman-compose", "-f: --file: -p: --project-name: --profile: --project-directory: --env-file: -H: --host: --ansi: --parallel: --progress: -c: --context: \
         --log-level: --tlscacert: --tlscert: --tlskey: --podman-path: --podman-args: --podman-pull-args: --podman-push-args: --podman-build-args: \
         --podman-run-args: --podman-start-args: --podman-stop-args: --podman-rm-args: --podman-volume-args: --in-pod: --pod-args: -t: --transform_policy:", "f=file p=project-name")
        .sub(Sub::First(""))
        .verbs(&[verb("down", "-t: --timeout: --rmi: -v", "t=timeout v=volumes"), verb("run exec", RUN, "e=env v=volume w=workdir u=user d=detach"), verb("rm", "-f -s -v", "f=force s=stop v=volumes")]),
    fact(
        "kubectl oc",
        "-n: --namespace: --context: --kubeconfig: --cluster: --user: -s: --server: --as: --as-group: --as-uid: --as-user-extra: \
         --token: --request-timeout: --cache-dir: --certificate-authority: --client-certificate: --client-key: --kuberc: --log-backtrace-at: \
         --log-dir: --log-file: --log-file-max-size: --log-flush-frequency: --password: --username: --profile: --profile-output: \
         --stderrthreshold: --tls-server-name: --vmodule: --v: \
         -f: --filename: -l: --selector: -o: --output: -k: --kustomize: --field-selector: --grace-period: --timeout: -c: --container: \
         -p: --patch: --type: --replicas: --image: --port: --tail: --since: -v: --cascade? --dry-run? --for: --sort-by:",
        "n=namespace s=server f=filename l=selector o=output k=kustomize A=all-namespaces c=container p=patch R=recursive w=watch i=stdin t=tty v=v",
    )
    .sub(Sub::First("config rollout set create auth certificate top adm")),
    fact(
        "helm",
        "-n: --namespace: --kube-context: --kubeconfig: --kube-token: --kube-apiserver: --kube-as-group: --kube-as-user: --kube-ca-file: \
         --kube-tls-server-name: --burst-limit: --qps: --repository-cache: --content-cache: --color: -f: --values: --set: --set-string: --set-file: --set-json: --version: \
         --repo: --timeout: --username: --password: -o: --output: --registry-config: --repository-config: --description:",
        "n=namespace f=values o=output i=install a=atomic",
    )
    .sub(Sub::First("repo plugin dependency get show registry")),
    fact("aws", "--profile: --region: --output: --query: --endpoint-url: --color: --ca-bundle: --cli-read-timeout: --cli-connect-timeout: --cli-binary-format: --cli-error-format: --cli-input-json: --cli-input-yaml: --bucket: --key: --function-name: --stack-name: --instance-ids: --exclude: --include: --acl:", "").sub(Sub::Second),
    fact(
        "gcloud bq gsutil",
        "--project: --account: --configuration: --format: --filter: --zone: --region: --verbosity: --impersonate-service-account: --flags-file: --billing-project: --trace-token: --access-token-file: \
         --flatten: --limit: --page-size: --sort-by: --description: --labels: --name: --image: --cluster: --role: --member:",
        "q=quiet",
    )
    .sub(Sub::Verb(
        "list describe create delete update deploy ssh scp add remove set get reset start stop restart resize describe \
         get-credentials login logout revoke activate-service-account configure-docker print-access-token \
         add-iam-policy-binding remove-iam-policy-binding set-iam-policy get-iam-policy submit call run execute \
         import export rollback promote enable disable destroy restore access cp mv rm rsync cat ls mb rb copy move",
    )),
    fact("az", "-g: --resource-group: -n: --name: --subscription: -o: --output: --query: -l: --location:", "g=resource-group n=name o=output l=location y=yes").sub(Sub::Verb("list show create delete update start stop restart deploy login logout set add remove purge reset invoke up down scale")),
    fact(
        "terraform tofu terragrunt",
        "-target: -var: -var-file: -state: -state-out: -backup: -lock-timeout: -parallelism: -out: -chdir: -replace: -backend-config: -plugin-dir: -from-module: \
         --config: --working-dir: --log-level: --log-format: --log-custom-format: --download-dir: --source: --source-map: --iam-assume-role: \
         --iam-assume-role-duration: --iam-assume-role-session-name: --queue-include-dir: --queue-exclude-dir: --queue-excludes-file: --filter: \
         --feature: --experiment: --inputs: --parallelism: --tf-path: --provider-cache-dir: --units-that-include: --strict-control: \
         --terragrunt-config: --terragrunt-working-dir: --terragrunt-download-dir: --terragrunt-source: --terragrunt-source-map: \
         --terragrunt-iam-role: --terragrunt-iam-assume-role-duration: --terragrunt-tfpath: --terragrunt-include-dir: --terragrunt-exclude-dir: \
         --terragrunt-parallelism: --terragrunt-log-level: --terragrunt-log-format:",
        "",
    )
    .sub(Sub::First("state workspace providers")).long_dash(),
    fact("pulumi", "-s: --stack: -C: --cwd: -m: --message: -c: --config: -t: --target:", "s=stack C=cwd m=message y=yes c=config t=target f=skip-preview").sub(Sub::First("stack config state plugin")),
    fact("ansible-playbook ansible", "-i: --inventory: -e: --extra-vars: -l: --limit: -t: --tags: -u: --user: -m: --module-name: -a: --args: --vault-password-file: -f: --forks:", "i=inventory e=extra-vars l=limit t=tags u=user m=module-name a=args f=forks b=become C=check"),
    fact("systemctl", "-H: --host: -M: --machine: -t: --type: --state: -p: --property: -n: --lines: -o: --output: -s: --signal: --kill-whom: --root: --job-mode: -P: --image: --image-policy: --kill-who: --kill-value: \
         --timestamp: --check-inhibitors: --preset-mode: --what: --reboot-argument: --message: --legend: --boot-loader-menu: --boot-loader-entry: --when: \
         --drop-in:", "H=host M=machine t=type p=property n=lines o=output s=signal a=all f=force q=quiet l=full").sub(Sub::First("")),
    fact("service", "", ""),
    fact("ip", "-n: -netns: -f: -family: -b: -batch:", "").sub(Sub::First("netns vrf")).long_dash(),
    fact("launchctl", "", "").sub(Sub::First("")),
    fact("journalctl", "-u: --unit: -n: --lines: -S: --since: -U: --until: -o: --output: -p: --priority: --vacuum-size: --vacuum-time:", "u=unit n=lines S=since U=until o=output p=priority f=follow"),
    fact("vercel netlify fly flyctl heroku railway wrangler firebase serverless sls", "-a: --app: -t: --token: --token: -A: --scope: -S: -c: --config: -e: --env: --project: -P: -r: --remote: -s: --stage:", "a=app t=token c=config e=env y=yes").sub(Sub::First("apps secrets config env functions deploy kv r2 d1 pages")),
];
