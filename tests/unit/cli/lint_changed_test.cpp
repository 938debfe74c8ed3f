#include <algorithm>
#include <map>

#include "base/memory_files.hpp"
#include "base/strings.hpp"
#include "catch.hpp"
#include "cli/ran.hpp"

namespace lint_changed_test {

using namespace bayplan;
using namespace bayplan::cli;

namespace {

using Texts = std::map<std::string, std::string>;

const std::string kBad = "family: my web\ncontainerDefinitions: [{name: a, image: 'a:1', memory: 128}]\n";
const std::string kGood = "family: web\ncontainerDefinitions: [{name: a, image: 'a:1', memory: 128}]\n";

/// Lines of `git diff --raw -z` for changed files.
std::string changed_files(const std::vector<std::string>& names) {
  std::string lines;
  for (const auto& name : names)
    lines += ":100644 100644 abc 000 M" + std::string(1, '\0') + name + std::string(1, '\0');
  return lines;
}

/// What git was asked last, and its answers.
struct Git {
  std::string changed;
  std::string untracked;
  std::string revision;
};

Git& git() {
  static Git git;
  return git;
}

Result<std::string> run_git(const std::vector<std::string>& words) {
  const auto has = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  if (has("rev-parse")) return std::string("/repo\n");
  if (has("ls-files")) return git().untracked;
  git().revision = words.at(words.size() - 2);
  if (git().revision == "nowhere") return Error{.message = "git failed"};
  return git().changed;
}

/// The working folder is /repo.
class RepositoryFiles : public MemoryFiles {
 public:
  using MemoryFiles::MemoryFiles;
  std::string absolute(const std::string& path) const override {
    if (path.starts_with('/')) return path;
    return path == "." ? "/repo" : "/repo/" + (path.starts_with("./") ? path.substr(2) : path);
  }
};

Ran lint(Files& files, std::vector<std::string> arguments, bool has_git = true) {
  arguments.insert(arguments.begin(), "lint");
  std::istringstream in;
  std::ostringstream out, err;
  Streams streams{in, out, err, files};
  if (has_git) streams.run_program = run_git;
  const int code = run(arguments, streams);
  return {code, out.str(), err.str()};
}

int polls = 0;
MemoryFiles* edited = nullptr;

/// Mends the file at the first poll, adds one later, and ends.
bool edit_then_interrupt() {
  ++polls;
  if (polls == 2) edited->content["a.yaml"] = kGood;
  if (polls == 4) edited->content["sub/b.yaml"] = kBad;
  return polls > 5;
}

}  // namespace

TEST_CASE("lint --changed reports only files that git says changed, and uses the others") {
  RepositoryFiles files(Texts{{"a.yaml", kBad},
                              {"b.yaml", kBad},
                              {"new.yaml", kBad},
                              {"service.json", R"({"serviceName": "s", "cluster": "c", "taskDefinition": "web",
                             "desiredCount": 1, "loadBalancers": [{"targetGroupArn":
                             "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/t/1234567890123456",
                             "containerName": "b", "containerPort": 80}]})"},
                              {"web.yaml", kGood}});
  git() = {.changed = changed_files({"b.yaml", "service.json"}), .untracked = std::string("new.yaml\0", 9)};
  const auto ran = lint(files, {"--changed", "-f", "oneline"});
  CHECK(ran.code == kFindings);
  CHECK(git().revision == "HEAD");
  CHECK_FALSE(says(ran.out, "a.yaml"));
  CHECK(says(ran.out, "b.yaml:1"));
  CHECK(says(ran.out, "new.yaml:1"));
  CHECK(says(ran.out, "service.json"));  // its container is not one of web.yaml, which did not change
  CHECK(lint(files, {"--changed", "--show-files"}).out == "b.yaml\nnew.yaml\nservice.json\n");
  CHECK(says(lint(files, {"--changed-since", "origin/main", "--fix", "-f", "oneline"}).out, "b.yaml:1"));
  CHECK(git().revision == "origin/main");
}

TEST_CASE("lint --changed without a changed definition is clean, and says so") {
  RepositoryFiles files(Texts{{"a.yaml", kBad}});
  git() = {};
  const auto ran = lint(files, {"--changed"});
  CHECK(ran.code == kClean);
  CHECK(says(ran.err, "no changed file has a definition to check"));
  CHECK(lint(files, {"--changed", "-q"}).err.empty());
}

