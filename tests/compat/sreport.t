# Reports of a time when there was nothing yet: what they look like.
$ W='start=2020-01-01 end=2020-02-01'
$ sreport cluster utilization $W
$ sreport -t minper cluster utilization $W
$ sreport -t percent cluster utilization $W
$ sreport -t hours cluster AccountUtilizationByUser $W
$ sreport cluster AccountUtilizationByUser $W tree
$ sreport -t hourper cluster UserUtilizationByAccount $W
root$ sreport cluster UserUtilizationByWckey start=2020-01-01 end=2020-02-01
root$ sreport cluster WCKeyUtilizationByUser start=2020-01-01 end=2020-02-01
$ sreport job sizesbyaccount $W
$ sreport -t secper job sizesbyaccount $W grouping=2,4,8
root$ sreport job sizesbywckey start=2020-01-01 end=2020-02-01
root$ sreport job sizesbyaccountandwckey start=2020-01-01 end=2020-02-01
$ sreport job sizesbyaccount $W PrintJobCount
$ sreport reservation utilization $W
$ sreport -t minper reservation utilization $W
$ sreport user top $W
$ sreport user topusage $W topcount=3 group
$ sreport -P user top $W
$ sreport -p cluster utilization $W
$ sreport -n cluster utilization $W
$ sreport -t sec -T cpu,mem cluster utilization $W
$ sreport -T cpu user top $W
$ sreport cl ut $W format=cl,al,d,over,trescount,tresname
$ sreport u t $W format=l%-20,u,a
$ sreport cluster utilization start=2020-01-01T07:29:29 end=2020-01-01T09:29:30
$ sreport cluster utilization start=2020-01-01T07:29:30 end=2020-01-01T07:45
$ sreport cluster utilization start=01/02/20 end=01/03/20-12:00
$ sreport -M nosuch cluster utilization $W
$ sreport cluster utilization $W clusters=nosuch
$ sreport -a cluster utilization $W
$ sreport --federation cluster utilization $W

# Mistakes.
$ sreport cluster
$ sreport cluster nosuch
$ sreport job nosuch
$ sreport user nosuch
$ sreport reservation nosuch
$ sreport nosuch
$ sreport time
$ sreport -n cluster utilization $W nosuch=1
$ sreport cluster utilization $W format=cl,nosuch
$ sreport -aM x cluster utilization
$ sreport -T nosuch cluster utilization
$ sreport -T node cluster utilization
$ sreport -t minper -T node user top
$ sreport -T cpu,mem job sizesbyaccount
$ printf 'cluster nosuch\ntime sec\ncluster utilization start=2020-01-01 end=2020-01-02\n!!\nparsable\n!!\nexit\n' | sreport
