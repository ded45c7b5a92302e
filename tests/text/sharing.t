# Users share a node: each gets its CPUs, the others keep theirs.
$ sbatch -w node1 -o /dev/null --wrap='sleep 600'
Submitted batch job 1
$ wait_for 'squeue -h -t R | grep -q alice'
bob$ sbatch -w node1 -o /dev/null --wrap='sleep 600'
Submitted batch job 2
$ wait_for 'squeue -h -t R | grep -q bob'
$ squeue -h -o '%i %u %t %N'
1 alice R node1
2 bob R node1
# Unless one of them wants it for itself.
carol$ sbatch -w node2 --exclusive=user -n1 -o /dev/null --wrap='sleep 600'
Submitted batch job 3
$ wait_for 'squeue -h -t R | grep -q carol'
$ sbatch -w node2 -o /dev/null --wrap=true
Submitted batch job 4
carol$ sbatch -w node2 --exclusive=user -t 10 -o /dev/null --wrap='sleep 600'
Submitted batch job 5
$ wait_for 'squeue -h -t R -o %i | grep -q 5'
$ squeue -h -j 4 -o '%t'
PD
# A whole node is nobody else's.
$ sbatch -w node3 --exclusive -o /dev/null --wrap='sleep 600'
Submitted batch job 6
$ wait_for 'squeue -h -t R -o %i | grep -q 6'
$ scontrol show node node3 | grep -o 'CPUAlloc=[0-9]*\|State=[A-Z]*'
CPUAlloc=8
State=ALLOCATED
