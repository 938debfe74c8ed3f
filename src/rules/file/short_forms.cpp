// Short forms of Docker: https://docs.docker.com/reference/compose-file/services/ (ports, volumes, extra_hosts,
// ulimits, environment, depends_on), 2026-11.
#include "rules/file/short_forms.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "rules/gpu/gpu_requests.hpp"
#include "rules/network/port_mappings.hpp"

namespace bayplan::rules {
namespace {

using text::Kind;
using text::Value;

NewMember number(std::string_view name, std::string_view digits) {
  return {std::string(name), std::string(digits), false};
}

bool is_port(std::string_view text, std::int64_t smallest) {
  const auto port = is_digits(text) ? to_integer(text) : std::nullopt;
  return port && *port >= smallest && *port <= 65535 && (text.size() == 1 || text.front() != '0');
}

bool is_rising_range(std::string_view text) {
  const auto range = parse_port_range(text);
  return range && range->first < range->last;
}

/// "90-95". The host ports of a range are chosen by ECS: those that are written are lost.
std::optional<ShortForm> read_ports(const std::vector<std::string_view>& ports) {
  if (ports.size() == 1 && is_rising_range(ports.front())) {
    return ShortForm{{{"containerPortRange", std::string(ports.front())}}};
  }
  if (ports.size() == 2 && ports.front() == ports.back() && is_rising_range(ports.front())) {
    return ShortForm{{{"containerPortRange", std::string(ports.front())}}, false};
  }
  if (ports.size() > 2 || !is_port(ports.back(), 1) || !is_port(ports.front(), 0)) return std::nullopt;
  ShortForm mapping{{number("containerPort", ports.back())}};
  if (ports.size() == 2) mapping.object.push_back(number("hostPort", ports.front()));
  return mapping;
}

/// An address of the host has no counterpart.
std::optional<ShortForm> read_port(std::string_view text) {
  const auto slash = std::min(text.find('/'), text.size());
  auto mapping = read_ports(split(text.substr(0, slash), ':'));
  if (!mapping || slash == text.size()) return mapping;
  const auto protocol = lower(text.substr(slash + 1));
  if (protocol != "tcp" && protocol != "udp") return std::nullopt;
  mapping->object.push_back({"protocol", protocol});
  return mapping;
}

bool is_volume_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_'; });
}

/// Reads the mount of a named volume. A folder of the host needs its own volume.
std::optional<NewObject> read_mount(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3 || !is_volume_name(parts[0]) || !parts[1].starts_with('/')) {
    return std::nullopt;
  }
  NewObject mount{{"sourceVolume", std::string(parts[0])}, {"containerPath", std::string(parts[1])}};
  if (parts.size() == 2) return mount;
  if (parts[2] != "ro" && parts[2] != "rw") return std::nullopt;
  mount.push_back({"readOnly", parts[2] == "ro" ? "true" : "false", false});
  return mount;
}

bool is_address(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

std::optional<NewObject> read_host(std::string_view text) {
  const auto end = std::min(text.find_first_of(":="), text.size());
  const auto name = text.substr(0, end);
  auto address = text.substr(std::min(end + 1, text.size()));
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  if (name.empty() || name.find(' ') != std::string_view::npos || !is_address(std::string(address))) {
    return std::nullopt;
  }
  return NewObject{{"hostname", std::string(name)}, {"ipAddress", std::string(address)}};
}

bool is_limit(std::string_view text) {
  return is_digits(text) || text == "-1";
}

/// "1024" or "1024:4096", soft and hard.
std::optional<NewObject> read_limits(std::string_view name, std::string_view text) {
  const auto limits = split(trim(text), ':');
  if (limits.size() > 2 || !is_limit(limits.front()) || !is_limit(limits.back())) return std::nullopt;
  return NewObject{
      {"name", std::string(name)}, number("softLimit", limits.front()), number("hardLimit", limits.back())};
}

bool has_value(const shape::Rule& rule, std::string_view text) {
  return std::find(rule.values.begin(), rule.values.end(), text) != rule.values.end();
}

bool takes(const shape::Rule& rule, std::string_view text) {
  return rule.types.only(Kind::kString) && (rule.values.empty() || has_value(rule, text));
}

bool is_pair(const shape::Rule& element) {
  return element.members.size() == 2 && element.members[0].rule->types.only(Kind::kString) &&
         element.members[1].rule->types.only(Kind::kString);
}

std::optional<NewObject> read_assignment(const shape::Rule& element, std::string_view text) {
  const auto equals = text.find('=');
  if (!is_pair(element) || equals == 0 || equals == std::string_view::npos) return std::nullopt;
  const auto& [first, second] = std::pair{element.members[0], element.members[1]};
  const auto name = text.substr(0, equals), value = text.substr(equals + 1);
  const bool is_free = first.rule->values.empty() && second.rule->values.empty();
  if (!is_free || std::any_of(name.begin(), name.end(), is_space)) return std::nullopt;
  return NewObject{{std::string(first.name), std::string(name)}, {std::string(second.name), std::string(value)}};
}

std::optional<std::string> limit_in(Value limits, std::string_view name, std::string_view long_name) {
  Value limit = limits.find(name);
  if (!limit) limit = limits.find(long_name);
  if (!limit || (limit.kind() != Kind::kInteger && !limit.is_string()) || !is_limit(limit.text())) return std::nullopt;
  return std::string(limit.text());
}

std::optional<NewObject> read_ulimit(const shape::Rule& names, Value pair) {
  if (!has_value(names, pair.key())) return std::nullopt;
  if (!pair.is_object()) return read_limits(pair.key(), pair.text());
  const auto soft = limit_in(pair, "soft", "softLimit"), hard = limit_in(pair, "hard", "hardLimit");
  if (!soft || !hard || pair.size() != 2) return std::nullopt;
  return NewObject{{"name", std::string(pair.key())}, number("softLimit", *soft), number("hardLimit", *hard)};
}

std::optional<NewObject> read_requirement(Value pair) {
  const std::string key = lower(pair.key());
  const bool is_gpu = key == "gpu" || key == "gpus" || key == "nvidia.com/gpu";
  const bool is_count = pair.is_string() || pair.kind() == Kind::kInteger;
  auto count = is_gpu && is_count ? gpu_count_meant(pair) : std::nullopt;
  const bool is_number = is_gpu && (pair.is_string() || pair.kind() == Kind::kNumber);
  if (!count && is_number && capacity::parse_gpu_value(pair.text())) count = plain_gpu_value(pair.text());
  return count && *count != "0" ? std::optional(NewObject{{"type", "GPU"}, {"value", *count}}) : std::nullopt;
}

/// `"data": {}`, a volume that Docker makes.
std::optional<NewObject> read_volume(Value pair) {
  const bool is_empty = pair.is_null() || (pair.is_object() && pair.size() == 0);
  return is_empty && is_volume_name(pair.key()) ? std::optional(NewObject{{"name", std::string(pair.key())}})
                                                : std::nullopt;
}

/// `"db": {"condition": "service_healthy"}`
std::optional<NewObject> read_dependency(const shape::Rule& conditions, Value pair) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kCompose{
      {{"service_started", "START"}, {"service_healthy", "HEALTHY"}, {"service_completed_successfully", "SUCCESS"}}};
  const Value condition = pair.is_object() && pair.size() == 1 ? pair.find("condition") : pair;
  if (!condition || !condition.is_string()) return std::nullopt;
  auto word = condition.text();
  for (const auto& [compose, ecs] : kCompose) {
    if (word == compose) word = ecs;
  }
  if (!has_value(conditions, word)) return std::nullopt;
  return NewObject{{"containerName", std::string(pair.key())}, {"condition", std::string(word)}};
}

