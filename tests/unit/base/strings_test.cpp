#include "base/strings.hpp"

#include <algorithm>
#include <random>

#include "base/edit_distance.hpp"
#include "base/pattern.hpp"
#include "base/utf8.hpp"
#include "catch.hpp"

using namespace bayplan;

TEST_CASE("edit distance counts swaps once") {
  CHECK(edit_distance("memory", "memroy") == 1);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("cpu", "cpus") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("kitten", "sitting", 2) == 3);
}

namespace {

/// By the book: every cell of the table.
std::size_t plain_edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& least = cost[i][j];
      least = i + j;
      if (i > 0) least = std::min(least, cost[i - 1][j] + 1);
      if (j > 0) least = std::min(least, cost[i][j - 1] + 1);
      if (i > 0 && j > 0) least = std::min(least, cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1));
      const bool are_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (are_swapped) least = std::min(least, cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

TEST_CASE("edit distance is that of the whole table, up to the limit") {
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    const auto word = [&] {
      std::string text(random() % (round % 50 == 0 ? 45 : 9), ' ');
      for (char& c : text) c = static_cast<char>('a' + random() % 3);
      return text;
    };
    const std::string a = word(), b = word();
    const std::size_t limit = random() % 6;
    CAPTURE(a, b, limit);
    REQUIRE(edit_distance(a, b, limit) == std::min(plain_edit_distance(a, b), limit + 1));
  }
}

TEST_CASE("of words that are equally near the first is the nearest, and a nearer one behind it wins") {
  CHECK(nearest("memory", {"memorx", "memery"}) == "memorx");
  CHECK(nearest("memory", {"memoxx", "memorx", "memery"}) == "memorx");
  CHECK(nearest("memory", {"memorx", "MEMORY", "memory"}) == "MEMORY");
}

TEST_CASE("nearest word ignores case and refuses far words") {
  CHECK(nearest("Familly", {"family", "volumes"}) == "family");
  CHECK_FALSE(nearest("zzz", {"family", "volumes"}).has_value());
  CHECK_FALSE(nearest("cat", {"cpu"}).has_value());
}

TEST_CASE("a word of four letters or more is looked for in longer ones") {
  CHECK(containing("warn", {"error", "warning"}) == "warning");
  CHECK(containing("--constraint", {"--cluster", "--placement-constraints"}) == "--placement-constraints");
  CHECK_FALSE(containing("war", {"warning"}).has_value());
  CHECK_FALSE(containing("--con", {"--continue-from"}).has_value());
  CHECK_FALSE(containing("-----", {"--all"}).has_value());
  CHECK(nearest_or_containing("eror", {"error", "terrors"}) == "error");
}

TEST_CASE("natural order puts 2xlarge before 12xlarge") {
  CHECK(natural_less("g4dn.2xlarge", "g4dn.12xlarge"));
  CHECK_FALSE(natural_less("g4dn.12xlarge", "g4dn.2xlarge"));
  CHECK(natural_less("g4dn.12xlarge", "g4dn.xlarge"));
  CHECK_FALSE(natural_less("a", "a"));
}

TEST_CASE("globs") {
  CHECK(glob_matches("p3.*", "p3.2xlarge"));
  CHECK_FALSE(glob_matches("p3.*", "p3dn.24xlarge"));
  CHECK(glob_matches("g[45]*.xlarge", "g4dn.xlarge"));
  CHECK(glob_matches("*", ""));
  CHECK(glob_matches("a*b*c", "aXbYbZc"));
  CHECK_FALSE(glob_matches("a?c", "ac"));
  CHECK(glob_matches("[!a]x", "bx"));
  CHECK(glob_matches("[", "["));
}

TEST_CASE("java patterns that RE2 reads otherwise are refused") {
  for (const char* expression : {"[a-z&&[^b]]", "[a[bc]]", "(?P<n>x)", "(?<n>x)", "[[:alpha:]]", "\\C", "\\h", "a++",
                                 "\\p{Alpha}", "(?=x)", "(a)\\1"}) {
    INFO(expression);
    CHECK_FALSE(Pattern::compile(expression, Pattern::Dialect::kJava).ok());
  }
  const auto pattern = Pattern::compile("g2.*", Pattern::Dialect::kJava);
  REQUIRE(pattern.ok());
  CHECK(pattern->matches_whole("g2.xlarge"));
  CHECK_FALSE(pattern->matches_whole("xg2.xlarge"));
  CHECK(Pattern::compile("[]a]", Pattern::Dialect::kJava).ok());
}

TEST_CASE("utf8 validity and width") {
  CHECK_FALSE(first_invalid_utf8("a\xC3\xA9\xF0\x9F\x98\x80").has_value());
  CHECK(first_invalid_utf8("a\xC0\xAF") == 1);
  CHECK(first_invalid_utf8("\xED\xA0\x80") == 0);
  CHECK(first_invalid_utf8("ab\xF5") == 2);
  CHECK(code_points("a\xC3\xA9") == 2);
  CHECK(display_width("\xE6\xBC\xA2") == 2);
  CHECK(display_width("e\xCC\x81") == 1);
  CHECK(printable("a\x1b[31mb\xE2\x80\xAE") == "a\xEF\xBF\xBD[31mb\xEF\xBF\xBD");
}
