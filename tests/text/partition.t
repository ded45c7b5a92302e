# Partitions are made, changed and removed while the service runs.
root$ scontrol create partitionname=zzp
root$ scontrol show part zzp
PartitionName=zzp
   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL
   AllocNodes=ALL Default=NO QoS=N/A
   DefaultTime=NONE DisableRootJobs=NO ExclusiveUser=NO GraceTime=0 Hidden=NO
   MaxNodes=UNLIMITED MaxTime=UNLIMITED MinNodes=1 LLN=NO MaxCPUsPerNode=UNLIMITED
   Nodes=(null)
   PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO OverSubscribe=NO
   OverTimeLimit=NONE PreemptMode=OFF
   State=UP TotalCPUs=0 TotalNodes=0 SelectTypeParameters=NONE
   JobDefaults=(null)
   DefMemPerNode=UNLIMITED MaxMemPerNode=UNLIMITED
   TRES=(null)

root$ scontrol create partitionname=zzp nodes=node1 maxtime=10
! Error creating the partition: Invalid partition name specified
? 1
root$ scontrol update partitionname=zzp nodes=node9
! slurm_update error: Invalid node name specified
? 1
root$ scontrol update partitionname=zzp nodes=node[1-2] maxtime=1:00:00 defaulttime=5 default=no allowgroups=root
root$ scontrol update partitionname=zzp alternate=batch allowaccounts=foo allowqos=baz
root$ scontrol update partitionname=zzp maxnodes=1 minnodes=2 hidden=yes rootonly=yes lln=yes maxcpuspernode=3 oversubscribe=force:3 preemptmode=cancel gracetime=30 overtimelimit=5 reqresv=yes exclusiveuser=yes disablerootjobs=yes defmempercpu=100 maxmempernode=4000 jobdefaults=DefCpuPerGPU=3 tresbillingweights=cpu=2 state=inactive
root$ scontrol show part zzp
PartitionName=zzp
   AllowGroups=root AllowAccounts=foo AllowQos=baz
   AllocNodes=ALL Alternate=batch Default=NO QoS=N/A
   DefaultTime=00:05:00 DisableRootJobs=YES ExclusiveUser=YES GraceTime=30 Hidden=YES
   MaxNodes=1 MaxTime=01:00:00 MinNodes=2 LLN=YES MaxCPUsPerNode=3
   Nodes=node[1-2]
   PriorityJobFactor=1 PriorityTier=1 RootOnly=YES ReqResv=YES OverSubscribe=FORCE:3
   OverTimeLimit=5 PreemptMode=CANCEL
   State=INACTIVE TotalCPUs=16 TotalNodes=2 SelectTypeParameters=NONE
   JobDefaults=DefCpuPerGPU=3
   DefMemPerCPU=100 MaxMemPerNode=4000
   TRES=cpu=16,mem=62.50G,node=2,billing=32,gres/gpu=8
   TRESBillingWeights=cpu=2

root$ scontrol update partitionname=zzp nodes=all
root$ scontrol show part zzp | grep ' Nodes='
   Nodes=node[1-4]
root$ scontrol update partitionname=zznone state=up
! slurm_update error: Invalid partition name specified
? 1
root$ scontrol delete partition=zzp
root$ scontrol delete partition=zzp
! delete_partition partition=zzp: Invalid partition name specified
? 1
# Nobody else may.
$ scontrol update part=batch state=up
! slurm_update error: Invalid user id
? 1
$ scontrol create part=zzp1
! Error creating the partition: Invalid user id
? 1
$ scontrol delete part=c-iq
! delete_partition part=c-iq: Invalid user id
? 1
# A job keeps its partition.
$ sbatch -p c-iq -H -o /dev/null --wrap='sleep 1'
Submitted batch job 1
root$ scontrol delete part=c-iq
! delete_partition part=c-iq: Partition is in use
? 1
root$ scancel 1
root$ scontrol delete part=c-iq
# The file has the last word.
root$ scontrol reconfigure
root$ scontrol show part | grep PartitionName
PartitionName=batch
PartitionName=c-iq
