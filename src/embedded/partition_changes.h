// scontrol create, update and delete partition: what an operator changes while the service runs.
//
// A change outlives a restart; scontrol reconfigure goes back to the file.
#pragma once

#include "embedded/core.h"

namespace grappe::embedded {

// Settings are the keys of a PartitionName= line of slurm.conf. All are taken or none.
Status change_partition(Core& core, const Caller& caller,
                        const v1::ChangePartitionRequest& request);

// At the start of the service.
void restore_partition(Core& core, const SavedSetting& setting);

// scontrol reconfigure has taken the file's word.
void forget_partition_changes(Core& core, const std::map<std::string, std::string>& changes);

}  // namespace grappe::embedded
