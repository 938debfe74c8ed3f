#include <string>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "replay/records/json_cursor.hpp"
#include "replay/records/read_records.hpp"
#include "replay/records/record_time.hpp"

using namespace bayplan;
using namespace bayplan::replay;

namespace {

/// A task event; `more` are further members of its detail.
std::string task_event(int version, const std::string& more) {
  return R"({"version":"0","id":"x","detail-type":"ECS Task State Change","source":"aws.ecs","account":"111122223333",)"
         R"("time":"2026-03-01T00:01:00Z","region":"us-west-2","resources":[],"detail":{)"
         R"("clusterArn":"arn:aws:ecs:us-west-2:111122223333:cluster/c","taskArn":"arn:aws:ecs:us-west-2:111122223333:task/c/t1",)"
         R"("taskDefinitionArn":"arn:aws:ecs:us-west-2:111122223333:task-definition/web:3","group":"service:web",)"
         R"("createdAt":"2026-03-01T00:01:00.5Z","updatedAt":"2026-03-01T00:01:00.5Z","version":)" +
         std::to_string(version) + (more.empty() ? "" : "," + more) + "}}\n";
}

History read(const std::string& name, const std::string& text) {
  MemoryFiles files;
  files.content[name] = text;
  RecordBuilder builder;
  REQUIRE_FALSE(read_records(name, files, {}, builder));
  return std::move(builder).finish();
}

}  // namespace

TEST_CASE("times of records are read in every form", "[replay]") {
  const auto at = [](std::string_view text) { return parse_record_time(text).value_or(RecordTime{}).at; };
  CHECK(at("2020-12-14T15:34:41.824Z") == 1607960081824);
  CHECK(at("2016-09-15T21:30:33.3Z") == 1473975033300);
  CHECK(at("2026-03-07T00:51:06+00:00") == 1772844666000);
  CHECK(at("Mar 7, 2026, 12:51:06 AM") == 1772844666000);
  CHECK(at("Mar 7, 2026, 12:51:06 PM") == 1772844666000 + 12 * 3600 * 1000);
  CHECK(at("1606607178.315") == 1606607178315);
  CHECK(at("1606607178315") == 1606607178315);
  CHECK_FALSE(parse_record_time("yesterday"));
  CHECK_FALSE(parse_record_time("2026-13-07T00:51:06Z"));
  CHECK(parse_record_time("2026-03-07T00:51:06Z")->is_whole_second);
}

TEST_CASE("a cursor reads members and skips the rest", "[replay]") {
  JsonCursor cursor(R"({"a": [1, {"b": "}"}], "c": "x\"\u00e9\n", "d": {"e": -1.5e3}, "f": null, "n": "256"})");
  std::string c, buffer;
  std::optional<std::int64_t> n;
  cursor.object([&](std::string_view key) {
    if (key == "c") return static_cast<void>(c = cursor.text(buffer));
    if (key == "n") return static_cast<void>(n = cursor.integer());
    cursor.skip();
  });
  CHECK(cursor.ok());
  CHECK(cursor.at_end());
  CHECK(c == "x\"\xc3\xa9\n");
  CHECK(n == 256);
  for (const std::string_view broken :
       {R"({"a": )", R"({"a" 1})", R"({"a": [1})", R"({"a": "x)", R"({"a": 1 "b": 2})", "{"}) {
    JsonCursor at_fault(broken);
    at_fault.object([&](std::string_view) { at_fault.skip(); });
    CHECK_FALSE(at_fault.ok());
  }
}

