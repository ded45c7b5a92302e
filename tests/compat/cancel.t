# What is signalled and cancelled, and what srun says of it.
$ J=$(sbatch --parsable -o /dev/null --wrap='sleep 60'); wait_run $J
$ scancel 999999+1
$ scancel 999999+x
$ scancel 999999+
$ scancel -v $J+1 2>&1 | grep -v select
$ scancel -s 64 999999
$ scancel -s 0 $J
$ scancel -s '' $J
$ scancel -s 9x $J
$ scancel -s SIGNOSUCH $J
$ scancel -s RTMIN $J
$ squeue -h -j $J -o %T
# In the order in which it is said; only when a step alone is killed, real Slurm's order varies.
$ step() { wait_for '[ $(squeue -h -s -u alice -o %i | grep -c "[.]0") = 1 ]'; sleep 0.3; squeue -h -s -u alice -o %i | grep '[.]0'; }
$ srun -n1 sleep 30 2>err & scancel -s TERM $(step); wait %1; echo $?; cat err
$ srun -n1 sleep 30 2>err & S=$(step); scancel -s TERM ${S%.0}; wait %1; echo $?; cat err
$ srun -n1 sleep 30 2>err & scancel $(step); wait %1; echo $?; sort err
$ srun -n1 sleep 30 2>err & S=$(step); scancel ${S%.0}; wait %1; echo $?; sort err
$ srun -n1 sleep 30 2>err & S=$(step); scancel -s INT ${S%.0}; wait %1; echo $?; cat err
$ srun -n1 sleep 30 2>err & scancel -s USR1 $(step); wait %1; echo $?; cat err
$ srun -n1 bash -c 'trap "" TERM; sleep 2' 2>err & scancel -s TERM $(step); wait %1; echo $?; cat err
$ srun -N1 -n2 sleep 30 2>err & scancel -s TERM $(step); wait %1; echo $?; cat err
$ B=$(sbatch --parsable -o b.out --wrap='srun sleep 30'); step >/dev/null; scancel -s TERM $B; wait_end $B; sleep 0.5; cat b.out; scontrol show job $B | grep -E 'State|Exit'
$ B=$(sbatch --parsable -o b.out --wrap='srun sleep 30'); scancel -s TERM $(step); wait_end $B; sleep 0.5; cat b.out; scontrol show job $B | grep -E 'State|Exit'
# How ends are recorded: a signal counts like a code.
$ J=$(sbatch --parsable -o /dev/null --wrap='srun bash -c "kill -9 \$\$"; srun bash -c "exit 3"; srun bash -c "kill -15 \$\$"; exit 0'); wait_end $J; scontrol -d show job $J | grep Exit
$ J=$(sbatch --parsable -o /dev/null --wrap='srun bash -c "kill -9 \$\$"; srun bash -c "kill -15 \$\$"; exit 0'); wait_end $J; scontrol -d show job $J | grep Exit
$ srun bash -c 'kill -9 $$'; scontrol -d show job $(squeue -h -t all -u alice -o %A -S -i | head -1) | grep -E 'Exit|State'
$ srun bash -c 'exit 5'; scontrol -d show job $(squeue -h -t all -u alice -o %A -S -i | head -1) | grep -E 'Exit|State'
$ srun -n2 bash -c '[ $SLURM_PROCID = 1 ] && exit 5; kill -9 $$' 2>err; sort err; scontrol -d show job $(squeue -h -t all -u alice -o %A -S -i | head -1) | grep -E 'Exit|State'

# Questions are asked about what is there, and a no leaves it alone.
$ J=$(sbatch --parsable -J asked -o /dev/null --wrap='srun sleep 100'); wait_for "squeue -hs -o %i | grep -q $J.0"
$ echo n | scancel -i $J.0; echo; squeue -hs -j $J -o %i | grep -c '\.0$'
$ echo y | scancel -i $J.0; echo; wait_end $J; squeue -h -t all -j $J -o %T
$ echo y | scancel -i $J; echo $?
