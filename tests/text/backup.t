# A copy of the database while it is in use.
root$ grappe backup | sed 's/.*backup/backup/; s/-2.*//'
backup/grappe
$ grappe backup
! grappe: error: Access/permission denied
? 1

# The copy is a database of its own, and old jobs leave the first one for a file.
$ sbatch -W -o /dev/null --wrap=true >/dev/null
root$ mkdir -m 777 old; sacctmgr -i archive dump jobs directory=$PWD/old purgejobafter=1hours 2>&1 | tail -n 1
sacctmgr: 0 jobs and 0 steps
root$ sacctmgr -i archive dump jobs directory=$PWD/old
!  Nothing to archive: say how old it must be, as in PurgeJobAfter=24months
? 1
root$ sacctmgr -i archive load
!  Which one? archive load file=FILE
? 1
