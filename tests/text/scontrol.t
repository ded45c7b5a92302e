# A held job: changed by its owner, not by another user.
$ sbatch -H --parsable -J held -n1 --comment='a b' -o held.out --wrap='echo ran'
1
$ scontrol update jobid=1 timelimit=30 nice=5 jobname=other
$ scontrol show job 1 | grep -E 'JobId|Nice|TimeLimit|Comment|NumNodes'
JobId=1 JobName=other
~    Priority=0 Nice=5 Account=.* QOS=.*
   RunTime=00:00:00 TimeLimit=00:30:00 TimeMin=N/A
   NumNodes=1 NumCPUs=1 NumTasks=1 CPUs/Task=1 ReqB:S:C:T=0:0:*:*
   Comment=a b 
$ scontrol update jobid=1 timelimit+=5; squeue -j 1 -ho %l
35:00
bob$ scontrol update jobid=1 timelimit=20
! Invalid user id for job 1
? 1
$ scontrol update jobid=1 foo=bar
! Update of this parameter is not supported: foo=bar
! Request aborted
? 1
$ scontrol write batch_script 1
batch script for job 1 written to slurm-1.sh
$ tail -1 slurm-1.sh
echo ran
$ scontrol release 1
$ wait_end 1
$ cat held.out
ran
$ scontrol hold 1
! Job has already finished for job 1
! slurm_suspend error: Job has already finished
? 1
$ scontrol hold 9999,9998
! Invalid job id specified for job 9999
! Invalid job id specified for job 9998
! slurm_suspend error: Invalid job id specified
? 1

# What is not there.
$ scontrol show job 999999
! slurm_load_jobs error: Invalid job id specified
? 1
$ scontrol show node nosuch
Node nosuch not found
? 1
$ scontrol show partition nosuch
Partition nosuch not found
? 1

# Commands from standard input.
$ printf 'show hostnames n[1-2]\n!!\nquit\n' | scontrol
scontrol: show hostnames n[1-2]
n1
n2
scontrol: !!
n1
n2
scontrol: quit

# A node is drained by root, with a reason.
$ scontrol update nodename=node2 state=drain reason=x
! slurm_update error: Invalid user id
? 1
root$ scontrol update nodename=node2 state=drain
! You must specify a reason when DOWNING or DRAINING a node. Request denied
? 1
root$ scontrol update nodename=node2 state=drain reason='fan broken'
$ scontrol show node node2 | grep -E 'State|Reason'
   State=IDLE+DRAIN ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A
~    Reason=fan broken \[root@20[0-9T:-]+\]
root$ scontrol update nodename=node2 state=resume

# Each task of an array has its own answer; those that agree share a line.
$ a=$(sbatch --parsable -o /dev/null --array=0-2 --wrap='test $SLURM_ARRAY_TASK_ID = 0 || sleep 60')
$ wait_for "squeue -h -t CD -j ${a}_0 | grep -q ."
$ wait_for "squeue -h -t R -j ${a}_2 | grep -q ."
$ scontrol hold $a 2>&1 | sed "s/^$a/A/"
A_0: Job has already finished
A_1-2: No error
$ scontrol update jobid=${a}_[0-2] nice=3 2>&1 | sed "s/^$a/A/"
A_0: Job has already finished
A_1-2: No error
$ scontrol update jobid=$a partition=c-iq 2>&1 | sed "s/^$a/A/"
A_0: Job has already finished
A_1-2: Job is no longer pending execution
$ scontrol hold ${a}_0 2>&1 | sed "s/^$a/A/"
A_0: Job has already finished
$ scontrol hold ${a}_9 2>&1 | sed "s/^$a/A/"
A_9: Invalid job id specified
$ scancel $a

# By name; a job that runs is held when it comes back.
$ j=$(sbatch --parsable -J byname --requeue -o named.out --wrap='sleep 600')
$ wait_for "squeue -h -t R -j $j | grep -q ."
$ scontrol hold jobname=byname
$ scontrol show job $j | grep -o 'JobState=.*Reason=[A-Za-z]*'
JobState=RUNNING Reason=JobHeldUser
$ wait_for "test -e named.out"
$ scontrol notify $j hello there
$ wait_for "grep -q hello named.out"
$ cat named.out
slurmstepd: error: hello there
$ scontrol requeue $j
$ wait_for "squeue -h -t PD -j $j | grep -q ."
$ squeue -h -j $j -o '%T %r'
PENDING JobHeldUser
$ tail -1 named.out | sed -E "s/ $j / J /; s/AT [-0-9T:]+/AT T/"
slurmstepd: error: *** JOB J ON node1 CANCELLED AT T DUE TO JOB REQUEUE ***
$ scontrol release jobname=byname
$ scontrol update jobid=$j nodelist=node3 numcpus=2
$ scontrol show job $j | grep -oE 'ReqNodeList=\S+|MinCPUsNode=\S+'
ReqNodeList=node3
MinCPUsNode=2
bob$ scontrol hold jobname=byname
$ scancel $j

# With another user's rights.
root$ j=$(sbatch --parsable -H -o /dev/null --wrap=true); scontrol -u alice update jobid=$j nice=5; echo $?; scancel $j
1
~ ! Invalid user id for job [0-9]+

# Words that are nearly right.
$ scontrol shwo job
! invalid keyword: shwo
! did you mean show?
? 1
$ scontrol update jobid=1 timlimit=5
! Update of this parameter is not supported: timlimit=5
! Request aborted
! did you mean TimeLimit?
? 1
$ squeue -hO jobidd
! squeue: error: Invalid job format specification: jobidd
! did you mean jobid?

# What is used of limits is not counted.
$ scontrol show assoc_mgr flags=qos | sed -n '1p;5p'
Current Association Manager state
QOS=normal(1)
# The priority of a held job is no way to release it.
$ sbatch --parsable -H --wrap=true >held
$ scontrol update JobId=$(cat held) Priority=5 2>&1 | sed 's/ for job.*//'
Job is in held state, pending scheduler release
$ squeue -h -j $(cat held) -o '%T %r'
PENDING JobHeldUser
$ scancel $(cat held)
