# GPUs are allocated by index and named in the environment.
$ sbatch --gres=gpu:2 -o gpu.out --wrap='env | grep -E "CUDA|GPU|ROCR" | sort; sleep 1'
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
$ wait_end 1
$ cat gpu.out
CUDA_VISIBLE_DEVICES=0,1
GPU_DEVICE_ORDINAL=0,1
ROCR_VISIBLE_DEVICES=0,1
SLURM_GPUS_ON_NODE=2
SLURM_JOB_GPUS=0,1
