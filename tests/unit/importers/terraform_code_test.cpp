#include "importers/terraform_code.hpp"

#include <map>
#include <set>
#include <string>

#include "catch.hpp"
#include "importers/definition_file.hpp"
#include "shape/request_schemas.hpp"

using namespace bayplan;

namespace terraform_code_test {
namespace {

/// Files in memory, by absolute path.
class CodeFiles : public Files {
 public:
  explicit CodeFiles(std::map<std::string, std::string> texts) : texts_(std::move(texts)) {}

  Result<std::string> read(const std::string& path, std::size_t) const override {
    const auto found = texts_.find(absolute(path));
    if (found == texts_.end()) return Error{.message = "not found", .file = path};
    return found->second;
  }
  bool is_folder(const std::string& path) const override {
    const auto below = texts_.lower_bound(absolute(path) + "/");
    return below != texts_.end() && below->first.starts_with(absolute(path) + "/");
  }
  bool exists(const std::string& path) const override { return texts_.contains(absolute(path)) || is_folder(path); }
  std::string absolute(const std::string& path) const override {
    std::string result;
    std::string rest = path + "/";
    for (auto slash = rest.find('/'); slash != std::string::npos; slash = rest.find('/')) {
      const std::string part = rest.substr(0, slash);
      rest.erase(0, slash + 1);
      if (part == "..") result.erase(result.rfind('/'));
      if (!part.empty() && part != "." && part != "..") result += "/" + part;
    }
    return result;
  }
  Result<std::vector<std::string>> list(const std::string& folder) const override {
    std::set<std::string> names;
    for (const auto& [path, text] : texts_) {
      const std::string begin = absolute(folder) + "/";
      if (path.starts_with(begin)) names.insert(path.substr(begin.size(), path.find('/', begin.size()) - begin.size()));
    }
    return std::vector<std::string>(names.begin(), names.end());
  }
  Result<std::unique_ptr<NewFile>> create(const std::string& path) override {
    return Error{.message = "read only", .file = path};
  }

