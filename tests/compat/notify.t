# scontrol notify: to a script, an srun, a salloc, and where it can't be.
$ salloc sleep 2 2>&1 | grep -v revoked & sleep 1; scontrol notify $(squeue -h -u alice -t R -o %A) to salloc; wait %1
$ salloc -Q sleep 2 & sleep 1; scontrol notify $(squeue -h -u alice -t R -o %A) to salloc; wait %1
$ srun sleep 2 & wait_for '[ $(squeue -h -s -u alice -o %i | grep -c "[.]0") = 1 ]'; sleep 0.5; scontrol notify $(squeue -h -u alice -t R -o %A) to srun; wait %1
$ J=$(sbatch --parsable -o n.out --wrap='sleep 2'); wait_run $J; sleep 0.3
$ scontrol notify $J; echo $?
$ scontrol notify $J hello
$ scontrol notify $J hello world '  spaced   words'
$ scontrol notify $J ''
$ scontrol notify 999999 hello
$ scontrol notify -1 hello
bob$ scontrol notify $(squeue -h -u alice -t R -o %A | head -1) hello
root$ scontrol notify $(squeue -h -u alice -t R -o %A | head -1) from root
$ wait_end $J; sleep 0.3; cat n.out
$ scontrol notify $J hello
$ H=$(sbatch -H --parsable --wrap=true); scontrol notify $H hello
