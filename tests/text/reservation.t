# Reservations: made, changed, used, refused.
conf: Licenses=matlab:4
root$ scontrol create reservation start=now+1day duration=60 nodes=node4 users=root
Reservation created: root_1
root$ scontrol create reservation start=now+1day duration=60 nodes=node4 users=root
! Error creating the reservation: Requested reservation overlaps with another reservation
? 1
root$ scontrol create reservation reservationname=zza start=2031-11-17T21:17:34 duration=60 nodecnt=2 users=alice,bob
Reservation created: zza
root$ scontrol show res zza
ReservationName=zza StartTime=2031-11-17T21:17:34 EndTime=2031-11-17T22:17:34 Duration=01:00:00
   Nodes=node[1-2] NodeCnt=2 CoreCnt=16 Features=(null) PartitionName=batch Flags=
   TRES=cpu=16
   Users=alice,bob Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null) Watts=n/a
   MaxStartDelay=(null)

root$ scontrol create reservation reservationname=zzt start=2031-11-25T21:18:18 duration=60 nodes=node1 users=bob flags=magnetic,flex,purge_comp=5,no_hold_jobs_after,weekday maxstartdelay=10
Reservation created: zzt
root$ scontrol show res zzt
ReservationName=zzt StartTime=2031-11-25T21:18:18 EndTime=2031-11-25T22:18:18 Duration=01:00:00
   Nodes=node1 NodeCnt=1 CoreCnt=8 Features=(null) PartitionName=(null) Flags=FLEX,WEEKDAY,SPEC_NODES,PURGE_COMP=00:05:00,NO_HOLD_JOBS_AFTER_END,MAGNETIC
   TRES=cpu=8
   Users=bob Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null) Watts=n/a
   MaxStartDelay=00:10:00

