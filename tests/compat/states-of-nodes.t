# Every field of sinfo on its own, on nodes that are idle, in use in part and in whole, and drained.
$ A=$(sbatch --parsable -w node1 -n 3 --gres=gpu:1 --mem=1000 -o /dev/null --wrap='sleep 100'); B=$(sbatch --parsable -w node2 --exclusive -o /dev/null --wrap='sleep 100'); wait_run $A $B
root$ scontrol update nodename=node3 state=drain reason="bad disk"
$ for c in a A b B c C d D f F g G h i I l L m M n N p P r R s S t T u U v V w X Y z Z; do echo "$c: $(sinfo -h -o "%$c")"; done
$ for c in a A b B c C d D E f F g G h i I l L m M N p P r R s S t T v V w X Y z Z; do echo "$c: $(sinfo -h -N -o "%N %$c" | sort)"; done
$ for c in a A C D F l N P R s S t T; do echo "$c: $(sinfo -o "%$c")"; done
$ sinfo -o '%20P|%.5a|%-3t|%.20N'
$ fields='Available Cpus CpusState Disk Features Features_act Groups Gres GresUsed Memory AllocMem NodeAI NodeAIOT NodeHost NodeList Nodes OverSubscribe Partition PartitionName PreemptMode PriorityJobFactor PriorityTier Reason Root Size SocketCoreThread Sockets Cores Threads StateCompact StateComplete StateLong Time User Version Weight DefaultTime MaxCPUsPerNode Cluster Comment Extra AllocNodes ActiveFeatures NodeAddr Port'
$ for c in $fields; do [ $c = Port ] || echo "$c: $(sinfo -h -O "$c:50" 2>&1 | sort)"; done
$ for c in $fields; do [ $c = Port ] || echo "$c: $(sinfo -h -N -O "NodeList:10,$c:50" 2>&1 | sort)"; done
$ for c in $fields; do [ $c = Port ] || sinfo -O "$c" -n node1 2>&1 | head -1; done
$ sinfo
$ sinfo -l | tail -n +2
$ sinfo -N | sort
$ sinfo -Nl | tail -n +2 | sort
$ sinfo -s
$ sinfo -R
$ sinfo -Rl | tail -n +2
$ sinfo -R -h -o '%E|%U|%t|%n'
$ sinfo -e
$ sinfo -t drain
$ sinfo -t drained,alloc -h -o '%N %T'
$ sinfo -t mixed -N
$ sinfo -t idle,mix,alloc -s
$ sinfo -t '~idle'
$ sinfo -p c-iq,batch -h -o '%P %D'
$ sinfo -n node[1-2]
$ sinfo -n node4 -p c-iq
$ sinfo -n node1 -p c-iq
$ sinfo -S P,-t -h -o '%P %t'
$ sinfo -S -N -N -h -o '%N'
$ sinfo -h -S '#P' -o '%P'
$ SINFO_FORMAT='%N %t' sinfo -h
$ SINFO_PARTITION=c-iq sinfo -h
$ SINFO_SORT=-P sinfo -h -o %P
$ sinfo -i x
$ sinfo -o
$ sinfo -O
$ sinfo -o '%'
$ sinfo -o '%5'
$ sinfo -O Nodes:x
$ sinfo -O nodes:.8,time:|,partition:=
$ sinfo extra
$ sinfo -z
$ sinfo -v -h -o %P 2>&1 | tail -2
$ sinfo -d -r
$ sinfo --noconvert -h -o %m
$ sinfo --hide -h -o %P
$ sinfo --federation -h -o %P
$ sinfo --local -h -o %P
root$ scontrol update nodename=node3 state=resume
$ scancel $A $B
