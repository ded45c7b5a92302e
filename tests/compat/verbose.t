# What -v tells; what a real Slurm says of its plugins has no counterpart.
$ quiet() { grep -vE 'select|route/default'; }
$ srun -v true 2>&1 | quiet
$ srun -v -n3 true 2>&1 | quiet
$ srun -v false 2>&1 | quiet
$ srun -v -n2 -c2 true 2>&1 | quiet
$ srun -v -c2 --exact true 2>&1 | quiet
$ srun -v -N2 --ntasks-per-node=2 true 2>&1 | grep -v _task | quiet
$ srun -v -w node2 true 2>&1 | quiet
# Options as they were understood.
$ echo '#!/bin/sh' >s.sh
$ v() { sbatch -H -v -o /dev/null "$@" s.sh 2>&1 | grep ' : '; scancel -u alice; }
$ for a in -N-3 -N2 -N1-1 -N2-4 --mem=100 --mem=1G --mem=1500K --mem-per-cpu=1G --tmp=1G --exclusive --exclusive=user -s --nice --nice=5; do v $a; done
$ for a in '-i none' '-e none' --gres=gpu:1 --gres=gpu:1,gpu:2 '-D /tmp' --no-requeue --requeue -k --no-kill=off --open-mode=append --propagate; do v $a; done
$ for a in -i -o -e; do srun -v $a none true 2>&1 | grep ' : '; done
$ srun -v -K -I true 2>&1 | grep ' : '
$ srun -v --jobid=1 -J x true 2>&1 | grep ' : '
# A script is looked for in the folder of --chdir, then here.
$ mkdir sub; printf '#!/bin/sh\n# in sub\n' >sub/s2.sh; printf '#!/bin/sh\n# here\n' >s2.sh
$ for a in s.sh ./s.sh s2.sh sub/s2.sh; do J=$(sbatch -H --parsable -D sub $a); scontrol show job $J | grep -E 'Command|WorkDir'; scontrol write batch_script $J - | head -2; scancel $J; done
$ sbatch -H -D sub nosuch.sh
# Counts of GPUs that contradict each other.
$ for a in '-G1 --gres=gpu:2' '-G1 --gpus-per-node=2' '-G3 --gpus-per-node=2' '-G2 --gpus-per-node=1 --gpus-per-socket=2' '-G1 --gpus-per-task=2' '-G3 --gpus-per-task=2' '--gpus-per-node=1 --gpus-per-task=2'; do srun $a true; done
