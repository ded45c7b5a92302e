# Limits of associations and QoS: who is refused, who waits, and why. One job at a time is submitted
# and looked at, so that the reasons are those of the same pass.
conf: AccountingStorageEnforce=limits,qos
root$ sacctmgr -iQ add account cs >/dev/null; sacctmgr -iQ add account ml parent=cs >/dev/null
root$ sacctmgr -iQ add user alice,bob account=ml >/dev/null; sacctmgr -iQ add qos q,pq >/dev/null; sacctmgr -iQ modify account cs set qos+=q >/dev/null
root$ set_limit() { sacctmgr -iQ modify "$@" >/dev/null; }
$ job() { sbatch --parsable -o /dev/null --wrap='sleep 300' "$@"; }
bob$ job() { sbatch --parsable -o /dev/null --wrap='sleep 300' "$@"; }
$ reasons() { for _ in 1 2 3; do sleep 0.7; [ -z "$(squeue -h -t PD -o %r | grep -E 'None|Priority|Resources')" ] && break; done; squeue -h -r -o '%i %t %r %l' | sort; scancel -u alice,bob; scancel -u alice; wait_for '[ -z "$(squeue -h)" ]'; }
root$ clear_jobs() { scancel -u bob; scancel -u alice; wait_for '[ -z "$(squeue -h)" ]'; }

# How many run.
root$ set_limit user alice set maxjobs=1
$ job; job --array=1-2
$ reasons
root$ set_limit user alice set maxjobs=-1; set_limit account ml set grpjobs=1
$ job; job
$ reasons
root$ set_limit account ml set grpjobs=-1; set_limit qos q set maxjobspu=1 grpjobs=2
$ job -q q; job -q q
bob$ job -q q; sleep 0.7; job -q q
$ reasons
root$ clear_jobs; set_limit qos q set maxjobspu=-1 grpjobs=-1 maxjobspa=1
$ job -q q; job -q q
$ reasons

# How many are submitted; an array counts its tasks.
root$ set_limit qos q set maxjobspa=-1; set_limit user alice set maxsubmit=2
$ job --array=1-3
$ job; job; job
$ sbatch --test-only --wrap=true
$ srun true
$ salloc true
$ reasons
root$ set_limit user alice set maxsubmit=-1; set_limit account cs set grpsubmit=1
$ job; job
$ reasons
root$ set_limit account cs set grpsubmit=-1; set_limit qos q set maxsubmitjobspu=1
$ job -q q; job -q q
$ reasons
root$ set_limit qos q set maxsubmitjobspu=-1 maxsubmitjobspa=1
$ job -q q; job -q q
$ reasons
root$ set_limit qos q set maxsubmitjobspa=-1 grpsubmit=1
$ job -q q; job -q q
$ reasons
root$ set_limit qos q set grpsubmit=-1

# How long.
root$ set_limit qos q set maxwall=30
$ job -q q; job -q q -t 30; job -q q -t 31; job -q q -p c-iq
$ reasons
root$ set_limit qos q set maxwall=-1; set_limit user alice set maxwall=20
$ job; job -t 20; job -t 21; job -p c-iq
$ reasons
root$ set_limit user alice set maxwall=-1

# How large together.
root$ set_limit account ml set grptres=cpu=2
$ job; job -n2
$ reasons
root$ set_limit account ml set grptres=cpu=-1,mem=1000
$ job --mem=600; job --mem=600
$ reasons
root$ set_limit account ml set grptres=mem=-1,gres/gpu=1
$ job --gres=gpu:1; job --gres=gpu:1; job
$ reasons
root$ set_limit account ml set grptres=gres/gpu=-1,node=1
$ job; job; job -N2
$ reasons
root$ set_limit account ml set grptres=node=-1; set_limit qos q set grptres=cpu=2,gres/gpu=1
$ job -q q; job -q q -n2; job -q q --gres=gpu:1; 
$ reasons
root$ set_limit qos q set grptres=cpu=-1,gres/gpu=-1 maxtrespu=cpu=2,gres/gpu=1
$ job -q q; job -q q -n2; job -q q --gres=gpu:2
$ reasons
root$ set_limit qos q set maxtrespu=cpu=-1,gres/gpu=-1 maxtrespa=cpu=2,mem=1000
$ job -q q; job -q q -n2; job -q q --mem=800
$ reasons
root$ set_limit qos q set maxtrespa=cpu=-1,mem=-1

