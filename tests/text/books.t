conf: AccountingStorageEnforce=associations,qos
conf: PartitionName=paid Nodes=node1 AllowAccounts=es.shj AllowQos=short State=UP

# The first start has made root's own association: root needs nothing more.
root$ sbatch -o /dev/null -H --wrap=true
Submitted batch job 1
root$ squeue -h -o '%a %q'
root normal

# Who is in nobody's books does not submit.
$ sbatch --wrap=true
! sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified
? 1

root$ sacctmgr -iQ add account es >/dev/null; sacctmgr -iQ add account es.shj parent=es >/dev/null; sacctmgr -iQ add qos short >/dev/null
root$ sacctmgr -iQ add user alice account=es.shj >/dev/null; sacctmgr -iQ add user alice account=es >/dev/null
$ sbatch -o /dev/null -H --wrap=true
Submitted batch job 2
$ scontrol show job 2 | grep -o 'Account=.*'
Account=es.shj QOS=normal
$ sbatch -o /dev/null -H -A ES --wrap=true
Submitted batch job 3
$ squeue -h -j 3 -o %a
es
$ sbatch -A cs --wrap=true
! sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified
? 1
$ sbatch -q short --wrap=true
! sbatch: error: Batch job submission failed: Invalid qos specification
? 1
root$ sacctmgr -iQ modify user alice where account=es.shj set qos+=short >/dev/null
$ sbatch -o /dev/null -H -q short -p paid --wrap=true
Submitted batch job 4
$ sbatch -H -q short -p paid -A es --wrap=true
! sbatch: error: Batch job submission failed: Invalid qos specification
? 1
$ sbatch -H -p paid --wrap=true
! sbatch: error: Batch job submission failed: Invalid qos specification
? 1

# A job that waits may go to another account; one that runs is not taken from the books.
$ scontrol update job=2 account=es
$ squeue -h -j 2 -o %a
es
$ scontrol update job=2 account=cs
! Invalid account or account/partition combination specified for job 2
? 1
$ sacctmgr -nP show assoc user=alice format=account,qos,defaultqos
es|normal|
es.shj|normal,short|
root$ sacctmgr -i delete account es.shj
!  Error with request: Job(s) active, cancel job(s) before remove
!   JobID = 4          C = peer       A = es.shj     U = alice    
? 1

# The default account is one's own choice.
$ sacctmgr -iQ modify user alice set defaultaccount=es >/dev/null
$ sbatch -o /dev/null -H --wrap=true
Submitted batch job 5
$ squeue -h -j 5 -o %a
es

# A comment after the end.
$ scancel 2 3 4 5
$ sacctmgr -iQ modify job where jobid=5 set comment='tried again' >/dev/null
$ sacct -n -X -P -j 5 -o account,comment
es|tried again

# GPUs are in the books without a line that says so, and can be limited.
root$ sacctmgr -nP show tres type=gres format=type,name
gres|gpu
root$ sacctmgr -Q -i modify qos short set maxtrespu=gres/gpu=2 >/dev/null; sacctmgr -nP show qos short format=maxtrespu
gres/gpu=2
