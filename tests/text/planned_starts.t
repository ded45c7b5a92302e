conf: SchedulerParameters=bf_job_part_count_reserve=1
# The planned start of the first in line is kept; who only delays the second may start.
$ A=$(sbatch --parsable -w node1 --exclusive -t 10 -o /dev/null --wrap 'sleep 100'); wait_for "squeue -h -j $A -o %T | grep -q RUNNING"
$ B=$(sbatch --parsable -w node1 --exclusive -t 10 -o /dev/null --wrap true); C=$(sbatch --parsable -w node1,node4 -N2 --exclusive -t 10 -o /dev/null --wrap true)
$ D=$(sbatch --parsable -w node4 -n1 --mem=10 -t 60 -o /dev/null --wrap 'sleep 100'); wait_for "squeue -h -j $D -o %T | grep -q RUNNING"; squeue -h -j $B,$C,$D -S i -o '%T %r'
PENDING Resources
PENDING Priority
RUNNING None
$ scancel $A $B $C $D
