# Commands that are typed one after the other.
$ printf 'show qos format=name\n!!\nshow tres type=gres format=type\nexit\nshow qos\n' | sacctmgr
$ printf 'nosuch\nquit\n' | sacctmgr; echo $?
$ printf '\nreadonly\nadd account x\nshow qos format=name\n' | sacctmgr
$ printf 'parsable2\nshow qos format=name,prio\nquiet\nverbose\nexit 3\nexit\n' | sacctmgr
$ printf 'ass\nshow user alice\nq\n' | sacctmgr
$ sacctmgr -V
$ sacctmgr version
$ sacctmgr ver extra
$ sacctmgr -x
$ sacctmgr parsable
$ sacctmgr readonly
# A letter is an answer, without the end of the line.
root$ sacctmgr -iQ add account zz >/dev/null; (wait_for 'grep -q N/y said'; printf N; wait_for 'grep -q Discarded said') | script -qefc 'sacctmgr del account zz' said >/dev/null; tr -d '\r' <said | grep -E 'timeout|Discarded|N/y'; sacctmgr -iQ del account zz >/dev/null
