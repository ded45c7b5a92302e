#include "embedded/reservation_request.h"

#include <fmt/core.h>

#include "base/datetime.h"
#include "base/duration.h"
#include "base/text.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

struct Context {
  ReservationChange& change;
  char operation;
  int64_t now;
};

using Set = Status (*)(const Context& context, const std::string& value);

Result<int64_t> read_time(const std::string& value, int64_t now) {
  if (value.starts_with('@')) {
    if (auto seconds = parse_uint(std::string_view(value).substr(1), INT64_MAX)) {
      return static_cast<int64_t>(*seconds);
    }
  }
  auto time = parse_datetime(value, now, true);
  if (!time) return slurm_fail(kErrInvalidTime);
  return *time;
}

template <auto member>
Status set_time(const Context& context, const std::string& value) {
  auto time = read_time(value, context.now);
  if (!time) return tl::unexpected(time.error());
  context.change.*member = *time;
  return {};
}

template <auto member>
Status set_span(const Context& context, const std::string& value) {
  auto seconds = parse_duration(value);
  if (!seconds) return slurm_fail(kErrInvalidTime);
  bool endless = *seconds == kInfinite;
  context.change.*member = endless ? kInfinite : minutes_rounded_up(*seconds) * 60;
  return {};
}

Status set_duration(const Context& context, const std::string& value) {
  context.change.duration_operation = context.operation;
  return set_span<&ReservationChange::duration_s>(context, value);
}

template <auto member>
Status set_names(const Context& context, const std::string& value) {
  context.change.*member = NameChange{context.operation, value};
  return {};
}

template <auto member>
Status set_text(const Context& context, const std::string& value) {
  context.change.*member = value;
  return {};
}

Status set_flags(const Context& context, const std::string& value) {
  auto flags = parse_reservation_flags(value, context.operation);
  if (!flags) return fail(kErrGeneric, flags.error().message);
  context.change.flags = *flags;
  return {};
}

// "2", "4k"; several are added up.
Status set_node_count(const Context& context, const std::string& value) {
  uint64_t sum = 0;
  for (std::string_view item : split_words(value, ",")) {
    uint64_t factor = 1;
    if (to_lower(item.back()) == 'k') {
      factor = 1024;
      item.remove_suffix(1);
    }
    auto count = parse_uint(item, 1u << 20);
    if (!count) return slurm_fail(kErrInvalidNodeCount);
    sum += *count * factor;
  }
  context.change.node_count = static_cast<uint32_t>(std::min<uint64_t>(sum, 1u << 30));
  return {};
}

Status add_cores(ReservationChange& change, std::string_view item) {
  auto count = parse_uint(item, 1u << 20);
  if (!count || *count == 0) return slurm_fail(kErrInvalidCpuCount);
  change.cores.push_back(static_cast<uint32_t>(*count));
  return {};
}

Status set_cores(const Context& context, const std::string& value) {
  context.change.cores.clear();
  for (std::string_view item : split_words(value, ",")) {
    if (Status done = add_cores(context.change, item); !done) return done;
  }
  return {};
}

// "cpu=2,2,1,license/matlab=2": a bare number goes on with the list of cpu.
Status set_tres(const Context& context, const std::string& value) {
  ReservationChange& change = context.change;
  std::string licenses;
  for (std::string_view item : split_words(value, ",")) {
    size_t equal = item.find('=');
    std::string_view type = equal == std::string_view::npos ? "" : item.substr(0, equal);
    std::string_view count = equal == std::string_view::npos ? item : item.substr(equal + 1);
    Status done{};
    if (type.empty() || iequals(type, "cpu")) {
      if (!type.empty()) change.cores.clear();
      done = add_cores(change, count);
    } else if (iequals(type, "node")) {
      done = set_node_count(context, std::string(count));
    } else if (istarts_with(type, "license/")) {
      licenses += fmt::format("{}{}:{}", licenses.empty() ? "" : ",", type.substr(8), count);
    } else {
      return slurm_fail(kErrInvalidTres,
                        fmt::format("TRES type '{}' not supported with reservations", type));
    }
    if (!done) return done;
  }
  if (!licenses.empty()) change.licenses = licenses;
  return {};
}

Status refuse_burst_buffer(const Context&, const std::string& value) {
  if (value.empty()) return {};
  return slurm_fail(kErrNotSupported, "burst buffers are not supported on this cluster");
}

Status refuse_watts(const Context&, const std::string&) {
  return slurm_fail(kErrNotSupported, "power can not be reserved on this cluster");
}

struct Key {
  std::string_view name;
  Set set;
  bool takes_signs = false;
};

using Change = ReservationChange;
constexpr Key kKeys[] = {
    {"Accounts", set_names<&Change::accounts>, true},
    {"BurstBuffer", refuse_burst_buffer},
    {"Comment", set_text<&Change::comment>},
    {"CoreCnt", set_cores},
    {"Duration", set_duration, true},
    {"EndTime", set_time<&Change::end>},
    {"Features", set_text<&Change::features>},
    {"Flags", set_flags, true},
    {"Groups", set_names<&Change::groups>, true},
    {"Licenses", set_text<&Change::licenses>},
    {"MaxStartDelay", set_span<&Change::max_start_delay_s>},
    {"NodeCnt", set_node_count},
    {"Nodes", set_text<&Change::nodes>},
    {"PartitionName", set_text<&Change::partition>},
    {"StartTime", set_time<&Change::start>},
    {"TRES", set_tres},
    {"Users", set_names<&Change::users>, true},
    {"Watts", refuse_watts},
};

}  // namespace

Result<ReservationChange> read_reservation(const v1::ChangeReservationRequest& request,
                                           int64_t now) {
  ReservationChange change;
  for (const v1::Setting& setting : request.settings()) {
    std::string_view name = setting.key();
    char operation = 0;
    if (name.ends_with('+') || name.ends_with('-')) {
      operation = name.back();
      name.remove_suffix(1);
    }
    const Key* key = nullptr;
    for (const Key& row : kKeys) {
      if (iequals(row.name, name)) key = &row;
    }
    if (!key) return fail(kErrGeneric, fmt::format("reservations have no setting {}", name));
    if (operation && !key->takes_signs) {
      return fail(kErrGeneric, fmt::format("The +=/-= notation is not supported for {}", name));
    }
    Status done = key->set({change, operation, now}, setting.value());
    if (!done) return tl::unexpected(done.error());
  }
  return change;
}

}  // namespace grappe::embedded
