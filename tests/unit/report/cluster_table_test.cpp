#include <sstream>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "catch.hpp"
#include "placement/build.hpp"
#include "report/document/terminal.hpp"
#include "report/place/gpu_slots.hpp"
#include "report/place/place_tables.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;
using report::ClusterView;
using report::Glyphs;
using report::SortKey;
using report::Style;

namespace {

struct PlaceTextOptions : report::TextOptions {
  ClusterView view;
};

/// The report of a scenario that is placed, with all that it refers to.
struct Placed {
  explicit Placed(Scenario given)
      : scenario(std::move(given)), outcome(place(scenario)), told(report::make_place_report(scenario, outcome)) {}
  Placed(const Placed&) = delete;
  Placed& operator=(const Placed&) = delete;

  std::string text(const PlaceTextOptions& options) const {
    std::ostringstream out;
    report::write_text(out, report::place_document(told, options.view), options);
    return out.str();
  }
  std::string names(const ClusterView& view) const {
    std::vector<std::string> names;
    for (const auto i : report::viewed_instances(told, view)) names.push_back(scenario.instances[i].id);
    return join(names, " ");
  }

  Scenario scenario;
  Outcome outcome;
  report::PlaceReport told;
};

PlaceTextOptions wide(bool verbose = false) {
  PlaceTextOptions options;
  options.verbose = verbose;
  options.view.wide = true;
  return options;
}

PlaceTextOptions wide_ascii() {
  auto options = wide();
  options.glyphs = Glyphs::ascii();
  return options;
}

ClusterView where(const std::string& expression) {
  ClusterView view;
  view.where = std::make_shared<const query::Expression>(query::parse(expression).expression.value());
  return view;
}

ClusterView sorted(std::vector<report::Sorting> sortings) {
  ClusterView view;
  view.sortings = std::move(sortings);
  return view;
}

InstanceProfile eight_gpus(std::string zone = "us-east-2a") {
  auto profile = instance("p3.16xlarge", 65536, 490000, {8, 16384}, std::move(zone));
  profile.hourly_price = 24'480'000;
  return profile;
}

InstanceProfile no_gpus(std::string type = "c5.large", std::string zone = "us-east-2b") {
  auto profile = instance(std::move(type), 2048, 3700, {}, std::move(zone));
  profile.hourly_price = 85'000;
  return profile;
}

/// Two tasks of four GPUs, one of two, web tasks beside them on what has no GPU.
Scenario mixed() {
  return scenario_with({eight_gpus(), eight_gpus("us-east-2b"), no_gpus()},
                       {run_task("train", with_gpus(needs(8192, 100000), {4}), 2),
                        run_task("infer", with_gpus(needs(8192, 100000), {2}), 1),
                        run_task("web", with_interface(needs(1024, 1000)), 2)});
}

bool has_line(const std::string& text, std::string_view line) {
  const auto lines = split(text, '\n');
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

std::size_t widest_line(const std::string& text) {
  std::size_t width = 0;
  for (const auto line : split(text, '\n')) width = std::max(width, display_width(line));
  return width;
}

std::string text_of(report::ReportDocument& document, const PlaceTextOptions& options) {
  document.has_all_lines = true;
  std::ostringstream out;
  report::write_text(out, document, options);
  return out.str();
}

std::string table_of(const Placed& placed, const PlaceTextOptions& options) {
  report::ReportDocument document("place");
  document.blocks = report::make_wide_table(placed.told, report::viewed_instances(placed.told, options.view), options);
  return text_of(document, options);
}

std::string list_groups(const Placed& placed, const PlaceTextOptions& options) {
  report::ReportDocument document("place");
  report::add_cluster_groups(document, placed.told, report::viewed_instances(placed.told, options.view),
                             options.glyphs);
  return text_of(document, options);
}

}  // namespace

TEST_CASE("a wide row shows GPUs by task, bars, interfaces, price and tasks") {
  const Placed placed(mixed());
  CHECK(table_of(placed, wide_ascii()) ==
        "  instance       az  GPU       CPU          MEM          ENI    $/h  tasks\n"
        "  p3.16xlarge#1  2a  AAAAaaaa  ##....  25%  ###...  40%  0/3  24.48      2\n"
        "  p3.16xlarge#2  2b  BB......  #.....  12%  ##....  20%  0/3  24.48      1\n"
        "  c5.large#1     2b  -         ###### 100%  ####..  54%  2/3  0.085      2\n"
        "  A train  B infer  . free\n"
        "  lowercase letters: the next task of the same name\n");
}

TEST_CASE("the wide form begins with the totals") {
  const auto lines = Placed(mixed()).text(wide());
  const auto all = split(lines, '\n');
  REQUIRE(all.size() > 4);
  CHECK(all[0].starts_with("YES 5 of 5 tasks placed"));
  CHECK(all[1].starts_with("3 instances: $49.045/h"));
  CHECK(all[3].starts_with("  instance "));
}

TEST_CASE("color repeats what the letters say and moves no column") {
  const Placed placed(mixed());
  auto options = wide();
  options.style = Style(true);
  const auto colored = table_of(placed, options);
  CHECK(colored.find("\x1b[30;48;5;214mA\x1b[0m") != std::string::npos);
  CHECK(colored.find("\x1b[4;30;48;5;214ma\x1b[0m") != std::string::npos);
  CHECK(colored.find("\x1b[30;48;5;74mB\x1b[0m") != std::string::npos);
  std::string plain;
  for (std::size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\x1b')
      i = colored.find('m', i);
    else
      plain += colored[i];
  }
  CHECK(plain == table_of(placed, wide()));
}

TEST_CASE("GPUs that several tasks share or that nobody explains have signs of their own") {
  auto sharing = instance("g5.xlarge", 4096, 15000, {1, 22000});
  sharing.gpu_sharing = true;
  sharing.attributes["ecs.capability.gpu-sharing-mps"] = "";
  auto given = scenario_with({sharing, eight_gpus()}, {run_task("share", with_mps(needs(512, 1000), {4000}), 2)});
  given.in_use.resize(2);
  given.in_use[1].gpus.assign(8, {});
  given.in_use[1].gpus[2].dedicated = true;
  given.in_use[1].tasks = 1;
  const auto text = table_of(Placed(given), wide_ascii());
  CHECK(text.find("g5.xlarge#1    1a  +  ") != std::string::npos);
  CHECK(text.find("..#.....") != std::string::npos);
  CHECK(has_line(text, "  . free  + shared by several tasks  # in use, not said by whom"));
}

TEST_CASE("a task that ran before has the letter of its service") {
  auto given = scenario_with({eight_gpus()}, {service("serve", with_gpus(needs(1, 1), {1}), 1)});
  given.in_use.resize(1);
  given.in_use[0].gpus.assign(8, {});
  for (const int gpu : {0, 1}) given.in_use[0].gpus[static_cast<std::size_t>(gpu)].dedicated = true;
  given.in_use[0].tasks = 2;
  given.running.push_back({"1", 0, "service:serve", "serve:1", false, false, {0}});
  given.running.push_back({"2", 0, "service:other", "other:1", false, false, {1}});
  const auto text = table_of(Placed(given), wide_ascii());
  CHECK(text.find("ABa.....") != std::string::npos);
  CHECK(text.find("  A serve  B other  . free\n") != std::string::npos);
}

TEST_CASE("many GPUs are counted and the 27th name has no letter") {
  std::vector<Workload> tasks;
  for (int i = 1; i <= 30; ++i) tasks.push_back(run_task("job" + std::to_string(i), with_gpus(needs(1, 1), {1}), 1));
  const Placed few(scenario_with(std::vector<InstanceProfile>(4, eight_gpus()), tasks));
  const auto text = table_of(few, wide_ascii());
  CHECK(text.find("YZ****..") != std::string::npos);
  CHECK(text.find("* 4 other names") != std::string::npos);
  CHECK(widest_line(text) <= report::text_columns());
  const Placed many(scenario_with({instance("rack", 99999, 99999, {64, 1})}, tasks));
  CHECK(table_of(many, wide_ascii()).find("34 of 64 free") != std::string::npos);
}

TEST_CASE("an instance that takes no tasks says so without color") {
  auto draining = eight_gpus();
  draining.status = InstanceStatus::kDraining;
  auto lost = no_gpus();
  lost.agent_connected = false;
  const auto text = table_of(Placed(scenario_with({draining, lost, no_gpus()}, {})), wide_ascii());
  CHECK(has_line(text, "      DRAINING"));
  CHECK(has_line(text, "      agent not connected"));
  CHECK(widest_line(text) <= report::text_columns());
  const auto short_one = table_of(Placed(scenario_with({draining, no_gpus()}, {})), wide_ascii());
  CHECK(short_one.find("  0  DRAINING\n") != std::string::npos);
}

TEST_CASE("what nobody states is a dash") {
  auto bare = instance("own", 1024, 1024, {}, "");
  bare.network_interfaces = kUnlimitedInterfaces;
  const auto text = table_of(Placed(scenario_with({bare}, {})), wide_ascii());
  CHECK(has_line(text, "  own#1     ......   0%  ......   0%    -    -        -      0"));
}

TEST_CASE("wide tables stay within 80 columns whatever the names are") {
  auto given = mixed();
  const std::vector<std::string> names = {
      std::string(300, 'x') + "1", "\u0645\u062b\u0627\u0644-\u0637\u0648\u064a\u0644-\u062c\u062f\u0627",
      "\U0001F680\U0001F680\U0001F680\U0001F680\U0001F680\U0001F680\U0001F680\U0001F680\U0001F680\U0001F680\U0001F680"
      "\U0001F680\U0001F680\U0001F680\U0001F680\U0001F680\U0001F680\U0001F680"};
  for (std::size_t i = 0; i < names.size(); ++i) given.instances[i].id = names[i];
  for (auto& workload : given.workloads) workload.name = std::string(300, 'n') + workload.name;
  given.profiles[2].status = InstanceStatus::kRegistrationFailed;
  given.profiles[1].availability_zone = std::string(300, 'z');
  const Placed placed(std::move(given));
  for (const auto& options : {wide(), wide_ascii()}) {
    const auto text = table_of(placed, options);
    CHECK(widest_line(text) <= report::text_columns());
    CHECK(text.find("xx1 ") != std::string::npos);
    CHECK(text.find("infer") != std::string::npos);
  }
  CHECK(table_of(placed, wide(true)).find(std::string(300, 'x')) != std::string::npos);
}

TEST_CASE("names cannot steer the terminal") {
  auto given = mixed();
  given.instances[0].id = "\x1b[31mred";
  given.workloads[0].name = "\x1b]0;title\x07";
  CHECK(Placed(given).text(wide()).find('\x1b') == std::string::npos);
}

TEST_CASE("with -v the tasks of an instance stand below it") {
  const auto text = table_of(Placed(mixed()), wide(true));
  CHECK(has_line(text, "      train#1-2"));
  CHECK(has_line(text, "      web#1-2"));
}

TEST_CASE("where takes the cluster query language") {
  const Placed placed(mixed());
  CHECK(placed.names(where("attribute:ecs.instance-type =~ p3.*")) == "p3.16xlarge#1 p3.16xlarge#2");
  CHECK(placed.names(where("attribute:ecs.availability-zone == us-east-2b")) == "p3.16xlarge#2 c5.large#1");
  CHECK(placed.names(where("runningTasksCount > 1")) == "p3.16xlarge#1 c5.large#1");
  CHECK(placed.names(where("task:group == family:infer")) == "p3.16xlarge#2");
  CHECK(placed.names(where("task:group == family:none")).empty());
}

TEST_CASE("where sees the groups of what ran before") {
  auto given = mixed();
  given.running.push_back({"1", 2, "service:old", "old:1", false, false, {}});
  given.running.push_back({"2", 1, "service:gone", "gone:1", true, false, {}});
  CHECK(Placed(given).names(where("task:group == service:old")) == "c5.large#1");
  CHECK(Placed(given).names(where("task:group == service:gone")).empty());
}

TEST_CASE("instances are sorted by what is in use, what is free, and names") {
  const Placed placed(mixed());
  const std::string one = "p3.16xlarge#1", two = "p3.16xlarge#2", web = "c5.large#1";
  const auto order = [&](SortKey key, bool descending) { return placed.names(sorted({{key, descending}})); };
  CHECK(order(SortKey::kName, false) == join({web, one, two}, " "));
  CHECK(order(SortKey::kName, true) == join({two, one, web}, " "));
  CHECK(order(SortKey::kZone, true) == join({two, web, one}, " "));
  CHECK(order(SortKey::kType, false) == join({web, one, two}, " "));
  CHECK(order(SortKey::kGpu, true) == join({one, two, web}, " "));
  CHECK(order(SortKey::kGpu, false) == join({two, one, web}, " "));  // without GPUs: last either way
  CHECK(order(SortKey::kFreeGpu, true) == join({two, one, web}, " "));
  CHECK(order(SortKey::kCpu, true) == join({web, one, two}, " "));  // a share, not units
  CHECK(order(SortKey::kMemory, false) == join({two, one, web}, " "));
  CHECK(order(SortKey::kFreeCpu, true) == join({two, one, web}, " "));
  CHECK(order(SortKey::kFreeMemory, false) == join({web, one, two}, " "));
  CHECK(order(SortKey::kEni, true) == join({web, one, two}, " "));
  CHECK(order(SortKey::kFreeEni, true) == join({one, two, web}, " "));
  CHECK(order(SortKey::kTasks, false) == join({two, one, web}, " "));
  CHECK(order(SortKey::kPrice, false) == join({web, one, two}, " "));
  CHECK(placed.names(sorted({{SortKey::kTasks, true}, {SortKey::kName, false}})) == join({web, one, two}, " "));
}

TEST_CASE("instances without a zone or a price come last either way") {
  auto unknown = instance("a", 1024, 1024, {}, "");
  const Placed placed(scenario_with({unknown, no_gpus("b"), no_gpus("c")}, {}));
  for (const auto key : {SortKey::kZone, SortKey::kPrice}) {
    CHECK(placed.names(sorted({{key, false}})) == "b#1 c#1 a#1");
    CHECK(placed.names(sorted({{key, true}})) == "b#1 c#1 a#1");
  }
}

TEST_CASE("the text says what it shows of the cluster") {
  const Placed placed(mixed());
  PlaceTextOptions options;
  options.view = where("attribute:ecs.instance-type =~ p3.*");
  options.view.sortings = {{SortKey::kGpu, true}, {SortKey::kName, true}};
  const auto text = placed.text(options);
  CHECK(has_line(text, "2 of 3 instances shown, where attribute:ecs.instance-type =~ p3.*, sorted by"));
  CHECK(has_line(text, "  gpu (most first), then name (from the last)"));
  CHECK(text.find("c5.large#1") == std::string::npos);
  CHECK(text.find("3 instances: $49.045/h") != std::string::npos);  // the totals are the cluster's
  options.view = where("task:group != family:web");
  CHECK(placed.text(options).find("note --where: task:group != is not documented") != std::string::npos);
  options.view = where("attribute:ecs.instance-type == t2.nano");
  CHECK(has_line(placed.text(options), "0 of 3 instances shown, where attribute:ecs.instance-type == t2.nano"));
}

TEST_CASE("a large cluster is told by type and zone with histograms") {
  std::vector<InstanceProfile> instances(30, eight_gpus());
  instances.resize(50, eight_gpus("us-east-2b"));
  instances.resize(80, no_gpus());
  const Placed placed(scenario_with(instances, {run_task("t8", with_gpus(needs(32768, 1000), {8}), 10),
                                                run_task("t4", with_gpus(needs(6554, 1000), {4}), 10)}));
  const auto text = list_groups(placed, wide_ascii());
  CHECK(has_line(text, "  type         az  all  used  MEM  CPU  0 to 100%  free GPUs  0 to 8"));
  CHECK(has_line(text, "  c5.large     2b   30     0   0%   0%  #                  -"));
  CHECK(has_line(text, "  p3.16xlarge  2a   30    15  <1%  20%  # -  *       120/240  #       #"));
  CHECK(has_line(text, "  p3.16xlarge  2b   20     0   0%   0%  #            160/160          #"));
  CHECK(has_line(text, "  CPU in use  instances"));
  CHECK(has_line(text, "        0-9%         65  ########################################"));
  CHECK(has_line(text, "      50-59%         10  #######"));
  CHECK(has_line(text, "  free GPUs  instances"));
  CHECK(widest_line(text) <= report::text_columns());
}

TEST_CASE("a large cluster has rows where -v or a filter asks for them") {
  std::vector<InstanceProfile> instances(61, eight_gpus());
  const Placed placed(scenario_with(instances, {run_task("t", with_gpus(needs(1, 1), {8}), 2)}));
  CHECK(placed.text(wide()).find("p3.16xlarge#7 ") == std::string::npos);
  CHECK(placed.text(wide(true)).find("p3.16xlarge#7 ") != std::string::npos);
  auto options = wide();
  options.view = where("runningTasksCount > 0");
  options.view.wide = true;
  CHECK(placed.text(options).find("p3.16xlarge#2 ") != std::string::npos);
  options.view = sorted({{SortKey::kFreeGpu, true}});
  options.view.wide = true;
  const auto text = placed.text(options);
  CHECK(has_line(text, "the first 24 (-v: all)"));
  CHECK(text.find("p3.16xlarge#26 ") != std::string::npos);
  CHECK(text.find("p3.16xlarge#27 ") == std::string::npos);
  CHECK(text.find("CPU in use") != std::string::npos);
}

TEST_CASE("an empty cluster has no table") {
  const auto text = Placed(scenario_with({}, {run_task("t", needs(1, 1), 2)})).text(wide());
  CHECK(text.starts_with("NO  t#1-2 not placed: the cluster has no container instances\n"));
  CHECK(text.find("instance ") == std::string::npos);
}

TEST_CASE("names are cut in their middle") {
  const auto glyphs = Glyphs::ascii();
  CHECK(report::cut_middle("abcdefghij", 10, glyphs) == "abcdefghij");
  CHECK(report::cut_middle("abcdefghijk", 10, glyphs) == "abcd...ijk");
  CHECK(report::cut_middle("abcdef", 3, glyphs) == "...");
  CHECK(report::cut_middle("\U0001F680\U0001F680\U0001F680\U0001F680", 6, Glyphs{}) == "\U0001F680\u2026\U0001F680");
}
