conf: PreemptType=preempt/qos
conf: PreemptMode=REQUEUE
# Jobs make room for those of a QoS that may preempt theirs.
root$ sacctmgr -iQ add qos low,high,gone >/dev/null; sacctmgr -iQ modify qos high set preempt=low,gone >/dev/null; sacctmgr -iQ modify qos gone set preemptmode=cancel >/dev/null
root$ sacctmgr -iQ modify user alice set qos=normal,low,high,gone >/dev/null
$ sbatch --parsable -q low -N4 --exclusive -t 60 -o low-%j.out --wrap 'sleep 100'
$ wait_for '[ "$(squeue -h -o %T)" = RUNNING ]'; squeue -h -o '%i %q %T'
$ sbatch --parsable -q high -n1 -t 10 -o /dev/null --wrap 'sleep 60'
$ wait_for 'squeue -h -q high -o %T | grep -q RUNNING'; squeue -h -o '%i %q %T'
# slurmdbd hears of it a little later.
$ wait_for 'sacct -D -X -n -P -o state | grep -q RUNNING'; sleep 2; sacct -D -X -n -P -o jobid,qos,state,exitcode
$ sed 's/AT .* DUE/AT DUE/' low-*.out
$ scontrol show job $(squeue -h -q low -o %i) | grep -oE 'JobState=\S+|Restarts=\S+|Preempt\S+=\S+'
$ scancel -u alice; wait_for '[ -z "$(squeue -h)" ]'
$ J=$(sbatch --parsable -q gone -N4 --exclusive -t 60 -o /dev/null --wrap 'sleep 100'); echo $J
# A job that ends before slurmdbd heard of its start has lost its QoS there.
$ wait_for "sacct -X -n -P -j $J -o state | grep -q RUNNING"
$ sbatch --parsable -q high -n1 -t 10 -o /dev/null --wrap 'sleep 60'
$ wait_for 'squeue -h -q high -o %T | grep -q RUNNING'; squeue -h -o '%i %q %T'
$ wait_for "sacct -D -X -n -P -j $J -o state | grep -q PREEMPTED"; sacct -D -X -n -P -j $J -o jobid,qos,state,exitcode
$ sbatch --parsable -q normal -N4 --exclusive -t 60 -o /dev/null --wrap 'sleep 100'
$ scancel -u alice; wait_for '[ -z "$(squeue -h)" ]'
