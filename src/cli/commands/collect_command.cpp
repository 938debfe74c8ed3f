#include <algorithm>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "model/ecs_arn.hpp"
#include "report/collect_script.hpp"

namespace bayplan::cli {

/// bayplan collect: prints the commands that describe a cluster; runs none.
class CollectCommand : public Command {
 public:
  std::string_view name() const override { return "collect"; }
  std::string_view summary() const override {
    return "Print the AWS CLI commands that describe a live cluster for place";
  }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  std::string cluster_ = "default";
  std::string region_;
  std::string folder_;
};
namespace {

/// What needs no quotes in a shell script, and cannot be taken for an option.
bool is_plain(std::string_view text, std::string_view signs) {
  return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), [signs](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           signs.find(c) != std::string_view::npos;
  });
}

}  // namespace

void CollectCommand::describe(OptionSet& options) {
  options.option("--cluster", cluster_, "NAME", "Name or ARN of the cluster");
  options.option("--region", region_, "REGION", "Region of the calls (default: that of the AWS CLI)");
  options.option("--folder", folder_, "DIR", "Folder to fill (default: ecs-NAME)");
  options.examples(
      "  bayplan collect --cluster prod --region us-east-2   # look at what would run\n"
      "  bayplan collect --cluster prod --region us-east-2 > collect.sh\n"
      "  # bash collect.sh fills the folder ecs-prod: place --cluster ecs-prod reads it");
}

int CollectCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  if (!is_plain(cluster_, "-_:/")) {
    return fail(io, {.message = cluster_.empty() ? std::string("missing option: --cluster NAME")
                                                 : "invalid cluster name '" + cluster_ + "'",
                     .help = "Give the name or ARN of the ECS cluster: bayplan collect --cluster prod"});
  }
  const auto arn = model::parse_ecs_arn(cluster_, "cluster");
  if (!arn && cluster_.find_first_of(":/") != std::string::npos) {
    return fail(io, {.message = "not the ARN of a cluster: '" + cluster_ + "'",
                     .help = "It looks like arn:aws:ecs:REGION:ACCOUNT:cluster/NAME; NAME alone works, too."});
  }
  if (!region_.empty() && !is_plain(region_, "-"))
    return fail(io, {.message = "invalid region '" + region_ + "'", .help = "For example: --region us-east-2"});
  if (!folder_.empty() && !is_plain(folder_, "-_./"))
    return fail(io, {.message = "invalid folder '" + folder_ + "'", .help = "Use letters, digits and - _ . / only."});
  const std::string name = cluster_.substr(cluster_.rfind('/') + 1);
  // An ARN says its region, which may not be the AWS CLI's own.
  const std::string region = region_.empty() && arn ? std::string(arn->region) : region_;
  const report::CollectRequest request{cluster_, region, folder_.empty() ? "ecs-" + name : folder_};
  Stats stats(global.stats, io);
  stats.phase("report");
  const int written = write_outputs(
      *outputs, io, [&](std::string_view, std::ostream& out, bool) { report::write_collect_script(out, request); });
  stats.print();
  return written;
}

std::unique_ptr<Command> collect_command() {
  return std::make_unique<CollectCommand>();
}

}  // namespace bayplan::cli
