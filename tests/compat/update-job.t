# What a user may change of a job of their own, and what only an operator.
$ H=$(sbatch -H --parsable -n1 -o /dev/null --wrap='sleep 60')
$ scontrol update jobid=$H contiguous=yes
$ scontrol update jobid=$H contiguous=no
$ scontrol update jobid=$H oversubscribe=yes
$ scontrol update jobid=$H oversubscribe=no
$ scontrol update jobid=$H shared=yes
$ scontrol update jobid=$H deadline=now+1hour
$ scontrol update jobid=$H threadspec=1
$ scontrol update jobid=$H corespec=1
$ scontrol update jobid=$H endtime=now+1hour
$ scontrol update jobid=$H starttime=now+1hour
$ scontrol update jobid=$H eligibletime=now+1hour
$ scontrol update jobid=$H timelimit=30
$ scontrol update jobid=$H timelimit=8-0
$ scontrol update jobid=$H timemin=10
$ scontrol update jobid=$H timemin=100
$ scontrol update jobid=$H priority=1
$ scontrol update jobid=$H nice=-5
$ scontrol update jobid=$H reqnodelist=node2
$ scontrol update jobid=$H excnodelist=node3
$ scontrol update jobid=$H numcpus=2
$ scontrol update jobid=$H numnodes=2
$ scontrol update jobid=$H numtasks=2
$ scontrol update jobid=$H mincpusnode=2
$ scontrol update jobid=$H minmemorynode=100
$ scontrol update jobid=$H minmemorycpu=100
$ scontrol update jobid=$H features=nosuch
$ scontrol update jobid=$H gres=gpu:1
$ scontrol update jobid=$H requeue=0
$ scontrol update jobid=$H mailuser=bob mailtype=end
$ scontrol update jobid=$H admincomment=x
$ scontrol update jobid=$H systemcomment=x
$ scontrol update jobid=$H comment=x
$ scontrol update jobid=$H stdout=/tmp/x
$ scontrol update jobid=$H workdir=/tmp
$ scontrol update jobid=$H partition=c-iq
$ scontrol update jobid=$H partition=nosuch
$ scontrol update jobid=$H qos=nosuch
$ scontrol update jobid=$H account=nosuch
$ scontrol update jobid=$H burstbuffer=x
$ scontrol update jobid=$H licenses=x
$ scontrol update jobid=$H reservationname=nosuch
$ scontrol update jobid=$H delayboot=5
$ scontrol update jobid=$H userid=bob
$ scontrol update jobid=$H switches=1
$ scontrol update jobid=$H wckey=x
$ scontrol update jobid=$H dependency=afterok:1
$ scontrol update jobid=$H cpuspertask=2
$ scontrol update jobid=$H reqcores=1
$ scontrol update jobid=$H reqsockets=1
$ scontrol update jobid=$H reqthreads=1
$ scontrol update jobid=$H arraytaskthrottle=2
$ scontrol update jobid=$H resetaccruetime
$ scontrol update jobid=$H timelimit=10:00:00; scontrol show job $H | grep -o 'TimeLimit=\S*'
root$ J=$(squeue -h -u alice -o %A | head -1); scontrol update jobid=$J contiguous=yes; scontrol update jobid=$J oversubscribe=yes; scontrol update jobid=$J threadspec=1; scontrol update jobid=$J deadline=now+2hour; scontrol update jobid=$J endtime=now+1hour; scontrol update jobid=$J reservationname=nosuch
# ... of one that runs.
$ R=$(sbatch --parsable -N2 -n4 -o /dev/null --wrap='sleep 60'); wait_run $R
$ scontrol update jobid=$R contiguous=yes
$ scontrol update jobid=$R oversubscribe=yes
$ scontrol update jobid=$R deadline=now+1hour
$ scontrol update jobid=$R threadspec=1
$ scontrol update jobid=$R endtime=now+10minutes
$ scontrol update jobid=$R endtime=now+10hours
$ scontrol update jobid=$R starttime=now+1hour
$ scontrol update jobid=$R timelimit=5
$ scontrol update jobid=$R timelimit=50
$ scontrol update jobid=$R timelimit-=1
$ scontrol update jobid=$R timelimit+=1
$ scontrol update jobid=$R numnodes=3
$ scontrol update jobid=$R numcpus=1
$ scontrol update jobid=$R numtasks=1
$ scontrol update jobid=$R gres=gpu:1
$ scontrol update jobid=$R partition=c-iq
$ scontrol update jobid=$R name=x
$ scontrol update jobid=$R comment=x
$ scontrol update jobid=$R features=x
$ scontrol update jobid=$R minmemorynode=10
$ scontrol update jobid=$R excnodelist=node4
$ scontrol update jobid=$R dependency=afterok:$H
$ scontrol update jobid=$R stdout=x
$ scontrol update jobid=$R mailuser=x
$ scontrol update jobid=$R requeue=1
$ scontrol update jobid=$R nice=5
$ scontrol update jobid=$R priority=0
$ scontrol update jobid=$R priority=5
$ scontrol update jobid=$R timemin=1
# Memory is said in one way, and who asked for neighbouring nodes may do without.
$ C=$(sbatch -H --parsable --contiguous -o /dev/null --wrap=true)
$ scontrol update jobid=$C contiguous=yes
$ scontrol update jobid=$C contiguous=no
$ scontrol update jobid=$C minmemorynode=100
$ scontrol update jobid=$C minmemorycpu=100
$ scontrol update jobid=$C timelimit=7-0
$ scontrol show job $C | grep -E 'TRES|Mem|Contig|TimeL'
# A second suspend, and the order that only operators change.
root$ scontrol suspend $(squeue -h -u alice -t R -o %A)
root$ scontrol suspend $(squeue -h -u alice -t S -o %A)
root$ scontrol resume $(squeue -h -u alice -t S -o %A)
$ scontrol top $H
$ scontrol top $R
$ scontrol top 999999
$ scontrol top x
$ scontrol show hostnames ''
