#include "rules/security/plaintext_secrets.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/name_words.hpp"
#include "base/strings.hpp"

namespace bayplan::rules {
namespace {

bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '-';
}

template <std::size_t size>
bool holds_any(std::string_view text, const std::array<std::string_view, size>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

template <std::size_t size>
bool starts_with_any(std::string_view text, const std::array<std::string_view, size>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return text.starts_with(part); });
}

/// What a build puts into pages for everyone to read.
bool is_public(std::string_view name) {
  constexpr std::array<std::string_view, 4> kPrefixes{"react_app_", "vite_", "gatsby_", "ng_app_"};
  constexpr std::array<std::string_view, 2> kWords{"public", "publishable"};
  return starts_with_any(lower(name), kPrefixes) || holds_any(lower(name), kWords);
}

/// "FOOFOO", "sha256sha256": a word of examples, twice or more. Other repeated words may be passwords.
bool is_repeated_example(std::string_view value) {
  constexpr std::array<std::string_view, 4> kWords{"foo", "bar", "baz", "sha256"};
  const std::string text = lower(value);
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    const bool is_multiple = text.size() > word.size() && text.size() % word.size() == 0;
    return is_multiple && text.starts_with(word) &&
           text.substr(word.size()) == text.substr(0, text.size() - word.size());
  });
}

/// "MY_SECRET", "SECRET_OF_AT_LEAST_32_CHARACTERS": words in capitals, and numbers among at least three of them.
bool is_in_capital_words(std::string_view value) {
  const auto words = split(value, '_');
  std::ptrdiff_t numbers = 0;
  for (const std::string_view word : words) {
    const bool is_number = !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
    numbers += is_number ? 1 : 0;
    if (!is_number && !std::all_of(word.begin(), word.end(), is_upper)) return false;
  }
  return words.size() > 1 && (numbers == 0 || std::ssize(words) - numbers >= 3);
}

/// "replace-me", "your_password", "xxxx", "MY_SECRET": a placeholder until someone fills it in.
bool is_stand_in(std::string_view value) {
  constexpr std::array<std::string_view, 21> kParts{
      "changeme", "change-me",    "change_me", "change me", "replace",   "your",      "example",
      "dummy",    "placeholder",  "todo",      "insert",    "xxx",       "***",       "...",
      "fake",     "not-a-secret", "mypass",    "my_pass",   "should-be", "goes-here", "goes_here"};
  constexpr std::array<std::string_view, 2> kOwn{"my-", "my_"};  // my-etcd-token
  if (holds_any(lower(value), kParts) || starts_with_any(lower(value), kOwn) || value == "string") return true;
  return is_repeated_example(value) || is_in_capital_words(value);
}

/// "/run/secrets/db", "./key.pem", "prod/db/password": where the secret is.
bool is_path(std::string_view value) {
  if (value.starts_with('/') || value.starts_with('.') || value.starts_with('~')) return true;
  if (value.find('/') == std::string_view::npos) return false;
  return std::all_of(value.begin(), value.end(),
                     [](char c) { return (is_word(c) && !is_upper(c)) || c == '/' || c == '.'; });
}

/// Where the secret is, as the tools that fetch it write that.
bool is_reference(std::string_view value) {
  constexpr std::array<std::string_view, 12> kSchemes{
      "arn:", "asm:", "awssm:", "env:", "file:", "kms:", "op:", "paramet", "ref+", "sm:", "secretsmanager:", "ssm:"};
  return value.starts_with("vault:") || starts_with_any(value, kSchemes) || value.find("://") != std::string_view::npos;
}

bool is_switch(std::string_view value) {
  constexpr std::array<std::string_view, 25> kWords{
      "true",     "false",    "none",     "null",   "undefined", "enabled", "default", "auto",      "disabled",
      "required", "optional", "redacted", "hidden", "missing",   "unset",   "n/a",     "not_found", "not-found",
      "notfound", "not_set",  "not-set",  "empty",  "sample",    "unused",  "ignored"};
  return is_among(lower(value), kWords);
}

bool is_number(std::string_view value) {
  return value.find_first_not_of("0123456789.,:+-") == std::string_view::npos;
}

/// Belongs to a shell or a template, which puts the value in.
bool is_put_in_later(std::string_view value) {
  return value.find_first_of("$`<>{}") != std::string_view::npos || value.find("%(") != std::string_view::npos;
}

/// The run of `is_part` that begins at `at`.
template <class Test>
std::string_view run_at(std::string_view text, std::size_t at, Test is_part) {
  std::size_t end = at;
  while (end < text.size() && is_part(text[end])) ++end;
  return text.substr(at, end - at);
}

