#include "report/timeline/earlier_report.hpp"

#include <fmt/core.h>

#include "report/document/figures.hpp"
#include "text/location.hpp"

namespace bayplan::report {

using text::Value;
using timeline::EventKind;
using timeline::Seconds;

namespace {

constexpr std::string_view kSchema = "bayplan/place-report/1";

Error error_at(const std::string& file, Value value, std::string message, std::string help = {}) {
  const auto location = text::LineIndex(value.document().source()).location(value.span().begin);
  return {std::move(message), file, location.line, location.column, std::move(help)};
}

std::string_view text_of(Value object, std::string_view key) {
  const Value member = object.find(key);
  return member && member.is_string() ? member.text() : std::string_view();
}

Result<EarlierReport::Entry> read_event(const std::string& file, Value node) {
  if (!node.is_object()) return error_at(file, node, "this is not an event");
  const auto at = node.find("at") ? node.find("at").integer() : std::nullopt;
  const auto name = text_of(node, "eventName");
  if (!at || name.empty()) return error_at(file, node, "this event has no 'at' or no 'eventName'");
  return EarlierReport::Entry{
      *at,
      std::string(name),
      {std::string(text_of(node, "task")), text_of(node, "containerInstance"), text_of(node, "serviceName"),
       text_of(node, "capacityProviderName"), text_of(node, "subject")},
      node};
}

Result<Seconds> read_end(const std::string& file, Value root) {
  if (!root || !root.is_object()) return Error{.message = "this is not a report of bayplan place", .file = file};
  const auto schema = text_of(root, "schema");
  if (schema != kSchema) {
    return error_at(file, root.find("schema") ? root.find("schema") : root, "this is not a report of bayplan place",
                    fmt::format("--continue-from requires a report that --output json=FILE wrote: schema {}", kSchema));
  }
  const Value timeline = root.find("timeline");
  if (!timeline) {
    return error_at(file, root, "this report is a placement at time 0: there is no run to continue",
                    "Continue one of a run over time.");
  }
  const Value end = timeline.find("end");
  if (!end || !end.integer()) return error_at(file, timeline, "this timeline does not say where it ends");
  return *end.integer();
}

/// "train#3 TASK_PLACED (p3.2xlarge#1)"
std::string words_of(std::string_view event_name, const EventNames& names) {
  std::string text;
  const auto add = [&](std::string_view name) {
    if (!name.empty() && text.empty()) (text = name) += ' ';
  };
  add(names.task);
  add(names.service_name);
  add(names.capacity_provider_name);
  add(names.container_instance);
  add(names.subject);
  text += event_name;
  const bool says_where = !names.container_instance.empty() && !text.starts_with(names.container_instance);
  return says_where ? fmt::format("{} ({})", text, names.container_instance) : text;
}

Error difference(const EarlierReport& earlier, std::optional<Value> place, std::string message) {
  const std::string help = fmt::format("Up to {} the scenario must be that of the report; what comes later may differ.",
                                       duration(earlier.end));
  message = "this scenario does not continue the report: " + message;
  return place ? error_at(earlier.file, *place, message, help)
               : Error{.message = message, .file = earlier.file, .help = help};
}

}  // namespace

Result<EarlierReport> read_earlier_report(std::shared_ptr<const text::Document> document, const std::string& file) {
  const Value root = document->root();
  const auto end = read_end(file, root);
  if (!end) return end.error();
  const Value events = root.find("events");
  if (!events || !events.is_array()) return error_at(file, root, "this report has no list of events");
  EarlierReport earlier{file, std::move(document), *end, {}};
  earlier.events.reserve(events.size());
  for (const Value node : events.children()) {
    auto event = read_event(file, node);
    if (!event) return event.error();
    if (event->event_name != name_of(EventKind::kDeploymentStuck)) earlier.events.push_back(std::move(*event));
  }
  return earlier;
}

std::optional<Error> first_difference(const EarlierReport& earlier, const placement::Scenario& scenario,
                                      const timeline::History& history) {
  auto reported = earlier.events.begin();
  for (const auto& event : history.events) {
    if (event.at > earlier.end) break;
    if (event.kind == EventKind::kDeploymentStuck) continue;
    const auto names = event_names(scenario, history, event);
    const auto here = words_of(name_of(event.kind), names);
    if (reported == earlier.events.end()) {
      return difference(earlier, std::nullopt,
                        fmt::format("at {} here {}, and in the report nothing more until {}", duration(event.at), here,
                                    duration(earlier.end)));
    }
    if (reported->at != event.at || reported->event_name != name_of(event.kind) || reported->names != names) {
      return difference(earlier, reported->node,
                        fmt::format("at {} the report has {}, this scenario at {} {}", duration(reported->at),
                                    words_of(reported->event_name, reported->names), duration(event.at), here));
    }
    ++reported;
  }
  if (reported == earlier.events.end()) return std::nullopt;
  return difference(earlier, reported->node,
                    fmt::format("at {} the report has {}, this scenario nothing more until {}", duration(reported->at),
                                words_of(reported->event_name, reported->names), duration(earlier.end)));
}

}  // namespace bayplan::report
