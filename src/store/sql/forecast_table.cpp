#include "store/sql/forecast_table.h"

#include <soci/soci.h>

#include <algorithm>
#include <climits>

namespace grappe::sql {

void write_forecasts(soci::session& session, const std::vector<ForecastRow>& rows) {
  if (rows.empty()) return;
  long long newest = 0;
  for (const ForecastRow& row : rows) {
    long long job = row.job_id, restarts = row.restarts, made = row.made, median = row.median,
              bound = row.bound, raw_median = row.raw_median, raw_bound = row.raw_bound,
              start = row.start;
    newest = std::max(newest, made);
    session << "INSERT INTO forecast(job_id,restarts,made,user_name,partition_name,median,bound,"
               "raw_median,raw_bound,start_time) VALUES(:job,:restarts,:made,:user,:partition,"
               ":median,:bound,:raw_median,:raw_bound,:start) "
               "ON CONFLICT(job_id,restarts) DO UPDATE SET made=excluded.made,"
               "user_name=excluded.user_name,partition_name=excluded.partition_name,"
               "median=excluded.median,bound=excluded.bound,raw_median=excluded.raw_median,"
               "raw_bound=excluded.raw_bound,start_time=excluded.start_time",
        soci::use(job), soci::use(restarts), soci::use(made), soci::use(row.user),
        soci::use(row.partition), soci::use(median), soci::use(bound), soci::use(raw_median),
        soci::use(raw_bound), soci::use(start);
  }
  const long long oldest = newest - kForecastsKept;
  session << "DELETE FROM forecast WHERE made<:oldest", soci::use(oldest);
}

void each_forecast(soci::session& session, int64_t start, int64_t end, size_t most,
                   const std::function<void(const ForecastRow&)>& take) {
  const long long from = start, to = end;
  const long long limit = most > size_t{LLONG_MAX} ? LLONG_MAX : static_cast<long long>(most);
  ForecastRow row;
  long long job = 0, restarts = 0, made = 0, median = 0, bound = 0, raw_median = 0, raw_bound = 0,
            started = 0;
  soci::statement rows =
      (session.prepare << "SELECT job_id,restarts,made,user_name,partition_name,median,bound,"
                          "raw_median,raw_bound,start_time FROM forecast WHERE made>=:start AND "
                          "made<:end ORDER BY made DESC, job_id DESC LIMIT :most",
       soci::use(from), soci::use(to), soci::use(limit), soci::into(job), soci::into(restarts),
       soci::into(made), soci::into(row.user), soci::into(row.partition), soci::into(median),
       soci::into(bound), soci::into(raw_median), soci::into(raw_bound), soci::into(started));
  rows.execute();
  while (rows.fetch()) {
    row.job_id = static_cast<uint32_t>(job);
    row.restarts = static_cast<uint32_t>(restarts);
    row.made = made;
    row.median = median;
    row.bound = bound;
    row.raw_median = raw_median;
    row.raw_bound = raw_bound;
    row.start = started;
    take(row);
  }
}

}  // namespace grappe::sql
