# Each job has a /tmp, /var/tmp and /dev/shm of its own; its output goes where its user looks.
conf: JobContainerType=job_container/tmpfs
$ D=$(mktemp -d); chmod 755 $D; echo host >$D/note
$ sbatch --wait -D / -o $D/out --wrap="ls $D 2>&1 | sed 's/.*No such.*/hidden/'; echo a >/tmp/a; echo b >/dev/shm/b; cat /var/tmp/a; srun cat /tmp/a /dev/shm/b; touch \$SLURM_TMPDIR/x && echo scratch" >/dev/null; cat $D/out
hidden
a
a
b
scratch
$ ls /tmp/a /dev/shm/b 2>&1 | grep -c 'No such file'
2
$ srun -D / -o $D/step.%t -n2 -N1 bash -c "echo \$SLURM_PROCID; ls -d $D 2>/dev/null | wc -l" && cat $D/step.0 $D/step.1
0
0
1
0
$ echo in >$D/in; srun -D / -i $D/in cat
in

# sbcast reaches into it, from within and from outside.
$ sbatch --wait -D / -o $D/out --wrap='sbcast /etc/hostname /tmp/h && srun cmp /etc/hostname /tmp/h && echo same' >/dev/null; cat $D/out
same
$ salloc -Q -D / bash -c 'sbcast /etc/hostname /tmp/h-of-job && srun cmp /etc/hostname /tmp/h-of-job && echo same; ls /tmp/h-of-job' 2>&1 | sed 's/.*No such.*/not here/'
same
not here
$ salloc -Q -D / sbcast $D/note /tmp/h 2>&1 | sed "s#$D#D#"
sbcast: error: D/note can't be copied to /tmp/h: the job has a /tmp of its own and does not see this file

# Nothing is left.
$ wait_for '[ -z "$(squeue -h)" ]'
root$ wait_for '! ls /dev/shm | grep grappe-test-.*job_'; wait_for '! ls $(dirname $HOME)/tmp | grep private'
$ rm -r $D
