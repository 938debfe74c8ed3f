#include "rules/message/message.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/excerpt.hpp"
#include "base/pattern.hpp"
#include "base/strings.hpp"

namespace bayplan::rules {
namespace {

constexpr std::size_t kLongestSentence = 200;
constexpr std::size_t kShortestReason = 12;

/// Words of a text that may be names of exceptions or operations.
std::vector<std::string_view> identifiers(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && (is_letter(text[end]) || (end > i && (is_digit(text[end]) || text[end] == '.')))) ++end;
    auto word = text.substr(i, end - i);
    while (word.ends_with('.')) word.remove_suffix(1);
    if (word.size() > 4) words.push_back(word);
    i = std::max(end, i + 1);
  }
  return words;
}

/// Ordinary words ("unsupported") are not names: those have two capitals, or are long.
bool looks_like_name(std::string_view word) {
  constexpr std::size_t kLongerThanWords = 12;
  return word.size() >= kLongerThanWords || std::count_if(word.begin(), word.end(), is_upper) > 1;
}

/// Finds an exception by its name as clients write it: with its package, without its suffix, or with the one of its
/// shape.
std::multimap<std::string, Exception>::const_iterator find_exception(std::string_view word, const MessageParts& parts) {
  const auto& all = parts.exceptions;
  const auto whole = lower(word);
  // A package before the name, as in com.amazonaws.ClusterNotFoundException; EC2's InvalidSubnet.Conflict has none.
  const auto dot = whole.rfind('.');
  const bool has_package = dot != std::string::npos && (is_lower(word[0]) || whole.ends_with("exception"));
  const auto simple = has_package ? whole.substr(dot + 1) : whole;
  for (const auto& name : {whole, simple}) {
    if (const auto found = all.find(name); found != all.end()) return all.lower_bound(name);
    for (const std::string_view suffix : {"exception", "fault", "error"}) {
      if (!std::string_view(name).ends_with(suffix)) continue;
      const auto bare = name.substr(0, name.size() - suffix.size());
      if (all.count(bare) > 0) return all.lower_bound(bare);
    }
    if (name.size() > 4 && all.count(name + "exception") > 0) return all.lower_bound(name + "exception");
  }
  return all.end();
}

const Service* service_named(std::string_view name, const MessageParts& parts) {
  const auto found = std::find_if(parts.services.begin(), parts.services.end(),
                                  [&](const Service& service) { return service.name == name; });
  return found == parts.services.end() ? nullptr : &*found;
}

/// Names of services as the SDKs write them before a code: `Service: AmazonECS`, `operation error ECS:`.
const Service* find_service(std::string_view text, const MessageParts& parts) {
  static const auto named =
      own_pattern(R"((?i)(?:service: ?|operation error |services\.|awssdk\.services\.)(?P<name>[\w ]{2,30}))");
  const auto match = named.find(text);
  if (!match) return nullptr;
  for (const auto& service : parts.services) {
    if (service.words.matches_part(match->groups.at("name"))) return &service;
  }
  return nullptr;
}

bool has_operation(const Service& service, std::string_view name) {
  return std::any_of(service.operations.begin(), service.operations.end(),
                     [&](std::string_view one) { return equal_ignoring_case(one, name); });
}

/// Whether the text names a service of AWS that none of ours is, or an operation that none of ours has: its codes have
/// other meanings.
bool names_foreign_service(std::string_view text, const MessageParts& parts) {
  static const auto named =
      own_pattern(R"((?i)(?:\(service: ?|operation error )(?P<name>[\w ]{2,30}?)(?:[;,] ?status code|: \w+, ))");
  static const auto called = own_pattern(R"((?i)when calling the (?P<operation>\w+) operation)");
  const auto is_foreign = [&](const std::optional<PatternMatch>& match, const auto& is_of) {
    return match && std::none_of(parts.services.begin(), parts.services.end(), is_of);
  };
  const auto service = named.find(text);
  const auto operation = called.find(text);
  return is_foreign(service, [&](const Service& one) { return one.words.matches_part(service->groups.at("name")); }) ||
         is_foreign(operation,
                    [&](const Service& one) { return has_operation(one, operation->groups.at("operation")); });
}

/// Whether an ARN of the text is one of a service that has its own exceptions of the same names as ours.
bool has_foreign_arn(std::string_view text) {
  static const auto arn = own_pattern(
      R"(arn:aws[\w-]*:(?:acm|batch|cloudformation|ec2|elasticfilesystem|elasticloadbalancing|rds|route53):)");
  return arn.matches_part(text);
}

