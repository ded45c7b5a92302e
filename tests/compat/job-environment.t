# What a job finds in its environment, and how sbatch -W ends.
$ sbatch -Q -o o1 --export="NEW='a,b',Z=3" --wrap='echo $NEW $Z'
$ sbatch -Q -o o2 -n 2 --wrap='env | grep -E "SLURM_.*(NPROCS|NTASKS)" | sort'
$ sbatch -Q -o o3 -c 2 --wrap='env | grep -E "SLURM_.*(CPUS_PER_TASK)" | sort'
$ sbatch -Q -o o4 --ntasks-per-node=2 --wrap='env | grep -E "SLURM_.*(NPROCS|NTASKS)" | sort'
$ sbatch -Q -o o5 --ntasks-per-core=1 --wrap='env | grep -E "SLURM_.*(NTASKS)" | sort'
$ sbatch -Q -o o6 --threads-per-core=1 --wrap='env | grep -E "SLURM_.*(THREADS)" | sort'
$ sbatch -Q -o o7 --hint=nomultithread --wrap='env | grep -E "SLURM_.*(HINT|THREADS)" | sort'
$ sbatch -Q -o o8 --distribution=cyclic --wrap='env | grep -E "SLURM_.*(DIST)" | sort'
$ sbatch -Q -o o9 --distribution=plane=2 -n 2 --wrap='env | grep -E "SLURM_.*(DIST)" | sort'
$ sbatch -Q -o o10 --distribution=block:block:cyclic,Pack --wrap='env | grep -E "SLURM_.*(DIST)" | sort'
$ sbatch -Q -o o11 --mem-bind=verbose,local --wrap='env | grep -E "SLURM_.*(MEM_BIND)" | sort'
$ sbatch -Q -o o12 --overcommit -n 3 --wrap='env | grep -E "SLURM_.*(OVERC|NTASKS|TASKS)" | sort'
$ sbatch -Q -o o13 --open-mode=append --wrap='env | grep -E "SLURM_.*(OPEN_MODE)" | sort'
$ sbatch -Q -o o14 --gpus=1 --wrap='env | grep -E "SLURM_GPUS" | sort'
$ sbatch -Q -o o15 --gpus-per-node=1 --wrap='env | grep -E "SLURM_GPUS" | sort'
$ sbatch -Q -o o16 --gpus-per-task=1 -n 1 --wrap='env | grep -E "SLURM_GPUS" | sort'
$ sbatch -Q -o o17 --gpu-bind=closest --gpus=1 --wrap='env | grep -E "SLURM_.*(GPU_BIND)" | sort'
$ sbatch -Q -o o18 --cpus-per-gpu=1 --gpus=1 --wrap='env | grep -E "SLURM_.*(CPUS_PER_GPU)" | sort'
$ sbatch -Q -o o19 --mem-per-gpu=2G --gpus=1 --wrap='env | grep -E "SLURM_.*(MEM_PER)" | sort'
$ sbatch -Q -o o20 --mem-per-cpu=100 --wrap='env | grep -E "SLURM_.*(MEM_PER)" | sort'
$ sbatch -Q -o o21 --mem=100 --wrap='env | grep -E "SLURM_.*(MEM_PER)" | sort'
$ sbatch -Q -o o22 --dependency=singleton --wrap='env | grep -E "SLURM_.*(DEPEND)" | sort'
$ sbatch -Q -o o23 -B 1:1:1 --wrap='env | grep -E "SLURM_.*(NTASKS|THREADS)" | sort'
$ sbatch -Q -o o24 -N1 --threads-per-core=1 --wrap='env | grep -E "SLURM_.*(NTASKS)" | sort'
$ sbatch -Q -o o25 --get-user-env --wrap='env | grep -E "SLURM_.*(GET_USER)" | sort'
$ sbatch -Q -o o26-%a --array=3-5:2 --wrap='env | grep -E "SLURM_ARRAY_TASK_(MAX|MIN|STEP|COUNT)" | sort'
$ FOO=1 SLURM_FOO=2 sbatch -Q -o o101 --export=NONE --wrap='echo ${FOO-none} $SLURM_FOO $USER $SLURM_EXPORT_ENV $SLURM_GET_USER_ENV'
$ FOO=1 SLURM_FOO=2 sbatch -Q -o o102 --export=ALL --wrap='echo $FOO $SLURM_FOO ${SLURM_EXPORT_ENV-unset}'
$ FOO=1 BAR=2 sbatch -Q -o o103 --export=FOO --wrap='echo $FOO ${BAR-none} $SLURM_EXPORT_ENV'
$ FOO=1 BAR=2 sbatch -Q -o o104 --export=ALL,FOO=3,NEW=4 --wrap='echo $FOO $BAR $NEW $SLURM_EXPORT_ENV'
$ (ulimit -n 500; sbatch -Q -o o105 --wrap='ulimit -Sn')
$ (umask 077; sbatch -Q -o o106 --wrap='umask; touch f; stat -c %a f o106; rm f')
$ wait_for '[ -z "$(squeue -h)" ]'; sleep 0.5
$ cat o1
$ cat o2
$ cat o3
$ cat o4
$ cat o5
$ cat o6
$ cat o7
$ cat o8
$ cat o9
$ cat o10
$ cat o11
$ cat o12
$ cat o13
$ cat o14
$ cat o15
$ cat o16
$ cat o17
$ cat o18
$ cat o19
$ cat o20
$ cat o21
$ cat o22
$ cat o23
$ cat o24
$ cat o25
$ cat o26-3 o26-5
$ cat o101
$ cat o102
$ cat o103
$ cat o104
$ cat o105
$ cat o106
$ printf 'EFA=1\0EFB=two words\0' >ef; rm -f o; FOO=1 sbatch -Q -W -o o --export-file=ef --wrap='echo $EFA $EFB ${FOO-none}'; cat o ef | tr '\0' '\n' | head -1; rm -f ef
$ sbatch -W -o /dev/null -Q --wrap='exit 3'
$ sbatch -W -o /dev/null -Q --wrap='kill -9 $$'
$ sbatch -W -o /dev/null -Q --array=1-3 --wrap='exit $SLURM_ARRAY_TASK_ID'
$ printf '#!/bin/sh\necho $# "$1" "$2"' >my.sh; rm -f o; sbatch -Q -W -o o my.sh x 'y z'; cat o; rm my.sh
$ printf '#!/bin/sh\necho hi $SLURM_JOB_NAME\n' | sbatch -Q -W -o o; cat o; rm -f o
$ sbatch -Q -W -J whole -n 2 -o o --wrap='env | grep -E "^SLURM" | sort; srun -n 1 bash -c "env | grep -E ^SLURM | sort"'; grep -vE '(_PID|_HOST|_PORT|IPADDR|CONF|TOPOLOGY\w*|WORKING_CLUSTER|UMASK|SLURM_TMPDIR|_QOS|_ACCOUNT|SUBMIT_DIR|PACK_GROUP_0)=' o
$ sbatch -Q -W -N 2 --gpus-per-node=2 --mem=1G -o o --wrap='env | grep -E "^SLURM|^CUDA|^GPU" | sort; srun bash -c "env | grep -E ^SLURM" | sort -u'; grep -vE '(_PID|_HOST|_PORT|IPADDR|CONF|TOPOLOGY\w*|WORKING_CLUSTER|UMASK|SLURM_TMPDIR|_QOS|_ACCOUNT|SUBMIT_DIR|PACK_GROUP_0|NODENAME)=' o
