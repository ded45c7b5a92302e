# MaxMemPerCPU and MaxMemPerNode.
conf: PartitionName=cpu Nodes=ALL MaxMemPerCPU=1500
conf: PartitionName=node Nodes=ALL MaxMemPerNode=4000

$ got() { J=$(sbatch --parsable -o /dev/null "$@" --wrap 'sleep 60'); wait_for "squeue -h -j $J -o %T | grep -q RUNNING"; scontrol show job $J | grep -oE 'NumCPUs=\S+|CPUs/Task=\S+|MinMemory\S+|mem=[^,]+' | tr '\n' ' '; echo; scancel $J; }
$ waits() { J=$(sbatch --parsable -o /dev/null "$@" --wrap true); wait_for "squeue -h -j $J -o %r | grep -vq None"; squeue -h -j $J -o '%T %r'; scancel $J; }

# More memory than a CPU may have comes with more CPUs.
$ got -p cpu --mem-per-cpu=2000
NumCPUs=2 CPUs/Task=2 mem=2000M MinMemoryCPU=1000M 
$ got -p cpu --mem-per-cpu=2000 -n 3
NumCPUs=6 CPUs/Task=2 mem=6000M MinMemoryCPU=1000M 
$ got -p cpu --mem=5000
NumCPUs=4 CPUs/Task=1 mem=5000M MinMemoryNode=5000M 
$ got -p cpu,node --mem-per-cpu=4500
NumCPUs=3 CPUs/Task=3 mem=4500M MinMemoryCPU=1500M 
$ sbatch -p cpu --mem=0 --wrap true
! sbatch: error: CPU count per node can not be satisfied
! sbatch: error: Batch job submission failed: Requested node configuration is not available
? 1

# Numbers that no machine has stay what they are.
$ waits -n 65536 -c 65536
PENDING BadConstraints

# More than a job may have on a node waits for the operator.
$ got -p node --mem=4000
NumCPUs=1 CPUs/Task=1 mem=4000M MinMemoryNode=4000M 
$ waits -p node --mem=5000
PENDING MaxMemPerLimit
$ waits -p node --mem=0
PENDING MaxMemPerLimit
$ waits -p node --exclusive
PENDING MaxMemPerLimit
