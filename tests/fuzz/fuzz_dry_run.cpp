// An `aws ecs` line, an argument a line of text; behind it the file that --cli-input-json and file:// may name. No
// crash: a request or errors; what becomes of the call on a small cluster stands up to its own check, and all reports
// are written.
#include <cstddef>
#include <cstdint>
#include <sstream>

#include "base/memory_files.hpp"
#include "definitions.hpp"
#include "fuzz.hpp"
#include "parts.hpp"
#include "plain_catalog.hpp"
#include "report/dry_run/dry_run_report.hpp"
#include "study/dry_run/dry_run.hpp"

using namespace bayplan;

namespace {

constexpr const char* kCluster = R"(clusterName: prod
containerInstances:
  - {instanceType: c5.2xlarge, count: 2, availabilityZones: [us-east-2a, us-east-2b]}
  - {instanceType: p3.8xlarge, count: 2, availabilityZone: us-east-2a, capacityProviderName: gpu}
)";
constexpr const char* kTrain = R"({"family": "train", "networkMode": "awsvpc", "containerDefinitions": [
  {"name": "trainer", "image": "trainer:1", "cpu": 4096, "memory": 30000,
   "resourceRequirements": [{"type": "GPU", "value": "1"}]}]})";

void check_places(const awscli::Request& request) {
  const auto& document = *request.document;
  for (std::uint32_t i = 0; i < document.node_count(); ++i) {
    const auto span = document.node(i).span();
    require(span.begin <= span.end && span.end <= document.source().size(), "a value outside of the text");
    request.place_of(span.begin);
  }
}

void check_reports(const study::DryRun& run, const lint::Tools& tools) {
  for (const auto& finding : run.lint.findings)
    require(finding.span.end <= run.request.document->source().size(), "a finding outside of the text");
  std::ostringstream out;
  report::write_dry_run_text(out, run, tools.rule_data, {.verbose = true});
  report::write_dry_run_json(out, run, tools.rule_data);
  report::write_dry_run_response(out, run);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const awscli::Operations operations;
  static const lint::Tools tools;
  const auto parts = parts_of(data, size, 2);
  if (has_number_of(parts[0] + parts[1], 6)) return 0;
  const auto line = awscli::parse_command_line(lines_of(parts[0]), operations);
  require(line.line.has_value() == line.errors.empty(), "neither a line nor an error, or both");
  if (!line.line) return 0;
  const MemoryFiles files(
      {{"in.json", parts[1]}, {"cluster.yaml", kCluster}, {"web.json", definitions::kWeb}, {"train.json", kTrain}});
  auto request = awscli::read_request(*line.line, {files, {}, nullptr});
  require(request.request.has_value() == request.errors.empty(), "neither a request nor an error, or both");
  if (!request.request) return 0;
  check_places(*request.request);
  study::DryRunSetting setting;
  setting.described.cluster = "cluster.yaml";
  setting.described.definitions = {"web.json", "train.json"};
  const auto tried = study::dry_run(*line.line, *std::move(request.request), setting, files, plain_catalog(), tools);
  require(tried.mistakes.empty(), tried.mistakes.empty() ? "" : tried.mistakes.front());
  require(tried.run.has_value() == tried.errors.empty(), "neither an answer nor an error, or both");
  if (tried.run) check_reports(*tried.run, tools);
  return 0;
}
