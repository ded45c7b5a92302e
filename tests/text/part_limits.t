conf: EnforcePartLimits=ALL
conf: PartitionName=small Nodes=node1 MaxNodes=1 MaxTime=10 State=UP
conf: PartitionName=large Nodes=node[2-4] State=UP

# EnforcePartLimits=ALL: a job must be within the limits of each of its partitions.
$ sbatch -p small,large -N2 -o /dev/null --wrap=true
! sbatch: error: Batch job submission failed: Node count specification invalid
? 1
$ sbatch -p large,small -t 20 -o /dev/null --wrap=true
! sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)
? 1
$ sbatch -p large -N2 -t 20 -o /dev/null --wrap=true
Submitted batch job 1
$ sbatch -p small,large -N1 -t 5 -o /dev/null --wrap=true
Submitted batch job 2
