// Any text: no crash, faults inside the text, and what is understood prints to something with the same meaning.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "query/query.hpp"

namespace {

class BareInstance : public bayplan::query::InstanceView {
 public:
  std::optional<std::string_view> attribute(std::string_view name) const override {
    return name.size() % 2 == 0 ? std::optional<std::string_view>(name) : std::nullopt;
  }
  bool agent_connected() const override { return true; }
  std::optional<std::string_view> agent_version() const override { return "1.14.5"; }
  std::optional<std::string_view> ec2_instance_id() const override { return std::nullopt; }
  std::optional<std::int64_t> registered_at() const override { return 1529360908; }
  std::int64_t running_tasks_count() const override { return 1; }
  std::vector<std::string_view> task_groups() const override { return {"service:web"}; }
};

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bayplan::query;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = parse(text);
  require(parsed.expression.has_value() != parsed.fault.has_value());
  if (parsed.fault) {
    require(parsed.fault->span.begin <= parsed.fault->span.end && parsed.fault->span.end <= size);
    return 0;
  }
  const BareInstance instance;
  const bool holds = parsed.expression->holds(instance);
  require(parsed.expression->explain(instance).empty() == holds);
  const std::string printed = parsed.expression->print();
  const auto again = parse(printed);
  // `not x` prints as `not(x)`, which may be one parenthesis too many.
  if (again.fault && again.fault->kind == FaultKind::kTooDeep) return 0;
  require(again.expression.has_value());
  require(again.expression->print() == printed);
  require(again.expression->holds(instance) == holds);
  return 0;
}
