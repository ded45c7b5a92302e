#include "cli/sacctmgr/flat_file.h"

#include <fmt/core.h>

#include "base/text.h"

namespace grappe::sacctmgr {
namespace {

// "'a:b':c=d" -> {"'a:b'", "c=d"}
std::vector<std::string> split_outside_quotes(std::string_view text) {
  std::vector<std::string> parts(1);
  char quote = 0;
  for (char c : text) {
    if (!quote && c == ':') {
      parts.emplace_back();
      continue;
    }
    if (quote == c) {
      quote = 0;
    } else if (!quote && (c == '\'' || c == '"')) {
      quote = c;
    }
    parts.back() += c;
  }
  return parts;
}

// The title that a line begins with, in Slurm's words for it and its older ones.
std::string title_of(std::string_view typed) {
  struct Title {
    std::string_view name, means;
  };
  constexpr Title kTitles[] = {{"Machine", "cluster"}, {"Cluster", "cluster"}, {"Parent", "parent"},
                               {"Project", "account"}, {"Account", "account"}, {"User", "user"}};
  for (const Title& title : kTitles) {
    if (iequals(typed, title.name)) return std::string(title.means);
  }
  return "";
}

}  // namespace

Result<std::vector<FileLine>> parse_flat_file(std::string_view text) {
  std::vector<FileLine> lines;
  size_t number = 0;
  for (std::string_view raw : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(raw);
    if (line.empty() || line[0] == '#') continue;
    const size_t dash = line.find(" - ");
    const std::string title =
        dash == std::string_view::npos ? "" : title_of(trim(line.substr(0, dash)));
    if (title.empty()) return fail(fmt::format(" Misformatted line({}): {}", number, line));
    FileLine parsed{number, title, "", {}};
    std::vector<std::string> parts = split_outside_quotes(trim(line.substr(dash + 3)));
    parsed.name = to_lower(trim(parse_word(parts[0]).value));
    if (parsed.name.empty()) return fail(" No name given");
    for (size_t i = 1; i < parts.size(); ++i) {
      if (parts[i].empty()) continue;
      Word word = parse_word(parts[i]);
      if (!word.has_value) {
        return fail(fmt::format(" Bad format on {}: End your option with an '=' sign", word.text));
      }
      parsed.options.push_back(std::move(word));
    }
    lines.push_back(std::move(parsed));
  }
  return lines;
}

std::string_view flat_file_head() {
  return "# To edit this file start with a cluster line for the new cluster\n"
         "# Cluster - 'cluster_name':MaxTRESPerJob=node=50\n"
         "# Followed by Accounts you want in this fashion (root is created by default)...\n"
         "# Parent - 'root'\n"
         "# Account - 'cs':MaxTRESPerJob=node=5:MaxJobs=4:MaxTRESMinsPerJob=cpu=20:FairShare=399:"
         "MaxWallDurationPerJob=40:Description='Computer Science':Organization='LC'\n"
         "# Any of the options after a ':' can be left out and they can be in any order.\n"
         "# If you want to add any sub accounts just list the Parent THAT HAS ALREADY\n"
         "# BEEN CREATED before the account line in this fashion...\n"
         "# Parent - 'cs'\n"
         "# Account - 'test':MaxTRESPerJob=node=1:MaxJobs=1:MaxTRESMinsPerJob=cpu=1:FairShare=1:"
         "MaxWallDurationPerJob=1:Description='Test Account':Organization='Test'\n"
         "# To add users to a account add a line like this after a Parent - 'line'\n"
         "# User - 'lipari':MaxTRESPerJob=node=2:MaxJobs=3:MaxTRESMinsPerJob=cpu=4:FairShare=1:"
         "MaxWallDurationPerJob=1\n";
}

}  // namespace grappe::sacctmgr
