# An array is one record until a task starts; %2 lets two run at a time.
$ sbatch --array=0-5%2 -o arr-%A_%a.out --wrap='echo I am $SLURM_ARRAY_TASK_ID of $SLURM_ARRAY_JOB_ID; until [ -e go ]; do sleep 0.1; done'
Submitted batch job 1
$ wait_for '[ $(squeue -h -t R | wc -l) = 2 ]'
$ squeue
             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
         1_[2-5%2]     batch     wrap    alice PD       0:00      1 (JobArrayTaskLimit)
~                1_0     batch     wrap    alice  R       0:0[0-9]      1 node1
~                1_1     batch     wrap    alice  R       0:0[0-9]      1 node1
$ touch go; wait_for '[ -z "$(squeue -h)" ]'
$ cat arr-1_*.out
I am 0 of 1
I am 1 of 1
I am 2 of 1
I am 3 of 1
I am 4 of 1
I am 5 of 1

# One waiting task is shown with the files that it will write.
$ a=$(sbatch --parsable -H --array=3-6%2 -o 'out-%A_%a' -J four --wrap=true)
$ scontrol show job ${a}_5 | grep -E 'JobId|Std' | sed "s#$PWD#DIR#;s/$a/A/g"
JobId=A ArrayJobId=A ArrayTaskId=5 ArrayTaskThrottle=2 JobName=four
   StdErr=DIR/out-A_5
   StdIn=/dev/null
   StdOut=DIR/out-A_5

# Waiting tasks that differ are one line, with the reasons of all; another name makes its own line.
$ scontrol update jobid=${a}_3 starttime=now+1hour; scontrol release ${a}_3
$ wait_for "squeue -h -r -j ${a}_3 -o %r | grep -q BeginTime"
$ squeue -h -j $a -o '%i|%r|%R' | sed "s/$a/A/g"
A_[3-6]|JobHeldUser,BeginTime|(JobHeldUser,BeginTime)
$ scontrol update jobid=${a}_4 name=other; squeue -h -S i -j $a -o '%i %j' | sed "s/$a/A/g" | sort
A_4 other
A_[3,5-6] four
$ scancel $a

# A job that has ended changes no more.
$ b=$(sbatch --parsable -o /dev/null --wrap=true); wait_end $b
$ scontrol update jobid=$b comment=late 2>&1 | sed "s/$b/B/"
Job has already finished for job B
# A task that is cancelled before it ran is no part of its array any more.
$ a=$(sbatch --parsable -H --array=0-3 -o /dev/null --wrap=true); scancel ${a}_3; scontrol show job ${a}_3 | sed "s/$a/A/"; squeue -h -t all -j $a -o %i | sed "s/$a/A/"
Job A_3 not found
A_[0-2]
$ scontrol show job ${a}_3 >/dev/null
? 1
$ scancel $a; scontrol -o show job $a | grep -o 'ArrayTaskId=[^ ]*\|JobState=[^ ]*' | xargs
ArrayTaskId=0-2 JobState=CANCELLED