/// The word that is an operation of a service: of the service that is named, else of the first that has it.
std::pair<std::string_view, const Service*> find_operation(const std::vector<std::string_view>& words,
                                                           const Service* named, const MessageParts& parts) {
  for (const auto word : words) {
    const auto has_it = [&](const Service& service) { return has_operation(service, word); };
    if (named != nullptr && has_it(*named)) return {word, named};
    const auto found = std::find_if(parts.services.begin(), parts.services.end(), has_it);
    if (found != parts.services.end()) return {word, &*found};
  }
  return {{}, named};
}

/// Of exceptions that share a name, the one of the service and operation; of several names, the last that is specific.
/// One of another service than the text names says nothing about it.
const Exception* choose_exception(std::string_view text, const std::vector<std::string_view>& words,
                                  std::string_view operation, const Service* service, const MessageParts& parts) {
  const bool is_foreign = names_foreign_service(text, parts);
  const bool has_other_arn = has_foreign_arn(text);
  const Exception* chosen = nullptr;
  for (const auto word : words) {
    if (!looks_like_name(word)) continue;
    const auto first = find_exception(word, parts);
    if (first == parts.exceptions.end()) continue;
    const Exception* best = nullptr;
    int best_score = is_foreign ? 0 : -1;
    for (auto one = first; one != parts.exceptions.end() && one->first == first->first; ++one) {
      const auto& exception = one->second;
      const auto* own = service_named(exception.service, parts);
      const bool is_of_operation =
          std::any_of(exception.operations.begin(), exception.operations.end(),
                      [&](std::string_view name) { return equal_ignoring_case(name, operation); });
      // Without a service that the client names, one whose words the text has: aws_service_discovery_service.
      const int score = own == nullptr                                             ? 1
                        : is_foreign                                               ? 0
                        : is_of_operation                                          ? 4
                        : service != nullptr && exception.service == service->name ? 3
                        : own->words.matches_part(text)                            ? 2
                        : service != nullptr && !operation.empty()                 ? -1
                        : has_other_arn && !exception.is_generic                   ? -1
                                                                                   : 0;
      // A name that many services have, as LimitExceeded, is of one of them only if the text names that one.
      const bool is_anyones = exception.is_shared && score == 0 && text.size() > word.size() + kShortestReason;
      if (score > best_score && !is_anyones) std::tie(best, best_score) = std::tuple(&exception, score);
    }
    if (best == nullptr) continue;
    if (chosen == nullptr || !best->is_generic) chosen = best;
  }
  return chosen;
}

/// Whether the last character closes what the wrapper opened: a quote or bracket that the reason opens itself is its
/// own, "bind() failed (98: Address already in use)".
bool is_of_wrapper(std::string_view reason) {
  const char last = reason.back();
  const auto count = [&](char c) { return std::count(reason.begin(), reason.end(), c); };
  switch (last) {
    case ',':
    case ';':
    case ' ':
      return true;
    case '"':
    case '\'':
      return count(last) % 2 == 1;
    case ')':
      return count(')') > count('(');
    case ']':
      return count(']') > count('[');
    case '}':
      return count('}') > count('{');
    default:
      return false;
  }
}

