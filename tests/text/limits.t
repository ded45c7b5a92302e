conf: AccountingStorageEnforce=limits,qos,safe
conf: AccountingStorageTRES=gres/gpu
conf: PartitionName=small Nodes=node4 QOS=inside MaxTime=10 State=UP

root$ sacctmgr -iQ add account lab >/dev/null; sacctmgr -iQ add user alice,bob account=lab >/dev/null; sacctmgr -iQ add qos quick,inside >/dev/null; sacctmgr -iQ modify account lab set qos+=quick >/dev/null
root$ set_limit() { sacctmgr -iQ modify "$@" >/dev/null; }
$ job() { sbatch --parsable -o /dev/null --wrap='sleep 100' "$@"; }
$ look() { wait_for '! squeue -h -t PD -o %r | grep -qx None'; squeue -h -r -S i -o '%i %t %r'; }
$ clear() { scancel -u alice; wait_for '[ -z "$(squeue -h)" ]'; }

# Several starts of one pass never exceed a limit together; who waits for it keeps nobody.
root$ set_limit account lab set grptres=cpu=4
$ A=$(job -H -n3); B=$(job -H -n3); C=$(job -H -n1); scontrol release $A,$B,$C
$ look
1 R None
2 PD AssocGrpCpuLimit
3 R None
$ clear
root$ set_limit account lab set grptres=cpu=-1 grpjobs=2
$ job --array=1-4
4
$ look
4_1 R None
4_2 R None
4_3 PD AssocGrpJobsLimit
4_4 PD AssocGrpJobsLimit

# A limit that is changed counts at once.
root$ set_limit account lab set grpjobs=3
$ wait_for '[ $(squeue -h -t R | wc -l) = 3 ]'; look
4_1 R None
4_2 R None
4_3 R None
4_4 PD AssocGrpJobsLimit

# So does one that ends, however it ends.
$ scancel 4_1; wait_for '[ "$(squeue -h -j 4_4 -o %t)" = R ]'
$ clear
root$ set_limit account lab set grpjobs=-1

# Tasks of an array count each, from the submission on.
root$ set_limit user alice set maxsubmit=3
$ job --array=1-4
! sbatch: error: AssocMaxSubmitJobLimit
! sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)
? 1
$ job -H --array=1-3
~ [0-9]+
$ job
! sbatch: error: AssocMaxSubmitJobLimit
! sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)
? 1
$ scancel -u alice; wait_for '[ -z "$(squeue -h)" ]'; J=$(job -H); echo ${J:+taken}
taken
$ clear
root$ set_limit user alice set maxsubmit=-1

# With `safe` a job starts only if it can end within what is left of the minutes.
root$ set_limit account lab set grptresmins=cpu=60
$ A=$(job -t 40); look >/dev/null; B=$(job -t 40); C=$(job -t 20); look | cut -d' ' -f2-
R None
PD AssocGrpCPUMinutesLimit
R None
$ clear
root$ set_limit account lab set grptresmins=cpu=-1

# The QoS of a partition comes before the job's.
root$ set_limit qos inside set maxjobspu=1; set_limit qos quick set maxjobspu=2
$ job -p small -t 5 >/dev/null; job -p small -t 5 >/dev/null; job -p small -q quick -t 5 >/dev/null; look | cut -d' ' -f2-
R None
PD QOSMaxJobsPerUserLimit
PD QOSMaxJobsPerUserLimit
root$ set_limit qos quick set flags=OverPartQOS
$ wait_for '[ $(squeue -h -t R | wc -l) = 2 ]'; look | cut -d' ' -f2-
R None
PD QOSMaxJobsPerUserLimit
R None
$ clear
root$ set_limit qos quick set flags=PartitionTimeLimit
$ job -p small -q quick -t 20 >/dev/null; job -p small -t 20 >/dev/null; look | cut -d' ' -f2-
R None
PD PartitionTimeLimit
$ clear

# A change of a job obeys limits too, unless an operator makes it.
root$ set_limit qos quick set flags=DenyOnLimit maxwall=30
$ J=$(job -H -q quick -t 30); scontrol update job=$J timelimit=31
! Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) for job 18
? 1
$ scancel -u alice; wait_for '[ -z "$(squeue -h)" ]'
root$ set_limit qos quick set flags-=DenyOnLimit

# Each limit with what counts against it.
root$ set_limit qos quick set maxjobspu=3 maxtrespu=cpu=3 grptres=gres/gpu=2
$ job -q quick -t 5 >/dev/null; job -q quick -t 5 -n2 --gres=gpu:1 >/dev/null; job -H -q quick -t 5 >/dev/null; wait_for '[ $(squeue -h -t R | wc -l) = 2 ]'
$ scontrol show assoc_mgr flags=qos qos=quick | grep -E 'GrpTRES=|RunMins|Jobs(PA|PU)=|TRESPU'
    GrpTRES=cpu=N(3),mem=N(1536),energy=N(0),node=N(1),billing=N(3),fs/disk=N(0),vmem=N(0),pages=N(0),gres/gpu=2(1)
    GrpTRESRunMins=cpu=N(15),mem=N(7680),energy=N(0),node=N(10),billing=N(15),fs/disk=N(0),vmem=N(0),pages=N(0),gres/gpu=N(5)
        MaxJobsPA=N(2) MaxJobsAccruePA=N(0) MaxSubmitJobsPA=N(3)
        MaxJobsPU=3(2) MaxJobsAccruePU=N(0) MaxSubmitJobsPU=N(3)
        MaxTRESPU=cpu=3(3),mem=N(1536),energy=N(0),node=N(1),billing=N(3),fs/disk=N(0),vmem=N(0),pages=N(0),gres/gpu=N(1)
$ scontrol show assoc_mgr flags=x
! invalid flag 'x', valid options are 'Assoc, QOS, and/or Users'
