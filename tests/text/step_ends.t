# How steps and jobs end.
conf: AuthInfo=cred_expire=0

# A task prolog that can't run or fails is the end of its task.
$ srun --task-prolog=/nonexistent echo hi
! slurmstepd: error: run_command: user task_prolog can not be executed (/nonexistent) No such file or directory
! slurmstepd: error: user task_prolog did not exit normally. reason: Run command failed - configuration error
! slurmstepd: error: --task-prolog failed status=1
! srun: error: node1: task 0: Exited with exit code 1
? 1
$ printf '#!/bin/bash\nexit 3\n' >prolog; chmod +x prolog; srun --task-prolog=$PWD/prolog echo hi
! slurmstepd: error: --task-prolog failed status=3
! srun: error: node1: task 0: Exited with exit code 3
? 3
$ printf '#!/bin/bash\necho export A=b\necho print from the prolog\n' >prolog; srun --task-prolog=$PWD/prolog printenv A
from the prolog
b
$ srun --task-epilog=/nonexistent echo hi
hi
! slurmstepd: error: Could not run user task_epilog [/nonexistent]: access denied
! slurmstepd: error: TaskEpilog failed status=-1
$ printf '#!/bin/bash\nsleep 300 & echo $! >%s/left; exit 3\n' $PWD >epilog.sh; chmod +x epilog.sh
$ srun --task-epilog=$PWD/epilog.sh echo hi; wait_for '[ ! -e /proc/$(cat left) ]'
hi
! slurmstepd: error: TaskEpilog failed status=768
$ printf '#!/bin/bash\nsleep 300\n' >epilog.sh; srun --task-epilog=$PWD/epilog.sh echo hi
hi
! slurmstepd: error: TaskEpilog failed status=9
# One that only its owner may execute.
$ printf '#!/bin/bash\ntouch ran\n' >epilog.sh; chmod 700 epilog.sh; srun --task-epilog=$PWD/epilog.sh true; ls ran
ran

# A word to a job.
$ J=$(sbatch --parsable -o notify.out --wrap='until grep -q hello notify.out; do sleep 0.1; done'); wait_for "squeue -h -j $J -t R | grep -q ."; scontrol notify $J hello  there; wait_end $J; cat notify.out
slurmstepd: error: hello there
$ srun -J told sh -c 'touch up; until [ -e go ]; do sleep 0.1; done' 2>told & wait_for '[ -e up ]'; scontrol notify $(squeue -h -n told -o %i) 'hello you'; wait_for '[ -s told ]'; touch go; wait; cat told
srun: hello you
$ scontrol notify 999999 x
! job notify failure: Invalid job id specified
? 1
$ scontrol notify $J x
! job notify failure: Job/step already completing or completed
? 1

# A requeued job starts its output anew, unless it asked to append.
$ again() { J=$(sbatch --parsable "$@" -o again.out --wrap='echo run ${SLURM_RESTART_COUNT:-0}; test "$SLURM_RESTART_COUNT" || sleep 60'); wait_for "grep -q run again.out"; scontrol requeue $J; wait_for "grep -q 'run 1' again.out"; wait_end $J; sed -E "s/ $J / J /; s/AT [-0-9T:]+/AT T/" again.out; rm again.out; }
$ again
run 1
$ again --open-mode=append
run 0
slurmstepd: error: *** JOB J ON node1 CANCELLED AT T DUE TO JOB REQUEUE ***
run 1
