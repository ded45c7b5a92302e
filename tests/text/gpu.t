# GPUs are allocated by index and named in the environment.
$ sbatch --gres=gpu:2 -o gpu.out --wrap='env | grep -E "CUDA|GPU|ROCR" | sort; until [ -e go ]; do sleep 0.1; done'
Submitted batch job 1
$ wait_for '[ -s gpu.out ]'
$ scontrol -d show job 1 | grep -E "TRES=|IDX|TresPer"
   TRES=cpu=1,mem=512M,node=1,billing=1,gres/gpu=2
     Nodes=node1 CPU_IDs=0 Mem=512 GRES=gpu:2(IDX:0-1)
   TresPerNode=gres:gpu:2
$ scontrol -d show node node1 | grep -i -E "gres|tres"
   Gres=gpu:4
   GresDrain=N/A
   GresUsed=gpu:2
   CfgTRES=cpu=8,mem=32000M,billing=8,gres/gpu=4
   AllocTRES=cpu=1,mem=512M,gres/gpu=2
$ touch go; wait_end 1
$ cat gpu.out
CUDA_VISIBLE_DEVICES=0,1
GPU_DEVICE_ORDINAL=0,1
ROCR_VISIBLE_DEVICES=0,1
SLURM_GPUS_ON_NODE=2
SLURM_JOB_GPUS=0,1

# Each task sees the GPUs that are its own.
$ printf '#!/bin/bash\necho $SLURM_PROCID $CUDA_VISIBLE_DEVICES $ZE_AFFINITY_MASK step=$SLURM_STEP_GPUS node=$SLURM_GPUS_ON_NODE\n' >show; chmod +x show
$ srun -N1 -n2 --gpus-per-task=2 ./show | sort
0 0,1 0,1 step=0,1 node=4
1 2,3 2,3 step=2,3 node=4
$ srun -N1 -n4 --gres=gpu:2 --gpu-bind=single:2 ./show | sort
0 0 0 step=0 node=2
1 0 0 step=0 node=2
2 1 1 step=1 node=2
3 1 1 step=1 node=2
$ srun -N1 -n2 --gres=gpu:4 --gpu-bind=map_gpu:3,1 ./show | sort
0 3 3 step=3 node=4
1 1 1 step=1 node=4
$ srun -N1 -n2 --gres=gpu:4 --gpu-bind=mask_gpu:0x3,0xc ./show | sort
0 0,1 0,1 step=0,1 node=4
1 2,3 2,3 step=2,3 node=4
$ srun -N1 -n2 --gres=gpu:4 --gpu-bind=none ./show | sort
0 step= node=4
1 step= node=4
$ srun -N1 -n2 --gres=gpu:1 --gpu-bind=map_gpu:3 ./show 2>&1 | sort
0 0 0 step=0 node=1
1 0 0 step=0 node=1
slurmstepd: error: Bind request gpu:map_gpu:3 does not specify any devices within the allocation for task 0. Binding to the first device in the allocation instead.
slurmstepd: error: Bind request gpu:map_gpu:3 does not specify any devices within the allocation for task 1. Binding to the first device in the allocation instead.
$ srun -N1 -n1 --gres=gpu:2 --gpu-bind=map_gpu:1 ./show
0 0,1 0,1 step=0,1 node=2
$ srun --gres=gpu:1 --gpu-bind=v,single:1 true
! srun: error: Invalid --gpu-bind argument: gpu:v,single:1
? 255

# The pretended CPUs of this test can't be bound to.
$ srun --cpu-bind=map_cpu:0 env | grep -E '^SLURM_CPU_BIND=' 
SLURM_CPU_BIND=quiet,map_cpu:0
! srun: cluster configuration lacks support for cpu binding