/// What clients write around the reason. What is left after the last of them, up to what they write behind it.
std::string_view peel(std::string_view text) {
  static const auto lead = own_pattern(
      R"((?i)(?:when calling the \w+ operation(?: \(reached max retries: \d+\))?: ?|returned message: ?["']?|)"
      R"(invalid request provided: ?|\w+ (?:error|invalid request): |https response error statuscode: \d+, requestid: [\w-]+, (?:api error )?|)"
      R"(\b[\w.]*(?:exception|fault)\b['")\]]*:? ["']?|\b(?:status )?reason["']?: ?["']?|(?:^|[\s|\]])error: |(?-i:\bValidationError: )|caused by: |last error: |error occurred during operation ['"]|)"
      R"(["']?(?:message|msg|detail|statusreason|stoppedreason)["']?: ?["']?|\b(?:msg|error|err|reason)=["']|failed with (?:error|message): |cause(?:d)?: ))");
  static const auto trail = own_pattern(
      R"((?i)(?:\(service: |status code: \d+(?:, request id|\s*$)|["'] \w+=\S|\(requesttoken|"? ?\(request ?id|\bat \w+[./ ][\w./ $]+\(|module=\S+$|\bon \S+\.tf line))");
  std::size_t begin = 0;
  while (const auto match = lead.find(text, begin)) {
    // A wrapper at the very end has the reason before it, and none behind.
    if (text.size() - match->end < 8 || match->end == match->begin) break;
    begin = match->end;
  }
  auto reason = text.substr(begin);
  if (const auto end = trail.find(reason); end && end->begin > 8) reason = reason.substr(0, end->begin);
  reason = trim(reason);
  while (!reason.empty() && is_of_wrapper(reason)) reason.remove_suffix(1);
  return reason;
}

/// The noun of an operation: CreateService -> service.
std::string noun_of(std::string_view operation) {
  std::size_t begin = 1;
  while (begin < operation.size() && !is_upper(operation[begin])) ++begin;
  std::string noun;
  for (const char c : operation.substr(std::min(begin, operation.size()))) {
    if (is_upper(c) && !noun.empty()) noun += ' ';
    noun += is_upper(c) ? static_cast<char>(c + 32) : c;
  }
  return noun;
}

/// What such an operation is named after does not exist before it: it is not what a message about it misses.
bool creates(std::string_view operation) {
  static constexpr std::array<std::string_view, 5> kVerbs{"Create", "Register", "Put", "Run", "Start"};
  return std::any_of(kVerbs.begin(), kVerbs.end(), [&](std::string_view verb) { return operation.starts_with(verb); });
}

std::string_view article(std::string_view noun) {
  return !noun.empty() && std::string_view("AEIOUaeiou").find(noun.front()) != std::string_view::npos ? "An" : "A";
}

/// The name of a resource: an ARN, or a text in quotes or brackets, next to the noun.
std::string find_name(std::string_view reason, std::size_t noun_begin, std::size_t noun_end) {
  static const auto quoted = own_pattern(
      R"(^[\s:]*(?:with (?:name|arn|targetgrouparn)[\s:]*)?(?:['"\[(](?P<name>[^'"\])\s][^'"\])]{1,160})['"\])]|(?P<arn>arn:[\w:/+=,.@-]+)))");
  static const auto before = own_pattern(R"(['"](?P<name>[\w./:@+-]{2,160})['"] $)");
  for (const auto& match : {quoted.find(reason.substr(noun_end)), before.find(reason.substr(0, noun_begin))}) {
    if (!match) continue;
    for (const auto* group : {"name", "arn"})
      if (const auto value = match->groups.find(group); value != match->groups.end()) return value->second;
  }
  return {};
}

/// The first place of a noun as a word of its own, at or after `from`: not the port in "export" or the task in the
/// image "web-task:4", but the cluster in ClusterName.
std::optional<PatternMatch> find_noun(const Resource& resource, std::string_view text, std::size_t from) {
  while (auto match = resource.pattern.find(text, from)) {
    const bool is_option = match->begin > 1 && text[match->begin - 1] == '-' && text[match->begin - 2] == '-';
    const bool is_in_name = match->begin > 1 && (text[match->begin - 1] == '-' || text[match->begin - 1] == '/') &&
                            (is_letter(text[match->begin - 2]) || is_digit(text[match->begin - 2]));
    const bool begins_word = match->begin == 0 || (!is_letter(text[match->begin - 1]) && !is_option && !is_in_name) ||
                             (is_upper(text[match->begin]) && is_lower(text[match->begin - 1]));
    const bool ends_word = match->end >= text.size() || !is_lower(text[match->end]);
    if (begins_word && ends_word) return match;
    from = match->begin + 1;
  }
  return std::nullopt;
}

/// How the words before a noun use it: as what a statement is about, as where or of what something is ("in the
/// revision"), or as none of them: a verb ("tried to tag"), a code that only says that a request is invalid.
enum class NounUse { kSubject, kComplement, kNone };

NounUse use_of_noun(std::string_view before) {
  static const auto none =
      own_pattern(R"((?i)\b(?:(?:able|attempt\w*|fail\w*|need\w*|order|tr(?:ied|ying)|unable) to |invalid)$)");
  static const auto complement = own_pattern(
      R"((?i)\b(?:at|by|for|from|in|inside|of|on|under|via|with|within)(?: (?:an?|any|its|that|the|this|your))?(?: (?:given|same|specified))? ['"]?$)");
  if (none.matches_part(before)) return NounUse::kNone;
  return complement.matches_part(before) ? NounUse::kComplement : NounUse::kSubject;
}

/// Whether the words before a noun say that something is looked for in it: "does not exist in the task definition".
bool is_within(std::string_view before) {
  static const auto within = own_pattern(R"((?i)\b(?:in|inside|within) (?:its|the|this|your) $)");
  return within.matches_part(before);
}

