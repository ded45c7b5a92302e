# An array with tasks that wait, run, have ended and were cancelled; steps of a job; their views.
$ A=$(sbatch --parsable -a 1-6%2 -J arr -t 10 -o 'a-%a' --wrap='case $SLURM_ARRAY_TASK_ID in 1) exit 0;; 2) exit 3;; *) sleep 100;; esac'); wait_for '[ "$(squeue -h -r -t R -j $A -o %K | sort | tr -d "\n")" = 34 ]'; wait_for '[ -z "$(squeue -h -t CG)" ]'
$ squeue -h -j $A -o '%i|%F|%K|%A|%t|%r|%N|%j|%D|%C' -S K
$ squeue -h -r -j $A -o '%i|%F|%K|%t|%r|%N' -S K
$ squeue -h --array-unique -j $A -o '%i %t' | sort
$ squeue -h -t all -r -j $A -o '%K %t %r' -S K
$ squeue -h -t CD,F -j $A -o '%K %t' -S K
$ squeue -h -j ${A}_3 -o '%i %t %N'
$ squeue -h -j ${A}_5 -o '%i %t %r'
$ squeue -h -j ${A}_9 -o '%i %t'
$ squeue -j $A | sort
$ squeue -l -j $A | tail -n +2 | sort
$ squeue -h -O JobArrayID,ArrayJobID,ArrayTaskID,State,Reason -j $A | sort
$ scontrol show job ${A}_1 | grep -vE 'Time=|JobId'
$ scontrol show job ${A}_2 | grep -E 'JobState|ExitCode|ArrayTaskId'
$ scontrol show job ${A}_3 | grep -vE 'Time='
$ scontrol show job ${A}_5 | grep -vE 'Time='
$ scontrol -o show job $A | grep -oE 'ArrayTaskId=\S+ .*JobName=\S+|JobState=\S+' | sed -E 's/JobId=[0-9]+/JobId=N/' | sort
$ scontrol -d show job ${A}_3 | grep -E 'JOB_GRES|StdOut'
$ scontrol hold ${A}_5; squeue -h -r -j $A -t PD -o '%K %r' -S K; scontrol release ${A}_5
$ scontrol update jobid=$A arraytaskthrottle=3; wait_for '[ "$(squeue -h -r -t R -j $A | wc -l)" = 3 ]'; squeue -h -r -j $A -o '%K %t' -S K
$ scontrol update jobid=${A}_6 name=six timelimit=5; squeue -h -r -j $A -o '%K %j %l' -S K
$ scancel ${A}_3; wait_for '[ -z "$(squeue -h -j ${A}_3)" ]'; wait_for '[ "$(squeue -h -r -t R -j $A | wc -l)" = 3 ]'; squeue -h -r -j $A -o '%K %t' -S K
$ scancel ${A}_[4-5]; wait_for '[ "$(squeue -h -r -t R,CG -j $A | wc -l)" = 1 ]'; squeue -h -r -j $A -o '%K %t' -S K
$ scancel $A; wait_for '[ -z "$(squeue -h)" ]'; squeue -h -t all -r -j $A -o '%K %t' -S K
$ B=$(sbatch --parsable -a 0-3 -H -J heldarray --wrap=true); squeue -h -j $B -o '%i %t %r'; squeue -h -r -j $B -o '%i'
$ scontrol show job $B | grep -vE 'Time='
$ scontrol show job ${B}_2 | grep -E 'ArrayTaskId|JobState'
$ scontrol show job ${B}_9
$ scancel ${B}_1; squeue -h -j $B -o '%i'; scancel $B
$ C=$(sbatch --parsable -a 5 -H --wrap=true); squeue -h -j $C -o '%i %K'; scancel ${C}_5; squeue -h -j $C
$ D=$(sbatch --parsable -H --wrap=true); sbatch -a 1-2 -d aftercorr:$D --parsable --wrap=true >id; wait_for 'squeue -h -j $(cat id) -o %r | grep -q Dependency'; squeue -h -r -j $(cat id) -o '%i %r %E'; scancel $D $(cat id)
$ S=$(sbatch --parsable -n 2 -o /dev/null --wrap="srun -n1 --exact -J one sleep 100 & until squeue -h -s -j \$SLURM_JOB_ID | grep -q '\.0 '; do sleep 0.1; done; srun -n1 --exact -J two sleep 100; wait"); wait_for '[ $(squeue -h -s -j $S | grep -c "\.[01] ") = 2 ]'; squeue -h -s -j $S -o '%.12i %j %P %u %N' | sort
$ scontrol show step $S | grep -vE 'StartTime|SrunHost'
$ scontrol show step $S.1 | grep -vE 'StartTime|SrunHost'
$ squeue -h -s ${S}.0 -o '%i %A'
$ scancel ${S}.0; wait_for '[ $(squeue -h -s -j $S | grep -c "\.[01] ") = 1 ]'; squeue -h -s -j $S -o '%i' | sort; scancel $S
# A dependency on an array is shown as one on all of its tasks.
$ A=$(sbatch --parsable -H -a 0-1 -o /dev/null --wrap=true)
$ for k in after afterany afterok afternotok aftercorr; do sbatch --parsable -d $k:$A -o /dev/null --wrap=true; sbatch --parsable -d $k:${A}_1 -o /dev/null --wrap=true; done
$ squeue -h -u alice -t PD -o '%r %E %K'
$ K=$(sbatch --parsable -H -o /dev/null --wrap=true); scontrol update jobid=$K dependency=afterok:$A; squeue -h -j $K -o '%E'
