use super::{guard, holds};

/// Whether `runs` and `may_run` are true of a line.
fn runs(pattern: &str, line: &str) -> (bool, bool) {
    (holds(&guard("runs", &[pattern], &[]), line), holds(&guard("may_run", &[pattern], &[]), line))
}

const YES: (bool, bool) = (true, true);
const MAYBE: (bool, bool) = (false, true);
const NO: (bool, bool) = (false, false);

#[test]
fn patterns_match_commands() {
    let cases: &[(&str, &str, (bool, bool))] = &[
        // Programs: by any path, in any case, with a version.
        ("git", "/usr/bin/GIT status", YES),
        ("python", "python3.12 x", YES),
        ("git", "gitk", NO),
        ("prisma migrate reset", "npx prisma@5 migrate reset", YES),
        ("*", "x", YES),
        // Other names of a program, and its name on Windows.
        ("git push", "/mnt/c/Git/GIT.EXE push", YES),
        ("npm publish", r"'C:\x y\npm.cmd' publish", YES),
        ("gradle publish", "./gradlew publish", YES),
        ("gradlew publish", "gradle publish", YES),
        ("gradle publish", "mvn publish", NO),
        ("kubectl delete", "k delete x", YES),
        ("oc delete", "kubectl delete x", NO),
        ("npm publish --dry-run", "npm publish --dry-run=false", NO),
        ("kubectl delete --dry-run=none", "kubectl delete x --dry-run=none", YES),
        ("./deploy.sh", "./deploy.sh", YES),
        ("./deploy.sh", "cd x; ../deploy.sh", YES),
        ("./deploy.sh", "deploy.sh", NO),
        ("./deploy.sh", "bash deploy.sh prod", YES),
        ("./deploy.sh prod", "bash deploy.sh prod", YES),
        ("./deploy.sh", "cd x && sh ../deploy.sh", YES),
        ("./deploy.sh", ". ./deploy.sh", YES),
        ("./deploy.sh", "bash x.sh deploy.sh", NO),
        ("@shells", "dash x", YES),
        ("{a,b}", "b", YES),
        // Wrappers, and what they start.
        ("sudo", "sudo git push", YES),
        ("git push", "sudo sh -c 'git push'", YES),
        // Subcommands under each of their names.
        ("git push", "git -C x push", YES),
        ("git push", "git pull", NO),
        ("git", "git pull", YES),
        ("git psh", "git pull", NO),
        ("git {pull,push}", "git push", YES),
        ("git stash drop", "git stash drop", YES),
        ("git stash {drop,clear}", "git stash list", NO),
        ("git push", "git $X", MAYBE),
        ("git push", "git status $X", NO),
        ("docker compose down -v", "docker compose -f x down -v", YES),
        ("docker compose --file=*://*", "docker compose -f https://h/x up", YES),
        ("docker compose down", "docker compose -p x down", YES),
        ("docker volume rm", "docker volume create $V", NO),
        ("docker volume rm", "docker volume $V x", MAYBE),
        ("docker container run", "docker run x", YES),
        ("docker run", "docker container run x", YES),
        ("gcloud * delete", "gcloud compute instances delete x", YES),
        ("gcloud * delete", "gcloud compute instances list", NO),
        ("gh * delete", "gh repo delete x", YES),
        ("aws * {delete,terminate}-*", "aws ec2 terminate-instances", YES),
        ("kubectl config", "kubectl config view", YES),
        ("npm i", "npm install x", YES),
        // Flags under each of their names, with values.
        ("git push --force", "git push -f", YES),
        ("git push -f", "git push --force", YES),
        ("git push --force", "git push", NO),
        ("git push -f", "git push -F", NO),
        ("rm -rf", "rm -r --force x", YES),
        ("rm -rf", "rm -r x", NO),
        ("git branch -c", "git -c a=b branch", NO),
        ("git -c=core.hooksPath=*", "git -c core.hooksPath=/x commit", YES),
        ("git commit -m=x*", "git commit -m xy", YES),
        ("git commit -m=x*", "git commit -m a", NO),
        ("git commit -m=/^a b$/", "git commit -m 'a b'", YES),
        ("git push {--force,--mirror}", "git push -f", YES),
        ("git push {--force,--mirror}", "git push", NO),
        ("git push !{--force,--mirror}", "git push -f", NO),
        ("git push !--force", "git push -f", NO),
        ("git push !-{f,n}", "git push -n", NO),
        ("git push !-*", "git push", YES),
        ("git push !-*", "git push -q", NO),
        ("git push --force", "git push $X", MAYBE),
        ("git push --force", "git push origin x$X", MAYBE),
        ("rm -f", "rm *", MAYBE),
        // Operands in order, with gaps.
        ("git push origin main", "git push origin x main", YES),
        ("git push main origin", "git push origin main", NO),
        ("git push ^main", "git push origin main", NO),
        ("git push ^origin main", "git push origin x main", YES),
        ("git push origin !*", "git push origin main", NO),
        ("git push main !*", "git push origin main", YES),
        ("git push !*", "git push", YES),
        ("git push !main", "git push origin main", NO),
        ("git checkout * !{main,master}", "git checkout x", YES),
        ("git checkout * !{main,master}", "git checkout master", NO),
        ("git push *", "git push", NO),
        ("git checkout main", "git checkout $B", MAYBE),
        ("git checkout x*", "git checkout x$B", YES),
        // Paths are resolved.
        ("rm /etc/*", "cd /etc && rm passwd", YES),
        ("rm @system", "rm ~/../../etc", MAYBE),
        ("rm @system", "rm -r ~/.ssh/", YES),
        ("rm ./x", "rm y/../x", YES),
        ("rm ./x", "rm y/x", NO),
        // Variables and regular expressions.
        ("rm $*DIR", "rm $MY_DIR/x", YES),
        ("rm $*DIR", "rm MY_DIR", NO),
        ("psql /drop table/i", "psql -c 'DROP TABLE x'", YES),
        ("kill -{9,KILL} /^-1$/", "kill -9 -1", YES),
        ("chmod @world_writable", "chmod 777 x", YES),
        ("chmod @world_writable", "chmod 755 x", NO),
        // Variables in front.
        ("HUSKY=0 git", "HUSKY=0 git commit", YES),
        ("HUSKY=0 git", "HUSKY=1 git commit", NO),
        // What earlier commands export.
        ("HUSKY=0 git", "export HUSKY=0; git commit", YES),
        ("HUSKY=0 git", "export HUSKY=0; HUSKY=1 git commit", NO),
        ("HUSKY=0 git", "export HUSKY=0; HUSKY=1; git commit", NO),
        ("HUSKY=0 git", "HUSKY=0; git commit", NO),
        ("HUSKY=0 git", "HUSKY=0; export HUSKY && sudo -E sh -c 'git commit'", MAYBE),
        ("HUSKY=0 git", "declare -x HUSKY=0; bash -c 'git commit'", YES),
        ("HUSKY=0 git", "set -a; HUSKY=0; set +a; git commit", YES),
        ("HUSKY=0 git", "set -o allexport; HUSKY=0; git commit", YES),
        ("HUSKY=0 git", "set -a; set +a; HUSKY=0; git commit", NO),
        ("HUSKY=0 git", "export HUSKY=0; unset HUSKY; git commit", NO),
        ("HUSKY=0 git", "export HUSKY=0; env -u HUSKY git commit", NO),
        ("HUSKY=0 git", "export HUSKY=0; env -i git commit", NO),
        ("HUSKY=0 git", "(export HUSKY=0); git commit", NO),
        ("HUSKY=0 git", "export HUSKY=$X; git commit", MAYBE),
        ("HUSKY=* git", "export HUSKY=$X; git commit", YES),
        ("HUSKY=0 git", "git commit; export HUSKY=0", NO),
        ("HUSKY=0 git", "export HUSKY; git commit", NO),
        ("GIT_*=/x/ git", "GIT_DIR=axb git commit", YES),
        // Pipes.
        ("curl | sh", "curl u | sh", YES),
        ("curl | sh", "curl u | tee x | sh", YES),
        ("curl | sh", "bash -c \"$(curl u)\"", MAYBE),
        ("curl | bash", "bash -c \"$(curl u)\"", YES),
        ("curl | sh", "curl u; sh x", NO),
        ("@fetchers | @interpreters", "curl -o f u; sh f", YES),
        ("curl | python", "curl u | python3 -m json.tool", NO),
        ("curl | wc", "curl u | wc -l", YES),
        ("find /etc | rm", "find /etc -name x | xargs rm", YES),
        ("find /etc | rm", "find /etc -exec rm {} +", YES),
        ("sudo | rm", "sudo rm x", NO),
    ];
    for (pattern, line, expected) in cases {
        assert_eq!(runs(pattern, line), *expected, "{pattern}: {line}");
    }
}

#[test]
fn exceptions_are_narrow() {
    let except =
        |except: &str, line: &str| holds(&guard("runs", &["git", "npm publish", "env"], &[except]), line);
    assert!(!except("* --dry-run", "npm publish --dry-run"));
    assert!(except("* --dry-run", "npm publish --dry-run --unheard-of"));
    assert!(except("* --dry-run", "npm publish --dry-run $X"));
    assert!(!except("git status", "git status -s"));
    assert!(except("GIT status", "git status"));
    assert!(except("git status", "git status; git push"));
    assert!(!except("* | grep", "env | grep X"));
    assert!(except("* | grep", "env"));
}
