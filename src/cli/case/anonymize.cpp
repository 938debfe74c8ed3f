#include "cli/case/anonymize.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/strings.hpp"
#include "catalog/catalog.hpp"
#include "catalog/region.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/command_rows.hpp"
#include "report/schemas.hpp"
#include "rules/rule_data.hpp"
#include "text/read.hpp"

namespace bayplan::cli {
namespace {

/// Keys of AWS responses and events that bayplan reads and no schema of its own has (src/model/described.cpp,
/// src/scenario, src/replay), words of templates, of expressions, of ARNs and of file names.
constexpr std::string_view kOtherWords =
    "GiB MiB TiB GB MB KB asc desc zone price tasks free-gpu free-cpu free-memory free-eni eni slurm aws-batch G VT P "
    "ACTIVE activeServicesCount agentConnected agentVersion ALL AllowedValues amazonaws AmazonElasticBlockStorage ami "
    "And and api arm64 arn AttachmentLimitType attachments attribute attributes AutoScaling AutoScalingGroupArn "
    "AutoScalingGroupName AutoScalingGroupProvider AutoScalingGroups AvailabilityZone AvailabilityZones AWS aws "
    "AWSTemplateFormatVersion Base64 call calls capability capacity-provider capacityProviderArn CapacityProviders "
    "clientToken CloudTrailEvent clusterArn clusterArns ClusterName clusters com CommaDelimitedList COMPUTE_SP "
    "Condition Conditions container-instance containerInstance containerInstanceArn containerInstanceArns "
    "containerInstances containers Count create-service createdAt CreateService createService csv currency "
    "CurrentGeneration data date DEDICATED Default DefaultCapacityProviderStrategy defaultCapacityProviderStrategy "
    "DefaultValue DefaultVCpus DELETED deployments DeregisterContainerInstance describe DesiredCapacity desiredStatus "
    "DETACHED detail details docker DOUBLE doubleValue duration EbsInfo EC2 ec2 EC2_INSTANCE_SP ECS ecs effectiveDate "
    "ElasticNetworkInterface eni env Equals errorCode eventID eventName Events eventSource eventTime exists exitCode "
    "failures false family file fileb FilesystemId FindInMap Fn GB GetAtt GetAZs GPU gpu gpuId gpuIds GpuInfo Gpus "
    "host hour hourlyPrice html http https Hypervisor i IAM id If ImageId in InService instance InstanceId instanceId "
    "InstanceLifecycle Instances instances INTEGER integerValue Join json jsonl lastStatus LaunchConfigurationName "
    "LaunchTemplate LaunchTemplateData LaunchTemplateId LaunchTemplateName LaunchTemplateSpecification licenseModel "
    "LifecycleState Linux list locationType LONG longValue manifest Manufacturer Mappings matches max "
    "MaximumEbsAttachments MaximumNetworkInterfaces md MemoryInfo Metadata MinSize MixedInstancesPolicy NA NAME Name "
    "name ndjson network NetworkInfo NetworkInterfaces NEURON_CORES NEURON_DEVICE neuronDeviceIds NeuronDevices "
    "NeuronInfo NoEcho Not not notNeeded null OK OnDemand operatingSystem Or "
    "or os otherCluster Outputs Overrides Parameters PENDING pendingCount pendingTasksCount Placement "
    "PlacementStrategies Plans PORTS PORTS_UDP preInstalledSw priceDimensions PriceList pricePerUnit ProcessorInfo "
    "ProductDescription Properties PROVISIONING ProxyConfigurationProperties publicationDate pullStartedAt Records "
    "Ref regionCode register register-task-definition RegisterContainerInstance registeredContainerInstancesCount "
    "RegisterTaskDefinition remainingMemoryInMiB remainingResources remote requestParameters requiresAttributes "
    "reservations RESERVED_INSTANCES RESOURCE Resources responseElements revision run run-task RUNNING runningCount "
    "runningTasksCount RunTask Savings Select serviceArn serviceArns services sg Shared sharingMode SizeInMiB "
    "snapshotOf source Split SpotPrice SpotPriceHistory Standard start start-task startedAt StartTask Status stop "
    "STOPPED stoppedAt stoppingAt StopTask String STRINGSET stringSetValue Sub SubmitTaskStateChange subnet SubnetId "
    "Subnets SupportedArchitectures svg task task-definition taskArn taskArns taskDefinitionArn taskDefinitionArns "
    "tasks TCP terraform Timestamp totalMemoryInMiB true txt Type type UDP UNIX update update-service "
    "UpdateContainerInstancesState updatedAt UpdateService USD Used UserData userIdentity value vCPU VCpuInfo "
    "versionInfo VPCZoneIdentifier Weight WeightedCapacity x86_64 xml yaml yes yml";

bool is_word_character(char character) {
  const auto byte = static_cast<unsigned char>(character);
  return byte >= 0x80 || std::isalnum(byte) != 0;
}

/// 512, 1h30m, 14GiB, 1e9, 2xlarge is no such one, 01T00 and 00Z of times, and 1a of us-east-1a.
bool is_quantity(std::string_view word) {
  constexpr std::size_t kAccountDigits = 12;
  constexpr std::array<std::string_view, 14> kUnits = {"h",   "m", "s",  "e", "T",  "Z",   "K",
                                                       "MiB", "M", "GB", "G", "MB", "GiB", "TiB"};
  if (word.empty() || !is_digit(word.front())) return false;
  if (std::all_of(word.begin(), word.end(), is_digit)) return word.size() < kAccountDigits;
  if (word.size() == 2 && word.back() >= 'a' && word.back() <= 'f') return true;
  while (!word.empty()) {
    const auto digits = std::min(word.find_first_not_of("0123456789"), word.size());
    if (digits == 0) return false;
    word.remove_prefix(digits);
    if (word.empty()) return true;
    const auto unit = word.substr(0, std::min(word.find_first_of("0123456789"), word.size()));
    if (std::find(kUnits.begin(), kUnits.end(), unit) == kUnits.end()) return false;
    word.remove_prefix(unit.size());
  }
  return true;
}

bool is_joining(char character) {
  return character == '-' || character == '_' || character == '.';
}

/// Calls `word` for each run of letters and digits, and `rest` for what is between them. A longer run, with hyphens and
/// the like inside, goes to `rest` as a whole if it is `kept`. An escape of a string is no part of a word: the n
/// of `\n` is none, and `\u00e9`, which is a letter, becomes an x.
template <class Word, class Rest>
void for_each_word(std::string_view text, const PublicWords& kept, Word word, Rest rest) {
  constexpr std::size_t kUnicodeEscape = 6;
  const auto end_of = [&](std::size_t at, auto is_inside) {
    while (at < text.size() && text[at] != '\\' && is_inside(text[at])) ++at;
    return at;
  };
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      const bool is_letter = text[at + 1] == 'u' && at + kUnicodeEscape <= text.size();
      rest(is_letter ? std::string_view("x") : text.substr(at, 2));
      at += is_letter ? kUnicodeEscape : 2;
      continue;
    }
    if (!is_word_character(text[at])) {
      const auto end = std::max(at + 1, end_of(at, [](char one) { return !is_word_character(one); }));
      rest(text.substr(at, end - at));
      at = end;
      continue;
    }
    auto phrase_end = end_of(at, [](char one) { return is_word_character(one) || is_joining(one); });
    const auto phrase = text.substr(at, phrase_end - at);
    if (kept.has(phrase)) {
      rest(phrase);
      at = phrase_end;
      continue;
    }
    // Its words one by one: none of them begins a phrase of its own.
    while (at < phrase_end) {
      const bool is_word = is_word_character(text[at]);
      const auto end = std::min(phrase_end, end_of(at, [&](char one) { return is_word_character(one) == is_word; }));
      is_word ? word(text.substr(at, end - at)) : rest(text.substr(at, end - at));
      at = end;
    }
  }
}

