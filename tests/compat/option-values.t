# Values that options refuse, and what they answer.
$ sbatch --test-only --ntasks=0 --wrap=true
$ sbatch --test-only --ntasks=x --wrap=true
$ sbatch --test-only --ntasks=-1 --wrap=true
$ sbatch --test-only --ntasks=1k --wrap=true
$ sbatch --test-only --ntasks= --wrap=true
$ sbatch --test-only -N x --wrap=true
$ sbatch --test-only -N 2-1 --wrap=true
$ sbatch --test-only -c 0 --wrap=true
$ sbatch --test-only -c x --wrap=true
$ sbatch --test-only -c -1 --wrap=true
$ sbatch --test-only --cpus-per-gpu=0 --wrap=true
$ sbatch --test-only --cpus-per-gpu=x --wrap=true
$ sbatch --test-only --mincpus=0 --wrap=true
$ sbatch --test-only --mincpus=x --wrap=true
$ sbatch --test-only --mem=x --wrap=true
$ sbatch --test-only --mem=1.5G --wrap=true
$ sbatch --test-only --mem=-1 --wrap=true
$ sbatch --test-only --mem= --wrap=true
$ sbatch --test-only --mem-per-cpu=x --wrap=true
$ sbatch --test-only --mem-per-gpu=x --wrap=true
$ sbatch --test-only --mem=1G --mem-per-cpu=1G --wrap=true
$ sbatch --test-only --mem-per-cpu=1G --mem-per-gpu=2G --wrap=true
$ sbatch --test-only --tmp=x --wrap=true
$ sbatch --test-only --time= --wrap=true
$ sbatch --test-only --time=1x --wrap=true
$ sbatch --test-only --time=1:2:3:4 --wrap=true
$ sbatch --test-only --time-min=x --wrap=true
$ sbatch --test-only --begin=x --wrap=true
$ sbatch --test-only --deadline=x --wrap=true
$ sbatch --test-only --deadline=now+1hour --begin=now+2hour --wrap=true
$ sbatch --test-only --delay-boot=x --wrap=true
$ sbatch --test-only --distribution=x --wrap=true
$ sbatch --test-only --distribution=plane --wrap=true
$ sbatch --test-only --distribution=block:x --wrap=true
$ sbatch --test-only --exclusive=x --wrap=true
$ sbatch --test-only --extra-node-info=x --wrap=true
$ sbatch --test-only --get-user-env=x --wrap=true
$ sbatch --test-only --gpu-bind=x --wrap=true
$ sbatch --test-only --gres-flags=x --wrap=true
$ sbatch --test-only --hint=x --wrap=true
$ sbatch --test-only --kill-on-invalid-dep=x --wrap=true
$ sbatch --test-only --mail-type=x --wrap=true
$ sbatch --test-only --mem-bind=x --wrap=true
$ sbatch --test-only --nice=99999999999 --wrap=true
$ sbatch --test-only --no-kill=x --wrap=true
$ sbatch --test-only --nodefile=/nosuch --wrap=true
$ sbatch --test-only --nodelist=/nosuch --wrap=true
$ sbatch --test-only --ntasks-per-core=x --wrap=true
$ sbatch --test-only --ntasks-per-gpu=x --wrap=true
$ sbatch --test-only --ntasks-per-gpu=2 --gpus-per-task=1 --wrap=true
$ sbatch --test-only --ntasks-per-node=0 --wrap=true
$ sbatch --test-only --ntasks-per-node=x --wrap=true
$ sbatch --test-only --ntasks-per-socket=x --wrap=true
$ sbatch --test-only --open-mode=x --wrap=true
$ sbatch --test-only --priority=-1 --wrap=true
$ sbatch --test-only --profile=x --wrap=true
$ sbatch --test-only --propagate=x --wrap=true
$ sbatch --test-only --signal=x --wrap=true
$ sbatch --test-only --signal=USR1@x --wrap=true
$ sbatch --test-only --signal=USR1@70000 --wrap=true
$ sbatch --test-only --sockets-per-node=x --wrap=true
$ sbatch --test-only --switches=x --wrap=true
$ sbatch --test-only --thread-spec=x --wrap=true
$ sbatch --test-only --core-spec=x --wrap=true
$ sbatch --test-only --thread-spec=1 --core-spec=1 --wrap=true
$ sbatch --test-only --threads-per-core=x --wrap=true
$ sbatch --test-only --wait-all-nodes=x --wrap=true
$ sbatch --test-only --wait-all-nodes=2 --wrap=true
$ sbatch --test-only --acctg-freq=x --wrap=true
$ sbatch --test-only --acctg-freq=task=x --wrap=true
$ sbatch --test-only --verbose --quiet --wrap=true
$ sbatch --test-only --cores-per-socket=0 --wrap=true
$ sbatch --test-only --threads-per-core=0 --wrap=true
$ sbatch --test-only --ntasks-per-tres=x --wrap=true
$ sbatch --test-only -W umask=3 --wrap=true
$ sbatch --gid=users --test-only --wrap=true
$ sbatch --uid=bob --test-only --wrap=true
$ sbatch --hint=help --wrap=true
$ sbatch --mem-bind=help --wrap=true
$ sbatch --export-file=/nosuch --wrap=true
$ sbatch --gres=help --wrap=true
$ sbatch -Y
$ sbatch --time
$ sbatch -t
$ sbatch --hold=3
$ sbatch --nod
$ sbatch --wrap=true foo
$ sbatch --wrap
$ sbatch /nosuch
$ sbatch --test-only true
$ SLURM_EXIT_ERROR=77 sbatch -t x --wrap=true
$ SLURM_EXIT_ERROR=77 sbatch -p nosuch --wrap=true
$ SLURM_EXIT_ERROR=77 sbatch /nosuch
$ SLURM_EXIT_ERROR=0 sbatch /nosuch
$ sbatch --clusters=x --test-only --wrap=true
$ SBATCH_TIMELIMIT=x sbatch --test-only --wrap=true
$ SBATCH_MEM_PER_NODE=x sbatch --test-only --wrap=true
$ SBATCH_CPUS_PER_GPU=x sbatch --test-only --wrap=true
$ SBATCH_EXCLUSIVE=x sbatch --test-only --wrap=true
$ SBATCH_DISTRIBUTION=x sbatch --test-only --wrap=true
$ SBATCH_GET_USER_ENV=x sbatch --test-only --wrap=true
$ SBATCH_HINT=x sbatch --test-only --wrap=true
$ SBATCH_MEM_BIND=x sbatch --test-only --wrap=true
$ SBATCH_NO_KILL=x sbatch --test-only --wrap=true
$ SBATCH_OPEN_MODE=x sbatch --test-only --wrap=true
$ SBATCH_SIGNAL=x sbatch --test-only --wrap=true
$ SBATCH_PROFILE=x sbatch --test-only --wrap=true
$ SBATCH_DELAY_BOOT=x sbatch --test-only --wrap=true
$ SBATCH_GRES_FLAGS=x sbatch --test-only --wrap=true
$ SBATCH_CORE_SPEC=x sbatch --test-only --wrap=true
$ SBATCH_THREADS_PER_CORE=x sbatch --test-only --wrap=true
$ SBATCH_REQ_SWITCH=x sbatch --test-only --wrap=true
$ SBATCH_WAIT_ALL_NODES=x sbatch --test-only --wrap=true
$ SBATCH_GPU_BIND=x sbatch --test-only --wrap=true
$ SBATCH_ACCTG_FREQ=x sbatch --test-only --wrap=true
$ SBATCH_MEM_PER_NODE=1G SBATCH_MEM_PER_CPU=1G sbatch --test-only --wrap=true
$ salloc --ntasks=x true
$ salloc -t x true
$ salloc --immediate=x true
$ salloc --kill-command=x true
$ salloc --test-only true
$ salloc --uid=bob true
$ salloc --chdir=/nosuch true
$ salloc --container=/x true
$ SALLOC_TIMELIMIT=x salloc true
$ SALLOC_KILL_CMD=x salloc true
$ srun --ntasks=x true
$ srun -t x true
$ srun --immediate=x true
$ srun --jobid=x true
$ srun --kill-on-bad-exit=x true
$ srun --relative=x true
$ srun --wait=x true
$ srun
$ srun --mail-type=x true
$ srun --array=1 true
$ SLURM_NTASKS=x srun true
$ SLURM_TIMELIMIT=x srun true
$ SLURM_WAIT=x srun true
# SBATCH_DEBUG says how much, other flags whether
$ SBATCH_DEBUG=2 SBATCH_OVERCOMMIT=2 sbatch --test-only --wrap true 2>&1 | grep -E 'verbose|overcommit'

