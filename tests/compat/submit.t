# Arrays, dependencies, file names and requests that are refused.
$ sbatch --array=1-3 --array=5 --parsable -H --wrap=true | sed 's/[0-9]*/N/'; squeue -h -o '%K'; scancel -n wrap
$ sbatch --array=x --wrap=true
$ sbatch --array=1-200000 --wrap=true
$ sbatch --array=3-1 --wrap=true
$ sbatch --array=1-3%0 -H --wrap=true | sed 's/[0-9][0-9]*/N/'; squeue -h -o '%i' | sed 's/^[0-9]*/N/'; scancel -n wrap
$ sbatch --array= --wrap=true
$ sbatch --array=0,2-4:2,9%3 -H -J a1 --wrap=true >/dev/null; squeue -h -n a1 -o %K; squeue -h -r -n a1 -o '%K %j'; scancel -n a1
$ sbatch -d nosuch:1 --wrap=true
$ sbatch -d afterok:999999 --wrap=true
$ sbatch -d afterok: --wrap=true
$ sbatch -d afterok:x --wrap=true
$ A=$(sbatch --parsable -H -o /dev/null --wrap=true); B=$(sbatch --parsable -d afterok:$A,afternotok:$A -o /dev/null --wrap=true); squeue -h -j $B -o '%E'; sbatch --parsable -d "afterok:$A?afterany:$B" -H --wrap=true >id; squeue -h -j $(cat id) -o %E; scontrol show job $(cat id) | grep Depend; scancel $A $B $(cat id)
$ A=$(sbatch --parsable -o /dev/null --wrap='exit 1'); B=$(sbatch --parsable -d afterok:$A -o /dev/null --wrap=true); wait_end $A; wait_for 'squeue -h -j $B -o %r | grep -q Never'; squeue -h -j $B -o '%t %r %E'; scancel $B
$ A=$(sbatch --parsable -o /dev/null --wrap='exit 1'); B=$(sbatch --parsable --kill-on-invalid-dep=yes -d afterok:$A -o /dev/null --wrap=true); wait_end $A $B; squeue -h -t all -j $B -o '%t %r'
$ mkdir d; J=$(sbatch --parsable -D d -J nm -o 'o-%x-%u-%j-%n-%t-%A-%a-%%-%5j' --wrap='echo out; echo err >&2'); wait_end $J; ls d | sed -E 's/[0-9]{2,}/N/g'; cat d/*
$ J=$(sbatch --parsable -a 1-2 -o 'arr-%A_%a.out' -e 'arr-%A_%2a.err' --wrap='echo $SLURM_ARRAY_TASK_ID; echo e >&2'); wait_end $J; ls arr-* | sed -E 's/-[0-9]+/-N/'
$ echo input >in; J=$(sbatch --parsable -i in -o cat.out --wrap=cat); wait_end $J; cat cat.out
$ J=$(sbatch --parsable -i nosuch -o x.out --wrap=cat); wait_end $J; squeue -h -t all -j $J -o '%t %r'; scontrol show job $J | grep -oE 'JobState=\S+ Reason=\S+|ExitCode=\S+'
$ J=$(sbatch --parsable -o /nosuch/x.out --wrap=true); wait_end $J; squeue -h -t all -j $J -o '%t %r'; scontrol show job $J | grep -oE 'JobState=\S+ Reason=\S+|ExitCode=\S+'
$ J=$(sbatch --parsable -D /nosuch -o dir.out --wrap=pwd); wait_end $J; squeue -h -t all -j $J -o '%t %r'; ls dir.out
$ printf '#!/nosuch/interpreter\n' >bad.sh; J=$(sbatch --parsable -o bad.out bad.sh); wait_end $J; scontrol show job $J | grep -oE 'JobState=\S+ Reason=\S+|ExitCode=\S+'; cat bad.out
$ J=$(sbatch --parsable -o sig.out --wrap='kill -TERM $$'); wait_end $J; scontrol show job $J | grep -oE 'JobState=\S+ Reason=\S+|ExitCode=\S+'; cat sig.out
$ cd d; sbatch -H ../in 2>&1 | tail -1; printf '#!/bin/sh\n' >s.sh; for p in s.sh ./s.sh $PWD/s.sh ../d/s.sh; do J=$(sbatch --parsable -H $p a b); scontrol show job $J | grep -E 'Command|WorkDir'; squeue -h -j $J -o '%j|%o'; scancel $J; done; cd ..
$ sbatch -p nosuch --wrap=true
$ sbatch -p c-iq -t 2-0 --wrap=true
$ sbatch -p c-iq -N 2 --wrap=true
$ sbatch -w nosuch --wrap=true
$ sbatch -w node1 -x node1 --wrap=true
$ sbatch -C nosuch --wrap=true
$ sbatch -L nosuch --wrap=true
$ sbatch --reservation=nosuch --wrap=true
$ sbatch --gres=gpu:99 --wrap=true
$ sbatch --gres=tpu --wrap=true
$ sbatch --gpus=99 --wrap=true
$ sbatch --gpus-per-node=9 --wrap=true
$ sbatch --mem=999G --wrap=true
$ sbatch -c 9 --wrap=true
$ sbatch -n 40 --wrap=true
$ sbatch -N 1 -n 9 --wrap=true
$ sbatch --ntasks-per-node=9 --wrap=true
$ sbatch --begin=2000-01-01 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --deadline=2000-01-01 --wrap=true
$ sbatch --time=0 -H --wrap=true | sed 's/[0-9][0-9]*/N/'; squeue -h -n wrap -o '%l' | sort -u
$ sbatch --nice=-5 -H --wrap=true 2>&1 | sed 's/[0-9][0-9]*/N/'
$ sbatch --uid=root --wrap=true
$ sbatch --switches=1 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --mail-type=ALL --mail-user=x -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --no-requeue -H --parsable --wrap=true >id; scontrol show job $(cat id) | grep -o 'Requeue=[0-9]'; scontrol requeue $(cat id)
$ scancel -n wrap -u alice -v 2>&1 | grep -v select/ | sed -E 's/[0-9]+/N/' | sort -u
$ sbatch --exclusive=user -H --parsable --wrap=true >id; scontrol show job $(cat id) | grep -o 'OverSubscribe=[A-Z]*'; sbatch -s -H --parsable --wrap=true >id; scontrol show job $(cat id) | grep -o 'OverSubscribe=[A-Z]*'
$ J=$(sbatch --parsable -o /dev/null --wrap='sleep 100'); wait_run $J; scontrol requeue $J; sleep 1; scontrol show job $J | grep -oE 'JobState=\S+ Reason=\S+|Restarts=\S+'
$ scancel $J
$ J=$(sbatch --parsable -o /dev/null --wrap='exec sleep 100'); wait_run $J; scancel $J; wait_end $J; scontrol show job $J | grep -oE 'JobState=\S+ Reason=\S+|ExitCode=\S+'; squeue -h -t all -j $J -o '%t %r'; scancel $J; echo $?
$ J=$(sbatch --parsable -H -o /dev/null --wrap='sleep 100'); scancel $J; scontrol show job $J
$ scontrol update jobid=$J timelimit=5
$ sbatch --test-only -t 30-0 --wrap=true
$ sbatch --test-only -p c-iq -N 2 --wrap=true
$ sbatch --version; srun --version; salloc --version; scancel --version; squeue --version
