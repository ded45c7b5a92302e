conf: SchedulerParameters=bf_by_pool
conf: NodeName=cpu[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 CPUs=8 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=32000 State=UNKNOWN
conf: PartitionName=cpu Nodes=cpu[1-2] State=UP
root$ scontrol update partitionname=batch nodes=node[1-4]

# Without GPUs only the first in line keeps its planned start: who delays the second may start.
$ busy() { A=$(sbatch --parsable -p $1 -w $2 --exclusive -t 10 -o /dev/null --wrap 'sleep 100'); wait_for "squeue -h -j $A -o %T | grep -q RUNNING"; B=$(sbatch --parsable -p $1 -w $2 --exclusive -t 10 -o /dev/null --wrap true); C=$(sbatch --parsable -J both -p $1 -w $2,$3 -N2 --exclusive -t 10 -o /dev/null --wrap true); D=$(sbatch --parsable -p $1 -w $3 -n1 --mem=10 -t 60 -o /dev/null --wrap 'sleep 100'); sleep 1; squeue -h -j $B,$C,$D -S i -o '%T %r'; }
$ busy cpu cpu1 cpu2
PENDING Resources
PENDING Priority
RUNNING None
$ grappe why $(squeue -h -n both -o %i) --lang=en | grep pass
  Others may still pass it where they don't delay the first in line.
$ scancel -u alice; wait_for '[ -z "$(squeue -h)" ]'

# With GPUs everybody does.
$ busy batch node1 node4
PENDING Resources
PENDING Priority
PENDING Priority
$ scancel -u alice
