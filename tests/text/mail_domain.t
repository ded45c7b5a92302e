conf: MailDomain=example.org

# The name of a user becomes an address; what was given stays as it is.
$ mail() { scontrol show job $(cat id) | grep -o 'MailUser.*'; }
$ sbatch --parsable -H --mail-type=end --wrap=true >id; mail
MailUser=alice@example.org MailType=END
$ scontrol update jobid=$(cat id) mailuser=bob; mail
MailUser=bob MailType=END
$ scontrol update jobid=$(cat id) mailuser= mailtype=begin; mail
MailUser=alice@example.org MailType=BEGIN
$ scancel $(cat id)