/// container_definitions of containerDefinitions, as Terraform has it.
std::string snake_case(std::string_view word) {
  std::string snake;
  for (const char character : word) {
    const bool is_upper = character >= 'A' && character <= 'Z';
    if (is_upper) snake += '_';
    snake += is_upper ? static_cast<char>(character - 'A' + 'a') : character;
  }
  return snake;
}

/// Replaces words, in texts that it was shown before.
class Pseudonyms {
 public:
  explicit Pseudonyms(const PublicWords& kept) : kept_(kept) {}

  void collect(std::string_view text) {
    const auto add = [&](std::string_view word) {
      if (!kept_.has(word) && !is_quantity(word)) names_.emplace(word, std::string());
    };
    for_each_word(text, kept_, add, [](std::string_view) {});
  }

  /// Of as many digits each, so that they sort as the words do.
  void number() {
    constexpr std::int64_t kAccount = 100'000'000'000;
    const auto width = std::to_string(names_.size()).size();
    std::int64_t next = 0;
    for (auto& [word, name] : names_) {
      const bool is_number = std::all_of(word.begin(), word.end(), is_digit);
      name = is_number ? std::to_string(kAccount + next) : fmt::format("n{:0{}}", next, width);
      ++next;
    }
  }

  std::string replace(std::string_view text) const {
    std::string replaced;
    const auto put = [&](std::string_view word) {
      const auto found = names_.find(word);
      replaced += found == names_.end() ? word : std::string_view(found->second);
    };
    for_each_word(text, kept_, put, [&](std::string_view rest) { replaced += rest; });
    return replaced;
  }

