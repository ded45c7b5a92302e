# How salloc ends, and what its command finds in the environment.
$ (wait_for '[ -e cm1 ]'; scancel -n cm1) & salloc -J cm1 bash -c 'trap "echo got hup" HUP; trap "echo got term" TERM; touch cm1; for i in 1 2 3; do sleep 1; done; echo end; exit 5' 2>&1 | sed 's/[0-9][0-9]*/N/'; echo ${PIPESTATUS[0]}
$ (wait_for '[ -e cm2 ]'; scancel -n cm2) & salloc -K -J cm2 bash -c 'trap "echo got hup" HUP; trap "echo got term" TERM; touch cm2; for i in 1 2 3; do sleep 1; done; echo end; exit 5' 2>&1 | sed 's/[0-9][0-9]*/N/' | grep -v Terminated; echo ${PIPESTATUS[0]}
$ (wait_for 'squeue -h -n cm3 | grep -q .'; sleep 0.3; scancel -n cm3) & salloc -H -J cm3 true 2>&1 | sed 's/[0-9][0-9]*/N/' | sort; echo ${PIPESTATUS[0]}
$ signal_when INT 'squeue -h -n cm4 | grep -q .' salloc -H -J cm4 true 2>&1 | grep -v revoked | sed 's/[0-9][0-9]*/N/' | sort
$ signal_when TERM '[ -e cm5 ]' salloc -J cm5 bash -c 'touch cm5; sleep 1.5; echo done; exit 3' 2>&1 | sed 's/[0-9][0-9]*/N/'
$ salloc --no-shell -J cm7 2>&1 | sed 's/[0-9][0-9]*/N/'; squeue -h -n cm7 -o '%j %t %C'; scancel -n cm7
$ echo 'echo in $SLURM_JOB_NAME; exit 4' | SHELL=/bin/sh salloc -J cm8 2>&1 | grep -v -E 'Granted|Relinq|revoked'; echo ${PIPESTATUS[1]}
$ salloc -Q bash -c 'exit 7'
$ salloc -Q bash -c 'kill -9 $$'
$ salloc /nosuch/cmd 2>&1 | sed 's/[0-9][0-9]*/N/' | grep -v revoked; echo ${PIPESTATUS[0]}
$ salloc -Q -n 3 -N 2 -c 2 --mem=100 --gpus=2 --hint=nomultithread env | grep -E '^SLURM' | grep -v -E '(CONF|JOBID|JOB_ID|NODELIST)=' | sort
$ salloc -Q env | grep -E '^SLURM' | grep -v -E '(CONF|JOBID|JOB_ID|NODELIST)=' | sort
$ salloc -Q --exclusive -N2 --mem-per-cpu=10 --overcommit --chdir=/tmp env | grep -E '^SLURM' | grep -v -E '(CONF|JOBID|JOB_ID|NODELIST)=' | sort
$ salloc -p nosuch true
$ salloc --mem=999G true 2>&1 | grep -v revoked