TEST_CASE("versions of a task are taken once and in any order", "[replay]") {
  const std::string placed = R"("containerInstanceArn":"arn:aws:ecs:us-west-2:111122223333:container-instance/c/i1",)"
                             R"("lastStatus":"PENDING","desiredStatus":"RUNNING","cpu":"256","memory":"512")";
  const std::string stopped = R"("lastStatus":"STOPPED","desiredStatus":"STOPPED","stoppedAt":"2026-03-01T00:05:00Z")";
  const auto history = read("events.jsonl", task_event(4, stopped) + task_event(1, placed) + task_event(1, placed));
  REQUIRE(history.tasks.size() == 1);
  const auto& task = history.tasks.front();
  CHECK(history.names.text(task.group) == "service:web");
  CHECK(history.names.text(task.definition) == "web:3");
  CHECK(task.size == TaskSize{256, 512});
  CHECK(task.created == 1772323260500);
  CHECK(task.stopped == 1772323500000);
  CHECK(history.counts.of(Unused::kDuplicate) == 1);
  CHECK(history.counts.version_gaps == 2);
}

TEST_CASE("records are found in every delivery, and broken ones are named", "[replay]") {
  const std::string call =
      R"({"eventSource":"ecs.amazonaws.com","eventName":"RunTask","eventTime":"2026-03-07T00:51:06Z","eventID":"e-1",)"
      R"("requestParameters":{"cluster":"c","taskDefinition":"train:1","placementStrategy":[{"type":"binpack","field":"memory"}]},)"
      R"("responseElements":{"tasks":[{"taskArn":"arn:aws:ecs:us-west-2:111122223333:task/c/t2",)"
      R"("containerInstanceArn":"arn:aws:ecs:us-west-2:111122223333:container-instance/c/i1",)"
      R"("createdAt":"Mar 7, 2026, 12:51:06 AM","group":"family:train"}],"failures":[]}})";
  std::string quoted;
  for (const char c : call) quoted += c == '"' ? std::string("\\\"") : std::string(1, c);
  const auto check = [&](const std::string& text) {
    const auto history = read("a.json", text);
    REQUIRE(history.calls.size() == 1);
    CHECK(history.calls.front().tasks.size() == 1);
    CHECK(history.tasks.front().created == 1772844666000);
    CHECK(history.tasks.front().created_in_second);
  };
  check(R"({"Records":[)" + call + "]}");
  check(call + "\n");
  check("[" + call + "]");
  check(R"({"Events":[{"EventId":"e-1","CloudTrailEvent":")" + quoted + R"("}]})");
  check(R"({"events":[{"timestamp":1,"message":")" + quoted + R"("}]})");
  check(R"({"detail-type":"AWS API Call via CloudTrail","source":"aws.ecs","detail":)" + call + "}\n");
  std::string doubled;
  for (const char c : call.substr(call.find("\"requestParameters\":") + 20))
    doubled += c == '"' ? "\"\"" : std::string(1, c);
  const auto split_at = doubled.find(",\"\"responseElements\"\":");
  const auto request = doubled.substr(0, split_at);
  const auto response = doubled.substr(split_at + 22, doubled.size() - split_at - 23);
  const std::string identity =
      "{type=AssumedRole, principalid=AROA:i-1, arn=arn:aws:sts::111122223333:assumed-role/ecsInstanceRole/i-1, "
      "accountid=1}";
  const std::string header =
      "\"eventtime\",\"eventsource\",\"eventname\",\"eventid\",\"useridentity\",\"requestparameters\","
      "\"responseelements\"\r\n";
  const std::string row = "\"2026-03-07T00:51:06Z\",\"ecs.amazonaws.com\",\"RunTask\",\"e-1\",\"" + identity + "\",\"" +
                          request + "\",\"" + response + "\"";
  check(header + row + "\r\n");
  check(header + row);
  const auto cut = read("c.csv", header + row + "\n" + row.substr(0, 200));
  CHECK(cut.calls.size() == 1);
  REQUIRE(cut.problems.size() == 1);
  CHECK(cut.where(cut.problems.front().place) == "c.csv:3");
  const auto history = read("b.jsonl", call + "\n" + call.substr(0, 100) + "\n{\"source\":\"aws.s3\",\"detail\":{}}\n");
  CHECK(history.calls.size() == 1);
  CHECK(history.counts.of(Unused::kBroken) == 1);
  CHECK(history.counts.of(Unused::kForeign) == 1);
  REQUIRE(history.problems.size() == 1);
  CHECK(history.where(history.problems.front().place) == "b.jsonl:2");
}

