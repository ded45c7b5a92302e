# --gpus without a number of nodes: as many nodes as it takes; GPUs of nodes, sockets and tasks that
# do not fit each other
$ t() { sbatch -J gpus -o o.%j -t1 "$@" --wrap='env | grep -E "^SLURM_(NTASKS|NNODES|TASKS_PER_NODE|JOB_CPUS_PER_NODE|JOB_GPUS|NODELIST)=" | sort' >out 2>&1 || { cat out; return; }; j=$(grep -o '[0-9]*' out); wait_end $j; cat o.$j; scontrol show job $j | grep -oE '(NumNodes|NumTasks|  TRES)=[^ ]*'; rm o.$j; }
$ t --gpus=5
$ t --gpus=8
$ t --gpus=17
$ t --gpus=5 -n1
$ t --gpus=5 -N1
$ t --gpus=8 -n4
$ t --gpus=5 --cpus-per-gpu=2
$ t --gpus=2 --cpus-per-gpu=8
$ t --gpus=3 --cpus-per-gpu=4
$ t --gpus=2 --mem-per-gpu=20000
$ t --gpus=5 -w node1
$ t --gpus=5 --exclusive
$ t --gpus=8 --gpus-per-task=2
$ t --gpus=6 --gpus-per-node=3
$ t -N1-3 --gpus=5
$ t --gpus-per-task=1 --gpus-per-node=2 -n4 -N2
$ t --gpus-per-task=1 --gpus-per-node=1 -n2 -N1
$ t --gpus-per-task=1 --gpus-per-node=2 --ntasks-per-node=1 -N1
$ t --gpus-per-task=2 --gpus-per-node=3 -N2
$ t --gres=gpu:2 --gpus-per-socket=1 --sockets-per-node=1
$ t --gres=gpu:3 --gpus-per-socket=2 --sockets-per-node=1
$ t --gpus-per-socket=3 --sockets-per-node=1 --gpus-per-task=2 -n2
# How many tasks mpirun would start where nobody has said it
$ t --exclusive
$ t -N2 --exclusive
$ t -N1-3
$ t --mincpus=3
$ t -N2 -c2
# and how many srun -c starts
$ for a in '-N1 --exclusive srun -c2' '-N2 --exclusive srun -c3' '-N1 -c4 srun -c2' '-N1 --exclusive -c4 srun' '-N2 --exclusive srun -c2 --ntasks-per-node=1'; do salloc -Q $a sh -c 'echo $SLURM_STEP_TASKS_PER_NODE $SLURM_NTASKS'; done
$ srun -Q -c4 --exclusive sh -c 'echo $SLURM_STEP_TASKS_PER_NODE $SLURM_NTASKS'
# GPUs of a step
$ s() { salloc -Q "$@" sh -c 'echo $SLURM_PROCID $SLURM_NODEID $CUDA_VISIBLE_DEVICES' 2>&1 | sort; }
$ for a in '-N2 -n2 --gpus-per-node=4 srun --gpus=5' '-N2 -n2 --gpus-per-node=4 srun --gpus=9' '-N2 -n2 --gpus-per-node=4 srun --gpus=1' '-N2 -n2 --gpus=6 srun' '-n2 --gpus-per-task=2 srun' '-n2 --gres=gpu:4 srun -n1 --gpus=2' '-n2 --gres=gpu:4 srun -n1 --gpus-per-task=3' '-n2 --gpus-per-node=4 srun -n2 --gpus-per-task=1' '-n2 --gpus-per-node=4 srun --gres=gpu:2'; do echo "$a"; s $a; wait_for '[ -z "$(squeue -h)" ]'; done
$ srun --gpus=5 sh -c 'echo $SLURM_PROCID $SLURM_NODEID $CUDA_VISIBLE_DEVICES' | sort
$ for o in '--gpus=2 --gpus-per-task=1' '--gres=gpu:2 --gpus-per-task=1 -n2' '--gpus-per-socket=1 --sockets-per-node=1 -N2'; do J="$J $(sbatch --parsable -t1 -o /dev/null $o --wrap 'sleep 4')"; done; wait_end $J
$ for j in $J; do wait_for "sacct -nX -j $j -o state | grep COMPL"; sacct -nXP -j $j -o ReqTRES,AllocTRES; done
$ for o in '-n1 --gres=gpu:2' '-N2 -n4 --gpus=4' '-n2 --gpus-per-task=1 --cpus-per-gpu=2' '-N2 --gpus-per-node=2 --mem-per-gpu=100'; do srun -Q $o scontrol show step | grep -E 'TRES|Tres' | sort -u; done
$ salloc -Q -n2 --gres=gpu:4 srun -l --gpu-bind=verbose,map_gpu:2,3 true 2>&1 | sort
$ srun --gpu-bind=map_gpu:1,x true; srun --gpu-bind=mask_gpu:0xz true
# Tasks that share GPUs: how many there are, and where
$ p() { srun -Q "$@" sh -c 'echo $SLURM_NODEID $SLURM_NTASKS $SLURM_STEP_TASKS_PER_NODE $(scontrol show job $SLURM_JOB_ID | grep -oE "NumTasks=[0-9]*|TresPer[A-Za-z:]*=.*")' 2>&1 | sort; wait_for '[ -z "$(squeue -h)" ]'; }
$ p -N2 --gres=gpu:1 --ntasks-per-gpu=2; p -N2 --gpus-per-node=2 --ntasks-per-gpu=2; p -N3 --gres=gpu:2 --ntasks-per-gpu=1; p -N2 --gpus=4 --ntasks-per-gpu=2; p -N2 --gpus=3 --ntasks-per-gpu=2
$ p -n4 --ntasks-per-gpu=2; p -N1-2 --gpus-per-node=2 --ntasks-per-gpu=2; p -N2 -n6 --gres=gpu:2 --ntasks-per-gpu=2; p --gres=gpu:2 --ntasks-per-gpu=2
$ for a in '-N2 --gres=gpu:2 --ntasks-per-gpu=2' '-N2 --gpus=4 --ntasks-per-gpu=2' '-n4 --ntasks-per-gpu=2' '-n2 --gpus-per-task=1'; do salloc -Q $a sh -c 'env | grep -E "^SLURM_(GPU|NTASKS|TASKS)" | sort; srun sh -c "echo \$SLURM_STEP_TASKS_PER_NODE"'; wait_for '[ -z "$(squeue -h)" ]'; done
# What srun tells its tasks of the GPUs that it asked for
$ for a in '-n4 --ntasks-per-gpu=2' '-n2 --gpus=2' '-n2 --gpus-per-task=1' '--gpus-per-node=1 --cpus-per-gpu=2 --mem-per-gpu=10' '--gpus-per-socket=1 --sockets-per-node=1'; do srun -Q $a env | grep -E '^SLURM.*(_GPUS|PER_GPU|PER_TRES|TRES_BIND|GPU_BIND)' | sort; wait_for '[ -z "$(squeue -h)" ]'; done
# The only task of a node is not bound
$ for b in none closest mask_gpu:1,2 map_gpu:1 per_task:1 single:1; do for n in 1 2; do echo "$b $n"; srun -Q -n$n --gpus=2 --gpu-bind=$b env | grep -E 'CUDA_VISIBLE|TRES_BIND|STEP_GPUS|GPU_BIND' | sort; wait_for '[ -z "$(squeue -h)" ]'; done; done
# Memory by GPUs
$ for o in --mem-per-gpu=100 '--mem-per-gpu=100 --gres=gpu:0'; do srun $o true; echo $?; sbatch -o /dev/null $o --wrap true; salloc $o true; done
$ for o in '--exclusive --gres=gpu:2' '--exclusive --gpus=1' '--gres=gpu:2' '--exclusive --gpus-per-task=1 -n2'; do srun -Q -N1 $o --mem-per-gpu=100 sh -c 'scontrol show job $SLURM_JOB_ID | grep -oE "( |^)*TRES=.*|MemPer.*"' | sort -u; wait_for '[ -z "$(squeue -h)" ]'; done
