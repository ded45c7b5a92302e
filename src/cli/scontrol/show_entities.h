// What answers each entity of `scontrol show`. `words` are the words after the entity: none, or a
// name.
#pragma once

#include "cli/scontrol/session.h"

namespace grappe::scontrol {

// show_jobs.cpp
void show_jobs(Session& session, Words words);
void show_steps(Session& session, Words words);

// show_named.cpp
void show_nodes(Session& session, Words words);
void show_partitions(Session& session, Words words);
void show_reservations(Session& session, Words words);
void show_licenses(Session& session, Words words);
void show_config(Session& session, Words words);
void show_frontend(Session& session, Words words);
void show_topology(Session& session, Words words);
void show_daemons(Session& session, Words words);
void show_aliases(Session& session, Words words);
void show_slurmd(Session& session, Words words);
void show_assoc_mgr(Session& session, Words words);

// show_hosts.cpp
void show_hostnames(Session& session, Words words);
void show_hostlist(Session& session, Words words);
void show_hostlist_sorted(Session& session, Words words);

}  // namespace grappe::scontrol
