// The sentences of `grappe why` in each language; {} are filled in.
#pragma once

#include <string_view>

#include "cli/why/why_text.h"

namespace grappe {

enum class Phrase {
  kWaits,   // job, name, reason
  kRuns,    // job, name
  kIsOver,  // job, name, state
  kNow,
  kInAbout,   // a span
  kExpected,  // clock, from now, nodes
  kAfterEnd,  // jobs
  kMayBePassed,
  kReservationBegins,  // name, clock, from now
  kReserved,           // name, nodes, clock, clock
  kNotInSight,
  kFitsNow,
  kAhead,  // number
  kAheadOne,
  kAheadJob,  // job, user, priority
  kAndMore,   // number
  kAndOneMore,
  kSomebody,
  kFree,         // node, list
  kFreeOf,       // free, total, what
  kTooLittle,    // list
  kUnavailable,  // node
  kCpus,
  kMemory,
  kSooner,
  kStarts,   // when
  kWithout,  // option
  kNoRemedy,
  kLimitAdvice,  // reason
  kInPartition,  // partition, reason
  kLimit,        // name and amount, owner
  kOfUser,       // user, account
  kOfAccount,    // account
  kOfQos,        // QoS
  kOfPartition,  // QoS of the partition
  kEachUser,     // owner, user
  kEachAccount,  // owner, account
  kInUse,        // amount, number of jobs, asked
  kInUseOne,     // amount, asked
  kUsedSoFar,    // amount, asked
  kAlone,        // asked
  kAtLeast,      // asked
  kHasShare,     // factor
  kTakers,       // list
  kTaker,        // job, user, amount, until
  kFrees,        // clock, from now
  kDecays,       // clock, from now
  kStaysTaken,
};

std::string_view phrase(Phrase phrase, Language language);

// What a reason of Slurm's means; empty: it has no words of its own.
std::string_view reason_meaning(std::string_view reason, Language language);

}  // namespace grappe
