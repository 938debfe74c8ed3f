// The repair changes no JSON, and what it hands back is JSON.
#include <cstddef>
#include <cstdint>

#include "base/utf8.hpp"
#include "fuzz.hpp"
#include "text/json_reader.hpp"
#include "text/json_repair.hpp"

using namespace bayplan;

namespace {

std::optional<text::Fault> refusal(const std::string& json) {
  text::Builder builder(json, text::Format::kJson);
  return text::read_json(builder.source(), {.depth = 1'000'000}, builder);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string json(reinterpret_cast<const char*>(data), size);
  if (first_invalid_utf8(json) || json.find('\0') != std::string::npos) return 0;
  if (json.starts_with("\xEF\xBB\xBF")) return 0;  // a mark that decoding has taken off before
  const auto repair = text::repair_json(json);
  if (!refusal(json)) {
    require(repair.repaired.text == json, "JSON was changed into " + repair.repaired.text);
    require(repair.faults.empty(),
            "a fault in JSON: " + (repair.faults.empty() ? std::string() : repair.faults[0].message));
    return 0;
  }
  require(!repair.faults.empty() || repair.repaired.text != json, "nothing done about what is no JSON");
  if (repair.repaired.text.empty()) return 0;
  if (const auto fault = refusal(repair.repaired.text)) require(false, fault->message + " in " + repair.repaired.text);
  return 0;
}
