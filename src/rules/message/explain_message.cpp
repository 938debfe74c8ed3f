#include "rules/message/explain_message.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/excerpt.hpp"
#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "catalog/catalog.hpp"
#include "rules/message/message.hpp"
#include "rules/message/unexpected_key.hpp"
#include "shape/named_keys.hpp"

namespace bayplan::rules {
namespace {

constexpr std::size_t kLongestReason = 300;

/// Where a reason of a list is found first, by the order of the list.
struct FoundReason {
  const Reason* reason = nullptr;
  PatternMatch match;
};

/// `skips_general`: for a cause, which those that only say what failed are not.
std::optional<FoundReason> find_reason(const std::vector<Reason>& reasons, std::string_view text,
                                       bool skips_general = false) {
  for (const auto& reason : reasons) {
    if (skips_general && reason.is_general) continue;
    for (const auto& pattern : reason.patterns)
      if (auto match = pattern.find(text)) return FoundReason{&reason, std::move(*match)};
  }
  return std::nullopt;
}

/// What a message says happened, and the advice that it gives itself: "... Remove the value and try again."
struct OwnWords {
  std::string_view what;
  std::string_view advice;
};

OwnWords own_words(std::string_view reason) {
  static const auto imperative = own_pattern(
      R"((?i)[.!] (?P<advice>(?:(?:please|then) \w+|add|call|change|check|choose|create|delete|enable|give|)"
      R"(increase|make sure|opt|provide|recreate|reduce|register|remove|rename|run|select|set|specify|switch|update|upgrade|use|verify)\b.{4,}))");
  if (const auto match = imperative.find(reason)) {
    return {reason.substr(0, match->begin), trim(reason.substr(match->begin + 2))};
  }
  return {reason, {}};
}

std::string as_sentence(std::string_view words) {
  std::string sentence(words);
  if (!sentence.ends_with('.')) sentence += '.';
  return sentence;
}

/// Whether the program says that it does without: a notice on the way, not what ended it.
bool goes_on(std::string_view text) {
  static const auto pattern = own_pattern(
      R"((?i)\b(?:skip(?:ping|ped)? (?:it|this)|ignoring|falling back|will (?:re)?try|retrying|retry the request|try to run anyway)\b)");
  return pattern.matches_part(text);
}

/// The answer of a reason that was found in `text`, a part of the message, with what its sentence names in its slots.
Answer answer_from(const FoundReason& found, std::string_view text, std::string_view said, const Message& message,
                   const MessageParts& parts) {
  auto slots = find_subject(message, parts, text, found.match.begin);
  for (const auto& [name, value] : found.match.groups) slots[name] = std::string(trim(value));
  Answer answer{.id = found.reason->id,
                .said = std::string(said),
                .rules = {},
                .cause = fill_slots(found.reason->cause, slots),
                .fix = fill_slots(found.reason->fix, slots),
                .source = found.reason->source,
                .values = slots};
  answer.certainty = Certainty::kLikely;
  if (goes_on(text)) answer.cause += " The program goes on after it, so it may be harmless.";
  return answer;
}

/// The exception and the words after it, with the parenthesis that the AWS CLI writes before it.
std::string_view said_with_exception(const Message& message, std::string_view exception) {
  auto begin = message.text.rfind(exception);
  const auto reason = static_cast<std::size_t>(message.reason.data() - message.text.data());
  if (begin == std::string_view::npos || begin > reason) return message.reason;
  if (begin > 0 && message.text[begin - 1] == '(') --begin;
  return message.text.substr(begin, reason + message.reason.size() - begin);
}

/// What the API model or the documentation says of an exception. A generic one only introduces the reason after it.
Answer answer_from_exception(const Exception& exception, const Message& message) {
  constexpr std::size_t kLongestReasonSaid = 240;
  constexpr std::size_t kShortestReason = 12;
  Answer answer{
      .id = "exception", .said = std::string(said_with_exception(message, exception.name)), .rules = {}, .values = {}};
  answer.cause = exception.cause;
  answer.fix = exception.fix;
  answer.source = message.service == nullptr
                      ? "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/CommonErrors.html"
                      : message.service->source;
  answer.values["exception"] = exception.name;
  if (!message.operation.empty()) answer.values["operation"] = message.operation;
  if (const auto advice = own_words(message.reason).advice; !exception.is_generic && !advice.empty())
    answer.fix = as_sentence(shortened_to(advice, kLongestReasonSaid)) + " " + answer.fix;
  // "MalformedPolicyDocument: Policy statement must contain resources": the name does not say what is wrong with it.
  const bool names_no_fault = exception.name.starts_with("Invalid") || exception.name.starts_with("Malformed");
  if (!exception.is_generic && names_no_fault) {
    const auto what = own_words(message.reason).what;
    const bool is_new = what.size() >= kShortestReason && what.find(' ') != std::string_view::npos &&
                        what.find(exception.name) == std::string_view::npos && !what.starts_with("when calling the ");
    if (is_new) answer.cause += " It says: " + as_sentence(shortened_to(what, kLongestReasonSaid));
  }
  if (exception.is_generic) {
    answer.certainty = Certainty::kLikely;
    if (!message.operation.empty())
      answer.cause = fmt::format("{} of {} was rejected. {}", message.operation, exception.service, exception.cause);
    // What the service says after it is all that is known: said first, with its own advice.
    auto reason = message.reason;
    // What the agent could not do is no answer to a request.
    const bool is_of_agent = exception.name.starts_with("Cannot");
    if (const auto at = reason.rfind(exception.name); at != std::string_view::npos && !is_of_agent) {
      const auto behind = reason.substr(at + exception.name.size());
      if (behind.starts_with(": ")) reason = behind.substr(2);
    }
    const auto [what, advice] = own_words(reason);
    const bool has_reason = what.size() >= kShortestReason && !what.starts_with("when calling the ") &&
                            what.find(' ') != std::string_view::npos &&
                            what.find(exception.name) == std::string_view::npos;
    if (has_reason) {
      answer.cause = fmt::format("{} rejected {}: {}", exception.service,
                                 message.operation.empty() ? "the request" : message.operation,
                                 as_sentence(shortened_to(what, kLongestReasonSaid)));
    }
    if (has_reason && !advice.empty()) answer.fix = as_sentence(shortened_to(advice, kLongestReasonSaid));
  }
  return answer;
}

/// The code of an AWS answer as its clients write it, where the models that we read do not list it.
std::string_view find_unlisted_code(std::string_view text) {
  static const auto code = own_pattern(
      R"((?:[Aa]n error occurred \(|api error |[Ee]rror ?[Cc]ode"?: ?"?|__type"?: ?"(?:[\w.]+#)?|\bmodel\.)(?P<code>[A-Z][A-Za-z.]{6,})\b)"
      R"(|\b(?P<agent>Cannot[A-Z][A-Za-z]+Error)\b)"
      R"(|\b(?P<fault>[A-Z][A-Za-z]{4,}(?:Exception|Fault)): [^\n]{0,300}?(?:status code: \d+, request id|\(Service: |arn:aws))");
  const auto match = code.find(text);
  if (!match) return {};
  const auto& name = match->groups.begin()->second;
  return text.substr(text.find(name, match->begin), name.size());
}

/// An error code without a client in front of it, "RouteAlreadyExists: The route ...", recognized by its naming
/// pattern.
std::string_view find_bare_code(std::string_view text) {
  static const auto code = own_pattern(
      R"((?:^|[\s(,|'"])(?P<code>(?:Delete|Duplicate|Incompatible|Incorrect|Insufficient|Invalid|Malformed|Missing|Operation|Pending|TooMany|Unsupported)[A-Z][a-z]\w+(?:\.[A-Z]\w+)?|)"
      R"([A-Z][a-z]\w+?\.?(?:AlreadyAssociated|AlreadyAttached|AlreadyExists?|Conflict|Duplicate|Exceeded|InProgress|InUse|Malformed|NotAllowed|NotAttached|NotFound|NotPermitted|NotSupported|Violation)): \S)");
  const auto match = code.find(text);
  if (!match) return {};
  const auto& name = match->groups.at("code");
  const auto found = text.substr(text.find(name, match->begin), name.size());
  // Errors of programs have the same form.
  return found.ends_with("Error") || found.ends_with("Exception") ? std::string_view() : found;
}

