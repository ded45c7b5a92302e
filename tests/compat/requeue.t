# Back to the queue: all, those that did not complete, held.
$ J=$(sbatch --parsable --array=1-3 --requeue -o /dev/null --wrap='[ $SLURM_ARRAY_TASK_ID = 2 ] || sleep 100'); wait_run ${J}_1 ${J}_3; wait_end ${J}_2
$ scontrol requeue incomplete $J; sleep 1; squeue -t all -h -j $J -o '%K %T %r' | sort
$ scontrol requeue incomplete ${J}_2; echo $?; squeue -t all -h -j ${J}_2 -o '%K %T %r'
$ scancel $J
$ J=$(sbatch --parsable -o /dev/null --wrap='sleep 100'); wait_run $J; scontrol requeuehold $J; wait_for "squeue -h -t PD -o %i | grep -q $J"; squeue -h -j $J -o '%T|%t|%r|%R'; scontrol show job $J | grep -oE 'JobState=\S+ Reason=\S+|Priority=0'
$ scancel $J; scontrol show job $J | grep -oE 'JobState=\S+ Reason=\S+'
$ J=$(sbatch --parsable -o /dev/null --wrap=true); wait_end $J; scontrol requeuehold State=SpecialExit $J; squeue -h -j $J -o '%T|%t|%r|%R'; squeue -h -t SE -o %T; squeue -h -t PD -o %T; scontrol show job $J | grep -oE 'JobState=\S+ Reason=\S+'
$ scontrol release $J; squeue -h -j $J -o %T; scancel $J
$ J=$(sbatch --parsable -o /dev/null --wrap='sleep 100'); wait_run $J; scontrol requeuehold state=specialexit $J; wait_for "squeue -h -j $J -o %T | grep -q SPECIAL"; squeue -h -j $J -o '%T|%r'; scontrol hold $J; squeue -h -j $J -o '%T|%r'; scancel $J

# The value of a key may be the next word.
$ J=$(sbatch --parsable -H --array=1-4%1 --wrap=true); scontrol update jobid=$J arraytaskthrottle 2; scontrol update jobid=$J name other; squeue -h -j $J -o '%i %j' | sed 's/.*_//'
$ scontrol update jobid=$J nice 10
$ scontrol update jobid=$J name
$ scancel $J

# Who is not let into a partition.
root$ scontrol create partition=kept nodes=node1 denyaccounts=x
root$ scontrol update partitionname=kept denyqos=normal
root$ scontrol show partition kept | sed -n 2p
root$ scontrol update partitionname=kept allowaccount=y
root$ scontrol show partition kept | sed -n 2p
root$ scontrol update partitionname=kept denyaccount=none allowqos=ALL
root$ scontrol show partition kept | sed -n 2p
root$ scontrol delete partition=kept
