#include "lint/files/definitions.hpp"

#include "catch.hpp"
#include "model/definition_reference.hpp"
#include "text/read.hpp"

namespace {

using namespace bayplan;

/// The file that a reference leads to; empty when there is none.
class Known {
 public:
  void add(const std::string& file, const std::string& family, std::optional<int> revision = std::nullopt,
           const std::string& network_mode = "") {
    std::string json = R"({"family": ")" + family + "\"";
    if (!network_mode.empty()) json += R"(, "networkMode": ")" + network_mode + "\"";
    if (revision) json += R"(, "revision": )" + std::to_string(*revision);
    std::shared_ptr<const text::Document> document = text::read_document(json + "}");
    definitions_.add(file, document, document->root(), model::Placeholders());
  }
  rules::NamedDefinition find(std::string_view reference, std::string_view asking = "service.json") const {
    return definitions_.find(reference, asking);
  }
  std::string file(std::string_view reference, std::string_view asking = "service.json") const {
    return std::string(find(reference, asking).file);
  }

 private:
  lint::Definitions definitions_;
};

}  // namespace

TEST_CASE("definition reference - family, family and revision, ARN") {
  const auto family = model::parse_definition_reference("web");
  REQUIRE(family);
  CHECK(family->family == "web");
  CHECK_FALSE(family->revision);
  CHECK(model::parse_definition_reference("web:12")->revision == 12);
  const auto arn = model::parse_definition_reference("arn:aws:ecs:us-east-1:111122223333:task-definition/web:3");
  REQUIRE(arn);
  CHECK(arn->family == "web");
  CHECK(arn->revision == 3);
  for (const char* text : {"", ":3", "web:latest", "defs/web", "arn:aws:ecs:us-east-1:111122223333:service/web"}) {
    INFO(text);
    CHECK_FALSE(model::parse_definition_reference(text));
  }
}

TEST_CASE("definitions - the one of the family") {
  Known known;
  known.add("web.json", "web");
  known.add("api.json", "api");
  CHECK(known.file("web") == "web.json");
  CHECK(known.file("webs").empty());
  CHECK(known.find("web").doubt.empty());
  CHECK(known.find("web:3").doubt == ", if web.json is revision 3");
}

TEST_CASE("definitions - a revision that is said must be the one") {
  Known known;
  known.add("old.json", "web", 3);
  known.add("new.json", "web", 4);
  CHECK(known.file("web:3") == "old.json");
  CHECK(known.find("web:3").doubt.empty());
  CHECK(known.file("web:5").empty());
  CHECK(known.file("web") == "new.json");
}

TEST_CASE("definitions - of two that may be meant the one beside, else none") {
  Known known;
  known.add("dev/web.json", "web");
  known.add("prod/web.json", "web");
  CHECK(known.file("web", "prod/service.json") == "prod/web.json");
  CHECK(known.file("web", "service.json") == "dev/web.json");  // both agree in what a service meets
  known.add("prod/web-2.json", "web", std::nullopt, "host");
  CHECK(known.file("web", "service.json").empty());
  CHECK(known.file("web", "prod/service.json").empty());
  known.add("prod/described.json", "web", 7);
  CHECK(known.file("web", "prod/service.json").empty());
  CHECK(known.file("web:7", "dev/service.json") == "prod/described.json");
}

TEST_CASE("definitions - without a family there is nothing to find") {
  Known known;
  known.add("web.json", "${FAMILY}");
  CHECK(known.file("${FAMILY}").empty());
}
