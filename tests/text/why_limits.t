conf: FirstJobId=700
conf: AccountingStorageEnforce=limits,qos
conf: PartitionName=other Nodes=node4 QOS=few DefaultTime=10
# Which limit keeps a job, whose it is, who has what of it, and when it is free.
root$ sacctmgr -iQ add account lab >/dev/null; sacctmgr -iQ add user alice,bob account=lab >/dev/null; sacctmgr -iQ add qos few,quick >/dev/null; sacctmgr -iQ modify account lab set qos+=quick grptres=cpu=6 >/dev/null
$ clean() { sed -E "s/[0-9]{4}-[0-9T:-]+/TIME/g; /^What would|^No small|^  --|^  without|expected to start|By then|^  node|No start|jobs? comes? before/d"; }
$ job() { sbatch --parsable -J $1 -o /dev/null --wrap 'sleep 100' "${@:2}"; }
$ job a -n4 -t 30; wait_for '[ $(squeue -h -t R | wc -l) = 1 ]'
700
bob$ sbatch --parsable -J b -n1 -t 60 -o /dev/null --wrap 'sleep 100'; wait_for '[ $(squeue -h -t R | wc -l) = 2 ]'
701
$ job c -n3 -t 30; wait_for 'squeue -h -j 702 -o %r | grep -q Limit'
702
$ grappe why 702 --lang=en | clean
Job 702 (c) waits: AssocGrpCpuLimit
  Limit GrpTRES=6 cpu of account lab.
  In use: 5 cpu by 2 jobs; this one asks for 3 cpu.
  It is taken by 700 of alice (4 cpu, until TIME), 701 of bob (1 cpu, until TIME).
  Enough of it is free at TIME (in about 30 min) at the latest, if nobody else comes first.
$ job d -n7 -t 30; wait_for 'squeue -h -j 703 -o %r | grep -q Limit'; grappe why 703 --lang=fr | clean
703
Le job 703 (d) attend : AssocGrpCpuLimit
  Limite GrpTRES=6 cpu (compte lab).
  Ce job à lui seul demande 7 cpu : il ne commencera pas tel quel.
  Aucun début n'est en vue.
Aucun petit changement du job ne le ferait commencer plus tôt.
$ scancel 702 703

# Of a QoS, for each user; and of the QoS of a partition, where a job asks for two.
root$ sacctmgr -iQ modify qos few set maxjobspu=1 >/dev/null; sacctmgr -iQ modify qos quick set maxwall=20 >/dev/null; sacctmgr -iQ modify account lab set grptres=cpu=-1 >/dev/null
$ job e -p other -t 10; wait_for '[ $(squeue -h -t R | wc -l) = 3 ]'; job f -N4 --exclusive -p other,batch -t 10; wait_for 'squeue -h -j 705 -o %r | grep -q -E "Limit|Resources"'; grappe why 705 --lang=en | clean
704
705
Job 705 (f) waits: Resources
  In partition other: QOSMaxJobsPerUserLimit
    Limit MaxJobsPerUser=1 of QoS few of the partition, for each user (alice).
    In use: 1 by one job; this one asks for 1.
    It is taken by 704 of alice (1, until TIME).
    Enough of it is free at TIME (in about 10 min) at the latest, if nobody else comes first.
  In partition batch: Resources. What it asks for is not free.
$ job g -q quick -t 30; wait_for 'squeue -h -j 706 -o %r | grep -q Limit'; grappe why 706 --lang=en | clean
706
Job 706 (g) waits: QOSMaxWallDurationPerJobLimit
  Limit MaxWall=20 min of QoS quick.
  This job alone asks for 30 min: it will not start as it is.
$ scancel -u alice
bob$ scancel -u bob
