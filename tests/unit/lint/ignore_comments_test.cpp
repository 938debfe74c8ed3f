#include "lint/config/ignore_comments.hpp"

#include "catch.hpp"
#include "text/location.hpp"
#include "text/read.hpp"

namespace ignore_comments_test {

using namespace bayplan;

namespace {

struct Read {
  std::unique_ptr<const text::Document> document;
  lint::IgnoreComments comments;
};

Read read(const std::string& text, const std::string& file = "a.yaml") {
  Read result;
  result.document =
      text::read_document(text, {.format = text::format_of_name(file), .comments_allowed = file.ends_with(".jsonc")});
  result.comments = lint::read_ignore_comments(*result.document, file);
  return result;
}

/// "4-6" of the lines that comment number `i` covers.
std::string lines(const Read& read, std::size_t i = 0) {
  REQUIRE(i < read.comments.ignores.size());
  const text::LineIndex index(read.document->source());
  const Span covers = read.comments.ignores[i].covers;
  if (covers.end > read.document->source().size()) return "all";
  if (covers.length() == 0) return "none";
  return std::to_string(index.location(covers.begin).line) + "-" + std::to_string(index.location(covers.end - 1).line);
}

std::string rules(const Read& read, std::size_t i = 0) {
  std::string text;
  for (const auto& rule : read.comments.ignores.at(i).ignore.rules) {
    text += (text.empty() ? "" : ",") + rule.selector + "@" + std::to_string(rule.place.column);
  }
  return text;
}

/// "line:column message (help)"
std::vector<std::string> faults(const Read& read) {
  std::vector<std::string> texts;
  for (const auto& one : read.comments.faults) {
    texts.push_back(std::to_string(one.line) + ":" + std::to_string(one.column) + " " + one.message + " (" + one.help +
                    ")");
  }
  return texts;
}

using Texts = std::vector<std::string>;

const std::string kYaml = R"(family: web
containerDefinitions:
  - name: app
    memory: 5
    environment:
      - name: A
        value: "1"
  - name: log
    memory: 6
cpu: "256"
)";

/// kYaml with `comment` at the end of line `line`, or on a line of its own before it.
std::string with(const std::string& comment, int line, bool alone = false) {
  std::string text;
  int number = 0;
  for (std::size_t begin = 0; begin < kYaml.size();) {
    const std::size_t end = kYaml.find('\n', begin);
    const std::string own = kYaml.substr(begin, end - begin);
    const bool is_it = ++number == line;
    if (is_it && alone) text += comment + "\n";
    text += own + (is_it && !alone ? "  " + comment : "") + "\n";
    begin = end + 1;
  }
  return text;
}

const std::string kIgnore = "# bayplan: ignore=BAY208 why not";

}  // namespace

TEST_CASE("ignore comments - at the end of a line they mean what begins there") {
  CHECK(lines(read(with(kIgnore, 1))) == "1-1");
  CHECK(lines(read(with(kIgnore, 2))) == "2-9");
  CHECK(lines(read(with(kIgnore, 3))) == "3-7");
  CHECK(lines(read(with(kIgnore, 4))) == "4-4");
  CHECK(lines(read(with(kIgnore, 5))) == "5-7");
  CHECK(lines(read(with(kIgnore, 10))) == "10-10");
}

TEST_CASE("ignore comments - alone on a line they mean what begins on the next") {
  CHECK(lines(read(with(kIgnore, 2, true))) == "3-10");
  CHECK(lines(read(with(kIgnore, 3, true))) == "4-8");
  CHECK(lines(read(with(kIgnore + "\n\n  # words", 4, true))) == "7-7");
  CHECK(lines(read(with(kIgnore + "\n# bayplan: ignore=BAY113", 4, true)), 0) == "6-6");
  CHECK(lines(read(with(kIgnore + "\n# bayplan: ignore=BAY113", 4, true)), 1) == "6-6");
  CHECK(lines(read(kYaml + kIgnore)) == "none");
}

TEST_CASE("ignore comments - before everything else they mean the whole file") {
  CHECK(lines(read(with(kIgnore, 1, true))) == "all");
  CHECK(lines(read("# License\n---\n" + with(kIgnore, 1, true))) == "all");
  CHECK(lines(read("// bayplan: ignore=BAY1\n{\"family\": \"web\"}", "a.jsonc")) == "all");
  CHECK(lines(read("{ // bayplan: ignore=BAY1\n\"family\": \"web\"}", "a.jsonc")) == "1-2");
}