root$ sinfo -T
RESV_NAME     STATE           START_TIME             END_TIME     DURATION  NODELIST
~ root_1     INACTIVE .* node4
zza        INACTIVE  2031-11-17T21:17:34  2031-11-17T22:17:34     01:00:00  node[1-2]
zzt        INACTIVE  2031-11-25T21:18:18  2031-11-25T22:18:18     01:00:00  node1
root$ scontrol update reservation=zzt flags-=magnetic,flex,purge_comp
Reservation updated.
root$ scontrol update reservation=zzt users+=alice
Reservation updated.
root$ scontrol -o show res zzt | grep -o -E 'Flags=[^ ]*|Users=[^ ]*'
Flags=WEEKDAY,SPEC_NODES,NO_HOLD_JOBS_AFTER_END
Users=bob,alice
root$ scontrol update reservation=zzt nodes+=node4
! scontrol: error: The +=/-= notation is not supported when updating nodes.  No reservation update.
! slurm_update error: No error
? 1
root$ scontrol update reservation=zzt corecnt=3
! Error updating the reservation: Core-based reservation can not be updated
! slurm_update error: Core-based reservation can not be updated
? 1
root$ scontrol update reservation=zznone users=bob
! Error updating the reservation: Requested reservation is invalid
! slurm_update error: Requested reservation is invalid
? 1
root$ scontrol update reservation=zza skip
! Error updating the reservation: Reservation given is not skipable, try deleting instead
! slurm_update error: Reservation given is not skipable, try deleting instead
? 1
root$ scontrol delete reservation=zzt
root$ scontrol delete reservation=zzt
! delete_reservation reservation=zzt: Requested reservation is invalid
? 1
# What can't be.
root$ scontrol create reservation reservationname=zzd start=now+1day duration=60 users=bob corecnt=99
Note, unless nodes are directly requested a reservation must exist in a single partition.
If no partition is requested the default partition is assumed.
! Error creating the reservation: Requested nodes are busy
? 1
root$ scontrol create reservation reservationname=zzd start=now+1day duration=60 nodes=node1 users=nosuch
! Error creating the reservation: Invalid user id
? 1
root$ scontrol create reservation reservationname=zzd start=now+8days endtime=now+7days nodes=node1 users=bob
! scontrol: error: Start time cannot be after end time.  No reservation created.
? 1
root$ scontrol create reservation reservationname=zzd start=now+30days end=now+31days duration=30 nodes=node3 users=alice
! scontrol: error: StartTime + Duration does not equal EndTime.  No reservation created.
? 1
root$ scontrol create reservation reservationname=zzd start=now duration=60 nodes=node2 groups=users users=bob
! scontrol: error: Users and Groups are mutually exclusive.  You can have one or the other, but not both.  No reservation created.
? 1
root$ scontrol create reservation reservationname=zzd start=now duration=30 nodes=node3 users=alice tres=gres/gpu=2
! scontrol: error: TRES type 'gres/gpu' not supported with reservations
? 1
root$ scontrol create reservation reservationname=zzd start=now duration=30 nodes=node3 users=alice flags=foo
! scontrol: error: Error parsing flags foo.  No reservation created.
? 1
$ scontrol create reservation start=now+32days duration=30 nodes=node3 users=alice
! Error creating the reservation: Invalid user id
? 1
$ scontrol delete reservation=zza
! delete_reservation reservation=zza: Invalid user id
? 1
# Jobs in one, and those that may not.
root$ scontrol create reservation reservationname=zzn start=now duration=2 nodes=node3 users=alice
Reservation created: zzn
root$ scontrol show node node3 | grep -o 'State=[A-Z+]*'
State=IDLE+RESERVED
$ sbatch --reservation=zzn -o /dev/null --wrap='sleep 600'
Submitted batch job 1
bob$ sbatch --reservation=zzn -o /dev/null --wrap='sleep 1'
! sbatch: error: Batch job submission failed: Access denied to requested reservation
? 1
bob$ sbatch --reservation=zznone -o /dev/null --wrap='sleep 1'
! sbatch: error: Batch job submission failed: Requested reservation is invalid
? 1
$ sbatch --reservation=zzn -t 1 -w node1 -o /dev/null --wrap='sleep 1'
! sbatch: error: Problem using reservation
! sbatch: error: Batch job submission failed: Requested node configuration is not available
? 1
$ sbatch --reservation=zzn -t 1 -N2 -o /dev/null --wrap='sleep 1'
! sbatch: error: Batch job submission failed: Requested node configuration is not available
? 1
$ sbatch --reservation=zza -t 1 -o /dev/null --wrap='sleep 1'
Submitted batch job 2
$ wait_for '[ "$(squeue -h -j 1 -o %T)" = RUNNING ]'
$ squeue -h -o '%i %T %r %N %v'
2 PENDING Reservation  zza
1 RUNNING None node3 zzn
root$ scontrol delete reservation=zzn
! delete_reservation reservation=zzn: Requested reservation is in use
? 1
root$ sleep 1
root$ scontrol update reservation=zzn endtime=now
Reservation updated.
$ wait_end 1
$ scontrol show job 1 | grep -o 'JobState=.*Reason=[A-Za-z]*'
JobState=TIMEOUT Reason=TimeLimit
root$ scontrol update reservation=zza endtime=now starttime=now-5
Reservation updated.
$ wait_for '[ "$(squeue -h -j 2 -o %T)" = RESV_DEL_HOLD ]'
$ squeue -j 2 -o '%i %T %t %r %v %R'
JOBID STATE ST REASON RESERVATION NODELIST(REASON)
2 RESV_DEL_HOLD RD Reservation zza was deleted (null) (Reservation zza was deleted)
$ scontrol release 2
$ wait_end 2
# An entity of show by both of its names.
$ scontrol show reservationname none
Reservation none not found
? 1
# Licences.
$ sbatch -L matlab:3 -o /dev/null --wrap='sleep 600'
Submitted batch job 3
$ wait_for '[ "$(squeue -h -j 3 -o %T)" = RUNNING ]'
$ scontrol show lic
LicenseName=matlab
    Total=4 Used=3 Free=1 Reserved=0 Remote=no
$ scancel 3
$ wait_end 3
$ scontrol -o show lic
LicenseName=matlab Total=4 Used=0 Free=4 Reserved=0 Remote=no
