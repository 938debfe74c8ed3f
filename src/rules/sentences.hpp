#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/message/paste.hpp"

namespace bayplan::rules {

/// What a sentence says about a failure: why something failed, what failed because of it, or nothing of a failure.
enum class SentenceRole : std::uint8_t { kCause, kSymptom, kRoutine };

std::string_view name_of(SentenceRole role);  ///< "cause", "symptom", "routine".

/// How sure an answer is: the message itself or its code is known; the parts of the message make it likely; nothing is
/// known of it.
enum class Certainty : std::uint8_t { kKnown, kLikely, kUnknown };

std::string_view name_of(Certainty certainty);  ///< "known", "likely", "unknown".

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
  Certainty certainty = Certainty::kKnown;
  bool is_general = false;  ///< It says only what failed: words after it say why.
};

/// The nearest sentence to a text that holds none.
struct NearSentence {
  std::string_view id;
  std::string_view example;
};

/// What a text means that is a key or an enum value of ECS alone, or a key that people take for such: hostPort,
/// "gpuCount":
std::optional<Answer> answer_to_key(std::string_view text);

/// data/sentences.json, read and compiled when it is asked first.
class Sentences {
 public:
  static Sentences load();
  Sentences(Sentences&&) noexcept;
  ~Sentences();

  /// Every sentence of the table in a paste of any length: causes first, then symptoms, then what is routine, each in
  /// the order of the text. Prefixes of clients, line breaks, quotes, escapes and case do not matter. Said twice alike
  /// is answered once. A key or an enum value alone is answered from the schemas.
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

  /// Those of one reading of a paste, without keys.
  std::vector<Answer> answers_in(const Paste& paste) const;

 private:
  struct State;
  explicit Sentences(std::unique_ptr<State> state);
  std::unique_ptr<const State> state_;
};

}  // namespace bayplan::rules
