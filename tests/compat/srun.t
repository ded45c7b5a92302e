# srun as scripts and schedulers of schedulers use it.
$ srun hostname
$ srun -n 4 -l bash -c 'echo $SLURM_PROCID $SLURM_LOCALID $SLURM_NTASKS' | sort
$ srun -N 2 -n 4 -l bash -c 'echo $SLURM_NODEID $SLURM_TASKS_PER_NODE $SLURM_STEP_NUM_TASKS' | sort
$ srun false
$ srun -n 2 bash -c 'exit $SLURM_PROCID'
$ srun bash -c 'kill -9 $$'
$ srun -n 2 -K bash -c '[ $SLURM_PROCID = 0 ] && exit 5; sleep 20' 2>&1 | sed -E 's/StepId=[0-9]+/StepId=N/; s/: node[0-9]:/: node:/; s/ON \w+ CANCELLED AT .* \*/CANCELLED */'; echo ${PIPESTATUS[0]}
$ srun /nosuch/program 2>&1 | sort; echo ${PIPESTATUS[0]}
$ srun -p nosuch true
$ srun -n 99 -I true
$ srun -w nosuch true
$ srun -t 0:02 -Q true
$ srun -o s-%j-%t.out -n 2 bash -c 'echo $SLURM_PROCID'; cat s-*.out; rm s-*
$ srun -o none -e /dev/null echo x
$ echo hello | srun cat
$ srun -i none cat
$ printf '0 echo zero\n1-2 echo task:%%t:%%o\n' >mp; srun -n 3 -l --multi-prog mp | sort
$ srun --pty -Q tty </dev/null 2>&1 | head -1
$ salloc -Q -n 3 bash -c 'srun -n 3 -l hostname; srun -n 1 -N 1 --exact echo one; srun -n 5 true 2>&1 | tail -1'
$ salloc -Q -n 2 -N 2 bash -c 'srun bash -c "echo \$SLURMD_NODENAME" | sort; srun -N 1 -n 1 -w node2 bash -c "echo \$SLURMD_NODENAME"; srun -w node9 true'
$ salloc -Q -n 2 bash -c 'srun -n 1 --gres=gpu:1 true'
$ salloc -Q --gpus=2 bash -c 'srun env | grep -E "CUDA_VISIBLE|SLURM_(STEP|JOB)_GPUS|GPU_DEVICE" | sort; srun --gpus=1 env | grep -E "CUDA_VISIBLE|SLURM_(STEP|JOB)_GPUS|GPU_DEVICE" | sort'
$ srun --jobid=999999 true
$ J=$(salloc --no-shell -n 2 2>&1 | grep -o 'allocation [0-9]*' | tr -dc 0-9); srun --jobid=$J bash -c 'echo $SLURM_STEP_ID $SLURM_NTASKS'; scancel $J
$ SLURM_NTASKS=3 srun -l echo x | sort
$ srun -n 2 env | grep -E '^SLURM_' | grep -vE '(_PID|_HOST|_PORT|IPADDR|CONF|_ID|JOBID|STEPID|PROCID|LOCALID|GTIDS|SUBMIT_DIR|UMASK)=' | sort -u
$ srun --export=NONE /usr/bin/env | grep -cE '^HOME='
$ FOO=1 srun --export=FOO /usr/bin/env | grep -E '^(FOO|LANG)='
$ srun --mpi=list
$ srun --nosuch true
$ srun
$ srun -n 0 true
$ srun -c 99 --test-only true
$ srun --mem=999G true
$ srun -D /nosuch pwd
$ srun --chdir=/tmp pwd
$ srun -u echo unbuffered
$ signal_when INT '[ -e started ]' srun bash -c 'touch started; sleep 1.5' 2>&1 | sed -E 's/[0-9]+/N/g' | grep -v resources; echo ${PIPESTATUS[0]}
$ (wait_for '[ -e started2 ]'; sleep 0.3; kill -INT $(cat .pid); sleep 0.3; kill -INT $(cat .pid)) & sh -c 'echo $$ >.pid; exec srun bash -c "touch started2; sleep 30"' 2>&1 | sed -E 's/slurmstepd-node[0-9]/slurmstepd/; s/[0-9]+/N/g; s/STEP .* CANCELLED AT .*/CANCELLED/; s/: node[0-9]*:/: node:/' | grep -vE 'resources|CANCELLED'; echo ${PIPESTATUS[0]}
$ signal_when TERM '[ -e started3 ]' srun bash -c 'touch started3; sleep 30' 2>&1 | sed -E 's/slurmstepd-node[0-9]/slurmstepd/; s/[0-9]+/N/g; s/STEP .* CANCELLED AT .*/CANCELLED/; s/: nodeN*:/: node:/' | grep -v resources; echo ${PIPESTATUS[0]}
$ srun -n 1 env | grep -E 'DIST'; salloc -Q -n 2 bash -c 'srun -n 1 env | grep DIST; srun -n 2 env | grep DIST'
# Who attaches late is shown what was printed before.
$ rm -f go; srun -J seen -n2 bash -c 'echo early $SLURM_PROCID; until [ -e go ]; do sleep 0.1; done; echo late' >owner & wait_for 'grep -q "early 0" owner && grep -q "early 1" owner'; sattach -l $(squeue -h -n seen -o %A).0 </dev/null >seen 2>&1 & wait_for 'grep -q "early 0" seen && grep -q "early 1" seen'; touch go; wait; sort seen
