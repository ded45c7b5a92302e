# Wrong input: what is said, where, and with which exit code, on a service that has had a job.
$ J=$(sbatch --parsable -o /dev/null --wrap=true); wait_end $J
$ squeue --nosuch
$ squeue -j 1,x
$ squeue -j _1
$ squeue -j ''
$ squeue -j -5
$ squeue -s x
$ squeue -s 999999.0
$ squeue -t ''
$ squeue -t pd,nosuch
$ squeue -u 99999
$ squeue -u ''
$ squeue -u alice,nosuch
$ squeue -p ''
$ squeue -w node9
$ squeue -n ''
$ squeue -L nosuch
$ squeue -S ''
$ squeue -o ''
$ squeue -O ''
$ squeue -O JobID:x
$ squeue -O ,
$ squeue -o
$ squeue extra >/dev/null
$ squeue -j 999999_1
$ squeue -j 999999_1,999998
$ squeue -h -j 999999_[1-3]
$ squeue -i 0 -h & sleep 0.3; kill %1; wait %1
$ squeue --jobs
$ squeue --start -t R
$ squeue --only-job-state
$ squeue -r --array-unique -h
$ squeue --sib -h
$ squeue -A '' -h
$ squeue -P -h
$ squeue --hide -h
$ scancel --nosuch
$ scancel -t nosuch 1
$ scancel -t completed 999999
$ scancel -s nosuch 999999
$ scancel -u nosuch
$ scancel -p nosuch
$ scancel -w nosuch
$ scancel -n ''
$ scancel -A nosuch
$ scancel -q nosuch
$ scancel -R nosuch
$ scancel 0
$ scancel -1
$ scancel 999999_1
$ scancel 999999_x
$ scancel 999999_[1-3]
$ scancel 999999_[1-
$ scancel 999999.0
$ scancel 999999.x
$ scancel 1 x 2
$ scancel -v 999999 2>&1 | grep -v select
$ scancel -Q 999999
$ scancel -b 999999
$ scancel -b -Q 999999
$ scancel -b 999998 999999
$ scancel -s TERM -b 999999
$ scancel -f 999999
$ scancel --ctld 999999
$ scancel --hurry 999999
$ scancel -i 999999
$ scancel --me
$ scancel -u alice -t PENDING
$ scancel --wckey=nosuch
$ scancel -M nosuch 999999
$ scontrol
$ scontrol show
$ scontrol show job x
$ scontrol show job 999999
$ scontrol show job 999999_1
$ scontrol show job 999999_x
$ scontrol show job 1_
$ scontrol show nodes nosuch
$ scontrol show node node1,nosuch
$ scontrol show partition ''
$ scontrol show hostlist ''
$ scontrol show step 999999.0
$ scontrol show steps
$ scontrol show reservation nosuch
$ scontrol show aliases
$ scontrol show aliases nosuch
$ scontrol show frontend
$ scontrol show bbstat
$ scontrol show burstbuffer
$ scontrol show federation
$ scontrol show dwstat
$ scontrol show jobs extra words
$ scontrol hold
$ scontrol hold x
$ scontrol hold 999999_1
$ scontrol holdu 999999
$ scontrol uhold 999999
$ scontrol release
$ scontrol release x
$ scontrol requeue
$ scontrol requeue x
$ scontrol requeue 999999
$ scontrol requeuehold 999999
$ scontrol suspend
$ scontrol suspend x
$ scontrol top
$ scontrol notify 999999 hello
$ scontrol notify
$ scontrol wait_job 999999
$ scontrol wait_job
$ scontrol listpids 999999
$ scontrol write
$ scontrol write batch_script
$ scontrol write batch_script 999999
$ scontrol write batch_script x
$ scontrol update
$ scontrol update x
$ scontrol update x=y
$ scontrol update jobid=999999
$ scontrol update jobid=999999 timelimit=5
$ scontrol update jobid=x timelimit=5
$ scontrol update jobid=999999 nosuch=5
$ scontrol update jobname=nosuch timelimit=5
$ scontrol update nodename=node1 state=drain reason=x
$ scontrol update nodename=nosuch state=drain reason=x
root$ scontrol update nodename=nosuch state=drain reason=x
root$ scontrol update nodename=node1 state=drain
root$ scontrol update nodename=node1 state=nosuch
root$ scontrol update nodename=node1 nosuch=3
root$ scontrol update nodename=node1
root$ scontrol update nodename=node1 state=resume
root$ scontrol update nodename=node1 state=idle
root$ scontrol update nodename=node1 state=undrain
root$ scontrol update nodename=node1 state=drain reason=x; scontrol update nodename=node[1-2] state=resume; echo $?; sinfo -h -N -n node1,node2 -o '%N %t %E' | tr -d '*' | sort -u
root$ scontrol update nodename=node1 state=drain reason=x; scontrol update nodename=node1 state=undrain; sinfo -h -N -n node1 -o '%N %t %E' | tr -d '*'
root$ scontrol update nodename=node1 state=fail reason=y; sinfo -h -N -n node1 -o '%N %t %E' | tr -d '*'; scontrol update nodename=node1 state=resume; sinfo -h -N -n node1 -o '%N %t %E' | tr -d '*'
root$ scontrol update nodename=node1 state=down; sinfo -h -N -n node1 -o '%N %t %E' | tr -d '*'
root$ scontrol update nodename=node1 state=down reason=z; sinfo -h -N -n node1 -o '%N %t %E' | tr -d '*'; scontrol update nodename=node1 state=resume; sinfo -h -N -n node1 -o '%N %t %E' | tr -d '*'
$ scontrol update partitionname=batch state=down
root$ scontrol update partitionname=nosuch state=down
root$ scontrol update partitionname=batch state=nosuch
root$ scontrol update partitionname=batch maxtime=x
root$ scontrol update partitionname=batch nosuch=1
$ scontrol create
$ scontrol create partition=x
$ scontrol create nodename=x
$ scontrol create reservation
$ scontrol delete
$ scontrol delete nosuch=1
$ scontrol delete partition=batch
$ scontrol delete reservation=nosuch
$ scontrol delete jobid=1
$ scontrol reconfigure
$ scontrol setdebug
$ scontrol setdebug x
$ scontrol reboot
$ scontrol cancel_reboot nosuch
$ scontrol ping extra
$ scontrol version
$ scontrol completing
$ scontrol getaddrs
$ scontrol token x
$ scontrol errnumstr 2017
$ scontrol errnumstr
$ scontrol errnumstr x
$ scontrol -o
$ scontrol -z
$ scontrol --nosuch
$ scontrol quit
$ scontrol exit
$ scontrol verbose
$ scontrol oneliner
$ scontrol sho job 999999
$ scontrol sh partitio c-iq
$ scontrol s x
$ printf 'show job 999999\nnosuch\nquit\n' | scontrol
