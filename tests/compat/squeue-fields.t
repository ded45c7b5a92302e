# Every field of squeue on its own: what one field needs must not hang on another's being asked for.
$ R=$(sbatch --parsable -J run -n 2 --gres=gpu:1 --mem-per-cpu=100 -t 30 --comment=hi -o out -e err -k --wrap='sleep 100'); wait_run $R
$ H=$(sbatch --parsable -H -J held -N 2 --mem=300 -x node1 -w node2 --nice=5 -c 2 -o /dev/null --exclusive --wrap='sleep 100')
$ E=$(sbatch --parsable -H -a 1-9:2%2 -p batch,c-iq -o /dev/null --gpus=2 --wrap='sleep 100')
$ P=$(sbatch --parsable -b now+1hour -d afterany:$R -o x-%j.out --gpus-per-task=1 -n 1 --wrap='sleep 100'); Q=$(sbatch --parsable -H -N 1-3 -n 3 --wrap=true)
$ C=$(sbatch --parsable -H -o /dev/null --wrap='sleep 100'); scancel $C; F=$(sbatch --parsable -o /dev/null --wrap='exit 3'); wait_end $F
$ for c in a b B c C d D e E f F g G h H i I j J k K l m M n N o O P r R s S t T u U v V w W x X y Y z Z; do echo "$c: $(squeue -h -t all -o "%$c" -S i -j $R,$H,$E,$P)"; done
$ for c in a b B c C d D E h i j k l m n N o P r R t T v w x y z Z; do echo "$c: $(squeue -h -t all -o "%$c" -S i -j $C,$F)"; done
$ fields='Account AdminComment ArrayJobID ArrayTaskID AssocID BatchFlag BatchHost BoardsPerNode BurstBuffer BurstBufferState Cluster ClusterFeature Command Comment Contiguous Container Cores CoreSpec CPUFreq cpus-per-task cpus-per-tres Deadline DelayBoot Dependency DerivedEC EndTime exit_code Feature GroupID GroupName HetJobID HetJobIDSet HetJobOffset JobArrayID JobID LastSchedEval Licenses MaxCPUs MaxNodes MCSLabel mem-per-tres MinCpus MinMemory MinTime MinTmpDisk Name Network Nice NodeList Nodes NTPerBoard NTPerCore NTPerNode NTPerSocket NumCPUs NumNodes NumTasks Origin OriginRaw OverSubscribe Partition PreemptTime PreSusTime Profile Reason ReasonList Reboot ReqNodes ReqSwitch Requeue Reservation ResizeTime RestartCnt ResvPort SchedNodes SCT SiblingsActive SiblingsActiveRaw SiblingsViable SiblingsViableRaw Sockets SPerBoard StartTime State StateCompact STDERR STDIN STDOUT StepID SubmitTime SystemComment Threads TimeLimit TimeUsed tres-alloc tres-bind tres-freq tres-per-job tres-per-node tres-per-socket tres-per-step tres-per-task UserID UserName Wait4Switch WCKey WorkDir'
$ for c in $fields; do echo "$c: $(squeue -h -t all -O "$c:60" -S i -j $R,$H,$P,$Q 2>&1)"; done
$ squeue -h -O JobID,State,Reason -j $R
$ squeue -O 'JobID:.10,Name:|,State:5' -j $R
$ squeue -O nosuch
$ squeue -o '%i %' -j $R
$ squeue -o '%.5i %10j|%-3t|' -j $R
$ squeue -t nosuch
$ squeue -u nosuch
$ squeue -p nosuch
$ squeue -w nosuch
$ squeue -n nosuch
$ squeue -A nosuch
$ squeue -q nosuch
$ squeue -R nosuch
$ squeue -S nosuch
$ squeue -h -S -i -o %i
$ squeue -h -S t,j -o '%i %t'
$ squeue -h -w node1 -o %i
$ squeue -h -t pd,r -o '%i %t' -S i
$ squeue -h -t PENDING,COMPLETED,failed -o '%i %t' -S i -j $R,$H,$F,$P
$ squeue -h -j ${E}_3,${E}_5 -o '%i %K %A'
$ squeue -h -r -j $E -o '%i %K %A'
$ squeue -h -j ${E}_4 -o '%i %K %A'
$ squeue -i x
$ SQUEUE_FORMAT='%i %T' squeue -h -j $R
$ SQUEUE_FORMAT2='jobid,state' squeue -h -j $R
$ SQUEUE_STATES=PD squeue -h -o %t -j $R,$H
$ SLURM_TIME_FORMAT=relative squeue -h -o %S -j $R | sed 's/[0-9]/N/g'
$ SLURM_TIME_FORMAT=%s squeue -h -o %V -j $R | sed 's/^1[0-9]*$/N/'
$ squeue -h -j $R --Format=JobID --format=%i
