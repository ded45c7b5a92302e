conf: SchedulerParameters=gpu_hold_back=50,gpu_pack,bf_job_part_count_reserve=1,bf_order=limit
# Half of a free GPU's part of the cores (8 cores, 4 GPUs) is not for jobs without GPUs.
$ A=$(sbatch --parsable -N1 -n5 --mem=10 -t 10 -o /dev/null --wrap 'sleep 100'); B=$(sbatch --parsable -N1 -n4 --mem=10 -t 10 -o /dev/null --wrap 'sleep 100'); wait_for "squeue -h -j $B -o %T | grep -q RUNNING"; squeue -h -j $A,$B -S i -o '%T %r'
PENDING Resources
RUNNING None
$ grappe why $A | grep -o 'free are 4 of 8 CPUs' | head -1
free are 4 of 8 CPUs

# With GPUs it may have them all.
$ C=$(sbatch --parsable -N1 -n8 --gres=gpu:1 --mem=10 -t 10 -o /dev/null --wrap 'sleep 100'); wait_for "squeue -h -j $C -o %T | grep -q RUNNING"; squeue -h -j $C -o %T
RUNNING
$ scancel $A $B $C; wait_for '[ -z "$(squeue -h)" ]'

# GPU jobs gather where larger ones can't go.
$ A=$(sbatch --parsable -w node1 -N1 -n1 --gres=gpu:2 --mem=10 -t 10 -o /dev/null --wrap 'sleep 100'); B=$(sbatch --parsable -w node2 -N1 -n1 --gres=gpu:4 --mem=10 -t 10 -o /dev/null --wrap 'sleep 100'); C=$(sbatch --parsable -w node4 -N1 -n1 --gres=gpu:4 --mem=10 -t 10 -o /dev/null --wrap 'sleep 100'); wait_for '[ $(squeue -h -t R | wc -l) = 3 ]'
$ D=$(sbatch --parsable -N1 -n1 --gres=gpu:1 --mem=10 -t 10 -o /dev/null --wrap 'sleep 100'); wait_for "squeue -h -j $D -o %T | grep -q RUNNING"; squeue -h -j $D -o %N
node1
$ scancel $A $B $C $D