bool holds_aws_key(std::string_view text) {
  constexpr std::size_t kLength = 20;  // AKIA or ASIA and 16 more (IAM user guide, reference_identifiers)
  for (const std::string_view prefix : {"AKIA", "ASIA"}) {
    for (auto at = text.find(prefix); at != std::string_view::npos; at = text.find(prefix, at + 1)) {
      if (at > 0 && is_word(text[at - 1])) continue;
      const auto key = run_at(text, at, is_word);
      const bool is_plain = std::all_of(key.begin(), key.end(), [](char c) { return is_upper(c) || is_digit(c); });
      if (key.size() == kLength && is_plain && !is_stand_in(key)) return true;
    }
  }
  return false;
}

/// The lines of a private key. A word such as REDACTED between them shows where the key was.
bool holds_private_key(std::string_view text) {
  constexpr std::string_view kEndOfLine = "PRIVATE KEY-----";
  const auto begin = text.find("-----BEGIN ");
  const auto line = begin == std::string_view::npos ? begin : text.find(kEndOfLine, begin);
  if (line == std::string_view::npos) return false;
  const auto key = text.substr(line + kEndOfLine.size());
  const auto word = trim(key.substr(0, key.find("-----")));
  return !is_switch(word) && !is_stand_in(word);
}

/// A password may be guessed at home; on the way to another host it is a secret.
bool is_this_host(std::string_view host) {
  return host.starts_with("localhost") || host.starts_with("127.0.0.1");
}

/// YOUR_DB_HOST, where a host has lowercase letters.
bool is_name_of_constant(std::string_view word) {
  return word.find('_') != std::string_view::npos &&
         std::all_of(word.begin(), word.end(), [](char c) { return is_upper(c) || c == '_'; });
}

/// scheme://user:password@host
bool holds_url_password(std::string_view text) {
  for (auto at = text.find("://"); at != std::string_view::npos; at = text.find("://", at + 1)) {
    const auto authority =
        run_at(text, at + 3, [](char c) { return std::string_view("/?# \t\n\"'").find(c) == std::string_view::npos; });
    const auto host = authority.rfind('@');
    const auto colon = authority.find(':');
    if (host == std::string_view::npos || colon >= host) continue;
    const auto password = authority.substr(colon + 1, host - colon - 1);
    const auto address = authority.substr(host + 1);
    if (!password.empty() && !is_put_in_later(authority) && !is_stand_in(password) && !is_this_host(address) &&
        !is_name_of_constant(address))
      return true;
  }
  return false;
}

/// Three parts of base64url, the first two of them JSON objects (RFC 7519).
bool holds_web_token(std::string_view text) {
  for (auto at = text.find("eyJ"); at != std::string_view::npos; at = text.find("eyJ", at + 1)) {
    const auto parts = split(run_at(text, at, [](char c) { return is_word(c) || c == '.'; }), '.');
    if (parts.size() == 3 && parts[1].starts_with("eyJ") && parts[0].size() > 12 && parts[2].size() > 12) return true;
  }
  return false;
}

/// Tokens with a prefix of their own (documentation of GitHub, GitLab, Slack and Stripe, 2026).
struct TokenForm {
  std::string_view prefix;
  std::size_t shortest;  ///< Characters after the prefix.
  std::string_view noun;
};

constexpr std::array<TokenForm, 11> kTokenForms{{
    {"ghp_", 36, "a GitHub token"},
    {"gho_", 36, "a GitHub token"},
    {"ghu_", 36, "a GitHub token"},
    {"ghs_", 36, "a GitHub token"},
    {"ghr_", 36, "a GitHub token"},
    {"github_pat_", 36, "a GitHub token"},
    {"glpat-", 20, "a GitLab token"},
    {"xoxb-", 20, "a Slack token"},
    {"xoxp-", 20, "a Slack token"},
    {"sk_live_", 24, "a Stripe key"},
    {"rk_live_", 24, "a Stripe key"},
}};

std::string_view token_in(std::string_view text) {
  for (const auto& form : kTokenForms) {
    const auto at = text.find(form.prefix);
    if (at == std::string_view::npos || (at > 0 && is_word(text[at - 1]))) continue;
    const auto token = run_at(text, at + form.prefix.size(), is_word);
    if (token.size() >= form.shortest && !is_stand_in(token)) return form.noun;
  }
  return {};
}

