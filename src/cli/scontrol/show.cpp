// `scontrol show`: the entities as a table.
#include <fmt/core.h>

#include <cstdlib>

#include "base/text.h"
#include "cli/scontrol/keywords.h"
#include "cli/scontrol/show_entities.h"

namespace grappe::scontrol {
namespace {

struct Entity {
  std::string_view name;
  size_t shortest;
  // `words` are those after the entity, at most one unless `many`.
  void (*run)(Session& session, Words words);
  bool many = false;
  bool alias = false;  // of another row: works, and is not offered
};

// Slurm answers nothing where a site has none of these.
void nothing(Session&, Words) {}

constexpr Entity kEntities[] = {
    {"aliases", 1, show_aliases},
    {"assoc_mgr", 2, show_assoc_mgr, true},
    {"bbstat", 2, nothing, true},
    {"burstbuffer", 2, nothing},
    {"cache", 2, show_assoc_mgr, true, true},
    {"config", 1, show_config},
    {"daemons", 1, show_daemons},
    {"dwstat", 2, nothing, true},
    {"federation", 1, nothing},
    {"frontend", 2, show_frontend},
    {"hostlist", 5, show_hostlist},
    {"hostlistsorted", 9, show_hostlist_sorted},
    {"hostnames", 5, show_hostnames},
    {"jobs", 1, show_jobs},
    {"jobid", 4, show_jobs},
    {"licenses", 2, show_licenses},
    {"nodes", 1, show_nodes},
    {"partitions", 2, show_partitions},
    {"partitionname", 10, show_partitions, false, true},
    {"reservations", 1, show_reservations},
    {"reservationname", 12, show_reservations},
    {"slurmd", 2, show_slurmd},
    {"steps", 2, show_steps},
    {"topology", 1, show_topology},
};

}  // namespace

std::vector<std::string> entity_names() {
  std::vector<std::string> names;
  for (const Entity& row : kEntities) {
    if (!row.alias) names.emplace_back(row.name);
  }
  return names;
}

// "show job 12" and "show job=12" are the same.
void show(Session& session, Words words) {
  std::string entity = words[1];
  std::vector<std::string> rest(words.begin() + 2, words.end());
  if (size_t equal = entity.find('='); equal != std::string::npos) {
    rest.insert(rest.begin(), entity.substr(equal + 1));
    entity.resize(equal);
  }
  for (const Entity& row : kEntities) {
    if (!abbreviates(entity, row.name, row.shortest)) continue;
    if (rest.size() > 1 && !row.many)
      return session.complain("too many arguments for keyword:" + words[0]);
    return row.run(session, rest);
  }
  session.complain(fmt::format("invalid entity:{} for keyword:{} ", words[1], words[0]));
  session.suggest(entity, entity_names());
}

}  // namespace grappe::scontrol
