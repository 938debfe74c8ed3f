#include <sstream>

#include "base/utf8.hpp"
#include "catch.hpp"
#include "report/document/escape.hpp"
#include "report/document/terminal.hpp"
#include "report/place/place_report.hpp"
#include "report/svg/cluster_frame.hpp"
#include "report/svg/group_boxes.hpp"
#include "report/svg/kind_marks.hpp"
#include "report/svg/svg_writer.hpp"
#include "timeline/story.hpp"

namespace svg_test {

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

std::string svg_of(const Scenario& scenario) {
  const auto outcome = place(scenario);
  std::ostringstream out;
  report::write_place_svg(out, report::make_place_report(scenario, outcome));
  return out.str();
}

std::size_t times(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

bool shows(const std::string& svg, std::string_view part) {
  return svg.find(part) != std::string::npos;
}

InstanceProfile eight_gpus(std::string zone = "us-east-2a") {
  return instance("p3.16xlarge", 65536, 490000, {8, 16384}, std::move(zone));
}

Scenario many(std::size_t instances) {
  return scenario_with(std::vector<InstanceProfile>(instances, eight_gpus()),
                       {run_task("t", with_gpus(needs(1024, 1000), {3}), 3)});
}

}  // namespace

TEST_CASE("xml text holds no markup and nothing that XML forbids") {
  CHECK(report::xml("<script>\"a\" & 'b'</script>") == "&lt;script&gt;&quot;a&quot; &amp; 'b'&lt;/script&gt;");
  CHECK(report::xml("a\nb\tc\r") == "a&#10;b&#9;c&#13;");
  CHECK(report::xml(std::string("\x01\x00z", 3)) == "\uFFFD\uFFFDz");
  CHECK(report::xml("\xEF\xBF\xBF \xEF\xBF\xBE \xFF") == "\uFFFD \uFFFD \uFFFD");
  CHECK(report::xml("مهمة 🚢") == "مهمة 🚢");
}

TEST_CASE("pixels have at most one decimal") {
  CHECK(report::from_tenths(0) == "0");
  CHECK(report::from_tenths(120) == "12");
  CHECK(report::from_tenths(123) == "12.3");
  CHECK(report::from_tenths(7) == "0.7");
}

TEST_CASE("an id that is too long keeps both ends") {
  CHECK(report::cut_middle("i-0123456789abcdef0", 19, {}) == "i-0123456789abcdef0");
  CHECK(report::cut_middle("i-0123456789abcdef0", 9, {}) == "i-01…def0");
  for (std::size_t columns = 3; columns < 12; ++columns) {
    const auto cut = report::cut_middle("容器容器容器容器🚢🚢", columns, {});
    CHECK(display_width(cut) <= columns);
    CHECK_FALSE(first_invalid_utf8(cut));
  }
}

TEST_CASE("lines of a picture break at blanks and end where there is no room") {
  using Lines = std::vector<std::string>;
  CHECK(report::lines_of("one two three", 80, 2) == Lines{"one two three"});
  CHECK(report::lines_of("one two three", 7, 2) == Lines{"one two", "three"});
  CHECK(report::lines_of("one two three", 7, 1) == Lines{"one tw…"});
  CHECK(report::lines_of("abcdefghij k", 4, 3) == Lines{"abcd", "efgh", "ij k"});
  CHECK(report::lines_of("abcdefghij", 4, 2) == Lines{"abcd", "efg…"});
  CHECK(report::lines_of("", 4, 2) == Lines{""});
  for (const auto& line : report::lines_of(std::string(300, 'x') + " 容器容器容器", 20, 4))
    CHECK(display_width(line) <= 20);
}

TEST_CASE("a picture shows boxes, slots with letters and what has no place") {
  const auto given = scenario_with(
      {eight_gpus(), eight_gpus("us-east-2b")},
      {run_task("t4", with_gpus(needs(8192, 20000), {4}), 1), run_task("t8", with_gpus(needs(16384, 44000), {8}), 2)});
  const auto svg = svg_of(given);
  CHECK(shows(svg, ">NO  t8#2 not placed: 0 of 2 instances have 8 free GPUs"));
  CHECK(
      shows(svg, "<title>p3.16xlarge#1, p3.16xlarge, us-east-2a: CPU 12%, memory 4%, 4 of 8 GPUs free; t4#1</title>"));
  CHECK(times(svg, ">AAAA</text>") == 1);
  CHECK(times(svg, ">BBBBBBBB</text>") == 1);
  CHECK(times(svg, "<path class=\"free\"") == 1);
  CHECK(shows(svg, ">us-east-2a: 1 instance</text>"));
  CHECK(shows(svg, ">us-east-2b: 1 instance</text>"));
  CHECK(shows(svg, ">1 t4</text>"));
  CHECK(shows(svg, ">1 of 2 t8</text>"));
  CHECK(shows(svg, ">Not placed: 1 task</text>"));
  CHECK(shows(svg, ">t8#2: not placed</text>"));
  CHECK(svg == svg_of(given));
}

TEST_CASE("a picture of nothing says so") {
  const auto svg = svg_of(scenario_with({}, {run_task("t", needs(1, 1), 2)}));
  CHECK(shows(svg, "The cluster has no container instances."));
  CHECK(shows(svg, ">t#1-2: not placed</text>"));
}

TEST_CASE("hostile names stay text in a picture") {
  auto given =
      scenario_with({eight_gpus("<zone>&")}, {run_task("</text><script>alert(1)</script>", needs(1, 1), 1),
                                              run_task(std::string(300, 'n') + "\n\"quoted\"", needs(1, 900000), 1)});
  given.instances[0].id = "i'<b>\x01\x1b[31m\u202e\n";
  const auto svg = svg_of(given);
  CHECK_FALSE(shows(svg, "<script"));
  CHECK_FALSE(shows(svg, "<b>"));
  CHECK_FALSE(shows(svg, "\x1b"));
  CHECK_FALSE(shows(svg, "\u202e"));
  CHECK(shows(svg, "&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK(shows(svg, "&lt;zone&gt;&amp;"));
}

TEST_CASE("to five hundred instances have a box each, more are drawn by group") {
  const auto each = svg_of(many(500));
  CHECK(times(each, "<g role=\"img\"") == 500);
  const auto groups = svg_of(many(501));
  CHECK(times(groups, "<g role=\"img\"") == 1);
  CHECK(shows(groups, ">501 instances, 2 with tasks</text>"));
  CHECK(shows(groups, "instances by free GPUs: 2:1 5:1 8:499</title>"));
  CHECK(shows(groups, ">3999 free</text>"));
}

TEST_CASE("numbers with gaps do not fill a title or a cell") {
  std::vector<InstanceProfile> instances(2, instance("m", 900'000, 900'000));
  const auto given = scenario_with(instances, {run_task("t", needs(1, 1), 4'000, {spread("instanceId")})});
  CHECK(svg_of(given).size() < 9'000);
  CHECK(shows(svg_of(given), "; t#1,3,5,"));
  const auto outcome = place(given);
  std::ostringstream page;
  const auto made = report::make_place_report(given, outcome);
  report::write_document(page, report::place_document(made), report::Medium::kComment);
  CHECK(page.str().size() < 1'500);
  CHECK(page.str().find("| t&#35;1,3,5,") != std::string::npos);
}

TEST_CASE("groups go by zone and type in natural order") {
  std::vector<InstanceProfile> profiles{instance("b.10x", 100, 100, {}, ""), instance("b.10x", 100, 100, {}, "z2"),
                                        instance("b.9x", 100, 100, {}, "z2"), instance("b.9x", 1000, 100, {}, "z10")};
  const auto given = scenario_with(profiles, {run_task("t", needs(101, 1), 2)});
  const auto outcome = place(given);
  const auto picture = report::make_cluster_picture(report::make_place_report(given, outcome));
  const auto groups = report::list_groups(picture, report::instances_at(picture, 0));
  REQUIRE(groups.size() == 4);
  CHECK(groups[0].instance_type + groups[0].zone == "b.9xz2");
  CHECK(groups[1].instance_type + groups[1].zone == "b.10xz2");
  CHECK(groups[2].zone == "z10");
  CHECK(groups[3].zone.empty());
  CHECK(groups[2].with_tasks == 1);
  CHECK(groups[2].by_cpu_tenth == std::map<std::int64_t, std::int64_t>{{3, 1}});
  CHECK(groups[2].uses.front().tasks == 2);
}

TEST_CASE("many kinds share a gray, the heaviest have letters") {
  std::vector<Workload> workloads;
  for (int i = 0; i < 20; ++i) workloads.push_back(run_task("kind" + std::to_string(i), needs(1, 1), i < 6 ? 1 : 2));
  const auto given = scenario_with({eight_gpus()}, workloads);
  const auto svg = svg_of(given);
  CHECK(shows(svg, ">2 kind6</text>"));
  CHECK_FALSE(shows(svg, ">1 kind5</text>"));
  CHECK(shows(svg, ">6 other kinds</text>"));
  CHECK(shows(svg, "class=\"k13\""));
}

TEST_CASE("names of two deployments are told apart") {
  auto given = scenario_with({eight_gpus()}, {service("web", needs(1, 1), 1), service("web", needs(1, 1), 1)});
  given.task_definitions[1].name = "web:2";
  const auto outcome = place(given);
  const auto picture = report::make_cluster_picture(report::make_place_report(given, outcome));
  const report::KindMarks marks(picture, {1, 1});
  CHECK(marks.name(0) == "web (web:1)");
  CHECK(marks.name(1) == "web (web:2)");
  CHECK(marks.of(0).letter == 'A');
  CHECK(marks.of(1).letter == 'B');
  CHECK(marks.of(report::kUnlisted).style == "other");
}

TEST_CASE("what shares a GPU and what was there before are drawn") {
  auto shared = eight_gpus();
  shared.gpu_sharing = true;
  shared.gpu_count = 2;
  shared.attributes["ecs.capability.gpu-sharing-mps"] = "";
  auto given = scenario_with(
      {shared}, {run_task("a", with_mps(needs(1, 1), {4000}), 1), run_task("b", with_mps(needs(1, 1), {4000}), 1)});
  CHECK(shows(svg_of(given), "GPU shared by several kinds"));
  CHECK(shows(svg_of(given), ">*</text>"));

  auto busy = scenario_with({eight_gpus()}, {run_task("a", needs(1, 1), 1)});
  busy.in_use.resize(1);
  busy.in_use[0].cpu = 32768;
  busy.in_use[0].tasks = 3;
  busy.in_use[0].gpus.resize(8);
  busy.in_use[0].gpus[1].dedicated = true;
  const auto svg = svg_of(busy);
  CHECK(shows(svg, ">reserved before</text>"));
  CHECK(shows(svg, "7 of 8 GPUs free; a#1, 3 running</title>"));
}

TEST_CASE("instances that take no tasks are marked") {
  auto draining = eight_gpus();
  draining.status = InstanceStatus::kDraining;
  auto lost = eight_gpus();
  lost.agent_connected = false;
  const auto svg = svg_of(scenario_with({draining, lost}, {}));
  CHECK(times(svg, "class=\"instance closed\"") == 2);
  CHECK(shows(svg, ">DRAINING</text>"));
  CHECK(shows(svg, ">agent not connected</text>"));
}

TEST_CASE("a frame holds what is there at that moment") {
  const auto given = scenario_with({eight_gpus(), eight_gpus()}, {run_task("t", with_gpus(needs(1024, 1000), {1}), 2)});
  timeline::Story story(given);
  for (std::int64_t number = 1; number <= 2; ++number) story.arrive(0, 0, number);
  story.place(0, 0, 0, {0});
  story.place(10, 1, 1, {0});
  story.stop(50, 0);
  story.launch(60, 0, timeline::kNoIndex, "boots");
  story.history.instances[1].draining_at = 40;
  story.history.instances[0].terminated_at = 60;
  story.history.end = 60;
  const report::TimelineReport report(given, story.history);
  const auto picture = report::make_cluster_picture(report);

  const auto at = [&](timeline::Seconds moment) { return report::instances_at(picture, moment); };
  REQUIRE(at(0).size() == 2);
  CHECK(report::tasks_on(at(0)[0]) == 1);
  CHECK(report::tasks_on(at(0)[1]) == 0);
  CHECK(report::free_gpus_on(at(10)[1]) == 7);
  CHECK(at(39)[1].state.empty());
  CHECK(at(40)[1].state == "DRAINING");
  CHECK(report::tasks_on(at(49)[0]) == 1);
  CHECK(report::tasks_on(at(50)[0]) == 0);
  REQUIRE(at(60).size() == 1);  // neither the one that has gone nor the one that boots
  CHECK(at(60)[0].instance == 1);

  std::ostringstream out;
  report::write_timeline_svg(out, report);
  CHECK(shows(out.str(), "cluster at 1m, 1 instance"));
  CHECK(shows(out.str(), "1 more instance launched but not yet active"));
}

}  // namespace svg_test
