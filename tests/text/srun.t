# Tasks on nodes, their output labelled.
$ srun hostname | wc -l
1
$ srun -N 4 -l bash -c 'echo $SLURMD_NODENAME $SLURM_PROCID $SLURM_NTASKS' | sort
0: node1 0 4
1: node2 1 4
2: node3 2 4
3: node4 3 4
$ srun -N1 -n12 -O -l echo hi | sort | head -2
 0: hi
 1: hi
$ srun -l printf 'abc\n\ndef'
0: abc
0: 
0: def

# Exit codes and what is said of them.
$ srun bash -c "exit 7"
! srun: error: node1: task 0: Exited with exit code 7
? 7
$ wait_for '[ -e up.0 -a -e up.1 -a -e up.2 -a -e up.3 ]' | srun -N1 -n4 bash -c 'touch up.$SLURM_PROCID; read line; exit 1'
! srun: error: node1: tasks 0-3: Exited with exit code 1
? 1
$ srun nosuchcommand
! slurmstepd: error: execve(): nosuchcommand: No such file or directory
! srun: error: node1: task 0: Exited with exit code 2
? 2
$ srun -N1 -n2 bash -c 'if [ $SLURM_PROCID = 0 ]; then echo $$ >first; exit 200; fi; until [ -s first ] && [ ! -e /proc/$(cat first) ]; do sleep 0.1; done; kill -9 $$'
! srun: error: node1: task 0: Exited with exit code 200
! srun: error: node1: task 1: Killed
~ ! srun: Force Terminated StepId=\d+\.0
? 137
$ srun -N1 -n2 -K bash -c 'if [ $SLURM_PROCID = 0 ]; then sleep 0.3; exit 3; fi; sleep 20'
! srun: error: node1: task 0: Exited with exit code 3
~ ! srun: launch/slurm: _step_signal: Terminating StepId=\d+\.0
~ ! slurmstepd: error: \*\*\* STEP \d+\.0 ON node1 CANCELLED AT \S+ \*\*\*
! srun: error: node1: task 1: Terminated
~ ! srun: Force Terminated StepId=\d+\.0
? 143

# Input and files.
$ echo data | srun -N1 -n2 -l cat | sort
0: data
1: data
$ echo data | srun -N1 -n2 -l -i 1 cat
1: data
$ echo data >in; srun -N1 -n2 -l -i in cat | sort
0: data
1: data
$ srun -N1 -n2 -o f.%5j.%s bash -c 'echo o' && cat f.* && rm f.*
o
o
$ srun -N1 -n2 -o g.%t bash -c 'echo $SLURM_PROCID; echo e >&2' && cat g.0 g.1
0
e
1
e
$ srun -N1 -n2 -l -o h.%t echo x && cat h.0 h.1
0: x
1: x
$ srun -o /nonexist/x echo hi
! srun: error: Could not open stdout file: No such file or directory
? 1
$ srun -o none bash -c 'echo o; echo e >&2'
$ printf '0 echo zero %%t %%o\n1-2 echo r %%t %%o\n* echo rest %%t\n' >mp; srun -N1 -n4 -l --multi-prog mp | sort
0: zero 0 0
1: r 1 0
2: r 2 1
3: rest 3

# Inside an allocation.
$ printf '#!/bin/bash\nsrun -l echo step 2>&1 | sort\nsrun -n4 hostname\nsrun -n1 --exact sh -c "touch up; until grep -q retrying steps.out; do sleep 0.1; done" & until [ -e up ]; do sleep 0.1; done; srun -n2 --exact true; wait\nsrun -N3 -n3 true\n' >steps.sh
$ sbatch --wait -N1 -n2 -o steps.out steps.sh >/dev/null; sed 's/ob [0-9][0-9]*/ob N/' steps.out
0: step
1: step
srun: error: Unable to create step for job N: More processors requested than permitted
srun: Job N step creation temporarily disabled, retrying (Requested nodes are busy)
srun: Step created for job N
srun: error: Only allocated 1 nodes asked for 3

