// Pages for man(1), in the language of man(7).
#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "cli/docs/manual.h"

namespace grappe {
namespace {

// Text as it is: no letter of it is a command of the language.
std::string plain(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '.' && (out.empty() || out.back() == '\n')) {
      out += "\\&.";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) {
  return "\\fB" + plain(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + plain(text) + "\\fR";
}

std::string one_line(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '\n') c = ' ';
  }
  return out;
}

std::string heading(const BareOption& row) {
  std::string out;
  if (row.letter) out += bold(std::string("-") + row.letter);
  if (row.letter && !row.name.empty()) out += ", ";
  if (!row.name.empty()) out += bold("--" + std::string(row.name));
  if (row.metavar.empty()) return out;
  std::string value = (row.name.empty() ? "" : "=") + italic(row.metavar);
  return row.arg == Arg::optional ? out + "[" + value + "]" : out + value;
}

// Paragraphs; lines that start with a blank are shown as they are.
std::string paragraphs(std::string_view text) {
  std::string out;
  for (size_t start = 0; start < text.size();) {
    size_t end = std::min(text.find("\n\n", start), text.size());
    std::string_view part = text.substr(start, end - start);
    bool typed = part.starts_with(' ');
    out += typed ? ".PP\n.nf\n" : ".PP\n";
    out += plain(part) + "\n" + (typed ? ".fi\n" : "");
    start = end + 2;
  }
  return out;
}

void add_term(std::string& out, const std::string& term, std::string_view meaning) {
  out += ".TP\n" + term + "\n" + plain(one_line(meaning)) + "\n";
}

std::string options(const OptionTable& table) {
  std::string out = ".SH OPTIONS\n";
  std::string_view family;
  for (const BareOption& row : table.rows) {
    if (!row.shown()) continue;
    if (row.family != family) {
      family = row.family;
      out += ".SS \"" + plain(family.substr(0, family.find(':'))) + "\"\n";
    }
    add_term(out, heading(row), row.help);
  }
  return out;
}

std::string refused_options(const OptionTable& table) {
  std::string out;
  for (const BareOption& row : table.rows) {
    if (!row.refused.empty()) add_term(out, heading(row), row.refused);
  }
  if (out.empty()) return out;
  return ".SH \"OPTIONS OF SLURM THAT ARE REFUSED\"\n" + out;
}

std::string environment(const OptionTable& table) {
  std::string out;
  for (const BareOption& row : table.rows) {
    for (std::string_view name : split_words(row.env, " ")) {
      std::string meaning =
          row.name.empty() ? std::string(row.help) : "the same as --" + std::string(row.name);
      add_term(out, bold(name), meaning);
    }
  }
  add_term(out, bold("GRAPPE_SOCKET"), "where the service is found");
  return ".SH ENVIRONMENT\n.PD 0\n" + out + ".PD\n";
}

std::string section(const ManualSection& section) {
  std::string out = ".SH \"" + plain(section.title) + "\"\n" + paragraphs(section.text);
  if (section.terms.empty()) return out;
  out += ".PD 0\n";
  for (const auto& [term, meaning] : section.terms) add_term(out, bold(term), meaning);
  return out + ".PD\n";
}

std::string exit_status(const CommandHelp& command) {
  std::string out = ".SH \"EXIT STATUS\"\n0 if all went well, 1 if not";
  if (command.bad_option_exit != 1) {
    out += "; " + std::to_string(command.bad_option_exit) + " for an option that is wrong";
  }
  return out + ".\n";
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

std::string see_also(std::string_view command) {
  std::string out;
  for (const OptionTable& other : all_tables()) {
    if (other.command.name == command) continue;
    out += (out.empty() ? "" : ",\n") + bold(other.command.name) + "(1)";
  }
  return ".SH \"SEE ALSO\"\n" + out + "\n";
}

}  // namespace

std::string man_page(std::string_view command) {
  for (const OptionTable& table : all_tables()) {
    if (table.command.name != command) continue;
    std::string out = ".TH " + upper(command) + " 1 \"\" \"Grappe 0.1.0\" \"Commands\"\n";
    out += ".SH NAME\n" + plain(command) + " \\- " + plain(table.command.purpose) + "\n";
    out += ".SH SYNOPSIS\n" + bold(command) + " [" + italic("OPTIONS") + "]";
    if (!table.command.operands.empty()) out += " " + italic(table.command.operands);
    out += "\n.SH DESCRIPTION\n" + paragraphs(manual_description(command));
    out += options(table) + refused_options(table) + environment(table);
    for (const ManualSection& part : manual_sections(command)) out += section(part);
    return out + exit_status(table.command) + see_also(command);
  }
  return "";
}

}  // namespace grappe
