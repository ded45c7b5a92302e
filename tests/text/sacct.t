# What is remembered when the queue has forgotten.
conf: MinJobAge=2

$ J=$(sbatch --parsable -J kept -o /dev/null --comment 'a b' --wrap 'srun true; exit 3'); wait_for "! squeue -h -t all -j $J 2>/dev/null | grep -q ."
$ sacct -j $J -o jobid,jobname,state,exitcode
JobID           JobName      State ExitCode 
------------ ---------- ---------- -------- 
1                  kept     FAILED      3:0 
1.batch           batch     FAILED      3:0 
1.0                true  COMPLETED      0:0 
$ sacct -j $J -X -nP -o comment,user,workdir,submitline | sed "s#$PWD#HERE#"
a b|alice|HERE|sbatch --parsable -J kept -o /dev/null --comment a b --wrap srun true; exit 3
$ sacct -j $J -B | grep -v '^#'
Batch Script for 1
--------------------------------------------------------------------------------

srun true; exit 3

$ sacct -j $J --env-vars | grep -c ^PATH=
1
$ scontrol write batch_script $J -
! job script retrieval failed: Invalid job id specified

# A field is the same alone, from the brief record, and beside one that needs the whole.
$ for F in $(sacct --helpformat); do diff <(sacct -j $J -nP -o $F) <(sacct -j $J -nP -o $F,WorkDir | sed 's/|[^|]*$//') || echo $F; done

# Runs of a requeued job.
$ J=$(sbatch --parsable --requeue -o /dev/null --wrap '[ "$SLURM_RESTART_COUNT" ] || { scontrol requeue $SLURM_JOB_ID; sleep 60; }'); wait_for "sacct -nX -j $J -o state | grep -q COMPLETED"
$ sacct -X -n -j $J -o jobid,state
2             COMPLETED 
$ sacct -D -X -n -j $J -o jobid | sort | uniq -c | tr -s ' '
 2 2 

# What it does not do.
$ sacct --json | python3 -c 'import json, sys; print(*[(j["job_id"], j["state"]["current"], j["qos"]) for j in json.load(sys.stdin)["jobs"]], sep="\n")'
(1, 'FAILED', 'normal')
(2, 'REQUEUED', 'normal')
(2, 'COMPLETED', 'normal')
$ sacct -c
! sacct: error: --completion is not supported: there is no log of ended jobs beside the database
? 1

# Without accounts there are no associations either.
$ sacct -X -n -S now-1hour -x 7
$ sacct -X -n -S now-1hour -x 0 -o jobname | head -1
      kept 

# The numbers behind names: of the QoS, and of the reservation it ran in.
root$ sacctmgr -Q -i add qos late >/dev/null; sacctmgr -Q -i modify account root set qos=normal,late >/dev/null; scontrol create reservation reservationname=lab users=root nodes=node1 starttime=now duration=10 >/dev/null
root$ J=$(sbatch --parsable -q late --reservation=lab -o /dev/null --wrap=true); wait_end $J
root$ [ "$(sacct -nXP -j $J -o qosraw,reservationid)" = "$(sacctmgr -nP show qos late format=id)|$(sacctmgr -nP show reservation lab format=id)" ] && echo the same
the same
root$ sacct --json -j $J | grep -A1 '"reservation": {' | grep -q "\"id\": $(sacctmgr -nP show reservation lab format=id)," && echo the same
the same
root$ scontrol delete reservation lab
