# Of a job that is held nobody looks where it could run; when it is released it waits.
$ t() { sbatch -H --parsable -o /dev/null "$@" --wrap true; squeue -h -t PD -o '%T %r'; scancel -u alice; }
$ t --tmp=999999
$ t --mem=99999999
$ t --mem-per-cpu=999999
$ t -x node[1-4]
$ t --gres=gpu:9
$ t -G 99
$ t --gpus-per-node=9
$ t --mincpus=99
$ t --cores-per-socket=99
$ t --sockets-per-node=5
$ t -p c-iq -w node1
$ t --begin=now+1hour --tmp=1
$ t -N9
$ t -c 99
# What is no job at all is refused as ever.
$ t -w nosuch
$ t -x nosuch
$ t -C nosuch
$ t --gres=nosuch
$ t -p nosuch
$ t -L nosuch
$ t --reservation=nosuch
$ t --deadline=2020-01-01
$ sbatch -H --test-only --tmp=1 --wrap true
$ sbatch -d afterany:1 --tmp=1 --wrap true
$ sbatch --begin=now+1hour --tmp=1 --wrap true
$ J=$(sbatch -H --parsable --tmp=1 -o /dev/null --wrap true); scontrol release $J; wait_for "squeue -h -j $J -o %r | grep -q Bad"; squeue -h -j $J -o '%T %r'; scancel $J
# Nor is it asked when a waiting job is changed, but for the number of CPUs.
$ u() { for k in -H --begin=now+1hour; do J=$(sbatch $k --parsable -o /dev/null --wrap true); scontrol update jobid=$J "$@"; scancel $J; done; }
$ u MinTmpDiskNode=5
$ u MinMemoryNode=9999999
$ u MinMemoryCPU=9999999
$ u NumNodes=9
$ u NumCPUs=32
$ u NumCPUs=33
$ u MinCPUsNode=32
$ u MinCPUsNode=33
$ u NumTasks=999
$ u gres=gpu:9
$ u ExcNodeList=node[1-4]
$ u Features=nosuch
# salloc and srun say so.
$ signal_when INT '[ -n "$(squeue -h -u alice)" ]' salloc -H true 2>&1 | grep -v revoked; echo ${PIPESTATUS[0]}
$ signal_when INT '[ -n "$(squeue -h -u alice)" ]' salloc -H -N9 true 2>&1 | grep -v revoked; echo ${PIPESTATUS[0]}
$ signal_when TERM '[ -n "$(squeue -h -u alice)" ]' srun -H true 2>&1 | head -2
$ srun -I1 -H true
$ srun -I1 --begin=now+100 true
$ salloc -I1 -H true 2>&1 | grep -v revoked
