# One's place in fair share in words, and the pool for everybody.
conf: AccountingStorageTRES=gres/gpu
conf: PriorityType=priority/multifactor
conf: PriorityWeightFairshare=10000
conf: PriorityCalcPeriod=1

root$ for a in 'account cs fairshare=60' 'account es fairshare=29' 'user alice account=cs' 'user bob account=es'; do sacctmgr -iQ add $a; done >/dev/null
$ grappe share | head -3
alice in cs: entitled to 66.7 %, used 0.0 % of what was used lately.
  Fair share 1.000: nobody goes before, all else being equal.

$ grappe share | grep '|'
cs                          66.7 %     0.0 %               |            inf  has used nothing
  alice                     66.7 %     0.0 %               |            inf  has used nothing
es                          32.2 %     0.0 %        |                   inf  has used nothing
Use counts half after 7 days. The mark | is the entitlement, # what was used.
$ grappe share eve
eve is in no account of this cluster, and has no share of it.
An operator adds people: sacctmgr add user USER account=ACCOUNT
$ grappe share alice bob
! grappe: error: one user at a time: grappe share [USER]
? 1
$ grappe share --json | grep -c '"meaning": "has used nothing"'
5

# Who has used something. A change of the books is seen at once, without the next period.
$ J=$(sbatch --parsable -N4 --exclusive -o /dev/null --wrap 'sleep 2'); wait_end $J
$ sshare -n -P -u alice -A cs -o account,user,rawusage | grep -c '|[1-9]'
2
root$ sacctmgr -iQ modify account cs set description=computing >/dev/null
$ wait_for "grappe share | grep -q 'used 100.0 %'"
$ grappe share | sed -n 1,2p
alice in cs: entitled to 66.7 %, used 100.0 % of what was used lately.
  Fair share 0.333: 2 of 3 users go before, all else being equal.
$ grappe share | grep '^cs'
cs                          66.7 %   100.0 %  #############|######     0.67  over its share

# The pool: a part of the machine, and a limit for each in it.
$ grappe rapid-access --users=alice
! grappe: error: Access/permission denied
? 1
root$ grappe rapid-access --users=alice,nobodyhere --dry-run
! grappe: error: there is no user nobodyhere
? 1
root$ grappe rapid-access alice
! grappe rapid-access: error: 'alice' is one word too many: there are only options
? 1
root$ grappe rapid-access --users=alice,carol --dry-run
account rapid: 10 of 100 shares, 10.0 % of the machine
users added: alice, carol
limit of each: 50 CPU-years and 10 GPU-years
nothing was changed: --dry-run
root$ grappe rapid-access --users=alice,carol
account rapid: 10 of 100 shares, 10.0 % of the machine
users added: alice, carol
limit of each: 50 CPU-years and 10 GPU-years
root$ sacctmgr -nP show assoc account=rapid format=account,user,share,grptresmins
rapid||10|
rapid|alice|1|cpu=26280000,gres/gpu=5256000
rapid|carol|1|cpu=26280000,gres/gpu=5256000
root$ grappe rapid-access --users=alice,carol
account rapid: 10 of 100 shares, 10.0 % of the machine
users as they were: 2
limit of each: 50 CPU-years and 10 GPU-years
nothing had to change
root$ grappe rapid-access --users=carol --cpu-years=1
account rapid: 10 of 100 shares, 10.0 % of the machine
users with other limits: carol
limit of each: 1 CPU-years and 10 GPU-years
root$ sacctmgr -nP show assoc account=rapid user=carol format=grptresmins
cpu=525600,gres/gpu=5256000
root$ grappe rapid-access --share=0
! grappe: error: --share must be between 0 and 100 percent
? 1
carol$ sbatch --parsable -o /dev/null --wrap true
~ [0-9]+
carol$ squeue -h -o %a -t all | sort -u
cs
rapid
