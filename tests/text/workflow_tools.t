# What an exporter of metrics asks: columns that are as wide as their text, a blank after each.
$ sinfo -a -h --Format='Nodes: ,Gres: ,GresUsed:'
4 gpu:4 gpu:0
$ sinfo -a -h --Format='Nodes: ,GresUsed:' --state=allocated
$ sinfo -h -o %C
0/32/0/32
$ sinfo -h -N -o %N,%C -p batch
node1,0/8/0/8
node2,0/8/0/8
node3,0/8/0/8
node4,0/8/0/8
$ squeue -a -r -h -o '%A|%u|%T|%C'

# Without a node in the state, only a list of partitions has lines.
$ sinfo -h -t drain -o '%D %T'
$ sinfo -h -t drain -o '%R %D %T'
batch 0 n/a
c-iq 0 n/a

# The groups of nodes that a parallel shell asks for.
$ sinfo -h -o %N -t down
$ sinfo -h -o %T
idle
$ j=$(sbatch --parsable -N2 -o /dev/null --wrap='sleep 600'); wait_for "squeue -h -t R -j $j | grep -q ."
$ squeue -h -j $j -o %N; squeue -h -u alice -o %N -t R; squeue -h -w node2 -o %u; squeue -h -w node3 -o %u
node[1-2]
node[1-2]
alice
$ sinfo -h -o %N -t idle; sinfo -h -N -o %T -n node2
node[3-4]
mixed
$ scancel $j

# Separators that no value contains: control characters and long ones.
$ j=$(sbatch --parsable -H -J 'a b' -o /dev/null --wrap=true)
$ squeue --all --states=all --noconvert -h -o $'\x1e%j\x1f%t\x1f%r' -j $j | cat -v
^^a b^_PD^_JobHeldUser
$ squeue --noheader -o '%t<><> %r<><> %j<><> %m' --jobs=$j,$j
PD<><> JobHeldUser<><> a b<><> 512M
$ scancel -v $j 2>&1 | sed "s/$j/J/"
scancel: Terminating job J
$ squeue -h -t all -j $j -o '%T %r'
CANCELLED JobHeldUser
