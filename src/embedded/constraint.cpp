#include "embedded/constraint.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

using Sets = std::vector<sched::FeatureSet>;

constexpr size_t kMostSets = 256;
constexpr uint32_t kMostNodes = 100000;

// A feature, or several in parentheses: what a node must have one of.
struct Term {
  Sets sets;
  uint32_t count = 0;
};

// Terms and what stands between them.
struct Chain {
  std::vector<Term> terms;
  std::string operators;
};

Sets both(const Sets& left, const Sets& right) {
  Sets out;
  for (const sched::FeatureSet& l : left) {
    for (const sched::FeatureSet& r : right) out.push_back({l.all_of | r.all_of, 0});
  }
  return out;
}

// Without precedence, as Slurm does it.
Sets from_left_to_right(const Chain& chain) {
  Sets out = chain.terms.front().sets;
  for (size_t i = 1; i < chain.terms.size() && out.size() <= kMostSets; ++i) {
    const Sets& next = chain.terms[i].sets;
    if (chain.operators[i - 1] == '&') {
      out = both(out, next);
    } else {
      out.insert(out.end(), next.begin(), next.end());
    }
  }
  return out;
}

class Parser {
 public:
  Parser(const Cluster& cluster, std::string_view text) : cluster_(cluster), rest_(text) {}

  // False: not in the language, or a feature that no node has.
  bool parse() {
    char before = '&';
    while (true) {
      if (!parse_part(before)) return false;
      if (rest_.empty()) return true;
      if (!is_operator(rest_.front())) return false;
      before = rest_.front() == '|' ? '|' : '&';
      rest_.remove_prefix(1);
      if (rest_.empty()) return true;  // "a&" is taken for "a"
    }
  }

  Chain outside;
  std::optional<Chain> bracket;

 private:
  static bool is_operator(char c) { return c == '&' || c == '|' || c == ','; }

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool parse_part(char before) {
    if (before == '|' && (bracket || rest_.starts_with('['))) return false;
    if (take('[')) {
      if (bracket) return false;
      bracket.emplace();
      return parse_chain(*bracket, &Parser::parse_term) && take(']');
    }
    auto term = parse_term();
    if (!term) return false;
    if (!outside.terms.empty()) outside.operators += before;
    outside.terms.push_back(std::move(*term));
    return true;
  }

  bool parse_chain(Chain& chain, std::optional<Term> (Parser::*parse_one)()) {
    while (true) {
      auto term = (this->*parse_one)();
      if (!term) return false;
      chain.terms.push_back(std::move(*term));
      if (rest_.empty() || !is_operator(rest_.front())) return true;
      chain.operators += rest_.front() == '|' ? '|' : '&';
      rest_.remove_prefix(1);
    }
  }

  std::optional<Term> parse_term() {
    std::optional<Term> term;
    if (take('(')) {
      Chain inner;
      if (!parse_chain(inner, &Parser::parse_name) || !take(')')) return std::nullopt;
      term = Term{from_left_to_right(inner), 0};
      if (term->sets.size() > kMostSets) return std::nullopt;
    } else {
      term = parse_name();
    }
    if (!term || !take('*')) return term;
    auto count = parse_uint(word(), kMostNodes);
    if (!count || *count == 0) return std::nullopt;
    term->count = static_cast<uint32_t>(*count);
    return term;
  }

  std::optional<Term> parse_name() {
    const std::string_view name = word();
    auto found = std::find(cluster_.features.begin(), cluster_.features.end(), name);
    if (found == cluster_.features.end()) return std::nullopt;
    Term term;
    term.sets.emplace_back();
    term.sets.back().all_of.set(static_cast<uint32_t>(found - cluster_.features.begin()));
    return term;
  }

  std::string_view word() {
    const size_t length = std::min(rest_.find_first_of("&|,()[]*"), rest_.size());
    const std::string_view out = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return out;
  }

  const Cluster& cluster_;
  std::string_view rest_;
};

// a*2: two such nodes, and others of any kind where more are wanted.
bool count_some(const Chain& chain, Constraint& out) {
  for (const Term& term : chain.terms) out.least_nodes = std::max(out.least_nodes, term.count);
  if (out.least_nodes == 0) return true;
  if (out.sets.size() != 1) return false;
  out.sets.front().count = out.least_nodes;
  out.sets.emplace_back();
  return true;
}

// [a*2&b*1]: every kind is counted.
bool count_all(const Sets& wanted, const Chain& bracket, Constraint& out) {
  for (const Term& term : bracket.terms) {
    Sets sets = both(wanted, term.sets);
    if (term.count == 0 || sets.size() != 1) return false;
    sets.front().count = term.count;
    out.sets.push_back(std::move(sets.front()));
    out.least_nodes += term.count;
  }
  return true;
}

bool put_together(const Parser& parsed, Constraint& out) {
  Sets wanted(1);
  if (!parsed.outside.terms.empty()) wanted = from_left_to_right(parsed.outside);
  // Nothing is multiplied that is too long already.
  if (wanted.size() > kMostSets) return false;
  if (!parsed.bracket) {
    out.sets = std::move(wanted);
    return count_some(parsed.outside, out);
  }
  const Chain& bracket = *parsed.bracket;
  const bool either = bracket.operators.find('|') != std::string::npos;
  if (either && bracket.operators.find('&') != std::string::npos) return false;
  if (bracket.terms.size() == 1) {  // [a*2]: at least two, all of them such
    out.sets = both(wanted, bracket.terms.front().sets);
    out.least_nodes = bracket.terms.front().count;
    return true;
  }
  auto counted = [](const Term& term) { return term.count > 0; };
  const bool counts = std::any_of(bracket.terms.begin(), bracket.terms.end(), counted);
  if (counts || bracket.operators.find('&') != std::string::npos) {
    return !either && count_all(wanted, bracket, out);
  }
  for (const Term& term : bracket.terms) {
    Sets sets = both(wanted, term.sets);
    out.sets.insert(out.sets.end(), sets.begin(), sets.end());
    if (out.sets.size() > kMostSets) return false;
  }
  out.same = either;
  return true;
}

}  // namespace

Result<Constraint> parse_constraint(const Cluster& cluster, std::string_view text) {
  Constraint out;
  if (text.empty()) return out;
  Parser parser(cluster, text);
  if (!parser.parse() || !put_together(parser, out) || out.sets.size() > kMostSets) {
    return slurm_fail(kErrInvalidFeature);
  }
  return out;
}

}  // namespace grappe::embedded
