# What programs ask sinfo and scontrol about the machines.
$ sinfo
$ sinfo -N -l | tail -n +2 | sort
$ sinfo -l | tail -n +2
$ sinfo -s
$ sinfo -R
$ sinfo -Nel | tail -n +2 | sort
$ sinfo -a -o "%P %G %l %p %c %m"
$ sinfo -o '%20P %5D %14F %8z %10m %11G %N'
$ sinfo -h -o %C
$ sinfo -h -o '%R,%C'
$ sinfo -h -a -o 'PartitionName=%P TotalCPUs=%C TotalNodes=%D MaxTime=%l'
$ sinfo -a -h -o cpuinfo=%C
$ sinfo -h -N -O 'NodeList,AllocMem,Memory,CPUsState,StateLong'
$ sinfo -a -h --Format='NodeHost,Gres:100,GresUsed:100'
$ sinfo -h -N -o '%N|%t|%c|%m|%f|%G|%C|%T'
$ sinfo -h -p c-iq -o %D
$ sinfo -p nosuch
$ sinfo -n node1,node2 -h -o '%N %T'
$ sinfo -n nosuch
$ sinfo -t idle -h -o '%N'
$ sinfo -t alloc,mix -h -o '%N'
$ sinfo -t nosuch
$ sinfo -h -o '%P|%a|%l|%D|%T|%N|%L|%s|%h|%g|%S|%w|%z|%X|%Y|%Z|%d|%f|%b|%e|%E|%u|%U|%H|%I|%M|%B|%A|%i|%V|%v|%n' | sed 's/|[0-9]*-*[0-9]*|none/|MEM|none/'
$ sinfo -O 'all' | head -1
$ sinfo -h -O 'partition:10,available,cpus,cpusload,disk,extra,features,features_act,groups,gres,maxcpuspernode,memory,nodes,nodeaddr,nodeai,nodeaiot,nodehost,nodelist,oversubscribe,partitionname,preemptmode,priorityjobfactor,prioritytier,reason,root,size,socketcorethread,sockets,cores,threads,statecompact,statecomplete,statelong,time,timestamp,user,userlong,version,weight' | sed -E 's/ +[0-9]+\.[0-9]+(-[0-9.]+)? +/ LOAD /g'
$ sinfo -O nosuch
$ sinfo -o '%q'
$ sinfo --json
$ sinfo -d
$ sinfo -r -h -o '%P %D %t'
$ sinfo -T
$ sinfo --version
$ sinfo --nosuch
$ sinfo -M peer -h -o %P
$ scontrol show node node1
$ scontrol show node nosuch
$ scontrol show partition c-iq
$ scontrol show partition nosuch
$ scontrol show config | grep -E '^(ClusterName|DefMemPerCPU|MaxArraySize|MaxJobCount|SelectType|SelectTypeParameters|SchedulerType|GresTypes|SLURM_VERSION|FirstJobId|KillWait|MinJobAge) '
$ scontrol show nosuch
$ scontrol nosuch
$ scontrol ping
$ scontrol show topology
$ scontrol show licenses
$ scontrol show daemons
$ scontrol show step
$ scontrol show assoc
$ scontrol --version
root$ scontrol update nodename=node2 state=drain reason="bad disk"
$ sinfo -R -h -o '%E|%u|%N'
$ sinfo -h -N -o '%N %t %E'
$ sinfo -h -t drain -o '%n %T'
$ scontrol show node node2 | grep -E 'State|Reason' | sed 's/@.*//'
root$ scontrol update nodename=node2 state=resume
$ sinfo -h -N -o '%N %t %E' | tr -d '*'
$ scontrol update nodename=node2 state=drain reason=x
