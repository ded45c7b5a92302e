# What running steps use: the figures differ, their form does not.
$ J=$(sbatch --parsable -o /dev/null --wrap 'srun sleep 100'); wait_for "squeue -hs -j $J | grep -q sleep"; sleep 1
$ sstat -j $J -o jobid,ntasks,nodelist,maxvmsizenode,maxvmsizetask,maxrssnode,maxrsstask,mincpu,mincpunode,mincputask,avecpu
$ sstat -P -j $J -o reqcpufreq,reqcpufreqmin,reqcpufreqmax,reqcpufreqgov,consumedenergy,consumedenergyraw,maxpages,avepages,maxpagesnode,maxpagestask
$ sstat -p -j $J.batch -o jobid,reqcpufreq,reqcpufreqmin,reqcpufreqmax,reqcpufreqgov,mincpunode,mincputask
$ sstat -nP -j $J -o maxrss,averss,maxvmsize,avevmsize,tresusageinave,tresusageinmax,tresusageinmin,tresusageintot | sed 's/[0-9][0-9]*/N/g'
$ sstat -nP -j $J -o tresusageinmaxnode,tresusageinminnode,tresusageoutmaxnode,tresusageoutminnode,tresusageoutmaxtask,tresusageoutmintask
$ sstat -nP --noconvert -j $J -o maxrss,averss,maxvmsize,maxdiskread | sed 's/[0-9][0-9]*/N/g'
$ sstat -a -n -j $J -o jobid
$ sstat -n -j $J.batch,$J.0 -o jobid%20,ntasks%-4
$ sstat -i -n -j $J | tr -s ' ' | sed 's/[0-9]* $/PID/'
$ sstat -j $J | cut -c1-60 | sed 's/[0-9][0-9]*K/K/' | tr -s ' '
$ sstat -n -j $J.7 -o jobid
$ sstat -n -j $J.extern -o jobid
bob$ sstat -n -j $(squeue -h -o %i) -o jobid
bob$ sstat -n -a -j $(squeue -h -o %i) -o jobid
root$ sstat -n -j $(squeue -h -o %i) -o jobid
$ scancel $J

$ J=$(sbatch --parsable -o /dev/null -N2 -n4 --wrap 'srun sleep 100'); wait_for "squeue -hs -j $J | grep -q sleep"; sleep 1
$ sstat -nP -j $J -o jobid,ntasks,nodelist
$ scancel $J

# Mistakes.
$ sstat
$ sstat -j abc
$ sstat -j 1.x
$ sstat -o foo -j 1
$ sstat -n -j 999999 -o jobid
$ sstat -n -j 999999.0,999998.batch -o jobid
$ sstat -e
