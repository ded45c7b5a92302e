# What monitors, exporters and reports ask, as they ask it: jobs in several states, then their questions.
$ ended() { wait_for "sacct -X -n -j $1 -o user,submitline,end | grep -q alice.*s.*T && ! sacct -X -n -j $1 -o user,state | grep -vq 'alice *[CFT]' && ! sacct -n -j $1 -o state | grep -q RUN"; }
$ F=$(sbatch --parsable -J failing -t 10 -o /dev/null --mem=100M --wrap 'srun -n1 true; exit 3'); ended $F
$ C=$(sbatch --parsable -J 'two words' -p c-iq -n2 -t 10 --gres=gpu:1 -o /dev/null --wrap 'srun -n2 true'); ended $C
$ R=$(sbatch --parsable -J running -t 1:00:00 -N2 --ntasks-per-node=2 --gpus-per-node=1 --mem=1G -o out-%j -e err-%j --wrap 'sleep 300'); wait_run $R
$ A=$(sbatch --parsable -J arr -a 1-3 -H -t 10 -c2 -o /dev/null --wrap 'sleep 300')
$ D=$(sbatch --parsable -J later -d afterok:$R -p c-iq,batch -t 2-0 -o /dev/null --wrap 'sleep 300'); wait_for 'squeue -h -j $D -o %r | grep -q Dep'
$ wait_for "sacct -nXj $R -o user,state | grep -q alice.*RUNNING && sacct -nj $R.batch | grep -q RUN"

# A cluster status with a line for each node, its load and its jobs.
$ sinfo -h -N -o '%N %P %C %m %t %Z %G' | sort
$ sinfo -h -N -p c-iq -n node4 --states idle,mix -o '%N %P %C %m %t %Z %G' | sort
$ squeue -t RUNNING -h -o '%T %A %u %g %N %j %b'
$ squeue -t RUNNING -h -o '%T %A %u %g %N %j %b' -A nosuch -q nosuch
$ SQUEUE_FORMAT= SLURM_TIME_FORMAT= squeue -h -j $R
$ sinfo --noheader --exact -o '%P %a %D %C %m %l %L %s %T %G %r'
$ sinfo --noheader --exact -p c-iq -all -o '%P %a %D %C %m %l %L %s %T %G %r %V'
$ sinfo --hide -o %P; sinfo --all -o %P
$ squeue --noheader -t pending -o '%i %P %C %R'
$ squeue --noheader -t pending -o '%i %P %C %R' --federation
$ sinfo --noheader -N -o '%N %c %P %6t' | sort
$ squeue --noheader -o '%.8u %.10T %.6D %.6C %P %r'
$ scontrol show config | grep -E '^(MaxJobCount|ClusterName) '
$ sinfo -N --long -n node1,node2 | tail -n +2
$ sinfo -h -O StateCompact:4 -n node1
$ squeue -O JobID:10,NumNodes:6,Partition:15,UserName:12,NodeList:50 -w node1
$ squeue -O JobID:10,NumNodes:6 -w nosuch
$ sinfo -h -p batch -O NodeList:; sinfo -h --all -O NodeList:; sinfo -h -N -n node1,node3 -O NodeList:
$ scontrol -o show node node[1-4] | tr ' ' '\n' | grep -E '^(NodeName|CPUTot|CPUAlloc|CurrentWatts|AveWatts|CapWatts|Ext|Alloc|CfgTRES|Real|State)'
$ squeue -ho '%i' -j $R; squeue -ho '%u %P %T %C %l %r %E' -j $D
$ scontrol --details show job $R
$ sacct -nP -o JobID -j $F.batch
$ sacct -P -j $F -o jobid,jobname,user,partition,Timelimit
$ sacct -P -j $F -o jobid,NNodes,NCPUS,ExitCode,nodelist
$ sacct -j $F -nP -o WorkDir | head -1
$ sacct -n -X -a -S now-1hour -E now+1hour -o JobID,User%5,Group%6,Partition%5,AllocNodes,AllocCPUS,State -s ca,cd,f,to,pr -j $F,$C
$ SLURM_TIME_FORMAT=%s sacct --partition batch -X -np -a -S now-1hour -E now+1hour -o JobID,User,Group,Partition,AllocNodes,AllocCPUS,MaxRSS,AllocTRES,State -s ca,cd,f,to,pr,oom -j $F,$C
$ SLURM_TIME_FORMAT=%s sacct -nXP -j $F -o submit,eligible,start,end | tr -d 0-9
$ SLURM_TIME_FORMAT=%d-%b-%Y_%R sacct -nXP -j $F -o submit | tr -d 0-9 | sed 's/[A-Z][a-z]*/Mon/'
$ SLURM_TIME_FORMAT=%s squeue -h -j $R -o '%S %e %V' | tr -d 0-9
$ SLURM_TIME_FORMAT=relative squeue -h -j $R -o '%S %V' | tr -d 0-9
$ sacctmgr -p -n show assoc where users=nosuch
$ sacctmgr -n -p show qos normal format=name,priority
$ sacctmgr -nrP show cluster peer format=cluster
$ sacctmgr -n -p show account nosuch

