#include "awscli/command_line.hpp"

#include "catch.hpp"

namespace {

using namespace bayplan;
using namespace bayplan::awscli;

const Operations& operations() {
  static const Operations kOperations;
  return kOperations;
}

std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> list;
  for (std::size_t at = 0; at < line.size();) {
    const auto end = std::min(line.find(' ', at), line.size());
    list.emplace_back(line.substr(at, end - at));
    at = end + 1;
  }
  return list;
}

CommandLine taken(std::string_view line) {
  auto parsed = parse_command_line(words(line), operations());
  for (const auto& error : parsed.errors) FAIL_CHECK(error.message);
  REQUIRE(parsed.line);
  return *std::move(parsed.line);
}

std::vector<std::string> refused(std::string_view line) {
  auto parsed = parse_command_line(words(line), operations());
  REQUIRE_FALSE(parsed.line);
  std::vector<std::string> messages;
  for (const auto& error : parsed.errors) messages.push_back(error.message);
  return messages;
}

std::vector<std::string> values(const GivenOption& option) {
  std::vector<std::string> texts;
  for (const auto& piece : option.values) texts.push_back(piece.text);
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("command line names every member of a request as the AWS CLI does") {
  CHECK(option_name("taskDefinition") == "--task-definition");
  CHECK(option_name("enableECSManagedTags") == "--enable-ecs-managed-tags");
  CHECK(option_name("vpcLatticeConfigurations") == "--vpc-lattice-configurations");
  CHECK(option_name("availabilityZoneRebalancing") == "--availability-zone-rebalancing");
}

TEST_CASE("command line takes values, lists and flags") {
  const auto line = taken(
      "aws --region us-east-2 ecs run-task --task-definition web --count=3 --placement-strategy type=random "
      "type=binpack,field=cpu --enable-execute-command --no-enable-ecs-managed-tags --tags");
  CHECK(line.operation->api_name == "RunTask");
  CHECK(line.region == "us-east-2");
  REQUIRE(line.options.size() == 6);
  CHECK(values(line.options[0]) == Texts{"web"});
  CHECK(values(line.options[1]) == Texts{"3"});
  CHECK(values(line.options[2]) == Texts{"type=random", "type=binpack,field=cpu"});
  CHECK(line.options[3].use == OptionUse::kMember);
  CHECK(line.options[4].use == OptionUse::kNegated);
  CHECK(line.options[4].member->name == "enableECSManagedTags");
  CHECK(values(line.options[5]).empty());
  for (const auto& option : line.options) {
    for (const auto& piece : option.values) CHECK(line.source.substr(piece.begin, piece.text.size()) == piece.text);
  }
}

TEST_CASE("command line takes options by a beginning that only one has") {
  const auto line = taken("aws ecs run-task --task web --clus prod --count -5");
  CHECK(line.options[0].name == "--task-definition");
  CHECK(line.options[1].name == "--cluster");
  CHECK(values(line.options[2]) == Texts{"-5"});
  CHECK(refused("aws ecs run-task --task-definition web --placement random") ==
        Texts{"'--placement' may be --placement-constraints or --placement-strategy"});
  // The options of aws itself are looked at first.
  CHECK(refused("aws ecs run-task --task-definition web --c 2").front().find("--cli-read-timeout") !=
        std::string::npos);
}

TEST_CASE("command line names every option that the AWS CLI does not know") {
  CHECK(refused("aws ecs run-task --task-definition web --clutser prod --strategy x") ==
        Texts{"aws ecs run-task has no option '--clutser'; did you mean --cluster?",
              "aws ecs run-task has no option '--strategy'; did you mean --capacity-provider-strategy or "
              "--placement-strategy?"});
  CHECK(refused("aws ecs run-task --task-definition web 3") == Texts{"unexpected argument '3'"});
  CHECK(refused("aws ecs run-task --task-definition web --enable-execute-command true") ==
        Texts{"unexpected argument 'true'"});
  CHECK(refused("aws ecs run-task --task-definition --count 3") == Texts{"--task-definition requires a value"});
  CHECK(refused("aws ecs run-task --task-definition web --enable-execute-command=true") ==
        Texts{"--enable-execute-command does not accept a value, got 'true'"});
}

TEST_CASE("command line says what is missing and what is not tried") {
  CHECK(refused("aws ecs run-task") == Texts{"aws ecs run-task requires --task-definition"});
  CHECK(refused("aws ecs register-task-definition --cpu 512") ==
        Texts{"aws ecs register-task-definition requires --family and --container-definitions"});
  CHECK(taken("aws ecs run-task --cli-input-json {}").options.size() == 1);
  CHECK(refused("aws ecs run-task --cli-input-json {} --cli-input-yaml {}") ==
        Texts{"--cli-input-json and --cli-input-yaml are mutually exclusive"});
  CHECK(refused("aws ecs stop-tasks --task x") ==
        Texts{"'aws ecs stop-tasks' is not supported; did you mean 'stop-task'?"});
  CHECK(refused("aws s3 ls") == Texts{"'aws s3' is not supported"});
  CHECK(refused("ecs run-task") == Texts{"'ecs' is not 'aws'"});
  CHECK(refused("aws --cluster prod ecs run-task") == Texts{"unknown option '--cluster' before the service"});
  CHECK(refused("aws ecs run-task --task-definition web --generate-cli-skeleton").size() == 1);
  CHECK(refused("aws ecs run-task --task-definition web --output xml") == Texts{"--output of aws cannot be 'xml'"});
}

TEST_CASE("command line tells options without effect and those given twice") {
  const auto line = taken("aws ecs run-task --task-definition a --task-definition b --query tasks[0] --debug");
  REQUIRE(line.options.size() == 1);
  CHECK(values(line.options.front()) == Texts{"b"});
  REQUIRE(line.notes.size() == 2);
  CHECK(line.notes[0].id == "aws-option-repeated");
  CHECK(line.notes[1].subject == "--query");
}
