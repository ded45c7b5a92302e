# What workflow managers call, as they call it: a queue with a job in each state, and their questions.
$ cat >submission.sh <<'X'
> #!/bin/bash
> 
> # Parameters
> #SBATCH --array=0-2%256
> #SBATCH --cpus-per-task=2
> #SBATCH --error=log_%A_%a_0.err
> #SBATCH --gpus-per-node=1
> #SBATCH --job-name=submitit
> #SBATCH --mem=1GB
> #SBATCH --nodes=1
> #SBATCH --ntasks-per-node=1
> #SBATCH --open-mode=append
> #SBATCH --output=log_%A_%a_0.out
> #SBATCH --signal=USR2@90
> #SBATCH --time=5
> #SBATCH --wckey=submitit
> 
> # command
> export SUBMITIT_EXECUTOR=slurm
> srun --unbuffered --output log_%A_%a_%t.out --error log_%A_%a_%t.err bash -c 'echo $SLURM_ARRAY_JOB_ID $SLURM_ARRAY_TASK_ID $SLURM_PROCID/$SLURM_NTASKS $SLURM_LOCALID $SLURM_NODEID $SLURM_JOB_NUM_NODES'
> X
$ A=$(sbatch submission.sh | grep -o '[0-9]*$'); wait_end $A; sleep 0.5; cat log_*_0.out log_*.err; ls
$ cat >.command.run <<'X'
> #!/bin/bash
> #SBATCH -J nf-sayHello_(1)
> #SBATCH -o .command.log
> #SBATCH --no-requeue
> #SBATCH --signal B:USR2@30
> #SBATCH -c 2
> #SBATCH -t 00:10:00
> #SBATCH --mem 1024M
> #SBATCH -p batch
> echo hello; exit 3
> X
$ F=$(sbatch .command.run | grep -o '[0-9]*$'); wait_end $F; cat .command.log
$ R=$(sbatch --parsable -J running -t 1:00:00 -o /dev/null --comment 'rule_a wildcards_b' --mem 200 --ntasks=1 --cpus-per-task=2 -D /tmp --wrap="sleep 100"); wait_run $R
$ H=$(sbatch --parsable -H -J held -N 2 -o /dev/null --wrap='sleep 100')
$ D=$(sbatch --parsable -d afterok:$R -J dependent -o /dev/null --export=NONE --wrap='sleep 100')
$ E=$(sbatch --parsable -a 1-9:2%2 -H -J arr -o /dev/null --wrap='sleep 100'); wait_for 'squeue -j $D | grep -q Dependency'
$ squeue --noheader -o '%i %t' -t all -j $F,$R,$H,$D,$E
$ squeue --noheader -o '%i %t' -t all -u carol -p c-iq
$ squeue --noheader --format='%i %t' --job "$R,$H"
$ SLURM_TIME_FORMAT='standard' squeue --noheader -o '%i^^^%t^^^%r^^^%B^^^%u^^^%D^^^%C^^^%R^^^%P^^^%l^^^%M^^^%S^^^%j^^^%V' --jobs=$R,$R
$ SLURM_TIME_FORMAT='standard' squeue --noheader -o '%i^^^%t^^^%r^^^%B^^^%u^^^%D^^^%C^^^%R^^^%P^^^%l^^^%M^^^%S^^^%j^^^%V' -ualice
$ squeue --noheader -o '%i^^^%t' --jobs=999999,999999
$ squeue -j 999999
$ squeue -j 999999,999998
$ squeue -h -j $F
$ squeue -j nonsense
$ squeue -O JobArrayID,StateCompact,Reason -t all -j $F,$R,$H,$D,$E
$ squeue -h --format '%i %t %M'
$ squeue -h -o '%T %B' -j $R
$ squeue -h -o '%i' -u alice
$ squeue -h -o %i -u alice -t R,S,CG -r
$ squeue -h -r -o '%i|%T|%N|%r' -j $R,$H,$D,$E
$ squeue --format '%A|%u|%t|%.50j|%Z' --noheader
$ squeue -a -o '"%A %t"'
$ squeue -h --me -o '%.18i %.2t %.10M %R'
$ squeue -u alice -t all -n running,held
$ squeue -a -h -t all -o '%i:%T:%D:%C:%l:%L:%P:%j' -j $R,$H,$D
$ squeue --all --states=all --noconvert -o '%a;%A;%b;%B;%c;%C;%d;%D;%e;%E;%f;%F;%g;%G;%h;%H;%i;%I;%j;%J;%k;%K;%l;%L;%m;%M;%n;%N;%o;%O;%P;%r;%S;%t;%T;%u;%U;%v;%V;%w;%W;%x;%X;%y;%Y;%z;%Z' -j $F,$R,$H,$D,$E
$ squeue -M peer --all --states=all --noconvert -o '%A;%i;%t' -j $R
$ squeue -M nosuch
$ squeue --clusters=all -h -o %i -j $R
$ sbatch -M peer --parsable -H --wrap=true | sed 's/^[0-9]*/N/'
$ sbatch -M peer -H --wrap=true | sed 's/job [0-9]*/N/'
$ sbatch -M nosuch --wrap=true
$ scancel -n wrap; scancel -Q -n nosuch; scancel -Q 999999; echo $?
$ scontrol -o show job $R
$ scontrol -o show job $H
$ scontrol show job $F
$ scontrol show job $D
$ scontrol show job -d $R
$ scontrol -o show job 999999
$ scontrol show jobid -dd $H
$ scontrol show job=$H | head -1
$ scontrol show job ${E}_3
$ scontrol show job $E | grep -E 'JobId|Array'
$ scontrol show hostnames 'node[1-3],node4'
$ scontrol show hostnames
$ SLURM_NODELIST=node[1,3] SLURM_JOB_NODELIST=node[1,3] scontrol show hostnames
$ scontrol show hostlist node1,node2,node4
$ scontrol show hostlistsorted node4,node2,node1
$ scontrol -a show -o nodes
$ scontrol -a show -o partitions
$ scontrol -a show -o node node[1-2]
$ scontrol -a show res nosuch
$ scontrol show res
$ scontrol requeue $H
$ scontrol requeue 999999
$ scontrol suspend $R
root$ scontrol suspend 999999
$ scontrol hold $D; squeue -h -j $D -o '%t %r'; scontrol release $D
$ scontrol hold 999999
$ scontrol release 999999
$ scontrol update jobid=$H timelimit=10 name=renamed; squeue -h -j $H -o '%j %l'
$ scontrol update job $H partition=nosuch
$ scontrol write batch_script $H -
$ scancel $R --signal SIGUSR1; scancel --signal=KILL $R; wait_end $R; squeue -h -t all -j $R -o '%t %r'
$ scancel $H $D 999999; echo $?
$ scancel nonsense
$ scancel
$ scancel ${E}_3 ${E}_[5-7]; squeue -h -j $E -o '%i %t'; scancel -n arr
bob$ sbatch --parsable -H --wrap=true >id; chmod 755 . ; cat id | sed 's/[0-9]*/N/'
$ scancel -u bob
