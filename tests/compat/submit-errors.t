# Wrong requests to sbatch, srun and salloc: what is said, where, and with which exit code.
$ sbatch
$ sbatch --nosuch
$ sbatch -n
$ sbatch -n 0 --wrap=true
$ sbatch -n -1 --wrap=true
$ sbatch -n 1.5 --wrap=true
$ sbatch -N 0 --wrap=true
$ sbatch -N 3-2 --wrap=true
$ sbatch -N x --wrap=true
$ sbatch -N 1-x --wrap=true
$ sbatch -c 0 --wrap=true
$ sbatch -c x --wrap=true
$ sbatch -t 1:x --wrap=true
$ sbatch -t 1-2-3 --wrap=true
$ sbatch --time-min=x --wrap=true
$ sbatch --time-min=20 -t 10 --wrap=true
$ sbatch --mem=-1 --wrap=true
$ sbatch --mem=1X --wrap=true
$ sbatch --mem=x --wrap=true
$ sbatch --mem-per-cpu=x --wrap=true
$ sbatch --mem=10 --mem-per-cpu=10 --test-only --wrap=true 2>&1 | sed 's/[0-9][0-9]*/N/g'
$ sbatch --gres=gpu:x --wrap=true
$ sbatch --gres=gpu:a100:1 --wrap=true
$ sbatch --gres=:1 --wrap=true
$ sbatch --gres=gpu:1:2:3 --wrap=true
$ sbatch --gpus=x --wrap=true
$ sbatch --gpus=a100:1 --wrap=true
$ sbatch --gpus=0 --test-only --wrap=true 2>&1 | sed 's/[0-9][0-9]*/N/g'
$ sbatch --gpus-per-task=1 --wrap=true
$ sbatch --gpus-per-socket=1 --wrap=true
$ sbatch -a '' --wrap=true
$ sbatch -a 1- --wrap=true
$ sbatch -a -1 --wrap=true
$ sbatch -a 1,1 -H --wrap=true | sed 's/[0-9][0-9]*/N/'; scancel -n wrap
$ sbatch -a 1-3:0 --wrap=true
$ sbatch -a 1-100001 --wrap=true
$ sbatch -a 100000-100001 --wrap=true
$ sbatch -d '' -H --wrap=true | sed 's/[0-9][0-9]*/N/'; scancel -n wrap
$ sbatch -d x --wrap=true
$ sbatch -d after --wrap=true
$ sbatch -d afterok --wrap=true
$ sbatch -d singleton:1 --wrap=true
$ sbatch -d after:999999+x --wrap=true
$ sbatch -d aftercorr:999999 --wrap=true
$ sbatch -d expand:999999 --wrap=true
$ sbatch -b x --wrap=true
$ sbatch -b now+x --wrap=true
$ sbatch -b 25:00 --wrap=true
$ sbatch -b 2030-13-01 --wrap=true
$ sbatch --deadline=x --wrap=true
$ sbatch --deadline=now+1minute -t 10 --wrap=true
$ sbatch -p '' --wrap=true
$ sbatch -p batch,nosuch --wrap=true
$ sbatch -w node[1- --wrap=true
$ sbatch -w node9 --wrap=true
$ sbatch -w node1,node2 -N 1 --wrap=true
$ sbatch -x node[1-4] --wrap=true
$ sbatch -x nosuch --wrap=true
$ sbatch -x node[1-3] -N 2 --wrap=true
$ sbatch -p c-iq -w node1 --wrap=true
$ sbatch -F /nosuch --wrap=true
$ sbatch -C '' -H --wrap=true | sed 's/[0-9][0-9]*/N/'; scancel -n wrap
$ sbatch -C 'a&' --wrap=true
$ sbatch -C '[a' --wrap=true
$ sbatch -C 'a|b' --wrap=true
$ sbatch --signal=x --wrap=true
$ sbatch --signal=USR1@x --wrap=true
$ sbatch --signal=B --wrap=true
$ sbatch --mail-type=x --wrap=true
$ sbatch --priority=5 --wrap=true
$ sbatch --open-mode=x --wrap=true
$ sbatch --export= -H --wrap=true | sed 's/[0-9][0-9]*/N/'; scancel -n wrap
$ sbatch --get-user-env=x --wrap=true
$ sbatch --hint=x --wrap=true
$ sbatch -m x --wrap=true
$ sbatch -m plane --wrap=true
$ sbatch -m plane=x --wrap=true
$ sbatch --ntasks-per-node=x --wrap=true
$ sbatch --ntasks-per-node=-1 --wrap=true
$ sbatch --ntasks-per-socket=x --wrap=true
$ sbatch --ntasks-per-gpu=x --wrap=true
$ sbatch --ntasks-per-gpu=1 --wrap=true
$ sbatch -B x --wrap=true
$ sbatch -B 9:9:9 --wrap=true
$ sbatch --sockets-per-node=9 --wrap=true
$ sbatch --cores-per-socket=99 --wrap=true
$ sbatch --threads-per-core=9 --wrap=true
$ sbatch --mincpus=x --wrap=true
$ sbatch --mincpus=99 --wrap=true
$ sbatch --tmp=x --wrap=true
$ sbatch --tmp=999G --wrap=true
$ sbatch --exclusive=x --wrap=true
$ sbatch --reservation= -H --wrap=true | sed 's/[0-9][0-9]*/N/'; scancel -n wrap
$ sbatch --licenses=x:y --wrap=true
$ sbatch --uid=nosuch --wrap=true
$ sbatch --gid=nosuch --wrap=true
$ sbatch --uid=bob --wrap=true
$ sbatch -D '' -H --wrap=true | sed 's/[0-9][0-9]*/N/'; scancel -n wrap
$ sbatch --profile=x --wrap=true
$ sbatch --requeue=x --wrap=true
$ sbatch /tmp
$ sbatch nosuch.sh
$ sbatch /bin/true
$ touch noread.sh; chmod 0 noread.sh; sbatch noread.sh; rm -f noread.sh
$ sbatch --wrap=
$ sbatch --wrap true -- x
$ echo true | sbatch
$ echo '#!/bin/sh' | sbatch -H - | sed 's/[0-9][0-9]*/N/'; scancel -u alice
$ srun -n x true
$ srun -N 0 true
$ srun -c x true
$ srun -t x true
$ srun -w node1 -x node1 true
$ srun --gres=nosuch:1 true
$ srun --gpus=99 true
$ srun --mem=1X true
$ srun -m nosuch true
$ srun --mem-bind=nosuch true
$ srun --multi-prog
$ srun --multi-prog nosuch.conf
$ echo '0 true' >mp.conf; srun -n 3 --multi-prog mp.conf
$ echo 'x true' >mp.conf; srun -n 1 --multi-prog mp.conf
$ srun --jobid=999999 -n 1 true
$ srun --export= true 2>&1 | sort
$ srun -d nosuch true
$ srun -b x true
$ srun -a 1 true
$ srun -C nosuch true
$ srun --reservation=nosuch true
$ srun -D /nosuch true; echo $?
$ srun -o /nosuch/x true
$ srun -e /nosuch/x true
$ srun -i /nosuch/x true
$ srun --pty -n 2 true
$ srun --propagate=nosuch true
$ srun --open-mode=x true
$ srun -O -n 3 true
$ srun -r 5 true
$ srun -X true
$ srun --wait=-1 true
$ srun --kill-on-bad-exit=2 true
$ srun --task-prolog=/nosuch true 2>&1 | sort; echo ${PIPESTATUS[0]}
$ srun --prolog=/nosuch true
$ srun --uid=bob true
$ srun ./nosuch 2>&1 | sort; echo ${PIPESTATUS[0]}
$ srun /tmp 2>&1 | sort; echo ${PIPESTATUS[0]}
$ touch noexec; srun ./noexec 2>&1 | sort; echo ${PIPESTATUS[0]}
$ salloc -n x
$ salloc -p nosuch true
$ salloc -w nosuch true
$ salloc --gres=nosuch:1 true
$ salloc --nosuch
$ salloc -t x true
$ salloc --mem=1X true
$ salloc -d nosuch true
$ salloc -b x true
$ salloc --no-shell true 2>&1 | sed 's/[0-9][0-9]*/N/'; scancel -u alice
$ salloc -C nosuch true
$ salloc -a 1 true
$ salloc --bell=x true
$ salloc -D /nosuch pwd
$ salloc -Q /tmp
$ salloc -Q ./nosuch
$ sbatch --gpus-per-task=1 -N 2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus-per-task=1 -N 1 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus-per-task=1 --ntasks-per-node=2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus-per-task=1 --ntasks-per-node=2 -N 2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus-per-task=1 --gpus=2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus-per-task=1 --gpus=2 -n 1 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus-per-task=2 --gpus=5 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus-per-task=1 --gpus-per-node=2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus-per-task=1 --gres=gpu:2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus-per-task=1 -c 2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus-per-task=1 --test-only --wrap=true
$ srun --gpus-per-task=1 true
$ srun --gpus-per-task=1 -N 1 true
$ salloc --gpus-per-task=1 true
$ sbatch --gpus-per-socket=1 --gpus=2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus-per-socket=1 --sockets-per-node=1 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus-per-socket=1 -B 1 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ srun --gpus-per-socket=1 true
$ sbatch --ntasks-per-gpu=1 -n 2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --ntasks-per-gpu=1 --gpus=2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --ntasks-per-gpu=1 -N 2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --ntasks-per-gpu=1 --gpus-per-node=2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --ntasks-per-gpu=1 --gres=gpu:2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus=5 --gpus-per-node=2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus=4 --gpus-per-node=2 -N 3 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch --gpus=1 -N 2 -H --wrap=true | sed 's/[0-9][0-9]*/N/'
$ sbatch -w node1,node2 -N 1-1 --wrap=true
$ srun -w node1,node2 -N 1 true
$ salloc -w node1,node2 -N 1 true
$ srun -p c-iq -w node1 true
$ salloc -p c-iq -w node1 true 2>&1 | grep -v revoked
$ salloc -N 0 true
$ sbatch -p nosuch,batch --wrap=true
$ srun -p batch,nosuch true
$ sbatch -p , --wrap=true
$ srun -r 1 -N 1 true
$ echo 'x-2 true' >mp.conf; srun -n 1 --multi-prog mp.conf
$ echo '2-1 true' >mp.conf; srun -n 1 --multi-prog mp.conf
$ echo '0,x true' >mp.conf; srun -n 1 --multi-prog mp.conf
$ echo '0-x true' >mp.conf; srun -n 1 --multi-prog mp.conf
$ scancel -u alice
