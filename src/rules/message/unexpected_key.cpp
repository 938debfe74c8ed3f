#include "rules/message/unexpected_key.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/strings.hpp"
#include "catalog/cells.hpp"
#include "embedded/key_dates.hpp"
#include "importers/cloudformation_keys.hpp"
#include "shape/named_keys.hpp"
#include "shape/request_schemas.hpp"

namespace bayplan::rules {
namespace {

/// A request of ECS as `shape::NamedKey::request` names it, and the words of a message that mean it.
struct Request {
  std::string_view name;
  std::array<std::string_view, 3> words;
};

constexpr Request kRequests[] = {
    {"a service (create-service)", {"createservice", "create-service", "aws::ecs::service"}},
    {"update-service", {"updateservice", "update-service", "update service"}},
    {"run-task", {"runtask", "run-task", "run task"}},
    {"start-task", {"starttask", "start-task", "start task"}},
};

/// The request of the message, if it names one.
std::optional<std::string_view> request_named(std::string_view text) {
  const auto lowered = lower(text);
  for (const auto& request : kRequests) {
    for (const auto word : request.words)
      if (lowered.find(word) != std::string::npos) return request.name;
  }
  static constexpr std::array<std::string_view, 3> kDefinition{"task definition", "taskdefinition", "task-definition"};
  for (const auto word : kDefinition)
    if (lowered.find(word) != std::string::npos) return "a task definition";
  return std::nullopt;
}

/// A key as the API writes it: PortMappings, port_mappings -> portMappings.
std::string api_key(std::string_view key) {
  std::string name;
  bool is_start = false;
  for (const char c : key) {
    if (c == '_' || c == '-') {
      is_start = true;
    } else {
      name += is_start && is_lower(c) ? static_cast<char>(c - 32) : c;
      is_start = false;
    }
  }
  if (!name.empty() && is_upper(name.front())) name.front() = static_cast<char>(name.front() + 32);
  return name;
}

/// params.containerDefinitions[0].environment -> containerDefinitions[].environment[]; nothing for the request itself.
/// The SDK for Ruby writes [:container_definitions][0].
std::string structure_of(std::string_view written_place) {
  std::string place(written_place);
  for (auto at = place.find("[:"); at != std::string::npos; at = place.find("[:")) {
    place.replace(at, 2, ".");
    if (const auto close = place.find(']', at); close != std::string::npos) place.erase(close, 1);
  }
  std::string path;
  for (const auto part : split(place, place.find('/') != std::string::npos ? '/' : '.')) {
    const auto name = part.substr(0, part.find('['));
    if (name.empty() || name == "#" || name == "params" || name == "input") continue;
    if (is_digits(name)) {
      path += "[]";
      continue;
    }
    if (!path.empty()) path += '.';
    path += api_key(name);
    if (part.find('[') != std::string_view::npos) path += "[]";
  }
  return path;
}

/// The structure that has the key of a path.
std::string_view parent_of(std::string_view path) {
  const auto dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

std::string_view key_of(std::string_view path) {
  const auto dot = path.rfind('.');
  auto key = dot == std::string_view::npos ? path : path.substr(dot + 1);
  while (key.ends_with("[]")) key.remove_suffix(2);
  return key;
}

bool is_in_responses(std::string_view key) {
  const auto tasks = shape::task_definition_schema();
  const auto services = shape::service_schema();
  return is_among(key, tasks.response_only()) || is_among(key, services.response_only());
}

/// "containerDefinitions[].secrets[] of a task definition"
std::string place_in_words(const shape::NamedKey& key) {
  const auto parent = parent_of(key.path);
  return parent.empty() ? fmt::format("the top level of {}", key.request)
                        : fmt::format("{} of {}", parent, key.request);
}

}  // namespace

std::string_view day_of_key(std::string_view request, std::string_view path) {
  for (auto row : catalog::lines_of(embedded::key_dates())) {
    if (catalog::take_until(row, ',') == request && catalog::take_until(row, ',') == path) return row;
  }
  return {};
}

bool is_about_unexpected_key(const Answer& answer) {
  return answer.id == "client-unexpected-key" || answer.id == "client-unknown-parameter" ||
         answer.id == "template-unknown-key" || answer.id == "terraform-unknown-argument";
}

void explain_unexpected_key(Answer& answer, std::string_view text) {
  const auto written = answer.values.find("key");
  if (written == answer.values.end()) return;
  const auto key = api_key(written->second);
  const auto place = answer.values.find("place");
  const auto structure = place == answer.values.end() ? std::string() : structure_of(place->second);
  const auto named = request_named(text);
  const auto request = named.value_or("a task definition");
  const auto keys = shape::find_named_keys(key);
  const auto is_member = [](const shape::NamedKey& one) { return one.use == shape::NamedKey::Use::kMember; };

  // The client refuses what the API accepts there: it is older than the key. A structure of its own names the request.
  const auto is_at_place = [&](const shape::NamedKey& one, std::optional<std::string_view> wanted) {
    return is_member(one) && (!wanted || one.request == *wanted) && parent_of(one.path) == structure;
  };
  auto same_place =
      std::find_if(keys.begin(), keys.end(), [&](const shape::NamedKey& one) { return is_at_place(one, request); });
  if (same_place == keys.end() && !named) {
    same_place =
        std::find_if(keys.begin(), keys.end(), [&](const shape::NamedKey& one) { return is_at_place(one, {}); });
  }
  if (same_place != keys.end() && answer.id == "template-unknown-key") {
    const auto spelled = importers::in_cloudformation(key_of(same_place->path));
    if (spelled == written->second) {
      answer.cause = fmt::format("{} is a key of the ECS API since {}, and CloudFormation does not know it here (yet).",
                                 spelled, day_of_key(same_place->request, same_place->path));
    } else {
      answer.cause = fmt::format("CloudFormation spells this key {}, not {}.", spelled, written->second);
      answer.fix = fmt::format("Use {}; `bayplan lint` of the template names each such key.", spelled);
    }
    return;
  }
  if (same_place != keys.end() && !named && structure.empty() && same_place->request != request) {
    // At the top level, a key of another request: an old client, or a request that never has it.
    const auto day = day_of_key(same_place->request, same_place->path);
    answer.cause = fmt::format("{} is a key of {}{}{}, and not of a task definition.", key, same_place->request,
                               day.empty() ? "" : " since ", day);
    answer.fix = fmt::format("In {} update the client to its current version; anywhere else move {} there.",
                             same_place->request, key);
    answer.certainty = Certainty::kLikely;
    return;
  }
  if (same_place != keys.end()) {
    const auto day = day_of_key(same_place->request, same_place->path);
    answer.cause =
        day.empty()
            ? fmt::format("{} is a valid key of {}, and this client does not know it.", key, same_place->request)
            : fmt::format("{} is a valid key of {} since {}, and this client is older.", key, same_place->request, day);
    answer.fix =
        fmt::format("Update the client (AWS CLI, SDK, action or provider) to {}. Deleting {} changes what runs.",
                    day.empty() ? "its current version" : fmt::format("a version after {}", day), key);
    return;
  }
  if (is_in_responses(key) && std::none_of(keys.begin(), keys.end(), is_member)) {
    answer.cause = fmt::format(
        "{} is a key of responses: describe-task-definition or describe-services prints it, and no "
        "request takes it.",
        key);
    answer.fix = fmt::format("Delete {}. `bayplan lint --fix` removes every key of responses.", key);
    return;
  }
  if (keys.empty() || keys.front().use == shape::NamedKey::Use::kValue) return;
  if (keys.front().use == shape::NamedKey::Use::kAlias) {
    const auto& meant = keys.front();
    answer.cause = fmt::format("ECS has no key {}.", written->second);
    answer.fix = meant.path.empty() ? fmt::format("Delete it: {} has no equivalent.", meant.request)
                                    : fmt::format("In {} use {}{}{}.", meant.request, meant.path,
                                                  meant.text.empty() ? "" : ": ", meant.text);
    return;
  }
  // Of several places, one in the same request.
  const auto in_request =
      std::find_if(keys.begin(), keys.end(), [&](const shape::NamedKey& one) { return one.request == request; });
  const auto& meant = in_request == keys.end() ? keys.front() : *in_request;
  answer.cause = fmt::format("{} is a key of {}, not of {}.", key, place_in_words(meant),
                             structure.empty() ? fmt::format("the top level of {}", request) : structure);
  answer.fix = fmt::format("Move {} to {}.", key, place_in_words(meant));
}

}  // namespace bayplan::rules
