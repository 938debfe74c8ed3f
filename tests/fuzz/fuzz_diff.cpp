// Two texts as the old and the new state of a definition (or template, or plan): no crash, all reports are written, and
// a text does not differ from itself. The first byte chooses the names: odd is .yaml, even .json.
#include <cstddef>
#include <cstdint>
#include <sstream>

#include "base/memory_files.hpp"
#include "fuzz.hpp"
#include "parts.hpp"
#include "plain_catalog.hpp"
#include "report/diff/diff_report.hpp"
#include "study/diff/diff.hpp"

using namespace bayplan;

namespace {

study::CapacityRequest some_types(const catalog::Catalog& catalog) {
  study::CapacityRequest request;
  for (const char* name : {"c5.large", "p3.8xlarge"}) request.types.push_back(catalog.find(name));
  request.are_named = true;
  return request;
}

study::DiffSide read_side(const std::string& path, const Files& files, const lint::Tools& tools) {
  auto read = study::read_side({path, {}}, {}, tools, files);
  for (const auto& error : read.errors) require(!error.message.empty(), "an error says nothing");
  return read.errors.empty() ? std::move(read.side) : study::DiffSide{};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const lint::Tools tools;
  if (size == 0) return 0;
  const auto parts = parts_of(data + 1, size - 1, 2);
  const std::string ending = data[0] % 2 == 1 ? ".yaml" : ".json";
  const MemoryFiles files({{"old" + ending, parts[0]}, {"new" + ending, parts[1]}});
  const auto side = [&](const std::string& name) { return read_side(name + ending, files, tools); };

  auto report = study::compare(side("old"), side("new"), {});
  study::look_at_types(report, some_types(plain_catalog()));
  const report::DiffView told(report, tools.rule_data);
  std::ostringstream out;
  const auto document = report::diff_document(told);
  report::write_document(out, document, report::Medium::kText, {.verbose = true});
  report::write_diff_json(out, told);
  report::write_document(out, document, report::Medium::kComment);
  report::write_diff_csv(out, told);

  const auto same = study::compare(side("new"), side("new"), {});
  for (const auto& definition : same.definitions)
    require(definition.fields.empty() && !definition.is_new() && !definition.is_removed(), "it differs from itself");
  return 0;
}