 private:
  std::map<std::string, std::string> texts_;
};

using Texts = std::map<std::string, std::string>;

importers::TerraformText read_with(const importers::GivenVariables& given, const std::string& main, Texts others = {},
                                   const std::string& folder = "/m") {
  others["/m/main.tf"] = main;
  const CodeFiles files(others);
  return importers::read_terraform_code(main, "/m/main.tf", {&files, folder, nullptr, &given});
}

std::shared_ptr<const text::Document> read(const std::string& main, Texts others = {},
                                           const std::string& folder = "/m") {
  return read_with({}, main, std::move(others), folder).document;
}

/// An attribute of the resource aws_ecs_cluster.x, whose `name` is the expression: what it comes to, as text.
std::string name_of(const std::string& expression, const std::string& more = "") {
  const auto document = read("resource \"aws_ecs_cluster\" \"x\" {\n  name = " + expression + "\n}\n" + more);
  const auto name = document->root().find("aws_ecs_cluster.x").find("name");
  if (!name) return "absent";
  return name.kind() == text::Kind::kPlaceholder ? "unknown " + std::string(name.text()) : std::string(name.text());
}

std::vector<importers::Subject> subjects(const text::Document& document) {
  static const shape::RequestSchemas schemas;
  return importers::read_subjects(document, importers::DefinitionForm::kPlan, {}, schemas, {});
}

std::string_view written(text::Value value) {
  return std::string_view(value.document().source()).substr(value.span().begin, value.span().length());
}

}  // namespace

TEST_CASE("terraform code: functions and operators come to their values") {
  CHECK(name_of(R"("a-${1 + 2 * 3}")") == "a-7");
  CHECK(name_of(R"(format("%s-%d%%", "a", 4))") == "a-4%");
  CHECK(name_of(R"(join("-", concat(["a"], ["b"])))") == "a-b");
  CHECK(name_of(R"(lookup({ a = "b" }, "a", "c"))") == "b");
  CHECK(name_of(R"(lookup(merge({ a = "b" }, { d = "e" }), "x", "c"))") == "c");
  CHECK(name_of(R"(length([1, 2]) > 1 ? upper("yes") : "no")") == "YES");
  CHECK(name_of(R"(join(",", [for k, v in { b = 2, a = 1 } : "${k}${v}" if v > 0]))") == "a1,b2");
  CHECK(name_of(R"(join("", [{ id = "x" }][*].id))") == "x");
  CHECK(name_of(R"(jsondecode(jsonencode({ a = "b" })).a)") == "b");
  CHECK(name_of(R"("%{ if true }x%{ else }y%{ endif }%{ for i in [1, 2] }${i}%{ endfor }")") == "x12");
  CHECK(name_of("null") == "absent");
  CHECK(name_of(R"(tostring(true ? 1 : "x"))") == "1");
}

TEST_CASE("terraform code: what is known only later is unknown, under its name") {
  CHECK(name_of("var.missing") == "unknown var.missing");
  CHECK(name_of("data.aws_region.current.name") == "unknown data.aws_region.current.name");
  CHECK(name_of("uuid()") == "unknown uuid");
  CHECK(name_of(R"("a-${var.x}")") == "a-${var.x}");
  CHECK(name_of("var.x ? \"a\" : \"b\"") == "unknown var.x");
  CHECK(name_of("var.x", "variable \"x\" {\n  default = \"\"\n}\n") == "unknown var.x");
  CHECK(name_of("var.x", "variable \"x\" {\n  default = \"y\"\n}\n") == "y");
  CHECK(name_of("1 / 0").starts_with("unknown"));
}

TEST_CASE(
    "terraform code: values of other files stand where they are referred to, those of the file where they are "
    "written") {
  const Texts others{{"/m/locals.tf", "locals {\n  far = \"far\"\n}\n"},
                     {"/m/terraform.tfvars", "given = \"given\"\n"}};
  const auto document = read(
      "locals {\n  near = \"near\"\n}\nvariable \"given\" {}\n"
      "resource \"aws_ecs_task_definition\" \"x\" {\n  container_definitions = jsonencode([{ name = local.near, image "
      "= local.far, "
      "user = var.given }])\n}\n",
      others);
  const auto container = document->root().find("aws_ecs_task_definition.x").find("container_definitions").at(0);
  REQUIRE(container);
  CHECK(written(container.find("name")) == "\"near\"");
  CHECK(written(container.find("image")) == "local.far");
  CHECK(container.find("image").text() == "far");
  CHECK(container.find("user").text() == "given");
}

TEST_CASE("terraform code: JSON of a heredoc stands where it is written") {
  const auto document = read(
      "resource \"aws_ecs_task_definition\" \"x\" {\n  container_definitions = <<-EOT\n    [{\n      \"name\": "
      "\"${var.name}\",\n"
      "      \"memory\": ${128 * 2}, \"cpu\": ${var.cpu}\n    }]\n  EOT\n}\n");
  CHECK(document->faults().empty());
  const auto container = document->root().find("aws_ecs_task_definition.x").find("container_definitions").at(0);
  REQUIRE(container);
  CHECK(written(container.find("name")) == "\"${var.name}\"");
  CHECK(container.find("memory").integer() == 256);
  CHECK(written(container.find("memory")) == "${128 * 2}");
  CHECK(container.find("cpu").kind() == text::Kind::kPlaceholder);
}

TEST_CASE("terraform code: templates and modules are read below the folder, and nothing above it") {
  const Texts others{
      {"/m/t/c.tftpl", "[{\"name\": \"${name}\"}]"},
      {"/secret.json", "[{\"name\": \"secret\"}]"},
      {"/up/main.tf", "resource \"aws_ecs_cluster\" \"above\" {\n  name = \"above\"\n}\n"},
      {"/m/down/main.tf", "variable \"n\" {}\nresource \"aws_ecs_cluster\" \"below\" {\n  name = var.n\n}\n"}};
  const auto document = read(
      "resource \"aws_ecs_task_definition\" \"a\" {\n  container_definitions = "
      "templatefile(\"${path.module}/t/c.tftpl\", { name = \"app\" })\n}\n"
      "resource \"aws_ecs_task_definition\" \"b\" {\n  container_definitions = file(\"../secret.json\")\n}\n"
      "module \"down\" {\n  source = \"./down\"\n  n      = \"inner\"\n}\nmodule \"ecs\" {\n  source = \"../up\"\n}\n",
      others);
  const auto root = document->root();
  CHECK(root.find("aws_ecs_task_definition.a").find("container_definitions").at(0).find("name").text() == "app");
  CHECK(root.find("aws_ecs_task_definition.b").find("container_definitions").kind() == text::Kind::kPlaceholder);
  const auto inner = root.find("module.down.aws_ecs_cluster.below");
  REQUIRE(inner);
  CHECK(written(inner.find("name")) == "\"inner\"");
  CHECK_FALSE(root.find("module.ecs.aws_ecs_cluster.above"));
}

TEST_CASE("terraform code: variables have the values that Terraform reads by itself") {
  const std::string code =
      "variable \"a\" {\n  default = \"1\"\n}\nvariable \"b\" {\n  default = \"1\"\n}\nvariable \"c\" {\n  default = "
      "\"1\"\n}\nresource \"aws_ecs_cluster\" \"x\" {\n  name = \"${var.a}${var.b}\"\n  other = var.c\n}\n";
  const auto cluster = [&](const Texts& others) {
    const auto document = read(code, others);
    const auto root = document->root().find("aws_ecs_cluster.x");
    const auto other = root.find("other");
    return std::string(root.find("name").text()) + " " +
           (other.kind() == text::Kind::kPlaceholder ? "unknown" : std::string(other.text()));
  };
  CHECK(cluster({}) == "11 1");
  CHECK(cluster({{"/m/terraform.tfvars", "a = \"2\"\nb = \"2\"\n"}, {"/m/x.auto.tfvars", "b = \"3\"\n"}}) == "23 1");
  CHECK(cluster({{"/m/prod.tfvars", "c = \"2\"\n"}}) == "11 unknown");
  CHECK(cluster({{"/m/terraform.tfvars", "a = \"2\"\n"}, {"/m/terraform.tfvars.json", R"({"a": "4", "c": "${x}"})"}}) ==
        "41 ${x}");
  CHECK(cluster({{"/m/a.auto.tfvars.json", R"({"c": "2"})"}, {"/m/b.auto.tfvars", "c = \"3\"\n"}}) == "11 3");
  CHECK(cluster({{"/m/prod.tfvars.json", R"({"c": "2"})"}}) == "11 unknown");
  CHECK(cluster({{"/m/env/prod.tfvars", "c = \"2\"\n"}}) == "11 unknown");
  CHECK(cluster({{"/m/terraform.tfvars", "c = \"\"\n"}, {"/m/env/prod/terraform.tfvars", "c = \"2\"\n"}}) ==
        "11 unknown");
  // A folder with code of its own has values of its own.
  CHECK(cluster({{"/m/other/terraform.tfvars", "c = \"2\"\n"}, {"/m/other/main.tf", "locals {}\n"}}) == "11 1");
  CHECK(cluster({{"/m/broken.tfvars.json", "{\"c"}, {"/m/broken.tfvars", "c ="}}).starts_with("11 "));
}

namespace {

/// A file of values, which must be readable.
std::shared_ptr<const importers::HclSource> values(const std::string& path, const std::string& text) {
  const CodeFiles files(Texts{{path, text}});
  const auto read = importers::read_variable_file(files, path, {});
  REQUIRE(read);
  return *read;
}

std::string refusals(const importers::TerraformText& read) {
  std::string all;
  for (const auto& error : read.variables.refused)
    all += error.file + ":" + std::to_string(error.line) + ":" + std::to_string(error.column) + " " + error.message +
           (error.help.empty() ? "" : " (" + error.help + ")") + "\n";
  return all;
}

}  // namespace

TEST_CASE("terraform code: values of the user win over those of files, and single values over files of values") {
  const std::string code =
      "variable \"a\" {\n  default = \"1\"\n}\nvariable \"list\" {\n  type = list(string)\n}\n"
      "resource \"aws_ecs_cluster\" \"x\" {\n  name = var.a\n  other = join(\"-\", var.list)\n}\n";
  const auto cluster = [&](const importers::GivenVariables& given, const Texts& others = {}) {
    const auto read = read_with(given, code, others);
    CHECK(refusals(read).empty());
    const auto root = read.document->root().find("aws_ecs_cluster.x");
    const auto other = root.find("other");
    return std::string(root.find("name").text()) + " " +
           (other.kind() == text::Kind::kPlaceholder ? "unknown" : std::string(other.text()));
  };
  const auto first = values("/else/one.tfvars", "a = \"2\"\nlist = [\"x\"]\n");
  const auto second = values("/else/two.tfvars.json", R"({"list": ["y", "z"]})");
  CHECK(cluster({}) == "1 unknown");
  CHECK(cluster({{}, {first}}, {{"/m/x.auto.tfvars", "a = \"3\"\n"}}) == "2 x");
  CHECK(cluster({{}, {first, second}}) == "2 y-z");
  // Types decide whether a text is an expression, as on Terraform's command line.
  CHECK(cluster({{{"a", "[1]"}, {"list", R"(["p", "q"])"}}, {first}}) == "[1] p-q");
  // Who names a file of values says that other files are not read.
  CHECK(cluster({{}, {second}}, {{"/m/dev.tfvars", "a = \"9\"\n"}}) == "1 y-z");
}

TEST_CASE("terraform code: values that Terraform rejects are errors where it reports them") {
  const std::string code =
      "variable \"cpu\" {\n  type = number\n  validation {\n    condition     = var.cpu >= 256\n    error_message = "
      "\"At least 256.\"\n  }\n}\nvariable \"ports\" {\n  type = list(number)\n}\n"
      "variable \"task\" {\n  type = object({ cpu = number, name = optional(string) })\n}\n";
  const auto refused = [&](const importers::GivenVariables& given) { return refusals(read_with(given, code)); };
  CHECK(refused({{{"cpu", "512"}, {"ports", "[80]"}, {"task", "{ cpu = \"256\" }"}, {"other", "x"}}, {}}).empty());
  CHECK(refused({{{"cpu", "many"}}, {}}) ==
        "/m/main.tf:1:1 --var cpu=many: a number is required (type of the variable: number)\n");
  CHECK(refused({{{"cpu", "128"}}, {}}) ==
        "/m/main.tf:4:21 --var cpu=128: rejected by its validation rule (At least 256.)\n");
  CHECK(refused({{{"ports", "80"}}, {}}) ==
        "/m/main.tf:8:1 --var ports=80: a list is required (type of the variable: list(number))\n");
  CHECK(refused({{{"ports", "[80"}}, {}})
            .starts_with("/m/main.tf:8:1 --var ports=[80: references and calls are not allowed"));
  CHECK(refused({{}, {values("/v/prod.tfvars", "\nports = [80, \"http\"]\ntask  = { name = \"web\" }\n")}}) ==
        "/v/prod.tfvars:2:9 value of variable \"ports\": element: a number is required (type of the variable: "
        "list(number))\n/v/prod.tfvars:3:9 value of variable \"task\": attribute \"cpu\" is required (type of the "
        "variable: object({ cpu = number, name = optional(string) }))\n");
  CHECK(refused({{}, {values("/v/prod.tfvars", "cpu = var.other\n")}}).starts_with("/v/prod.tfvars:1:7 value"));
}

TEST_CASE("terraform code: a broken file of values is an error at its first fault") {
  const CodeFiles files(
      {{"/v/a.tfvars", "a = 1\nb = [\n"}, {"/v/b.tfvars", "block {\n}\n"}, {"/v/c.json", "{\"a\": "}});
  const auto error = [&](const std::string& path) {
    const auto read = importers::read_variable_file(files, path, {});
    REQUIRE_FALSE(read);
    return read.error().file + ":" + std::to_string(read.error().line);
  };
  CHECK(error("/v/a.tfvars").starts_with("/v/a.tfvars:"));
  CHECK(error("/v/b.tfvars") == "/v/b.tfvars:1");
  CHECK(error("/v/c.json") == "/v/c.json:1");
  CHECK_FALSE(importers::read_variable_file(files, "/v/none.tfvars", {}));
}

TEST_CASE("terraform code: what override files replace is unknown, and they are no resources of their own") {
  const std::string code =
      "resource \"aws_ecs_task_definition\" \"web\" {\n  family = local.family\n  cpu    = 256\n  memory = var.memory\n"
      "  volume {\n    name = \"data\"\n  }\n}\n"
      "locals {\n  family = \"web\"\n}\nvariable \"memory\" {\n  default = 512\n}\n";
  const std::string overriding =
      "resource \"aws_ecs_task_definition\" \"web\" {\n  cpu = 1024\n  container_definitions = \"[]\"\n"
      "  volume {\n    name = \"other\"\n  }\n}\n"
      "locals {\n  family = \"other\"\n}\nvariable \"memory\" {\n  default = 3072\n}\n";
  const auto document = read(code, {{"/m/main_override.tf", overriding}, {"/m/not_an_override.tf.txt", "("}});
  const auto web = document->root().find("aws_ecs_task_definition.web");
  REQUIRE(web);
  CHECK(web.find("family").text() == "other");
  for (const auto* name : {"cpu", "container_definitions", "memory", "volume"}) {
    INFO(name);
    CHECK(web.find(name).kind() == text::Kind::kPlaceholder);
  }

  const CodeFiles files({{"/m/main.tf", code}, {"/m/override.tf", overriding}});
  const auto alone = importers::read_terraform_code(overriding, "/m/override.tf", {&files, "/m"}).document;
  CHECK(subjects(*alone).empty());
  REQUIRE(alone->faults().size() == 1);
  CHECK(alone->faults()[0].kind == text::FaultKind::kNotEvaluated);
}

TEST_CASE("terraform code: published modules make what their inputs say, with the defaults of the module") {
  const std::string code =
      "module \"web\" {\n  source = \"terraform-aws-modules/ecs/aws//modules/service\"\n  version = \"~> 6.0\"\n"
      "  name = \"web\"\n  memory = 512\n  container_definitions = {\n    app = {\n      image = var.image\n"
      "      cpu = \"256\"\n      portMappings = [{ containerPort = 80 }]\n      environment = [{ name = \"A\", value "
      "= 1 "
      "}]\n    }\n    side = { create = false }\n  }\n}\n";
  const auto document = read(code);
  const auto found = subjects(*document);
  REQUIRE(found.size() == 2);
  CHECK(found[0].name == "module.web.aws_ecs_service.this[0]");
  CHECK(found[1].name == "module.web.aws_ecs_task_definition.this[0]");
  const auto service = found[0].document->root();
  CHECK(service.find("taskDefinition").text() == "module.web.aws_ecs_task_definition.this[0]");
  CHECK(service.find("launchType").text() == "FARGATE");
  const auto task = found[1].document->root();
  CHECK(task.find("cpu").text() == "1024");
  CHECK(written(task.find("memory")) == "512");
  CHECK(task.find("networkMode").text() == "awsvpc");
  CHECK(task.find("family").text() == "web");
  const auto containers = task.find("containerDefinitions");
  REQUIRE(containers.size() == 1);
  const auto app = containers.at(0);
  CHECK(app.find("name").text() == "app");
  CHECK(app.find("image").kind() == text::Kind::kPlaceholder);
  CHECK(app.find("cpu").kind() == text::Kind::kInteger);
  CHECK(written(app.find("cpu")) == "\"256\"");
  CHECK(app.find("environment").at(0).find("value").kind() == text::Kind::kString);
  CHECK(app.find("readonlyRootFilesystem").text() == "true");
  CHECK(app.find("logConfiguration").find("logDriver").text() == "awslogs");
  CHECK_FALSE(app.find("memory"));
}

TEST_CASE("terraform code: keys of published modules are those of their version") {
  const auto port = [](const std::string& source, const std::string& version, const std::string& key) {
    const auto document =
        read("module \"web\" {\n  source = \"" + source + "\"\n" +
             (version.empty() ? "" : "  version = \"" + version + "\"\n") +
             "  name = \"web\"\n  container_definitions = { app = { " + key + " = [{ containerPort = 81 }] } }\n}\n");
    for (const auto& fault : document->faults()) return fault.message;
    const auto found = subjects(*document);
    const auto ports = found.at(1).document->root().find("containerDefinitions").at(0).find("portMappings");
    return ports ? std::string(ports.at(0).find("containerPort").text()) : "absent";
  };
  const std::string service = "terraform-aws-modules/ecs/aws//modules/service";
  const std::string git = "git::https://github.com/terraform-aws-modules/terraform-aws-ecs.git//modules/service";
  CHECK(port(service, "~> 5.0", "port_mappings") == "81");
  CHECK(port(service, "5.12.1", "portMappings") == "absent");
  CHECK(port(service, ">= 5.2, < 6.0", "port_mappings") == "81");
  CHECK(port(service, ">= 6.0", "portMappings") == "81");
  CHECK(port(service, "", "portMappings").find("is not read: its version is open") != std::string::npos);
  CHECK(port(service, ">= 5.0", "portMappings").find("is not read: its version is open") != std::string::npos);
  CHECK(port("registry.terraform.io/" + service, "7.1.0", "portMappings") == "81");
  CHECK(port(git + "?ref=v5.11.4", "", "port_mappings") == "81");
  CHECK(port(git, "", "portMappings").find("is not read: its version is open") != std::string::npos);
  CHECK(port(service, "4.1.3", "portMappings") ==
        "version \"4.1.3\" of module \"" + service + "\" is not read, only versions 5 to 7");
  CHECK(port(service, "~> 8.0", "portMappings").starts_with("version \"~> 8.0\" of module"));
  CHECK(port(git + "?ref=0f1e2d3", "", "portMappings").starts_with("version \"0f1e2d3\" of module"));
}

TEST_CASE("terraform code: container definitions of published modules stand at their call") {
  const std::string call =
      "module \"app\" {\n  source = \"cloudposse/ecs-container-definition/aws\"\n  version = \"0.58.1\"\n"
      "  container_name = \"app\"\n  container_image = \"nginx\"\n  container_memory = 2\n}\n";
  const auto memory = [&](const std::string& value) {
    const auto document = read(call +
                               "resource \"aws_ecs_task_definition\" \"x\" {\n  family = \"x\"\n"
                               "  container_definitions = " +
                               value + "\n}\n");
    const auto found = subjects(*document);
    const auto containers = found.at(0).document->root().find("containerDefinitions");
    return containers.is_array() ? std::string(written(containers.at(0).find("memory"))) : "unknown";
  };
  CHECK(memory("module.app.json_map_encoded_list") == "2");
  CHECK(memory("jsonencode([module.app.json_map_object])") == "2");
  CHECK(memory("\"[${module.app.json_map_encoded}]\"") == "2");
  CHECK(memory("module.app.other") == "unknown");
}

TEST_CASE("terraform code: the services of a published module and outputs of counted calls") {
  const auto document = read(
      "module \"ecs\" {\n  source = \"terraform-aws-modules/ecs/aws\"\n  version = \"5.11.0\"\n  cluster_name = \"c\"\n"
      "  services = {\n    api = { cpu = 512, container_definitions = { app = { image = \"nginx\" } } }\n  }\n}\n"
      "module \"local\" {\n  for_each = { a = 1, b = 2 }\n  source = \"./inner\"\n  size = each.value\n}\n"
      "resource \"aws_ecs_cluster\" \"x\" {\n  name = module.local[\"b\"].text\n  other = join(\",\", [for k, m in "
      "module.local : m.text])\n}\n",
      {{"/m/inner/main.tf", "variable \"size\" {}\noutput \"text\" {\n  value = \"n${var.size}\"\n}\n"}});
  const auto root = document->root();
  CHECK(root.find("aws_ecs_cluster.x").find("name").text() == "n2");
  CHECK(root.find("aws_ecs_cluster.x").find("other").text() == "n1,n2");
  CHECK(root.find("module.ecs.module.cluster.aws_ecs_cluster.this[0]").find("name").text() == "c");
  const auto task = root.find("module.ecs.module.service[\"api\"].aws_ecs_task_definition.this[0]");
  REQUIRE(task);
  CHECK(written(task.find("cpu")) == "512");
  CHECK(task.find("memory").text() == "2048");
  CHECK(task.find("container_definitions").at(0).find("user").text() == "0");
}

TEST_CASE("terraform code: count, for_each and dynamic blocks make what they make") {
  const auto document = read(
      "resource \"aws_ecs_task_definition\" \"n\" {\n  count  = 2\n  family = \"f${count.index}\"\n}\n"
      "resource \"aws_ecs_task_definition\" \"e\" {\n  for_each = toset([\"b\", \"a\"])\n  family   = each.key\n"
      "  dynamic \"volume\" {\n    for_each = { v = 1 }\n    content {\n      name = volume.key\n    }\n  }\n}\n"
      "resource \"aws_ecs_task_definition\" \"none\" {\n  count = 0\n}\n"
      "resource \"aws_ecs_task_definition\" \"u\" {\n  dynamic \"volume\" {\n    for_each = var.volumes\n    content "
      "{\n      name = volume.key\n    }\n  }\n}\n");
  const auto root = document->root();
  CHECK(root.find("aws_ecs_task_definition.n[1]").find("family").text() == "f1");
  const auto each = root.find("aws_ecs_task_definition.e[\"a\"]");
  REQUIRE(each);
  CHECK(each.find("family").text() == "a");
  CHECK(each.find("volume").at(0).find("name").text() == "v");
  CHECK_FALSE(root.find("aws_ecs_task_definition.none"));
  CHECK(root.find("aws_ecs_task_definition.u").find("volume").at(0).kind() == text::Kind::kPlaceholder);
}

TEST_CASE("terraform code: subjects have the types of ECS, and services lead to their definitions") {
  const auto document = read(
      "resource \"aws_ecs_task_definition\" \"web\" {\n  family = \"web\"\n  cpu = 256\n}\n"
      "resource \"aws_ecs_service\" \"web\" {\n  name = \"web\"\n  task_definition = aws_ecs_task_definition.web.arn\n "
      " desired_count = \"2\"\n"
      "  network_configuration {\n    subnets = var.subnets\n    assign_public_ip = var.public\n  }\n}\n");
  const auto found = subjects(*document);
  REQUIRE(found.size() == 2);
  CHECK(found[0].document->root().find("cpu").kind() == text::Kind::kString);
  const auto service = found[1].document->root();
  CHECK(service.find("taskDefinition").text() == "aws_ecs_task_definition.web");
  CHECK(service.find("desiredCount").integer() == 2);
  const auto network = service.find("networkConfiguration").find("awsvpcConfiguration");
  REQUIRE(network);
  CHECK(network.find("assignPublicIp").kind() == text::Kind::kPlaceholder);
}

TEST_CASE("terraform code: targets that start tasks are read as those of a plan") {
  const auto document = read(R"(resource "aws_ecs_task_definition" "job" {
  family = "job"
}
resource "aws_cloudwatch_event_target" "nightly" {
  rule = "nightly"
  arn  = "c"
  ecs_target {
    task_definition_arn = aws_ecs_task_definition.job.arn
    launch_type         = "FARGATE"
    task_count          = "2"
    network_configuration {
      subnets = [var.subnet]
    }
  }
}
resource "aws_scheduler_schedule" "hourly" {
  target {
    ecs_parameters {
      task_definition_arn = aws_ecs_task_definition.job.arn
      launch_type         = "EC2"
    }
  }
}
resource "aws_sfn_state_machine" "flow" {
  definition = jsonencode({
    StartAt = "Run"
    States = {
      Run = {
        Type     = "Task"
        Resource = "arn:aws:states:::ecs:runTask.sync"
        Parameters = {
          LaunchType     = "EC2"
          TaskDefinition = aws_ecs_task_definition.job.arn
        }
        End = true
      }
    }
  })
}
resource "aws_sfn_state_machine" "heredoc" {
  definition = <<-EOT
    {"States": {"Go": {"Type": "Task", "Resource": "arn:aws:states:::ecs:runTask",
      "Parameters": {"LaunchType": "${var.launch}", "Cluster": "blue"}}}}
  EOT
}
resource "aws_batch_job_definition" "batch" {
  name                 = "batch"
  type                 = "container"
  container_properties = jsonencode({ image = "busybox", memory = "128", vcpus = 1 })
}
)");
  CHECK(document->faults().empty());
  const auto found = subjects(*document);
  REQUIRE(found.size() == 6);
  const auto root = [&](std::size_t i) { return found.at(i).document->root(); };
  CHECK(found[1].name == "aws_cloudwatch_event_target.nightly");
  CHECK(found[1].kind == importers::SubjectKind::kRunTask);
  CHECK(root(1).find("taskDefinition").text() == "aws_ecs_task_definition.job");
  CHECK(root(1).find("launchType").text() == "FARGATE");
  CHECK(root(1).find("networkConfiguration").find("awsvpcConfiguration").find("subnets").size() == 1);
  CHECK(found[2].name == "aws_scheduler_schedule.hourly");
  CHECK(root(2).find("taskDefinition").text() == "aws_ecs_task_definition.job");
  CHECK(found[3].name == "aws_sfn_state_machine.flow.Run");
  CHECK(root(3).find("launchType").text() == "EC2");
  CHECK(written(root(3).find("launchType")) == "\"EC2\"");
  CHECK(root(3).find("taskDefinition").kind() == text::Kind::kPlaceholder);
  CHECK(found[4].name == "aws_sfn_state_machine.heredoc.Go");
  CHECK(written(root(4).find("cluster")) == "\"blue\"");
  CHECK(found[5].name == "aws_batch_job_definition.batch");
  CHECK(root(5).find("containerDefinitions").at(0).find("image").text() == "busybox");
}

