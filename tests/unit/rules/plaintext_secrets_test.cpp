// Tokens here are made up and put together at run time, so that no scanner of secrets takes this file for a leak.
#include "rules/security/plaintext_secrets.hpp"

#include <sstream>
#include <string>

#include "catch.hpp"
#include "lint/lint.hpp"
#include "report/lint/lint_writer.hpp"

namespace {

using namespace bayplan;
using rules::may_be_secret;
using rules::names_a_secret;
using rules::secret_shown_by;

const std::string kDigits = "Z7Q3W5E8R2T6Y4U1";
const std::string kLong = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";

std::string web_token(const std::string& first, const std::string& second, const std::string& third) {
  return "eyJ" + first + "." + second + "." + third;
}

}  // namespace

TEST_CASE("plaintext secrets - names that tell of a secret") {
  for (const std::string_view name :
       {"PASSWORD", "DB_PASSWORD", "dbPassword", "db-passwd", "spring.datasource.password", "Jwt__Secret", "API_KEY",
        "apikey", "APIKey", "SSH_PRIVATE_KEY", "AWS_SECRET_ACCESS_KEY", "DJANGO_SECRET_KEY", "DB_PASS", "dbPwd",
        "KEY_PASSPHRASE", "--auth-token"}) {
    INFO(name);
    CHECK(names_a_secret(name));
  }
  for (const std::string_view name : {"", "__", "PWD", "PASS", "KEY", "PUBLIC_KEY", "TOKENS", "MAX_TOKENS", "TOKENIZER",
                                      "TOKEN_EXPIRATION", "SECRET_NAME", "PASSWORD_FILE", "COMPASS", "PARTITION_KEY",
                                      "NEXT_PUBLIC_API_KEY", "VITE_TOKEN", "GATSBY_TOKEN", "NG_APP_TOKEN"}) {
    INFO(name);
    CHECK_FALSE(names_a_secret(name));
  }
}

TEST_CASE("plaintext secrets - values that may be one") {
  for (const std::string_view value : {"correct-horse", "hunter2", "qzwx", "aB3/xY9/zz", "p4ss!word", "12ab"}) {
    INFO(value);
    CHECK(may_be_secret("DB_PASSWORD", value));
  }
  for (const std::string_view value : {"",
                                       "abc",
                                       "   abc   ",
                                       "12345678",
                                       "1.5",
                                       "true",
                                       "None",
                                       "disabled",
                                       "/run/secrets/db",
                                       "./key.pem",
                                       "~/.ssh/id_rsa",
                                       "prod/db/password",
                                       "arn:aws:ssm:eu-west-1:123456789012:parameter/db",
                                       "vault:secret/db",
                                       "https://auth.example.com",
                                       "$DB_PASSWORD",
                                       "`cat key`",
                                       "<password>",
                                       "%(password)s",
                                       "changeme",
                                       "your-password",
                                       "replace-this",
                                       "change me",
                                       "fake",
                                       "xxxxxxxx",
                                       "********",
                                       "MY_SECRET_VALUE",
                                       "db_password"}) {
    INFO(value);
    CHECK_FALSE(may_be_secret("DB_PASSWORD", value));
  }
}

