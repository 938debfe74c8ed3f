#include <nlohmann/json.hpp>
#include <sstream>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/application.hpp"

namespace {

using namespace bayplan;

const std::string kBroken =
    R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": "256"}]}
)";
const std::string kFixed =
    R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}]}
)";
const std::string kHalf =
    R"({"family": "my web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": "256"}]}
)";
const std::string kDiff =
    "@@ -1 +1 @@\n"
    "-{\"family\": \"web\", \"containerDefinitions\": [{\"name\": \"app\", \"image\": \"nginx:1.27\", \"memory\": "
    "\"256\"}]}\n"
    "+{\"family\": \"web\", \"containerDefinitions\": [{\"name\": \"app\", \"image\": \"nginx:1.27\", \"memory\": "
    "256}]}\n";

/// Counts what is written; one path may refuse it.
class WatchedFiles : public MemoryFiles {
 public:
  std::string read_only;
  std::vector<std::string> written;

  Result<std::unique_ptr<NewFile>> create(const std::string& path) override {
    if (path == read_only) return Error{"Permission denied", path};
    written.push_back(path);
    return MemoryFiles::create(path);
  }
};

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome lint(Files& files, std::vector<std::string> arguments, const std::string& input = {}) {
  arguments.insert(arguments.begin(), "lint");
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int code = cli::run(arguments, {in, out, err, files});
  return {code, out.str(), err.str()};
}

std::string last_line(std::string text) {
  text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

TEST_CASE("lint --fix - writes what changes and reports what remains") {
  WatchedFiles files;
  files.content = {{"a.json", kBroken}, {"b.json", kFixed}, {"c.json", kHalf}};
  const auto ran = lint(files, {"--fix", "a.json", "b.json", "c.json"});
  CHECK(ran.code == 1);
  CHECK(files.written == std::vector<std::string>{"a.json", "c.json"});
  CHECK(files.content["a.json"] == kFixed);
  CHECK(files.content["c.json"].find("\"memory\": 256}") != std::string::npos);
  CHECK(ran.out.find("a.json") == std::string::npos);
  CHECK(ran.out.starts_with("c.json:1:12 error BAY102"));
  CHECK(last_line(ran.out) == "2 fixed; 1 error left in 1 of 3 files");
  CHECK(ran.err.empty());

  files.written.clear();
  const auto again = lint(files, {"--fix", "a.json", "b.json", "c.json"});
  CHECK(again.code == 1);
  CHECK(files.written.empty());
  CHECK(last_line(again.out) == "1 error in 1 of 3 files");
}

TEST_CASE("lint --fix - nothing left is clean") {
  WatchedFiles files;
  files.content = {{"a.json", kBroken}};
  const auto ran = lint(files, {"--fix", "--output", "json", "a.json"});
  CHECK(ran.code == 0);
  const auto report = nlohmann::json::parse(ran.out);
  CHECK(report["summary"]["fixed"] == 1);
  CHECK(report["summary"]["error"] == 0);
  files.content["a.json"] = kBroken;
  CHECK(lint(files, {"--fix", "a.json"}).out == "1 fixed, none left in 1 file\n");
}

TEST_CASE("lint - the summary says what --fix would do") {
  WatchedFiles files;
  files.content = {{"a.json", kBroken}};
  const auto ran = lint(files, {"a.json"});
  CHECK(last_line(ran.out) == "1 error in 1 file; 1 fixable with --fix");
  CHECK(files.written.empty());
}

TEST_CASE("lint --fix - a file that cannot be written is an error, and the others are fixed") {
  WatchedFiles files;
  files.content = {{"a.json", kBroken}, {"b.json", kBroken}};
  files.read_only = "a.json";
  const auto ran = lint(files, {"--fix", "a.json", "missing.json", "b.json"});
  CHECK(ran.code == 2);
  CHECK(files.content["a.json"] == kBroken);
  CHECK(files.content["b.json"] == kFixed);
  CHECK(ran.err.find("bayplan: a.json: cannot write: Permission denied\n") != std::string::npos);
  CHECK(ran.err.find("missing.json") != std::string::npos);
  CHECK(ran.out.find("a.json:1:93 error BAY017") != std::string::npos);
  CHECK(last_line(ran.out) == "1 fixed; 1 error left in 1 of 2 files");
}

TEST_CASE("lint --fix - of standard input the text goes to standard output and the report beside it") {
  WatchedFiles files;
  const auto ran = lint(files, {"--fix", "--stdin-filename", "x.json", "-"}, kHalf);
  CHECK(ran.code == 1);
  CHECK(ran.out == std::string(kHalf).replace(kHalf.find("\"256\""), 5, "256"));
  CHECK(ran.err.starts_with("x.json:1:12 error BAY102"));
  CHECK(files.written.empty());
  const auto clean = lint(files, {"--fix", "-q", "-"}, kFixed);
  CHECK(clean.out == kFixed);
  CHECK(clean.err.empty());
  const auto other = lint(files, {"--fix", "-"}, "{\"a\": 1}\n");
  CHECK(other.code == 2);
  CHECK(other.out == "{\"a\": 1}\n");
}

TEST_CASE("lint --fix - only what is selected") {
  WatchedFiles files;
  files.content = {{"a.json", kBroken}};
  CHECK(lint(files, {"--fix", "--ignore", "BAY017", "a.json"}).code == 0);
  CHECK(files.written.empty());
}

TEST_CASE("lint --fix - a fix that is held back is said") {
  WatchedFiles files;
  const std::string text = R"({"family": "web", "requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc",
  "cpu": "256", "memory": "512", "executionRoleArn": "arn:aws:iam::123456789012:role/x",
  "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "repositoryCredentials": {"credentialsParameter": ""}}]}
)";
  files.content = {{"a.json", text}};
  const auto ran = lint(files, {"--fix", "a.json"});
  CHECK(ran.code == 1);
  CHECK(files.content["a.json"] == text);
  CHECK(ran.err.starts_with("bayplan: a.json:3:117: BAY024 not fixed: the result would have a new error, BAY023: "));
  CHECK(last_line(ran.out) == "1 error in 1 file");
  CHECK(lint(files, {"--fix", "-q", "a.json"}).err.empty());
}

