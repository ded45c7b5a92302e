# A full machine: who waits, why, and what squeue says of it.
$ for i in 1 2; do sbatch -N4 --exclusive -t 10 --wrap="sleep 60"; done
bob$ for i in 1 2; do sbatch -N4 --exclusive -t 10 --wrap="sleep 60"; done
carol$ for i in 1 2; do sbatch -N4 --exclusive -t 10 --wrap="sleep 60"; done
$ wait_for 'squeue -h -t R | grep -q wrap'; wait_for '[ $(squeue -h -t PD | grep -c Resources)$(squeue -h -t PD | grep -c Priority) = 14 ]'; squeue
$ squeue --start | sed -E 's/ node\[1-4\] / (null) /'
$ squeue -l | tail -n +2
$ sinfo
$ squeue -S i -o '%i %Q' | awk '{print $1}'
root$ for j in $(squeue -h -o %i); do scancel $j; done
$ sbatch --test-only -n 99 --wrap=true 2>&1 | sed 's/[0-9][0-9]*/N/g'
$ sbatch --test-only -N 5 --wrap=true
$ sbatch --test-only -n 33 -N 1 --wrap=true
$ sbatch --test-only --mem=900G --wrap=true
$ sbatch --test-only --gres=gpu:5 --wrap=true
$ srun --test-only -n 99 true
$ salloc -Q --test-only -n 99 true
$ sbatch -Q -N 3 -n 2 --test-only --wrap=true 2>&1 | sed 's/[0-9][0-9]*/N/g'
$ sbatch -N 3 -n 2 --test-only --wrap=true 2>&1 | sed 's/[0-9][0-9]*/N/g'
$ srun -Q -N 3 -n 2 -l true
$ srun -N 3 -n 2 -l true
$ J=$(sbatch --parsable -o /dev/null --wrap='srun sleep 60'); wait_run $J; wait_for 'squeue -h -s -j $J | grep -q "\.0"'; scontrol show step $J
$ squeue -s -j $J
$ squeue -h -s -o '%i %P %u %N %j %A' -j $J
$ scontrol show step $J.0
$ scontrol show step $J.5
$ scontrol show step 999999
$ scontrol -o show step $J.0
$ srun --jobid=$J --overlap -n 1 -N 1 -m block bash -c 'scontrol show step $SLURM_JOB_ID.$SLURM_STEP_ID'
$ scancel $J
$ W=$(sbatch --parsable -b now+1hour --wrap=true); squeue -h -j $W -o '%t %r'; sleep 1; scontrol show job $W
# Deadlines: what can't end in time is over at once; --time-min must fit
$ sbatch --deadline now+1hour --time-min 120 -o /dev/null --wrap true; sbatch --time-min 120 -o /dev/null --wrap true; sbatch -t 10-0 --time-min=8-0 -o /dev/null --wrap true
$ salloc -N1 --deadline now+1hour -t120 true 2>&1 | sort; srun -N1 --deadline now+1hour -t120 true
$ SBATCH_CORE_SPEC=1 SBATCH_THREAD_SPEC=1 sbatch --wrap true
# More than the partition has: of CPUs, which is said at once
$ W=$(sbatch --parsable -N 50 --wrap=true); sleep 0.5; squeue -h -j $W -o '%t %r %D %C'; scancel $W
$ W=$(sbatch --parsable -N 5 -n 40 --wrap=true); sleep 0.5; squeue -h -j $W -o '%t %r %D %C'; scancel $W
