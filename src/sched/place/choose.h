// Which nodes a job gets and how many tasks on each, given the room that every node has.
//
// As Slurm's cons_tres does where it shows: the lightest nodes first; among neighbours of one
// weight the smallest run of nodes that is enough, else the largest; one node that fits most
// tightly when one will do, else the nodes of the run in order. Tasks fill a node before the
// next, leaving one for each node still required. -N2-4 spreads to four nodes when it can.
#pragma once

#include <optional>
#include <vector>

#include "sched/place/room.h"

namespace grappe::sched {

class Packing;

struct Placement {
  std::vector<Piece> pieces;  // by node index
};

// The nodes and facts that rooms refer to by index.
struct Ground {
  const std::vector<Node>* nodes = nullptr;
  const std::vector<NodeFacts>* facts = nullptr;
  const Partition* partition = nullptr;
  const Packing* packing = nullptr;  // where this rule is in force

  Site site(NodeIndex n) const { return {&(*nodes)[n], &(*facts)[n], partition}; }
};

// `rooms` are by node index and all of use (tasks > 0).
std::optional<Placement> choose(const Needs& needs, const Ground& ground, std::vector<Room> rooms);

}  // namespace grappe::sched
