#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/document.hpp"

namespace bayplan::text {

/// Mistakes that are all over a text if they are in it at all: one fault for all of a sort.
enum class CommonMistake : std::uint8_t {
  kCurlyQuotes,
  kSingleQuotes,
  kUnquotedKey,
  kForeignWord,  ///< True, None, undefined.
  kOmission,     ///< `...`
  kControlCharacter,
  kOddBlank,
};
constexpr std::size_t kCommonMistakes = 7;

/// What a repair found and does: faults for the reader, edits for the text.
class RepairNotes {
 public:
  /// Changes the text without a word.
  void edit(Span span, std::string text) { edits_.push_back({span, std::move(text)}); }

  /// A fault without a repair: what is there is left out.
  void fault(FaultKind kind, Span span, std::string message, std::string help, std::vector<Related> related = {});
  /// The last fault was mended, yet part of the text is left out.
  void leaves_out() { faults_.back().left_out = true; }
  /// A fault that `change` repairs.
  void mend(FaultKind kind, Span span, std::string message, std::string help, Edit change, bool is_safe);
  /// Several edits of one fault.
  void mend(FaultKind kind, Span span, std::string message, std::string help, std::vector<Edit> changes, bool is_safe,
            std::vector<Related> related = {});

  void common(CommonMistake mistake, Span span, std::string message, std::string help, std::vector<Edit> changes);

  /// A value that represents one not known yet; the text gets null there.
  void placeholder(Span span) {
    placeholders_.push_back(span);
    edit(span, "null");
  }

  std::size_t fault_count() const { return faults_.size(); }
  std::vector<Edit> take_edits() { return std::move(edits_); }
  std::vector<Span> take_placeholders();
  std::vector<Fault> take_faults();

 private:
  struct Common {
    std::size_t count = 0;
    Fault fault;
  };

  std::vector<Edit> edits_;
  std::vector<Fault> faults_;
  std::vector<Span> placeholders_;
  std::array<Common, kCommonMistakes> common_;
};

}  // namespace bayplan::text
