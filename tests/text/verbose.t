# -v lists the options as they were understood; -vv says more.
$ sbatch -v -H -t1-2 --parsable --wrap=true 2>&1 | grep time
sbatch: time                : 1-02:00:00
$ srun -v -t1 true 2>&1 | grep 'time '
srun: time                : 00:01:00
$ salloc -vv -t1 true 2>&1 | grep -o 'salloc: debug:  service'
salloc: debug:  service

# SRUN_DEBUG tells a task how much its srun says; it does not make another srun talk.
$ srun -n1 srun -n1 --overlap sh -c 'echo $SRUN_DEBUG'
3
$ SLURM_DEBUG=1 srun true 2>&1 | grep -c 'defined options'
2

# sbcast and sattach list theirs.
$ salloc -Q sbcast -v /etc/hostname $PWD/copy 2>&1 | grep -oE '(force|preserve|modes|jobid) +='
force      =
preserve   =
modes      =
jobid      =
$ sbatch --parsable -o /dev/null --wrap='srun sh -c "while [ ! -e go ]; do sleep 0.1; done"' >id
$ while ! squeue -hs -o %i | grep -q '\.0$'; do sleep 0.1; done
$ (wait_for 'grep -q verbose said'; touch go) & sattach -vv $(cat id).0 >said 2>&1; grep verbose said
sattach: verbose        : 2

# The titles that scripts look for in the help texts.
$ sbatch --help | grep -E '^(Usage|Parallel|Constraint|Consumable|Help)' | cut -d: -f1
Usage
Parallel run options
Constraint options
Consumable resources related options
Help options
$ for c in sinfo squeue scancel sbcast sattach sdiag; do $c --help | grep -c '^Usage:\|^Help options:'; done | uniq
2
$ scontrol help | grep -c 'Valid <COMMAND> values are:'
1