TEST_CASE("lint --diff - prints a patch and writes nothing") {
  WatchedFiles files;
  files.content = {{"a.json", kBroken}, {"b.json", kFixed}, {"d/c.json", kBroken}};
  const auto ran = lint(files, {"--diff", "a.json", "b.json", "d"});
  CHECK(ran.code == 1);
  CHECK(ran.out == "--- a/a.json\n+++ b/a.json\n" + kDiff + "--- a/d/c.json\n+++ b/d/c.json\n" + kDiff);
  CHECK(ran.err == "--fix would fix 2 findings in 2 files\n");
  CHECK(files.written.empty());
  CHECK(lint(files, {"--diff", "--fix", "a.json"}).code == 1);
  CHECK(files.written.empty());
  CHECK(lint(files, {"--diff", "--exit-zero", "a.json"}).code == 0);
  CHECK(lint(files, {"--diff", "-q", "a.json"}).err.empty());
}

TEST_CASE("lint --diff - nothing to fix is clean, whatever else is found") {
  WatchedFiles files;
  files.content = {{"a.json", std::string(kFixed).replace(12, 3, "w b")}, {"package.json", "{\"a\": 1}"}};
  const auto ran = lint(files, {"--diff", "a.json"});
  CHECK(ran.code == 0);
  CHECK(ran.out.empty());
  CHECK(ran.err == "nothing to fix\n");
  CHECK(lint(files, {"--diff", "package.json"}).code == 2);
  CHECK(lint(files, {"--diff", "--skip-unrecognized", "package.json"}).code == 0);
  CHECK(lint(files, {"--diff", "missing.json"}).code == 2);
  CHECK(lint(files, {"--diff", "--output", "json", "a.json"}).code == 2);
}

TEST_CASE("lint --diff - standard input, and UTF-16 as UTF-8") {
  WatchedFiles files;
  const auto ran = lint(files, {"--diff", "--stdin-filename", "x.json", "-"}, kBroken);
  CHECK(ran.out == "--- a/x.json\n+++ b/x.json\n" + kDiff);
  std::string wide;
  for (const char c : kBroken) (wide += c) += '\0';
  files.content = {{"w.json", wide}};
  const auto shown = lint(files, {"--diff", "w.json"});
  CHECK(shown.out == "--- a/w.json\n+++ b/w.json\n" + kDiff);
  CHECK(shown.err.find("w.json: is UTF-16") != std::string::npos);
}

TEST_CASE("lint --diff - a patch is byte for byte, and on a terminal without what steers it") {
  MemoryFiles files;
  files.content = {{"a.json",
                    "{\"family\": \"a\", \"containerDefinitions\": [{\"name\": \"a\", \"image\": \"a:1\",\r\n"
                    "\"memory\": \"64\", \"command\": [\"\u202e\u2028\"]}]}\r\n"}};
  const auto shown = [&](bool is_terminal) {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    cli::Streams streams{in, out, err, files};
    streams.out_is_terminal = is_terminal;
    cli::run({"lint", "--diff", "a.json"}, streams);
    return out.str();
  };
  CHECK(shown(false).find("[\"\u202e\u2028\"]}]}\r\n") != std::string::npos);
  CHECK(shown(true).find("[\"\uFFFD\uFFFD\"]}]}\r\n") != std::string::npos);
}

TEST_CASE("lint - a terminal shows one screen of findings and counts the others") {
  MemoryFiles files;
  std::string containers;
  for (int i = 0; i < 30; ++i) {
    containers += (i == 0 ? "" : ",\n") + std::string("{\"name\": \"c") + std::to_string(i) +
                  "\", \"image\": \"a:1\", \"memory\": \"64\", \"cpu\": \"1\"}";
  }
  files.content = {{"a.json", "{\"family\": \"a\", \"containerDefinitions\": [" + containers + "]}"}};
  const auto shown = [&](bool is_terminal, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"lint", "a.json", "--color", "never"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    cli::Streams streams{in, out, err, files};
    streams.out_is_terminal = is_terminal;
    CHECK(cli::run(arguments, streams) == 1);
    return out.str();
  };
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const auto screen = shown(true, {});
  CHECK(lines(screen) <= 40);
  CHECK(screen.find(" more findings: ") != std::string::npos);
  CHECK(screen.find("61 errors") != std::string::npos);
  CHECK(lines(shown(false, {})) > 80);
  CHECK(lines(shown(true, {"-v"})) > 80);
}
