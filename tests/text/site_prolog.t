# PrologSlurmctld is run by the service before a job has its nodes; when it fails no job begins.
conf: PrologSlurmctld=/bin/false
conf: EpilogSlurmctld=/bin/true

$ srun true
! srun: PrologSlurmctld failed, job killed
! srun: error: Nodes node1 are still not ready
! srun: error: Something is wrong with the boot of the nodes.
? 1
$ salloc true
! salloc: Granted job allocation 2
! salloc: Waiting for resource configuration
! salloc: PrologSlurmctld failed, job killed
! salloc: Job allocation 2 has been revoked.
! salloc: error: Job allocation 2 has been revoked
? 1
$ sbatch --parsable --no-requeue -o no.out --wrap 'echo ran'
3
$ wait_end 3; scontrol show job 3 | grep -o 'JobState=[A-Z]*'; ls no.out
JobState=CANCELLED
! ls: cannot access 'no.out': No such file or directory
? 2
$ sbatch --parsable -o no.out --wrap 'echo ran'
4
$ wait_for 'scontrol show job 4 | grep -q Restarts=[1-9]'; squeue -h -j 4 -o %r; scancel 4
BeginTime
root$ scontrol show config | grep -E '^(Prolog|Epilog)Slurmctld'
EpilogSlurmctld         = /bin/true
PrologSlurmctld         = /bin/false
