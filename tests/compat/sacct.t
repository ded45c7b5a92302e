# What is remembered of jobs. Accounts and QoS are left out of the formats.
# Slurm's database may hear of the end before it hears of the start.
$ ended() { wait_for "sacct -X -n -j $1 -o user,submitline,end | grep -q alice.*s.*T && ! sacct -X -n -j $1 -o user,state | grep -vq 'alice *[CF]' && ! sacct -n -j $1 -o state | grep -q RUN"; }
$ b() { J=$(sbatch --parsable "$@"); ended $J; }

$ b -J one -o /dev/null -n2 -t 5 --mem=200 --wrap 'srun -n2 true; srun false; exit 3'
$ sacct -j $J -o jobid,jobname,partition,alloccpus,state,exitcode
$ sacct -j $J -b
$ sacct -j $J -p -o jobid,jobidraw,state,derivedexitcode,ntasks,nnodes,reqnodes,reqcpus,ncpus,reqmem,timelimit,timelimitraw
$ sacct -j $J -nP -o nodelist,alloctres,reqtres,submitline,layout,user,uid,gid,group,workdir,cluster,suspended
$ sacct -j $J -nP -o allocnodes,reqcpufreq,reqcpufreqmin,reqcpufreqmax,reqcpufreqgov,wckeyid,wckey,reason,reservation,blockid,mcslabel,container,systemcomment,admincomment
$ sacct -j $J.batch -n -o jobid,state,exitcode
$ sacct -j $J.0,$J.1 -n -o jobid,state,exitcode
$ sacct -j $J.0 -X -n -o jobid,state
$ sacct -j $J -o 'state%-20,time,jobname%2,exitcode%3'
$ sacct -j $J -n -o job%20,stat
$ sacct -j $J -X --units=G -o reqmem,alloctres%40
$ sacct -j $J -X --units=K -nP -o reqmem,reqtres
$ sacct -j $J -X --noconvert -nP -o reqmem,alloctres
$ sacct -j $J -P --delimiter=, -o jobid,state
$ SACCT_FORMAT=jobid,state%8 sacct -j $J
$ sacct -j $J -B
$ sacct -j $J -X -n -o jobid -s CD
$ sacct -j $J -X -n -o state -s F
$ sacct --name=one -S now-1hour -X -n -o state | sort -u
$ sacct --name=nosuch -S now-1hour
$ sacct -j 999999
$ sacct -e

$ b -o /dev/null --mem=1536 -N2 --wrap true
$ sacct -j $J -o jobid,alloccpus,allocnodes,reqmem,alloctres%40,nodelist
$ sacct -j $J -X --noconvert -nP -o reqmem,alloctres

$ b -o /dev/null --array=1-3%2 --wrap true
$ sacct -j $J -o jobid,state,exitcode
$ sacct -j ${J}_2 -n -o jobid,state,exitcode
$ sacct -j ${J}_9 -n -o jobid,state,exitcode

$ J=$(sbatch --parsable -H -o /dev/null --wrap true); wait_for "sacct -n -X -j $J | grep -q PENDING"
$ sacct -j $J -P -o jobid,state,start,end,eligible,elapsed,nodelist,allocnodes,nnodes,alloctres,reqtres,reason,exitcode,reserved
$ scancel $J; ended $J; sacct -j $J -o jobid,state%20,exitcode,elapsed,nodelist

$ J=$(sbatch --parsable -o /dev/null --wrap 'sleep 60'); wait_for "sacct -nXj $J -o user,state | grep -q alice.*RUNNING && sacct -nj $J.batch | grep -q RUN"
$ sacct -j $J -P -o jobid,state,end,exitcode
$ sacct -j $J -s R -nX -o state
$ scancel $J; ended $J; sacct -X -j $J -o jobid,state%20,exitcode

$ n() { sacct --name=shown -S now-1hour -nP -o jobname,state,ntasks,partition | tail -2; }
$ srun -J shown true; wait_for "[ \$(sacct --name=shown -S now-1hour -nP -o state | tail -2 | grep -c COMPLETED) = 2 ]"; n

# Mistakes.
$ sacct -s foo
$ sacct -j abc
$ sacct -j 12.x
$ sacct -j 12_x
$ sacct -o foo
$ sacct --units=X
$ sacct -B
$ sacct -S foo
$ sacct -E foo
$ sacct -u nobodyx
$ sacct -g nogroupx
$ sacct -k foo
$ sacct -F foo
$ sacct extra
$ sacct --whole-hetjob=x
$ sacct -A nosuch
$ sacct -N nosuch
$ sacct -C nosuch
$ sacct -M nosuch
# A window that ends before it starts
$ sacct -S 2026-01-02 -E 2026-01-01
$ sacct -s R -E 2026-01-01 2>&1 | sed 's/([^)]*)/(T)/'
$ sacct -j 1 -S now+1hour 2>&1 | sed 's/([^)]*)/(T)/g'
$ D=$(sbatch --parsable --deadline now+1hour -t 120 -o /dev/null --wrap true); wait_end $D; scontrol show job $D | grep -o 'JobState=.*Dep'; wait_for "sacct -X -n -j $D -o state | grep DEADLINE"
$ sacct -n -X -j $D -o state; sacct -n -X -j $D -S now-10 -E now-5
# The first second and the last of a window.
$ J=$(sbatch --parsable -W -b now+2 -o /dev/null --wrap='sleep 2'); wait_for '[ $(sacct -nXP -j $J -o end) != Unknown ]'; P=$(sacct -nXP -j $J -o eligible) S=$(sacct -nXP -j $J -o start) E=$(sacct -nXP -j $J -o end); later() { date -d "$1 $2 second" +%FT%T; }; in_window() { sacct -nXP -o jobid "$@" | grep -c "^$J$"; }
$ for w in "$(later $S -1) $(later $S -1)" "$(later $S -1) $S" "$S $S" "$(later $E -1) $E" "$E $E" "$E $(later $E 1)"; do set -- $w; in_window -s R -S $1 -E $2; in_window -j $J -s CD -S $1 -E $2; done | paste -sd' '
$ for w in "$(later $P -1) $(later $P -1)" "$(later $P -1) $P" "$P $P" "$P $(later $P 1)" "$E $E" "$(later $E 1) $(later $E 1)"; do set -- $w; in_window -S $1 -E $2; done | paste -sd' '
$ B=$(sacct -nXP -j $J -o submit); for w in "$(later $B -1) $(later $B -1)" "$(later $B -1) $B" "$B $B"; do set -- $w; in_window -j $J -S $1 -E $2; done | paste -sd' '
