# An operator who sets the time limit, the CPUs or the memory of a job lifts the limits on it.
conf: AccountingStorageEnforce=limits,qos
conf: PriorityType=priority/multifactor
conf: PartitionName=small Nodes=node[1-2] MaxNodes=1 MaxTime=30 DefaultTime=10 State=UP
root$ sacctmgr -iQ add account ml >/dev/null; sacctmgr -iQ add user alice,bob account=ml >/dev/null; sacctmgr -iQ add qos q,w >/dev/null; sacctmgr -iQ modify account ml set qos+=q,w >/dev/null
root$ set_limit() { sacctmgr -iQ modify "$@" >/dev/null; }
$ job() { sbatch --parsable -o /dev/null --wrap='sleep 300' "$@"; }
root$ gone() { for _ in 1 2 3; do sleep 0.7; [ -z "$(squeue -h -t PD -o %r | grep -E 'None|Priority|Resources')" ] && break; done; squeue -h -r -o '%i %t %r %l %D %C %q' | sort; scancel -u alice; wait_for '[ -z "$(squeue -h)" ]'; }
# Time.
root$ set_limit user alice set maxwall=20
$ J=$(job -t 25); sleep 1; squeue -h -o '%t %r'
root$ J=$(squeue -h -o %i); scontrol update job=$J timelimit=24; gone
$ J=$(job -t 25); sleep 1
root$ scontrol update job=$(squeue -h -o %i) timelimit=25; gone
$ J=$(job -t 25); sleep 1
root$ scontrol update job=$(squeue -h -o %i) comment=x; gone
$ J=$(job -t 10 -H); sleep 0.3
root$ scontrol update job=$(squeue -h -o %i) timelimit=40
$ scontrol update job=$J timelimit=30; scontrol release $J; squeue -h -o %l
root$ gone
$ J=$(job -t 10 -H); sleep 0.3
root$ scontrol update job=$(squeue -h -o %i) timelimit=40
$ scontrol update job=$J timelimit=41; squeue -h -o %l; scontrol release $J
root$ gone
# Of a QoS.
root$ set_limit user alice set maxwall=-1; set_limit qos q set maxwall=20
$ J=$(job -q q -t 25); K=$(job -t 25 -H); sleep 1
root$ scontrol update job=$(squeue -h -q q -o %i) timelimit=24; gone
$ K=$(job -t 25 -H); sleep 0.3
root$ J=$(squeue -h -o %i); scontrol update job=$J qos=q; scontrol release $J; gone
root$ set_limit qos q set maxwall=-1 maxtres=cpu=2 
# Sizes.
$ J=$(job -q q -n3); sleep 1
root$ scontrol update job=$(squeue -h -o %i) numcpus=4; gone
$ K=$(job -n3 -H); sleep 0.3
root$ J=$(squeue -h -o %i); scontrol update job=$J qos=q; scontrol release $J; gone
root$ set_limit qos q set maxtres=cpu=-1,node=1
root$ set_limit qos q set maxtres=node=-1,mem=1000
$ J=$(job -q q --mem=2000); sleep 1
root$ scontrol update job=$(squeue -h -o %i) minmemorynode=1500; gone
$ J=$(job -q q --mem=2000); sleep 1
root$ scontrol update job=$(squeue -h -o %i) timelimit=30; gone
root$ set_limit qos q set maxtres=mem=-1,gres/gpu=1
$ J=$(job -q q --gres=gpu:2); sleep 1
root$ scontrol update job=$(squeue -h -o %i) gres=gpu:3; gone
root$ set_limit qos q set maxtres=gres/gpu=-1
# Of groups.
root$ set_limit qos q set grptres=cpu=2
$ J=$(job -q q -n3); sleep 1
root$ scontrol update job=$(squeue -h -o %i) numcpus=4; gone
root$ set_limit qos q set grptres=cpu=-1 maxtrespu=cpu=2
$ J=$(job -q q -n3); sleep 1
root$ scontrol update job=$(squeue -h -o %i) numcpus=4; gone
root$ set_limit qos q set maxtrespu=cpu=-1 maxjobspu=1
$ J=$(job -q w); K=$(job -q q); L=$(job -q w -H); sleep 1
root$ J=$(squeue -h -t PD -o %i); scontrol update job=$J qos=q; scontrol release $J; gone
root$ set_limit qos q set maxjobspu=-1; set_limit user alice set maxjobs=1
$ K=$(job); L=$(job -H); sleep 1
root$ J=$(squeue -h -t PD -o %i); scontrol update job=$J qos=q; scontrol release $J; gone
root$ set_limit user alice set maxjobs=-1 grptres=cpu=2
$ J=$(job -n3); sleep 1
root$ scontrol update job=$(squeue -h -o %i) numcpus=4; gone
root$ set_limit user alice set grptres=cpu=-1 maxtres=cpu=2
$ J=$(job -n3); sleep 1
root$ scontrol update job=$(squeue -h -o %i) numcpus=4; gone
root$ set_limit user alice set maxtres=cpu=-1 maxtresmins=cpu=20
$ J=$(job -t 30); sleep 1
root$ scontrol update job=$(squeue -h -o %i) timelimit=25; gone
$ J=$(job -n2 -t 30); sleep 1
root$ scontrol update job=$(squeue -h -o %i) numcpus=3; gone
root$ set_limit user alice set maxtresmins=cpu=-1 grptresrunmins=cpu=20
$ J=$(job -t 30); sleep 1
root$ scontrol update job=$(squeue -h -o %i) timelimit=25; gone
root$ set_limit user alice set grptresrunmins=cpu=-1 
# Of the partition.
$ J=$(job -p small -t 40); sleep 1
root$ scontrol update job=$(squeue -h -o %i) timelimit=35; gone
$ J=$(job -p small -N1); sleep 1
root$ scontrol update job=$(squeue -h -o %i) numnodes=2; gone
$ J=$(job -p small -N2); sleep 1
root$ scontrol update job=$(squeue -h -o %i) numnodes=2; gone
# Where jobs are denied.
root$ set_limit qos q set maxsubmitjobspu=1 flags=DenyOnLimit maxwall=20
$ J=$(job -H -q q -t 10); K=$(job -H -t 60)
root$ K=$(squeue -h -q normal -o %i); J=$(squeue -h -q q -o %i); scontrol update job=$K qos=q; scontrol update job=$J timelimit=30; scontrol release $J $K; gone
root$ set_limit qos q set maxsubmitjobspu=-1 flags-=DenyOnLimit maxwall=-1
root$ set_limit qos q set maxtres=node=1
$ J=$(job -q q -N2); sleep 1
root$ scontrol update job=$(squeue -h -o %i) numnodes=3-3; gone
$ J=$(job -q q -N2); sleep 1
root$ scontrol update job=$(squeue -h -o %i) numnodes=2-3; gone
$ J=$(job -q q -N2); sleep 1
root$ scontrol update job=$(squeue -h -o %i) reqnodelist=node1,node2; gone
root$ set_limit qos q set maxtres=node=-1,cpu=2 mintres=mem=700
$ J=$(job -q q -n3); sleep 1
root$ scontrol update job=$(squeue -h -o %i) mincpusnode=4; gone
$ J=$(job -q q -n3); sleep 1
root$ scontrol update job=$(squeue -h -o %i) numcpus=3; gone
$ J=$(job -q q -n1); sleep 1
root$ scontrol update job=$(squeue -h -o %i) minmemorynode=600; gone
$ J=$(job -q q -n1); sleep 1
root$ scontrol update job=$(squeue -h -o %i) minmemorycpu=600; gone
root$ set_limit qos q set maxtres=cpu=-1 mintres=mem=-1 maxwall=20
$ J=$(job -q q -t 25); sleep 1
root$ scontrol update job=$(squeue -h -o %i) timelimit=+1; gone
$ J=$(job -q q -t 25); sleep 1
root$ scontrol update job=$(squeue -h -o %i) timelimit=24; sleep 1; squeue -h -o '%t %r'; J=$(squeue -h -o %i); scontrol requeuehold $J; sleep 0.5; scontrol release $J; sleep 2; squeue -h -o '%t %r' | sed s/BeginTime/x/; gone
