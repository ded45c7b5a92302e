conf: PreemptType=preempt/partition_prio
conf: PreemptMode=SUSPEND,GANG
conf: PartitionName=urgent Nodes=node[1-4] PriorityTier=10 PreemptMode=OFF
conf: PartitionName=slow Nodes=node[1-4] PriorityTier=0 PreemptMode=CANCEL GraceTime=3
# Suspended for a job of a higher tier, and resumed after it.
$ A=$(sbatch --parsable -N4 -n32 --mem=100 -t 60 -o /dev/null --wrap 'sleep 100'); wait_for "squeue -h -j $A -o %T | grep -q RUNNING"
$ B=$(sbatch --parsable -p urgent -n1 -t 10 --mem=100 -o /dev/null --wrap 'sleep 2'); wait_for "squeue -h -j $B -o %T | grep -q RUNNING"; squeue -h -j $A -o '%P %T'
batch SUSPENDED
$ wait_for "squeue -h -j $A -o %T | grep -q RUNNING"; sacct -nXP -j $B -o state
COMPLETED
$ scancel $A; wait_for '[ -z "$(squeue -h)" ]'

# Told to end, with time to do it.
$ A=$(sbatch --parsable -p slow -N4 -n32 --mem=100 -t 60 -o told.out --wrap 'trap "echo told" TERM; sleep 1000 & wait; sleep 100'); wait_for "squeue -h -j $A -o %T | grep -q RUNNING"; sleep 0.5
$ B=$(sbatch --parsable -n1 -t 10 --mem=100 -o /dev/null --wrap 'sleep 1'); wait_for 'grep -q told told.out'; squeue -h -j $A,$B -S i -o '%P %T %r'
slow RUNNING None
batch PENDING Resources
$ wait_for "sacct -nXP -j $B -o state | grep -q COMPLETED"; sacct -nXP -j $A -o state; grep -o 'DUE TO PREEMPTION' told.out
PREEMPTED
DUE TO PREEMPTION

# A partition that may not be preempted.
$ A=$(sbatch --parsable -p urgent -N4 -n32 --mem=100 -t 60 -o /dev/null --wrap 'sleep 100'); wait_for "squeue -h -j $A -o %T | grep -q RUNNING"
$ B=$(sbatch --parsable -n1 -t 10 --mem=100 -o /dev/null --wrap true); sleep 1; squeue -h -j $A,$B -S i -o '%P %T'
urgent RUNNING
batch PENDING
$ scancel $A $B
