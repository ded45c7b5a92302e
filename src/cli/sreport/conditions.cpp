#include "cli/sreport/conditions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "base/hostlist.h"
#include "base/text.h"
#include "cli/cluster_name.h"
#include "cli/report.h"

namespace grappe::sreport {
namespace {

void add_words(std::vector<std::string>& list, std::string_view value) {
  for (std::string_view word : split_words(value, ",")) list.emplace_back(word);
}

std::string_view without_quotes(std::string_view value) {
  const bool quoted = value.size() > 1 && (value.front() == '"' || value.front() == '\'') &&
                      value.back() == value.front();
  return quoted ? value.substr(1, value.size() - 2) : value;
}

const ConditionRow* find_condition(std::span<const ConditionRow> rows, std::string_view name,
                                   bool has_value) {
  for (const ConditionRow& row : rows) {
    if (!name.empty() && istarts_with(row.name, name) && has_value == (row.flag == nullptr)) {
      return &row;
    }
  }
  return nullptr;
}

void say_unknown(Session& session, const std::string& word) {
  session.exit_code = 1;
  std::fprintf(stderr, " Unknown condition: %s\nUse keyword set to modify value\n", word.c_str());
}

void set_top_count(Session& session, std::string_view value, Conditions& out) {
  if (auto count = parse_uint(value, UINT32_MAX)) {
    out.top_count = static_cast<uint32_t>(*count);
    return;
  }
  session.exit_code = 1;
  Report("sreport").error(fmt::format("Invalid value for TopCount ({})", value));
}

}  // namespace

void read_conditions(Session& session, std::span<const ConditionRow> rows, Words words,
                     Conditions& out) {
  for (const std::string& word : words) {
    const size_t sign = word.find('=');
    const std::string_view name = std::string_view(word).substr(0, sign);
    const bool has_value = sign != std::string::npos;
    const std::string_view value =
        has_value ? without_quotes(std::string_view(word).substr(sign + 1)) : std::string_view();
    if (!has_value && (iequals(word, "set") || iequals(word, "where"))) continue;
    const ConditionRow* row = find_condition(rows, name, has_value);
    if (!row && !has_value) {
      out.clusters.push_back(word);
    } else if (!row) {
      say_unknown(session, word);
    } else if (row->flag) {
      out.*row->flag = true;
    } else if (row->text) {
      std::string& text = out.*row->text;
      text = row->text == &Conditions::format && !text.empty() ? text + "," + std::string(value)
                                                               : std::string(value);
    } else if (row->list) {
      add_words(out.*row->list, value);
    } else {
      set_top_count(session, value, out);
    }
  }
}

std::optional<Window> window_for(Session& session, const Conditions& conditions) {
  auto window = window_of(conditions.start, conditions.end, std::time(nullptr));
  if (window) return *window;
  // Slurm says so too, but reports yesterday then.
  session.exit_code = 1;
  std::fprintf(stderr, "%s\n", window.error().message.c_str());
  return std::nullopt;
}

std::optional<std::vector<std::string>> nodes_for(Session& session, const Conditions& conditions) {
  if (conditions.nodes.empty()) return std::vector<std::string>();
  const std::string list = join(conditions.nodes, ",");  // "node[1,3]" was taken apart
  auto names = expand_hostlist(list);
  if (names) return *names;
  session.exit_code = 1;
  std::fprintf(stderr, " Invalid value for nodes (%s)\n", list.c_str());
  return std::nullopt;
}

bool concerns_us(Session& session, const Conditions& conditions) {
  if (conditions.all_clusters || (conditions.clusters.empty() && session.clusters.empty())) {
    return true;
  }
  const std::string names =
      conditions.clusters.empty() ? session.clusters : join(conditions.clusters, ",");
  return check_cluster_name(session.calls, names).has_value();
}

bool chosen(const std::vector<std::string>& list, std::string_view name) {
  return list.empty() || std::any_of(list.begin(), list.end(),
                                     [&](const std::string& item) { return iequals(item, name); });
}

}  // namespace grappe::sreport
