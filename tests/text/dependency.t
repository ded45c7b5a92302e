# A job waits for another, or for ever when that one failed.
$ sbatch --parsable -o /dev/null --wrap='until [ -e go ]; do sleep 0.1; done'
1
$ sbatch -o /dev/null --dependency=afterok:1 --wrap=true
Submitted batch job 2
$ scontrol show job 2 | grep -oE 'JobState=.*'
JobState=PENDING Reason=Dependency Dependency=afterok:1(unfulfilled)
$ sbatch --parsable -o /dev/null --wrap='exit 3'
3
$ wait_end 3
$ sbatch -o /dev/null --dependency=afterok:3 --wrap=true
Submitted batch job 4
$ touch go; wait_end 2
$ squeue -o '%i %t %r'
JOBID ST REASON
4 PD DependencyNeverSatisfied
$ sbatch --dependency=nonsense:1 --wrap=true
! sbatch: error: Batch job submission failed: Job dependency problem
? 1
