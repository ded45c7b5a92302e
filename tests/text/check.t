# Settings that can't work are found, with what to do.
root$ grappe check
Nothing found that can't work.
root$ sacctmgr -iQ modify qos normal set maxjobspu=3 maxtresperuser=cpu=0 >/dev/null; grappe check
- Limits are set in the books, but AccountingStorageEnforce does not name them: they are not enforced.
  AccountingStorageEnforce=associations,limits,qos,safe
- QoS normal has MaxTRESPerUser=cpu=0: no job of it can ever start.
  set MaxTRESPerUser=cpu=-1 to clear it
? 1
