# A boost is asked for, granted by an operator, seen in the order of the queue, and ends by itself.
root$ sacctmgr -iQ add account cs >/dev/null; sacctmgr -iQ add user alice,bob account=cs >/dev/null
$ grappe boost
There are no boosts.
$ grappe boost --ask --reason 'paper on Friday'
! grappe boost: error: a boost needs a time in the future: --until=...
? 1
$ grappe boost --ask --until=now+1hour --reason='paper on Friday' | sed 's/[0-9-]*T[0-9:]*/TIME/'
alice: asks for 100000 points until TIME paper on Friday
  grappe boost --grant=alice
$ grappe boost --grant=alice
! grappe boost: error: only operators grant a boost
? 1
bob$ A=$(sbatch --parsable -N4 --exclusive -t 10 -o /dev/null --wrap 'sleep 100'); wait_for "squeue -h -j $A -o %T | grep -q RUNNING"; sbatch -J others -N4 --exclusive -t 10 -o /dev/null --wrap true >/dev/null
bob$ grappe boost
There are no boosts.
$ sbatch -J mine -N4 --exclusive -t 10 -o /dev/null --wrap true >/dev/null; squeue -h -t PD -S -p -o %j
others
mine
root$ grappe boost --grant=alice --until=now+4seconds | sed 's/[0-9-]*T[0-9:]*/TIME/'
alice: 100000 points until TIME, granted by root: paper on Friday
$ squeue -h -t PD -S -p -o %j
mine
others
$ wait_for 'grappe boost | grep -q "no boosts"'; squeue -h -t PD -S -p -o %j
others
mine
root$ grappe boost --grant=nobodyhere --until=now+1hour
! grappe boost: error: there is no user nobodyhere
? 1
bob$ grappe boost --ask --until=now+1hour --reason=$'up\e[2J' | head -1 | grep -o ': up.*'
: up?[2J
bob$ grappe boost --end=bob
There are no boosts.
root$ grappe boost alice
! grappe boost: error: 'alice' is one word too many: there are only options
? 1
root$ grappe boost --end=alice
! grappe boost: error: alice has no boost
? 1
root$ scancel -u alice; scancel -u bob
