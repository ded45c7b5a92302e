# Jobs on a machine with cgroup v2 alone, end to end.
$ sbatch --wait --mem=50 -o oom.out --wrap='head -c 300000000 /dev/zero | tail -c 300000000 >/dev/null || echo fallback' >/dev/null; echo $?; scontrol show job 1 | grep -o 'JobState=[A-Z_]*'
1
JobState=OUT_OF_MEMORY
$ grep -E 'fallback|oom.kill' oom.out
fallback
slurmstepd: error: Detected 1 oom-kill event(s) in StepId=1.batch. Some of your processes may have been killed by the cgroup out-of-memory handler.
$ sbatch --parsable -o kill.out --wrap='(setsid sleep 1000 & echo $! >bg; wait) & sleep 1000'
2
$ wait_for '[ -s bg ]'; scancel 2; wait_end 2; kill -0 $(cat bg) 2>&1 | sed 's/.*No such process/gone/'
gone
$ srun -n1 --mem=100 cat /proc/self/cgroup | sed 's/test-[0-9]*-t/test-N-t/'
~ 0::/.*job_3/.*
$ sbatch --parsable -o s.out --wrap='for i in $(seq 1000); do echo $i; sleep 0.1; done'
4
$ wait_for '[ -s s.out ]'
root$ scontrol suspend 4
$ sleep 1; a=$(wc -l <s.out); sleep 1; b=$(wc -l <s.out); [ $a = $b ] && echo frozen
frozen
root$ scontrol resume 4
$ wait_for "[ \$(wc -l <s.out) -gt $a ]"; scancel 4
root$ ls /sys/fs/cgroup | grep -c grappe-test
1
