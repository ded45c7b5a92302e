// What running jobs use, charged to those who pay for them: their association with every one above
// it, their QoS and that of their partition.
//
// Running jobs are charged every PriorityCalcPeriod until then, and each at its end for the rest:
// every second once. State::usage has the figures, those of limits (GrpTRESMins, GrpWall) too; they
// change only here. They are rows of the store, written with the end of the job or with the time
// until which all were charged, so that a killed service has neither lost nor doubled any.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// A job is about to change what it has, or who pays for it: until now it is charged as it is.
void charge_so_far(Core& core, const Job& job);
// It has ended.
void charge_at_end(Core& core, const Job& job);

// Whether a period was over, and all have been charged.
bool charge_if_due(Core& core);
int64_t next_charge(const Core& core);

// sacctmgr modify ... set RawUsage=0: of an association with all below it, which those above it
// have used less then; or of a QoS.
void reset_use_of(Core& core, const v1::Association& association);
// An account gets another parent, and takes along what was used.
void move_use(Core& core, const v1::Association& before, const v1::Association& after);

// Associations above it, itself first.
std::vector<uint32_t> payers(const Books& books, uint32_t assoc_id);

void restore_usage(Core& core, const SavedSetting& setting);
// After all are restored.
void open_usage(Core& core);
// PriorityUsageResetPeriod=NOW is at each of these moments.
void reconfigure_usage(Core& core);

}  // namespace grappe::embedded