# Refusals are Slurm's.
$ srun
! srun: fatal: No command given to execute.
? 1
$ srun --jobid=999999 true
! srun: error: Unable to confirm allocation for job 999999: Invalid job id specified
! srun: Check SLURM_JOB_ID environment variable. Expired or invalid job 999999
? 1
$ SLURM_EXIT_ERROR=77 srun -p nosuch true
! srun: error: invalid partition specified: nosuch
! srun: error: Unable to allocate resources: Invalid partition name specified
? 77
$ srun -n1 -N2 true
! srun: Warning: can't run 1 processes on 2 nodes, setting nnodes to 1
$ srun --pty tty
not a tty
! srun: error: ioctl(TIOCGWINSZ): Inappropriate ioctl for device
! srun: error: Not using a pseudo-terminal, disregarding --pty option
! srun: error: node1: task 0: Exited with exit code 1
? 1

# A terminal.
$ script -qec "srun --pty bash -c 'test -t 0 && test -t 1 && stty size && exit 5'" /dev/null | tr -d '\r'; echo ${PIPESTATUS[0]}
0 0
srun: error: node1: task 0: Exited with exit code 5
5

# Signals.
$ (trap 'kill -INT $(cat pid)' EXIT; wait_for 'grep -q queued queued') & sh -c 'echo $$ >pid; exec srun -n 33 --exclusive -N4 sleep 9' 2>queued; wait; sed 's/[0-9][0-9]*/N/' queued
srun: Requested partition configuration not available now
srun: job N queued and waiting for resources
srun: Job allocation N has been revoked
srun: Force Terminated JobId=N
$ rm -f up; srun sh -c 'touch up; exec sleep 30' & p=$!; wait_for '[ -e up ]'; kill -TERM $p; wait $p
! srun: forcing job termination
~ ! srun: Job step aborted: Waiting up to \d+ seconds for job step to finish.
~ ! slurmstepd: error: \*\*\* STEP \d+\.0 ON node1 CANCELLED AT \S+ \*\*\*
! srun: error: node1: task 0: Killed
? 137
$ rm -f up; srun bash -c 'trap "echo got; exit 4" USR1; touch up; sleep 30 & wait' 2>err & p=$!; wait_for '[ -e up ]'; kill -USR1 $p; wait $p; echo $?; grep -v SIGCONT err
got
4
srun: error: node1: task 0: Exited with exit code 4

# Someone else looks on.
$ srun -J seen -N2 -n3 bash -c 'until [ -e go ]; do echo tick; sleep 0.1; done; echo line; exit 3' >/dev/null 2>&1 & wait_for 'squeue -h -s -n seen | grep -q seen'; J=$(squeue -h -n seen -o %i); sattach --layout $J.0; (wait_for 'grep -q tick seen'; touch go) & sattach -l $J.0 >seen 2>&1; sort seen | grep -v tick
Job step layout:
	3 tasks, 2 nodes (node[1-2])

	Node 0 (node1), 2 task(s): 0 1 
	Node 1 (node2), 1 task(s): 2 
0: line
1: line
2: line
sattach: error: task 0 exited with exit code 3
sattach: error: task 1 exited with exit code 3
sattach: error: task 2 exited with exit code 3
$ sattach 999999.0
! sattach: error: Could not get job step info: Invalid job id specified
? 1

# The program is copied first, and the copy runs.
$ srun --bcast=$PWD/copied -n2 -l cat /proc/self/comm | sort; ls copied
0: copied
1: copied
copied
$ srun -Q --bcast cat /proc/self/comm | sed 's/[0-9][0-9]*/N/'; ls slurm_bcast_* | wc -l; rm slurm_bcast_*
slurm_bcast_N
1
$ srun --bcast=/nosuch/x true
! sbcast: error: REQUEST_FILE_BCAST(node1): No such file or directory
! srun: error: Failed to broadcast 'true'. Step launch aborted.
? 1
$ srun --send-libs --bcast true
! srun: error: --send-libs is not supported: every node sees the libraries of this machine, copies are not needed
? 255
