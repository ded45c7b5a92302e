#include "cli/sbatch/foreign_directives.h"

#include <algorithm>

#include "base/hostlist.h"
#include "base/memory_size.h"
#include "base/text.h"

namespace grappe {
namespace {

struct Request {
  std::string name;  // a long option of sbatch
  std::string value;
};
using Requests = std::vector<Request>;

// One letter or word of the other language. `option` is its name in sbatch; where the value must
// be translated `translate` gives the options. Neither: it is named as ignored.
struct Foreign {
  std::string_view word;
  bool has_value;
  std::string_view option;
  Requests (*translate)(std::string_view value) = nullptr;
};

// "4gb" of PBS is Slurm's "4G".
std::string pbs_size(std::string_view value) {
  std::string text(value);
  if (!text.empty() && to_lower(text.back()) == 'b') text.pop_back();
  if (!text.empty() && is_digit(text.back())) text += "K";  // bytes, rounded up by far
  if (!text.empty()) text.back() = static_cast<char>(std::toupper(text.back()));
  return text;
}

// "2:ppn=4", "1:ppn=2+2:ppn=1", "node1+node2:gpus=1": parts are added up, names are a list of
// nodes.
Requests pbs_nodes(std::string_view value) {
  uint64_t nodes = 0, per_node = 0, gpus = 0;
  std::vector<std::string> names;
  for (std::string_view part : split_words(value, ":+")) {
    size_t equals = part.find('=');
    bool keyed = equals != std::string_view::npos;
    auto number = parse_uint(keyed ? part.substr(equals + 1) : part, 1'000'000);
    if (part.starts_with("ppn=")) {
      per_node += number.value_or(0);
    } else if (part.starts_with("gpus=")) {
      gpus += number.value_or(0);
    } else if (number) {
      nodes += *number;
    } else {
      names.emplace_back(part);
    }
  }
  Requests out;
  if (nodes) out.push_back({"nodes", std::to_string(nodes)});
  if (per_node) out.push_back({"ntasks", std::to_string(std::max<uint64_t>(nodes, 1) * per_node)});
  if (gpus) out.push_back({"gpus-per-node", std::to_string(gpus)});
  if (!names.empty()) out.push_back({"nodelist", fold_hostlist(names)});
  return out;
}

// -l select=2:ncpus=4:mem=1gb
void pbs_select(std::string_view value, Requests& out) {
  for (std::string_view part : split(value, ':')) {
    size_t equals = part.find('=');
    std::string_view key = part.substr(0, equals);
    std::string text(equals == std::string_view::npos ? part : part.substr(equals + 1));
    if (equals == std::string_view::npos) out.push_back({"nodes", text});
    if (key == "ncpus") out.push_back({"mincpus", text});
    if (key == "mem") out.push_back({"mem", pbs_size(text)});
    if (key == "mpiprocs") out.push_back({"ntasks-per-node", text});
    if (key == "ngpus") out.push_back({"gpus-per-node", text});
  }
}

Requests pbs_resources(std::string_view value) {
  Requests out;
  for (std::string_view part : split(value, ',')) {
    size_t equals = part.find('=');
    std::string_view key = part.substr(0, equals);
    std::string_view text = equals == std::string_view::npos ? "" : part.substr(equals + 1);
    if (key == "walltime") out.push_back({"time", std::string(text)});
    if (key == "mem" || key == "vmem") out.push_back({"mem", pbs_size(text)});
    if (key == "pmem" || key == "pvmem") out.push_back({"mem-per-cpu", pbs_size(text)});
    if (key == "file") out.push_back({"tmp", pbs_size(text)});
    if (key == "ncpus") out.push_back({"mincpus", std::string(text)});
    if (key == "nice") out.push_back({"nice", std::string(text)});
    if (key == "procs") out.push_back({"ntasks", std::string(text)});
    if (key == "select") pbs_select(text, out);
    if (key == "nodes") {
      for (Request& request : pbs_nodes(text)) out.push_back(std::move(request));
    }
  }
  return out;
}

Requests pbs_mail(std::string_view value) {
  std::string types;
  for (char c : value) {
    std::string_view type = c == 'a' ? "FAIL" : c == 'b' ? "BEGIN" : c == 'e' ? "END" : "NONE";
    types += (types.empty() ? "" : ",") + std::string(type);
  }
  return {{"mail-type", types}};
}

Requests pbs_attributes(std::string_view value) {
  Requests out;
  for (std::string_view part : split(value, ',')) {
    if (part.starts_with("depend=")) out.push_back({"dependency", std::string(part.substr(7))});
  }
  return out;
}

constexpr Foreign kPbs[] = {
    {"a", true, "begin"},
    {"A", true, "account"},
    {"e", true, "error"},
    {"h", false, "hold"},
    {"j", true, "", [](std::string_view) { return Requests(); }},  // one file is sbatch's default
    {"J", true, "array"},
    {"l", true, "", pbs_resources},
    {"m", true, "", pbs_mail},
    {"M", true, "mail-user"},
    {"N", true, "job-name"},
    {"o", true, "output"},
    {"p", true, "nice"},
    {"q", true, "partition"},
    {"r", true, "",
     [](std::string_view v) {
       return Requests{{v == "n" ? "no-requeue" : "requeue", ""}};
     }},
    {"t", true, "array"},
    {"v", true, "export"},
    {"V", false, "",
     [](std::string_view) {
       return Requests{{"export", "ALL"}};
     }},
    {"W", true, "", pbs_attributes},
    {"c", true, ""},
    {"C", true, ""},
    {"I", false, ""},
    {"k", true, ""},
    {"S", true, ""},
    {"u", true, ""},
    {"X", false, ""},
    {"z", false, ""},
};

// "2,4" asks for two to four.
Requests bsub_tasks(std::string_view value) {
  return {{"ntasks", std::string(split(value, ',').back())}};
}

// Minutes, or hours:minutes.
Requests bsub_time(std::string_view value) {
  std::string text(value.substr(0, value.find('/')));
  if (text.find(':') != std::string::npos) text += ":00";
  return {{"time", text}};
}

// Kilobytes per process.
Requests bsub_memory(std::string_view value) {
  std::string text(value);
  if (!text.empty() && is_digit(text.back())) text += "K";
  return {{"mem-per-cpu", text}};
}

constexpr Foreign kBsub[] = {
    {"cwd", true, "chdir"},
    {"b", true, "begin"},
    {"e", true, "error"},
    {"H", false, "hold"},
    {"i", true, "input"},
    {"J", true, "job-name"},
    {"m", true, "nodelist"},
    {"M", true, "", bsub_memory},
    {"n", true, "", bsub_tasks},
    {"o", true, "output"},
    {"P", true, "account"},
    {"q", true, "partition"},
    {"r", false, "requeue"},
    {"u", true, "mail-user"},
    {"W", true, "", bsub_time},
    {"x", false, "exclusive"},
    {"c", true, ""},
    {"R", true, ""},
    {"w", true, ""},
};

class Translator {
 public:
  Translator(std::string_view prefix, std::span<const Foreign> table, const JobCommandLine& line,
             const Report& report, JobOptions& options)
      : prefix_(prefix), table_(table), line_(line), report_(report), options_(options) {}

