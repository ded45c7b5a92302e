# sdiag, without its figures.
$ sdiag | grep -viE 'mean|per minute' | sed -E '/Remote Procedure Call statistics by message/,$d; s/[0-9]+/N/g; s/ at .*//; s/:.*N.*/: N/'
$ sdiag --nosuch
