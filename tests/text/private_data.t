# PrivateData: what users see of the cluster and of others. Operators see everything.
conf: PrivateData=events,jobs,nodes,partitions,reservations

$ sinfo -h -N
! slurm_load_partitions: Access/permission denied
? 1
$ scontrol show node node1
! slurm_load_node error: Access/permission denied
? 1
$ scontrol show partition batch
! slurm_load_partitions error: Access/permission denied
? 1
root$ sinfo -h -o '%P %D'
batch* 4
c-iq 1
root$ scontrol update nodename=node3 state=drain reason=x; sleep 1.1; scontrol update nodename=node3 state=resume
$ sacctmgr show event
! sacctmgr: error: Access/permission denied
? 1
root$ sacctmgr -nP show event nodes=node3 format=nodename,reason
node3|x

# A reservation is seen by those who may use it, also when it is over.
root$ sacctmgr -iQ add account cs >/dev/null; sacctmgr -iQ add user alice account=cs >/dev/null
root$ scontrol create reservation reservationname=hers users=alice nodes=node1 starttime=now duration=10 >/dev/null
root$ scontrol create reservation reservationname=theirs accounts=cs nodes=node2 starttime=now duration=10 >/dev/null
$ scontrol -o show reservation | grep -o 'ReservationName=[a-z]*'
ReservationName=hers
ReservationName=theirs
bob$ scontrol show reservation
No reservations in the system
bob$ scontrol show reservation hers
Reservation hers not found
? 1
root$ scontrol delete reservation hers; scontrol delete reservation theirs
$ sacctmgr -nP show reservation format=name
hers
theirs
bob$ sacctmgr -nP show reservation format=name
bob$ sreport -nP reservation utilization start=now-2hours end=now+1hour format=name

# Others' jobs are nobody's business.
$ J=$(sbatch --parsable -o /dev/null --wrap true); wait_end $J; sacct -nX -j $J -o state%9
COMPLETED 
bob$ sacct -nX -a; sacct -nX -j 1; squeue -h -t all
