# Whole nodes have room to spare: their tasks are dealt evenly, and follow each other on a node.
$ srun -N2 -n5 --exclusive -l sh -c 'echo $SLURM_NODEID $SLURM_TASKS_PER_NODE' | sort
0: 0 3,2
1: 0 3,2
2: 0 3,2
3: 1 3,2
4: 1 3,2
$ salloc -Q -N2 -n4 --exclusive sh -c 'echo $SLURM_TASKS_PER_NODE; srun -n6 sh -c "echo \$SLURM_TASKS_PER_NODE" | sort -u'
2(x2)
3(x2)

# Where each node holds no more than its tasks, the nodes are filled.
$ srun -N2 -n4 -l sh -c 'echo $SLURM_TASKS_PER_NODE' | sort -u | cut -d' ' -f2 | sort -u
3,1

# SLURM_HOSTFILE and --distribution=arbitrary name the node of each task.
$ printf 'node2\nnode1\nnode3\n' >hosts
$ SLURM_HOSTFILE=hosts srun -l sh -c 'echo $SLURMD_NODENAME $SLURM_JOB_NODELIST' | sort
0: node2 node[1-3]
1: node1 node[1-3]
2: node3 node[1-3]
$ SLURM_HOSTFILE=hosts srun -n2 -l sh -c 'echo $SLURMD_NODENAME' | sort
0: node2
1: node1
$ srun -m arbitrary -w node3,node1,node3 -l sh -c 'echo $SLURMD_NODENAME $SLURM_TASKS_PER_NODE' | sort
0: node3 1,2
1: node1 1,2
2: node3 1,2
$ sbatch -W --parsable -m arbitrary -w node4,node1 -o o --wrap='srun -l sh -c "echo \$SLURMD_NODENAME"' >/dev/null
$ sort o
0: node4
1: node1
$ SLURM_HOSTFILE=hosts srun -n4 true
! srun: error: Too few NodeNames in Slurm Hostfile
? 1
$ SLURM_HOSTFILE=nosuch srun true
! srun: error: slurm_allocate_resources error opening file nosuch, No such file or directory
! srun: error: Failure getting NodeNames from hostfile
? 1
$ srun -m arbitrary -n2 true
! srun: error: With Arbitrary distribution you need to specify a nodelist or hostfile with the -w option
? 1

# More nodes named than -N allows.
$ srun -N1 -w node[2-3] sh -c 'echo $SLURM_JOB_NODELIST'
node2
! srun: error: Required nodelist includes more nodes than permitted by max-node count (2 > 1). Eliminating nodes from the nodelist.
$ sbatch -N1 -w node[2-3] --wrap=true
! sbatch: error: invalid number of nodes (-N 2-1)
? 1

# --ntasks-per-gpu with a number of GPUs says how many tasks there are.
$ srun --ntasks-per-gpu=2 --gpus=2 sh -c 'echo $SLURM_NTASKS' | uniq -c | tr -s ' '
 4 4
$ srun --gpus-per-task=1 true
! srun: error: Failed to validate job spec. --gpus-per-task used without either --gpus or -n/--ntasks is not allowed.
! srun: error: Invalid generic resource (gres) specification
? 1
