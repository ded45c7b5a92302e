// The sums of hours, days and months: how they are made, and what a report reads of them.
#include <soci/soci.h>

#include <array>
#include <string>

#include "base/local_time.h"
#include "base/text.h"
#include "store/sql/usage_facts.h"
#include "store/sql/usage_tables.h"
#include "store/store.h"

namespace grappe::sql {
namespace {

constexpr const char* kUses = "allocated,down,planned_down,idle,planned,overcommitted";

// The three tables of each kind, and what one of them is made of from the next smaller.
struct SumTable {
  const char* name;
  const char* keys;
  const char* sums;
};
constexpr std::array<SumTable, 3> kTables{{
    {"usage", "assoc_id,tres", "SUM(seconds)"},
    {"wckey", "wckey,user_name,tres", "SUM(seconds)"},
    {"cluster", "tres",
     "MAX(amount),SUM(allocated),SUM(down),SUM(planned_down),SUM(idle),SUM(planned),"
     "SUM(overcommitted)"},
}};

std::string meta(soci::session& session, const std::string& key) {
  std::string value;
  session << "SELECT value FROM meta WHERE key=:key", soci::use(key), soci::into(value);
  return session.got_data() ? value : "";
}

int64_t kept_until(soci::session& session) {
  return parse_int(meta(session, kUsageUntil)).value_or(0);
}

// Changes the value only if it is still the one that was read; also keeps others from changing it
// until this transaction is over.
bool swap_meta(soci::session& session, const std::string& key, const std::string& before,
               const std::string& after) {
  soci::statement update =
      (session.prepare << "UPDATE meta SET value=:after WHERE key=:key AND value=:before",
       soci::use(after), soci::use(key), soci::use(before));
  update.execute(true);
  return update.get_affected_rows() == 1;
}

// The first time that anything is known of.
int64_t beginning(soci::session& session, int64_t otherwise) {
  int64_t first = otherwise;
  for (const char* query : {"SELECT MIN(submit_time) FROM job WHERE submit_time>0",
                            "SELECT MIN(start_time) FROM event"}) {
    long long time = 0;
    soci::indicator found = soci::i_null;
    session << query, soci::into(time, found);
    if (found == soci::i_ok) first = std::min<int64_t>(first, time);
  }
  return hour_start(first);
}

void insert_sums(soci::session& session, long long start, const UsageSums& sums) {
  long long id = 0, seconds = 0;
  std::string wckey, user, tres;
  soci::statement usage = (session.prepare << "INSERT INTO usage_hour(start_time,assoc_id,tres,"
                                              "seconds) VALUES(:start,:id,:tres,:seconds)",
                           soci::use(start), soci::use(id), soci::use(tres), soci::use(seconds));
  for (const auto& [assoc, counts] : sums.by_association) {
    id = assoc;
    for (const auto& [name, value] : counts) {
      if (!value) continue;
      tres = name;
      seconds = static_cast<long long>(value);
      usage.execute(true);
    }
  }
  soci::statement keyed =
      (session.prepare << "INSERT INTO wckey_hour(start_time,wckey,user_name,"
                          "tres,seconds) VALUES(:start,:key,:user,:tres,:s)",
       soci::use(start), soci::use(wckey), soci::use(user), soci::use(tres), soci::use(seconds));
  for (const auto& [key, counts] : sums.by_wckey) {
    std::tie(wckey, user) = key;
    for (const auto& [name, value] : counts) {
      if (!value) continue;
      tres = name;
      seconds = static_cast<long long>(value);
      keyed.execute(true);
    }
  }
}

void insert_cluster(soci::session& session, long long start, const UsageSums& sums) {
  std::string tres;
  std::array<long long, 7> v{};
  soci::statement row =
      (session.prepare << std::string("INSERT INTO cluster_hour(start_time,tres,amount,") + kUses +
                              ") VALUES(:start,:tres,:n,:a,:d,:pd,:i,:p,:o)",
       soci::use(start), soci::use(tres), soci::use(v[0]), soci::use(v[1]), soci::use(v[2]),
       soci::use(v[3]), soci::use(v[4]), soci::use(v[5]), soci::use(v[6]));
  for (const auto& [name, use] : sums.cluster) {
    tres = name;
    const std::array<uint64_t, 7> values{use.amount,       use.allocated, use.down,
                                         use.planned_down, use.idle,      use.planned,
                                         use.overcommitted};
    std::copy(values.begin(), values.end(), v.begin());
    row.execute(true);
  }
}

std::string between(int64_t start, int64_t end) {
  return " WHERE start_time>=" + std::to_string(start) + " AND start_time<" + std::to_string(end);
}

void clear_sums(soci::session& session, const std::string& kind, int64_t start, int64_t end) {
  for (const SumTable& table : kTables) {
    session << std::string("DELETE FROM ") + table.name + kind + between(start, end);
  }
}

// The sums of a day from those of its hours, or of a month from those of its days.
void gather(soci::session& session, const std::string& kind, const std::string& smaller,
            int64_t start, int64_t end) {
  clear_sums(session, kind, start, start + 1);
  for (const SumTable& table : kTables) {
    session << std::string("INSERT INTO ") + table.name + kind + " SELECT " +
                   std::to_string(start) + "," + table.keys + "," + table.sums + " FROM " +
                   table.name + smaller + between(start, end) + " GROUP BY " + table.keys;
  }
}

struct Mark {
  int64_t until;
  std::string version;
};

// Writes the hours between bounds[first] and bounds[last], which are of one day. False: what they
// were made of has changed meanwhile.
bool write_day(soci::session& session, Mark& mark, const std::vector<int64_t>& bounds,
               const std::vector<UsageSums>& sums, size_t first, size_t last) {
  const bool sqlite = session.get_backend_name() == "sqlite3";
  session << (sqlite ? "BEGIN IMMEDIATE" : "BEGIN");
  const int64_t start = bounds[first], end = bounds[last];
  if (!swap_meta(session, "usage_version", mark.version, mark.version) ||
      !swap_meta(session, kUsageUntil, std::to_string(mark.until), std::to_string(end))) {
    session << "ROLLBACK";
    return false;
  }
  clear_sums(session, "_hour", start, end);
  for (size_t i = first; i < last; ++i) {
    insert_sums(session, bounds[i], sums[i]);
    insert_cluster(session, bounds[i], sums[i]);
  }
  if (end == day_start(end)) gather(session, "_day", "_hour", day_start(start), end);
  if (end == month_start(end)) gather(session, "_month", "_day", month_start(start), end);
  session << "COMMIT";
  mark.until = end;
  return true;
}

// One pass over the jobs, one transaction for each day.
void roll_up_to(soci::session& session, Mark& mark, int64_t until) {
  const std::vector<int64_t> bounds = hour_bounds(mark.until, until);
  std::vector<UsageSums> sums;
  {
    soci::transaction moment(session);
    see_one_moment(session);
    if (kept_until(session) != mark.until || meta(session, "usage_version") != mark.version) {
      return;
    }
    sums = sum_up(bounds, facts_between(session, bounds.front(), bounds.back()));
  }
  for (size_t first = 0; first + 1 < bounds.size();) {
    const int64_t day_end = next_day(bounds[first]);
    size_t last = first + 1;
    while (last + 1 < bounds.size() && bounds[last] < day_end) ++last;
    if (!write_day(session, mark, bounds, sums, first, last)) return;
    first = last;
  }
}

void read_sums(soci::session& session, const std::string& kind, const UsagePart& part,
               UsageSums& out) {
  long long id = 0, seconds = 0;
  std::string wckey, user, tres;
  const std::string span = kind + between(part.start, part.end);
  soci::statement usage = (session.prepare << "SELECT assoc_id,tres,SUM(seconds) FROM usage" +
                                                  span + " GROUP BY assoc_id,tres",
                           soci::into(id), soci::into(tres), soci::into(seconds));
  usage.execute();
  while (usage.fetch()) {
    out.by_association[static_cast<uint32_t>(id)][tres] += static_cast<uint64_t>(seconds);
  }
  soci::statement keyed =
      (session.prepare << "SELECT wckey,user_name,tres,SUM(seconds) FROM wckey" + span +
                              " GROUP BY wckey,user_name,tres",
       soci::into(wckey), soci::into(user), soci::into(tres), soci::into(seconds));
  keyed.execute();
  while (keyed.fetch()) out.by_wckey[{wckey, user}][tres] += static_cast<uint64_t>(seconds);
}

void read_cluster(soci::session& session, const std::string& kind, const UsagePart& part,
                  UsageSums& out) {
  std::string tres;
  std::array<long long, 7> v{};
  soci::statement rows =
      (session.prepare << std::string("SELECT tres,") + kTables[2].sums + " FROM cluster" + kind +
                              between(part.start, part.end) + " GROUP BY tres",
       soci::into(tres), soci::into(v[0]), soci::into(v[1]), soci::into(v[2]), soci::into(v[3]),
       soci::into(v[4]), soci::into(v[5]), soci::into(v[6]));
  rows.execute();
  while (rows.fetch()) {
    std::array<uint64_t, 7> n{};
    std::copy(v.begin(), v.end(), n.begin());
    out.cluster[tres] += ClusterUse{n[0], n[1], n[2], n[3], n[4], n[5], n[6]};
  }
}

}  // namespace

UsageSums usage_between(soci::session& session, int64_t start, int64_t end) {
  constexpr std::array<const char*, 3> kKinds{"_hour", "_day", "_month"};
  UsageSums out;
  for (const UsagePart& part : parts_of(start, end, kept_until(session))) {
    if (part.kind != UsagePart::kNotKept) {
      read_sums(session, kKinds[part.kind], part, out);
      read_cluster(session, kKinds[part.kind], part, out);
      continue;
    }
    std::vector<int64_t> bounds = hour_bounds(part.start, part.end);
    if (bounds.back() < part.end) bounds.push_back(part.end);
    for (const UsageSums& sums : sum_up(bounds, facts_between(session, part.start, part.end))) {
      out += sums;
    }
  }
  return out;
}

int64_t roll_up(soci::session& session, int64_t until) {
  if (meta(session, kUsageUntil).empty()) {
    const std::string first = std::to_string(beginning(session, until));
    session << "INSERT INTO meta(key,value) VALUES('usage_until',:first) ON CONFLICT DO NOTHING",
        soci::use(first);
  }
  session << "INSERT INTO meta(key,value) VALUES('usage_version','0') ON CONFLICT DO NOTHING";
  Mark mark{kept_until(session), meta(session, "usage_version")};
  // What is summed up is held in memory.
  if (next_hour(mark.until) <= until) {
    roll_up_to(session, mark, std::min(until, next_month(mark.until)));
  }
  return mark.until;
}

}  // namespace grappe::sql
