// What Slurm's sacctmgr can do and this one can not, each with its reason.
#include "cli/sacctmgr/entities.h"

namespace grappe::sacctmgr {

void show_events(Session& session, Words) {
  session.error("not supported: the service keeps no events of nodes");
}

void change_federations(Session& session, Words) {
  session.error("not supported: there is one cluster, and no federation");
}

}  // namespace grappe::sacctmgr
