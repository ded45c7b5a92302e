# The reason of a job that asks for several partitions.
conf: AccountingStorageEnforce=limits,qos
conf: PartitionName=pa Nodes=node[1-2] DefaultTime=10 State=UP
conf: PartitionName=pb Nodes=node[3-4] DefaultTime=10 State=UP
conf: PartitionName=pt Nodes=node[3-4] MaxTime=5 DefaultTime=5 State=UP
conf: PartitionName=pd Nodes=node[3-4] State=DOWN
conf: PartitionName=hi Nodes=node[3-4] PriorityTier=5 State=UP
root$ sacctmgr -iQ add account ml >/dev/null; sacctmgr -iQ add user alice,bob account=ml >/dev/null; sacctmgr -iQ add qos pq,q >/dev/null; sacctmgr -iQ modify account ml set qos+=q >/dev/null; scontrol update partition=pa qos=pq
root$ set_limit() { sacctmgr -iQ modify "$@" >/dev/null; }
$ job() { sbatch --parsable -o /dev/null --wrap='sleep 300' "$@"; }
$ look() { sleep ${1:-2}; squeue -h -t PD -o '%i %P %r' | sort; }
$ gone() { scancel -u alice; wait_for '[ -z "$(squeue -h)" ]'; }
root$ set_limit qos pq set maxjobspu=1
$ job -p pa; job -p pb -N2 --exclusive; sleep 1
$ job -p pa,pb
$ look
$ job -p pb,pa
$ look
$ job -p pa,pb -N2 --exclusive
$ look
$ scancel -t PD -u alice; job -p pa,pt -t 10
$ look
$ job -p pt,pa -t 10
$ look
$ job -p pb,pt -t 10
$ look
$ job -p pt,pb -t 10
$ look
$ scancel -t PD -u alice; job -p pd,pb
$ look
$ job -p pb,pd
$ look
$ job -p pa,pd
$ look
$ job -p pd,pa
$ look
$ job -p pt,pd -t 10
$ look
$ scancel -t PD -u alice; job -p pa,hi
$ look
$ job -p hi,pa
$ look
$ job -p hi,pb
$ look
$ job -p pb,hi
$ look
$ look 32
$ gone
# Jobs that only clean up do not keep a partition from being deleted.
root$ scontrol create partitionname=brief nodes=node1; j=$(sbatch --parsable -p brief -o /dev/null --wrap 'trap "" TERM; touch brief.up; sleep 60'); wait_for '[ -e brief.up ]'; rm brief.up; scontrol delete partitionname=brief; scancel $j; squeue -h -j $j -o '%T %P'; scontrol delete partitionname=brief; echo $?; squeue -h -j $j -o '%T %P'; sinfo -h -p brief; wait_end $j; sacct -nXP -j $j -o partition,state
