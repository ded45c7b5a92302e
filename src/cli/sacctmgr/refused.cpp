// What Slurm's sacctmgr can do and this one can not, each with its reason.
#include "cli/sacctmgr/entities.h"

namespace grappe::sacctmgr {

void change_federations(Session& session, Words) {
  session.error("not supported: there is one cluster, and no federation");
}

}  // namespace grappe::sacctmgr
