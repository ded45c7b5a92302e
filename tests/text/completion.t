# Options from the tables; those with a value end with the sign for it.
$ tab 'sbatch --cpus-per-t'
--cpus-per-task=
$ tab 'squeue --no'
--noconvert
--nodelist=
--noheader

# Values that the service knows.
$ tab 'sbatch --partition='
batch
c-iq
$ tab 'sbatch -p c'
c-iq
$ tab 'squeue -w node1,no' | sort -u
node1,node1
node1,node2
node1,node3
node1,node4
$ tab 'sinfo --states=dr'
drain
drained
draining
$ sbatch --parsable -H --wrap=true
1
$ sbatch --parsable -H --array=0-3 --wrap=true
2
$ tab 'scancel '
2
1
$ tab 'squeue --jobs='
2
1

# scontrol's words, one after the other.
$ tab 'scontrol sho'
show
$ tab 'scontrol show part'
partitions
$ tab 'scontrol show partition '
batch
c-iq
$ tab 'scontrol -d show job 1'
1
$ tab 'scontrol hold '
2
1
$ tab 'scontrol update Jo'
JobId=
$ tab 'scontrol update JobId='
2
1
$ tab 'scontrol update JobId=1 TimeL'
TimeLimit=
$ tab 'scontrol update NodeName=node1 Rea'
Reason=
$ scancel 1 2
