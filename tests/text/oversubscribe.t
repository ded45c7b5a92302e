# A partition with OverSubscribe=FORCE puts that many jobs on a CPU, after the free ones.
root$ scontrol update partitionname=c-iq oversubscribe=force:2
$ for i in 1 2 3 4 5; do sbatch --parsable -p c-iq -c4 --mem=10 -o /dev/null --wrap='sleep 600'; done
1
2
3
4
5
$ wait_for '[ $(squeue -h -t R | wc -l) = 4 ]'
$ squeue -h -o '%i %t %r' | sort
1 R None
2 R None
3 R None
4 R None
5 PD Resources
$ for i in 1 2 3 4; do scontrol show job -d $i | grep -o 'CPU_IDs=[0-9-]*'; done
CPU_IDs=0-3
CPU_IDs=4-7
CPU_IDs=0-3
CPU_IDs=4-7
$ scontrol show node node4 | grep -o 'CPUAlloc=[0-9]*'
CPUAlloc=8
# A place that becomes free is taken, and a CPU is free when the last of its jobs is gone.
$ scancel 3
$ wait_for '[ "$(squeue -h -j 5 -o %t)" = R ]'
$ scontrol show job -d 5 | grep -o 'CPU_IDs=[0-9-]*'
CPU_IDs=0-3
$ scancel 1 5
$ wait_for '[ $(squeue -h -t R,CG | wc -l) = 2 ]'
$ scontrol show node node4 | grep -o 'CPUAlloc=[0-9]*'
CPUAlloc=4
# With YES only those share that ask for it.
root$ scontrol update partitionname=c-iq oversubscribe=yes:2
$ scancel 2 4
$ wait_for '[ $(squeue -h | wc -l) = 0 ]'
$ sbatch -p c-iq -c8 --mem=10 -s -o /dev/null --wrap='sleep 600'
Submitted batch job 6
$ wait_for '[ "$(squeue -h -j 6 -o %t)" = R ]'
$ sbatch -p c-iq -c8 --mem=10 -o /dev/null --wrap='sleep 600'
Submitted batch job 7
# Short enough to be over before job 7 can start.
$ sbatch -p c-iq -c8 --mem=10 -s -t 10 -o /dev/null --wrap='sleep 600'
Submitted batch job 8
$ wait_for '[ "$(squeue -h -j 8 -o %t)" = R ]'
$ squeue -h -o '%i %t' | sort
6 R
7 PD
8 R
