# A salloc or srun that is killed takes its allocation with it; --no-shell keeps it.
$ srun -J outer sleep 60 & wait_for 'squeue -h -t R | grep -q outer'; kill -9 $!; wait $! 2>/dev/null; wait_end 1; squeue -h -t all -o "%i %j %T"
1 outer CANCELLED
$ salloc -Q -J inner sleep 60 & wait_for 'squeue -h -t R | grep -q inner'; kill -9 $!; wait $! 2>/dev/null; wait_end 2; squeue -h -j 2 -t all -o "%i %j %T"
2 inner CANCELLED
$ salloc -Q -J kept --no-shell; sleep 3; squeue -h -o "%i %j %T"; scancel 3
3 kept RUNNING
