# EnforcePartLimits=ALL: what a partition can not give is refused, each in its own words
conf: EnforcePartLimits=ALL
$ sbatch -N650000 -o /dev/null --wrap true
$ sbatch -N5 -o /dev/null --wrap true
$ sbatch -n33 -o /dev/null --wrap true
$ sbatch -n100000 -o /dev/null --wrap true
$ sbatch -N1 -n9 -o /dev/null --wrap true
$ sbatch -t 30-0 -o /dev/null --wrap true
$ sbatch -N1 -c9 -o /dev/null --wrap true
$ sbatch -N1000 -H -o /dev/null --wrap true
$ sbatch -N2 -p c-iq -o /dev/null --wrap true
$ salloc -N1000 true
$ srun -n1000 true
$ sbatch -p c-iq,batch -N2 -o /dev/null --wrap true
$ sbatch -p batch,c-iq -t 2-0 -o /dev/null --wrap true
