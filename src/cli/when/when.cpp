// `grappe when`: when a job will probably start, submitted or not.
#include "cli/when/when.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "base/text.h"
#include "cli/calls.h"
#include "cli/format/output.h"
#include "cli/report.h"
#include "cli/sbatch/submit.h"
#include "cli/when/when_text.h"

namespace grappe {
namespace {

constexpr std::string_view kWhenHelp =
    "Usage: grappe when [--lang=en|fr] JOBID...\n"
    "       grappe when [--lang=en|fr] [OPTIONS of sbatch] script\n"
    "When a job will probably start: the median, and the time until which nine of ten do.\n"
    "A script is not submitted. Its options may stand before or after it.\n"
    "\n"
    "      --lang=en|fr  the language, instead of that of the locale\n"
    "  -h, --help        show this help\n";

// "12", "12_3"; nothing: it is no number of a job.
std::optional<v1::WhenRequest> job_asked_for(std::string_view text) {
  const size_t line = text.find('_');
  const auto id = parse_uint(text.substr(0, line), UINT32_MAX);
  if (!id || !*id) return std::nullopt;
  v1::WhenRequest out;
  out.set_job_id(static_cast<uint32_t>(*id));
  if (line == std::string_view::npos) return out;
  const auto task = parse_uint(text.substr(line + 1), UINT32_MAX);
  if (!task) return std::nullopt;
  out.set_array_task_id(static_cast<uint32_t>(*task));
  return out;
}

Status tell_when(Calls& calls, const v1::WhenRequest& request, Language language) {
  auto when = calls.call<v1::WhenResponse>("Forecasts/When", request);
  if (!when) return tl::unexpected<Error>(when.error());
  Output output;
  output.text() += when_text(*when, language);
  return {};
}

// What is left when our own options are taken out.
Status take_language(std::vector<char*>& words, std::string& language) {
  for (size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    size_t count = 1;
    if (word == "--lang" && i + 1 < words.size()) {
      language = words[i + 1];
      count = 2;
    } else if (word.starts_with("--lang=")) {
      language = word.substr(std::strlen("--lang="));
    } else {
      continue;
    }
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
    words.erase(at, at + static_cast<std::ptrdiff_t>(count));
    break;
  }
  if (language.empty() || language == "en" || language == "fr") return {};
  return fail("--lang takes en or fr, not " + language);
}

int when_of_jobs(const std::vector<char*>& words, Language language, const Report& report) {
  ServiceCalls calls;
  int rc = 0;
  for (const char* word : words) {
    const auto request = job_asked_for(word);
    const Status told = request ? tell_when(calls, *request, language)
                                : Status(fail(std::string("Invalid job id specified: ") + word));
    if (told) continue;
    report.error(told.error());
    rc = 1;
  }
  return rc;
}

int when_of_script(std::vector<char*> words, char* program, Language language, Report& report) {
  // sbatch has its options before the script.
  if (words.front()[0] != '-') std::rotate(words.begin(), words.begin() + 1, words.end());
  words.insert(words.begin(), program);
  words.push_back(nullptr);
  v1::WhenRequest request;
  const int count = static_cast<int>(words.size()) - 1;
  if (auto exit = read_batch_job(count, words.data(), report, *request.mutable_spec())) {
    return *exit;
  }
  ServiceCalls calls;
  const Status told = tell_when(calls, request, language);
  if (told) return 0;
  report.error(told.error());
  return 1;
}

}  // namespace

int run_when(int argc, char** argv) {
  Report report("grappe when");
  std::vector<char*> words(argv + 1, argv + argc);
  std::string language;
  if (Status good = take_language(words, language); !good) {
    report.error(good.error());
    return 1;
  }
  if (words.empty()) {
    report.error("a job's number or a script is needed: grappe when JOBID, grappe when script.sh");
    return 1;
  }
  const std::string_view first = words.front();
  if (first == "--help" || first == "-h") {
    Output().text() += kWhenHelp;
    return 0;
  }
  if (job_asked_for(first)) return when_of_jobs(words, language_for(language), report);
  return when_of_script(std::move(words), argv[0], language_for(language), report);
}

}  // namespace grappe
