# What programs that submit and watch jobs ask, word for word, of jobs in each state.
# Slurm's database may hear of the end before it hears of the start.
$ booked() { for j in "$@"; do wait_for "sacct -X -n -P -j $j -o submitline,end,state | grep -q 's.*|.*T.*|[CF]' && ! sacct -n -j $j -o state | grep -qE 'RUN|PEND'"; done; }
$ C=$(sbatch --parsable -J done -o /dev/null --wckey=submitit --comment=rule_all --wrap=true)
$ F=$(sbatch --parsable -J broken -o /dev/null -N2 --wrap='srun true; exit 3'); booked $C $F
$ A=$(sbatch --parsable -J tasks -o /dev/null -a 0-5%2 --wrap='[ $SLURM_ARRAY_TASK_ID -lt 1 ] || sleep 100'); wait_for "[ \$(squeue -h -r -t R -j $A | wc -l) = 2 ] && sacct -nX -j $A -o state | grep -q COMPLETED && [ \$(sacct -nX -j $A -o state | grep -c RUNNING) = 2 ]"
$ R=$(sbatch --parsable -J live -t 1:00:00 -o live.out --gpus-per-node=2 -N2 --wrap='sleep 100'); wait_run $R; wait_for "sacct -nX -j $R -o state,nodelist | grep -q RUNNING.*node && sacct -nj $R.batch -o state | grep -q RUN"
$ H=$(sbatch --parsable -J held -H -o /dev/null --wrap='sleep 100'); D=$(sbatch --parsable -J later -d afterok:$R,afternotok:$H -o /dev/null --wrap=true); X=$(sbatch --parsable -J lost -d afterok:$F -o /dev/null --wrap=true); B=$(sbatch --parsable -J begin -b now+1hour -o /dev/null --wrap=true)
$ K=$(sbatch --parsable -J killed -o /dev/null --wrap='sleep 100'); wait_run $K; wait_for "sacct -nj $K.batch -o state | grep -q RUN"; scancel $K; Y=$(sbatch --parsable -J never -H -o /dev/null --wrap=true); scancel $Y; booked $K $Y; wait_for "squeue -h -j $X -o %r | grep -q Never && squeue -h -j $D -o %r | grep -q Dependency && sacct -nX -j $B,$X,$D -o state | grep -c PENDING | grep -q 3"