 private:
  const PublicWords& kept_;
  std::map<std::string, std::string, std::less<>> names_;
};

/// A path that stays in the folder where the case is put: `/etc/x` is etc/x, and `../x` is up/x.
std::string inner_path(std::string_view path) {
  std::string inner;
  while (path.starts_with('/') || path.starts_with("../")) {
    if (path.starts_with('/')) {
      path.remove_prefix(1);
    } else {
      path.remove_prefix(3);
      inner += "up/";
    }
  }
  inner += path;
  return inner;
}

/// The name of an option stays: `--lose-az=` of `--lose-az=us-east-1a`.
std::string_view option_name(std::string_view word) {
  if (!word.starts_with('-') || word == "-" || word == "--") return {};
  const auto equals = word.find('=');
  return equals == std::string_view::npos ? word : word.substr(0, equals + 1);
}

/// A word of the command line as the option that it names and the rest.
std::pair<std::string, std::string> parts_of_word(std::string_view word) {
  const auto option = option_name(word);
  auto value = inner_path(word.substr(option.size()));
  while (value.size() > 1 && value.ends_with('/')) value.pop_back();
  return {std::string(option), value};
}

}  // namespace

bool PublicWords::has(std::string_view word) const {
  // Names that ECS reserves: ecs.instance-type, com.amazonaws.ecs.capability.
  if (word.starts_with("ecs.") || word.starts_with("com.amazonaws.")) return true;
  const auto region = catalog::region_of_zone(word);
  return words_.contains(word) || (region && words_.contains(*region));
}

void PublicWords::add(std::string_view word) {
  if (word.empty()) return;
  words_.emplace(word);
  // As CloudFormation and Terraform write a key of ECS.
  auto capitalized = std::string(word);
  if (capitalized.front() >= 'a' && capitalized.front() <= 'z')
    capitalized.front() = static_cast<char>(capitalized.front() - 'a' + 'A');
  words_.insert(std::move(capitalized));
  words_.insert(snake_case(word));
}

PublicWords PublicWords::load() {
  PublicWords words;
  // What options take: formats, choices, rules.
  for (const auto& command : make_rows(all_commands())) {
    for (const auto& format : command.formats) words.add(format);
    for (const auto& row : command.rows) {
      for (const auto& word : row.words) words.add(word);
    }
  }
  const auto rules = rules::RuleData::load();
  for (const auto& row : rules.rows()) {
    words.add(row.code);
    words.add(row.id);
    words.add(row.group);
  }
  for (const auto word : split(kOtherWords, ' ')) words.add(word);
  for (const auto& schema : report::schemas()) {
    if (schema.name.ends_with("-report")) continue;  // what bayplan writes
    const auto document = text::read_document(std::string(schema.text));
    for (std::uint32_t i = 0; i < document->node_count(); ++i) {
      const auto node = document->node(i);
      words.add(node.key());
      const auto around = node.parent();
      const bool is_word = node.key() == "const" || (around && (around.key() == "enum" || around.key() == "x-aliases"));
      if (is_word) words.add(node.text());
    }
  }
  const auto catalog = catalog::Catalog::load();
  for (const auto& type : catalog.types()) {
    words.add(type.name);
    for (const auto part : split(type.name, '.')) words.add(part);  // of g4dn.* and *.large
    for (const auto& region : type.regions.names()) words.add(region);
  }
  return words;
}

RecordedRun anonymized(const RecordedRun& run, const PublicWords& kept) {
  Pseudonyms names(kept);
  for (std::size_t i = 1; i < run.words.size(); ++i) names.collect(parts_of_word(run.words[i]).second);
  for (const auto& [path, content] : run.files) {
    names.collect(inner_path(path));
    names.collect(content);
  }
  names.number();
  RecordedRun replaced;
  for (std::size_t i = 0; i < run.words.size(); ++i) {
    const auto [option, value] = parts_of_word(run.words[i]);
    replaced.words.push_back(i == 0 ? run.words[i] : option + names.replace(value));  // the first is the command
  }
  for (const auto& [path, content] : run.files)
    replaced.files[names.replace(inner_path(path))] = names.replace(content);
  return replaced;
}

}  // namespace bayplan::cli