/// "OpsItemNotFoundException" -> "ops item not found"
std::string words_of_code(std::string_view code) {
  for (const std::string_view suffix : {"Exception", "Fault", "Error"})
    if (code.ends_with(suffix)) code.remove_suffix(suffix.size());
  std::string words;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const bool begins_word =
        is_upper(code[i]) && (i + 1 == code.size() || is_lower(code[i + 1]) || is_lower(code[i - 1]));
    if (i > 0 && begins_word) words += ' ';
    if (code[i] != '.') words += code[i];
  }
  return lower(words);
}

/// Whether a code names a thing in particular, as ListenerNotFound does, and InvalidRequest and ResourceInUse do not.
bool names_thing(const Slots& groups) {
  return std::any_of(groups.begin(), groups.end(), [](const auto& group) {
    static constexpr std::array<std::string_view, 8> kAnything{"argument",   "configuration", "operation", "parameter",
                                                               "parameters", "request",       "resource",  "service"};
    return !group.second.empty() && !is_among(group.second, kAnything);
  });
}

/// The words of a code with their capitals where they are abbreviations: "vpc" -> "VPC".
Slots with_abbreviations(Slots groups) {
  static constexpr std::array<std::string_view, 8> kAbbreviations{"acl", "ami", "arn", "db",
                                                                  "dns", "iam", "kms", "vpc"};
  std::erase_if(groups, [](const auto& group) { return group.second.empty(); });
  for (auto& [name, value] : groups) {
    std::vector<std::string> words;
    for (const auto word : split(value, ' ')) {
      words.emplace_back(word);
      if (!is_among(word, kAbbreviations)) continue;
      for (char& c : words.back()) c = static_cast<char>(c - 'a' + 'A');
    }
    value = join(words, " ");
  }
  return groups;
}

