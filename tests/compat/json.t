# squeue --json and sinfo --json, key for key.
$ sbatch --parsable -H -J json-held --wrap=true -o /dev/null >id; H=$(cat id)
$ R=$(sbatch --parsable -J json-run -n 2 -N 2 --gres=gpu:1 --mem-per-cpu=100 -t 30 --comment=hi -o out -e err --wrap='sleep 100'); wait_run $R
$ F=$(sbatch --parsable -J json-fail -o /dev/null --wrap='exit 3'); wait_end $F
$ scontrol -o show node node1 | grep -o 'CPUAlloc=.*AvailableFeatures'
$ sinfo --json
$ E=$(sbatch --parsable -a 1-3%1 -H -J json-arr -o /dev/null --wrap='sleep 100')
$ B=$(sbatch --parsable -J json-begin -d afterok:$R -b now+1hour -x node1 -w node2 --nice=5 --mail-type=END --exclusive -o /dev/null --wrap='sleep 100')
$ C=$(sbatch --parsable -J json-cancelled -H -N 1-2 -n 4 -c 2 -o c.out --wrap=true); scancel $C; N=$(sbatch --parsable -J json-nodes -H -N 1-2 -n 4 -c 2 -o c.out --mem=100 --wrap=true)
$ O=$(sbatch --parsable -H -J json-out --wrap=true); D=$(sbatch --parsable -J json-dependent -d afterok:$R --wrap=true); cat >jobs.py <<'X'
> import json, sys
> answer = json.load(sys.stdin)
> answer["jobs"] = [job for job in answer["jobs"] if job["name"].startswith("json-")]
> print(json.dumps(answer))
> X
$ squeue --json | python3 jobs.py
$ squeue --json | head -c 300 | tr -d '\n ' | head -c 30
$ scancel $R $H $E $B