/// "Server=db;User Id=sa;Password=...;" and "jdbc:...?user=app&password=..."
bool holds_connection_password(std::string_view text) {
  const std::string low = lower(text);
  for (const std::string_view key : {"password=", "pwd="}) {
    for (auto at = low.find(key); at != std::string::npos; at = low.find(key, at + 1)) {
      if (at == 0 || std::string_view(";?&").find(low[at - 1]) == std::string_view::npos) continue;
      const auto value = run_at(text, at + key.size(),
                                [](char c) { return std::string_view(";& \"'").find(c) == std::string_view::npos; });
      if (may_be_secret("password", value)) return true;
    }
  }
  return false;
}

}  // namespace

/// SECRET_KEY_BASE of Rails
bool is_key_base(const std::vector<std::string>& words) {
  return words.size() >= 3 && words.back() == "base" && words[words.size() - 2] == "key" &&
         words[words.size() - 3] == "secret";
}

/// "user:password@tcp(db:3306)/shop", a data source name of Go.
bool holds_data_source_password(std::string_view text) {
  for (const std::string_view network : {"@tcp(", "@unix("}) {
    const auto at = text.find(network);
    if (at == std::string_view::npos) continue;
    const auto colon = text.substr(0, at).rfind(':');
    if (colon == std::string_view::npos) continue;
    const auto password = text.substr(colon + 1, at - colon - 1);
    if (!password.empty() && !is_put_in_later(text.substr(0, at)) && !is_stand_in(password)) return true;
  }
  return false;
}

bool names_a_secret(std::string_view name) {
  constexpr std::array<std::string_view, 9> kAlone{"password", "passwd",     "passphrase", "token",    "secret",
                                                   "apikey",   "privatekey", "accesskey",  "secretkey"};
  constexpr std::array<std::string_view, 2> kOfSomething{"pass", "pwd"};  // PWD alone is a directory
  constexpr std::array<std::string_view, 7> kKinds{"access",  "api",    "app",    "encryption",
                                                   "private", "secret", "signing"};
  const auto words = words_in_name(name);
  if (words.empty() || is_public(name)) return false;
  const std::string& last = words.back();
  const std::string_view before = words.size() > 1 ? std::string_view(words[words.size() - 2]) : std::string_view();
  return is_among(last, kAlone) || (!before.empty() && is_among(last, kOfSomething)) ||
         (last == "key" && is_among(before, kKinds)) || is_key_base(words);
}

/// Emulators of AWS, such as LocalStack, take any key; their pages write "test".
bool is_key_of_emulator(std::string_view name, std::string_view value) {
  const std::string words = lower(name);
  const bool is_aws_key = words == "aws_secret_access_key" || words == "aws_access_key_id";
  return is_aws_key && (value == "test" || value == "local" || value == "localstack");
}

/// "openai_reports" as OPENAI_REPORTS_SECRET, "service_account_key" as GOOGLE_SERVICE_ACCOUNT_SECRET: where the secret
/// is kept, by two words at least of the variable's name and words for secrets.
bool is_name_of_secret(std::string_view name, std::string_view value) {
  constexpr std::array<std::string_view, 6> kGeneric{"key", "keys", "secret", "secrets", "token", "name"};
  if (!std::all_of(value.begin(), value.end(), [](char c) { return is_word(c) && !is_upper(c) && !is_digit(c); }))
    return false;
  const auto of_name = words_in_name(name);
  if (of_name.empty() || of_name.back() != "secret") return false;
  std::size_t shared = 0;
  for (const auto& word : words_in_name(value)) {
    const bool is_shared = std::find(of_name.begin(), of_name.end(), word) != of_name.end();
    if (!is_shared && !is_among(word, kGeneric)) return false;
    shared += is_shared && !is_among(word, kGeneric) ? 1 : 0;
  }
  return shared >= 2;
}

bool may_be_secret(std::string_view name, std::string_view value) {
  constexpr std::size_t kShortest = 4;
  value = trim(value);
  if (is_key_of_emulator(name, value)) return false;
  const bool says_its_name = words_in_name(name) == words_in_name(value);
  return value.size() >= kShortest && !says_its_name && !is_name_of_secret(name, value) &&
         !equal_ignoring_case(name, value) && !is_put_in_later(value) && !is_reference(value) && !is_path(value) &&
         !is_switch(value) && !is_number(value) && !is_stand_in(value);
}

std::string_view secret_shown_by(std::string_view text) {
  constexpr std::size_t kShortest = 12;
  if (text.size() < kShortest) return {};
  if (holds_aws_key(text)) return "an AWS access key";
  if (holds_private_key(text)) return "a private key";
  if (holds_url_password(text)) return "a URL with a password";
  if (holds_web_token(text)) return "a JSON web token";
  if (holds_connection_password(text) || holds_data_source_password(text)) return "a connection string with a password";
  return token_in(text);
}

}  // namespace bayplan::rules