TEST_CASE("lint --changed does not take a path without a file for one that did not change") {
  RepositoryFiles files(Texts{{"a.yaml", kBad}});
  git() = {};
  for (const std::vector<std::string>& mode :
       {std::vector<std::string>{}, {"--fix"}, {"--diff"}, {"--add-ignores"}, {"--show-files"}, {"--statistics"}}) {
    auto words = mode;
    words.insert(words.end(), {"--changed", "main", "a.yaml"});
    const auto ran = lint(files, words);
    CAPTURE(words.front());
    CHECK(ran.code == kUnusable);
    CHECK(says(ran.err, "main: No such file or directory"));
    CHECK(says(ran.err, "bayplan lint --changed-since main"));
  }
  CHECK(lint(files, {"--changed", "a.yaml"}).code == kClean);
  const auto equals = lint(files, {"--changed=origin/main"});
  CHECK(equals.code == kUnusable);
  CHECK(says(equals.err, "--changed does not take a value, got 'origin/main'"));
  CHECK(says(equals.err, "Write: bayplan lint --changed-since origin/main"));
}

TEST_CASE("lint --changed says why git gives no answer, and what it does not go with") {
  RepositoryFiles files(Texts{{"a.yaml", kBad}});
  CHECK(says(lint(files, {"--changed"}, false).err, "not possible here"));
  CHECK(says(lint(files, {"--changed-since", "nowhere"}).err, "git does not compare with 'nowhere'"));
  CHECK(lint(files, {"--changed-since=--output=x"}).code == kUnusable);
  CHECK(says(lint(files, {"--changed", "--create-baseline", "b.json"}).err, "cannot be combined"));
  CHECK(says(lint(files, {"--changed", "--init"}).err, "cannot be combined"));
}

TEST_CASE("lint --watch runs again for a file that changed and for one that was added, until it is interrupted") {
  MemoryFiles files(Texts{{"a.yaml", kBad}, {"sub/c.yaml", kGood}});
  polls = 0;
  edited = &files;
  const auto ran =
      run_with(files, {"lint", "--watch", "-f", "oneline", "--output", "json=report.json"}, edit_then_interrupt);
  CHECK(ran.code == kFindings);  // of the last run
  CHECK(split(ran.out, '\n').size() - 1 == 2);
  CHECK(says(ran.out, "a.yaml:1:9 error BAY102"));
  CHECK(says(ran.out, "sub/b.yaml:1:9 error BAY102"));
  CHECK(says(ran.err, "; Ctrl-C ends"));
  CHECK(says(files.content.at("report.json"), "sub/b.yaml"));
}

/// A terminal: what is written arrives when it is flushed.
class Flushed : public std::stringbuf {
 public:
  explicit Flushed(std::ostream& terminal) : terminal_(terminal) {}
  int sync() override {
    terminal_ << str();
    str("");
    return 0;
  }

 private:
  std::ostream& terminal_;
};

TEST_CASE("lint --watch shows the errors of the run that it shows") {
  MemoryFiles files(Texts{{"a.yaml", kGood}, {".bayplan.yaml", "failOn: error\n"}});
  edited = &files;
  polls = 0;
  std::istringstream in;
  std::ostringstream terminal;
  Flushed flushed(terminal);
  std::ostream out(&flushed);
  Streams streams{in, out, terminal, files};
  streams.out_is_terminal = true;
  streams.interrupted = [] {
    ++polls;
    if (polls == 2) edited->content[".bayplan.yaml"] = "failOn: never\n";
    return polls > 4;
  };
  CHECK(run({"lint", "--watch"}, streams) == kUnusable);
  const auto clear = terminal.str().find("\x1b[2J");
  REQUIRE(clear != std::string::npos);
  CHECK(terminal.str().find("failOn cannot be 'never'") > clear);
}

TEST_CASE("lint --watch does not go with what runs once") {
  MemoryFiles files(Texts{{"a.yaml", kBad}});
  for (const std::string_view other : {"--init", "--diff", "--show-files", "--add-ignores", "--test-rules", "-"}) {
    CAPTURE(other);
    const auto ran = run_with(files, {"lint", "--watch", std::string(other)});
    CHECK(ran.code == kUnusable);
    CHECK(says(ran.err, "cannot be combined"));
  }
}

}  // namespace lint_changed_test
