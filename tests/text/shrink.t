# A running job gives nodes back.
$ show() { scontrol -d show job $1 | grep -oE 'NumNodes=\S+|NumCPUs=\S+|NumTasks=\S+|     Nodes=.*' | tr '\n' ' ' | sed 's/ *$/\n/; s/  */ /g'; }
$ sbatch --parsable -N3 -n6 -o b.out --wrap 'srun sleep 5; echo rc $?; scontrol update jobid=$SLURM_JOB_ID NumNodes=1; cat slurm_job_${SLURM_JOB_ID}_resize.sh; . ./slurm_job_${SLURM_JOB_ID}_resize.sh; srun -n2 bash -c "echo \$SLURM_NODELIST \$SLURM_NNODES"'
1
$ wait_for '[ -n "$(squeue -h -s -o %i | grep 1.0)" ]'; sleep 0.5; show 1
NumNodes=3 NumCPUs=6 NumTasks=6 Nodes=node1 CPU_IDs=0-3 Mem=2048 GRES= Nodes=node[2-3] CPU_IDs=0 Mem=512 GRES=
$ scontrol update jobid=1 NodeList=node[1-2]; show 1
NumNodes=2 NumCPUs=5 NumTasks=6 Nodes=node1 CPU_IDs=0-3 Mem=2048 GRES= Nodes=node2 CPU_IDs=0 Mem=512 GRES=
$ scontrol update jobid=1 NumNodes=3
! Requested operation not supported on this system for job 1
? 1
$ scontrol update jobid=1 NodeList=node[2-3]
! Invalid node name specified for job 1
? 1
$ scontrol update jobid=1 NodeList=node2
! Invalid node name specified for job 1
? 1
$ scontrol update jobid=1 NumNodes=0
! Node count specification invalid for job 1
? 1
$ wait_end 1; cat b.out
srun: error: node3: task 5: Killed
srun: Force Terminated StepId=1.0
rc 137
To reset Slurm environment variables, execute
  For bash or sh shells:  . ./slurm_job_1_resize.sh
  For csh shells:         source ./slurm_job_1_resize.csh
export SLURM_NODELIST="node1"
export SLURM_JOB_NODELIST="node1"
export SLURM_NNODES=1
export SLURM_JOB_NUM_NODES=1
export SLURM_JOB_CPUS_PER_NODE="4"
unset SLURM_NPROCS
unset SLURM_NTASKS
unset SLURM_TASKS_PER_NODE
node1 1
node1 1
$ ls -l slurm_job_1_resize.sh | cut -c1-10
-rwx------

# A job that is not to end for a node that fails goes on without it.
$ sbatch --parsable --no-kill -N3 -o k.out --wrap 'srun --no-kill sleep 5; echo rc $?; srun -l hostname | cut -c1-2 | sort'
2
$ wait_for '[ -n "$(squeue -h -s -o %i | grep 2.0)" ]'; sleep 0.5
root$ scontrol update nodename=node2 state=down reason=x
$ show 2
NumNodes=2 NumCPUs=2 NumTasks=2 Nodes=node[1,3] CPU_IDs=0 Mem=512 GRES=
root$ scontrol update nodename=node2 state=resume
$ wait_end 2; cat k.out; squeue -h -t all -j 2 -o '%T %N %D'
srun: error: Node failure on node2
srun: error: node2: task 1: Killed
srun: Force Terminated StepId=2.0
rc 137
srun: error: SLURM_JOB_NUM_NODES environment variable conflicts with allocated node count (3 != 2).
0:
1:
COMPLETED node[1,3] 2