Answer answer_from_code(std::string_view code, std::string_view cause, std::string_view fix, const Message& message) {
  return answer_from_exception(Exception{.name = code,
                                         .service = message.service == nullptr ? "AWS" : message.service->name,
                                         .operations = {},
                                         .is_generic = true,
                                         .cause = cause,
                                         .fix = fix},
                               message);
}

/// Whether the message is about ECS or what surrounds it, and not any program's log.
bool is_about_containers(const Message& message) {
  constexpr std::size_t kOneMessage = 600;
  constexpr std::size_t kOneSentence = 160;
  static const auto answer = own_pattern(R"((?i)\(service: [\w ]+[;,] status code)");
  if (message.speaker != nullptr || message.exception != nullptr || !message.operation.empty()) return true;
  if (answer.matches_part(message.text)) return true;
  const bool names_own =
      std::any_of(message.resources.begin(), message.resources.end(), [](const auto* one) { return !one->is_common; });
  return !message.resources.empty() && message.text.size() < (names_own ? kOneMessage : kOneSentence);
}

/// An exception that no model lists says by its name what happened, and by its reason to what.
std::optional<Answer> answer_from_unlisted_code(const Message& message, const MessageParts& parts) {
  auto code = find_unlisted_code(message.text);
  if (code.empty()) {
    code = find_bare_code(message.text);
    // What is said of the value is more than that it is not valid.
    const bool says_little = code.starts_with("Invalid") && is_about_containers(message);
    if (says_little && find_reason(parts.grammar, message.reason)) return std::nullopt;
  }
  if (code.empty()) return std::nullopt;
  const auto words = words_of_code(code);
  for (const auto& form : parts.name_forms) {
    const auto match = form.pattern.find(words);
    if (!match) continue;
    const auto groups = with_abbreviations(match->groups);
    const auto cause = fill_slots(form.cause, groups);
    auto answer = answer_from_code(code, cause, fill_slots(form.fix, groups), message);
    // A name that says of what kind of thing it speaks adds to the reason.
    if (names_thing(groups) && answer.cause.find(cause) == std::string::npos)
      answer.cause = fmt::format("{} {}", cause, answer.cause);
    return answer;
  }
  return std::nullopt;
}

/// A message that ends with its own advice: "hasn't any port mappings. Call addPortMappings()."
std::optional<Answer> answer_from_own_advice(const Message& message) {
  const auto [what, advice] = own_words(message.reason);
  if (advice.empty() || what.empty()) return std::nullopt;
  Answer answer{.id = "own-advice",
                .said = std::string(message.reason),
                .rules = {},
                .cause = as_sentence(shortened_to(what, kLongestReason)),
                .fix = as_sentence(shortened_to(advice, kLongestReason)),
                .source = "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/troubleshooting.html",
                .values = {}};
  answer.certainty = Certainty::kLikely;
  return answer;
}