# Less usual values.
$ q() { sbatch -H --parsable -o /dev/null "$@" --wrap=true >id 2>err; c=$?; cat err; [ $c = 0 ] && { scontrol show job $(cat id) | grep -E 'Switches|Mail|Array|TRES|MinCPU|Nice|WCKey|Dependency'; scancel $(cat id); }; echo "code $c"; }
$ for o in --prefer=x --switches=1@10 --switches=1@1:00:00 --switches=2 --switches=1@2 --nice=x --nice=5x --wckey=abc '-n5 -N2 --ntasks-per-node=4 --overcommit' '--mail-type=TIME_LIMIT_80,ARRAY_TASKS' '--gpus=2 --mem-per-gpu=1G -c1'; do q $o 2>&1 | grep -v MinMemory; done
$ J=$(sbatch --parsable -H -o /dev/null --wckey=abc --wrap true); squeue -h -j $J -o %w; for x in "afterok:$J?afternotok:$J,afterany:$J" "afterok:$J,afterany:$J?singleton"; do K=$(sbatch -d "$x" --parsable -H -o /dev/null --wrap true); squeue -h -o %E -j $K; done; scancel -u alice
$ for x in 1-3%x 1-3%-1 %2 1-3%%2 1-3%2,5 1-3% '1-3%2x'; do A=$(sbatch --parsable -H -a "$x" --wrap=true); squeue -h -j $A -o %K; scancel $A; done
$ for l in -Q -v '-v -Q' '-n2 -J "" -N2' '-n2 "" -N2'; do printf '#!/bin/sh\n#SBATCH %s\n' "$l" >s; J=$(sbatch -H --parsable s) && squeue -h -j $J -o '%j %D %C'; [ "$J" ] && scancel $J; done
$ srun --compress=x true; echo $?
