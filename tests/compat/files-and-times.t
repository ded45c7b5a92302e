# Files of a job as they are shown, and the times of tasks and jobs that wait for others.
$ A=$(sbatch --parsable -H -a 7-8 -J nm -o 'o-%A-%a-%5a-%b-%J-%j-%x-%u-%N-%n-%t-%s-%%-%4j-%h.out' --wrap=true)
$ scontrol show job $A | grep Std
$ scontrol show job ${A}_7 | grep Std
$ J=$(sbatch --parsable -H -J nm -o 'o-%A-%a-%5a-%b-%J-%5J-%5A-%j-%10j-%x-%u-%%j-%h-%q.out' -e '%8x.err' -i '%j.in' --wrap=true); scontrol show job $J | grep Std
$ J=$(sbatch --parsable -H -J nm -o 'a\%j' --wrap=true); scontrol show job $J | grep Std
$ J=$(sbatch --parsable -H -J 'a b/c' -o '%x' --wrap=true); scontrol show job $J | grep Std
$ J=$(sbatch --parsable -H -o '%99j' --wrap=true); scontrol show job $J | grep Std
$ A=$(sbatch --parsable -a 13 -J nm -o 'r-%A-%5a-%b-%J-%n-%t-%s.out' --wrap='echo x'); wait_end $A; scontrol show job $A | grep Std; ls r-*
$ A=$(sbatch --parsable -a 0-2%1 -o /dev/null --wrap='sleep 60'); wait_run ${A}_0; sleep 1
$ scontrol show job $A | grep -E 'JobId|EligibleTime|JobState'
$ for i in 0 1 2; do scontrol show job ${A}_$i | grep -oE 'EligibleTime=\S*|SubmitTime=\S*' | sort; done | sed -E 's/=2.*/=set/'
$ squeue -h -j $A -o '%i %T %r %V %S'
$ scancel $A
$ J=$(sbatch --parsable -o /dev/null --wrap='sleep 60'); wait_run $J; sleep 1; scontrol requeue $J; sleep 1
$ squeue -h -j $J -o '%T %r'
$ scontrol show job $J | grep -E 'State|Restarts|BatchFlag'
$ delay() { scontrol show job $1 | tr ' ' '\n' | awk -F= '/^(SubmitTime|EligibleTime)=/{t=$2; gsub(/[-T:]/," ",t); v[$1]=mktime(t)} END{print v["EligibleTime"]-v["SubmitTime"]}'; }
$ delay $J
$ scontrol update jobid=$J comment=later; delay $J
$ scontrol update jobid=$J starttime=now; wait_run $J; scontrol show job $J | grep -oE 'JobState=\S+|Restarts=\S+'
# Times and resources that can't be, on the command line.
$ sbatch -b now+1year --wrap=true
$ sbatch -b 'now + 12 years' --wrap=true
$ sbatch -b now+1hourx --wrap=true
$ sbatch --deadline=now+1year --wrap=true
$ sbatch -N0 --wrap=true
$ srun -N0 true
$ salloc -N0 true
$ printf '0\n' >mp; srun --multi-prog mp
$ printf '*\n' >mp; srun --multi-prog mp
$ echo x >src; salloc -Q bash -c 'sbcast src dst; echo $?; sbcast src dst 2>/dev/null; echo $?; sbcast -f src dst; echo $?; sbcast src /nosuch/dst 2>/dev/null; echo $?'
