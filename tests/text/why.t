conf: FirstJobId=700
conf: PartitionName=other Nodes=node4
# What a job waits for, and what would start it sooner.
$ A=$(sbatch --parsable -J big -w node[1-3] -N3 -n24 --mem=8000 -t 60 -o /dev/null --wrap 'sleep 100'); B=$(sbatch --parsable -J gpus -w node4 -n1 --mem=30000 --gres=gpu:3 -t 150 -o /dev/null --wrap 'sleep 100'); wait_for '[ "$(squeue -h -t R | wc -l)" = 2 ]'
$ W=$(sbatch --parsable -J train -n2 --mem=4G --gres=gpu:1 -t 30 -o /dev/null --wrap true); wait_for "squeue -h -j $W -o %r | grep -q Resources"
$ grappe why $W --lang=en | sed -E "s/\b$W\b/W/; s/\b$A\b/A/; s/[0-9]{4}-[0-9T:-]+/TIME/g"
Job W (train) waits: Resources
  What it asks for is not free.
  node1: free are 0 of 8 CPUs, 23.4G of 31.2G memory, 4 of 4 gres/gpu; too little: CPUs
  node2: free are 0 of 8 CPUs, 23.4G of 31.2G memory, 4 of 4 gres/gpu; too little: CPUs
  node3: free are 0 of 8 CPUs, 23.4G of 31.2G memory, 4 of 4 gres/gpu; too little: CPUs
  node4: free are 7 of 8 CPUs, 1.95G of 31.2G memory, 1 of 4 gres/gpu; too little: memory
  It is expected to start at TIME (in about 60 min) on node1.
  By then these will have ended: A (alice, TIME).
What would start it sooner, each tried by planning again:
  --mem=1920M  starts now
$ scontrol update jobid=$W minmemorynode=1920; wait_for "sacct -nXP -j $W -o state | grep -q COMPLETED"; grappe why $W | sed "s/$W/W/"
Job W (train) is over: COMPLETED.
$ grappe why $A | sed "s/$A/A/"
Job A (big) is running.

# Those before it, and a limit that fits the gap.
$ X=$(sbatch --parsable -J next -w node[1-3] -N3 -n24 --mem=8000 -t 60 -o /dev/null --wrap true); Y=$(sbatch --parsable -J small -w node4 -n1 -c8 --mem=100 -t 60 -o /dev/null --wrap true); Z=$(sbatch --parsable -J long -w node4 -n1 --mem=100 -t 180 -o /dev/null --wrap 'sleep 60'); wait_for "squeue -h -j $Z -o %r | grep -q Priority"
$ grappe why $Z --lang=en | sed -E "s/\b$Z\b/Z/; s/\b$X\b/X/; s/\b$Y\b/Y/" | sed -E "s/priority [0-9]+/priority PRIO/g" | grep -E 'waits|come|room|--time|without'
Job Z (long) waits: Priority
  Jobs of higher priority come first.
  There is room for it now, but it would make those before it start later.
  2 jobs come before it: X of alice (priority PRIO), Y of alice (priority PRIO)
  --time=02:00:00     starts now
  without --nodelist  starts in about 2.0 h
$ scancel -u alice

# Reservations: those of others that it would run into, and its own that has not begun.
root$ scontrol create reservation reservationname=maint1 starttime=now+25minutes duration=60 nodes=node[1-4] flags=maint,ignore_jobs users=root >/dev/null; scontrol create reservation reservationname=later starttime=now+3days duration=60 nodes=node1 users=alice >/dev/null
$ M=$(sbatch --parsable -J service -n1 -t 60 -o /dev/null --wrap true); wait_for "squeue -h -j $M -o %S | grep -q T"; grappe why $M --lang=en | sed -E "s/[0-9]{4}-[0-9T:-]+/TIME/g" | grep -E 'Reservation|--time'; grappe why $M --lang=fr | sed -E "s/[0-9]{4}-[0-9T:-]+/TIME/g" | grep réservation
  Reservation maint1 keeps node[1-4] from TIME until TIME it would run into that.
  --time=00:20:00  starts now
  La réservation maint1 garde node[1-4] de TIME à TIME : il y déborderait.
$ L=$(sbatch --parsable -J mine -n1 --reservation=later -t 5 -o /dev/null --wrap true); wait_for "squeue -h -j $L -o %r | grep -q Reservation"; grappe why $L --lang=en | sed -E "s/[0-9]{4}-[0-9T:-]+/TIME/g" | grep begins
  Reservation later begins at TIME (in about 3.0 days).
$ scancel $M $L
root$ scontrol delete reservation=maint1; scontrol delete reservation=later

# A task that an array does not have, an array ahead.
$ A=$(sbatch --parsable -N4 --exclusive -t 10 -o /dev/null --wrap 'sleep 100'); R=$(sbatch --parsable -J arr -a 1-5%2 -N4 --exclusive -t 10 -o /dev/null --wrap true); Z=$(sbatch --parsable -J last -N4 --exclusive -t 10 -o /dev/null --wrap true); wait_for "squeue -h -j $Z -o %r | grep -q Priority"; grappe why $Z --lang=en | grep -o "${R}_.*of alice" | sed "s/$R/R/"
R_[1-5] of alice
$ grappe why ${R}_3 --lang=en | head -1 | sed "s/$R/R/"; grappe why ${R}_9; grappe why ${Z}_1
Job R (arr) waits: Resources
! grappe why: error: Invalid job id specified
! grappe why: error: Invalid job id specified
? 1
$ scancel $A $R $Z

# The same after the record of scontrol, for who asks for it.
$ A=$(sbatch --parsable -N4 --exclusive -t 10 -o /dev/null --wrap 'sleep 100'); W=$(sbatch --parsable -J train -n1 -t 10 -o /dev/null --wrap true); wait_for "squeue -h -j $W -o %r | grep -q Resources"; LC_ALL=C scontrol --why show job $W | sed -n '/^   Power=/,$p' | grep -E 'Power|waits|asks' | sed "s/$W/W/"
   Power=
Job W (train) waits: Resources
  What it asks for is not free.
$ scontrol show job $W | grep -c waits
0
? 1
$ scontrol --why show job
! scontrol: error: --why is about one job: show job JOBID
? 1
$ scontrol --why -o show job $W
! scontrol: error: --why and --oneliner exclude each other
? 1
$ scancel $A $W

# Not with the scheduler.
$ H=$(sbatch --parsable -H -J held -o /dev/null --wrap true); grappe why $H --lang=fr | sed "s/$H/H/"
Le job H (held) attend : JobHeldUser
  Il est retenu : `scontrol release` le libère.
$ scancel $H
$ grappe why 99999
! grappe why: error: Invalid job id specified
? 1
$ grappe why
! grappe why: error: the number of a job is needed: grappe why JOBID
? 1
