#include "importers/published_modules.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/lazy.hpp"
#include "base/strings.hpp"
#include "embedded/cloudposse_alb_service_task.hpp"
#include "embedded/cloudposse_container_definition.hpp"
#include "embedded/ecs_5.hpp"
#include "embedded/ecs_6.hpp"
#include "embedded/ecs_cluster_5.hpp"
#include "embedded/ecs_cluster_6.hpp"
#include "embedded/ecs_container_definition_5.hpp"
#include "embedded/ecs_container_definition_6.hpp"
#include "embedded/ecs_service_5.hpp"
#include "embedded/ecs_service_6.hpp"

namespace bayplan::importers {
namespace {

struct ModuleVersion {
  std::int64_t major = 0;
  std::int64_t minor = 0;
  auto operator<=>(const ModuleVersion&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14
};

constexpr std::int64_t kEveryMinor = 9999;

/// The code for a range of versions of a module.
struct PublishedRow {
  std::string_view registry;  ///< Address in the registry, without a folder.
  std::string_view repository;
  std::string_view folder;  ///< Inside of the module; empty for the module itself.
  ModuleVersion first;
  ModuleVersion last;
  std::string_view (*code)();
};

constexpr std::string_view kEcsModule = "terraform-aws-modules/ecs/aws";
constexpr std::string_view kEcsRepository = "terraform-aws-modules/terraform-aws-ecs";
constexpr ModuleVersion kLastEcs{7, kEveryMinor};

constexpr std::array<PublishedRow, 10> kRows{{
    {kEcsModule, kEcsRepository, "", {5, 0}, {5, kEveryMinor}, embedded::ecs_5},
    {kEcsModule, kEcsRepository, "", {6, 0}, kLastEcs, embedded::ecs_6},
    {kEcsModule, kEcsRepository, "modules/cluster", {5, 0}, {5, kEveryMinor}, embedded::ecs_cluster_5},
    {kEcsModule, kEcsRepository, "modules/cluster", {6, 0}, kLastEcs, embedded::ecs_cluster_6},
    {kEcsModule,
     kEcsRepository,
     "modules/container-definition",
     {5, 0},
     {5, kEveryMinor},
     embedded::ecs_container_definition_5},
    {kEcsModule,
     kEcsRepository,
     "modules/container-definition",
     {6, 0},
     kLastEcs,
     embedded::ecs_container_definition_6},
    {kEcsModule, kEcsRepository, "modules/service", {5, 0}, {5, kEveryMinor}, embedded::ecs_service_5},
    {kEcsModule, kEcsRepository, "modules/service", {6, 0}, kLastEcs, embedded::ecs_service_6},
    {"cloudposse/ecs-container-definition/aws",
     "cloudposse/terraform-aws-ecs-container-definition",
     "",
     {0, 41},
     {0, 61},
     embedded::cloudposse_container_definition},
    {"cloudposse/ecs-alb-service-task/aws",
     "cloudposse/terraform-aws-ecs-alb-service-task",
     "",
     {0, 60},
     {0, 78},
     embedded::cloudposse_alb_service_task},
}};

/// "v5.12.0", "tags/0.58.1", "5": the numbers before and after the first dot; nothing for a branch or commit.
struct WrittenVersion {
  ModuleVersion version;
  std::size_t parts = 0;
};

std::optional<WrittenVersion> parse_module_version(std::string_view text) {
  text = trim(text);
  for (const std::string_view prefix : {"refs/", "tags/", "v"}) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  }
  WrittenVersion result;
  for (const auto part : split(text, '.')) {
    const auto number = to_integer(part);
    if (!number || *number < 0) return std::nullopt;
    if (result.parts == 0) result.version.major = *number;
    if (result.parts == 1) result.version.minor = *number;
    ++result.parts;
  }
  return result.parts <= 3 ? std::optional(result) : std::nullopt;
}

ModuleVersion before(ModuleVersion version) {
  return version.minor > 0 ? ModuleVersion{version.major, version.minor - 1}
                           : ModuleVersion{version.major - 1, kEveryMinor};
}

struct VersionRange {
  ModuleVersion lower = {};
  ModuleVersion upper = {kEveryMinor, kEveryMinor};
};

/// The versions that a constraint allows; nothing if it cannot be read.
std::optional<VersionRange> allowed_versions(std::string_view constraint) {
  VersionRange range;
  for (auto term : split(constraint, ',')) {
    term = trim(term);
    if (term.empty()) continue;
    const auto sign_end = std::min(term.find_first_not_of("=!<>~"), term.size());
    const std::string_view sign = term.substr(0, sign_end);
    const auto written = parse_module_version(term.substr(sign_end));
    if (!written) return std::nullopt;
    const ModuleVersion version = written->version;
    const bool has_lower = sign.empty() || sign == "=" || sign == "~>" || sign == ">=" || sign == ">";
    if (has_lower) range.lower = std::max(range.lower, version);
    if (sign.empty() || sign == "=" || sign == "<=") {
      range.upper = std::min(range.upper, version);
    } else if (sign == "~>") {
      // The last number that is written may grow.
      if (written->parts == 3) range.upper = std::min(range.upper, version);
      if (written->parts == 2) range.upper = std::min(range.upper, {version.major, kEveryMinor});
    } else if (sign == "<") {
      range.upper = std::min(range.upper, written->parts == 3 && version.minor > 0 ? version : before(version));
    } else if (!has_lower && sign != "!=") {
      return std::nullopt;
    }
  }
  return range;
}

/// An address in parts: the module, a folder inside of it, and the version of GitHub.
struct ModuleAddress {
  std::string_view registry = {};
  std::string_view repository = {};
  std::string_view folder = {};
  std::optional<std::string_view> reference = {};
};

ModuleAddress parse_module_address(std::string_view source) {
  ModuleAddress address;
  if (const auto question = source.find('?'); question != std::string_view::npos) {
    const auto query = source.substr(question + 1);
    if (const auto at = query.find("ref="); at != std::string_view::npos)
      address.reference = query.substr(at + 4, query.find('&', at) - at - 4);
    source = source.substr(0, question);
  }
  constexpr std::string_view kHub = "github.com";
  if (const auto hub = source.find(kHub); hub != std::string_view::npos) {
    source.remove_prefix(std::min(hub + kHub.size() + 1, source.size()));  // with the "/" or ":" after it
    const auto inside = source.find("//");
    address.repository = source.substr(0, inside);
    if (inside != std::string_view::npos) address.folder = source.substr(inside + 2);
    if (address.repository.ends_with(".git")) address.repository.remove_suffix(4);
    return address;
  }
  for (const std::string_view host : {"registry.terraform.io/", "registry.opentofu.org/"}) {
    if (source.starts_with(host)) source.remove_prefix(host.size());
  }
  const auto inside = source.find("//");
  address.registry = source.substr(0, inside);
  if (inside != std::string_view::npos) address.folder = source.substr(inside + 2);
  return address;
}

bool is_of(const PublishedRow& row, const ModuleAddress& address) {
  const bool is_module =
      address.repository.empty() ? row.registry == address.registry : row.repository == address.repository;
  return is_module && row.folder == address.folder;
}

std::shared_ptr<const HclFolder> parsed_code(std::size_t row) {
  using Code = Lazy<std::shared_ptr<const HclFolder>>;
  static const auto codes = [] {
    std::vector<std::unique_ptr<const Code>> all;
    for (const auto& one : kRows) {
      all.push_back(std::make_unique<const Code>([&one] {
        auto folder = std::make_shared<HclFolder>();
        folder->code.push_back(parse_hcl("main.tf", std::string(one.code()), {}));
        return std::shared_ptr<const HclFolder>(std::move(folder));
      }));
    }
    return all;
  }();
  return codes[row]->get();
}

std::string in_words(ModuleVersion version) {
  return version.minor == kEveryMinor || (version.major > 0 && version.minor == 0)
             ? std::to_string(version.major)
             : fmt::format("{}.{}", version.major, version.minor);
}

}  // namespace

PublishedModule find_published_module(std::string_view source, std::string_view constraint) {
  const ModuleAddress address = parse_module_address(source);
  PublishedModule result;
  std::optional<ModuleVersion> first;
  ModuleVersion newest;
  for (const auto& row : kRows) {
    if (!is_of(row, address)) continue;
    first = std::min(first.value_or(row.first), row.first);
    newest = std::max(newest, row.last);
  }
  if (!first) return result;
  result.name = fmt::format("published {}//{}", address.repository.empty() ? address.registry : address.repository,
                            address.folder);
  result.known_versions = fmt::format("{} to {}", in_words(*first), in_words(newest));
  std::optional<VersionRange> range;
  if (address.repository.empty()) {
    range = allowed_versions(constraint);
  } else if (!address.reference || *address.reference == "master" || *address.reference == "main") {
    range = VersionRange();
  } else if (const auto written = parse_module_version(*address.reference)) {
    range = VersionRange{written->version, written->version};
  }
  std::vector<std::size_t> meant;
  for (std::size_t i = 0; range && i < kRows.size(); ++i) {
    const auto& row = kRows[i];
    if (is_of(row, address) && range->lower <= row.last && row.first <= range->upper) meant.push_back(i);
  }
  // Which version is installed depends on when that was done, so only inputs that all of them have are certain.
  result.is_ambiguous = meant.size() > 1;
  if (meant.size() == 1) {
    result.folder = parsed_code(meant.front());
    result.name += fmt::format(" {}", kRows[meant.front()].first.major);
  }
  return result;
}

std::string version_in_call(std::string_view source, std::string_view constraint) {
  const auto address = parse_module_address(source);
  return std::string(address.repository.empty() ? constraint : address.reference.value_or(""));
}

}  // namespace bayplan::importers
