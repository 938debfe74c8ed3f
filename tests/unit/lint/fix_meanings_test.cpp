// What the author meant, stated by hand for each kind of safe fix, and that the fixed file says it. Besides: no fix
// changes a value that none of its edits touches.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "catch.hpp"
#include "lint/fix/fixes.hpp"
#include "lint/run_summary.hpp"
#include "support/in_sources.hpp"
#include "support/rule_cases.hpp"
#include "support/untouched.hpp"
#include "text/edited_text.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bayplan;
using Json = nlohmann::json;
using text::Value;

struct Meaning {
  std::string_view file;     ///< Below tests/rules.
  std::string_view pointer;  ///< Into what the API receives.
  std::string_view meant;    ///< JSON; empty: nothing stands there.
};

const std::vector<Meaning> kMeanings{
    {"BAY001/bad-single-quotes.json", "", R"({"family": "web"})"},
    {"BAY002/bad-in-list.json", "/containerDefinitions/0/command", R"(["nginx", "-g"])"},
    {"BAY007/bad.yaml", "/cpu", R"("256")"},
    {"BAY007/bad.yaml", "/containerDefinitions/0/environment/0/value", R"("8080")"},
    {"BAY007/bad.yaml", "/containerDefinitions/0/environment/1/value", R"("true")"},
    {"BAY007/bad.yaml", "/containerDefinitions/0/environment/2/value", R"("yes")"},
    {"BAY010/bad.json", "",
     R"({"family": "web", "containerDefinitions": [{"name": "web", "image": "nginx:1.27", "memory": 256}],
         "tags": [{"key": "team", "value": "shop"}]})"},
    {"BAY011/bad-all.json", "",
     R"({"family": "web", "containerDefinitions": [{"name": "web", "image": "nginx:1.27", "memory": 256}]})"},
    {"BAY013/bad.json", "/networkMode", R"("bridge")"},
    {"BAY013/bad.json", "/containerDefinitions/0/memoryReservation", "128"},
    {"BAY021/bad-map-in-list.json", "/tags", R"([{"key": "team", "value": "shop"}])"},
    {"BAY021/bad-map-in-list.json", "/containerDefinitions/0/environment",
     R"([{"name": "PORT", "value": "80"}, {"name": "A", "value": "1"}, {"name": "HOST", "value": "web"}])"},
    {"BAY021/bad-map-in-list.json", "/containerDefinitions/0/ulimits",
     R"([{"name": "nofile", "softLimit": 1024, "hardLimit": 1024}])"},
    {"BAY021/bad-map-in-list.json", "/containerDefinitions/0/resourceRequirements",
     R"([{"type": "GPU", "value": "1"}])"},
    {"BAY021/bad-map-in-list.json", "/containerDefinitions/0/extraHosts",
     R"([{"hostname": "db", "ipAddress": "10.0.0.7"}])"},
    {"BAY021/bad-map-in-list.json", "/containerDefinitions/1/portMappings", R"([{"8080": 80}])"},
    {"BAY021/bad-map-in-block.yaml", "/containerDefinitions/0/environment",
     R"([{"name": "PORT", "value": "80"}, {"name": "TEXT", "value": "several\nlines\n"}, {"name": "HOST", "value": "web"}])"},
    {"BAY021/bad-map-in-block.yaml", "/containerDefinitions/0/resourceRequirements",
     R"([{"type": "GPU", "value": "1"}])"},
    {"BAY016/bad.json", "/containerDefinitions/0/essential", "true"},
    {"BAY016/bad.json", "/containerDefinitions/0/user", R"("web")"},
    {"BAY016/bad-pairs.json", "/containerDefinitions/0/dockerLabels", R"({"team": "shop"})"},
    {"BAY016/bad-pairs.json", "/containerDefinitions/1/dockerLabels", R"({"team": "shop", "tier": "1"})"},
    {"BAY016/bad-pairs.json", "/containerDefinitions/2/dockerLabels", R"({"team": "shop"})"},
    {"BAY016/bad-pairs.json", "/containerDefinitions/3/dockerLabels", R"({"team": "shop"})"},
    {"BAY016/bad-pairs.json", "/containerDefinitions/4/dockerLabels", R"([{"name": "team"}])"},
    {"BAY016/bad-pairs.json", "/containerDefinitions/6/logConfiguration/options", R"({"max-size": "10m"})"},
    {"BAY016/bad-health.json", "/containerDefinitions/0/healthCheck",
     R"({"command": ["CMD-SHELL", "curl -f http://localhost/ || exit 1"]})"},
    {"BAY016/bad-health.json", "/containerDefinitions/1/healthCheck",
     R"({"command": ["CMD-SHELL", "curl -f http://localhost/ || exit 1"]})"},
    {"BAY016/bad-block.yaml", "/containerDefinitions/0/logConfiguration",
     R"({"logDriver": "awslogs", "options": {"awslogs-group": "web", "awslogs-region": "us-east-1",
         "awslogs-stream-prefix": "web"}})"},
    {"BAY016/bad-block.yaml", "/containerDefinitions/0/user", R"("web")"},
    {"BAY016/bad-block.yaml", "/containerDefinitions/0/healthCheck",
     R"({"command": ["CMD-SHELL", "curl -f http://localhost/ || exit 1"]})"},
    {"BAY016/bad-block.yaml", "/containerDefinitions/1/dockerLabels", R"({"team": "shop", "tier": "1"})"},
    {"BAY016/bad-units.json", "/containerDefinitions/0/cpu", R"(512)"},
    {"BAY016/bad-units.json", "/containerDefinitions/0/memory", R"(1024)"},
    {"BAY016/bad-units.json", "/containerDefinitions/0/memoryReservation", R"(512)"},
    {"BAY016/bad-units.json", "/containerDefinitions/0/stopTimeout", R"(90)"},
    {"BAY016/bad-units.json", "/containerDefinitions/0/linuxParameters/sharedMemorySize", R"(64)"},
    {"BAY016/bad-units.json", "/containerDefinitions/0/linuxParameters/tmpfs/0/size", R"(1024)"},
    {"BAY016/bad-units.json", "/containerDefinitions/0/healthCheck/interval", R"(30)"},
    {"BAY016/bad-units.json", "/containerDefinitions/1/cpu", R"(256)"},
    {"BAY016/bad-units.json", "/containerDefinitions/1/memory", R"(1536)"},
    {"BAY016/bad-units.json", "/containerDefinitions/2/cpu", R"(512)"},
    {"BAY016/bad-units-unclear.json", "/containerDefinitions/0/cpu", R"("0.5")"},
    {"BAY016/bad-units-unclear.json", "/containerDefinitions/1/cpu", R"("0.3 vCPU")"},
    {"BAY016/bad-storage.json", "/ephemeralStorage/sizeInGiB", R"(30)"},
    {"BAY017/bad-anchor.yaml", "/containerDefinitions/0/memory", "256"},
    {"BAY018/bad.json", "/containerDefinitions/0/environment/0/value", R"("80")"},
    {"BAY018/bad.json", "/containerDefinitions/0/environment/1/value", R"("true")"},
    {"BAY019/bad.json", "/containerDefinitions/0/stopTimeout", "30"},
    {"BAY019/bad-larger-unit.json", "/containerDefinitions/0/memory", R"(2.0)"},
    {"BAY019/bad-larger-unit.json", "/containerDefinitions/1/memory", R"(512)"},
    {"BAY020/bad.json", "",
     R"({"family": "web", "containerDefinitions": [{"name": "web", "image": "nginx:1.27", "memory": 256}]})"},
    {"BAY021/bad.json", "/tags", R"([{"key": "team", "value": "shop"}, {"key": "tier", "value": "front"}])"},
    {"BAY021/bad.json", "/containerDefinitions/0/environment", R"([{"name": "PORT", "value": "80"}])"},
    {"BAY021/bad.json", "/containerDefinitions/0/portMappings", R"([{"containerPort": 80, "hostPort": 8080}])"},
    {"BAY021/bad.json", "/containerDefinitions/0/resourceRequirements", R"([{"type": "GPU", "value": "1"}])"},
    {"BAY021/bad.json", "/containerDefinitions/0/ulimits",
     R"([{"name": "nofile", "softLimit": 1024, "hardLimit": 1024}])"},
    {"BAY021/bad-equals.json", "/containerDefinitions/0/environment", R"([{"name": "A", "value": "1"}])"},
    {"BAY021/bad-service.json", "/placementStrategy", R"([{"type": "binpack", "field": "memory"}])"},
    {"BAY021/bad-variable-called-name.json", "/containerDefinitions/0/environment",
     R"([{"name": "NAME", "value": "web"}, {"name": "PORT", "value": "80"}])"},
    {"BAY021/bad-variable-called-name.json", "/containerDefinitions/2/environment",
     R"({"NAME": "PORT", "VALUE": "80"})"},
    {"BAY021/bad-variable-called-name.json", "/containerDefinitions/3/environment",
     R"([{"name": "PORT", "value": "80"}])"},
    {"BAY021/bad-health-strings.json", "/containerDefinitions/0/healthCheck/command",
     R"(["CMD-SHELL", "curl -f http://localhost/ || exit 1"])"},
    {"BAY021/bad-health-strings.json", "/containerDefinitions/1/healthCheck/command",
     R"(["CMD-SHELL", "curl -f http://localhost/ || exit 1"])"},
    {"BAY021/bad-health-strings.json", "/containerDefinitions/2/healthCheck/command",
     R"(["CMD", "curl", "-f", "http://localhost/"])"},
    {"BAY021/bad-health-strings.json", "/containerDefinitions/3/healthCheck/command",
     R"(["CMD-SHELL", "curl -f http://localhost/ || exit 1"])"},
    {"BAY021/bad-health-strings.json", "/containerDefinitions/4/healthCheck/command",
     R"(["CMD", "curl", "-f", "http://localhost/"])"},
    {"BAY021/bad-health-strings.json", "/containerDefinitions/5/healthCheck/command", R"(["NONE"])"},
    {"BAY021/bad-health-strings.json", "/containerDefinitions/6/healthCheck/command",
     R"(["CMD-SHELL", "curl -f http://localhost/ || exit 1"])"},
    {"BAY021/bad-health-unclear.json", "/containerDefinitions/0/healthCheck/command",
     R"("CMD, curl -f http://localhost/ || exit 1")"},
    {"BAY021/bad-health-commas.json", "/containerDefinitions/0/healthCheck/command",
     R"(["CMD", "curl", "-f", "http://localhost/"])"},
    {"BAY021/bad-health-commas.json", "/containerDefinitions/1/healthCheck/command",
     R"(["CMD", "curl", "-f", "http://localhost/"])"},
    {"BAY021/bad-health-commas.json", "/containerDefinitions/2/healthCheck/command",
     R"(["CMD", "curl", "-f", "http://localhost/"])"},
    {"BAY021/bad-health-commas.json", "/containerDefinitions/3/healthCheck/command",
     R"(["CMD-SHELL", "curl -f http://localhost/"])"},
    {"BAY021/bad-health-commas.json", "/containerDefinitions/4/healthCheck/command",
     R"(["CMD-SHELL", "curl -f http://localhost/"])"},
    {"BAY021/bad-health-commas.json", "/containerDefinitions/5/healthCheck/command",
     R"(["CMD", "pg_isready", "-U", "postgres"])"},
    {"BAY021/bad-health-commas.json", "/containerDefinitions/7/healthCheck/command",
     R"(["CMD-SHELL", "curl -f http://localhost/"])"},
    {"BAY021/bad-health-commas.json", "/containerDefinitions/8/healthCheck/command",
     R"(["CMD", "sh", "-c", "exit 0"])"},
    {"BAY021/bad-health-commas.json", "/containerDefinitions/9/healthCheck/command",
     R"(["CMD-SHELL", "curl -f http://localhost/?a=1,2"])"},
    {"BAY021/bad-health-commas-unclear.json", "/containerDefinitions/0/healthCheck/command",
     R"("curl,-f http://localhost/")"},
    {"BAY021/bad-health-commas-unclear.json", "/containerDefinitions/2/healthCheck/command",
     R"("curl -f http://localhost/health, exit 1")"},
    {"BAY021/bad-map-in-list-unclear.json", "/containerDefinitions/0/environment", R"([{"A": "1", "B": {"a": 1}}])"},
    {"BAY021/bad-map-in-list-unclear.json", "/containerDefinitions/1/environment",
     R"([{"name": "A", "value": "true"}, {"B": null}])"},
    {"BAY021/bad-map-in-list-unclear.json", "/containerDefinitions/5/ulimits",
     R"([{"name": "nofile", "softLimit": 1024, "hardLimit": 2048}, {"name": "nproc", "softLimit": 512, "hardLimit": 512}])"},
    {"BAY021/bad-map-in-list-unclear.json", "/containerDefinitions/6/ulimits",
     R"([{"name": "cpu", "softLimit": 10, "hardLimit": 10}])"},
    {"BAY021/bad-port-ranges.json", "/containerDefinitions/0/portMappings",
     R"([{"containerPortRange": "90-95"}, {"containerPortRange": "8000-8010", "protocol": "udp"}])"},
    {"BAY021/bad-port-ranges.json", "/containerDefinitions/1/portMappings", R"([{"containerPortRange": "90-95"}])"},
    {"BAY021/bad-port-ranges.json", "/containerDefinitions/2/portMappings", R"(["90-95:90-95"])"},
    {"BAY016/bad-ports.json", "/containerDefinitions/0/portMappings/0", R"({"containerPortRange": "90-95"})"},
    {"BAY016/bad-ports.json", "/containerDefinitions/1/portMappings/0",
     R"({"containerPort": "90-95", "hostPort": 90})"},
    {"BAY016/bad-ports.json", "/containerDefinitions/4/portMappings/0", R"({"containerPort": 81})"},
    {"BAY016/bad-ports.json", "/containerDefinitions/5/portMappings/0", R"({"containerPort": 82, "protocol": "udp"})"},
    {"BAY016/bad-ports.json", "/containerDefinitions/6/portMappings/0", R"({"containerPort": "83/udp"})"},
    {"BAY016/bad-indented.yaml", "/containerDefinitions/0/dockerLabels", R"({"team": "shop", "tier": "front"})"},
    {"BAY016/bad-indented.yaml", "/containerDefinitions/0/logConfiguration",
     R"({"logDriver": "awslogs", "options": {"awslogs-group": "web", "awslogs-region": "us-east-1",
         "awslogs-stream-prefix": "web"}})"},
    {"BAY021/bad-health-lines.yaml", "/containerDefinitions/0/healthCheck/command",
     R"(["CMD-SHELL", "curl -f http://localhost/ || exit 1"])"},
    {"BAY021/bad-health-lines.yaml", "/containerDefinitions/1/healthCheck/command",
     R"(["CMD-SHELL", "curl -f http://localhost/ || exit 1"])"},
    {"BAY021/bad-short-forms.json", "/containerDefinitions/0/portMappings",
     R"([{"containerPort": 80, "hostPort": 8080, "protocol": "udp"}, {"containerPort": 443}, {"containerPort": 9000}])"},
    {"BAY021/bad-short-forms.json", "/containerDefinitions/0/mountPoints",
     R"([{"sourceVolume": "data", "containerPath": "/data", "readOnly": true}, {"sourceVolume": "data", "containerPath": "/scratch"}])"},
    {"BAY021/bad-short-forms.json", "/containerDefinitions/0/extraHosts",
     R"([{"hostname": "db", "ipAddress": "10.0.0.7"}, {"hostname": "cache", "ipAddress": "fd00::7"}, {"hostname": "six", "ipAddress": "fd00::8"}])"},
    {"BAY021/bad-short-forms.json", "/containerDefinitions/0/ulimits",
     R"([{"name": "nofile", "softLimit": 1024, "hardLimit": 1024}, {"name": "nproc", "softLimit": 512, "hardLimit": 1024}, {"name": "core", "softLimit": 0, "hardLimit": -1}])"},
    {"BAY021/bad-short-forms.json", "/containerDefinitions/0/resourceRequirements",
     R"([{"type": "GPU", "value": "1"}])"},
    {"BAY021/bad-short-forms.json", "/containerDefinitions/0/systemControls",
     R"([{"namespace": "net.core.somaxconn", "value": "1024"}])"},
    {"BAY021/bad-short-forms.json", "/containerDefinitions/0/environment",
     R"([{"name": "A", "value": "1"}, {"name": "B", "value": "a=b"}, {"name": "C", "value": ""}])"},
    {"BAY021/bad-short-forms.json", "/containerDefinitions/1/portMappings",
     R"([{"containerPort": 80, "hostPort": 8081, "protocol": "tcp"}])"},
    {"BAY021/bad-short-forms.json", "/containerDefinitions/1/extraHosts",
     R"([{"hostname": "db", "ipAddress": "10.0.0.7"}])"},
    {"BAY021/bad-short-forms.json", "/containerDefinitions/1/ulimits",
     R"([{"name": "nofile", "softLimit": 1024, "hardLimit": 4096}, {"name": "core", "softLimit": 0, "hardLimit": 0}])"},
    {"BAY021/bad-short-forms.json", "/containerDefinitions/1/resourceRequirements",
     R"([{"type": "GPU", "value": "ALL"}])"},
    {"BAY021/bad-short-unclear.json", "/containerDefinitions/2/portMappings", R"(["80:80", "443:443/sctp"])"},
    {"BAY021/bad-strings.json", "/containerDefinitions/2/dnsServers", R"("10.0.0.2,10.0.0.3")"},
    {"BAY021/bad-strings.json", "/containerDefinitions/3/dnsServers", R"(["10.0.0.2", "10.0.0.3"])"},
    {"BAY021/bad-strings.json", "/containerDefinitions/4/command", R"(["nginx", "-g", "daemon off;"])"},
    {"BAY021/bad-block-maps.yaml", "/tags", R"([{"key": "team", "value": "shop"}])"},
    {"BAY021/bad-block-maps.yaml", "/containerDefinitions/0/environment",
     R"([{"name": "PORT", "value": "8080"}, {"name": "HOST", "value": "web.example.com"}, {"name": "GREETING", "value": "good morning"}, {"name": "NOTE", "value": "several lines\n"}, {"name": "KEY", "value": "  two blanks before\nnone\n"}, {"name": "EMPTY", "value": ""}, {"name": "yes", "value": "no"}])"},
    {"BAY021/bad-block-maps.yaml", "/containerDefinitions/0/secrets",
     R"([{"name": "TOKEN", "valueFrom": "arn:aws:ssm:us-east-1:123456789012:parameter/token"}])"},
    {"BAY021/bad-block-maps.yaml", "/containerDefinitions/0/ulimits",
     R"([{"name": "nofile", "softLimit": 1024, "hardLimit": 1024}, {"name": "nproc", "softLimit": 512, "hardLimit": 1024}])"},
    {"BAY021/bad-block-maps.yaml", "/containerDefinitions/0/resourceRequirements",
     R"([{"type": "GPU", "value": "1"}])"},
    {"BAY021/bad-block-maps.yaml", "/containerDefinitions/0/portMappings",
     R"([{"containerPort": 80, "hostPort": 8080, "protocol": "tcp"}])"},
    {"BAY021/bad-block-maps.yaml", "/containerDefinitions/0/mountPoints",
     R"([{"sourceVolume": "data", "containerPath": "/data", "readOnly": true}, {"sourceVolume": "data", "containerPath": "/scratch"}])"},
    {"BAY021/bad-block-maps.yaml", "/containerDefinitions/0/extraHosts",
     R"([{"hostname": "db", "ipAddress": "10.0.0.7"}])"},
    {"BAY021/bad-block-maps.yaml", "/containerDefinitions/0/dependsOn",
     R"([{"containerName": "other", "condition": "START"}])"},
    {"BAY021/bad-block-maps.yaml", "/containerDefinitions/1/portMappings",
     R"([{"containerPort": 80, "hostPort": 8081}])"},
    {"BAY021/bad-block-unclear.yaml", "/containerDefinitions/0/environment", R"({"PORT": "80"})"},
    {"BAY021/bad-compose-maps.yaml", "/volumes", R"([{"name": "data"}, {"name": "logs"}])"},
    {"BAY021/bad-compose-maps.yaml", "/containerDefinitions/0/dependsOn",
     R"([{"containerName": "db", "condition": "START"}, {"containerName": "cache", "condition": "START"}])"},
    {"BAY021/bad-compose-maps.yaml", "/containerDefinitions/1/dependsOn", R"({"cache": {"condition": "soon"}})"},
    {"BAY022/bad.json", "/networkMode", R"("bridge")"},
    {"BAY022/bad.json", "/runtimePlatform/cpuArchitecture", R"("ARM64")"},
    {"BAY024/bad.json", "/tags", ""},
    {"BAY024/bad.json", "/taskRoleArn", ""},
    {"BAY109/bad-unit.json", "/cpu", R"("1024")"},
    {"BAY109/bad-millicores.json", "/cpu", R"("512")"},
    {"BAY109/bad-half.json", "/cpu", R"("0.5")"},
    {"BAY110/bad-gibi.json", "/memory", R"("1024")"},
    {"BAY110/bad-megabytes.json", "/memory", R"("512")"},
    {"BAY1102/bad-field.json", "/placementStrategy", R"([{"type": "random"}])"},
    {"BAY120/bad-newline.json", "/taskRoleArn", R"("arn:aws:iam::123456789012:role/app")"},
    {"BAY021/bad-one-map-in-list.json", "/containerDefinitions/0/environment",
     R"([{"name": "PORT", "value": "80"}, {"name": "HOST", "value": "db"}])"},
    {"BAY021/bad-one-map-in-block.yaml", "/containerDefinitions/0/environment",
     R"([{"name": "PORT", "value": "80"}, {"name": "TEXT", "value": "several\nlines\n"}, {"name": "HOST", "value": "web"}, {"name": "A", "value": "1"}, {"PORT_B": "81", "HOST_B": "web"}])"},
    {"BAY214/bad-map-unclear.json", "/containerDefinitions/0/environment", R"([{"nam": "PORT"}])"},
    {"BAY214/bad-map-unclear.json", "/containerDefinitions/2/environment", R"([{"VALUE": "80"}])"},
    {"BAY214/bad-map-unclear.json", "/containerDefinitions/3/environment", R"([{"memory": "80"}])"},
    {"BAY214/bad-map-unclear.json", "/containerDefinitions/4/environment",
     R"([{"name": "MEMORY", "value": "80"}, {"name": "A", "value": "1"}])"},
    {"BAY301/bad-zero.json", "/containerDefinitions/0/portMappings", R"([{"containerPort": 80, "hostPort": 80}])"},
    {"BAY302/bad-zero.yaml", "/containerDefinitions/0/portMappings", R"([{"containerPort": 80, "hostPort": 80}])"},
    {"BAY313/bad-blanks.json", "/containerDefinitions/0/portMappings/0/containerPortRange", R"("80-90")"},
    {"BAY313/bad-one-port.json", "/containerDefinitions/0/portMappings/0", R"({"containerPort": 80})"},
    {"BAY401/bad-number.json", "/containerDefinitions/0/resourceRequirements", R"([{"type": "GPU", "value": "1"}])"},
    {"BAY401/bad-whole-number.yaml", "/containerDefinitions/0/resourceRequirements/0/value", R"("1")"},
    {"BAY402/bad-all.yaml", "/containerDefinitions/0/resourceRequirements", R"([{"type": "GPU", "value": "ALL"}])"},
    {"BAY403/bad-whole-two.yaml", "/containerDefinitions/0/resourceRequirements/0/value", R"("2")"},
    {"BAY404/bad-small.json", "/containerDefinitions/0/resourceRequirements", R"([{"type": "GPU", "value": "1"}])"},
    {"BAY405/bad-without-type.json", "/containerDefinitions/0/resourceRequirements",
     R"([{"type": "GPU", "value": "2"}])"},
    {"BAY406/bad-gpus.yaml", "/containerDefinitions/0/resourceRequirements", R"([{"type": "GPU", "value": "ALL"}])"},
    {"BAY406/bad-gpu-count.json", "/containerDefinitions/0/gpuCount", ""},
    {"BAY466/bad-semicolon.json", "/containerDefinitions/0/environment/0/value", R"("compute,utility")"},
    {"BAY612/bad-number.json", "/containerDefinitions/0/logConfiguration/options",
     R"({"max-size": "10", "max-file": "2.5"})"},
    {"BAY612/bad-yaml-word.yaml", "/containerDefinitions/0/logConfiguration/options/awslogs-create-group", R"("true")"},
    {"BAY710/bad-shell-line.json", "/containerDefinitions/0/healthCheck/command",
     R"(["CMD-SHELL", "curl -f http://localhost/ || exit 1"])"},
    {"BAY730/bad-case.json", "/containerDefinitions/0/ulimits/0/name", R"("nofile")"},
    {"BAY740/bad-case.json", "/containerDefinitions/0/linuxParameters/capabilities",
     R"({"add": ["SYS_PTRACE"], "drop": ["NET_RAW"]})"},
    {"BAY764/bad.yaml", "/containerDefinitions/0/systemControls/0/value", R"("1024")"},
    {"BAY770/bad-equals.json", "/containerDefinitions/0/dockerSecurityOptions", R"(["label:type:svirt_apache"])"},
};

Json received(Value value) {
  return Json::parse(untouched::received(value));
}

lint::FileReport report_on(std::string bytes, const fs::path& file, const lint::Tools& tools) {
  lint::Options options;
  options.selection.extend_select = {"BAY"};
  return lint::lint_document(std::move(bytes), file.filename().string(), options, tools);
}

bool has_safe_fix(const lint::LintFinding& finding) {
  return finding.fix && finding.fix->safe;
}

std::vector<fs::path> bad_files() {
  std::vector<fs::path> files;
  for (const auto& folder : rule_cases::folders()) {
    for (const auto& file : rule_cases::inputs_of(folder)) {
      if (rule_cases::is_bad(file) && fs::is_regular_file(file)) files.push_back(file);
    }
  }
  return files;
}

}  // namespace

TEST_CASE("fix meanings - the fixed file says what its author meant") {
  const lint::Tools tools;
  for (const auto& [name, pointer, meant] : kMeanings) {
    INFO(std::string(name) << " " << std::string(pointer));
    const fs::path file = fs::path(in_sources("tests/rules")) / name;
    const auto recheck = [&](std::string bytes) { return report_on(std::move(bytes), file, tools); };
    const auto fixed = lint::fix_text(rule_cases::content_of(file), recheck);
    const Json sent = received(recheck(fixed.bytes).document->root());
    INFO(fixed.bytes);
    const Json::json_pointer place{std::string(pointer)};
    CHECK(sent.contains(place) == !meant.empty());
    if (!meant.empty()) CHECK(sent.value(place, Json()) == Json::parse(meant));
  }
}

TEST_CASE("fix meanings - every rule with a safe fix has its meaning stated") {
  const lint::Tools tools;
  std::set<std::string_view> stated;
  for (const auto& meaning : kMeanings) stated.insert(meaning.file.substr(0, meaning.file.find('/')));
  for (const auto& file : bad_files()) {
    for (const auto& finding : report_on(rule_cases::content_of(file), file, tools).findings) {
      INFO(file.string() << " " << finding.code);
      if (has_safe_fix(finding)) CHECK(stated.count(finding.code) == 1);
    }
  }
}

TEST_CASE("fix meanings - a safe fix mends its finding and changes nothing that its edits do not touch") {
  const lint::Tools tools;
  std::size_t tried = 0;
  for (const auto& file : bad_files()) {
    const auto before = report_on(rule_cases::content_of(file), file, tools);
    if (before.document->source().find(": &") != std::string::npos) continue;  // an alias changes with its anchor
    for (const auto& finding : before.findings) {
      if (!has_safe_fix(finding) || finding.code == "BAY010") continue;  // all of the definition moves up
      const auto text = text::apply(before.document->source(), finding.fix->edits).text;
      const auto after = report_on(text, file, tools);
      INFO(file.string() << " " << finding.code << " " << finding.pointer << "\n" << text);
      CHECK(untouched::changed_elsewhere(before.document->root(), after.document->root(), *finding.fix).empty());
      CHECK(std::none_of(after.findings.begin(), after.findings.end(), [&](const lint::LintFinding& left) {
        return left.code == finding.code && left.pointer == finding.pointer && left.message == finding.message;
      }));
      ++tried;
    }
  }
  CHECK(tried > 120);
}

// The summary of `lint` and that of `lint --fix` must not disagree.
TEST_CASE("fix meanings - what is called fixable is fixed, or it is said why not") {
  const lint::Tools tools;
  std::size_t fixable = 0, left = 0;
  for (const auto& file : bad_files()) {
    const auto recheck = [&](std::string bytes) { return report_on(std::move(bytes), file, tools); };
    const auto bytes = rule_cases::content_of(file);
    lint::Summary summary;
    summary.add(recheck(bytes));
    const auto fixed = lint::fix_text(bytes, recheck);
    INFO(file.string());
    CHECK(fixed.fixed + fixed.left.size() == summary.fixable);
    fixable += summary.fixable;
    left += fixed.left.size();
  }
  CHECK(fixable > 200);
  CHECK(left < 10);
}