# Exporters of metrics.
$ squeue -a -r -h -o '%A|%u|%T|%C'
$ squeue -a -r -h -o '%A|%T|%r'
$ squeue -a -r -h -o '%A|%T|%r' --states=all -j $R,$A,$D
$ squeue -a -r -h -o %P --states=PENDING
$ sinfo -h -o %C; sinfo -h -o %R,%C; sinfo -h -o '%n,%T'; sinfo -h -o '%D,%T'
$ sinfo -h -N -O 'NodeList: ,AllocMem: ,Memory: ,CPUsState: ,StateLong: ,Partition:' | sort
$ sinfo -a -h --Format='Nodes: ,Gres: ,GresUsed:' --state=idle,allocated,mixed
$ sinfo -a -h --Format='Nodes:10 ,Gres:50 ,GresUsed:50' --state=idle
$ squeue -a -r -h --Format='Account: ,tres-alloc: ,NumNodes:' --state=RUNNING | sed 's/^[^ ]* //'
$ sdiag | grep -cE '^(Server thread count|Agent queue size|DBD Agent queue size|Last cycle when|Total backfilled jobs|[	 ]*(Last cycle|Mean cycle|Cycles per minute|Last depth cycle|Depth Mean|Last queue length|Queue length mean|Total backfilled)|Jobs (submitted|started|completed|canceled|failed|pending|running))'
$ sshare -n -P -o nosuch
$ sacct -a -X --format=Partition,State,AllocTRES --state=RUNNING --noheader --parsable2 -j $R
$ squeue --states=all -h -r -o '{"id": %A, "u": "%u", "state": "%T", "p": "%P", "cpu": %C, "mem": "%m"}' -j $R,$A,$D,$F
$ sinfo -h -o '{"s": "%T", "mem": %m, "n": "%n", "p": "%R", "cstate": "%C", "w": %w}'
$ squeue -h -r -o '{"a": "x", "id": %A, "state": "%T", "tres": "%b", "array_id": "%K", "job_id": "%F", "nodes": %D, "r": "%r"}' -t all -j $R,$A,$D
$ squeue -h -O 'JobArrayID:|,Name:|,State:|,UserName:|,tres-alloc:|,Partition:|,NodeList:|,StateCompact:|,Reason:|,ArrayJobID:|,ArrayTaskID:' -j $R,$A
$ squeue --array --noheader --Format 'jobid:###x###,name:###x###,state:###x###,username:###x###,partition:###x###,nodelist:###x###,stdout:###x###,stderr:###x###,command:###x###,statecompact:###x###,reason:###x###,WorkDir:###x###' -j $R,$D
$ squeue -h -O 'STDOUT:200,STDIN:.20,STDERR:50' -j $R
$ squeue -h -O 'jobid:.8 ,name:.3' -j $R
$ squeue -O 'JobID:10,nosuch:5' -j $R
$ squeue -O '' -j $R

