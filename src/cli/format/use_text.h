// What steps used, as sacct and sstat write it: amounts, and lists of TRES such as
// "cpu=00:00:02,energy=0,fs/disk=1M,mem=100M,pages=0,vmem=200M".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/memory_size.h"
#include "grappe/v1/usage.pb.h"

namespace grappe {

struct UseStyle {
  Shorten shorten = Shorten::kExact;
  std::optional<Unit> unit;  // --units
};

std::string use_amount(uint64_t bytes, const UseStyle& style);

// The name of the node on which a task runs; empty where that is not known.
std::string use_node(const v1::StepUse& use, uint32_t task);

enum class UsePart { kAverage, kMost, kLeast, kTotal };
enum class UseWay { kIn, kOut };

// The amount of one quantity.
uint64_t use_part(const v1::Spread& spread, UsePart part, uint32_t tasks);

std::string use_tres(const v1::StepUse& use, UseWay way, UsePart part, uint32_t tasks,
                     const UseStyle& style);
// Where and by which task: kMost or kLeast.
std::string use_tres_nodes(const v1::StepUse& use, UseWay way, UsePart part);
std::string use_tres_tasks(const v1::StepUse& use, UseWay way, UsePart part);

}  // namespace grappe
