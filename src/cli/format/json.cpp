#include "cli/format/json.h"

#include <fmt/core.h>

namespace grappe {

void JsonWriter::begin(std::string_view key) {
  if (depth_ > 0) {
    out_ += first_ ? "\n" : ",\n";
    out_.append(static_cast<size_t>(depth_) * 2, ' ');
  }
  first_ = false;
  if (key.empty()) return;
  quoted(key);
  out_ += ": ";
}

void JsonWriter::open(std::string_view key, char bracket) {
  begin(key);
  out_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  --depth_;
  out_ += '\n';
  out_.append(static_cast<size_t>(depth_) * 2, ' ');
  out_ += bracket;
  first_ = false;
}

void JsonWriter::quoted(std::string_view value) {
  out_ += '"';
  for (char c : value) {
    switch (c) {
      case '"':
      case '\\':
      case '/':
        out_ += '\\';
        out_ += c;
        break;
      case '\b':
        out_ += "\\b";
        break;
      case '\f':
        out_ += "\\f";
        break;
      case '\n':
        out_ += "\\n";
        break;
      case '\r':
        out_ += "\\r";
        break;
      case '\t':
        out_ += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out_ += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out_ += c;
        }
    }
  }
  out_ += '"';
}

void JsonWriter::text(std::string_view key, std::string_view value) {
  begin(key);
  quoted(value);
}

void JsonWriter::number(std::string_view key, int64_t value) {
  begin(key);
  out_ += std::to_string(value);
}

void JsonWriter::real(std::string_view key, double value) {
  begin(key);
  std::string digits = fmt::format("{}", value);
  out_ += digits;
  if (digits.find_first_of(".e") == std::string::npos) out_ += ".0";
}

void JsonWriter::boolean(std::string_view key, bool value) {
  begin(key);
  out_ += value ? "true" : "false";
}

void JsonWriter::null(std::string_view key) {
  begin(key);
  out_ += "null";
}

void JsonWriter::number_or_null(std::string_view key, bool given, int64_t value) {
  if (given) {
    number(key, value);
  } else {
    null(key);
  }
}

void write_json_meta(JsonWriter& json, std::string_view type, std::string_view name) {
  json.open_object("meta");
  json.open_object("plugin");
  json.text("type", type);
  json.text("name", name);
  json.close_object();
  json.open_object("Slurm");
  json.open_object("version");
  json.number("major", 22);
  json.number("micro", 8);
  json.number("minor", 5);
  json.close_object();
  json.text("release", "22.05.8");
  json.close_object();
  json.close_object();
  json.open_list("errors");
  json.close_list();
}

}  // namespace grappe
