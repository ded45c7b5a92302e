# Shortcuts of the site are commands: a line of grappe.toml, a link to the program.
root$ conf=$(dirname $GRAPPE_SOCKET)/../conf
root$ printf '[aliases]\nsq = "squeue -u $USER -ho %%i"\nsbatch-iq = "sbatch -p c-iq"\nodd = "ls -l"\nsinfo = "squeue"\n' >$conf/grappe.toml
root$ scontrol reconfigure
$ grappe aliases
odd ls -l
sbatch-iq sbatch -p c-iq
sinfo squeue
sq squeue -u $USER -ho %i
$ bin=$PWD/bin; mkdir $bin; ln -s "$(command -v grappe)" $bin/grappe
$ grappe aliases $bin
! grappe: error: the alias sinfo would hide a command: left out
? 1
$ ls $bin
grappe
odd
sbatch-iq
sq
$ $bin/sbatch-iq -H --parsable --wrap='echo "$1"'
1
$ $bin/sq
1
$ $bin/sq -o '%i %P %u'
1 c-iq alice
$ $bin/odd
! grappe: error: the alias odd = ls -l is not usable: it does not begin with a command
? 1
$ ln -s grappe $bin/nosuch; $bin/nosuch
! grappe: error: there is no command and no alias nosuch
? 1
root$ printf '[alias]\nsq = "squeue"\n' >$conf/grappe.toml; scontrol reconfigure
! slurm_reconfigure error: grappe.toml:1: there is no alias: only database and [aliases]
? 1
$ $bin/sq
1
$ scancel 1