# submitit
$ sacct -o JobID,State,NodeList --parsable2 -j $C -j $F -j $R
$ sacct -o JobID,State,NodeList --parsable2 -j $A
$ sacct -o JobID,State,NodeList --parsable2 -j $H -j $K -j $Y
$ sacct -o JobID,State --parsable2 -j ${A}_0 -j ${A}_1
$ sacct -o JobID,State,NodeList --parsable2 -j 999999
# ReFrame
$ SLURM_TIME_FORMAT=%s sacct -S $(date +%F) -P -j $C,$F,$R,$A,$H,$K -o jobid,state,exitcode,end,nodelist | sed -E 's/\|1[0-9]{9}\|/|END|/'
$ squeue -h -j $X -o %r
$ squeue -h -j $A -o %r
$ squeue -h -j $R,$A,$F -o "%i|%T|%N|%r" | sort
$ scontrol -a show -o node node[1-2],node4 | grep -oE '(NodeName|State|Partitions|ActiveFeatures)=\S+'
$ scontrol -a show -o Nodes=node1 2>&1 | head -1 | cut -c1-60
# Snakemake
$ sacct -X --parsable2 --clusters all --noheader --format=JobIdRaw,State --starttime $(date -d '2 days ago' +%FT%H:00) --endtime now --name done
$ sacct -X --parsable2 --clusters peer --noheader --format=JobIdRaw,State --starttime now-2days --endtime now --name broken,live
$ sacct -X --parsable2 --noheader --format=JobIdRaw,State -j $A
$ sacct -nu alice -o Account%256 | head -n1 | sed 's/ *$//'
$ sacctmgr -n -s list user alice format=account%256 | sed 's/ *$//'
$ sacctmgr -n -s list user "$USER" format=account%256,partition,qos%20 | sed 's/ *$//'
$ sshare -U --format Account --noheader
$ sinfo -o %P
$ scontrol show config | grep MinJobAge
$ squeue --noheader --name done,live --format '%i|%T'
# Toil
$ sacct -n -j $C,$F,$K --format JobIDRaw,State,ExitCode -P -S 1970-01-01
$ sacct -n -j $C,$F,$K,999999 --format JobIDRaw,State,ExitCode -P -S 1970-01-01
# Galaxy
$ sacct -n -o state%-32 -M peer -j $K
$ sacct -n -o 'state%-32' -j $F
$ sacct -o JobIDRaw,State -P -n -j $A
$ squeue -a -o '%A %t' -j $R
$ squeue -a -o '%A %t' -j $F
$ scontrol -o -M peer show job $K | grep -oE 'JobState=\S+ Reason=\S+'
$ scontrol -M peer -o show job $R | grep -oE 'JobState=\S+ Reason=\S+'
# AiiDA
$ sacct --format=$(sacct --helpformat | tr -s '\n' ' ' | tr ' ' ',') --parsable --jobs=$C | head -1
$ sacct --format=$(sacct --helpformat | tr -s '\n' ' ' | tr ' ' ',') --parsable --jobs=$C 2>&1 | cut -d'|' -f1-6
# AiiDA, qtoolkit
$ SLURM_TIME_FORMAT='standard' squeue --noheader -o '%i<><> %t<><> %r<><> %j<><> %u<><> %P<><> %l<><> %D<><> %C<><> %M<><> %m' -u alice | sort
$ SLURM_TIME_FORMAT='standard' scontrol show job -o $H
$ SLURM_TIME_FORMAT='standard' scontrol show job -o 999999
$ scancel -v 999999
$ scancel -v $F
$ scancel -v ${A}_0
# Open OnDemand
$ squeue -M peer --all --states=all --noconvert -o '%a;%A;%b;%B;%c;%C;%d;%D;%e;%E;%f;%F;%g;%G;%h;%H;%i;%I;%j;%J;%k;%K;%l;%L;%m;%M;%n;%N;%o;%O;%q;%P;%r;%S;%t;%T;%u;%U;%v;%V;%w;%W;%x;%X;%y;%Y;%z;%Z' -j $A
$ squeue --all --states=all --noconvert -o $'\x1e%A\x1f%i\x1f%t' -j $A | cat -v
$ squeue --all --states=all --noconvert -o $'\x1e%A\x1f%i\x1f%t' -u alice -M peer | cat -v | sort
$ squeue -M peer --states=all --noconvert -o $'\x1e%A\x1f%i\x1f%t' -A root,nosuch | cat -v
$ sinfo -M peer -aho '%A/%D/%C'
$ sinfo -M peer -o '%n %G %T' --Node
$ sinfo -ahNO 'nodehost,gres:100,gresused:100' | sort -u
$ sinfo -aN -h --Format='Nodehost:30,StateLong:30,Gres:50,GresUsed:50'
$ squeue -M peer -h -t R -o '%b' --all
$ sacctmgr -nP show users withassoc format=account,cluster,partition,qos where user=alice
$ sacctmgr -nP show qos format=name,priority,maxwall | head -3
$ scontrol -M peer show part -o
$ echo '#!/bin/sh
> env | grep -c SLURM_JOB_ID; echo ${FOO-none}' | FOO=1 SBATCH_EXPORT=NONE sbatch -M peer -o ood.out --parsable -W
$ cat ood.out
$ echo 'true' | sbatch -M peer --parsable
$ scontrol -M peer hold $H; scancel -M peer 999999
# SkyPilot
$ squeue --me -h -o "%i" --states pending,running --name held
$ sinfo -h --Node -o '%N\x1f%t\x1f%G\x1f%c\x1f%m\x1f%P' | sort
$ squeue -h --nodelist node1 -o "%b"
$ squeue -h --only-job-state --jobs $R -o "%T"
$ squeue -h --jobs $K --states all -o "%r"
$ squeue -h --jobs $R -o "%N" | tr ',' '\n' | while read node; do node_addr=$(scontrol show node=$node | grep NodeAddr= | awk -F= '{print $2}' | awk '{print $1}'); echo "$node $node_addr"; done
$ scontrol show partitions -o
# simple_slurm
$ squeue --me -o '"%i","%j","%t","%D","%C","%m","%b","%R"' | sort
$ sacct -j $A --format=JobID,JobName,State,NNodes,AllocCPUs,ReqCPUs,ReqMem --units=M
$ scontrol show job $A | grep -oE 'JobId=.*|JobState=\S+|ExitCode=\S+'
$ scancel '' 999999
$ scancel --signal=TERM 999999
# Others
$ squeue --noheader --Format=Name:50,JobID:20,Comment:20,State:12 -j $R,$C
$ squeue --Format=JobID,Name,SubmitTime -j $R | sed 's/[ T][0-9:]* *$//'
$ squeue -rh -O state,username,Partition,NumTasks,tres-alloc:70,Reason:70 -j $R,$A
$ sinfo -h -e -o '%R %m %c %f %G %T %D %C'
$ sinfo -Nh -O NodeHost,StateLong,SocketCoreThread,CPUsState,Memory,AllocMem,Disk,Weight,Features:100,Gres:100,GresUsed:100,Reason:50 | sort | uniq
$ squeue -o '%all' -j $H
$ squeue -h -o '%all' -j $R | cut -d'|' -f1-15
$ sinfo -o '%all' | head -1
$ sinfo -h -o '%all' -N | cut -d'|' -f1-4 | sort
$ sacct -j $A --format=JobID,State --array -X -n
$ sacct --array -X -n -P -j $A,$C --format=JobID%80,State
$ sacct --jobs $F --noheader --parsable2 --allocations --format=State,ExitCode
$ sacct --format=state --jobs $C
$ sacct --state R --starttime now-1hour -X -n -o jobname
$ sacct --state=PD --format='JobID, Jobname%50,state,time' -S now-1hour
$ sacct --duplicates -X -P --noheader -o JobID,JobName,State,ExitCode,NNodes,NodeList -j $C,$F
$ sacct --delimiter = -P -o JobId,State -j $C
$ sacct --job $C -X -n -o state
$ sacct -X -j ${A}_2 -n -P '--format=JobID%40,State%40,ExitCode,NodeList'
$ sacct -n -P --local --allocations --user=alice --duplicates --starttime=now-1hour --endtime=now --name=done -o jobname,state
$ scontrol show job -dd $H,$D | head -4
$ scontrol show job $H -o | grep -c JobState
$ scontrol show job $H --json | head -3
$ scontrol --json ping
$ scontrol --json show node node1
$ scontrol show config | grep -E '^ClusterName'
$ scontrol show node -o node1 | cut -d' ' -f1
$ sacctmgr show user alice withassoc format=account -P -n -r
$ sacctmgr show user alice --format User,MaxJobs
$ sacctmgr -n -P show qos normal format=Name,MaxWall
$ sacctmgr show qos format=name,priority,maxWall
$ sacctmgr show account --json | head -2
$ sinfo --noheader --format '%R|%l|%m|%z|%G'
$ sinfo -h -N -O 'NodeList:30,Gres:60,GresUsed:60,StateLong:30'
$ sinfo --states=IDLE -h -o %n
$ sinfo -ho %N -t down -n node[1-2]
$ sinfo -ho '%P:%a'
$ sinfo -h -p nosuch -o %P
$ sinfo --Format=NodeHost,StateCompact
$ sinfo --Format=features:30,nodelist:20,cpus:5,memory:10,gres:30
$ sinfo -r -h -o '%n'
$ sinfo -lRN | tail -n +2
$ sinfo --format="%25N %.40f %.6a %.10A"
$ squeue -h -w node2 -a -o %u
$ squeue --noheader --job $R
$ squeue -p batch -O jobid:25,name:25,state:13,batchhost,reason -j $R
$ squeue -j $R -o "%T %M %r" --noheader
$ squeue -t PD -o '%15i %30R %o' -u alice
$ squeue --me -o '"%.1i %.1P %10j %1T %.1M  %.R"'
$ squeue -h -u alice -o '%i|%j|%T|%b|%E' | sort
$ squeue -h --user alice --states=PD,R --array -o '%F %K %T' -S F,K
$ scancel --state=PENDING $R $H
$ scancel --name=done $R; squeue -h -j $R -o %T
$ scancel -n held -u alice $H
# A script whose variable is empty
$ scancel '' 5
$ scancel --full --quiet 999999
$ scancel --clusters=peer 999999_7
$ scancel $C $F --clusters=all; echo $?
$ scancel -- $D; squeue -h -t all -j $D -o %T
$ scancel --wckey=submitit; scancel -j $B; scancel --me -t PD; squeue -h -o '%j %T' -S j
$ scancel --signal=KILL --full $R; booked $R; sacct -n -X -j $R -o jobid,state%20,exitcode; squeue -h -t all -j $R -o '%T %r'
$ sacctmgr -n -P show assoc user=alice format=account,user,qos,defaultqos
# A width cuts times and lists of nodes on the left only, and a value that is missing is left out.
$ W=$(sbatch --parsable -J wide -t 1:00:00 -N2 -o /dev/null --wrap='sleep 100'); wait_run $W
$ for c in a b B c C D E f F h i j k K l m n N o P q r R t T u U v w W x y Y z; do echo "$c:$(squeue -h -o "%1$c|%.1$c|%.0$c|%30$c|%3$c|%.3$c|" -j $W)"; done
$ for c in Account BatchHost Command Comment Dependency Feature NodeList NumNodes Partition Reason ReasonList ResizeTime SchedNodes State TimeLimit UserName WCKey; do squeue -O "$c:1,$c:.1,$c:.3,$c:3,$c:.30" -j $W; done
$ squeue -j $W -o '%.1M|%1M' | sed -E 's/[0-9]{1,2}:[0-9]{2}/T/g'
$ for c in b f G N P t; do sinfo -h -o "%1$c|%.1$c|%.0$c|%3$c|%.3$c|" -n node3 -p batch; done
$ sacct -o 'jobid, state' -n -X -j $W; sacct -o 'jobid,, state,' -n -X -j $W; sacct -o ' jobid , state%5 ' -n -X -j $W
$ sstat --nosuch
# Jobs that go back to the queue: by their owner, held, after they have ended, a task.
$ wait_for "sacct -nj $W.batch -o state | grep -q RUN"; scontrol requeue $W; scontrol requeue $C; sleep 1.1; scontrol requeuehold ${A}_1; wait_for "[ \$(sacct -D -n -X -j $W,$C,$A -o state | grep -c PENDING) -ge 3 ]"; sacct -D -n -X -P -j $W -o jobid,state,exitcode; sacct -D -n -X -P -j $C -o jobid,state,exitcode; sacct -D -n -X -P -j ${A}_1 -o jobid,state,exitcode
$ sacct -n -X -P -j $W -o jobid,state,exitcode; sacct -n -X -P -j $C -o jobid,state
$ sacct -X -D -n -P -s RQ -S now-1hour -E now -o jobname,state | sort
$ sacct -X -n -P -S now-1hour --name=wide,done -o jobname,state | sort
$ sacct --json -j $W | python3 -c 'import json, sys; print(*[(j["name"], j["state"]["current"]) for j in json.load(sys.stdin)["jobs"]])'
$ scancel -u alice
# Records in Slurm's order.
$ A=$(sbatch --parsable -J arr -o /dev/null -a 0-5%2 --wrap='[ $SLURM_ARRAY_TASK_ID = 0 ] || sleep 100'); wait_for "[ \$(squeue -h -r -t R -j $A | wc -l) = 2 ] && squeue -h -t R -j ${A}_2 | grep -q ."
$ sleep 1.1; R=$(sbatch --parsable -J one -o /dev/null --wrap='sleep 100'); wait_run $R; wait_for "sacct -nX -j $R -o state | grep -q RUN && [ \$(sacct -nX -j $A -o state | grep -c RUN) = 2 ]"
$ scontrol show job $A | grep -oE '(ArrayTaskId|JobState)=\S+'
$ scontrol show job | grep -oE '(ArrayTaskId|JobState)=\S+' | tail -10
$ squeue -h -o '%i %t' -t R,PD | sort
$ squeue -h -o '%i %t' -j $A
$ squeue -h -o '%i %t' -j $A,$R | sort
$ sacct -n -X -P -j $A,$R -o jobid,state
$ sacct -n -X -P --name=arr,one -S now-1hour -o jobid,state
