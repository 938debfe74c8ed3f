#include <memory>

#include <fmt/core.h>

#include "base/memory_size.hpp"
#include "base/strings.hpp"
#include "capacity/fit.hpp"
#include "catalog/filter.hpp"
#include "catalog/region.hpp"
#include "catalog/types_named.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lint_gate.hpp"
#include "cli/io/load.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/reserved_memory.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/formats.hpp"
#include "cli/options/memory_option.hpp"
#include "cli/options/scenario_options.hpp"
#include "cli/options/template_parameters.hpp"
#include "cli/options/variable_options.hpp"
#include "report/fit/fit_report.hpp"

namespace bayplan::cli {

/// bayplan fit TASKDEF... [--types GLOB...]
class FitCommand : public Command {
 public:
  std::string_view name() const override { return "fit"; }
  std::string_view summary() const override { return "Show the EC2 instance types that fit a task, copies and price"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<catalog::NamedTypes> wanted_types(const catalog::Catalog& catalog) const;
  Result<capacity::FitOptions> fit_options(LoadedDefinitions daemons, const catalog::Catalog& catalog) const;

  std::vector<std::string> paths_;
  std::vector<std::string> parameters_;
  TerraformVariables variables_;
  std::vector<std::string> types_;
  std::vector<std::string> daemons_;
  std::string region_ = "us-east-1";
  std::string sort_ = "price";
  std::string trunking_ = "off";
  std::optional<std::string> reserved_memory_;
  std::string min_local_storage_;
  bool gpu_only_ = false;
  bool no_lint_ = false;
};
namespace {

capacity::FitSort sort_named(std::string_view name) {
  if (name == "copies") return capacity::FitSort::kCopies;
  if (name == "name") return capacity::FitSort::kName;
  return capacity::FitSort::kPrice;
}

std::vector<capacity::FitTask> tasks_of(const LoadedDefinitions& loaded) {
  const model::Placeholders placeholders;
  std::vector<capacity::FitTask> tasks;
  for (const auto& loaded_one : loaded.definitions) {
    const auto& definition = loaded_one.definition;
    auto& task =
        tasks.emplace_back(capacity::FitTask{loaded_one.reference, capacity::requirement_of(definition.task), {}});
    if (!definition.name.empty()) task.requirement.family = definition.family;  // empty where a template leaves it open
    for (const auto& container : definition.task.container_definitions)
      task.needs.push_back(capacity::stated_needs(definition.task, container, placeholders, {}));
  }
  return tasks;
}

struct FitAnswer {
  const capacity::FitReport& report;
  const std::vector<std::string>& not_answered;
  bool are_types_named;
};

report::ReportDocument document_of(const FitAnswer& answer) {
  return report::fit_document(answer.report, answer.are_types_named);
}

constexpr std::array<Format<FitAnswer>, 5> kFitFormats{
    {{"text", document_of, report::Medium::kText},
     {"json", [](std::ostream& out,
                 const FitAnswer& answer) { report::write_fit_json(out, answer.report, answer.not_answered); }},
     {"html", document_of, report::Medium::kPage},
     {"markdown", document_of, report::Medium::kComment},
     {"csv", [](std::ostream& out, const FitAnswer& answer) { report::write_fit_csv(out, answer.report); }}}};

}  // namespace

std::vector<std::string_view> FitCommand::formats() const {
  return list_names(kFitFormats);
}

void FitCommand::describe(OptionSet& options) {
  options.positional(
      "TASKDEF", paths_,
      "Task definitions, templates, plans or Terraform code; FILE#NAME is one of a file; - reads standard "
      "input",
      true);
  describe_parameters(options, parameters_);
  variables_.describe(options);
  options.repeated("--types", types_, "GLOB", "Only these instance types: 'g4dn.*', p3.8xlarge", true);
  options.flag("--gpu-only", gpu_only_, "Only types with NVIDIA GPUs");
  options.option("--min-local-storage", min_local_storage_, "SIZE",
                 "Only types with this much local storage (instance store), all disks together: 900GB");
  options.option("--region", region_, "REGION", "Prices of this region (default us-east-1)");
  options.choice("--sort", sort_, {"price", "copies", "name"}, "Order: price per hour (default), most copies, or name");
  options.option("--reserved-memory", reserved_memory_, "SIZE",
                 "ECS_RESERVED_MEMORY of the instances: MiB, 1GiB (default 0)");
  options.repeated("--daemon", daemons_, "TASKDEF", "Task definition of a daemon service that runs on every instance");
  options.choice("--trunking", trunking_, {"on", "off"}, "awsvpcTrunking: more awsvpc tasks where a type supports it");
  options.flag("--no-lint", no_lint_, "Answer even for definitions that ECS would reject");
  options.examples(
      "  bayplan fit examples/two-p3-16xlarge/defs/train-4-gpu.json\n"
      "  bayplan fit examples/lose-a-zone/*.json --types 'g4dn.*,g5.*' \\\n"
      "    --region us-west-2\n"
      "  bayplan fit examples/lose-a-zone/web.json --trunking on --sort copies");
}

Result<catalog::NamedTypes> FitCommand::wanted_types(const catalog::Catalog& catalog) const {
  const auto local_storage = memory_option("--min-local-storage", min_local_storage_, parse_gpu_memory_size, "GB");
  if (!local_storage) return local_storage.error();
  auto named = some_types_named(catalog, types_);
  if (!named) return named;
  const catalog::TypeFilter wanted{.gpu_only = gpu_only_, .min_local_storage = *local_storage};
  std::erase_if(named->types, [&](const auto* type) { return !wanted.accepts(*type); });
  if (!named->types.empty()) return named;
  std::vector<std::string> lacking;
  if (gpu_only_) lacking.emplace_back("an NVIDIA GPU");
  if (*local_storage > 0) lacking.push_back(min_local_storage_ + " of local storage");
  return Error{.message = fmt::format("none of these instance types has {}", join(lacking, " and ")),
               .help = fmt::format("'bayplan catalog{}{}' lists those with {}.", gpu_only_ ? " --gpu-only" : "",
                                   *local_storage > 0 ? " --min-local-storage " + min_local_storage_ : "",
                                   lacking.size() == 2 ? "both"
                                   : gpu_only_         ? "one"
                                                       : "it")};
}

Result<capacity::FitOptions> FitCommand::fit_options(LoadedDefinitions daemons, const catalog::Catalog& catalog) const {
  const auto reserved_memory = parse_reserved_memory(reserved_memory_);
  if (!reserved_memory) return reserved_memory.error();
  auto region = catalog::known_region(catalog, region_);
  if (!region) return region.error();
  if (!daemons.errors.empty()) return daemons.errors.front();
  if (const auto errors = drop_uncountable(daemons); !errors.empty()) return errors.front();
  capacity::FitOptions options{
      .region = *region, .reserved_memory = reserved_memory->value_or(0), .trunking = trunking_ == "on"};
  for (const auto& task : tasks_of(daemons)) options.daemons.push_back(task.requirement);
  options.sort = sort_named(sort_);
  return options;
}

int FitCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  Stats stats(global.stats, io);
  stats.phase("catalog");
  const auto catalog = catalog::Catalog::load();
  const auto named = wanted_types(catalog);
  if (!named) return fail(io, named.error());
  const auto& types = named->types;
  const auto parameters = parse_parameters(parameters_);
  if (!parameters) return fail(io, parameters.error());
  stats.phase("read");
  const auto variables = variables_.read(io.files, input_limits(global));
  if (!variables) return fail(io, variables.error());
  const auto daemons = load_task_definitions(daemons_, *parameters, *variables, global, io);
  const auto options = fit_options(daemons, catalog);
  if (!options) return fail(io, options.error());
  auto loaded = load_task_definitions(paths_, *parameters, *variables, global, io);
  for (auto& error : loaded.errors) {
    if (catalog.find(error.file) != nullptr)
      error.help = fmt::format("To limit the instance types: bayplan fit TASKDEF --types {}", error.file);
    fail(io, error);
  }
  auto unused = loaded.files.empty() ? std::vector<Error>() : find_unused_parameters({&loaded, &daemons}, *parameters);
  if (!loaded.files.empty()) {
    const auto variables_unused = find_unused_variables({&loaded, &daemons}, *variables);
    unused.insert(unused.end(), variables_unused.begin(), variables_unused.end());
  }
  fail_all(io, unused);
  loaded.errors.insert(loaded.errors.end(), unused.begin(), unused.end());
  if (loaded.definitions.empty()) return kUnusable;
  stats.phase("lint");
  const auto refused = no_lint_ ? std::vector<std::string>() : drop_refused(loaded, *parameters, global, io);
  const auto uncountable = drop_uncountable(loaded);
  fail_all(io, uncountable);
  loaded.errors.insert(loaded.errors.end(), uncountable.begin(), uncountable.end());
  auto not_answered = refused;
  for (const auto& error : loaded.errors) not_answered.push_back(error.file);
  stats.phase("fit");
  auto report = capacity::fit(tasks_of(loaded), types, *options);
  for (const auto& glob : named->unknown)
    report.assumptions.push_back({"instance-type-unknown", glob, unknown_type_words(catalog, glob)});
  stats.size(count_of(static_cast<std::int64_t>(types.size()), "type"));

  stats.phase("report");
  const FitAnswer answer{report, not_answered, !types_.empty()};
  const int written = write_report(*outputs, kFitFormats, answer, global, io);
  stats.print();
  if (written != kClean) return written;
  for (const auto& file : refused) {
    fail(io, {.message = "not answered: ECS would reject this task definition",
              .file = file,
              .help = "Fix the errors above, or add --no-lint."});
  }
  if (!refused.empty() || !loaded.errors.empty()) return kUnusable;
  return report.any_without_type() ? kFindings : kClean;
}

std::unique_ptr<Command> fit_command() {
  return std::make_unique<FitCommand>();
}

}  // namespace bayplan::cli
