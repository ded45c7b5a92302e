#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <unordered_set>

#include "base/duration.h"
#include "base/hostlist.h"
#include "base/text.h"
#include "cli/report.h"
#include "cli/sinfo/fields.h"
#include "cli/sinfo/sinfo.h"
#include "cli/sinfo/sort.h"
#include "model/node_state.h"

namespace grappe {
namespace {

std::string_view name_of_letter(char letter) {
  for (const NodeField& field : node_fields()) {
    if (field.letter == letter) return field.name;
  }
  return "";
}

// -O all: every letter's column in place of the word.
Format expand_all(const Format& format) {
  Format expanded;
  for (const Column& column : format.columns) {
    if (!iequals(column.key, "all")) {
      expanded.columns.push_back(column);
      continue;
    }
    for (Column letter : parse_letter_format(kNodeAllFormat).columns) {
      letter.key = name_of_letter(letter.key[0]);
      expanded.columns.push_back(std::move(letter));
    }
  }
  return expanded;
}

NodeTable make_table(const SinfoOptions::ChosenFormat& chosen) {
  if (!chosen.letters) {
    return NodeTable(
        expand_all(parse_name_format(chosen.text)), node_fields(), false, [](std::string_view key) {
          Report("sinfo").error("Invalid job format specification: " + std::string(key));
          suggest(key, field_names(node_fields()));
        });
  }
  bool all = iequals(chosen.text, "%all");
  return NodeTable(parse_letter_format(all ? kNodeAllFormat : chosen.text), node_fields(), true,
                   [](std::string_view key) {
                     std::fprintf(stderr, "Invalid node format specification: %c\n",
                                  key.empty() ? '\0' : key[0]);
                   });
}

// The columns of the built-in formats are as wide as their widest value.
void fit_columns(NodeTable& table, const std::vector<NodeGroup>& groups,
                 const SinfoOptions::ChosenFormat& chosen) {
  for (NodeTable::Cell& cell : table.cells()) {
    if (!cell.field) continue;
    for (const NodeGroup& group : groups) {
      size_t needed = 0;
      if (chosen.fit_partitions && cell.field->letter == 'P') {
        needed = marked_name(*group.partition).size();
      }
      if (chosen.fit_nodes && cell.field->letter == 'N') needed = node_names(group).size();
      cell.width = std::max(cell.width, static_cast<unsigned>(needed));
    }
  }
}

std::vector<const v1::NodeInfo*> wanted_nodes(const v1::NodesResponse& nodes,
                                              const SinfoOptions& options) {
  std::unordered_set<std::string> named;
  if (options.nodes) {
    auto names = expand_hostlist(*options.nodes);
    if (names) named.insert(names->begin(), names->end());
  }
  std::vector<const v1::NodeInfo*> wanted;
  for (const v1::NodeInfo& node : nodes.nodes()) {
    bool answers = !(node.state() & kNodeNoRespond);
    if (options.nodes && !named.contains(node.name()) && !named.contains(node.hostname())) continue;
    if ((options.dead && answers) || (options.responding && !answers)) continue;
    if (options.states && !options.states->matches(node.state())) continue;
    wanted.push_back(&node);
  }
  return wanted;
}

std::vector<const v1::PartitionInfo*> wanted_partitions(const v1::PartitionsResponse& partitions,
                                                        const SinfoOptions& options) {
  std::vector<const v1::PartitionInfo*> wanted;
  for (const v1::PartitionInfo& partition : partitions.partitions()) {
    const auto& names = options.partitions;
    bool named =
        !names || std::find(names->begin(), names->end(), partition.name()) != names->end();
    if (named) wanted.push_back(&partition);
  }
  return wanted;
}

}  // namespace

void print_nodes(const v1::NodesResponse& nodes, const v1::PartitionsResponse& partitions,
                 const SinfoOptions& options, Output& output) {
  SinfoOptions::ChosenFormat chosen = options.chosen_format();
  NodeTable table = make_table(chosen);
  GroupOptions grouping;
  grouping.match = table.needs();
  grouping.exact = options.exact;
  grouping.node_lines = options.node_lines;
  grouping.keep_empty = !options.list_reasons && (table.needs() & match::kPartition);
  std::vector<NodeGroup> groups =
      group_nodes(wanted_partitions(partitions, options), wanted_nodes(nodes, options), grouping);
  sort_groups(groups, options.chosen_sort());
  fit_columns(table, groups, chosen);
  if (!options.no_header) table.append_header(output.text());
  GroupContext context;
  context.times = TimestampFormat::from_environment(nodes.now());
  for (const NodeGroup& group : groups) {
    table.append_row(output.text(), group, context);
    output.row_done();
  }
}

void print_reservations(const v1::ReservationsResponse& reservations, const SinfoOptions& options,
                        Output& output) {
  if (reservations.reservations().empty()) {
    output.text() += "No reservations in the system\n";
    return;
  }
  size_t width = 9;
  for (const v1::ReservationInfo& r : reservations.reservations()) {
    width = std::max(width, r.name().size());
  }
  auto line = [&](std::string_view name, std::string_view state, std::string_view start,
                  std::string_view end, std::string_view duration, std::string_view nodes) {
    output.text() += fmt::format("{:<{}} {:>9}  {:>19}  {:>19}  {:>11}  {}\n", name, width, state,
                                 start, end, duration, nodes);
    output.row_done();
  };
  if (!options.no_header) {
    line("RESV_NAME", "STATE", "START_TIME", "END_TIME", "DURATION", "NODELIST");
  }
  TimestampFormat times = TimestampFormat::from_environment(reservations.now());
  for (const v1::ReservationInfo& r : reservations.reservations()) {
    std::string start;
    std::string end;
    times.append(start, r.start_time());
    times.append(end, r.end_time());
    bool active = r.start_time() <= reservations.now() && reservations.now() < r.end_time();
    line(r.name(), active ? "ACTIVE" : "INACTIVE", start, end,
         format_duration(r.end_time() - r.start_time()), r.nodes());
  }
}

}  // namespace grappe