/// How much an answer that is put together says of the text, the most first.
enum class Strength { kMechanism, kException, kStatement, kGeneric };

struct Composed {
  Answer answer;
  Strength strength;
};

/// A mechanism that the words of the message name.
std::optional<Composed> compose_mechanism(const Message& message, const MessageParts& parts, bool skips_general) {
  // The list goes from what is particular to what is general: of the words of the innermost reason and those around it,
  // the more particular ones say what happened.
  const auto inner = find_reason(parts.reasons, message.reason, skips_general);
  const auto around = find_reason(parts.reasons, message.text, skips_general);
  const auto strength = skips_general ? Strength::kMechanism : Strength::kStatement;
  if (inner && (!around || inner->reason <= around->reason))
    return Composed{answer_from(*inner, message.reason, message.reason, message, parts), strength};
  if (!around) return std::nullopt;
  const auto said = message.text.substr(around->match.begin, around->match.end - around->match.begin);
  return Composed{answer_from(*around, message.text, said, message, parts), strength};
}

/// What the message says of a resource or value: by its reason, or by its code where that is more particular, as in
/// "AccessDeniedException: Access to KMS is not allowed".
std::optional<FoundReason> find_statement(const Message& message, const MessageParts& parts) {
  auto found = find_reason(parts.grammar, message.reason);
  if (!found) return std::nullopt;
  const auto code = message.exception == nullptr ? find_unlisted_code(message.text) : message.exception->name;
  const auto by_code = find_reason(parts.grammar, words_of_code(code));
  if (by_code && by_code->reason < found->reason) found->reason = by_code->reason;
  return found;
}

/// The message put together from its parts: a mechanism that its words name, an exception of an API, what is said of a
/// resource, who gave up, and last an exception that says little by itself.
std::optional<Composed> compose(const Message& message, const MessageParts& parts, bool has_sentence) {
  if (auto mechanism = compose_mechanism(message, parts, true)) return mechanism;
  if (message.exception != nullptr && !message.exception->is_generic)
    return Composed{answer_from_exception(*message.exception, message), Strength::kException};
  if (message.exception == nullptr) {
    if (auto answer = answer_from_unlisted_code(message, parts))
      return Composed{std::move(*answer), Strength::kException};
  }
  auto general = compose_mechanism(message, parts, false);
  if (is_about_containers(message)) {
    // The innermost reason says more than what is around it, but a wait that is the whole reason is all there is.
    const bool is_whole_reason = general && find_reason(parts.reasons, message.reason);
    if (const auto found = is_whole_reason ? std::nullopt : find_statement(message, parts)) {
      auto answer = answer_from(*found, message.reason, message.reason, message, parts);
      if (const auto advice = own_words(message.reason).advice; !advice.empty())
        answer.fix = as_sentence(shortened_to(advice, kLongestReason));
      return Composed{std::move(answer), Strength::kStatement};
    }
  }
  if (general) return general;
  if (is_about_containers(message)) {
    if (auto answer = has_sentence ? std::nullopt : answer_from_own_advice(message))
      return Composed{std::move(*answer), Strength::kStatement};
    if (const auto found = find_reason(parts.grammar, message.text)) {
      const auto end = std::min(found->match.end + kLongestReason, message.text.size());
      const auto said = message.text.substr(found->match.begin, end - found->match.begin);
      return Composed{answer_from(*found, message.text, said, message, parts), Strength::kStatement};
    }
  }
  // A known sentence is more specific than a generic exception, or than what could not be done and why in its own
  // words.
  if (has_sentence) return std::nullopt;
  if (message.exception != nullptr)
    return Composed{answer_from_exception(*message.exception, message), Strength::kGeneric};
  if (const auto code = find_unlisted_code(message.text); !code.empty())
    return Composed{answer_from_code(code, fmt::format("AWS rejected the request with {}.", code),
                                     "Read the words after the code, and the API reference of the operation.", message),
                    Strength::kGeneric};
  if (is_about_containers(message)) {
    for (const auto text : {message.reason, message.text}) {
      const auto found = find_reason(parts.fallbacks, text);
      if (!found) continue;
      auto answer = answer_from(*found, text, text, message, parts);
      // Without the part that its words need, such as a process, it has none.
      if (!answer.cause.empty()) return Composed{std::move(answer), Strength::kGeneric};
    }
  }
  return std::nullopt;
}

