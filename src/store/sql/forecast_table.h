// The rows of forecasts.
#pragma once

#include <functional>
#include <vector>

#include "store/forecast_row.h"

namespace soci {
class session;
}

namespace grappe::sql {

void write_forecasts(soci::session& session, const std::vector<ForecastRow>& rows);
// Made in [start, end), the newest first, at most so many.
void each_forecast(soci::session& session, int64_t start, int64_t end, size_t most,
                   const std::function<void(const ForecastRow&)>& take);

}  // namespace grappe::sql