TEST_CASE("plaintext secrets - texts that show what they hold") {
  CHECK(secret_shown_by("AKIA" + kDigits) == "an AWS access key");
  CHECK(secret_shown_by("key=ASIA" + kDigits + ";") == "an AWS access key");
  CHECK(secret_shown_by("-----BEGIN RSA PRIVATE" + std::string(" KEY-----\nMIIB")) == "a private key");
  CHECK(secret_shown_by("postgres://app:correct-horse@db.example.com/app") == "a URL with a password");
  CHECK(secret_shown_by("see http://a.example.com or redis://:hunter2@cache:6379") == "a URL with a password");
  CHECK(secret_shown_by(web_token("hbGciOiJIUzI1NiJ9", "eyJzdWIiOiJhIn0", kLong)) == "a JSON web token");
  CHECK(secret_shown_by("Server=db;Pwd=correct-horse;") == "a connection string with a password");
  for (const std::string prefix : {"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}) {
    CHECK(secret_shown_by(prefix + kLong) == "a GitHub token");
  }
  CHECK(secret_shown_by("glpat-" + kLong.substr(0, 20)) == "a GitLab token");
  CHECK(secret_shown_by("token xoxb-" + kLong.substr(0, 20)) == "a Slack token");
  CHECK(secret_shown_by("xoxp-" + kLong) == "a Slack token");
  CHECK(secret_shown_by("sk_live_" + kLong.substr(0, 24)) == "a Stripe key");
  CHECK(secret_shown_by("rk_live_" + kLong.substr(0, 24)) == "a Stripe key");
}

TEST_CASE("plaintext secrets - texts that only look so") {
  for (const std::string& text : {std::string("AKIAIOSFODNN7EXAMPLE"),
                                  "AKIA" + kDigits + "9",
                                  "AKIA" + kDigits.substr(1),
                                  "0AKIA" + kDigits,
                                  "AKIA" + std::string(16, 'a'),
                                  std::string("-----BEGIN CERTIFICATE-----"),
                                  std::string("-----BEGIN PRIVATE"),
                                  "-----BEGIN PRIVATE" + std::string(" KEY-----\nREDACTED\n-----END PRIVATE KEY-----"),
                                  "-----BEGIN PRIVATE" + std::string(" KEY-----\nyour key\n-----END PRIVATE KEY-----"),
                                  std::string("redis://cache.example.com:6379"),
                                  std::string("postgres://app@db.example.com/app"),
                                  std::string("postgres://app:@db.example.com/app"),
                                  std::string("amqp://guest:guest@localhost:5672"),
                                  std::string("amqp://guest:guest@127.0.0.1:5672"),
                                  std::string("postgres://app:$PASS@db.example.com"),
                                  std::string("postgres://app:changeme@db.example.com"),
                                  std::string("https://example.com/a:b@c"),
                                  web_token("hbGciOiJIUzI1NiJ9", "zzJzdWIiOiJhIn0", kLong),
                                  web_token("hbGciOiJIUzI1NiJ9", "eyJzdWIi", "short"),
                                  web_token("a", "eyJzdWIiOiJhIn0", kLong),
                                  "eyJhbGciOiJIUzI1NiJ9." + kLong,
                                  "ghp_" + kLong.substr(1),
                                  "aghp_" + kLong,
                                  "ghp_" + std::string(36, 'x'),
                                  "glpat-" + kLong.substr(0, 19),
                                  std::string("https://example.com/?nopassword=correct-horse"),
                                  std::string("a=b&password=***"),
                                  std::string("password=correct-horse")}) {
    INFO(text);
    CHECK(secret_shown_by(text).empty());
  }
}

TEST_CASE("plaintext secrets - no report shows the value") {
  const lint::Tools tools;
  const std::string text = R"({"family": "web", "requiresCompatibilities": ["EC2"], "containerDefinitions": [
    {"name": "app", "image": "nginx:1.27", "memory": 256,
     "environment": [{"name": "DB_PASSWORD", "value": "wrong-horse"}, {"name": "URL", "value": "a://b:wrong-horse@c"}],
     "command": ["serve", "--token=wrong-horse", "--db-password", "wrong-horse"]}]})";
  auto report = lint::lint_document(text, "task.json", {}, tools);
  REQUIRE(report.findings.size() == 4);
  for (const auto& finding : report.findings) {
    INFO(finding.code << " " << finding.message);
    CHECK(finding.message.find("wrong-horse") == std::string::npos);
    CHECK(finding.help.find("wrong-horse") == std::string::npos);
    CHECK(text.substr(finding.span.begin, finding.span.length()).find("wrong") == std::string::npos);
    CHECK(tools.rule_data.get().row(finding.code).hides_source);
  }
  for (const auto format : report::lint_formats()) {
    std::ostringstream out;
    const auto writer = report::lint_writer(format, out, tools.rule_data);
    writer->file(report);
    lint::Summary summary;
    summary.add(report);
    writer->finish(summary);
    INFO(format);
    CHECK(out.str().find("PASSWORD") != std::string::npos);
    CHECK(out.str().find("wrong-horse") == std::string::npos);
  }
}
