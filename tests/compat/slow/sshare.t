conf: AccountingStorageEnforce=associations,limits,qos
conf: PriorityType=priority/multifactor
conf: PriorityParameters=fair_tree=slurm
conf: PriorityCalcPeriod=1
conf: PriorityMaxAge=1000-0
conf: PriorityWeightAge=1000
conf: PriorityWeightAssoc=777
conf: PriorityWeightFairshare=10007
conf: PriorityWeightJobSize=1003
conf: PriorityWeightPartition=1009
conf: PriorityWeightQOS=5003
conf: PriorityWeightTRES=CPU=1000,Mem=2000,GRES/gpu=3001
conf: PartitionName=wide Nodes=ALL MaxTime=1-00:00:00 PriorityJobFactor=7 TRESBillingWeights=CPU=1000.5,Mem=0.25G,GRES/gpu=2000 State=UP
conf: PartitionName=quick Nodes=node[1-2] MaxTime=1-00:00:00 PriorityTier=3 PriorityJobFactor=3 State=UP
# A tree with everything in it: no share, the parent's share, a partition, a limit, a level more.
root$ sacctmgr -iQ add account cs,bio fairshare=50 priority=7
root$ sacctmgr -iQ modify account bio set fairshare=13 priority=-1
root$ sacctmgr -iQ add account es fairshare=30
root$ sacctmgr -iQ add account es.shj parent=es fairshare=20 priority=3 grptresmins=cpu=100,gres/gpu=7
root$ sacctmgr -iQ add account zoo fairshare=parent
root$ sacctmgr -iQ add account none fairshare=0
root$ sacctmgr -iQ add user alice account=cs,es.shj fairshare=10 defaultaccount=cs >/dev/null
root$ sacctmgr -iQ add user bob account=es.shj,zoo fairshare=7
root$ sacctmgr -iQ add user carol account=es fairshare=parent
root$ sacctmgr -iQ add user carol account=zoo,none,bio fairshare=3
root$ sacctmgr -iQ add user alice account=none partition=quick

# One who has used something: whatever it was, all of it is hers.
$ J=$(sbatch --parsable -A cs -n8 --exclusive -o /dev/null --wrap 'sleep 3'); wait_end $J
$ wait_for 'sshare -n -P -A cs -u alice -o user,normusage,fairshare | grep -q "alice|1.000000|0.[1-9]"'
$ sshare -o account,user,rawshares,normshares,effectvusage,fairshare
$ sshare -a -o account,user,rawshares,normshares,effectvusage,fairshare
$ sshare -a -l -P -o account,user,rawshares,normshares,normusage,effectvusage,fairshare,levelfs,grptresmins,tresrunmins
root$ sshare -P -o account,user,fairshare
$ sshare -u bob -o account,user,fairshare
$ sshare -u bob,carol -U -o account,user,fairshare
$ sshare -A es -a -o account,user,fairshare
$ sshare -A es,zoo -u carol -o account,user,fairshare
$ sshare -A es.shj -u alice -o account,user,fairshare
$ sshare -A nosuch
$ sshare -u nosuch -o account,user
$ sshare -a -U -m -o account,user,partition
$ sshare -a -n -p -o account%3,user%-20,cluster,levelfs%4
$ sshare -a -o 'Account%30,LevelFS,GrpTRESMins%12'
$ sshare -l | head -2
$ sshare -lm | head -2
$ sshare -m | head -2
$ sshare | head -2
$ sshare -M peer -A nosuch
$ sshare -M nosuch
$ sshare -e
$ sshare -o nosuch
$ sshare -v -A cs,es -u bob,carol -o account,user
$ sshare -v -a -A cs -o account,user
$ sshare foo -A nosuch
$ sshare -z

# What a running job may still use.
$ J=$(sbatch --parsable -A cs -p wide -n4 --mem-per-cpu=100 --gres=gpu:2 -t 10 -o /dev/null --wrap 'sleep 60'); wait_run $J
$ sshare -A cs -u alice -P -o account,user,tresrunmins | sed -E 's/=(9|39|40),/=~,/'
$ scontrol show job $J | grep -o 'TRES=.*'
$ scancel $J; wait_end $J
$ wait_for "sacct -X -n -P -j $J -o reqtres,state | grep -q 'billing.*CANC'"; sacct -X -n -P -j $J -o alloctres,reqtres
$ scontrol show partition wide | grep -i 'tres'
$ J=$(sbatch --parsable -A cs -p quick -n4 --mem-per-cpu=100 -t 10 -o /dev/null --wrap true); wait_for "sacct -X -n -P -j $J -o alloctres,state | grep -q 'billing.*COMP'"; sacct -X -n -P -j $J -o alloctres

# Forgotten.
root$ sacctmgr -i modify account cs set rawusage=0
root$ sacctmgr -i modify account cs set rawusage=1
root$ sacctmgr -i modify user alice set rawusage=0
root$ sacctmgr -i modify user alice account=cs set rawusage=0
root$ sacctmgr -i modify qos normal set rawusage=0
$ sshare -A cs -P -o account,user,rawusage,grptresraw
