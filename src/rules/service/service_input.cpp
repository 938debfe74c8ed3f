#include "rules/service/service_input.hpp"

namespace bayplan::rules {

using text::Value;

namespace {

bool is_described(Value service) {
  return service && service.is_object() && service.find("serviceArn");
}

}  // namespace

bool is_service_answer(Value root) {
  if (!root || !root.is_object()) return false;
  if (is_described(root) || is_described(root.find("service"))) return true;
  const Value services = root.find("services");
  return services && services.is_array() && services.size() > 0 && is_described(services.at(0));
}

ServiceInput detect_service_input(Value root) {
  if (is_service_answer(root)) return ServiceInput::kAnswer;
  const Value service = root.find("service");
  const bool names_existing = service && !service.is_object() && !service.is_array();
  return names_existing && !root.find("serviceName") ? ServiceInput::kUpdate : ServiceInput::kCreate;
}

std::vector<Value> services_in(Value root) {
  if (!is_service_answer(root) || is_described(root)) return {root};
  if (const Value service = root.find("service"); is_described(service)) return {service};
  std::vector<Value> services;
  for (const Value service : root.find("services").children()) services.push_back(service);
  return services;
}

}  // namespace bayplan::rules
