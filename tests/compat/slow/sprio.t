conf: AccountingStorageEnforce=associations,limits,qos
conf: PriorityType=priority/multifactor
conf: PriorityParameters=fair_tree=slurm
conf: PriorityCalcPeriod=1
conf: PriorityMaxAge=999-0
conf: PriorityWeightAge=1000
conf: PriorityWeightAssoc=777
conf: PriorityWeightFairshare=10007
conf: PriorityWeightJobSize=1003
conf: PriorityWeightPartition=1009
conf: PriorityWeightQOS=5003
conf: PriorityWeightTRES=CPU=1000,Mem=2000,GRES/gpu=3001
conf: PartitionName=wide Nodes=ALL MaxTime=1-00:00:00 PriorityJobFactor=7 TRESBillingWeights=CPU=1000.5,Mem=0.25G,GRES/gpu=2000 State=UP
conf: PartitionName=quick Nodes=node[1-2] MaxTime=1-00:00:00 PriorityTier=3 PriorityJobFactor=3 State=UP
# What a priority is made of. Nobody has used anything: fair share is the same for all, once it has
# been worked out.
root$ sacctmgr -iQ add qos high set priority=37
root$ sacctmgr -iQ modify qos normal set priority=10
root$ sacctmgr -iQ add account phys,math fairshare=5 priority=7
root$ sacctmgr -iQ modify account math set priority=3
root$ sacctmgr -iQ add user alice,bob,carol account=phys,math
root$ sacctmgr -iQ modify account phys set qos+=high >/dev/null
$ sprio
$ sprio -h
$ sprio -w
$ sprio -w -l
$ sprio -w -n
$ sprio -w -h
root$ J=$(sbatch --parsable -N4 --exclusive -o /dev/null --wrap 'sleep 600'); wait_run $J
$ A=$(sbatch --parsable -A phys -n4 --mem=1000 -t 10 --gres=gpu:1 -o /dev/null --wrap true); echo $A
$ B=$(sbatch --parsable -A math -N2 -n3 -t 10 --nice=33 -p batch,quick,wide -o /dev/null --wrap true); echo $B
$ C=$(sbatch --parsable -A phys --qos=high -p wide --array=1-3 -o /dev/null --wrap true); echo $C
$ D=$(sbatch --parsable -A phys -H -o /dev/null --wrap true); echo $D
$ E=$(sbatch --parsable -A phys --begin=now+1hour -o /dev/null --wrap true); echo $E
$ F=$(sbatch --parsable -A phys -d afterok:$A -o /dev/null --wrap true); echo $F
root$ G=$(sbatch --parsable --priority=5000 -o /dev/null --wrap true); echo $G
root$ H=$(sbatch --parsable -n30 -o /dev/null --wrap true); echo $H; scontrol update jobid=$H sitefactor=77
$ wait_for "[ \$(sprio -h -o %f -j$A) = 1.0000000 -a \$(sprio -h -o %f -j$C) = 1.0000000 ]"; sleep 1
$ sprio
$ sprio -l
$ sprio -n
$ sprio -n -l
$ sprio -o '%i|%r|%c|%Y|%t|%T|%N|%S|%u|%a|%b|%f|%j|%p|%q'
$ sprio -o '%.3u|%3u|%2B|%.2B|%10T|'
$ sprio -o '%i %z %u' | sed 's/  *$//'
$ sprio -j$A,$C
$ sprio -j $A
$ sprio -j999999
$ sprio -jx
$ sprio -p wide -o '%i %r %Y'
$ sprio -p wide,quick -o '%i %r %Y'
$ sprio -p nosuch
$ sprio -u alice -o '%i %u'
$ sprio -u root,$(id -u alice) -h
$ sprio -u bob
$ sprio -u nosuch
$ sprio -S u,-Y -o '%u %Y %r'
$ sprio -S -y,r -o '%Y %r'
$ sprio -S -i -o '%i %r'
$ sprio -S z
$ SPRIO_FORMAT='%i,%u' sprio
$ SPRIO_FORMAT='%i,%u' sprio -l | head -1
$ sprio --sibling
$ sprio --federation -o '%i %c'
$ sprio --local -o '%i'
$ sprio -M peer -o %i
$ sprio -M nosuch
$ sprio -v -o %i
$ sprio -v -jx
$ sprio foo
$ squeue -h -S i -o '%i %Q'
$ squeue -h -S i -o '%i %p'
$ scontrol show job $A | grep -o 'Priority=[0-9]* Nice=.*'
root$ scontrol update jobid=$H nice=100; sprio -j$H -o '%Y %N %S'
$ scontrol hold $A; sprio -h -o %i | grep -c $A
