// From what a job asks for to what the scheduler weighs.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "embedded/cluster.h"
#include "model/job.h"
#include "sched/snapshot.h"

namespace grappe::embedded {

// The shape of a job whose `settled` is filled in. Fails with Slurm's error for a generic resource,
// a node or a feature that does not exist.
Result<sched::Shape> shape_of(const Cluster& cluster, const Job& job);

// "gpu:a100:2,gpu:1" of --gres and "a100:2" of --gpus (then `name` is "gpu") as needs.
Result<std::vector<sched::GresNeed>> gres_needs(const Cluster& cluster, const std::string& text,
                                                const std::string& name);

// "matlab:2,ansys@flex" against the licences of the cluster; indexes follow their order.
Result<std::vector<sched::LicenseNeed>> license_needs(const Cluster& cluster,
                                                      const std::string& text);

// Equal for shapes that ask for the same.
std::string shape_key(const sched::Shape& shape);

}  // namespace grappe::embedded
