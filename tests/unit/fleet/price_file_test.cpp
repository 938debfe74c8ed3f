#include "fleet/offers/price_file.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "fleet/offers/price_rows.hpp"

namespace bayplan::fleet {
namespace {

using Texts = std::vector<std::string>;

PriceFile read(std::string text, const std::string& region = "us-east-2") {
  return read_price_file("p", region, MemoryFiles({{"p", std::move(text)}}));
}

/// "m5.large 96000 2026-07-20"
Texts find_price_range(const PriceFile& file) {
  Texts texts;
  for (const auto& [type, price] : file.prices)
    texts.push_back(type + " " + std::to_string(price.hourly) + " " + price.date);
  return texts;
}

/// "3:4 message"
Texts errors_of(const PriceFile& file) {
  Texts texts;
  for (const auto& error : file.errors) {
    CHECK(error.file == "p");
    texts.push_back(std::to_string(error.line) + ":" + std::to_string(error.column) + " " + error.message);
  }
  return texts;
}

TEST_CASE("prices are read to the micro-USD") {
  CHECK(parse_usd("0.526") == 526'000);
  CHECK(parse_usd("12") == 12'000'000);
  CHECK(parse_usd("0.5260000000") == 526'000);
  CHECK(parse_usd("0.0000005") == 1);
  CHECK(parse_usd("0.00000049") == 0);
  CHECK(parse_usd("1.9999995") == 2'000'000);
  CHECK(parse_usd("1000000") == 1'000'000'000'000);
  for (const auto* text :
       {"", ".", ".5", "1.", "-1", "+1", "1e3", "1,5", "$1", "0x1", "1000000.000001", "99999999999999999999", "1.2.3"})
    CHECK_FALSE(parse_usd(text));
}

TEST_CASE("a table of prices needs two columns and takes others in any order") {
  const auto file = read(
      "# our contract\n\nregion,hourlyPrice, InstanceType ,note,date\r\n"
      "us-east-2,0.4,g4dn.xlarge,x,2026-01-31\n"
      ",\"0.05\",\"m5.large\",\"a, \"\"b\"\"\",\n"
      "eu-west-1,9,m5.large,,\n");
  CHECK(errors_of(file).empty());
  CHECK(find_price_range(file) == Texts{"g4dn.xlarge 400000 2026-01-31", "m5.large 50000 "});
  CHECK(file.other_regions == std::set<std::string>{"eu-west-1"});
  CHECK(file.prices.at("m5.large").source == "p");
}

TEST_CASE("every bad row of a table is told with its place") {
  const auto file = read(
      "instanceType,hourlyPrice,date,currency\n"
      "g4dn.xlarge\n"
      ",0.5\n"
      "g4dn.xlarge,free\n"
      "g4dn.xlarge,  0\n"
      "m5.large,0.096,yesterday\n"
      "m5.large,0.096,,EUR\n"
      "c5.large,0.085,,usd\n"
      "c5.large,0.09\n"
      "c5.xlarge,\"0.17\n");
  CHECK(errors_of(file) == Texts{"2:1 the row of g4dn.xlarge has no price", "3:1 the row has no instance type",
                                 "4:13 the price of g4dn.xlarge cannot be 'free'", "5:15 the price of g4dn.xlarge is 0",
                                 "6:16 the date cannot be 'yesterday'", "7:17 the currency is 'EUR'",
                                 "9:1 duplicate price of c5.large", "10:11 the quote is not closed"});
  CHECK(file.errors[file.errors.size() - 2].help == "first in line 8");
}

TEST_CASE("of many bad rows the first are told and the others counted") {
  std::string text = "instanceType,hourlyPrice\n";
  for (int i = 0; i < 30; ++i) text += "m5.large,x\n";
  const auto errors = errors_of(read(text));
  REQUIRE(errors.size() == 20);
  CHECK(errors.back() == "21:10 11 more rows are invalid");
}

TEST_CASE("a file without the columns or without prices says so") {
  CHECK(errors_of(read("")) == Texts{"1:1 the file is empty"});
  CHECK(errors_of(read("m5.large,0.096\n")) == Texts{"1:1 the first line has no column instanceType"});
  CHECK(read("instanceType;hourlyPrice\n").errors.front().help ==
        "separate the columns with commas: instanceType,hourlyPrice");
  CHECK(errors_of(read("instanceType,price\n")) == Texts{"1:1 the first line has no column hourlyPrice"});
  CHECK(errors_of(read("instanceType,hourlyPrice,regoin\nm5.large,1,eu-west-1\n")) ==
        Texts{"1:26 unknown column 'regoin'"});
  CHECK(read("instanceType,hourlyPrice,region,regions,note\nm5.large,1,us-east-2,2,x\n").errors.empty());
  CHECK(errors_of(read("\"FormatVersion\",\"v1.0\"\n")) == Texts{"1:1 this is the CSV form of an AWS price list"});
  CHECK(errors_of(read("instanceType,hourlyPrice\n")) == Texts{"0:0 the file has no price in us-east-2"});
  const auto other = read("instanceType,hourlyPrice,region\nm5.large,1,eu-west-1\n");
  CHECK(errors_of(other) == Texts{"0:0 the file has no price in us-east-2"});
  CHECK(other.errors.front().help == "it has some in eu-west-1");
  CHECK(errors_of(read("{}")) == Texts{"1:1 the file contains no prices"});
  CHECK(errors_of(read("[1]")) == Texts{"1:1 the file contains no prices"});
  CHECK_FALSE(errors_of(read("{\"a\": \n")).empty());
  const auto missing = read_price_file("q", "us-east-2", MemoryFiles());
  REQUIRE(missing.errors.size() == 1);
  CHECK(missing.errors.front().file == "q");
}

/// A product as one rents instances of the type, but for one attribute.
std::string product(const std::string& type, const std::string& other = {}, const std::string& value = {}) {
  std::map<std::string, std::string> attributes = {{"regionCode", "us-east-2"},  {"instanceType", type},
                                                   {"operatingSystem", "Linux"}, {"tenancy", "Shared"},
                                                   {"preInstalledSw", "NA"},     {"capacitystatus", "Used"}};
  if (!other.empty()) attributes[other] = value;
  std::string text;
  for (const auto& [name, content] : attributes)
    text += (text.empty() ? "\"" : ", \"") + name + "\": \"" + content + "\"";
  return R"({"sku": "S", "productFamily": "Compute Instance", "attributes": {)" + text + "}}";
}

std::string offers(const std::string& price) {
  return R"({"S.T": {"effectiveDate": "2026-01-01T00:00:00Z", "priceDimensions": {"S.T.R": {"unit": "Hrs", "pricePerUnit": )" +
         price + "}}}}";
}

std::string bulk(const std::string& products, const std::string& on_demand, const std::string& more = {}) {
  return R"({"formatVersion": "v1.0", "offerCode": "AmazonEC2", "publicationDate": "2026-07-20T11:00:00Z", "products": {)" +
         products + R"(}, "terms": {)" + more + R"("OnDemand": {)" + on_demand + "}}}";
}

TEST_CASE("a bulk price list gives the on-demand prices of Linux in the region") {
  const std::string products = R"("A": )" + product("m5.large") + R"(, "B": )" +
                               product("m5.large", "capacitystatus", "UnusedCapacityReservation") + R"(, "C": )" +
                               product("m5.large", "operatingSystem", "Windows") + R"(, "D": )" +
                               product("m5.large", "tenancy", "Dedicated") + R"(, "E": )" +
                               product("m5.large", "preInstalledSw", "SQL Std") + R"(, "F": )" +
                               product("m5.large", "regionCode", "eu-west-1") + R"(, "G": )" + product("g4dn.xlarge") +
                               R"(, "H": {"productFamily": "Storage", "attributes": {"regionCode": "us-east-2"}})";
  std::string terms;
  for (const auto* sku : {"B", "C", "D", "E", "F", "H"})
    terms += "\"" + std::string(sku) + "\": " + offers(R"({"USD": "7"})") + ", ";
  terms += R"("A": )" + offers(R"({"USD": "0.0960000000"})") + R"(, "G": )" + offers(R"({"USD": "0.526"})");
  const auto file = read(bulk(products, terms, R"("Reserved": {"A": {"A.X": {"priceDimensions": 3}}}, )"));
  CHECK(errors_of(file).empty());
  CHECK(file.kind == PriceFileKind::kPriceList);
  CHECK(find_price_range(file) == Texts{"g4dn.xlarge 526000 2026-07-20", "m5.large 96000 2026-07-20"});
  CHECK(file.other_regions == std::set<std::string>{"eu-west-1"});
}

TEST_CASE("a bulk price list may hold its terms before its products") {
  const auto file = read(R"({"terms": {"OnDemand": {"A": )" + offers(R"({"USD": "0.096"})") +
                         R"(}}, "products": {"A": )" + product("m5.large") + "}}");
  CHECK(find_price_range(file) == Texts{"m5.large 96000 2026-01-01"});
}

TEST_CASE("a faulty price list says where") {
  CHECK(errors_of(read(bulk(R"("A": )" + product("m5.large"), ""))).size() == 1);
  const auto message = [&](const std::string& price) {
    const auto file = read(bulk("\n\"A\": " + product("m5.large"), "\n\"A\": " + offers(price)));
    REQUIRE(file.errors.size() == 1);
    return std::to_string(file.errors.front().line) + " " + file.errors.front().message;
  };
  CHECK(message(R"({"CNY": "1.2"})") == "3 m5.large is priced in CNY");
  CHECK(message(R"({"USD": "cheap"})") == "3 m5.large costs 'cheap'");
  CHECK(message(R"({"USD": []})") == "3 m5.large costs ''");
  CHECK(message("{}") == "3 m5.large has no pricePerUnit");
  CHECK(message("7") == "3 m5.large has no pricePerUnit");
}

std::string in_text(const std::string& json) {
  std::string text = "\"";
  for (const char c : json) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

TEST_CASE("the answer of get-products is a list of texts") {
  const std::string one = R"({"product": )" + product("m5.large") + R"(, "terms": {"OnDemand": )" +
                          offers(R"({"USD": "0.096"})") + R"(}, "publicationDate": "2026-06-30T00:00:00Z"})";
  CHECK(find_price_range(read(R"({"FormatVersion": "aws_v1", "PriceList": [)" + in_text(one) + "]}")) ==
        Texts{"m5.large 96000 2026-06-30"});
  CHECK(find_price_range(read("[" + in_text(one) + "]")) == Texts{"m5.large 96000 2026-06-30"});
  CHECK(find_price_range(read(R"({"PriceList": [)" + one + "]}")) == Texts{"m5.large 96000 2026-06-30"});
  CHECK(errors_of(read(R"({"PriceList": [)" + in_text(one) + ",\n\"{\", 3]}")) ==
        Texts{"2:1 this element of PriceList is not a product", "2:6 this element of PriceList is not a product"});
}

std::string ecs_product(const std::string& usage_type, const std::string& region = "us-east-2",
                        const std::string& service = "AmazonECS") {
  return R"({"sku": "S", "productFamily": "Compute", "attributes": {"servicecode": ")" + service +
         R"(", "locationType": "AWS Region", "regionCode": ")" + region + R"(", "usagetype": ")" + usage_type + "\"}}";
}

/// Usage types and rates of us-east-2 as AmazonECS had them on 2026-05-11 (data/fargate-prices.csv).
TEST_CASE("a price list of AmazonECS gives rates of Fargate and fees of Managed Instances") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"USE2-Fargate-vCPU-Hours:perCPU", "0.0404800000"},
      {"USE2-Fargate-GB-Hours", "0.0044450000"},
      {"USE2-Fargate-Windows-vCPU-Hours:perCPU", "0.046552"},
      {"USE2-Fargate-Windows-GB-Hours", "0.00511175"},
      {"USE2-Fargate-Windows-OS-Hours:perCPU", "0.046"},
      {"USE2-Fargate-EphemeralStorage-GB-Hours", "0.000111"},
      {"USE2-ECS-Managed-Instances:c6a.2xlarge-management-hours", "0.03672"},
      {"USE2-ECS-EC2-vCPU-Hours:perCPU", "0.0000000000"}};
  std::string products;
  std::string terms;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto key = "\"K" + std::to_string(i) + "\": ";
    products += key + ecs_product(rows[i].first) + ", ";
    terms += key + offers("{\"USD\": \"" + rows[i].second + "\"}") + ", ";
  }
  products += "\"X\": " + ecs_product("EU-Fargate-GB-Hours", "eu-west-1") +
              ", \"Y\": " + ecs_product("USE2-Fargate-GB-Hours", "us-east-2", "AmazonEKS");
  terms += "\"X\": " + offers(R"({"USD": "7"})") + ", \"Y\": " + offers(R"({"USD": "8"})");
  const auto file = read(bulk(products, terms));
  CHECK(errors_of(file).empty());
  CHECK(file.prices.empty());
  REQUIRE(file.fargate[0]);
  CHECK(file.fargate[0]->vcpu == 40'480'000);
  CHECK(file.fargate[0]->gb == 4'445'000);
  CHECK(file.fargate[0]->date == "2026-07-20");
  CHECK_FALSE(file.fargate[1]);
  REQUIRE(file.fargate[2]);
  CHECK(file.fargate[2]->license == 46'000'000);
  CHECK(file.fargate[2]->gb == 5'111'750);
  REQUIRE(file.fargate[5]);
  CHECK(file.fargate[5]->gb == 111'000);
  CHECK(file.managed_fees.at("c6a.2xlarge").hourly == 36'720);
  CHECK(file.other_regions == std::set<std::string>{"eu-west-1"});
}

TEST_CASE("a price list that has only some units of a platform is not a price of zero") {
  const auto file = read(
      bulk("\"A\": " + ecs_product("USE2-Fargate-ARM-vCPU-Hours:perCPU"), "\"A\": " + offers(R"({"USD": "0.03238"})")));
  CHECK(file.errors.size() == 1);
  CHECK(file.errors.front().message == "the file has no price of fargate:linux-arm:gb");
  const auto zero = read(bulk("\"A\": " + ecs_product("USE2-Fargate-ARM-vCPU-Hours:perCPU"),
                              "\"A\": " + offers(R"({"USD": "0.0000000000"})")));
  CHECK(errors_of(zero) ==
        Texts{"0:0 the file has no price of Linux instances, Fargate or Managed Instances in us-east-2"});
}

std::string spot(const std::string& type, const std::string& zone, const std::string& price, const std::string& time,
                 const std::string& product = "Linux/UNIX") {
  return R"({"InstanceType": ")" + type + R"(", "AvailabilityZone": ")" + zone + R"(", "SpotPrice": ")" + price +
         R"(", "Timestamp": ")" + time + R"(", "ProductDescription": ")" + product + "\"}";
}

TEST_CASE("of spot prices the newest of each zone and of these the dearest counts") {
  const auto file =
      read(R"({"SpotPriceHistory": [)" + spot("g4dn.xlarge", "us-east-2a", "0.20", "2026-07-20T10:00:00+00:00") + "," +
           spot("g4dn.xlarge", "us-east-2a", "0.90", "2026-07-19T10:00:00+00:00") + "," +
           spot("g4dn.xlarge", "us-east-2b", "0.10", "2026-07-18T10:00:00+00:00") + "," +
           spot("g4dn.xlarge", "us-east-2b", "0.21", "2026-07-18T12:00:00+00:00") + "," +
           spot("g4dn.xlarge", "us-east-1a", "0.99", "2026-07-20T10:00:00+00:00") + "," +
           spot("g4dn.xlarge", "us-east-2a", "0.99", "2026-07-21T10:00:00+00:00", "Windows") + "]}");
  CHECK(errors_of(file).empty());
  CHECK(file.kind == PriceFileKind::kSpotHistory);
  CHECK(find_price_range(file) == Texts{"g4dn.xlarge 210000 2026-07-18"});
  CHECK(file.zones == std::set<std::string>{"us-east-2a", "us-east-2b"});
  CHECK(file.other_regions == std::set<std::string>{"us-east-1"});
}

TEST_CASE("zones of all kinds lie in their region") {
  for (const auto* zone : {"us-west-2a", "us-west-2-lax-1a", "us-west-2-wl1-las-wlz-1"})
    CHECK(read("[" + spot("m5.large", zone, "0.1", "2026-07-20T10:00:00Z") + "]", "us-west-2").errors.empty());
  CHECK(read("[" + spot("m5.large", "us-gov-west-1a", "0.1", "2026-07-20T10:00:00Z") + "]", "us-gov-west-1")
            .errors.empty());
  CHECK_FALSE(
      read("[" + spot("m5.large", "eu-west-2a", "0.1", "2026-07-20T10:00:00Z") + "]", "us-west-2").errors.empty());
}

TEST_CASE("faulty spot prices say where") {
  const auto file =
      read("{\"SpotPriceHistory\": [\n3,\n{},\n" + spot("m5.large", "us-east-2a", "0", "2026-07-20T10:00:00Z") + ",\n" +
           spot("m5.large", "us-east-2a", "0.1", "soon") + ",\n{\"InstanceType\": \"m5.large\"}]}");
  CHECK(errors_of(file) == Texts{"2:1 an entry of SpotPriceHistory is not an object",
                                 "3:1 an entry of SpotPriceHistory has no InstanceType",
                                 "4:77 the SpotPrice of m5.large cannot be '0'", "5:97 the Timestamp cannot be 'soon'",
                                 "6:1 m5.large has no SpotPrice"});
}

TEST_CASE("no cut of a price file is taken for the whole or stops the program") {
  const std::string one =
      R"({"product": )" + product("m5.large") + R"(, "terms": {"OnDemand": )" + offers(R"({"USD": "0.096"})") + "}}";
  for (const auto& whole :
       {bulk(R"("A": )" + product("m5.large"), R"("A": )" + offers(R"({"USD": "0.096"})")),
        R"({"PriceList": [)" + in_text(one) + "]}",
        R"({"SpotPriceHistory": [)" + spot("m5.large", "us-east-2a", "0.1", "2026-07-20T10:00:00Z") + "]}"}) {
    CHECK(read(whole).errors.empty());
    for (std::size_t size = 0; size < whole.size(); ++size) CHECK_FALSE(read(whole.substr(0, size)).errors.empty());
  }
  const std::string table = "instanceType,hourlyPrice\nm5.large,\"0.096\",2026\n";
  for (std::size_t size = 0; size < table.size(); ++size) read(table.substr(0, size));
}

}  // namespace
}  // namespace bayplan::fleet
