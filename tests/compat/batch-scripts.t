# What sbatch reads out of scripts.
$ printf '%s\n' '#!/bin/bash' "#SBATCH -J 'a b'" hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH --comment=a\ b' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '##SBATCH -J no' '#SBATCH -J yes # trailing -t 5' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '# SBATCH -J no' ' #SBATCH -J no' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH -J x foo bar' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH --nosuch' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH --time=x' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH-J x' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH --comment="a # b" -J z' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH --comment=a#b -J z' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH --comment=a\#b -J z' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH -J a\' '#SBATCH --comment=c' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH -J x : -N 2' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH -n2 --wrap=ls' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH --help -V' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH -J "unmatched' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH -J "a\"b"' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH -J ""' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH -J one' 'echo x' '#SBATCH -J two' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '' '   ' '  # c' '#SBATCH -J afterblank' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SLURM -J sname' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCHJ x' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH -J $HOME' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH -J x; ls' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#SBATCH -t' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#PBS -N pbsname' '#SBATCH -J sname' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#PBS -l nodes=2:ppn=2,mem=1gb -q batch -j oe' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#BSUB -J bsubname' '#BSUB -n 2' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#BSUB -q batch' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#PBS -t 1-3 -h -M me' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '' >f; sbatch f
$ printf '  \n\n' >f; sbatch f
$ printf 'hostname\n' >f; sbatch f
$ printf '#!/bin/sh\n\0x\n' >f; sbatch f
$ printf '#!/bin/sh\r\nls\r\n' >f; sbatch f
$ (echo '#!/bin/sh'; head -c 5000000 /dev/zero | tr '\0' '#') >f; sbatch f
$ printf '%s\n' '#!/bin/bash' '#PBS -l nodes=2+ppn=3+gpus=1,mem=100mb' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#PBS -l nodes=node1+node2:ppn=2' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ printf '%s\n' '#!/bin/bash' '#PBS -l nodes=1:ppn=2+2:ppn=1,walltime=60' hostname >f; sbatch -v --test-only f 2>&1 | grep -v -E 'defined|---|select/|verbose|test-only|to start at'; echo ${PIPESTATUS[0]}
$ for v in 0 no false 1 yes ''; do SBATCH_IGNORE_PBS=$v sbatch -v --test-only f 2>&1 | grep -E 'ntasks|ignore'; done
$ sbatch --ignore-pbs -v --test-only <(printf '#!/bin/sh\n#PBS -N p\n') 2>&1 | grep job-name; rm -f f