/// "32000 requested, 31431 available": how much is too much, and which types have it.
void use_numbers(Answer& answer, std::string_view text) {
  static const auto numbers = own_pattern(R"((?i)\(?(?P<asked>\d+) requested, (?P<available>\d+) available)");
  const bool is_memory = answer.id == "resource-memory";
  if (!is_memory && answer.id != "resource-cpu") return;
  const auto match = numbers.find(text);
  if (!match) return;
  const auto asked = to_integer(match->groups.at("asked")).value_or(0);
  const auto available = to_integer(match->groups.at("available")).value_or(0);
  if (asked <= available) return;
  const std::string_view unit = is_memory ? "MiB" : "CPU units";
  const auto catalog = catalog::Catalog::load();
  std::vector<const catalog::InstanceType*> holding;
  for (const auto& type : catalog.types()) {
    const auto has = is_memory ? type.registered_memory - type.memory_error() : type.cpu;
    const bool is_usual = type.generation == catalog::Generation::kCurrent && is_among("x86_64", type.architectures) &&
                          type.accelerator_kind.empty();
    if (has >= asked && is_usual && type.price_in("us-east-1")) holding.push_back(&type);
  }
  std::stable_sort(holding.begin(), holding.end(), [](const auto* a, const auto* b) {
    return a->price_in("us-east-1")->hourly < b->price_in("us-east-1")->hourly;
  });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, holding.size()); ++i) names.push_back(holding[i]->name);
  answer.cause = fmt::format(
      "The task requires {} {} and the best instance has {} free: {} {} too many. ECS counts "
      "reservations, and an instance registers less than EC2 advertises.",
      asked, unit, available, asked - available, unit);
  answer.fix = fmt::format("Request at most {} {}", available, unit);
  answer.fix += names.empty() ? ", or free an instance."
                              : fmt::format(
                                    ", free an instance, or use a type that holds it: {} (cheapest; all: "
                                    "`bayplan fit TASKDEF`).",
                                    join(names, ", "));
  answer.values["requested"] = match->groups.at("asked");
  answer.values["available"] = match->groups.at("available");
}

/// The line to quote from an unknown text: the last one that reports an error, else the first one.
std::string_view line_to_quote(std::string_view pasted) {
  const auto lines = split(pasted, '\n');
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    if (reports_trouble(*line)) return trim(*line);
  for (const auto line : lines)
    if (!trim(line).empty()) return trim(line);
  return {};
}

/// A word that is spelled like a key, or a path of keys, of which some exist.
std::optional<UnknownText> describe_unknown_key(std::string_view text) {
  const auto name = trim(text);
  const bool is_pointer = name.starts_with('/');  // elsewhere a slash is of an image or a folder
  const std::string_view marks = is_pointer ? "._-[]*/" : "._-[]*";
  const auto is_of_path = [&](char c) {
    return is_letter(c) || is_digit(c) || marks.find(c) != std::string_view::npos;
  };
  if (name.empty() || !(is_letter(name.front()) || is_pointer) || !std::all_of(name.begin(), name.end(), is_of_path))
    return {};
  const auto near = shape::find_near_keys(name);
  if (!near) return {};
  constexpr std::size_t kMostMembers = 16;
  UnknownText unknown{.kind = "an unknown key" + (near->place.empty() ? "" : " in " + near->place),
                      .part = {},
                      .look = fmt::format("`bayplan schema {}`", near->schema)};
  if (!near->paths.empty()) {
    unknown.kind += fmt::format("; did you mean {}?", join(near->paths, " or "));
    std::string path;  // shells take brackets for patterns
    for (const auto part : split(near->paths.front(), '[')) path += part.substr(part.starts_with(']') ? 1 : 0);
    unknown.look = fmt::format("`bayplan explain {}`", path);
  } else {
    const auto& all = near->members;
    const auto shown = std::min(all.size(), kMostMembers);
    unknown.kind += ", whose keys are " +
                    join(std::vector<std::string>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown)), ", ");
    if (shown < all.size()) unknown.kind += fmt::format(" and {} more", all.size() - shown);
  }
  return unknown;
}

/// Whether the program itself calls all of it information, and nothing in it says otherwise.
bool is_information(std::string_view text) {
  static const auto level = own_pattern(R"((?i)\[ ?(?:info|debug|trace) ?\]|\blevel"?[=:] ?"?(?:info|debug|trace)\b)");
  return level.matches_part(text) && !reports_trouble(text);
}

