#include "store/sql/usage_tables.h"

#include <soci/soci.h>

#include <map>

#include "base/local_time.h"
#include "base/text.h"
#include "store/sql/read_rows.h"
#include "store/sql/usage_facts.h"
#include "store/store.h"

namespace grappe::sql {
namespace {

void write(soci::session& session, const NodeEvent& event) {
  long long start = event.start, end = event.end, state = event.state, uid = event.uid;
  const std::string tres = format_tres_counts(event.tres);
  session << "INSERT INTO event(node,start_time,end_time,state,reason,uid,user_name,nodes,tres) "
             "VALUES(:node,:start,:end,:state,:reason,:uid,:user,:nodes,:tres) "
             "ON CONFLICT(node,start_time) DO UPDATE SET end_time=excluded.end_time,"
             "state=excluded.state,reason=excluded.reason,uid=excluded.uid,"
             "user_name=excluded.user_name,nodes=excluded.nodes,tres=excluded.tres",
      soci::use(event.node), soci::use(start), soci::use(end), soci::use(state),
      soci::use(event.reason), soci::use(uid), soci::use(event.user), soci::use(event.nodes),
      soci::use(tres);
}

void write(soci::session& session, const ReservationWindow& window) {
  long long id = window.id, start = window.start, end = window.end, flags = window.flags;
  const std::string tres = format_tres_counts(window.tres);
  std::string who;
  for (uint32_t assoc : window.associations) {
    who += (who.empty() ? "" : ",") + std::to_string(assoc);
  }
  session << "INSERT INTO reservation_window"
             "(id,start_time,end_time,name,flags,nodes,tres,associations) "
             "VALUES(:id,:start,:end,:name,:flags,:nodes,:tres,:who) "
             "ON CONFLICT(id,start_time) DO UPDATE SET end_time=excluded.end_time,"
             "name=excluded.name,flags=excluded.flags,nodes=excluded.nodes,tres=excluded.tres,"
             "associations=excluded.associations",
      soci::use(id), soci::use(start), soci::use(end), soci::use(window.name), soci::use(flags),
      soci::use(window.nodes), soci::use(tres), soci::use(who);
}

void write(soci::session& session, const JobShare& share, const std::string& on_conflict) {
  long long id = share.job_id, restarts = share.restarts, since = share.since;
  const std::string tres = format_tres_counts(share.tres);
  session << "INSERT INTO job_share(job_id,restarts,since,tres) VALUES(:id,:restarts,:since,:tres)"
             " ON CONFLICT(job_id,restarts,since) DO " +
                 on_conflict,
      soci::use(id), soci::use(restarts), soci::use(since), soci::use(tres);
}

void reroll(soci::session& session, int64_t from) {
  // Whoever is rolling up now has read what is no longer true; first, for it waits for this row.
  session << "INSERT INTO meta(key,value) VALUES('usage_version','1') ON CONFLICT(key) DO UPDATE "
             "SET value=CAST(CAST(meta.value AS BIGINT)+1 AS TEXT)";
  std::string kept, purged;
  session << "SELECT value FROM meta WHERE key='usage_until'", soci::into(kept);
  const bool rolled = session.got_data();
  // Of jobs that were removed only the sums are left.
  session << "SELECT value FROM meta WHERE key='purged_until'", soci::into(purged);
  const int64_t until = std::max(hour_start(from), parse_int(purged).value_or(0));
  if (!rolled || parse_int(kept).value_or(0) <= until) return;
  const std::string earlier = std::to_string(until);
  session << "UPDATE meta SET value=:until WHERE key='usage_until'", soci::use(earlier);
}

std::vector<NodeEvent> read_events(soci::session& session, const std::string& condition) {
  NodeEvent event;
  long long start = 0, end = 0, state = 0, uid = 0;
  std::string tres;
  soci::statement rows =
      (session.prepare << "SELECT node,start_time,end_time,state,reason,uid,user_name,nodes,tres "
                          "FROM event WHERE " +
                              condition + " ORDER BY start_time,node",
       soci::into(event.node), soci::into(start), soci::into(end), soci::into(state),
       soci::into(event.reason), soci::into(uid), soci::into(event.user), soci::into(event.nodes),
       soci::into(tres));
  std::vector<NodeEvent> events;
  rows.execute();
  while (rows.fetch()) {
    event.start = start;
    event.end = end;
    event.state = static_cast<uint32_t>(state);
    event.uid = static_cast<uid_t>(uid);
    event.tres = parse_tres_counts(tres);
    events.push_back(event);
  }
  return events;
}

using SharesOfRuns = std::map<std::pair<uint32_t, uint32_t>, std::vector<JobShare>>;

SharesOfRuns read_shares(soci::session& session, const std::string& which) {
  long long id = 0, restarts = 0, since = 0;
  std::string tres;
  soci::statement rows =
      (session.prepare << "SELECT job_id,restarts,since,tres FROM job_share WHERE job_id " + which +
                              " ORDER BY job_id,restarts,since",
       soci::into(id), soci::into(restarts), soci::into(since), soci::into(tres));
  SharesOfRuns shares;
  rows.execute();
  while (rows.fetch()) {
    const std::pair run(static_cast<uint32_t>(id), static_cast<uint32_t>(restarts));
    shares[run].push_back({run.first, run.second, since, parse_tres_counts(tres)});
  }
  return shares;
}

}  // namespace

void see_one_moment(soci::session& session) {
  if (session.get_backend_name() != "postgresql") return;  // SQLite's always do
  session << "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ";
}

void write_usage_facts(soci::session& session, const Changes& changes) {
  for (const NodeEvent& event : changes.events) write(session, event);
  for (const ReservationWindow& window : changes.windows) write(session, window);
  for (const JobShare& share : changes.first_shares) write(session, share, "NOTHING");
  for (const JobShare& share : changes.shares) {
    write(session, share, "UPDATE SET tres=excluded.tres");
  }
  if (changes.reroll_from != INT64_MAX) reroll(session, changes.reroll_from);
}

std::vector<NodeEvent> open_events(soci::session& session) {
  return read_events(session, "end_time=0");
}

std::vector<NodeEvent> events_between(soci::session& session, int64_t start, int64_t end) {
  return read_events(session, "start_time<" + std::to_string(end) +
                                  " AND (end_time=0 OR end_time>" + std::to_string(start) + ")");
}

std::vector<ReservationWindow> windows_between(soci::session& session, int64_t start, int64_t end) {
  ReservationWindow window;
  long long id = 0, from = 0, to = 0, flags = 0, least = start, most = end;
  std::string tres, who;
  soci::statement rows =
      (session.prepare << "SELECT id,start_time,end_time,name,flags,nodes,tres,associations FROM "
                          "reservation_window WHERE end_time>:least AND start_time<:most "
                          "ORDER BY start_time,id",
       soci::use(least), soci::use(most), soci::into(id), soci::into(from), soci::into(to),
       soci::into(window.name), soci::into(flags), soci::into(window.nodes), soci::into(tres),
       soci::into(who));
  std::vector<ReservationWindow> windows;
  rows.execute();
  while (rows.fetch()) {
    window.id = static_cast<uint32_t>(id);
    window.start = from;
    window.end = to;
    window.flags = static_cast<uint32_t>(flags);
    window.tres = parse_tres_counts(tres);
    window.associations.clear();
    for (std::string_view word : split_words(who, ",")) {
      window.associations.push_back(static_cast<uint32_t>(parse_uint(word).value_or(0)));
    }
    windows.push_back(window);
  }
  return windows;
}

UsageFacts facts_between(soci::session& session, int64_t start, int64_t end) {
  UsageFacts facts;
  facts.events = events_between(session, start, end);
  facts.windows = windows_between(session, start, end);
  HistoryQuery query;
  query.start_time = start;
  query.end_time = end;
  const std::string which = among(query);
  facts.each_job = [&session, which, shares = read_shares(session, which)](
                       const std::function<void(const UsageJob&)>& take) {
    each_job(session, which, JobPart::kForLists, [&](Job&& job) {
      UsageJob use = usage_job(job);
      if (auto found = shares.find({job.id, job.restarts}); found != shares.end()) {
        use.shares = found->second;
      }
      take(use);
    });
  };
  return facts;
}

}  // namespace grappe::sql
