#include "awscli/command_line.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "text/encoding.hpp"

namespace bayplan::awscli {
namespace {

/// Options of every `aws` command (awscli/data/cli.json, versions 1.45 and 2.9).
struct GlobalOption {
  std::string_view name;
  bool takes_value;
  std::string_view choices;  ///< Separated by blanks; empty = any.
  std::string_view note;     ///< What it does not do here; empty = nothing worth telling.
};

constexpr std::array<GlobalOption, 20> kGlobalOptions{{
    {"--debug", false, "", ""},
    {"--endpoint-url", true, "", "ignored: bayplan makes no calls"},
    {"--no-verify-ssl", false, "", ""},
    {"--no-paginate", false, "", ""},
    {"--output", true, "json text table yaml yaml-stream", "the response is shown as JSON"},
    {"--query", true, "", "not applied: the whole response is shown"},
    {"--profile", true, "", "ignored: bayplan makes no calls"},
    {"--region", true, "", ""},
    {"--version", false, "", ""},
    {"--color", true, "on off auto", ""},
    {"--no-sign-request", false, "", ""},
    {"--ca-bundle", true, "", ""},
    {"--cli-read-timeout", true, "", ""},
    {"--cli-connect-timeout", true, "", ""},
    {"--cli-binary-format", true, "base64 raw-in-base64-out", ""},
    {"--no-cli-pager", false, "", ""},
    {"--cli-auto-prompt", false, "", ""},
    {"--no-cli-auto-prompt", false, "", ""},
    {"--cli-error-format", true, "", ""},
    {"--v2-debug", false, "", ""},
}};

enum class Takes : std::uint8_t { kNothing, kOne, kAny, kPerhapsOne };

/// An option that the line may have.
struct KnownOption {
  std::string name;
  Takes takes = Takes::kOne;
  const GlobalOption* global = nullptr;
  OptionUse use = OptionUse::kMember;
  const shape::Member* member = nullptr;
};

constexpr std::string_view kSkeleton = "--generate-cli-skeleton";

std::vector<KnownOption> global_options() {
  std::vector<KnownOption> options;
  for (const auto& global : kGlobalOptions) {
    options.push_back({std::string(global.name), global.takes_value ? Takes::kOne : Takes::kNothing, &global});
  }
  return options;
}

std::vector<KnownOption> options_of(const Operation& operation) {
  std::vector<KnownOption> options;
  for (const auto& member : operation.input->members) {
    const std::string name = option_name(member.name);
    if (member.rule->types.has(text::Kind::kBoolean)) {
      options.push_back({name, Takes::kNothing, nullptr, OptionUse::kMember, &member});
      options.push_back({"--no-" + name.substr(2), Takes::kNothing, nullptr, OptionUse::kNegated, &member});
    } else {
      const bool is_list = member.rule->types.has(text::Kind::kArray);
      options.push_back({name, is_list ? Takes::kAny : Takes::kOne, nullptr, OptionUse::kMember, &member});
    }
  }
  options.push_back({"--cli-input-json", Takes::kOne, nullptr, OptionUse::kInputJson});
  options.push_back({"--cli-input-yaml", Takes::kOne, nullptr, OptionUse::kInputYaml});
  options.push_back({std::string(kSkeleton), Takes::kPerhapsOne});
  return options;
}

/// "-5" and "-.5" are values (argparse, _negative_number_matcher).
bool is_negative_number(std::string_view text) {
  if (text.size() < 2 || text.front() != '-') return false;
  const std::string_view digits = text.substr(1);
  const auto dots = std::count(digits.begin(), digits.end(), '.');
  const bool plain =
      std::all_of(digits.begin(), digits.end(), [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
  return plain && dots <= 1 && digits.back() != '.';
}

bool looks_like_option(std::string_view text) {
  return text.size() > 1 && text.front() == '-' && !is_negative_number(text) &&
         text.find(' ') == std::string_view::npos;
}

/// A parser with a cursor over the arguments.
class LineParser {
 public:
  LineParser(const std::vector<std::string>& arguments, const Operations& operations)
      : operations_(operations), globals_(global_options()) {
    for (const auto& argument : arguments) {
      if (!line_.source.empty()) line_.source += ' ';
      pieces_.push_back({text::decode(argument).text, static_cast<std::uint32_t>(line_.source.size())});
      line_.source += pieces_.back().text;
    }
  }

  ParsedCommandLine parse() {
    if (read_head()) read_options();
    if (errors_.empty()) check();
    if (!errors_.empty()) return {std::nullopt, std::move(errors_)};
    return {std::move(line_), {}};
  }

 private:
  struct Match {
    const KnownOption* option = nullptr;
    std::optional<Piece> value;  ///< The text after `=`.
    bool is_ambiguous = false;
  };

  void fail(std::string message, std::string help = {}) {
    errors_.push_back({std::move(message), {}, 0, 0, std::move(help)});
  }

  /// aws [OPTIONS] ecs VERB
  bool read_head() {
    if (pieces_.empty() || pieces_.front().text != "aws") {
      fail(pieces_.empty() ? "no AWS CLI command to simulate" : fmt::format("'{}' is not 'aws'", pieces_.front().text),
           "for example: bayplan dry-run --cluster ecs-prod -- aws ecs run-task --cluster prod --task-definition web");
      return false;
    }
    at_ = 1;
    const auto service = word("the service", "ecs");
    if (!service) return false;
    if (*service != "ecs") {
      fail(fmt::format("'aws {}' is not supported", *service), "only aws ecs commands are supported");
      return false;
    }
    const auto verb = word("the command of aws ecs", "run-task");
    if (!verb) return false;
    line_.operation = operations_.find(*verb);
    if (line_.operation != nullptr) return true;
    std::vector<std::string_view> names;
    for (const auto& operation : operations_.all()) names.push_back(operation.name);
    const auto near = nearest(*verb, names);
    fail(fmt::format("'aws ecs {}' is not supported{}", *verb, near ? fmt::format("; did you mean '{}'?", *near) : ""),
         fmt::format("supported commands: {}", one_of(names, "and")));
    return false;
  }

  /// The next argument that is no option; options before it are global ones.
  std::optional<std::string> word(std::string_view what, std::string_view example) {
    while (at_ < pieces_.size() && looks_like_option(pieces_[at_].text)) {
      const Match match = find(pieces_[at_], {});
      if (match.option == nullptr) {
        fail(fmt::format("unknown option '{}' before {}", pieces_[at_].text, what),
             "options of the command follow its name");
        return std::nullopt;
      }
      take(match);
    }
    if (at_ < pieces_.size()) return pieces_[at_++].text;
    fail(fmt::format("{} is missing, for example {}", what, example));
    return std::nullopt;
  }

  void read_options() {
    known_ = options_of(*line_.operation);
    while (at_ < pieces_.size()) {
      const Piece& piece = pieces_[at_];
      if (!looks_like_option(piece.text)) {
        ++at_;
        fail(fmt::format("unexpected argument '{}'", piece.text), help_for_stray());
        continue;
      }
      const Match match = find(piece, known_);
      if (match.option != nullptr) {
        take(match);
      } else {
        if (!match.is_ambiguous) refuse(piece.text);
        ++at_;
        while (at_ < pieces_.size() && !looks_like_option(pieces_[at_].text)) ++at_;
      }
    }
  }

  std::string help_for_stray() const {
    if (last_ == nullptr || last_->takes == Takes::kAny) return {};
    return last_->takes == Takes::kNothing
               ? fmt::format("{} does not accept a value; its opposite is another option", last_->name)
               : fmt::format("{} accepts one value; quote it if it contains spaces", last_->name);
  }

  void refuse(const std::string& text) {
    const std::string name = text.substr(0, text.find('='));
    std::vector<std::string_view> names;
    std::vector<std::string_view> longer;  // "--placement-strategy" of "--strategy"
    for (const auto& option : known_) names.push_back(option.name);
    for (const auto& option : globals_) names.push_back(option.name);
    for (const auto option : names) {
      if (name.size() > 4 && option.ends_with(name.substr(1))) longer.push_back(option);
    }
    const auto near = nearest(name, names);
    const std::string meant = !longer.empty() ? one_of(longer) : std::string(near.value_or(""));
    fail(fmt::format("aws ecs {} has no option '{}'{}", line_.operation->name, name,
                     meant.empty() ? "" : fmt::format("; did you mean {}?", meant)));
  }

  /// Finds the option as argparse does: by its whole name, else by a prefix that only one has; the options of `aws`
  /// itself are looked at first.
  Match find(const Piece& piece, const std::vector<KnownOption>& own) {
    const auto equals = piece.text.find('=');
    const std::string name = piece.text.substr(0, equals);
    Match match;
    if (equals != std::string::npos) {
      const auto after = static_cast<std::uint32_t>(equals + 1);
      match.value = Piece{piece.text.substr(after), piece.begin + after};
    }
    const std::array<const std::vector<KnownOption>*, 2> tables{&globals_, &own};
    for (const auto* options : tables) {
      for (const auto& option : *options) {
        if (option.name == name) match.option = &option;
      }
    }
    if (match.option != nullptr || !name.starts_with("--") || name.size() < 3) return match;
    for (const auto* options : tables) {
      std::vector<std::string_view> names;
      for (const auto& option : *options) {
        if (!option.name.starts_with(name)) continue;
        names.push_back(option.name);
        match.option = &option;
      }
      if (names.empty()) continue;
      if (names.size() > 1) {
        fail(fmt::format("'{}' may be {}", name, one_of(names)), "spell the option in full");
        match.option = nullptr;
        match.is_ambiguous = true;
      }
      return match;
    }
    return match;
  }

  void take(const Match& match) {
    const Piece written = pieces_[at_++];
    const KnownOption& option = *match.option;
    last_ = &option;
    std::vector<Piece> values;
    if (match.value) values.push_back(*match.value);
    const std::size_t most = option.takes == Takes::kAny ? pieces_.size() : 1;
    while (option.takes != Takes::kNothing && !match.value && values.size() < most && at_ < pieces_.size() &&
           !looks_like_option(pieces_[at_].text)) {
      values.push_back(pieces_[at_++]);
    }
    if (option.takes == Takes::kNothing && match.value) {
      return fail(fmt::format("{} does not accept a value, got '{}'", option.name, match.value->text));
    }
    if (option.takes == Takes::kOne && values.empty()) {
      return fail(fmt::format("{} requires a value", option.name),
                  at_ < pieces_.size() ? fmt::format("write a value that begins with '-' after '=': {}={}", option.name,
                                                     pieces_[at_].text)
                                       : std::string());
    }
    if (option.global != nullptr) return take_global(*option.global, values);
    if (option.name == kSkeleton)
      return fail(fmt::format("{} only prints a skeleton: there is no call to simulate", kSkeleton));
    add({option.name, option.use, option.member, written, std::move(values)});
  }

  void take_global(const GlobalOption& global, const std::vector<Piece>& values) {
    if (global.name == "--version") return fail("--version makes no call to simulate");
    if (global.name == "--region") line_.region = values.front().text;
    const auto choices = split(global.choices, ' ');
    const bool is_listed =
        global.choices.empty() || std::find(choices.begin(), choices.end(), values.front().text) != choices.end();
    if (!is_listed) {
      const std::vector<std::string_view> views(choices.begin(), choices.end());
      return fail(fmt::format("{} of aws cannot be '{}'", global.name, values.front().text),
                  fmt::format("use {}", one_of(views)));
    }
    if (global.note.empty()) return;
    line_.notes.push_back({"aws-option-without-effect", std::string(global.name), std::string(global.note)});
  }

  /// The last occurrence of an option counts, and the AWS CLI does not warn about the others.
  void add(GivenOption given) {
    for (auto& other : line_.options) {
      const bool same = given.member != nullptr ? other.member == given.member : other.name == given.name;
      if (!same) continue;
      line_.notes.push_back({"aws-option-repeated", given.name,
                             fmt::format("duplicate option {}; the AWS CLI silently uses the last one", given.name)});
      other = std::move(given);
      return;
    }
    line_.options.push_back(std::move(given));
  }

  bool has(OptionUse use) const {
    return std::any_of(line_.options.begin(), line_.options.end(), [&](const auto& one) { return one.use == use; });
  }

  bool says(std::string_view member) const {
    return std::any_of(line_.options.begin(), line_.options.end(),
                       [&](const auto& one) { return one.member != nullptr && one.member->name == member; });
  }

  void check() {
    const bool json = has(OptionUse::kInputJson);
    const bool yaml = has(OptionUse::kInputYaml);
    if (json && yaml) fail("--cli-input-json and --cli-input-yaml are mutually exclusive");
    if (json || yaml) return;
    std::vector<std::string> missing;
    for (const auto required : line_.operation->input->required) {
      if (!says(required)) missing.push_back(option_name(required));
    }
    if (missing.empty()) return;
    const std::vector<std::string_view> names(missing.begin(), missing.end());
    fail(fmt::format("aws ecs {} requires {}", line_.operation->name, one_of(names, "and")), "or --cli-input-json");
  }

  const Operations& operations_;
  std::vector<KnownOption> globals_;
  std::vector<KnownOption> known_;
  std::vector<Piece> pieces_;
  std::size_t at_ = 0;
  const KnownOption* last_ = nullptr;
  CommandLine line_;
  std::vector<Error> errors_;
};

}  // namespace

ParsedCommandLine parse_command_line(const std::vector<std::string>& arguments, const Operations& operations) {
  return LineParser(arguments, operations).parse();
}

}  // namespace bayplan::awscli
