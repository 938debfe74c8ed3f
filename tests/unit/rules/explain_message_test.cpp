// A message that no sentence of the table has is explained by what it is made of.
#include "rules/message/explain_message.hpp"

#include <string>

#include "catch.hpp"

namespace explain_message_test {

using namespace bayplan;

namespace {

/// The cause and fix of the first answer; empty when there is none.
std::string explained(const std::string& text) {
  static const auto sentences = rules::Sentences::load();
  static const Lazy<rules::MessageParts> parts(rules::MessageParts::load);
  const auto explanation = rules::explain_message(text, sentences, parts);
  if (explanation.answers.empty()) return {};
  const auto& first = explanation.answers.front();
  return std::string(name_of(first.certainty)) + ": " + first.cause + " " + first.fix;
}

bool says(const std::string& text, const std::string& words) {
  INFO(text << " -> " << explained(text));
  CHECK(explained(text).find(words) != std::string::npos);
  return explained(text).find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("explain message - an exception of an API model alone is known") {
  CHECK(says("ClusterNotFoundException", "known: The cluster does not exist"));
  CHECK(says("com.amazonaws.services.ecs.model.PlatformUnknownException: x", "1.4.0 (not 1.4)"));
  CHECK(says("servicenotactiveexception", "not ACTIVE"));
}

TEST_CASE("explain message - an error of the agent names the agent as its source") {
  static const auto sentences = rules::Sentences::load();
  static const Lazy<rules::MessageParts> parts(rules::MessageParts::load);
  const auto agent = rules::explain_message("NoSuchContainerError: no container", sentences, parts);
  REQUIRE(agent.answers.size() == 1);
  CHECK(agent.answers.front().source == "https://github.com/aws/amazon-ecs-agent");
  const auto client = rules::explain_message(
      "An error occurred (ClusterNotFoundException) when calling the RunTask operation: Cluster not found.", sentences,
      parts);
  REQUIRE(client.answers.size() == 1);
  CHECK(client.answers.front().said ==
        "(ClusterNotFoundException) when calling the RunTask operation: Cluster not found.");
}

TEST_CASE("explain message - every exception of the models is answered with its meaning") {
  static const auto sentences = rules::Sentences::load();
  static const Lazy<rules::MessageParts> lazy(rules::MessageParts::load);
  const auto& parts = lazy.get();
  REQUIRE(parts.exceptions.size() > 290);
  for (const auto& [lowered, exception] : parts.exceptions) {
    // A word of every day ("Unsupported") is an exception only where an operation returns it.
    const bool is_word = lowered.size() <= 12 && exception.operations.empty();
    if (exception.service == "the ECS agent" || is_word) continue;
    const std::string operation(exception.operations.empty() ? "" : exception.operations.front());
    const auto text = operation.empty() ? "api error " + std::string(exception.name) + ": "
                                        : "An error occurred (" + std::string(exception.name) + ") when calling the " +
                                              operation + " operation: ";
    INFO(text);
    const auto answers = rules::explain_message(text, sentences, lazy).answers;
    REQUIRE_FALSE(answers.empty());
    CHECK_FALSE(answers.front().cause.empty());
  }
}

TEST_CASE("explain message - an exception that no model lists is read by its name") {
  CHECK(says("An error occurred (OpsItemLimitExceededException) when calling the CreateOpsItem operation: ",
             "A quota of ops item is used up"));
  CHECK(
      says("An error occurred (DoesNotExistException) when calling the GetMaintenanceWindow operation: Maintenance "
           "window mw-1 does not exist",
           "Maintenance window mw-1 does not exist"));
  // EC2's code ends like an exception of ECS and is none.
  CHECK(
      says("The CIDR '10.0.0.0/27' conflicts with another subnet (Service: AmazonEC2; Status Code: 400; Error Code: "
           "InvalidSubnet.Conflict; Request ID: 1)",
           "conflicts with another subnet"));
}

TEST_CASE("explain message - only a noun of the same sentence is what a message is about") {
  CHECK(
      says("Gadget Network-Id was not found. The stack of the cluster failed.", "It was not found: Gadget Network-Id"));
  CHECK(explained("Error: no such option: --securitygroup").find("security group") == std::string::npos);
  CHECK(explained("An error occurred (InternalFailure) when calling the CreateRepository operation: not found: socket")
            .find("The repository does not exist") == std::string::npos);
}

TEST_CASE("explain message - words of one program are not those of another") {
  CHECK(says("java.lang.OutOfMemoryError: Java heap space", "The program's own heap is full"));
  CHECK(says("OutOfMemoryError: Container killed due to memory usage", "the kernel killed it"));
  CHECK(says("nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)", "cannot listen on 80"));
  CHECK(says("Error: listen EADDRINUSE: address already in use :::3000", "cannot listen on 3000"));
  CHECK(says("java.net.BindException: Address already in use", "cannot listen on its port"));
  CHECK(says("Error starting userland proxy: listen tcp4 0.0.0.0:80: bind: address already in use",
             "Host port 80 is taken"));
  CHECK(says("CannotPullContainerError: toomanyrequests: Rate exceeded", "ECR, private or public"));
  CHECK(says("CannotPullContainerError: toomanyrequests: You have reached your pull rate limit.", "Docker Hub"));
  CHECK(says("Rate exceeded", "over the limit of the account"));
  CHECK(says("curl: (60) SSL certificate problem: unable to get local issuer certificate", "not trusted"));
  CHECK(says("listen tcp 0.0.0.0:8080: bind: address already in use", "Host port 8080 is taken"));
  CHECK(explained("Session Manager plugin is not found").find("volume driver") == std::string::npos);
  CHECK(says("plugin \"rexray/ebs\" not found", "No volume driver rexray/ebs"));
  CHECK(says("Max attempts exceeded", "waited for another state"));
  CHECK(says("exec ./start.sh: no such file or directory", "cannot start ./start.sh"));
  CHECK(says("standard_init_linux.go:228: exec user process caused: no such file or directory", "CRLF"));
}

TEST_CASE("explain message - what is taken is not what has users") {
  CHECK(says("Error: creating ELBv2 Listener Rule: Priority '140' is currently in use", "Use another one"));
  CHECK(says("Error: deleting security group sg-1: resource sg-1 is still in use", "Remove what uses it first"));
}

TEST_CASE("explain message - a program that goes on may be harmless") {
  CHECK(says("found no extra config, skip it, err: open /opt/extracfg.txt: no such file or directory", "goes on"));
}

TEST_CASE("explain message - what is said of a resource is likely") {
  CHECK(says("Error: Cluster not found.", "likely: The cluster does not exist"));
  CHECK(
      says("An error occurred (InvalidParameterException) when calling the DescribeTasks operation: Tasks cannot be "
           "empty.",
           "Tasks is missing or empty in the request of DescribeTasks"));
}

TEST_CASE("explain message - a failed connection names its peer and no registry") {
  CHECK(says("dial tcp 10.0.0.5:5432: i/o timeout", "PostgreSQL at 10.0.0.5:5432 did not answer"));
  CHECK(explained("context deadline exceeded").find("registry") == std::string::npos);
}

TEST_CASE("explain message - unexpected keys are answered from the schemas") {
  CHECK(says("Unexpected key 'runtimePlatform' found in params", "since 2021-10-28"));
  CHECK(says("Unexpected key \"runtimePlatform\" found in params", "since 2021-10-28"));
  CHECK(says("Unexpected key 'compatibilities' found in params", "key of responses"));
  CHECK(says("Unexpected key 'valueFrom' found in params.containerDefinitions[0].environment[0]", "secrets[]"));
  CHECK(says("Unexpected key 'restartPolicy' found in params.containerDefinitions[0]", "since 2024-08-15"));
}

TEST_CASE("explain message - numbers of the text are used") {
  CHECK(
      says("\"reason\": \"RESOURCE:MEMORY\", \"detail\": \"Insufficient memory available (32000 requested, 31431 "
           "available).\"",
           "569 MiB too many"));
}

TEST_CASE("explain message - escaping and wrapping do not matter") {
  const std::string wanted = explained("The specified capacity provider 'cp' is not in an ACTIVE state.");
  CHECK(wanted.find("not ACTIVE") != std::string::npos);
  CHECK(explained("The specified capacity provider &#x27;cp&#x27; is not in an ACTIVE state.") == wanted);
  CHECK(explained("The specified capacity provider \\\\'cp\\\\' is not in an ACTIVE state.") == wanted);
  CHECK(explained("    The specified capacity provider 'cp' is no     \n    t in an ACTIVE state.") == wanted);
}

TEST_CASE("explain message - of an unknown key the near ones are named") {
  static const auto sentences = rules::Sentences::load();
  static const Lazy<rules::MessageParts> parts(rules::MessageParts::load);
  const auto unknown = [&](const std::string& key) {
    const auto explanation = rules::explain_message(key, sentences, parts);
    REQUIRE(explanation.unknown);
    return explanation.unknown->kind + " | " + explanation.unknown->look;
  };
  CHECK(unknown("containerDefinitions.portMapings") ==
        "an unknown key in containerDefinitions[] of a task definition; did you mean "
        "containerDefinitions[].portMappings? | `bayplan explain containerDefinitions.portMappings`");
  CHECK(unknown("portMapings") ==
        "an unknown key; did you mean containerDefinitions[].portMappings? | `bayplan explain "
        "containerDefinitions.portMappings`");
  CHECK(unknown("instances.attributes").starts_with("an unknown key; did you mean containerInstances[].attributes"));
  CHECK(unknown("rules[].require.match").find("did you mean rules[].require.matches?") != std::string::npos);
  CHECK(unknown("services[].schedule").starts_with("an unknown key in services[] of a scenario, whose keys are "));
  // A key that the user names, as those of all axes of a grid, does not make its neighbors near.
  CHECK(unknown("/containerDefinitions/0/imag").find("did you mean containerDefinitions[].image?") !=
        std::string::npos);
  CHECK(unknown("weather.day.forecast").find("unknown key") == std::string::npos);
  CHECK(unknown("library/image").find("unknown key") == std::string::npos);
  CHECK(unknown("weather.forecast").find("unknown key") == std::string::npos);
  CHECK(unknown("hello").find("unknown key") == std::string::npos);
}

TEST_CASE("explain message - who gave up says less than the reason that the text names") {
  // A code that no model lists, behind the exit of a CI step.
  const std::string exit_of_ci =
      "An error occurred (FooLimitExceededException) when calling the CreateFoo operation: no more\n"
      "Error: Process completed with exit code 254.";
  CHECK(says(exit_of_ci, "Service Quotas"));
  CHECK(says("An error occurred (AccessDeniedException) when calling the PutFoo operation: PutFoo is not allowed",
             "Allow the action"));
}

TEST_CASE("explain message - a noun that only says where, or of another clause, is not the subject") {
  CHECK(
      explained("waiting for EC2 NAT Gateway (nat-0123) create: timeout while waiting for state to become 'available'")
          .find("service did not") == std::string::npos);
  CHECK(explained("(service web) was unable to place a task because the resources could not be found.")
            .find("task does not exist") == std::string::npos);
  CHECK(says("The container does not exist in the task definition.", "does not exist in the task definition"));
}

TEST_CASE("explain message - a name that many services share is of one only if the text names that one") {
  CHECK(says("LimitExceeded: Maximum number of instance profiles reached for account 123456789012",
             "Maximum number of instance profiles reached"));
  CHECK(says("An error occurred (LimitExceeded) when calling the CreateAutoScalingGroup operation: ",
             "A quota of Auto Scaling is used up"));
}

TEST_CASE("explain message - a code before its reason is read without a client around it") {
  CHECK(says("InvalidInternetGatewayId.NotFound: The gateway ID 'igw-1' does not exist",
             "The gateway ID 'igw-1' does not exist"));
  CHECK(says("Error: creating EC2 Subnet: InvalidSubnet.Conflict: The CIDR '10.0.1.0/24' conflicts with another subnet",
             "does not collide"));
  CHECK(explained("NullPointerException: x").find("AWS rejected") == std::string::npos);
  // The answer of a service that we do not list is an answer, too.
  CHECK(says(
      "Health check interval must be greater than the timeout. (Service: ElasticLoadBalancingV2, Status Code: 400)",
      "Health check interval must be greater than the timeout"));
}

TEST_CASE("explain message - why a call is not allowed decides what helps") {
  const std::string denied = "User: arn:aws:iam::1:user/dev is not authorized to perform: ecr:PutImage on resource: x ";
  CHECK(says(denied + "because no identity-based policy allows the ecr:PutImage action", "Allow ecr:PutImage"));
  CHECK(says(denied + "because no resource-based policy allows the ecr:PutImage action", "policy of the resource"));
  CHECK(says(denied + "with an explicit deny in a service control policy", "manage the organization"));
  CHECK(says(denied + "because no permissions boundary allows the ecr:PutImage action", "to the boundary"));
}

TEST_CASE("explain message - a noun that is far from the statement is not its subject") {
  CHECK(says("No scalable target found for service namespace: ecs, resource ID: service/a/b",
             "The scalable target does not exist in this account and Region"));
  CHECK(explained("Parameters: [ImageTag] do not exist in the template").find("The image") == std::string::npos);
}

TEST_CASE("explain message - a text without a message is unknown, with its kind") {
  CHECK(explained("the weather is fine").empty());
  CHECK(explained("npm ERR! code ELIFECYCLE").empty());
}

}  // namespace explain_message_test
