#include "cli/sinfo/options.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "cli/docs/option_tables.h"
#include "cli/options/option_table.h"
#include "cli/report.h"
#include "cli/sinfo/sort.h"

namespace grappe {
namespace {

using Opt = SinfoOptions;

#define FLAG(member)  \
  [](Opt& o, Value) { \
    o.member = true;  \
    return Status();  \
  }
#define TEXT(member)    \
  [](Opt& o, Value v) { \
    o.member = v.text;  \
    return Status();    \
  }

Status set_states(Opt& o, Value v) {
  auto filter = NodeStateFilter::parse(v.text);
  if (!filter) return tl::unexpected<Error>(filter.error());
  o.typed_states = v.text;
  o.states = std::move(*filter);
  return {};
}

Status set_partitions(Opt& o, Value v) {
  o.typed_partitions = v.text;
  o.partitions.emplace();
  for (std::string_view name : split_words(v.text, ",")) o.partitions->emplace_back(name);
  return {};
}

Status set_iterate(Opt& o, Value v) {
  auto seconds = parse_uint(v.text, INT32_MAX);
  if (!seconds || *seconds == 0) {
    return fail(fmt::format("Error: invalid entry for --iterate={}", v.text));
  }
  o.iterate_s = static_cast<uint32_t>(*seconds);
  return {};
}

constexpr CommandHelp kSinfo{
    .name = "sinfo", .operands = "", .purpose = "list nodes and partitions"};

constexpr Option<Opt> kOptions[] = {
    {"all", 'a', Arg::none, "SINFO_ALL", "", "hidden partitions too", FLAG(all_partitions)},
    {"clusters", 'M', Arg::required, "SLURM_CLUSTERS", "names", "clusters to ask", TEXT(clusters)},
    {"dead", 'd', Arg::none, "", "", "only nodes that do not respond", FLAG(dead)},
    {"exact", 'e', Arg::none, "", "", "nodes share a line only if their sizes are equal",
     FLAG(exact)},
    {"federation", 0, Arg::none, "SINFO_FEDERATION", "", "the whole federation", FLAG(federation)},
    {"format", 'o', Arg::required, "", "format", "columns by letter: \"%10P %.5a %N\"",
     TEXT(format)},
    {"Format", 'O', Arg::required, "", "format", "columns by name: \"partition,nodelist:20\"",
     [](Opt& o, Value v) {
       o.format = v.text;
       o.long_names = true;
       return Status();
     }},
    {"help", 0, Arg::none, "", "", "show this help"},
    {"hide", 0, Arg::none, "", "", "no hidden partitions",
     [](Opt& o, Value) {
       o.all_partitions = false;
       return Status();
     }},
    {"iterate", 'i', Arg::required, "", "seconds", "repeat the list every so many seconds",
     set_iterate},
    {"json", 0, Arg::none, "", "", "JSON of every node", FLAG(json)},
    {"list-reasons", 'R', Arg::none, "", "", "why nodes are down or drained", FLAG(list_reasons)},
    {"local", 0, Arg::none, "SINFO_LOCAL", "", "this cluster only", FLAG(local)},
    {"long", 'l', Arg::none, "", "", "more columns", FLAG(long_output)},
    {"noconvert", 0, Arg::none, "", "", "amounts in their own unit",
     [](Opt& o, Value) {
       o.convert = false;
       return Status();
     }},
    {"Node", 'N', Arg::none, "", "", "a line for each node", FLAG(node_lines)},
    {"nodes", 'n', Arg::required, "", "nodes", "these nodes only: node[1-3]", TEXT(nodes)},
    {"noheader", 'h', Arg::none, "", "", "no line of headers", FLAG(no_header)},
    {"partition", 'p', Arg::required, "SINFO_PARTITION", "partitions", "these partitions only",
     set_partitions},
    {"reservation", 'T', Arg::none, "", "", "reservations only", FLAG(reservations)},
    {"responding", 'r', Arg::none, "", "", "only nodes that respond", FLAG(responding)},
    {"sort", 'S', Arg::required, "SINFO_SORT", "fields",
     "sort by these columns: letters, + or - before each", TEXT(sort)},
    {"states", 't', Arg::required, "", "states", "nodes in these states: idle,drain", set_states},
    {"summarize", 's', Arg::none, "", "", "counts by state", FLAG(summarize)},
    {"usage", 0, Arg::none, "", "", "show every option in a few lines"},
    {"verbose", 'v', Arg::none, "", "", "say what is done",
     [](Opt& o, Value) {
       ++o.verbosity;
       return Status();
     }},
    {"version", 'V', Arg::none, "", "", "print the version and exit"},
    {"yaml", 0, Arg::none, "", "", "YAML output", nullptr,
     "this service writes JSON; any JSON is YAML 1.2, so --json serves"},
};

struct BuiltIn {
  bool fit_nodes;
  std::string_view text;
};

BuiltIn built_in_format(const Opt& o) {
  if (o.summarize) {
    return {false, "partition:9 ,available:.5 ,time:.10 ,nodeaiot:.16 ,nodelist:0"};
  }
  if (o.node_lines && o.long_output) {
    return {true,
            "nodelist:9 ,nodes:.6 ,partition:.9 ,statelong:.11 ,cpus:4 ,socketcorethread:.8 ,"
            "memory:.6 ,disk:.8 ,weight:.6 ,features:.8 ,reason:20"};
  }
  if (o.node_lines) return {true, "nodelist:9 ,nodes:.6 ,partition:.9 ,statecompact:6"};
  if (o.list_reasons && o.long_output) {
    return {false, "reason:20 ,userlong:12 ,timestamp:19 ,statecompact:6 ,nodelist:0"};
  }
  if (o.list_reasons) return {false, "reason:20 ,user:9 ,timestamp:19 ,nodelist:0"};
  if (o.long_output) {
    return {false,
            "partition:9 ,available:.5 ,time:.10 ,size:.10 ,root:.4 ,oversubscribe:.8 ,groups:.10 ,"
            "nodes:.6 ,statelong:.11 ,nodelist:0"};
  }
  return {false, "partition:9 ,available:.5 ,time:.10 ,nodes:.6 ,statecompact:.6 ,nodelist:0"};
}

}  // namespace

std::optional<int> read_sinfo_options(int argc, char** argv, SinfoOptions& options) {
  Parsed parsed = read_options(kSinfo, kOptions, argc, argv, options);
  if (parsed.exit_code) return parsed.exit_code;
  if (options.format && !options.long_names && options.long_output) {
    Report("sinfo").fatal(
        "Options -o(--format) and -l(--long) are mutually exclusive. Please remove one and retry.");
    return 1;
  }
  if (options.list_reasons && !options.states) options.states = NodeStateFilter::unavailable();
  return std::nullopt;
}

SinfoOptions::ChosenFormat SinfoOptions::chosen_format() const {
  if (format) return {*format, !long_names, false, false};
  if (const char* env = std::getenv("SINFO_FORMAT")) return {env, true, false, false};
  BuiltIn chosen = built_in_format(*this);
  return {std::string(chosen.text), false, true, chosen.fit_nodes};
}

std::string_view SinfoOptions::chosen_sort() const {
  if (sort) return *sort;
  return node_lines ? kNodeSort : summarize ? kSummarySort : kPartitionSort;
}

std::string describe_options(const SinfoOptions& o) {
  std::string rule = "-----------------------------\n";
  std::string out = rule;
  auto line = [&](std::string_view name, const auto& value) {
    out += fmt::format("{:<11} = {}\n", name, value);
  };
  SinfoOptions::ChosenFormat chosen = o.chosen_format();
  bool filters = o.dead || o.responding || o.nodes || o.partitions || o.states;
  line("dead", o.dead);
  line("exact", o.exact ? 1 : 0);
  line("filtering", filters);
  line("format", chosen.text);
  line("iterate", o.iterate_s);
  line("long", o.long_output);
  line("no_header", o.no_header);
  line("node_field", chosen.fit_nodes);
  line("node_format", o.node_lines);
  line("nodes", o.nodes.value_or("n/a"));
  line("part_field", chosen.fit_partitions);
  line("partition", o.typed_partitions.value_or("n/a"));
  line("responding", o.responding);
  line("states", o.typed_states.value_or("(null)"));
  line("sort", o.sort.value_or("(null)"));
  line("summarize", o.summarize);
  line("verbose", o.verbosity);
  return out + rule + "\n";
}

OptionTable sinfo_table() {
  return {kSinfo, bare_options(kOptions)};
}

}  // namespace grappe
