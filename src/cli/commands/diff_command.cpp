#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "catalog/region.hpp"
#include "catalog/types_named.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lint_control.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/read_input.hpp"
#include "cli/io/reserved_memory.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/formats.hpp"
#include "cli/options/load_config.hpp"
#include "cli/options/scenario_options.hpp"
#include "cli/options/template_parameters.hpp"
#include "cli/options/unknown_types.hpp"
#include "importers/hcl_variables.hpp"
#include "importers/parameter_use.hpp"
#include "lint/config/config.hpp"
#include "lint/config/config_options.hpp"
#include "lint/files/definition_form.hpp"
#include "report/diff/diff_report.hpp"
#include "study/diff/diff.hpp"

namespace bayplan::cli {

/// bayplan diff OLD NEW
class DiffCommand : public Command {
 public:
  std::string_view name() const override { return "diff"; }
  std::string_view summary() const override { return "Compare task definitions: fields, resources, copies, price"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  struct Sides {
    study::DiffSide before;
    study::DiffSide after;
  };
  /// Nothing when they are of no use, which has been reported. Notes in the cluster's request what of --param, --var
  /// and --var-file they use.
  std::optional<Sides> read_sides(const lint::Config& config, const lint::Options& options, const lint::Tools& tools,
                                  scenario::ScenarioRequest& cluster, Streams& io) const;
  Result<study::CapacityRequest> capacity_request(const catalog::Catalog& catalog, const lint::Config& config,
                                                  const study::ClusterAnswers& cluster) const;

  std::vector<std::string> paths_;
  std::vector<std::string> types_;
  ScenarioOptions scenario_;
  std::optional<std::string> region_;
  std::string config_file_;
  std::string trunking_;
  std::string fail_on_ = "error";
  std::optional<std::string> reserved_memory_;
};
namespace {

constexpr std::string_view kStandardInput = "<stdin>";

/// OLD and NEW as the command line names them; standard input is read here.
Result<std::vector<study::SideRequest>> side_requests(const std::vector<std::string>& paths, const Limits& limits,
                                                      Streams& io) {
  if (paths.size() != 2) {
    return Error{.message = paths.size() < 2 ? std::string("missing argument: NEW")
                                             : "diff takes OLD and NEW, not " + std::to_string(paths.size()) + " paths",
                 .help = "Write: bayplan diff OLD NEW (/dev/null where there is none)"};
  }
  if (paths[0] == "-" && paths[1] == "-")
    return Error{.message = "OLD and NEW cannot both be standard input", .help = "Name a file for one of them."};
  std::vector<study::SideRequest> sides{{paths[0], {}}, {paths[1], {}}};
  for (auto& side : sides) {
    if (side.path != "-") continue;
    side.path = std::string(kStandardInput);
    auto text = read_standard_input(io.in, std::max(limits.definition_bytes, limits.snapshot_bytes));
    if (!text) return text.error();
    side.content = std::move(*text);
  }
  return sides;
}

/// Reports the values of --param that the templates among OLD and NEW reject. With a cluster, which may be a template,
/// too, names that no template declares are reported when it is loaded.
int check_parameters(const study::DiffSide& before, const study::DiffSide& after, scenario::ScenarioRequest& cluster,
                     bool has_cluster, Streams& io) {
  if (cluster.parameters.empty()) return kClean;
  TemplateParameters parameters(cluster.parameters);
  std::vector<Error> refused;
  auto& use = cluster.used_elsewhere.parameters;
  for (const auto* side : {&before, &after}) {
    for (const auto& report : side->reports) {
      if (lint::form_of(report.kind) != importers::DefinitionForm::kTemplate) continue;
      parameters.take(report);
      const auto errors = importers::note_template(use, report.file, report.document->root(), cluster.parameters);
      refused.insert(refused.end(), errors.begin(), errors.end());
    }
  }
  if (has_cluster) return refused.empty() ? kClean : fail_all(io, refused);
  if (!use.templates.empty()) return parameters.finish(io);
  return fail(io, {.message = "--param has no effect: neither OLD nor NEW is a CloudFormation template",
                   .help = "Remove --param."});
}

/// Reports the values of --var and --var-file that the code among OLD and NEW rejects, and those that nothing uses.
/// With a cluster, which may be code, too, the latter are reported when it is loaded.
int check_variables(const study::DiffSide& before, const study::DiffSide& after, const importers::GivenVariables& given,
                    scenario::ScenarioRequest& cluster, bool has_cluster, Streams& io) {
  std::set<std::string> refused;
  auto& use = cluster.used_elsewhere;
  for (const auto* side : {&before, &after}) {
    for (const auto& report : side->reports) {
      use.has_code = use.has_code || report.document->format() == text::Format::kHcl;
      use.variables.insert(report.used_variables.begin(), report.used_variables.end());
      // Each file of a module has them.
      for (const auto& error : report.refused_variables) {
        if (refused.insert(fmt::format("{}:{}{}", error.file, error.line, error.message)).second) fail(io, error);
      }
    }
  }
  if (!refused.empty()) return kUnusable;
  const auto unused =
      has_cluster ? std::vector<Error>() : importers::find_unused_variables(given, use.variables, use.has_code);
  return unused.empty() ? kClean : fail_all(io, unused);
}

constexpr std::array<Format<report::DiffView>, 5> kDiffFormats{
    {{"text", report::diff_document, report::Medium::kText},
     {"json", report::write_diff_json},
     {"html", report::diff_document, report::Medium::kPage},
     {"markdown", report::diff_document, report::Medium::kComment},
     {"csv", report::write_diff_csv}}};

}  // namespace

std::vector<std::string_view> DiffCommand::formats() const {
  return list_names(kDiffFormats);
}

void DiffCommand::describe(OptionSet& options) {
  options.positional("OLD NEW", paths_,
                     "Task definitions, templates, plans, Terraform code or folders of them; - reads standard input, "
                     "/dev/null is nothing",
                     true);
  options.group("Cluster");
  scenario_.describe_cluster(options);
  options.group("Instance types and prices");
  options.repeated("--types", types_, "GLOB", "Copies and prices on these instance types: 'g4dn.*', p3.8xlarge", true);
  options.option("--region", region_, "REGION", "Region of prices (default: the scenario's, else us-east-1)");
  options.option("--reserved-memory", reserved_memory_, "SIZE",
                 "ECS_RESERVED_MEMORY of the instances: MiB, 1GiB (default: the config's, else 0)");
  options.choice("--trunking", trunking_, {"on", "off"}, "awsvpcTrunking (default: the config's, else off)");
  options.group("Findings");
  options.option("--config", config_file_, "FILE", "Settings of lint (default: the nearest .bayplan.yaml upwards)");
  options.choice("--fail-on", fail_on_, {"error", "warning", "info", "style"},
                 "Lowest severity of new findings that gives exit code 1 (default error)");
  options.examples(
      "  bayplan diff examples/pull-request/train-main.json \\\n"
      "    examples/pull-request/train.json\n"
      "  cat examples/pull-request/train-main.json |\n"
      "    bayplan diff - examples/pull-request/train.json \\\n"
      "      --types 'g4dn.*' --output markdown\n"
      "  bayplan diff examples/will-it-deploy/api.json \\\n"
      "    examples/will-it-deploy/api-v2.json \\\n"
      "    --cluster examples/will-it-deploy/live/cluster  # does it finish?");
}

Result<study::CapacityRequest> DiffCommand::capacity_request(const catalog::Catalog& catalog,
                                                             const lint::Config& config,
                                                             const study::ClusterAnswers& cluster) const {
  const auto reserved_memory = parse_reserved_memory(reserved_memory_);
  if (!reserved_memory) return reserved_memory.error();
  const bool is_of_cluster = scenario_.has_cluster() && types_.empty();
  auto region = catalog::known_region(catalog, region_.value_or("us-east-1"));
  if (!region) return region.error();
  const auto& globs = types_.empty() && config.types && !is_of_cluster ? *config.types : types_;
  auto types = some_types_named(catalog, globs);
  if (!types) return types_.empty() ? lint::fault_of_types(config, catalog).value_or(types.error()) : types.error();
  study::CapacityRequest request;
  request.types = is_of_cluster ? cluster.types : types->types;
  request.are_named = is_of_cluster || !globs.empty();
  if (!request.are_named) std::erase_if(request.types, [](const auto* type) { return type->is_retired(); });
  request.fit.region = scenario_.has_cluster() ? cluster.region : *region;
  request.fit.reserved_memory = reserved_memory->value_or(config.cluster.reserved_memory.value_or(0));
  request.fit.trunking = trunking_.empty() ? config.cluster.trunking.value_or(false) : trunking_ == "on";
  request.fit.daemons = config.cluster.daemons;
  return request;
}

std::optional<DiffCommand::Sides> DiffCommand::read_sides(const lint::Config& config, const lint::Options& options,
                                                          const lint::Tools& tools, scenario::ScenarioRequest& cluster,
                                                          Streams& io) const {
  const auto requests = side_requests(paths_, options.limits, io);
  if (!requests) {
    fail(io, requests.error());
    return std::nullopt;
  }
  const ControlFlags no_flags;
  const LintControl control(no_flags, config, options, tools, io);
  const auto silence = [&](lint::FileReport& file) { control.ignore(file); };
  auto before = study::read_side(requests->at(0), options, tools, io.files, silence);
  auto after = study::read_side(requests->at(1), options, tools, io.files, silence);
  fail_all(io, before.errors);
  fail_all(io, after.errors);
  if (!before.errors.empty() || !after.errors.empty()) return std::nullopt;
  const bool has_cluster = scenario_.has_cluster();
  if (check_parameters(before.side, after.side, cluster, has_cluster, io) != kClean) return std::nullopt;
  const importers::GivenVariables given{options.variables, options.variable_files};
  if (check_variables(before.side, after.side, given, cluster, has_cluster, io) != kClean) return std::nullopt;
  if (before.side.definitions.empty() && after.side.definitions.empty()) {
    fail(io, {.message = "no task definition in OLD or NEW: " + paths_[0] + ", " + paths_[1],
              .help = "A task definition has containerDefinitions; 'bayplan lint PATH' says what a file is."});
    return std::nullopt;
  }
  return Sides{std::move(before.side), std::move(after.side)};
}

int DiffCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  Stats stats(global.stats, io);
  stats.phase("catalog");
  const lint::Tools tools;
  auto catalog = catalog::Catalog::load();
  const auto config = load_config(config_file_, tools, io);
  if (!config) return kUnusable;
  auto cluster = scenario_.request(catalog);
  if (!cluster) return fail(io, cluster.error());
  cluster->region = region_;
  auto options = options_of(*config);
  options.limits = input_limits(global);
  options.parameters = cluster->parameters;
  options.variables = cluster->variables;
  for (const auto& path : cluster->variable_files) {
    auto values = importers::read_variable_file(io.files, path, options.limits);
    if (!values) return fail(io, values.error());
    options.variable_files.push_back(std::move(*values));
  }
  stats.phase("read");
  auto sides = read_sides(*config, options, tools, *cluster, io);
  if (!sides) return kUnusable;

