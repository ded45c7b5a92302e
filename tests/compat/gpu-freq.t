# Where nobody may set the frequency of a GPU, the wish is taken and the step says so.
$ for v in low high,verbose medium 900 low,memory=high highm1 ,low verbose; do srun -G1 --gpu-freq=$v bash -c 'env | grep -i freq'; done
$ for v in nonsense memory=bogus '' high,bogus HIGH 12x 'low medium'; do srun --gpu-freq="$v" true; done
$ srun --gpu-freq=low bash -c 'env | grep -i freq'
$ srun -n2 -G1 --gpu-freq=low echo x
$ J=$(sbatch --parsable -G1 --gpu-freq=low -o o.out --wrap 'env | grep -i freq; srun env | grep -i freq'); wait_end $J; cat o.out; scontrol show job $J | grep Tres
$ salloc -Q -G1 --gpu-freq=low bash -c 'env | grep -i freq; srun scontrol show step $SLURM_JOB_ID.0 | grep TresFreq'
$ SLURM_GPU_FREQ=low srun -G1 true
$ SBATCH_GPU_FREQ=bogus sbatch -o /dev/null --wrap true
$ srun -v -G1 --gpu-freq=low true 2>&1 | grep freq
$ for v in quiet fatal 0 1; do srun --slurmd-debug=$v true; done
