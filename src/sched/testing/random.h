// Random machines and queues for property tests (rapidcheck draws the numbers).
#pragma once

#include "sched/testing/builders.h"

namespace grappe::sched::testing {

// In [low, high], evenly, however far the run is.
uint32_t number(uint32_t low, uint32_t high);
bool coin(uint32_t one_in);

NodeSpec random_node();
// A job that asks for anything that a job can.
JobSpec random_job(const Cluster& c);
// Some of the switchable rules of placement.
void fill_rules(Policy& policy);
// How many planned starts are kept, in which pools.
void fill_protection(Policy& policy);
// Up to five nodes, three partitions, running jobs, a reservation, fifteen pending jobs, policy.
void fill_randomly(Cluster& c);

}  // namespace grappe::sched::testing
