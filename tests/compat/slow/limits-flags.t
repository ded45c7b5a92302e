# Flags of a QoS: free from what the partition says of nodes and time; minutes with the usage factor.
conf: AccountingStorageEnforce=limits,qos,safe
conf: PriorityType=priority/multifactor
conf: PartitionName=small Nodes=node[1-2] MaxNodes=1 MaxTime=30 DefaultTime=10 State=UP
conf: PartitionName=big Nodes=ALL MinNodes=2 MaxTime=1-00:00:00 DefaultTime=10 State=UP
root$ sacctmgr -iQ add account ml >/dev/null; sacctmgr -iQ add user alice,bob account=ml >/dev/null; sacctmgr -iQ add qos q,w,pq >/dev/null; sacctmgr -iQ modify account ml set qos+=q,w >/dev/null
root$ set_limit() { sacctmgr -iQ modify "$@" >/dev/null; }
$ job() { sbatch --parsable -o /dev/null --wrap='sleep 300' "$@"; }
$ reasons() { for _ in 1 2 3; do sleep 0.7; [ -z "$(squeue -h -t PD -o %r | grep -E 'None|Priority|Resources')" ] && break; done; squeue -h -r -o '%i %t %r %l %D %q' | sort; scancel -u alice; wait_for '[ -z "$(squeue -h)" ]'; }

# Nodes and time.
root$ set_limit qos q set flags=PartitionMaxNodes,PartitionMinNodes,PartitionTimeLimit
$ job -p small -N2; job -p small -N1-4; job -q q -p small -N2; job -q q -p small -N1-2; job -q q -p small -N3; job -q q -p small -N1-4
$ reasons
$ job -p big -N1; job -p big -N1-3; job -p big; job -p big -n1; job -q q -p big -N1; job -q q -p big -N1-3; job -q q -p big; job -q q -p big -n4
$ reasons
$ job -p small -t 31; job -q q -p small -t 31
$ reasons
$ job -p small -n10
$ job -q q -p small -n10
$ job -q q -N1-2 -p small -n10
$ job -p small,batch -N2; job -p big,batch -N1; job -p batch,big -N1; job -p small,big -N1
$ reasons
$ scontrol show job $(job -H -q q -p big) | grep -oE 'Num(Nodes|Tasks)=\S+'
$ scancel -u alice
root$ set_limit qos q set flags-=PartitionMaxNodes,PartitionMinNodes,PartitionTimeLimit

# Minutes.
root$ set_limit qos q set usagefactor=2 grptresmins=cpu=100
$ job -q q -t 101; job -q q -t 60
$ reasons
root$ set_limit qos q set flags=UsageFactorSafe
$ job -q q -t 51; job -q q -t 30; job -q q -t 25
$ reasons
root$ set_limit qos q set usagefactor=0.5
$ job -q q -t 201; job -q q -t 120
$ reasons
root$ set_limit qos q set usagefactor=0
$ job -q q -t 101; job -q q -t 99
$ reasons
root$ set_limit qos q set usagefactor=2 grptresmins=cpu=-1 maxtresmins=cpu=100
$ job -q q -t 51; job -q q -t 50
$ reasons
root$ set_limit qos q set maxtresmins=cpu=-1 grptresrunmins=cpu=100
$ job -q q -t 51; job -q q -t 30; job -q q -t 25
$ reasons
root$ set_limit qos q set grptresrunmins=cpu=-1 grpwall=100
$ job -q q -t 51; job -q q -t 101; job -q q -t 49
$ reasons
root$ set_limit qos q set grpwall=-1; set_limit user alice set grptresmins=cpu=100
$ job -q q -t 51; job -q w -t 90
$ reasons
root$ set_limit user alice set grptresmins=cpu=-1 maxtresmins=cpu=100
$ job -q q -t 51; job -q w -t 90
$ reasons
root$ set_limit user alice set maxtresmins=cpu=-1 grptresrunmins=cpu=100
$ job -q q -t 51; job -q w -t 90
$ reasons
root$ set_limit user alice set grptresrunmins=cpu=-1 grpwall=100
$ job -q q -t 51; job -q w -t 90
$ reasons
root$ set_limit user alice set grpwall=-1; set_limit qos pq set flags=UsageFactorSafe usagefactor=3 grptresmins=cpu=100; scontrol update partition=c-iq qos=pq
$ job -p c-iq -q w -t 51; job -p c-iq -q w -t 33; job -p c-iq -q q -t 20
$ reasons
root$ set_limit qos pq set grptresmins=cpu=-1; set_limit user alice set grptresmins=cpu=100
$ job -p c-iq -q w -t 51; job -p c-iq -q w -t 33;
$ reasons
root$ scontrol update partition=c-iq qos=; set_limit qos q set flags=UsageFactorSafe,DenyOnLimit maxtresmins=cpu=100
$ job -q q -t 51
$ job -q q -t 101
$ reasons
root$ set_limit qos q set maxtresmins=cpu=-1 flags-=UsageFactorSafe,DenyOnLimit usagefactor=1; set_limit user alice set grptresmins=cpu=-1; set_limit qos pq set flags-=UsageFactorSafe usagefactor=1
# Of jobs that run, minutes count with the factor whatever the flags say.
root$ set_limit qos q set usagefactor=2 grptresrunmins=cpu=100
$ job -q q -t 40; wait_for "[ -n \"\$(squeue -h -t R)\" ]"
root$ scontrol show assoc_mgr qos=q flags=qos | grep -oE 'GrpTRESRunMins=cpu=[^,]*' | sed 's/79/80/'
$ job -q q -t 30
$ reasons
root$ set_limit qos q set usagefactor=1 grptresrunmins=cpu=-1
