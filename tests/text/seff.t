# What a job used of what it had, and what to ask for next time.
needs: python3

$ echo "import time; x=b'x'*(100<<20); t=time.process_time(); exec('while time.process_time()-t<2: pass')" > use.py
$ J=$(sbatch --parsable -J used -o /dev/null --mem=2G -t 60 --wrap 'python3 use.py'); wait_end $J
$ seff $J
Job ID: 1
~ Cluster: .*
~ User/Group: alice/.*
State: COMPLETED (exit code 0)
Cores: 1
~ CPU Utilized: 00:00:0[2-4]
~ CPU Efficiency: [0-9]+\.[0-9][0-9]% of 00:00:[0-9][0-9] core-walltime
~ Job Wall-clock time: 00:00:[0-9][0-9]
~ Memory Utilized: 1[01][0-9]\.[0-9][0-9] MB
~ Memory Efficiency: 5\.[0-9]+% of 2\.00 GB
$ grappe job $J
Job 1 (used) of alice: COMPLETED, on node1
~   time        00:00:[0-9][0-9] of 01:00:00        0\.[0-9]%
~   CPUs        [0-9.]+ busy of 1            +[0-9.]+%
~   memory          1[01][0-9]M of 2G +5\.[0-9]%
~ --mem=200M would have been enough: 1[01][0-9]M of 2G used
~ --time=00:01:00 would have been enough: it ran 00:00:[0-9][0-9] of 01:00:00

# An array, and a week.
$ J=$(sbatch --parsable -J rows -o /dev/null --array=1-2 -t 10 --wrap 'true'); wait_for "[ \$(sacct -nX -j $J -s CD -S now-1hour -E now+1hour | wc -l) = 2 ]"
$ grappe jobs $J | sed -E 's/[0-9]+:[0-9:]+/T/; s/[0-9.]+%/P/g' | tr -s ' '
JobID JobName State Elapsed TimeEff CPUEff MemEff 
------------ ------------ ------------- ----------- -------- -------- -------- 
~ 2_1 rows COMPLETED T .*
~ 2_2 rows COMPLETED T .*
$ grappe jobs -nP --since now-1hour | cut -d'|' -f1-3
1|used|COMPLETED
2_1|rows|COMPLETED
2_2|rows|COMPLETED
bob$ grappe jobs -n --since now-1hour

# What has not run, and what is not there.
$ J=$(sbatch --parsable -H -o /dev/null --wrap true); seff $J | tail -1; grappe job $J
Efficiency not available for jobs in the PENDING state.
~ Job [0-9]+ \(wrap\) of alice: PENDING
It has not started.
$ seff 999999
! Job not found.
? 2
$ grappe job 999999
! grappe: error: Invalid job id specified
? 1
$ grappe jobs --since nonsense
! grappe: error: Invalid time specification (pos=0): nonsense
? 1