TEST_CASE("ignore comments - a mark inside a text begins none") {
  CHECK(read("command: \"echo # bayplan: ignore=BAY1\"\n").comments.ignores.empty());
  CHECK(read("command: 'echo # bayplan: ignore=BAY1'\n").comments.ignores.empty());
  CHECK(read("command: echo#bayplan: ignore=BAY1\n").comments.ignores.empty());
  CHECK(read("command: |\n  echo\n  # bayplan: ignore=BAY1\n").comments.ignores.empty());
  CHECK(read("\"# bayplan: ignore=BAY1\": 1\n").comments.ignores.empty());
  CHECK(read("{\"image\": \"// bayplan: ignore=BAY1\"}", "a.jsonc").comments.ignores.empty());
  CHECK(lines(read("command: |  # bayplan: ignore=BAY1\n  echo\n  done\ncpu: 1\n")) == "1-3");
}

TEST_CASE("ignore comments - JSON has them where the name of the file says so") {
  const std::string text = "{\n\"family\": \"web\", // bayplan: ignore=BAY1\n\"cpu\": \"1\" /* bayplan: ignore=cpu */}";
  CHECK(read(text, "a.json").comments.ignores.empty());
  const auto found = read(text, "a.jsonc");
  CHECK(lines(found, 0) == "2-2");
  CHECK(lines(found, 1) == "3-3");
  CHECK(rules(found, 1) == "cpu@31");
  CHECK(found.comments.ignores[1].ignore.reason.empty());
  CHECK(lines(read("{\n/* bayplan: ignore=BAY1 */ \"family\": \"web\",\n\"cpu\": \"1\"}", "a.json5")) == "2-2");
}

TEST_CASE("ignore comments - rules, reason and day") {
  const auto found = read("cpu: 1  # bayplan: ignore=BAY113, security until=2027-01-31 -- the vendor's image\n");
  CHECK(rules(found) == "BAY113@27,security@35");
  const auto& ignore = found.comments.ignores[0].ignore;
  CHECK(ignore.reason == "the vendor's image");
  REQUIRE(ignore.until);
  CHECK(ignore.until->text == "2027-01-31");
  CHECK_FALSE(ignore.has_ended(ignore.until->end - 1));
  CHECK(ignore.has_ended(ignore.until->end));
  CHECK(ignore.until->end == 1801440000);  // 2027-02-01T00:00:00Z
  CHECK(rules(read("cpu: 1  # words # bayplan:ignore=BAY1,BAY2\n")) == "BAY1@34,BAY2@39");
}

TEST_CASE("ignore comments - what cannot be understood is told, and silences nothing") {
  CHECK(faults(read("cpu: 1 # bayplan: ignore BAY1\n")) ==
        Texts{"1:19 ignore without a rule (use # bayplan: ignore=BAY113 and the reason)"});
  CHECK(faults(read("cpu: 1 # bayplan: ignore=\n")).size() == 1);
  CHECK(faults(read("{\"cpu\": 1} // bayplan: ignore= x", "a.jsonc")).size() == 0);
  CHECK(faults(read("cpu: 1 # bayplan: ingore=BAY1\n")) ==
        Texts{"1:19 unknown directive 'ingore' (use # bayplan: ignore=BAY113 and the reason)"});
  for (const std::string word : {"disable-line", "disable-next-line", "enable", "noqa"})
    CHECK(faults(read("cpu: 1 # bayplan: " + word + "=BAY1\n")) ==
          Texts{"1:19 unknown directive '" + word + "' (use # bayplan: ignore=BAY113 and the reason)"});
  const auto day = read("cpu: 1 # bayplan: ignore=BAY1 until=tomorrow\n");
  CHECK(faults(day) == Texts{"1:31 'tomorrow' is not a date (use until=2027-01-31)"});
  CHECK(day.comments.ignores.empty());
  CHECK(faults(read("cpu: 1 # bayplan: ignored by nobody\n")).empty());
  CHECK(faults(read("cpu: 1 # bayplan: checked in CI\n")).empty());
}

TEST_CASE("ignore comments - many of them take no time") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "# bayplan: ignore=BAY1\n";
  text += "[";
  for (int i = 0; i < 20'000; ++i) text += "1,";
  text += "1]\n";
  const auto found = read("a: 1\n" + text);
  CHECK(found.comments.ignores.size() == 20'000);
}

}  // namespace ignore_comments_test
