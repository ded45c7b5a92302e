# Snakemake submits each rule, asks sacct how it went, and cancels what is left when one has failed.
needs: snakemake
$ printf 'rule all:\n    input: expand("out/{i}.txt", i=range(6))\nrule one:\n    output: "out/{i}.txt"\n    resources: mem_mb=100\n    shell: "echo $SLURM_JOB_NAME >{output}"\n' >Snakefile
$ printf '#!/bin/bash\ncase $(sacct -j $1 -X -n -o State) in *COMPLETED*) echo success;; *PENDING*|*RUNNING*|*COMPLETING*) echo running;; *) echo failed;; esac\n' >status.sh; chmod 755 status.sh
$ run() { snakemake "$@" -j 6 --cluster 'sbatch --parsable --mem={resources.mem_mb} -t 5 -o log' --cluster-status ./status.sh --cluster-cancel scancel >said 2>&1; }
$ run && tail -n 2 said | head -n 1; sed 's/[0-9]/N/' out/*.txt | sort -u
7 of 7 steps (100%) done
snakejob.one.N.sh
$ sacct -X -n -P -o state | sort | uniq -c | tr -s ' '
 6 COMPLETED

$ sed -i 's/shell: .*/shell: "exit 3"/' Snakefile; rm -r out; run -k; echo $?
1
$ sacct -X -n -P -o state,exitcode -s failed -S now-1hour -E now | sort | uniq -c | tr -s ' '
 6 FAILED|1:0
