#include "books/record_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/text.h"

namespace grappe {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// The fields by their numbers (those of a part after its own), which is the order of the schema.
using Values = std::map<std::pair<int, int>, std::pair<std::string, std::string>>;

std::string value_text(const Message& of, const FieldDescriptor* field) {
  const auto* reflection = of.GetReflection();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      return reflection->GetString(of, field);
    case FieldDescriptor::CPPTYPE_UINT32:
      return std::to_string(reflection->GetUInt32(of, field));
    case FieldDescriptor::CPPTYPE_UINT64:
      return std::to_string(reflection->GetUInt64(of, field));
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return fmt::format("{}", reflection->GetDouble(of, field));
    case FieldDescriptor::CPPTYPE_ENUM:
      return std::to_string(reflection->GetEnumValue(of, field));
    default:
      return "";
  }
}

// "normal,long" of a list, "cpu=8,gres/gpu=2" of a map.
std::string list_text(const Message& of, const FieldDescriptor* field) {
  const auto* reflection = of.GetReflection();
  std::vector<std::string> words;
  for (int i = 0; i < reflection->FieldSize(of, field); ++i) {
    if (!field->is_map()) {
      words.push_back(reflection->GetRepeatedString(of, field, i));
      continue;
    }
    const Message& entry = reflection->GetRepeatedMessage(of, field, i);
    const auto* type = entry.GetDescriptor();
    words.push_back(value_text(entry, type->map_key()) + "=" +
                    value_text(entry, type->map_value()));
  }
  if (field->is_map()) std::sort(words.begin(), words.end());
  return "'" + join(words, ",") + "'";
}

void add_values(const Message& of, int part, Values& out) {
  std::vector<const FieldDescriptor*> set;
  of.GetReflection()->ListFields(of, &set);
  for (const FieldDescriptor* field : set) {
    const bool is_text = field->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
    const std::pair place(part ? part : field->number(), part ? field->number() : 0);
    if (field->is_repeated()) {
      out[place] = {field->name(), list_text(of, field)};
    } else if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      const std::string value = value_text(of, field);
      out[place] = {field->name(), is_text ? "'" + value + "'" : value};
    } else if (field->name() != "stamp") {
      add_values(of.GetReflection()->GetMessage(of, field), field->number(), out);
    }
  }
}

Values values_of(const Message& record) {
  Values out;
  add_values(record, 0, out);
  return out;
}

}  // namespace

std::string key_text(const v1::Association& a) {
  std::string out = fmt::format("C = {:<10} A = {:<10}", a.cluster(), a.account());
  if (!a.user().empty()) out += fmt::format(" U = {:<9}", a.user());
  if (!a.partition().empty()) out += " P = " + a.partition();
  return out;
}

std::string change_text(const Message* before, const Message& after) {
  const Values was = before ? values_of(*before) : Values();
  Values said = values_of(after);
  for (const auto& [place, field] : was) {
    const auto now = said.try_emplace(place, field.first, "").first;
    if (now->second == field) said.erase(now);
  }
  std::vector<std::string> words;
  for (const auto& [place, field] : said) words.push_back(field.first + "=" + field.second);
  return join(words, ", ");
}

}  // namespace grappe
