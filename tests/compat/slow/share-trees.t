conf: AccountingStorageEnforce=associations,limits,qos
conf: PriorityType=priority/multifactor
conf: PriorityParameters=fair_tree=slurm
conf: PriorityCalcPeriod=1
conf: PriorityMaxAge=998-0
conf: PriorityWeightAge=1000
conf: PriorityWeightAssoc=777
conf: PriorityWeightFairshare=10007
conf: PriorityWeightJobSize=1003
conf: PriorityWeightPartition=1009
conf: PriorityWeightQOS=5003
conf: PriorityWeightTRES=CPU=1000,Mem=2000,GRES/gpu=3001
conf: PartitionName=wide Nodes=ALL MaxTime=1-00:00:00 PriorityJobFactor=7 TRESBillingWeights=CPU=1000.5,Mem=0.25G,GRES/gpu=2000 State=UP
conf: PartitionName=quick Nodes=node[1-2] MaxTime=1-00:00:00 PriorityTier=3 PriorityJobFactor=3 State=UP
# Trees made by chance, with use of very different size: ranks are the same as Slurm's own.
root$ sacctmgr -iQ add account t0 parent=root fairshare=30 >/dev/null
root$ sacctmgr -iQ add account t1 parent=root fairshare=0 >/dev/null
root$ sacctmgr -iQ add account t2 parent=t0 fairshare=5 >/dev/null
root$ sacctmgr -iQ add account t3 parent=root fairshare=2 >/dev/null
root$ sacctmgr -iQ add account t4 parent=root fairshare=0 >/dev/null
root$ sacctmgr -iQ add account t5 parent=t3 fairshare=30 >/dev/null
root$ sacctmgr -iQ add account t6 parent=t5 fairshare=1 >/dev/null
root$ sacctmgr -iQ add account t7 parent=t2 fairshare=parent >/dev/null
root$ sacctmgr -iQ add account t8 parent=t3 fairshare=5 >/dev/null
root$ sacctmgr -iQ add account t9 parent=t0 fairshare=30 >/dev/null
root$ sacctmgr -iQ add account t10 parent=t2 fairshare=1 >/dev/null
root$ sacctmgr -iQ add account t11 parent=t9 fairshare=30 >/dev/null
root$ sacctmgr -iQ add account t12 parent=t11 fairshare=30 >/dev/null
root$ sacctmgr -iQ add account t13 parent=t2 fairshare=5 >/dev/null
root$ sacctmgr -iQ add user alice account=t4 fairshare=1 >/dev/null
root$ sacctmgr -iQ add user alice account=t13 fairshare=1 >/dev/null
root$ sacctmgr -iQ add user alice account=t10 fairshare=1 >/dev/null
root$ sacctmgr -iQ add user alice account=t5 fairshare=3 >/dev/null
root$ sacctmgr -iQ add user alice account=t1 fairshare=2 >/dev/null
root$ sacctmgr -iQ add user alice account=t11 fairshare=1 >/dev/null
root$ sacctmgr -iQ add user alice account=t6 fairshare=parent >/dev/null
root$ sacctmgr -iQ add user alice account=t12 fairshare=2 >/dev/null
root$ sacctmgr -iQ add user bob account=t0 fairshare=parent >/dev/null
root$ sacctmgr -iQ add user bob account=t4 fairshare=2 >/dev/null
root$ sacctmgr -iQ add user bob account=t9 fairshare=3 >/dev/null
root$ sacctmgr -iQ add user bob account=t12 fairshare=3 >/dev/null
root$ sacctmgr -iQ add user bob account=t8 fairshare=1 >/dev/null
root$ sacctmgr -iQ add user bob account=t3 fairshare=1 >/dev/null
root$ sacctmgr -iQ add user bob account=t6 fairshare=2 >/dev/null
root$ sacctmgr -iQ add user bob account=t11 fairshare=2 >/dev/null
root$ sacctmgr -iQ add user carol account=t13 fairshare=parent >/dev/null
root$ sacctmgr -iQ add user carol account=t12 fairshare=9 >/dev/null
root$ sacctmgr -iQ add user carol account=t0 fairshare=3 >/dev/null
root$ sacctmgr -iQ add user carol account=t1 fairshare=9 >/dev/null
root$ sacctmgr -iQ add user carol account=t11 fairshare=2 >/dev/null
root$ sacctmgr -iQ add user carol account=t7 fairshare=1 >/dev/null
root$ sacctmgr -iQ add user carol account=t4 fairshare=9 >/dev/null
root$ sacctmgr -iQ add user carol account=t8 fairshare=1 >/dev/null
$ J=$(sbatch --parsable -A t13 -p quick -n8 -o /dev/null --wrap 'sleep 2'); wait_end $J
$ J=$(sbatch --parsable -A t5 -p wide -n8 -o /dev/null --wrap 'sleep 2'); wait_end $J
bob$ J=$(sbatch --parsable -A t8 -p wide -n1 -o /dev/null --wrap 'sleep 2'); wait_end $J
bob$ J=$(sbatch --parsable -A t4 -p wide -n8 -o /dev/null --wrap 'sleep 2'); wait_end $J
carol$ J=$(sbatch --parsable -A t7 -p wide -n1 --gres=gpu:4 -o /dev/null --wrap 'sleep 2'); wait_end $J
carol$ J=$(sbatch --parsable -A t8 -p quick -n8 -o /dev/null --wrap 'sleep 2'); wait_end $J
$ sshare -a -P -o account,user,rawshares,normshares
$ sleep 40
$ sleep 25
$ sshare -a -P -o account,user,fairshare