# Efficiency reports.
$ sacct -P -n --delimiter='^|^' --format=AdminComment,AllocCPUS,JobID,JobIDRaw,NNodes,REQMEM,State -j $F,$C
$ sacct -n -P -X -o JobIDRaw,Cluster,AllocTRES,AdminComment,User,State,NNodes,NCPUS,ReqMem,Partition,Timelimit,TimelimitRaw,JobName -j $F,$C,$R
$ sacct -P -j $C --format=JobID,ReqTRES,AllocTRES,NTasks,TRESUsageInMax --units=G | cut -d'|' -f1-4
$ sacct -P -n -a --format JobID,State,AllocCPUS,REQMEM,TotalCPU,Elapsed,MaxRSS,ExitCode,NNodes,NTasks -j $F | cut -d'|' -f 1-4,8-10
$ sacct -L -a -X -P -n -S now-1hour -E now -o jobid,user,cluster,state,partition,nnodes,ncpus,alloctres,jobname -j $C
$ TZ=UTC sacct --allusers --parsable2 --noheader --allocations --duplicates --clusters peer --format jobid,jobidraw,cluster,partition,group,gid,user,uid,exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqtres,alloctres,timelimit,nodelist,jobname --state CANCELLED,COMPLETED,FAILED,NODE_FAIL,PREEMPTED,TIMEOUT --starttime now-1hour --endtime now+1hour -j $F,$C
$ sacct --clusters nosuch --allusers --parsable2 --noheader --allocations
$ sacct -o JobID,State,NodeList --parsable2 -j $F -j $C
$ sacct -n -o state%-32 -j $F; sacct -n -o state%-32 -X -j $F
$ sacct -j $F -P --fields=JobId,User,Group,Partition,State,WorkDir,NNodes,ReqMem -n
$ sacct -X --state=OOM,RQ,RS,RV,BF,DL,NF,PR,S,PD -j $F -o state -n
$ sacct -X -s SE; sacct -X -s CG,CD; sacct -s COMPLETING; sacct -X -s signaling
# A moment is cut without a mark, a number and a span are not cut.
$ sacct -nX -j $F --format=jobid%-30,jobname%.10,state%
$ sacct -X -j $F -o start%10,end%-13,uid%2,elapsed%4,jobname%4,gid%-2,user%0 | sed -E 's/20[0-9-]+T?[0-9]*/DAY/g; s/00:00:[0-9]*/SPAN/'
$ sshare -n -o account%0; sreport cluster utilization -n format=cluster%0; sstat -j $R.batch -n -o jobid%0,maxrss%0 | sed 's/[0-9.]*[KM] *$//'
$ sacct -n -X -j $F -o jobid,nosuch
$ sacct --noconvert --truncate --allocations --allusers --starttime=now-1hour --endtime=now+1hour --parsable2 --noheader --format=ReqTRES,User -j $F,$C
$ sacct -a -s R -S now-1hour -E now -X -n -P -o jobid,state -j $R,$F

# A batch system behind another one.
$ squeue -a -h -o 'JobId=%i Partition=%P JobName=%j ReqNodes=%D ReqCPUs=%C State=%T' -t all -j $R,$D,$A
$ squeue -a -h -o '%i:%t' -t all -j $R,$D,$F
$ squeue -a -h -t all -o '%i:%T:%D:%P' -j $R,$A
$ scontrol show node --oneliner | wc -l
$ scontrol show job -o $D
$ squeue --user alice -o %A,%T -h --partition c-iq
$ squeue --user alice,bob -h -S -i -o %i
$ squeue -h -S '-P,t,-i' -o '%P %t %i'
$ squeue -h --sort=+C,u -o '%C %u'
$ squeue -h --sort=nosuch; squeue --sort=q -h
$ squeue -i 0; squeue -i x
$ squeue -l -j $R | tail -n +2
$ squeue -s -h -o '%i %j %N'
$ squeue --steps=$R.batch -h
$ squeue -h -o '%i' --name=running,later --user=alice --account=; squeue -h -L nosuch; squeue -R nosuch
$ squeue -t nosuch
$ squeue -u nosuch
$ squeue -p nosuch
$ squeue -q nosuch -h; squeue -A nosuch -h
$ squeue -o
$ squeue --format='%.8i %.3t|%5.3j|%-5j|%.-3j|%%|%$' -h -j $R
$ squeue -h --only-job-state; squeue --helpx
$ squeue -h -j $R,$R -o %i; squeue -h -j ,$R, -o %i; squeue -h -j "$R $D" -o %i
$ squeue --jobs= -h -o %i; squeue --jobs -h -o %i
$ SQUEUE_STATES=PD SQUEUE_FORMAT='%i %t' squeue -h; SQUEUE_ALL=1 SQUEUE_SORT=-i SQUEUE_FORMAT2=jobid:10,state:9 squeue -h; SQUEUE_NAMES=later squeue -h -o %j; SQUEUE_USERS=bob squeue -h; SQUEUE_PARTITION=c-iq squeue -h -o %i
$ SINFO_FORMAT='%N %t' SINFO_SORT=-N sinfo -h; SINFO_PARTITION=c-iq sinfo -h -o %P; SINFO_ALL=1 sinfo -h -o %R; SLURM_CLUSTERS=peer sinfo -h -o %R
$ SACCT_FORMAT=jobid,state sacct -nX -j $F; SLURM_TIME_FORMAT=standard sacct -nXP -j $F -o start
$ scancel -n running -n later -n arr; scancel -u alice -t PD -p c-iq; wait_end $R; squeue -h -t all -j $R,$A,$D -o '%i %T %r'
