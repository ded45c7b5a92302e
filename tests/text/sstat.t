# What running steps use, and what is remembered of it.
conf: JobAcctGatherFrequency=task=1
needs: python3

# A hundred megabytes, two seconds of work, and then some rest.
$ echo "import sys,time; x=b'x'*(100<<20); t=time.process_time(); exec('while time.process_time()-t<2: pass'); print('done',flush=True); time.sleep(float(sys.argv[1]))" > use.py
$ J=$(sbatch --parsable -o out --wrap 'python3 use.py 600'); wait_for 'grep -q done out'; sleep 1.5
$ sstat -nP --noconvert -j $J.batch -o maxrss,mincpu,ntasks,jobid | awk -F'|' '{ print ($1+0 > 104857600), ($1+0 < 140000000), ($2 >= "00:00:02"), $3, $4 }'
1 1 1 1 1.batch
$ sstat -nP -a -j $J -o jobid,nodelist,maxrssnode,maxrsstask
1.batch|node1|node1|0
$ sstat -n -i -j $J.batch | wc -w
3
$ sstat -j $J | cut -c1-23
JobID         MaxVMSize
------------ ----------
! sstat: job 1 runs no step beside its script: sstat -j 1.batch
$ sstat -nP -j $J.batch -o tresusageinmax | sed -E 's/=[^,]*/=/g'
cpu=,energy=,fs/disk=,mem=,pages=,vmem=
bob$ sstat -n -j 1.batch -o jobid
! sstat: error: slurm_job_step_stat: there was an error with the request to node1 rc = Invalid user id
! sstat: error: problem getting step_layout for StepId=1.batch: Invalid user id
root$ sstat -nP -j 1.batch -o jobid
1.batch
$ sstat -n -j $J.3 -o jobid
! sstat: error: StepId=1.3 not found running.
$ scancel $J; wait_end $J

# The books have it when the step has ended, task by task.
$ J=$(sbatch --parsable -o /dev/null -n2 --wrap 'srun sh -c "[ \$SLURM_PROCID = 0 ] || exec python3 use.py 0"'); wait_end $J
$ sacct -nP --noconvert -j $J.0 -o maxrss,averss,totalcpu | awk -F'|' '{ print ($1+0 > 104857600), ($2+0 > 52428800), ($2+0 < 70000000), ($3 >= "00:02") }'
1 1 1 1
$ sacct -nP -j $J.0 -o maxrssnode,maxrsstask,mincputask,mincpu,ntasks
node1|1|0|00:00:00|2
$ sacct -nP -j $J.0 -o tresusageinmaxtask,tresusageinmintask
~ cpu=1,fs/disk=1,mem=1,pages=[01],vmem=[01]\|cpu=0,fs/disk=0,mem=0,pages=[01],vmem=[01]

# Mistakes.
$ sstat
! sstat: error: You didn't give me any jobs to stat.
? 1
$ sstat -j abc
! sstat: fatal: Bad job/step specified: abc
? 1
$ sstat -j 1.x
! sstat: fatal: Bad step specified: 1
? 1
$ sstat -o foo -j 1
! sstat: error: Invalid field requested: "foo"
? 1
$ sstat -n -j 999999
! sstat: error: couldn't get steps for job 999999
$ sstat -e | head -1
AveCPU              AveCPUFreq          AveDiskRead         AveDiskWrite       
