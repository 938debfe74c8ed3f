// Any bytes as a price file: no crash; prices within bounds, or an error with its place.
#include <string>

#include "base/memory_files.hpp"
#include "catalog/most_hourly.hpp"
#include "fleet/offers/price_file.hpp"
#include "fleet/offers/price_rows.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bayplan;
  const MemoryFiles files({{"p", std::string(reinterpret_cast<const char*>(data), size)}});
  const auto file = fleet::read_price_file("p", "us-east-2", files);
  require(!file.errors.empty() || !file.prices.empty(), "neither a price nor an error");
  for (const auto& [type, price] : file.prices) {
    require(!type.empty(), "a price of nothing");
    require(price.hourly > 0 && price.hourly <= catalog::kMaxHourly, "a price out of bounds");
    require(price.date.empty() || price.date.size() == 10, "a date that is no day");
  }
  for (const auto& error : file.errors)
    require(!error.message.empty() && error.file == "p", "an error that says nothing");
  return 0;
}
