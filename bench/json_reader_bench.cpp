// How fast read_json builds a Document: generated task definitions, best of five. Usage: json_reader_bench [MB] [seed]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>

#include "text/json_reader.hpp"

using namespace bayplan;

namespace {

/// Realistic definitions in one list, indented by two.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::string run(std::size_t bytes) {
    text_ = "[\n";
    for (int i = 0; text_.size() < bytes; ++i) {
      if (i > 0) text_ += ",\n";
      definition(i);
    }
    return std::move(text_) + "\n]\n";
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  void line(int depth, const std::string& content) {
    (text_.append(static_cast<std::size_t>(depth) * 2, ' ') += content) += '\n';
  }

  void definition(int number) {
    line(1, "{");
    line(2, "\"family\": \"service-" + std::to_string(number) + "\",");
    line(2, "\"networkMode\": \"awsvpc\",");
    line(2, "\"cpu\": \"" + std::to_string(256u << below(5)) + "\",");
    line(2, "\"containerDefinitions\": [");
    const auto containers = 1 + below(3);
    for (std::uint64_t i = 0; i < containers; ++i) container(i, i + 1 == containers);
    line(2, "]");
    text_ += "  }";
  }

  void container(std::uint64_t number, bool is_last) {
    line(3, "{");
    line(4, "\"name\": \"container-" + std::to_string(number) + "\",");
    line(4, "\"image\": \"111122223333.dkr.ecr.eu-west-1.amazonaws.com/team/app:" + std::to_string(below(1'000'000)) +
                "\",");
    line(4, "\"memory\": " + std::to_string(128 + below(16'000)) + ",");
    line(4, "\"essential\": " + std::string(below(2) == 0 ? "true" : "false") + ",");
    line(4, "\"environment\": [");
    const auto variables = 3 + below(12);
    for (std::uint64_t i = 0; i < variables; ++i) variable(i, i + 1 == variables);
    line(4, "],");
    line(4, "\"command\": [\"sh\", \"-c\", \"echo \\\"h\xC3\xA9llo\\\"\\n\"]");
    line(3, is_last ? "}" : "},");
  }

  void variable(std::uint64_t number, bool is_last) {
    line(5, "{");
    line(6, "\"name\": \"VARIABLE_" + std::to_string(number) + "\",");
    line(6, "\"value\": \"value of it " + std::to_string(below(1u << 30)) + "\"");
    line(5, is_last ? "}" : "},");
  }

  std::mt19937_64 random_;
  std::string text_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::size_t megabytes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 50;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::string json = Generator(seed).run(megabytes * 1'000'000);
  double best = 0;
  std::size_t nodes = 0;
  for (int i = 0; i < 5; ++i) {
    text::Builder builder(json, text::Format::kJson);
    const std::clock_t start = std::clock();  // processor time: other programs do not count
    if (const auto fault = text::read_json(builder.source(), {}, builder)) {
      std::fprintf(stderr, "not read: %s\n", fault->message.c_str());
      return 1;
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::max(best, static_cast<double>(json.size()) / 1e6 / seconds);
    nodes = builder.node_count();
  }
  std::printf("read_json: %.1f MB, %zu values, %.0f MB/s\n", static_cast<double>(json.size()) / 1e6, nodes, best);
}
