#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::rules {

/// What a sentence tells about a failure: why something failed, what failed because of it, or nothing of a failure.
enum class SentenceRole : std::uint8_t { kCause, kSymptom, kRoutine };

std::string_view name_of(SentenceRole role);  ///< "cause", "symptom", "routine".

/// What a sentence of ECS, of a client or of a driver means. Views the `Sentences` that gave it, which must outlive it,
/// but for the texts, which hold the sentence's own names and numbers.
struct Answer {
  std::string_view id;
  std::string said;  ///< The part of the text that was recognized, blanks folded.
  std::vector<std::string_view> rules;
  std::string cause;
  std::string fix;
  std::string_view source;
  std::map<std::string, std::string> values;  ///< What the sentence names: "container" -> "web".
  SentenceRole role = SentenceRole::kCause;
  std::uint32_t line = 1;   ///< Line of the text where the sentence begins for the first time, from 1.
  std::uint32_t count = 1;  ///< The text says it this often.
  std::vector<std::string_view>
      members;  ///< Members of a task definition that decide it: "containerDefinitions/image".
};

/// The nearest sentence to a text that holds none.
struct NearSentence {
  std::string_view id;
  std::string_view example;
};

/// data/sentences.json, read and compiled when it is asked first.
class Sentences {
 public:
  static Sentences load();
  Sentences(Sentences&&) noexcept;
  ~Sentences();

  /// Every sentence in a paste of any length: causes first, then symptoms, then what is routine, each in the order of
  /// the text. Prefixes of clients, line breaks, quotes, escapes and case do not matter. Said twice alike is answered
  /// once. A key or an enum value alone is answered from the schemas.
  std::vector<Answer> answers_to(std::string_view text) const;

  /// Finds the nearest sentence by shared words; nothing when too few are shared.
  std::optional<NearSentence> nearest_to(std::string_view text) const;

  struct Row {
    std::string_view id;
    std::string_view example;
    std::vector<std::string_view> rules;
    std::string_view source;
  };
  /// Returns the rows in the order of the data; if two fit the same words, the first counts.
  std::vector<Row> rows() const;

 private:
  std::vector<Answer> answers_in(const std::string& text, std::size_t width) const;

  struct State;
  explicit Sentences(std::unique_ptr<State> state);
  std::unique_ptr<const State> state_;
};

}  // namespace bayplan::rules