TEST_CASE("terraform code: what is beyond the most resources is named once") {
  std::string code;
  for (int i = 0; i < 1002; ++i) code += "resource \"aws_ecs_cluster\" \"c" + std::to_string(i) + "\" {}\n";
  const auto document = read(code);
  CHECK(document->root().size() == 1000);
  REQUIRE(document->faults().size() == 1);
  CHECK(document->faults()[0].message == "more than 1000 resources are not evaluated");
  CHECK(std::string_view(document->source())
            .substr(document->faults()[0].span.begin)
            .starts_with("resource \"aws_ecs_cluster\" \"c1000\""));
}

TEST_CASE("terraform code: JSON syntax comes to the same, and strings are expressions") {
  const std::string json = R"j({
  "//": "a comment",
  "variable": {"size": {"type": "number", "default": "512"}},
  "locals": {"port": 8080},
  "resource": {
    "aws_ecs_task_definition": {
      "web": {
        "family": "web-${1 + 1}",
        "memory": "${var.size * 2}",
        "container_definitions": "${jsonencode([{ name = \"app\", port = local.port, size = var.size }])}",
        "dynamic": {"volume": {"for_each": ["a", "b"], "content": {"name": "${volume.value}"}}}
      }
    },
    "aws_ecs_service": [
      {"web": {"task_definition": "${aws_ecs_task_definition.web.arn}",
               "load_balancer": {"container_name": "app", "container_port": 80}}}
    ]
  }
})j";
  const auto document = importers::read_terraform_code(json, "/m/main.tf.json", {}).document;
  CHECK(document->faults().empty());
  const auto web = document->root().find("aws_ecs_task_definition.web");
  REQUIRE(web);
  CHECK(web.find("family").text() == "web-2");
  CHECK(written(web.find("family")) == R"("web-${1 + 1}")");
  CHECK(web.find("memory").text() == "1024");
  const auto container = web.find("container_definitions").at(0);
  CHECK(written(container.find("name")) == R"(\"app\")");
  CHECK(container.find("port").text() == "8080");
  CHECK(written(container.find("port")) == "8080");
  CHECK(container.find("size").kind() == text::Kind::kInteger);
  CHECK(web.find("volume").size() == 2);
  const auto found = subjects(*document);
  REQUIRE(found.size() == 2);
  const auto service = found[1].document->root();
  CHECK(service.find("taskDefinition").text() == "aws_ecs_task_definition.web");
  CHECK(service.find("loadBalancers").at(0).find("containerPort").text() == "80");
}

