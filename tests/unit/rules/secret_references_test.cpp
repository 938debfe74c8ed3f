#include "rules/security/secret_references.hpp"

#include <string>

#include "catch.hpp"

using namespace bayplan;

TEST_CASE("secret references - the parts of an ARN of Secrets Manager") {
  const auto arn =
      rules::read_secret_arn("arn:aws-cn:secretsmanager:cn-north-1:123456789012:secret:db-AbCdEf:key:AWSCURRENT:a1");
  REQUIRE(arn);
  CHECK(arn->is_secrets_manager);
  CHECK(arn->region == "cn-north-1");
  CHECK(arn->secret == "db-AbCdEf");
  CHECK(arn->json_key == "key");
  CHECK(arn->version_stage == "AWSCURRENT");
  CHECK(arn->version_id == "a1");
  CHECK(arn->fields == 10);
}

TEST_CASE("secret references - the parts of an ARN of a parameter") {
  const auto arn = rules::read_secret_arn("arn:aws:ssm:eu-west-1:123456789012:parameter/web/db");
  REQUIRE(arn);
  CHECK_FALSE(arn->is_secrets_manager);
  CHECK(arn->region == "eu-west-1");
  CHECK(arn->secret == "/web/db");
  CHECK(arn->json_key.empty());
  CHECK(arn->fields == 6);
}

TEST_CASE("secret references - what is neither") {
  for (const std::string text :
       {"", "db", "db:password::", "arn:aws:ssm:eu-west-1:123456789012", "arn:aws:s3:::bucket/key",
        "arn:aws:ssm:eu-west-1:123456789012:document/db", "arn:aws:secretsmanager:eu-west-1:123456789012:secret",
        "arn:aws:secretsmanager:eu-west-1:123456789012:secret:", "arn:aws:secretsmanager:eu-west-1:1:role:db",
        "ARN:aws:secretsmanager:eu-west-1:123456789012:secret:db"}) {
    INFO(text);
    CHECK_FALSE(rules::read_secret_arn(text));
  }
}

TEST_CASE("secret references - names and suffixes") {
  CHECK(rules::is_parameter_name("/web/db-1_a.Z"));
  CHECK(rules::is_parameter_name(std::string(2048, 'n')));
  CHECK_FALSE(rules::is_parameter_name(std::string(2049, 'n')));
  CHECK_FALSE(rules::is_parameter_name(""));
  CHECK_FALSE(rules::is_parameter_name("db password"));
  CHECK(rules::has_suffix("db-AbCd09"));
  CHECK_FALSE(rules::has_suffix("-AbCd0"));
  CHECK_FALSE(rules::has_suffix("db-AbCd0"));
  CHECK_FALSE(rules::has_suffix("dbxAbCd09"));
  CHECK_FALSE(rules::has_suffix("db-AbC_09"));
}
