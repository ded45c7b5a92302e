# Calls are counted by kind and by user.
$ squeue -h; squeue -h; sinfo >/dev/null
$ sdiag | grep -E 'REQUEST_JOB_INFO|alice' | sed 's/ave_time.*//'
	REQUEST_JOB_INFO                        ( 2003) count:2      
~ 	alice           \( *[0-9]+\) count:.*
bob$ squeue -h
$ sdiag -i | sed -n '/by message/,/by user/p' | grep -oE '[A-Z_]{8,} +\( ?[0-9]+'
REQUEST_PING                            ( 1008
REQUEST_JOB_INFO                        ( 2003
REQUEST_NODE_INFO                       ( 2007
REQUEST_PARTITION_INFO                  ( 2009
REQUEST_STATS_INFO                      ( 2035
$ sdiag -r
! slurm_reset_statistics: Access/permission denied
? 255
root$ sdiag -r
Reset scheduling statistics
$ sdiag | grep -E 'REQUEST_|alice' | grep -c count
1
