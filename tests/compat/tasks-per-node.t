# srun --ntasks-per-node in an allocation that has a number of tasks: what mpirun and launchers like it ask for.
# On nodes that are empty: what still ends would leave less room on some.
$ q() { wait_for '[ -z "$(squeue -h)" ]'; salloc -Q "$@" bash -c 'echo $SLURM_PROCID $SLURM_NODEID $SLURM_STEP_TASKS_PER_NODE $SLURM_NTASKS $SLURM_NTASKS_PER_NODE' | sort; }
$ q -N3 -n4 srun --ntasks-per-node=1
$ q -N3 -n4 srun --ntasks-per-node=2
$ q -N2 -n5 srun --ntasks-per-node=2
$ q -N2 -n4 srun --ntasks-per-node=1
$ q -N2 -n4 srun --ntasks-per-node=1 -n2
$ q -N2 -n4 srun --ntasks-per-node=1 -N1
$ q -N1 -n4 srun --ntasks-per-node=2
$ q -N2 -n4 srun --ntasks-per-node=3 -N2
$ q -N3 -n4 srun --ntasks-per-node=1 -N3 -n3
$ q -N3 -n3 srun --ntasks-per-node=2
$ q -N3 -n6 srun --ntasks-per-node=2
$ q -N2 --ntasks-per-node=4 srun --ntasks-per-node=2 -n4
$ q -N2 --ntasks-per-node=4 srun --ntasks-per-node=2 -n5
$ q -N2 --ntasks-per-node=4 srun --ntasks-per-node=2
$ q -N3 --exclusive srun --ntasks-per-node=2 -n7
$ q -N3 -n3 srun -Q --ntasks-per-node=2
# Without an allocation.
$ srun -N2 -n4 --ntasks-per-node=3 bash -c 'echo $SLURM_NTASKS_PER_NODE' | sort
$ srun -N2 -n2 --ntasks-per-node=2 bash -c 'echo $SLURM_STEP_TASKS_PER_NODE $SLURM_NTASKS_PER_NODE' | sort
$ srun -n4 --ntasks-per-node=3 bash -c 'echo $SLURM_STEP_TASKS_PER_NODE $SLURM_NTASKS_PER_NODE' | sort
# The start of the daemons of an mpirun.
$ salloc -Q -N2 -n4 srun --ntasks-per-node=1 --kill-on-bad-exit --nodes=2 --nodelist=node1,node2 --ntasks=2 --mpi=none --cpu-bind=none bash -c 'echo $SLURM_PROCID $SLURMD_NODENAME $SLURM_NTASKS' | sort
$ echo in | salloc -Q -N2 -n4 srun --nodelist node1,node2 -N 2 -n 2 --input none bash -c 'echo $SLURM_PROCID $SLURMD_NODENAME; cat' | sort
$ salloc -Q -N3 -n3 srun --nodes=1 --nodelist=node2 -n1 bash -c 'echo $SLURMD_NODENAME $SLURM_NODEID $SLURM_STEP_NODELIST'
