# Without factors there is nothing to show, and jobs are in the order in which they came.
$ sprio
! You are not running a supported priority plugin
! (priority/basic).
! Only 'priority/multifactor' is supported.
? 1
$ sbatch --parsable -H -o /dev/null --wrap true
1
$ sbatch --parsable -d afterany:1 -o /dev/null --wrap true
2
$ squeue -h -o '%i %Q' -j 2
2 4294901758
$ scontrol update jobid=2 sitefactor=5
! Access/permission denied for job 2
? 1