UnknownText describe_unknown(std::string_view pasted, const Message& message) {
  constexpr std::size_t kLongestPart = 160;
  const auto printed = static_cast<std::size_t>(std::count_if(
      pasted.begin(), pasted.end(), [](char c) { return static_cast<unsigned char>(c) >= ' ' || is_space(c); }));
  UnknownText unknown;
  unknown.part = shortened_to(line_to_quote(pasted), kLongestPart);
  unknown.look = "aws ecs describe-services (events) and describe-tasks (stoppedReason, reason of each container)";
  if (printed * 10 < pasted.size() * 9 || pasted.find('\0') != std::string_view::npos) {
    unknown.kind = "binary data, not a message";
    unknown.part.clear();
    unknown.look = "the text of the message, as it was printed";
  } else if (is_information(pasted)) {
    unknown.kind = "an informational message, not an error";
    unknown.look = "the messages of level warn and error after it";
  } else if (message.speaker != nullptr) {
    unknown.kind = fmt::format("a text of {} without a known message", message.speaker->name);
    unknown.look = message.speaker->look;
  } else if (std::count(pasted.begin(), pasted.end(), '\n') > 2) {
    unknown.kind = reports_trouble(pasted) ? "a log without a known message of ECS" : "a text without an error";
  } else {
    unknown.kind =
        reports_trouble(pasted) ? "an error that is not one of ECS or its clients" : "a text without an error";
  }
  return unknown;
}

/// Causes that say only what failed give way to one that says why.
bool is_replaced(const Answer& answer) {
  return answer.is_general && answer.role != SentenceRole::kRoutine;
}

}  // namespace

MessageExplanation explain_message(std::string_view pasted, const Sentences& sentences,
                                   const Lazy<MessageParts>& lazy_parts) {
  // The reading with the most known causes is the one that puts cut words together correctly.
  const auto readings = read_paste(pasted);
  MessageExplanation explanation;
  const Paste* paste = &readings.front();
  const auto worth = [](const std::vector<Answer>& found) {
    const auto causes = std::count_if(found.begin(), found.end(), [](const Answer& one) {
      return !one.is_general && one.role == SentenceRole::kCause;
    });
    return std::pair(causes, found.size());
  };
  for (const auto& reading : readings) {
    auto found = sentences.answers_in(reading);
    if (worth(found) <= worth(explanation.answers)) continue;
    explanation.answers = std::move(found);
    paste = &reading;
  }
  auto& answers = explanation.answers;
  for (auto& answer : answers) {
    if (is_about_unexpected_key(answer)) explain_unexpected_key(answer, paste->text);
    use_numbers(answer, paste->text);
  }
  const bool has_cause =
      std::any_of(answers.begin(), answers.end(), [](const Answer& answer) { return !answer.is_general; });
  if (has_cause) {
    // "CannotStartContainerError: ... the specified log group does not exist": the end says why.
    std::set<std::uint32_t> lines_with_cause;
    for (const auto& answer : answers)
      if (!answer.is_general && answer.role == SentenceRole::kCause) lines_with_cause.insert(answer.line);
    std::erase_if(answers,
                  [&](const Answer& answer) { return is_replaced(answer) && lines_with_cause.count(answer.line) > 0; });
    return explanation;
  }

  if (answers.empty()) {
    if (auto key = answer_to_key(paste->text)) return {{std::move(*key)}, std::nullopt};
  }
  // No sentence says why: take the message apart, in the reading that yields the most.
  const auto& parts = lazy_parts.get();
  std::optional<Composed> composed;
  for (auto reading = readings.rbegin(); reading != readings.rend(); ++reading) {
    auto candidate = compose(parse_message(reading->text, parts), parts, !answers.empty());
    if (!candidate || (composed && composed->strength <= candidate->strength)) continue;
    const auto at = reading->text.find(candidate->answer.said);
    candidate->answer.line = reading->line_at(at == std::string::npos ? 0 : at);
    composed = std::move(candidate);
  }
  if (composed) {
    std::erase_if(answers, is_replaced);
    answers.insert(answers.begin(), std::move(composed->answer));
  } else if (answers.empty()) {
    explanation.unknown = describe_unknown_key(paste->text);
    if (!explanation.unknown) explanation.unknown = describe_unknown(pasted, parse_message(paste->text, parts));
  }
  return explanation;
}

}  // namespace bayplan::rules