/// "nam" where "name" belongs. A name in capitals is one.
bool is_slip_of_member(const shape::Rule& element, std::string_view key) {
  const std::vector<std::string_view> members{element.members[0].name, element.members[1].name};
  return std::any_of(key.begin(), key.end(), is_lower) && nearest(key, members);
}

std::optional<NewObject> read_pair(const shape::Rule& element, Value pair) {
  const bool is_scalar = !pair.is_object() && !pair.is_array() && !pair.is_null();
  if (!is_pair(element) || !is_scalar || pair.kind() == Kind::kPlaceholder) return std::nullopt;
  const auto& [first, second] = std::pair{element.members[0], element.members[1]};
  if (!takes(*first.rule, pair.key()) || !takes(*second.rule, pair.text()) || is_slip_of_member(element, pair.key())) {
    return std::nullopt;
  }
  NewMember value{std::string(second.name), std::string(pair.text())};
  if (pair.is_string()) value.source = pair.document().source().substr(pair.span().begin, pair.span().length());
  return NewObject{{std::string(first.name), name_in_file(pair)}, std::move(value)};
}

std::optional<ShortForm> certain(std::optional<NewObject> object) {
  return object ? std::optional(ShortForm{std::move(*object)}) : std::nullopt;
}

}  // namespace

std::string name_in_file(Value pair) {
  auto written = std::string_view(pair.document().source()).substr(pair.key_span().begin, pair.key_span().length());
  if (written.size() > 1 && (written.front() == '"' || written.front() == '\'')) {
    written = written.substr(1, written.size() - 2);
  }
  return std::string(equal_ignoring_case(written, pair.key()) ? written : pair.key());
}

std::optional<ShortForm> read_short_form(const shape::Rule& element, std::string_view text) {
  if (element.find("hostPort") != nullptr) return read_port(text);
  if (element.find("sourceVolume") != nullptr) return certain(read_mount(text));
  if (element.find("ipAddress") != nullptr) return certain(read_host(text));
  if (const auto* name = element.find("softLimit") == nullptr ? nullptr : element.find("name")) {
    const auto equals = std::min(text.find('='), text.size());
    if (!has_value(*name->rule, text.substr(0, equals)) || equals == text.size()) return std::nullopt;
    return certain(read_limits(text.substr(0, equals), text.substr(equals + 1)));
  }
  if (element.find("condition") != nullptr) {
    return ShortForm{{{"containerName", std::string(text)}, {"condition", "START"}}, false};
  }
  return certain(read_assignment(element, text));
}

std::optional<NewObject> read_map_member(const shape::Rule& element, Value pair) {
  if (element.find("softLimit") != nullptr) return read_ulimit(*element.find("name")->rule, pair);
  if (element.find("sharingStrategy") != nullptr) return read_requirement(pair);
  if (element.find("efsVolumeConfiguration") != nullptr) return read_volume(pair);
  if (element.find("containerName") != nullptr && element.find("condition") != nullptr) {
    return read_dependency(*element.find("condition")->rule, pair);
  }
  return read_pair(element, pair);
}

}  // namespace bayplan::rules
