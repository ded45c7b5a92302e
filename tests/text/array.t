# An array is one record until a task starts; %2 lets two run at a time.
$ sbatch --array=0-5%2 -o arr-%A_%a.out --wrap='echo I am $SLURM_ARRAY_TASK_ID of $SLURM_ARRAY_JOB_ID; sleep 1'
Submitted batch job 1
$ wait_for '[ $(squeue -h -t R | wc -l) = 2 ]'
$ squeue
             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
         1_[2-5%2]     batch     wrap    alice PD       0:00      1 (JobArrayTaskLimit)
~                1_0     batch     wrap    alice  R       0:0[0-9]      1 node1
~                1_1     batch     wrap    alice  R       0:0[0-9]      1 node1
$ wait_for '[ -z "$(squeue -h)" ]'
$ cat arr-1_*.out
I am 0 of 1
I am 1 of 1
I am 2 of 1
I am 3 of 1
I am 4 of 1
I am 5 of 1
