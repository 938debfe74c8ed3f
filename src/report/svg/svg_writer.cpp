#include "report/svg/svg_writer.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/escape.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {
namespace {

std::string shown(std::string_view text) {
  return xml(printable(text));
}

}  // namespace

std::string from_tenths(std::int64_t tenths) {
  return tenths % 10 == 0 ? fmt::format("{}", tenths / 10) : fmt::format("{}.{}", tenths / 10, tenths % 10);
}

std::vector<std::string> lines_of(std::string_view text, std::size_t columns, std::size_t most) {
  std::vector<std::string> lines(1);
  for (std::string_view word : split(text, ' ')) {
    while (true) {
      auto& line = lines.back();
      const std::size_t used = line.empty() ? 0 : display_width(line) + 1;
      if (used + display_width(word) <= columns) {
        if (!line.empty()) line += ' ';
        line += word;
        break;
      }
      if (lines.size() == most) {
        if (!line.empty()) line += ' ';
        line = cut(line.append(word.substr(0, beginning_within(word, columns))).append(Glyphs{}.ellipsis), columns,
                   Glyphs{});
        return lines;
      }
      if (line.empty()) {  // longer than a line
        const auto bytes = beginning_within(word, columns);
        line = word.substr(0, bytes);
        word.remove_prefix(bytes);
      }
      lines.emplace_back();
    }
  }
  return lines;
}

void SvgWriter::element(std::string_view name, std::string_view style) {
  fmt::format_to(std::back_inserter(elements_), "<{}", name);
  if (!style.empty()) fmt::format_to(std::back_inserter(elements_), " class=\"{}\"", style);
}

void SvgWriter::text(std::string_view style, std::int64_t x, std::int64_t y, std::string_view text) {
  element("text", style);
  fmt::format_to(std::back_inserter(elements_), " x=\"{}\" y=\"{}\">{}</text>\n", x, y, shown(text));
}

void SvgWriter::text_to(std::string_view style, std::int64_t x, std::int64_t y, std::string_view text) {
  element("text", style);
  fmt::format_to(std::back_inserter(elements_), " x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", x, y,
                 shown(text));
}

void SvgWriter::letters(std::string_view style, const std::vector<std::int64_t>& xs, std::int64_t y,
                        std::string_view letters) {
  element("text", style);
  fmt::format_to(std::back_inserter(elements_), " text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>\n",
                 fmt::join(xs, " "), y, shown(letters));
}

void SvgWriter::box(std::string_view style, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height,
                    std::int64_t radius) {
  element("rect", style);
  fmt::format_to(std::back_inserter(elements_), " x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", x, y, width, height);
  if (radius > 0) fmt::format_to(std::back_inserter(elements_), " rx=\"{}\"", radius);
  elements_ += "/>\n";
}

void SvgWriter::bar(std::string_view style, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height) {
  element("rect", style);
  fmt::format_to(std::back_inserter(elements_), " x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", from_tenths(x), y,
                 from_tenths(width), height);
}

void SvgWriter::path(std::string_view style, std::string_view data) {
  element("path", style);
  fmt::format_to(std::back_inserter(elements_), " d=\"{}\"/>\n", data);
}

void SvgWriter::open_group(std::int64_t x, std::int64_t y, std::string_view title) {
  fmt::format_to(std::back_inserter(elements_), "<g role=\"img\" transform=\"translate({},{})\"><title>{}</title>\n", x,
                 y, shown(title));
}

void SvgWriter::close_group() {
  elements_ += "</g>\n";
}

}  // namespace bayplan::report
