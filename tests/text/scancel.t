# One's own job, and another's.
$ sbatch --parsable -o /dev/null --wrap='sleep 100'
1
$ wait_for 'squeue -j 1 -ho %t | grep -q R'
bob$ scancel 1
! scancel: error: Kill job error on job id 1: Access/permission denied
? 210
$ echo n | scancel -i 1; echo
Cancel job_id=1 name=wrap partition=batch [y/n]? 
$ scancel 1
$ wait_end 1
$ scontrol show job 1 | grep -o 'JobState=[A-Z]*'
JobState=CANCELLED
$ scancel 1
$ scancel 999999
$ scancel -v 999999
! scancel: Terminating job 999999
! scancel: error: Kill job error on job id 999999: Invalid job id specified

# By tasks, by name, by state.
$ sbatch --parsable -H -o /dev/null --array=1-4 --wrap=true
2
$ scancel 2_[2-3]
$ squeue -h -o %i
2_[1,4]
$ sbatch --parsable -H -o /dev/null -J mine --wrap=true
~ [0-9]+
$ scancel -n mine -t PD
$ squeue -h -o %i
2_[1,4]
$ scancel --me
$ squeue -h
$ scancel
! scancel: error: No job identification provided
? 1
$ scancel abc
! scancel: error: Invalid job id abc
? 1
$ scancel -t FOO
! Invalid job state specified: FOO
! Valid job states are PENDING, RUNNING, and SUSPENDED
? 1

# A file for every node of a job.
$ echo data >from; sbatch --parsable -o bcast.out --wrap='sbcast from to && cat to; sbcast from to; echo $?'
~ [0-9]+
$ wait_for '[ $(wc -l <bcast.out) = 3 ]'
$ sed "s|$PWD|HOME|" bcast.out
data
sbcast: error: REQUEST_FILE_BCAST(node1): File exists
17
$ sbcast from to
! sbcast: error: Need a job id to run this command.  Run from within a Slurm job or use the --jobid option.
? 1

# Without a signal, -b kills the batch script alone: the job failed. -f and -s KILL cancel the job.
$ ends() { job=$(sbatch --parsable -o cut.out --wrap='echo up; sleep 60; echo no'); wait_for "grep -qs up cut.out"; scancel "$@" $job; wait_end $job; squeue -h -t all -j $job -o '%T %r'; scontrol show job $job | grep -o 'ExitCode=.*'; sed "s/ $job / J /; s/AT [-0-9T:]*/AT T/" cut.out; rm cut.out; }
$ ends -b
FAILED JobLaunchFailure
ExitCode=0:9
up
slurmstepd: error: *** JOB J ON node1 CANCELLED AT T ***
$ ends -f
CANCELLED None
ExitCode=0:15
up
slurmstepd: error: *** JOB J ON node1 CANCELLED AT T ***
$ ends -s KILL
CANCELLED None
ExitCode=0:15
up
slurmstepd: error: *** JOB J ON node1 CANCELLED AT T ***
$ ends -f -s TERM
FAILED JobLaunchFailure
ExitCode=0:15
up
slurmstepd: error: *** JOB J ON node1 CANCELLED AT T ***
