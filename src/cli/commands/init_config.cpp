#include "cli/commands/init_config.hpp"

#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "capacity/requirement.hpp"
#include "lint/config/config.hpp"

namespace bayplan::cli {

void Inventory::take(const lint::Outcome& outcome) {
  if (!outcome.is_checked()) return;
  const auto& report = outcome.report;
  summary_.add(report);
  const bool is_definition =
      report.kind == rules::FileKind::kTaskDefinition || report.kind == rules::FileKind::kDescribe;
  if (is_definition) add(lint::definition_of(*report.document));
  for (const auto& subject : report.subjects) {
    if (subject.kind == importers::SubjectKind::kTaskDefinition) add(subject.document->root());
  }
}

void Inventory::add(text::Value definition) {
  if (!definition || !definition.is_object()) return;
  const auto task = model::bind_task_definition(definition, {});
  ++definitions_;
  bool says = false;
  for (const auto& compatibility : task.requires_compatibilities) {
    if (!compatibility.present() || !lint::compatibility_named(*compatibility)) continue;
    ++launch_types_[std::string(*compatibility)];
    says = true;
  }
  if (!says) ++silent_;
  if (capacity::requirement_of(task).wants_gpu()) ++with_gpu_;
}

std::string Inventory::definitions() const {
  std::vector<std::string> parts;
  for (const auto& [name, count] : launch_types_) parts.push_back(fmt::format("{} {}", count, name));
  if (silent_ > 0) parts.push_back(fmt::format("{} without requiresCompatibilities", silent_));
  const std::string total = count_of(definitions_, "task definition");
  return parts.empty() ? total : total + " (" + join(parts, ", ") + ")";
}

/// A proposal: a definition that says nothing may well be meant for EC2.
std::string Inventory::launch_type() const {
  const std::string name = launch_types_.size() == 1 ? launch_types_.begin()->first : "FARGATE";
  std::string text = "# Launch type of definitions without requiresCompatibilities; ECS uses EC2.\n";
  if (silent_ > 0)
    text += fmt::format("# {} here {} it.\n", count_of(silent_, "definition"), silent_ == 1 ? "lacks" : "lack");
  return text + "# launchType: " + name + "\n\n";
}

std::string Inventory::findings() const {
  const auto count = static_cast<std::int64_t>(summary_.at_or_above(Severity::kStyle));
  if (count == 0) return {};
  return fmt::format(
      "\n# {} when this was written, {} of them errors. To see only new ones:\n"
      "#   bayplan lint --create-baseline {}\n"
      "#   bayplan lint --baseline {}\n",
      count_of(count, "finding"), summary_.count(Severity::kError), kBaselineName, kBaselineName);
}

std::string Inventory::config(const std::string& above) const {
  std::string text = "# Settings of bayplan lint in this folder and below; 'bayplan schema config' has every key.\n# " +
                     definitions() + " when this was written.\n\n";
  if (!above.empty())
    text +=
        "# This file replaces that one; settings that are missing here come from there.\nextends: " + above + "\n\n";
  text += "# Files to skip, in the syntax of .gitignore.\n# exclude: [generated/]\n\n";
  text += launch_type();
  text +=
      "# The client that registers the files: any, aws-cli, github-action or terraform. What it rejects is an error.\n"
      "# deployWith: aws-cli\n\n";
  text += "# Instance types that tasks run on, with a warning when a task fits none of them.\n";
  if (with_gpu_ > 0)
    text += fmt::format("# {} here {} GPUs.\n", count_of(with_gpu_, "definition"), with_gpu_ == 1 ? "wants" : "want");
  text += std::string("# types: ") + (with_gpu_ > 0 ? "[\"g4dn.*\", \"g5.*\"]" : "[\"m5.*\"]") + "\n\n";
  text +=
      "# Rules by code, name, prefix or group; 'bayplan explain BAY113' explains one.\n"
      "# extendSelect: [security]\n"
      "# ignore: [BAY210]\n"
      "# severity: {BAY450: info}\n\n"
      "# Rules to ignore in some files.\n"
      "# perFileIgnores:\n"
      "#   - {files: legacy/, rules: [BAY113], until: 2027-01-31, reason: replaced in spring}\n";
  return text + findings();
}

}  // namespace bayplan::cli