# How large each.
root$ set_limit qos q set maxtres=cpu=2,node=1,mem=1000 maxtrespernode=gres/gpu=1 mintres=cpu=2
$ job -q q -n3; job -q q -N2; job -q q -n2 --mem=2000; job -q q -n2 --mem=100 --gres=gpu:2; job -q q -n1; job -q q -n2 --mem=100
$ reasons
root$ set_limit qos q set flags=DenyOnLimit
$ job -q q -n3
$ job -q q -N2
$ job -q q -n2 --mem=2000
$ job -q q -n2 --mem=100 --gres=gpu:2
$ job -q q -n1
$ job -q q -n2 --mem=100
$ sbatch --test-only -q q -n3 --wrap=true
$ reasons
root$ set_limit qos q set flags-=DenyOnLimit; set_limit qos q set maxtres=cpu=-1,node=-1,mem=-1 maxtrespernode=gres/gpu=-1 mintres=cpu=-1
root$ set_limit user alice set maxtres=cpu=2,node=1 maxtrespernode=gres/gpu=1
$ job -n3; job -N2; job --gres=gpu:2
$ reasons
root$ set_limit qos normal set flags=DenyOnLimit
$ job -n3
$ job -N2
$ job --gres=gpu:2
root$ set_limit qos normal set flags-=DenyOnLimit; set_limit user alice set maxtres=cpu=-1,node=-1 maxtrespernode=gres/gpu=-1

# Minutes.
root$ set_limit qos q set maxtresmins=cpu=60 grptresrunmins=cpu=100
$ job -q q -t 61; job -q q -t 60; job -q q -t 50; job -q q -t 40
$ reasons
root$ set_limit qos q set flags=DenyOnLimit
$ job -q q -t 61
$ job -q q -t 60 -n2
root$ set_limit qos q set flags-=DenyOnLimit; set_limit qos q set maxtresmins=cpu=-1 grptresrunmins=cpu=-1; set_limit account ml set grptresmins=gres/gpu=0
$ job; job --gres=gpu:1
$ reasons
root$ set_limit account ml set grptresmins=gres/gpu=-1 grpwall=0
$ job
$ reasons
root$ set_limit account ml set grpwall=-1; set_limit user alice set maxtresmins=cpu=60 grptresrunmins=cpu=100
$ job -t 61; job -t 60; job -t 50
$ reasons
root$ set_limit user alice set maxtresmins=cpu=-1 grptresrunmins=cpu=-1

# Which of several holds.
root$ set_limit user alice set maxjobs=1 maxwall=10; set_limit qos q set maxjobspu=2
$ job -t 5; job -t 5; job -q q -t 5; job -q q -t 5; job -q q -t 20
$ reasons
root$ set_limit user alice set maxjobs=-1 maxwall=-1; set_limit qos q set maxjobspu=2; set_limit qos pq set maxjobspu=1; scontrol update partition=c-iq qos=pq
$ scontrol show partition c-iq | grep -o 'QoS=.*'
$ job -p c-iq; job -p c-iq; job -p c-iq -q q; job -q q
$ reasons
root$ set_limit qos q set flags=OverPartQOS
$ job -p c-iq -q q; job -p c-iq -q q; job -p c-iq -q q
$ reasons
root$ set_limit qos q set flags-=OverPartQOS; scontrol update partition=c-iq qos=; set_limit qos q set maxjobspu=-1; set_limit qos pq set maxjobspu=-1
root$ set_limit user alice set maxtres=cpu=2 grptres=cpu=4; set_limit qos q set limitfactor=2
$ job -q q -n3; job -n3; job -q q -n5; job -q q -n4; job -q q -n4
$ reasons
root$ set_limit user alice set maxtres=cpu=-1 grptres=cpu=-1; set_limit qos q set limitfactor=-1

# What else a QoS may want.
root$ set_limit qos q set flags=RequiresReservation
$ job -q q
root$ set_limit qos q set flags-=RequiresReservation; scontrol update partition=c-iq maxtime=10; set_limit qos q set flags=PartitionTimeLimit
$ job -p c-iq -t 20; job -q q -p c-iq -t 20
$ reasons
root$ scontrol update partition=c-iq maxtime=1-0; set_limit qos q set flags-=PartitionTimeLimit