TEST_CASE("records are found behind a byte order mark, a foreign line and the times of a log", "[replay]") {
  const std::string event = task_event(1, R"("lastStatus":"PENDING","desiredStatus":"RUNNING")");
  for (const std::string& text : {"\xEF\xBB\xBF" + event, "Tailing /aws/events/ecs ...\n" + event,
                                  "2026-03-01T00:01:02.123Z " + event, "Mar  1 00:01:02 host logger: " + event}) {
    INFO(text);
    CHECK(read("events.jsonl", text).tasks.size() == 1);
  }
}

TEST_CASE("remaining resources that are missing or negative are not read as 0", "[replay]") {
  const auto remaining = [](const std::string& resources) {
    const auto history =
        read("events.jsonl",
             R"({"version":"0","id":"y","detail-type":"ECS Container Instance State Change","source":"aws.ecs",)"
             R"("account":"111122223333","time":"2026-03-01T00:01:00Z","region":"us-west-2","resources":[],"detail":{)"
             R"("clusterArn":"arn:aws:ecs:us-west-2:111122223333:cluster/c","containerInstanceArn":)"
             R"("arn:aws:ecs:us-west-2:111122223333:container-instance/c/i1","status":"ACTIVE","agentConnected":true,)"
             R"("registeredResources":[{"name":"CPU","type":"INTEGER","integerValue":2048},)"
             R"({"name":"MEMORY","type":"INTEGER","integerValue":3764}],"remainingResources":[)" +
                 resources + R"(],"version":3,"updatedAt":"2026-03-01T00:01:00Z"}})" + "\n");
    return history;
  };
  const std::string memory = R"({"name":"MEMORY","type":"INTEGER","integerValue":1000})";
  const auto full = remaining(R"({"name":"CPU","type":"INTEGER","integerValue":0},)" + memory);
  CHECK(full.counts.incomplete_resources == 0);
  for (const auto& history :
       {remaining(memory), remaining(R"({"name":"CPU","type":"INTEGER","integerValue":-5},)" + memory)}) {
    CHECK(history.counts.incomplete_resources == 1);
    for (const auto& seen : history.observations) CHECK_FALSE(seen.has_remaining);
  }
}

TEST_CASE("empty lines before the records are not kept, and count as lines", "[replay]") {
  const std::string blank(1'000'000, '\n');  // more than one piece of a file
  const auto last_problem = [](const std::string& name, const std::string& text) {
    const auto history = read(name, text);
    REQUIRE_FALSE(history.problems.empty());
    return history.where(history.problems.back().place);
  };
  CHECK(last_problem("a.jsonl", blank + task_event(1, "") + "{broken\n") == "a.jsonl:1000002");
  CHECK(last_problem("a.json", blank + "[\n" + task_event(1, "") + ",\n{broken]") == "a.json:1000004");
  CHECK(last_problem("a.log", "\n\nstarting\n\n" + task_event(1, "") + "{broken\n") == "a.log:6");
}

TEST_CASE("a line that comes in many pieces is read once, up to the limit", "[replay]") {
  Limits limits;
  limits.snapshot_bytes = 2'000'000;
  const auto error_of = [&](const std::string& text) {
    MemoryFiles files;
    files.content["a.jsonl"] = text;
    RecordBuilder builder;
    return read_records("a.jsonl", files, limits, builder);
  };
  const std::string event = task_event(1, "\"more\": \"" + std::string(1'500'000, 'x') + "\"");
  CHECK_FALSE(error_of(event + event));
  const auto error = error_of(event + std::string(3'000'000, '\0'));
  REQUIRE(error);
  CHECK(error->message == "has more than 2000000 bytes without an end of line");
}
