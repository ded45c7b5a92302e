# Tasks are bound to the CPUs of their step, and told so, as with Slurm's task/affinity.
machine: real
$ test $(nproc) -ge 2 || echo "needs two CPUs"
$ printf '#!/bin/bash\nsleep 0.$SLURM_PROCID; echo $SLURM_PROCID $SLURM_CPU_BIND_VERBOSE $SLURM_CPU_BIND_TYPE $(taskset -p $$ | sed "s/.* //")\n' >show; chmod +x show
$ srun -Q ./show
0 quiet mask_cpu: 1
$ srun -Q -n2 ./show | sort
0 quiet mask_cpu: 1
1 quiet mask_cpu: 2
$ srun -Q -n2 --cpu-bind=rank ./show | sort
0 quiet rank 1
1 quiet rank 2
$ srun -Q -n2 --cpu-bind=map_cpu:1,0 ./show | sort
0 quiet map_cpu: 2
1 quiet map_cpu: 1
$ srun -Q -n2 --cpu-bind=mask_cpu:0x3,0x2 ./show | sort
0 quiet mask_cpu: 3
1 quiet mask_cpu: 2
$ srun -Q -n2 --cpu-bind=v,map_cpu:0,1 true 2>&1 | sort
~ cpu-bind=MAP  - \w+, task  0  0 \[\d+\]: mask 0x1 set
~ cpu-bind=MAP  - \w+, task  1  1 \[\d+\]: mask 0x2 set
$ salloc -Q -n2 srun -n1 ./show
0 quiet mask_cpu: 3
$ salloc -Q -n2 srun -n1 --cpu-bind=cores ./show
0 quiet mask_cpu: 1
$ srun -Q -n1 --cpu-bind=none ./show
0 quiet mask_cpu: 1
$ wait_for '[ -z "$(squeue -h)" ]'; srun -n2 --cpu-bind=map_cpu:999 true
~ ! srun: error: CPU binding outside of job step allocation, allocated CPUs are: 0x[0-9A-F]+\.
~ ! srun: error: Task launch for StepId=\d+\.0 failed on node \w+: Unable to satisfy cpu bind request
! srun: error: Application launch failed: Unable to satisfy cpu bind request
! srun: Job step aborted
? 192
$ srun --cpu-bind=mask_cpu:z true
! srun: error: Failed to validate number: z, the offending character is z
? 1
$ srun --cpu-bind=ldoms true
! srun: error: --cpu-bind=ldoms is not supported: the service does not know the machine's memory domains
? 1
$ sbatch --wait -o batch.out --wrap='taskset -p $$ | sed "s/.* //"' >/dev/null; cat batch.out
1