TEST_CASE("terraform code: faults of JSON syntax and of the expressions inside stand where they are written") {
  const auto broken =
      importers::read_terraform_code(R"({"locals": {"a": "x ${1 +} y"}})", "/m/main.tf.json", {}).document;
  REQUIRE(broken->faults().size() == 1);
  CHECK(broken->faults()[0].kind == text::FaultKind::kHclSyntax);
  CHECK(broken->faults()[0].span.begin == 25);
  const auto open = importers::read_terraform_code(R"({"locals": {"a": )", "/m/main.tf.json", {}).document;
  CHECK_FALSE(open->faults().empty());
}

TEST_CASE("terraform code: a key that another file has twice is a fault of that file") {
  const std::string containers = R"([{"name": "app", "image": "web:1", "memory": 1, "memory": 2}])";
  const std::string head =
      "resource \"aws_ecs_task_definition\" \"x\" {\n  family = \"web\"\n  container_definitions = ";
  CHECK(read(head + "file(\"app.json\")\n}\n", {{"/m/app.json", containers}})->faults().empty());
  CHECK(read(head + "<<EOF\n" + containers + "\nEOF\n}\n")->faults().size() == 1);
}

TEST_CASE("terraform code: cycles are named, and what grows without end is bounded") {
  const auto cycle =
      read("locals {\n  a = local.b\n  b = local.a\n}\nresource \"aws_ecs_cluster\" \"x\" {\n  name = local.a\n}\n");
  REQUIRE(cycle->faults().size() == 1);
  CHECK(cycle->faults()[0].kind == text::FaultKind::kHclSyntax);
  std::string bomb = "locals {\n  l0 = \"xxxxxxxxxx\"\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "${local.l" + std::to_string(i - 1) + "}";
    bomb += "  l" + std::to_string(i) + " = \"" + before + before + before + "\"\n";
  }
  const auto bounded = read(bomb + "}\nresource \"aws_ecs_cluster\" \"x\" {\n  name = local.l39\n}\n");
  CHECK(bounded->root().find("aws_ecs_cluster.x").find("name").text().find("${local.") != std::string_view::npos);
}

}  // namespace terraform_code_test
