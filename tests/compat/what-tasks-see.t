# What tasks find around them: their program, folder for temporary files, name, GPUs, and what srun has decided.
$ f() { grep -E '^(SLURM_(CPU_BIND|DISTR|MEM_|JOB_NAME|HINT|OPEN_MODE|ACCTG|PROFILE|MPI_TYPE|NNODES|GPUS|STEP_GPUS)|CUDA_V|GPU_DEV|ROCR|TMPDIR)' | sort; }
$ s() { echo "$@"; srun -Q "$@" env | f; }
$ l() { salloc -Q "$@" env | f; }
$ srun sh -c 'echo $0'; srun ls /nosuch 2>&1 | grep cannot; echo '0 ls /nosuch' >mp; srun -n1 --multi-prog mp 2>&1 | grep cannot; srun bash -c nosuchcmd 2>&1 | grep bash
# A folder for temporary files is there.
$ (unset TMPDIR; srun printenv TMPDIR; srun --export=NONE /usr/bin/printenv TMPDIR)
$ TMPDIR=/nosuch/x srun printenv TMPDIR; TMPDIR=$PWD/newtmp srun sh -c 'ls -d $TMPDIR'; TMPDIR= srun printenv TMPDIR
$ TMPDIR=/nosuch/x sbatch -W -Q -o o --wrap='echo $TMPDIR'; cat o; TMPDIR=$PWD/newtmp2 sbatch -W -Q -o o --wrap='ls -d $TMPDIR'; cat o
# -J of a step is the name that its tasks read; files are named after the job.
$ sbatch -Q -W -J jn -o o --wrap='srun -Q -o %x.out true; srun -Q -J st -o %x.out2 sh -c "echo \$SLURM_JOB_NAME"; SLURM_JOB_NAME=zz srun -Q printenv SLURM_JOB_NAME'; ls *.out*; cat o jn.out2
# Who has no GPU sees none, and a step has what the job has asked for, not all of a whole node.
$ CUDA_VISIBLE_DEVICES=7 srun env | f; CUDA_VISIBLE_DEVICES=7 sbatch -W -Q -o o --wrap='env; srun env'; f <o
$ sbatch -W -Q -o o --gres=gpu:2 --wrap='srun --gres=none env'; f <o
$ sbatch -W -Q -o o --exclusive --wrap='echo $CUDA_VISIBLE_DEVICES; srun env; srun --gres=gpu:2 env'; f <o
$ salloc -Q --exclusive --gres=gpu:2 srun env | f
$ srun -n1 --gres=gpu:2,gpu:1 sh -c 'echo $CUDA_VISIBLE_DEVICES; scontrol show job $SLURM_JOB_ID | grep TRES='
# How tasks are bound where their layout was asked for, and how they are spread where memory was.
$ for o in '-B 1' '-B 1:2' '-B 1:1:1' --cores-per-socket=2 --threads-per-core=1 --ntasks-per-socket=1 --ntasks-per-core=1 '--ntasks-per-socket=2 --ntasks-per-core=1' --hint=multithread --hint=compute_bound --hint=nomultithread; do s $o 2>/dev/null; done
$ for o in '-B 1:2' '-B 1:2:1' '-B 1:4 -N1' '-N1 --cores-per-socket=2' '-N2 --cores-per-socket=2 --threads-per-core=1'; do srun $o printenv SLURM_NTASKS 2>/dev/null | sort | uniq -c; done
$ for o in --mem=100 --mem-per-cpu=100 '-N2 -n4 --mem=100' -c2 --mem=0; do srun $o printenv SLURM_DISTRIBUTION 2>/dev/null | sort -u; done
$ for m in pmi2 pmix none; do s --mpi=$m; done; srun --mpi= true 2>/dev/null; echo $?
# Binding of memory, in Slurm's words.
$ for v in local none q,local v,none quiet v nosort,local; do s --mem-bind=$v; l --mem-bind=$v; done
$ s --open-mode=append; s --acctg-freq=20; l --acctg-freq=20; l --profile=none; l --mem=0; l --hint=compute_bound
# Steps within what the job has.
$ salloc -Q -N2 -n2 sh -c 'for o in "-N1-2 -n1" "-N1-2" "-N1-2 -n2"; do srun -Q $o printenv SLURM_NNODES | sort -u; done'
$ salloc -Q -n2 --mem=100 sh -c 'for o in --mem=101 --mem=100 --mem-per-cpu=60 --mem-per-cpu=50; do echo $o; srun -Q $o true 2>&1 | sed "s/[0-9][0-9]*:/N:/"; done'
