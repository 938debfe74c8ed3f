#include "study/sweep/grid.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"

namespace {

using namespace bayplan;
using study::WrittenGrid;

study::ReadGrid read(const std::string& axes) {
  MemoryFiles files;
  files.content["grid.yaml"] = "scenario: night.yaml\naxes:\n" + axes;
  files.content["night.yaml"] = "cluster: {containerInstances: []}\n";  // read later, by others
  return study::read_grid("grid.yaml", files);
}

WrittenGrid grid_of(const std::string& axes) {
  auto grid = read(axes);
  for (const auto& error : grid.errors) FAIL_CHECK(error.line << ": " << error.message);
  REQUIRE(grid.grid);
  return std::move(*grid.grid);
}

/// "grid.yaml:4:5: message (help)", one a line.
std::string errors_of(const std::string& axes) {
  std::string text;
  const auto grid = read(axes);
  CHECK(grid.grid.has_value() == grid.errors.empty());
  for (const auto& error : grid.errors) {
    text += error.file + ":" + std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
    text += error.help.empty() ? "\n" : " (" + error.help + ")\n";
  }
  return text;
}

std::string flags_of(const study::WrittenPoint& point) {
  std::string text = study::text_of(point.name) + ":";
  for (const auto& one : point.variations) text += " --" + std::string(study::name_of(one.key)) + " " + one.text;
  return text;
}

std::vector<std::string> points_of(const std::string& axis) {
  const auto grid = grid_of(axis);
  std::vector<std::string> texts;
  for (const auto& point : grid.axes.front().points) texts.push_back(flags_of(point));
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("grid - points by name take flags as texts, lists and pairs") {
  CHECK(points_of("  a:\n    even: {strategy: [spread:attribute:ecs.availability-zone, spread:instanceId]}\n"
                  "    pack: {strategy: binpack:memory, add: {g4dn.xlarge: 2, p3.2xlarge: 1@us-east-2a}}\n"
                  "    plain: {}\n") ==
        Texts{"even: --strategy spread:attribute:ecs.availability-zone --strategy spread:instanceId",
              "pack: --strategy binpack:memory --add g4dn.xlarge=2 --add p3.2xlarge=1@us-east-2a", "plain:"});
}

TEST_CASE("grid - a list of points is named by its flags") {
  CHECK(
      points_of("  lost: [{lose-az: us-east-2a}, {drain: [i-1, i-2]}, {}]\n") ==
      Texts{"lose-az us-east-2a: --lose-az us-east-2a", "drain i-1, drain i-2: --drain i-1 --drain i-2", "as it is:"});
}

TEST_CASE("grid - one flag over numbers, of which none added is the scenario as it is") {
  CHECK(points_of("  infer: {vary: scale infer, from: 0, to: 25, step: 10}\n") ==
        Texts{"0: --scale infer=0", "10: --scale infer=10", "20: --scale infer=20"});
  CHECK(points_of("  more: {vary: add g4dn.xlarge@us-east-2a, from: 0, to: 2}\n") ==
        Texts{"0:", "1: --add g4dn.xlarge=1@us-east-2a", "2: --add g4dn.xlarge=2@us-east-2a"});
}

TEST_CASE("grid - policies stand beside strategies") {
  CHECK(points_of("  scheduler: [{}, {strategy: binpack:memory}, {policy: fgd}]\n") ==
        Texts{"as it is:", "strategy binpack:memory: --strategy binpack:memory", "policy fgd: --policy fgd"});
  CHECK(points_of("  policy: {vary: policy, values: [[], fgd]}\n") == Texts{"none:", "fgd: --policy fgd"});
  CHECK(errors_of("  policy: {vary: policy, from: 1, to: 2}\n") ==
        "grid.yaml:3:32: policy does not accept numbers (list them: values: [...])\n");
}

TEST_CASE("grid - one flag over values") {
  CHECK(points_of("  type: {vary: replace p3.2xlarge, values: [p3.2xlarge, p3.8xlarge]}\n") ==
        Texts{"p3.2xlarge:", "p3.8xlarge: --replace p3.2xlarge=p3.8xlarge"});
  CHECK(points_of("  cluster: {vary: instances, values: [[a=1, b=2], c=3, []]}\n") ==
        Texts{"a=1, b=2: --instances a=1 --instances b=2", "c=3: --instances c=3", "none:"});
  const auto grid = grid_of("  infer: {vary: scale infer, values: [12, 3]}\n");
  CHECK(std::get<std::int64_t>(grid.axes[0].points[0].name) == 12);
}

TEST_CASE("grid - seeds are counted, not listed") {
  const auto grid = grid_of("  seed: {vary: seed, from: 5, to: 1000000, step: 5}\n  a: [{add: x=1}, {}]\n");
  REQUIRE(grid.axes[0].seeds);
  CHECK(grid.axes[0].points.empty());
  CHECK(grid.axes[0].seeds->at(199'999) == 1'000'000);
  CHECK(study::size_of(grid) == 400'000);
}

TEST_CASE("grid - each fault is told with its place") {
  CHECK(errors_of("  a: {vary: scale, from: 1, to: 2}\n") ==
        "grid.yaml:3:13: vary: scale requires a name (write vary: scale SERVICE)\n");
  CHECK(errors_of("  a: {vary: sed, from: 1, to: 2}\n") ==
        "grid.yaml:3:13: vary cannot be 'sed' (did you mean 'seed'?)\n");
  CHECK(errors_of("  a: {vary: lose-az x, values: [a]}\n") == "grid.yaml:3:13: vary: lose-az does not accept 'x'\n");
  CHECK(errors_of("  a: {vary: lose-az, from: 1, to: 2}\n") ==
        "grid.yaml:3:28: lose-az does not accept numbers (list them: values: [...])\n");
  CHECK(errors_of("  a: {vary: seed, from: 1}\n") ==
        "grid.yaml:3:6: axis 'a' has no values (give from and to, or values)\n");
  CHECK(errors_of("  a: {vary: seed, from: 1, values: [1]}\n") ==
        "grid.yaml:3:36: values cannot be combined with from, to or step (keep one of the two)\n");
  CHECK(errors_of("  a: {vary: scale x, values: [two]}\n") ==
        "grid.yaml:3:31: scale must be a number from 0 up, not 'two'\n");
  CHECK(errors_of("  a: {vary: add x=1, values: [2]}\n") ==
        "grid.yaml:3:13: 'add x=1' already has a value (omit = and what follows)\n");
  CHECK(errors_of("  a: {vary: seed, from: 9, to: 1}\n") ==
        "grid.yaml:3:25: from is 9, more than to, which is 1 (an axis is ascending)\n");
  CHECK(errors_of("  a: {}\n  b: []\n") ==
        "grid.yaml:3:6: axis 'a' has no point (name one, or omit the axis)\n"
        "grid.yaml:4:6: axis 'b' has no point (name one, or omit the axis)\n");
  CHECK(errors_of("  '': {vary: seed, from: 1, to: 9}\n") ==
        "grid.yaml:3:7: an axis has no name (name what it varies)\n");
  CHECK(errors_of("  a: {one: {lose-zone: us-east-2a}}\n").find("grid.yaml:3:13: unknown key 'lose-zone'") == 0);
}

TEST_CASE("grid - a scenario that is not there is told where it is named") {
  MemoryFiles files;
  files.content["g/grid.yaml"] = "axes: {a: {vary: seed, from: 1, to: 2}}\nscenario: gone.yaml\n";
  const auto errors = study::read_grid("g/grid.yaml", files).errors;
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].file == "g/grid.yaml");
  CHECK(errors[0].line == 2);
  CHECK(errors[0].column == 11);
  CHECK(errors[0].message == "g/gone.yaml: No such file or directory");
}

TEST_CASE("grid - a point that does what another does is told") {
  CHECK(errors_of("  a:\n    one: {add: x=1}\n    two: {add: {x: 1}}\n") ==
        "grid.yaml:5:5: axis 'a' has the duplicate point 'two' ('one' is in line 4)\n");
  CHECK(errors_of("  a: {vary: lose-az, values: [x, x]}\n") ==
        "grid.yaml:3:34: axis 'a' has the duplicate point 'x' ('x' is in line 3)\n");
}

TEST_CASE("grid - without axes, and with more scenarios than anybody can wait for") {
  CHECK(errors_of("  {}\n") ==
        "grid.yaml:3:3: a grid without axes is one scenario (place it with bayplan place, or name an axis)\n");
  const std::string seeds = "{vary: seed, from: 1, to: 1000000000}\n";
  CHECK(errors_of("  a: " + seeds).empty());
  CHECK(errors_of("  a: " + seeds + "  b: " + seeds + "  c: " + seeds + "  d: [{}, {add: x=1}]\n") ==
        "grid.yaml:3:3: a grid has at most 1,000,000,000 scenarios; this one has 1000000000 x 1000000000 x "
        "1000000000 x 2 (drop an axis, or take larger steps)\n");
  CHECK(errors_of("  a: {vary: seed, from: 0, to: 1000000000000}\n") ==
        "grid.yaml:3:6: axis 'a' has 1000000000001 points, and may have 1000000000 (take larger steps)\n");
}