  stats.phase("compare");
  auto report = study::compare(std::move(sides->before), std::move(sides->after), options.placeholders);
  stats.size(count_of(static_cast<std::int64_t>(report.definitions.size()), "definition"));
  study::ClusterAnswers answers;
  if (scenario_.has_cluster()) {
    stats.phase("place");
    answers = study::look_at_cluster(report, *cluster, io.files, catalog, options.limits);
    if (!answers.errors.empty()) return fail_all(io, answers.errors);
  }
  stats.phase("fit");
  const auto types = capacity_request(catalog, *config, answers);  // the cluster has brought its own types with it
  if (!types) return fail(io, types.error());
  if (types->are_named) note_unknown_types(types_.empty() ? config->types.value_or(types_) : types_, catalog, io.err);
  study::look_at_types(report, *types);
  study::look_at_launch_types(report, *types, tools);

  stats.phase("report");
  const report::DiffView view(report, tools.rule_data);
  const int written = write_report(*outputs, kDiffFormats, view, global, io);
  stats.print();
  if (written != kClean) return written;
  if (!answers.mistakes.empty()) return internal_error(io, answers.mistakes, Reported::kWhatHolds);
  const auto level = severity_named(fail_on_).value_or(Severity::kError);
  return report.can_deploy() && report.appeared(level) == 0 ? kClean : kFindings;
}

std::unique_ptr<Command> diff_command() {
  return std::make_unique<DiffCommand>();
}

}  // namespace bayplan::cli
