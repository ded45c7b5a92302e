# How many nodes a job that waits will take.
$ for a in -n9 -n17 '-n9 -c2' '-n9 -N1-4' '-n20 -N1' '-n9 -O' '-n4 -c4' -c9; do J=$(sbatch --parsable -H $a --wrap=true); echo "$a $(squeue -h -j $J -o '%D %C') $(scontrol show job $J | grep -o 'NumNodes=\S*')"; scancel $J; done

# The first of the list is to be the first of all.
root$ A=$(sbatch --parsable -b now+1hour --wrap=true); B=$(sbatch --parsable -b now+1hour --wrap=true); C=$(sbatch --parsable -b now+1hour --wrap=true); scontrol top $C,$B
root$ squeue -h -o '%Q %A' | sort -rn | cut -d' ' -f2
root$ squeue -h -o '%Q %A' | sort -k1,1rn -k2,2n | cut -d' ' -f2; squeue -h -o %Q | sort -u | wc -l
root$ scontrol top $A; squeue -h -o '%Q %A' | sort -rn | cut -d' ' -f2; scancel $A $B $C

# What is said of a wait that somebody must end.
root$ scontrol update partitionname=batch state=down
$ timeout 2 srun -p batch true 2>&1 | sed 's/[0-9][0-9]*/N/' | head -2
$ timeout 2 salloc -p batch true 2>&1 | sed 's/[0-9][0-9]*/N/' | head -1
$ scancel -u alice
root$ scontrol update partitionname=batch state=up
root$ scontrol update nodename=node2 state=drain reason=x
$ timeout 2 srun -w node2 true 2>&1 | sed 's/[0-9][0-9]*/N/' | head -2
$ scancel -u alice
root$ scontrol update nodename=node2 state=resume

# A reservation follows the nodes of a partition only as a whole.
root$ scontrol create res=follows starttime=now+60minutes duration=1 nodes=node1 user=root
root$ scontrol update res=follows flags=part_nodes
root$ scontrol update res=follows flags=part_nodes nodes=ALL
root$ scontrol update res=follows flags=part_nodes partition=batch
root$ scontrol update res=follows flags=part_nodes partition=batch nodes=ALL
root$ scontrol show res follows | grep -oE '\bNodes=\S+|Flags=\S+|PartitionName=\S+'
root$ scontrol delete res=follows
root$ scontrol create res=later starttime=$(date +%H:%M -d -5minutes) duration=1 nodes=node1 user=root && scontrol show res later | grep -oE 'State=\S+'; scontrol delete res=later

# Entities by other names, and what is none.
$ scontrol show partitionname=c-iq | head -1
$ scontrol show partname=c-iq
$ squeue --partitions=c-iq -h; squeue --use=alice -h; squeue --node=node1 -h