# A limit that is raised lets those go who wait for it, one that is lowered stops nobody who runs.
root$ set_limit user alice set maxjobs=1
$ job; job; sleep 1; squeue -h -o '%t %r' | sort
root$ set_limit user alice set maxjobs=2
$ wait_for '[ $(squeue -h -t R | wc -l) = 2 ]'; job; sleep 1; squeue -h -o '%t %r' | sort
root$ set_limit user alice set maxjobs=1
$ sleep 1; squeue -h -o '%t %r' | sort
$ reasons
root$ set_limit user alice set maxjobs=-1

# A job that waits is changed.
root$ set_limit qos q set flags=DenyOnLimit maxwall=30 maxtres=cpu=2 maxsubmitjobspu=1
$ J=$(job -H -q q -t 10); K=$(job -H -t 60); scontrol update job=$J timelimit=31
$ scontrol update job=$J numcpus=3
$ scontrol update job=$K qos=q
$ scontrol update job=$J timelimit=30 numcpus=2; squeue -h -o '%i %q %l %C' | sort
root$ set_limit qos q set flags-=DenyOnLimit; set_limit qos q set maxsubmitjobspu=-1
$ scontrol update job=$J timelimit=31; scontrol update job=$K qos=q; squeue -h -o '%i %q %l %C' | sort
$ scancel $J $K
root$ set_limit qos q set maxwall=-1 maxtres=cpu=-1

# What counts. How many minutes were used is not compared: a Slurm with priority/basic charges nobody, and so its limits on
# minutes never bite; here use is always charged.
$ no_minutes() { sed -E ':a; s/(GrpTRESMins=[^ ]*)\([0-9]+\)/\1<U>/; ta; s/(GrpWall=[^ (]*)\([0-9.]+\)/\1<U>/'; }
root$ no_minutes() { sed -E ':a; s/(GrpTRESMins=[^ ]*)\([0-9]+\)/\1<U>/; ta; s/(GrpWall=[^ (]*)\([0-9.]+\)/\1<U>/'; }
root$ sacctmgr -iQ add user carol account=cs >/dev/null; set_limit user alice set maxjobs=3 maxsubmit=5 grptres=cpu=9 maxwall=100 maxtrespernode=gres/gpu=2 grpwall=77 grptresmins=cpu=88 grpjobs=3 grpsubmit=4 minpriothres=17 maxjobsaccrue=7 fairshare=5 priority=3
root$ set_limit qos q set maxjobspu=3 maxjobspa=4 maxtrespu=cpu=3 maxtrespa=mem=4000 maxwall=100 mintres=cpu=1 maxtres=gres/gpu=2 priority=12
$ job -q q -t 5; job -q q -t 5 -n2 --gres=gpu:1; job -q q -H; sleep 1.5
root$ scontrol show assoc_mgr flags=qos qos=q | grep -v UsageRaw | no_minutes
root$ scontrol show assoc_mgr flags=qos qos=pq | grep -v UsageRaw
$ scontrol -o show assoc_mgr flags=qos qos=q | sed 's/UsageRaw=[^ ]*//' | no_minutes
$ scontrol show assoc_mgr flags=assoc users=alice | grep -vE 'Shares|UsageRaw|Lft' | sed 's/ID=.*//' | no_minutes
$ scontrol -o show assoc_mgr flags=assoc users=alice accounts=ml | sed 's/ID=.*DefAssoc/DefAssoc/' | no_minutes
$ scontrol show assoc_mgr flags=users users=root
$ scontrol show assoc_mgr accounts=cs flags=assoc | grep Account= | sed 's/ID=.*//'
$ scontrol show assoc_mgr accounts=nosuch flags=assoc
$ scontrol show assoc_mgr users=nosuch flags=users
$ scontrol show assoc_mgr qos=nosuch flags=qos
$ scontrol show assoc_mgr flags=x
$ scontrol show assoc_mgr bla=x
$ scontrol show assoc_mgr bla
$ scancel -u alice
root$ set_limit user alice set maxjobs=-1 maxsubmit=-1 grptres=cpu=-1 maxwall=-1 maxtrespernode=gres/gpu=-1 grpwall=-1 grptresmins=cpu=-1 grpjobs=-1 grpsubmit=-1
