# ClusterShell's groups of partitions, states, jobs and users, by the file that comes with it.
needs: nodeset
$ mkdir -p .config/clustershell/groups.conf.d; printf '[Main]\ndefault: sp\nconfdir: %s\n' $PWD/.config/clustershell/groups.conf.d >.config/clustershell/groups.conf; cp /etc/clustershell/groups.conf.d/slurm.conf.example .config/clustershell/groups.conf.d/slurm.conf
$ sbatch -Q -N2 -t 5 -o /dev/null --wrap 'sleep 100'; wait_for 'squeue -h -t R | grep -q .'
$ for source in sp st sj su; do nodeset -s $source -LL 2>/dev/null | grep "^@$source:"; done
@sp:batch node[1-4]
@sp:c-iq node4
@st:idle node[3-4]
@st:mixed node[1-2]
@sj:1 node[1-2]
@su:alice node[1-2]
$ nodeset -f @st:idle,node1; nodeset -c @sp:batch; scancel 1
node[1,3-4]
4
