# --constraint: the language of features, and which nodes it allows. Apart, as a real Slurm does not forget that
# a node had some.
root$ for i in 1:a 2:b 3:a,c,e 4:a,c,d,e; do scontrol update node=node${i%%:*} AvailableFeatures=${i#*:} ActiveFeatures=${i#*:}; done
$ t() { sbatch -J feat -o /dev/null -t1 "$@" --wrap='sleep 100' >out 2>&1 || { cat out; return; }; j=$(grep -o '[0-9]*' out); wait_run $j; squeue -h -j $j -o '%N %f'; scancel $j; wait_end $j; }
$ t -N2 -C 'c*2'
$ t -N3 -C 'c*2' | sed 's/^[^ ]*//'
$ t -N1 -C 'c*2'
$ t -N4 -C 'c*3'
$ t -n3 -C 'c*2'
$ t -N3 -C 'c*1&b*1'
$ t -N3 -C '[c*1&b*1]'
$ t -N2 -C '[c*1&b*1]'
$ t -N1 -C '[c*1&b*1]'
$ t -C '[c*1&b*1]'
$ t -N3 -C '[(a&c)*2&b*1]'
$ t -N4 -C '[(a&c)*2&b*1]'
$ t -N3 -C '[(a&d)*2&b*2]'
$ t -N2 -C '[a|b]'
$ t -N4 -C '[a|b]'
$ t -N2 -C '[b|a]'
$ t -N2 -C 'e&[b|a]'
$ t -N3 -C 'e&[b|a]'
$ t -N2 -C '[b|a]&e'
$ t -N3 -C '(a|b)&(c|d)'
$ t -N2 -C '(a|b)&(c|d)'
$ t -N1 -C 'b|a&d'
$ t -N2 -C 'b|a&d'
$ t -N1 -C 'a&c|b'
$ t -N1 -C 'a,c'
$ t -N2 -C '[b|(a&c)]'
$ t -N2 -C '[(a|b)]'
$ t -N2 -C '[a*2]'
$ t -N2 -C 'e&[c*1&a*1]'
$ t -N1 -C 'a&'
$ for c in 'a&!c' '!a' nope 'nope|a' '[a' 'a]' '(a' 'a)' '((a|b)&c)|b' 'a*0' 'a*' 'a*x' '[a&b]' '[a*1&b]' '[a,b]' '[a|b&c]' 'a&&c' '&a' ' a' 'a b' '()' 'a()' 'a(b)' '[a|b]&[c|d]' '[a*1|b*1]'; do echo "$c"; t -N1 -C "$c"; done
# Of those that a node can have, jobs find those that it has now.
# What is preferred takes the place of what is required where that can be had at once.
$ on() { wait_for '[ -z "$(squeue -h -u alice)" ]'; srun -Q "$@" sh -c 'echo $SLURM_JOB_NODELIST' | sort -u; }
$ for p in b d c 'c&d' 'b|d' nosuch; do on -n1 --prefer=$p; done 2>&1
$ on -N2 --prefer=c; on -N2 --prefer='b|d'; on -N2 --prefer='[b|c]'
$ on -n1 -C a --prefer=b; on -n1 -C b --prefer=a; on -n1 -C c --prefer='a&d'
root$ B=$(sbatch --parsable -w node2 --exclusive -o /dev/null --wrap='sleep 100'); wait_run $B
$ on -n1 --prefer=b; on -n1 -C c --prefer=b
$ sbatch --test-only -n1 --prefer=nosuch --wrap=true; P=$(sbatch --parsable -H --prefer='c&d' -o /dev/null --wrap true); scontrol show job $P | grep -iE 'features|prefer'; squeue -h -j $P -O prefer,feature; scancel $P
root$ scancel $B
root$ f() { scontrol update node=node1 "$@"; echo $?; scontrol show node node1 | grep Features; }
root$ f AvailableFeatures=q,r ActiveFeatures=r; sinfo -h -n node1 -o '%f|%b'
$ srun -w node1 -C q true; srun -w node1 -C r echo found
root$ f AvailableFeatures=q; f ActiveFeatures=x; f AvailableFeatures=q,r,s; f ActiveFeatures=s,q; f AvailableFeatures=x ActiveFeatures=y; f Features=
root$ f ActiveFeatures=; sinfo -h -n node1 -o '%f|%b'; sinfo -hN -n node1 -O features,features_act
$ srun -w node1 -C q true
root$ for i in 1 2 3 4; do scontrol update node=node$i AvailableFeatures= ActiveFeatures=; done
