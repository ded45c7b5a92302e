#include "daemon/config/site_file.h"

#include <fmt/format.h>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "daemon/config/read_file.h"

namespace grappe {
namespace {

constexpr std::size_t kMaxSiteFileBytes = 1024 * 1024;

tl::unexpected<Error> fail_at(const toml::source_region& where, std::string_view message) {
  return fail(fmt::format("grappe.toml:{}: {}", where.begin.line, message));
}

// A name of a file beside the commands.
bool is_name(std::string_view name) {
  if (name.empty() || name.size() > 64 || name.front() == '-' || name.front() == '.') return false;
  for (char c : name) {
    bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                c == '-' || c == '_' || c == '.';
    if (!good) return false;
  }
  return true;
}

Status read_aliases(const toml::node& node, SiteFile& site) {
  const toml::table* table = node.as_table();
  if (!table) return fail_at(node.source(), "aliases is a section: [aliases]");
  for (const auto& [key, value] : *table) {
    const std::string name(key.str());
    const auto* command = value.as_string();
    if (!is_name(name)) {
      return fail_at(key.source(), fmt::format("\"{}\" cannot be the name of a command", name));
    }
    if (!command || command->get().empty()) {
      return fail_at(value.source(), fmt::format("{} needs a command line in quotes", name));
    }
    site.aliases[name] = command->get();
  }
  return {};
}

Status read_database(const toml::node& node, SiteFile& site) {
  const auto* text = node.as_string();
  const bool good =
      text && (text->get().starts_with("postgresql://") || text->get().starts_with("/"));
  if (!good) {
    return fail_at(node.source(), "database is \"postgresql://...\", or a file name with its path");
  }
  site.database = text->get();
  return {};
}

}  // namespace

Result<SiteFile> parse_site_file(std::string_view text) {
  toml::parse_result parsed = toml::parse(text);
  if (!parsed) return fail_at(parsed.error().source(), parsed.error().description());
  SiteFile site;
  for (const auto& [key, value] : parsed.table()) {
    const bool is_database = key.str() == "database";
    if (!is_database && key.str() != "aliases") {
      return fail_at(key.source(), fmt::format("there is no {}: only database and [aliases]",
                                               std::string_view(key.str())));
    }
    Status read = is_database ? read_database(value, site) : read_aliases(value, site);
    if (!read) return tl::unexpected(read.error());
  }
  return site;
}

Result<SiteFile> load_site_file(const std::filesystem::path& conf_dir) {
  const std::filesystem::path path = conf_dir / "grappe.toml";
  std::error_code error;
  if (conf_dir.empty() || !std::filesystem::exists(path, error)) return SiteFile{};
  auto text = read_file(path, kMaxSiteFileBytes);
  if (!text) return tl::unexpected(text.error());
  return parse_site_file(*text);
}

}  // namespace grappe
