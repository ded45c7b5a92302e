# What a step finds of its own size, and what --preserve-env leaves of the allocation's.
$ sizes() { grep -E '^SLURM_(NNODES|NTASKS|NPROCS|TASKS_PER_NODE|JOB_NUM_NODES|STEP_NUM_NODES|JOB_CPUS_PER_NODE_PACK_GROUP_0)=' | sort -u; }
$ salloc -Q -N2 -n4 bash -c 'srun -N1 -n1 env' | sizes
$ salloc -Q -N2 -n4 bash -c 'srun -N1 -n1 -E env' | sizes
$ srun -N2 -n3 --preserve-env env | sizes
$ srun env | grep -cE '^SLURM_(SRUN_COMM|STEP_LAUNCHER)_PORT=[1-9]'

# -c without -n: as many tasks as the job has room for.
$ srun -N1 -c1 --exclusive hostname | wc -l
$ srun -N2 -c4 --exclusive hostname | wc -l
$ srun -N2 -c4 hostname | wc -l
$ srun -N1 -c4 -O --exclusive hostname | wc -l
$ salloc -Q -N2 --exclusive srun -c3 hostname | wc -l
$ salloc -Q -N2 --exclusive srun -N1 -c2 hostname 2>&1 | sed 's/[0-9][0-9]*/N/'
$ salloc -Q -n6 srun -c1 hostname | wc -l
$ SRUN_CPUS_PER_TASK=2 srun -N1 --exclusive hostname | wc -l

# A node that is asked for does not change the order of the job's nodes.
$ salloc -Q -N3 -n3 srun -l -w node3 -O printenv SLURMD_NODENAME | sort

# No devices, of a kind that there is not.
$ srun --gres=craynetwork:0 -n2 --overlap srun -l -n2 --overlap echo x 2>&1 | sort | uniq -c

# How tasks are laid out, spelt out.
$ for m in '*' '*:*' '*:*:*' '*:block:*' pack nopack '*,pack' 'block:*' cyclic:*:block Block:Cyclic ,pack; do echo "$m $(srun -n1 -m "$m" env 2>&1 | grep -E 'DISTRIB|Invalid')"; done

$ for m in block pack nopack block,pack cyclic,pack; do echo "$m $(srun -N2 -n4 --exclusive -Q -l -m $m printenv SLURM_NODEID | sort -n | cut -d' ' -f2 | tr '\n' ' ')"; done
$ srun -N3 -n12 --exclusive -Q -m pack printenv SLURM_NODEID | sort | uniq -c

# --ntasks-per-gpu with GPUs counts tasks, with tasks GPUs.
$ for a in '-N1 --gpus=2' '-N1 --gpus-per-node=2' '-N1 --gres=gpu:2' '-N1 -n4' -n3 '-n4 --gres=gpu:4'; do echo "$a"; srun $a --ntasks-per-gpu=2 printenv CUDA_VISIBLE_DEVICES 2>&1 | sort | uniq -c | sed -E 's/ [0-9]$/ gpu/'; done

# Memory can't be watched more rarely than the site says.
$ srun --acctg-freq=40 true
$ sbatch --acctg-freq=task=0 --wrap=true
$ sbatch --parsable --acctg-freq=energy=90,task=20 -H --wrap=true >id && scancel $(cat id)
$ srun --acctg-freq=30 true

# The least time must fit.
$ sbatch --time-min=61 --wrap=true
$ sbatch -t 8-0 --time-min=7-1 --wrap=true
$ sbatch --deadline=now+600 --time-min=11 --wrap=true
$ sbatch -b now+5 --deadline=now+600 --time-min=11 --wrap=true
$ sbatch -t 30 --time-min=40 --wrap=true
$ J=$(sbatch --parsable --deadline=now+600 --wrap=true); wait_end $J; scontrol show job $J | grep -oE 'JobState=\S+ Reason=\S+|ExitCode=\S+'
$ J=$(sbatch --parsable -H --deadline=now+600 --wrap=true); sleep 2; squeue -h -j $J -o '%T %r'; scancel $J

# Where a batch script finds room for its files, and on which node it thinks it is.
$ (unset TMPDIR; sbatch -W -Q -o where.out --wrap='echo $TMPDIR $HOSTNAME'); cat where.out
$ TMPDIR=/var/tmp HOSTNAME=here sbatch -W -Q -o where.out --wrap='echo $TMPDIR $HOSTNAME'; cat where.out
$ sbatch -W -Q -o where.out --export=NONE --wrap='echo $TMPDIR $HOSTNAME'; cat where.out

# A hint gives way to what it stands for, but not to what the environment says.
$ for c in 'SLURM_HINT=nomultithread sbatch -v -H --threads-per-core=1 --wrap=true' 'SLURM_HINT=nomultithread SLURM_THREADS_PER_CORE=1 srun -v true' 'sbatch -v -H --hint=nomultithread --ntasks-per-core=1 --wrap=true'; do eval "$c" 2>&1 | grep -E 'mutually'; done; scancel -u alice