/// Whether a statement is surely about a noun: apart from names, there are at most `most_words` words between them.
bool is_next_to(std::string_view between, std::ptrdiff_t most_words) {
  static const auto named =
      own_pattern(R"('[^']*'|"[^"]*"|\[[^\]]*\]|\([^)]*\)|arn:\S+|\b[\w.:/@+-]*[\d/:_.-][\w.:/@+-]*)");
  std::string words(between);
  while (const auto match = named.find(words)) {
    if (match->end == match->begin) break;
    words.replace(match->begin, match->end - match->begin, "");
  }
  std::ptrdiff_t count = 0;
  for (std::size_t i = 0; i < words.size(); ++i) count += is_letter(words[i]) && (i == 0 || !is_letter(words[i - 1]));
  return count <= most_words;
}

/// Whether a clause ends between a noun and the statement after it: "unable to place a task because ... not found".
bool is_of_other_clause(std::string_view sentence, std::size_t noun_end, std::size_t statement) {
  static const auto boundary = own_pattern(R"((?i)\b(?:although|because|since|so that)\b|error: |; )");
  return noun_end < statement && boundary.matches_part(sentence.substr(noun_end, statement - noun_end));
}

void add_resource(Slots& slots, std::string_view noun, std::string_view name, std::string_view look) {
  slots["resource"] = noun;
  slots["resource_a"] = fmt::format("{} {}", article(noun), noun);
  slots["resource_the"] = fmt::format("The {}", noun);
  if (!name.empty()) slots["name_words"] = fmt::format(" ({})", name);
  if (!look.empty()) slots["look"] = look;
}

/// The last ": " that is not part of a quotation, as in the rule "from port: 80, to port: 80".
std::size_t last_unquoted_colon(std::string_view lead) {
  auto colon = lead.rfind(": ");
  while (colon != std::string_view::npos) {
    const auto before = lead.substr(0, colon);
    if (std::count(before.begin(), before.end(), '"') % 2 == 0) return colon;
    colon = colon == 0 ? std::string_view::npos : lead.rfind(": ", colon - 1);
  }
  return colon;
}

/// Who the other side of a failed connection is: by its host, address or port.
void add_peer(Slots& slots, std::string_view text, const MessageParts& parts) {
  static const auto address = own_pattern(
      R"((?i)(?:dial|connect|lookup|post|get|head|put|to|host=|tcp|endpoint|url)[\s:"'=(]*(?:tcp )?(?:\w+://)?(?P<host>[\w-]+(?:\.[\w-]+)+|localhost|\[[0-9a-f:]+\])(?::(?P<port>\d{2,5}))?)");
  for (const auto& endpoint : parts.endpoints) {
    if (!endpoint.pattern.matches_part(text)) continue;
    slots["peer"] = endpoint.name;
    slots["peerfix"] = endpoint.fix;
    return;
  }
  std::optional<PatternMatch> found;
  std::size_t from = 0;
  while (const auto match = address.find(text, from)) {
    from = match->end;
    if (!found || match->groups.count("port") > 0) found = match;
  }
  if (!found) return;
  const auto& host = found->groups.at("host");
  const auto port = found->groups.find("port");
  slots["host_words"] = fmt::format(" ({})", host);
  if (port == found->groups.end()) {
    slots["peer"] = host;
    return;
  }
  const auto known = parts.ports.find(port->second);
  slots["peer"] = known == parts.ports.end() ? fmt::format("{}:{}", host, port->second)
                                             : fmt::format("{} at {}:{}", known->second, host, port->second);
}

}  // namespace

Message parse_message(std::string_view text, const MessageParts& parts) {
  Message message;
  message.text = text;
  for (const auto& speaker : parts.speakers) {
    if (!speaker.pattern.matches_part(text)) continue;
    message.speaker = &speaker;
    break;
  }
  const auto words = identifiers(text);
  std::tie(message.operation, message.service) = find_operation(words, find_service(text, parts), parts);
  message.exception = choose_exception(text, words, message.operation, message.service, parts);
  if (message.service == nullptr && message.exception != nullptr)
    message.service = service_named(message.exception->service, parts);
  message.reason = peel(text);
  for (const auto& resource : parts.resources) {
    if (find_noun(resource, message.reason, 0)) message.resources.push_back(&resource);
  }
  return message;
}