  std::optional<int> apply(const std::vector<std::string>& words) {
    for (size_t i = 0; i < words.size(); ++i) {
      std::string_view word = words[i];
      const Foreign* known = word.starts_with("-") ? find(word.substr(1)) : nullptr;
      if (!known) {
        report_.error("Ignored " + std::string(prefix_) + " word: " + words[i]);
        continue;
      }
      std::string value(word.substr(1 + known->word.size()));
      if (known->has_value && value.empty() && i + 1 < words.size()) value = words[++i];
      if (auto exit = apply_one(*known, value)) return exit;
    }
    return std::nullopt;
  }

 private:
  // The longest word that begins the text: "-cwd" before "-c".
  const Foreign* find(std::string_view text) const {
    const Foreign* best = nullptr;
    for (const Foreign& row : table_) {
      if (text.starts_with(row.word) && (!best || row.word.size() > best->word.size())) best = &row;
    }
    return best;
  }

  std::optional<int> apply_one(const Foreign& row, const std::string& value) {
    if (row.option.empty() && !row.translate) {
      report_.error("Ignored " + std::string(prefix_) + " option: -" + std::string(row.word));
      return std::nullopt;
    }
    if (!row.translate) return line_.apply_one(row.option, value, options_);
    for (const Request& r : row.translate(value)) {
      if (auto exit = line_.apply_one(r.name, r.value, options_)) return exit;
    }
    return std::nullopt;
  }

  std::string_view prefix_;
  std::span<const Foreign> table_;
  const JobCommandLine& line_;
  const Report& report_;
  JobOptions& options_;
};

}  // namespace

std::optional<int> apply_foreign(const Directives& directives, const JobCommandLine& line,
                                 const Report& report, JobOptions& options) {
  if (auto exit = Translator("#PBS", kPbs, line, report, options).apply(directives.pbs)) {
    return exit;
  }
  return Translator("#BSUB", kBsub, line, report, options).apply(directives.bsub);
}

}  // namespace grappe
