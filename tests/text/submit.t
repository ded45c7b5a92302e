# A batch job: submitted, run as its user, its output in its folder.
$ sbatch --parsable --wrap='echo hello; id -un; exit 3'
1
$ wait_end 1
$ cat slurm-1.out
hello
alice
$ scontrol show job 1 | grep -o 'JobState=.*ExitCode=[0-9:]*\|JobState=[A-Z]* Reason=[A-Za-z]*\|ExitCode=.*'
JobState=FAILED Reason=NonZeroExitCode
ExitCode=3:0

# Script arguments, #SBATCH lines, standard input.
$ printf '#!/bin/bash\n#SBATCH --job-name=named\n##SBATCH --bad\n#SBATCH -o o-%%j.txt\necho $SLURM_JOB_NAME $1 $2\n' >s.sh
$ sbatch s.sh one two
Submitted batch job 2
$ wait_end 2
$ cat o-2.txt
named one two
$ sbatch --parsable -o in.txt < s.sh
3
$ wait_end 3
$ cat in.txt
named

# Refusals are Slurm's.
$ sbatch nosuchfile.sh
! sbatch: error: Unable to open file nosuchfile.sh
? 1
$ sbatch -p nosuch --wrap=true
! sbatch: error: invalid partition specified: nosuch
! sbatch: error: Batch job submission failed: Invalid partition name specified
? 1
$ sbatch --mem=999G --wrap=true
! sbatch: error: Memory specification can not be satisfied
! sbatch: error: Batch job submission failed: Requested node configuration is not available
? 1
$ sbatch -c 9 --wrap=true
! sbatch: error: CPU count per node can not be satisfied
! sbatch: error: Batch job submission failed: Requested node configuration is not available
? 1
$ sbatch --gres=gpu:5 --wrap=true
! sbatch: error: Batch job submission failed: Requested node configuration is not available
? 1
$ sbatch -t 1x --wrap=true
! sbatch: error: Invalid --time specification
? 255

# "none" is no file; a backslash keeps the next sign as it is.
$ mkdir files && cd files && sbatch -W --output=none --error=None --input=none --wrap='echo hi' >/dev/null; ls
$ sbatch -W -o 'a\\b%j' --wrap=true >/dev/null; ls
a\b%j

# SLURM_SUBMIT_DIR is where the command was started, whatever --chdir says.
$ sbatch -W -D /tmp -o $PWD/o --wrap='[ $SLURM_SUBMIT_DIR = '$PWD' ] && pwd' >/dev/null; cat o
/tmp
$ srun -D /tmp sh -c '[ $SLURM_SUBMIT_DIR = '$PWD' ] && pwd'
/tmp

# Of several partitions, the one that does not exist is named.
$ sbatch -p batch,nosuch --wrap=true
! sbatch: error: invalid partition specified: nosuch
! sbatch: error: Batch job submission failed: Invalid partition name specified
? 1

# --test-only says which partition there is not, and no more of a refusal than Slurm.
$ sbatch --test-only -p nosuch --wrap=true
! sbatch: error: invalid partition specified: nosuch
! allocation failure: Invalid partition name specified
? 1
$ srun --test-only -p nosuch true
! srun: error: invalid partition specified: nosuch
! allocation failure: Invalid partition name specified
? 1
$ sbatch --test-only --mem=900G --wrap=true
! allocation failure: Requested node configuration is not available
? 1

# What programs look for in the usage: its end, and no brackets within brackets.
$ sbatch --usage | tr -s ' \n' ' ' | grep -o ' [^ ]* \[args.*'
 executable [args...] 
$ sattach --usage
Usage: sattach [OPTIONS] <jobid.stepid>
$ sbcast --usage
Usage: sbcast [--exclude] [-CfFjpstvV] [--send-libs] SOURCE DEST
$ scontrol --help | grep -o 'Valid <COMMAND>.*\|show <ENTITY>.*>\]'
Valid <COMMAND> values are:
show <ENTITY> [<ID>]
$ squeue --usage | grep -cE '\[[^]]*\['
0
? 1
# Up to three nodes.
$ srun -N-3 -n3 bash -c 'echo $SLURM_NNODES' | uniq
3