std::string_view sentence_at(std::string_view text, std::size_t begin) {
  constexpr std::size_t kLongestLead = 120;
  const auto is_end = [&](std::size_t at) {
    return text[at] == '.' && at + 1 < text.size() && text[at + 1] == ' ' && at > 1 && text[at - 2] != '.';
  };
  auto first = begin;
  while (first > 0 && !(text[first - 1] == ' ' && first > 1 && is_end(first - 2))) --first;
  // A long lead is what clients and logs write before the sentence.
  if (begin - first > kLongestLead) {
    const auto colon = last_unquoted_colon(text.substr(first, begin - first));
    first = colon == std::string_view::npos ? begin : first + colon + 2;
  }
  auto end = begin;
  while (end < text.size() && !is_end(end)) ++end;
  auto sentence = trim(text.substr(first, end - first));
  while (sentence.ends_with('.')) sentence.remove_suffix(1);
  return sentence;
}

Slots find_subject(const Message& message, const MessageParts& parts, std::string_view text, std::size_t begin) {
  Slots slots;
  const auto sentence = sentence_at(text, begin);
  begin -= std::min(begin, static_cast<std::size_t>(sentence.data() - text.data()));
  slots["sentence"] = shortened_to(sentence, kLongestSentence);
  const Resource* nearest = nullptr;
  PatternMatch place;
  NounUse use = NounUse::kSubject;
  const auto is_nearer = [&](const PatternMatch& match, NounUse its_use) {
    const bool is_before = match.begin <= begin;
    const bool was_before = place.begin <= begin;
    if (is_before != was_before) return is_before;
    // Of two nouns that overlap, "container instance" and "instance", the longer one is meant.
    if (match.end == place.end) return match.begin < place.begin;
    if (its_use != use) return its_use == NounUse::kSubject;
    return is_before ? match.begin > place.begin : match.begin < place.begin;
  };
  for (const auto& resource : parts.resources) {
    std::size_t from = 0;
    while (const auto match = find_noun(resource, sentence, from)) {
      from = match->end;
      const auto its_use = use_of_noun(sentence.substr(0, match->begin));
      if (its_use == NounUse::kComplement && match->begin > begin) {
        // Of "the task" and "the task definition", the longer one is meant.
        const auto holder = slots.find("holder");
        const bool is_longer = holder == slots.end() || resource.name.size() > holder->second.size();
        if (is_longer && is_within(sentence.substr(0, match->begin))) slots["holder"] = resource.name;
        continue;
      }
      if (its_use == NounUse::kNone || is_of_other_clause(sentence, match->end, begin)) continue;
      const bool is_inside = nearest != nullptr && match->begin >= place.begin && match->end <= place.end;
      if (nearest == nullptr || (!is_inside && is_nearer(*match, its_use)))
        std::tie(nearest, place, use) = std::tuple(&resource, *match, its_use);
    }
  }
  const bool is_of_other = names_foreign_service(message.text, parts) || has_foreign_arn(message.text);
  if (nearest != nullptr) {
    // The text between them: from a noun to a later statement, or from the begin of a statement to a later noun.
    const bool is_before = place.begin <= begin;
    const auto between = is_before ? sentence.substr(place.end, begin - std::min(begin, place.end))
                                   : sentence.substr(begin, place.begin - begin);
    const bool is_sure = is_next_to(between, is_before ? 5 : 7);
    // The list of ECS does not show a service or cluster of another service.
    const bool is_shown = !is_of_other || !nearest->look.starts_with("aws ecs ");
    if (is_sure) {
      add_resource(slots, nearest->name, find_name(sentence, place.begin, place.end),
                   is_shown ? nearest->look : std::string_view());
    }
  } else if (!message.operation.empty() && !creates(message.operation)) {
    if (const auto noun = noun_of(message.operation); !noun.empty()) add_resource(slots, noun, {}, {});
  }
  if (!message.operation.empty()) {
    slots["operation"] = message.operation;
    slots["operation_words"] = fmt::format(" of {}", message.operation);
  }
  if (message.speaker != nullptr) {
    slots["speaker"] = message.speaker->name;
    if (message.speaker->is_tool) slots["tool"] = message.speaker->name;
  }
  if (!is_of_other && (message.service == nullptr || message.service->name == "Amazon ECS")) slots["ecs"] = "ECS";
  // What a process logs of its own work says nothing of a request or of an account.
  const bool is_own_work = message.exception == nullptr && message.operation.empty();
  if (message.speaker != nullptr && message.speaker->is_process && is_own_work) {
    const auto name = message.speaker->name;
    const auto last_word = name.substr(name.rfind(' ') + 1);
    slots["process"] =
        fmt::format("{}{}", is_lower(last_word.front()) && last_word.size() < name.size() ? "the " : "", name);
  }
  add_peer(slots, message.text, parts);
  return slots;
}

}  // namespace bayplan::rules
