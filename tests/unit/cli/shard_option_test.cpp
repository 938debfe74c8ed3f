#include "cli/options/shard_option.hpp"

#include <map>
#include <string>

#include "catch.hpp"

namespace {

using bayplan::cli::parse_shard;

std::map<std::string, std::string>& environment() {
  static std::map<std::string, std::string> variables;
  return variables;
}

const char* read(const char* name) {
  const auto found = environment().find(name);
  return found == environment().end() ? nullptr : found->second.c_str();
}

/// "2/4", or the message and the help.
std::string shard(const std::string& text, std::map<std::string, std::string> variables = {}) {
  environment() = std::move(variables);
  const auto parsed = parse_shard(text, read);
  if (parsed) return std::to_string(parsed->number) + "/" + std::to_string(parsed->count);
  return parsed.error().message + "; " + parsed.error().help;
}

std::map<std::string, std::string> slurm(const std::string& id, const std::string& min, const std::string& max,
                                         const std::string& count, const std::string& step = "1") {
  return {{"SLURM_ARRAY_TASK_ID", id},
          {"SLURM_ARRAY_TASK_MIN", min},
          {"SLURM_ARRAY_TASK_MAX", max},
          {"SLURM_ARRAY_TASK_COUNT", count},
          {"SLURM_ARRAY_TASK_STEP", step}};
}

}  // namespace

TEST_CASE("shard - by number") {
  CHECK(shard("1/1") == "1/1");
  CHECK(shard("3/16") == "3/16");
  CHECK(shard("0/4") == "--shard 0/4: no shard 0 of 4; They are numbered from 1 to 4.");
  CHECK(shard("5/4") == "--shard 5/4: no shard 5 of 4; They are numbered from 1 to 4.");
  CHECK(shard("1/0") == "--shard 1/0: the number of shards must be from 1 to 1000000000, not 0; ");
  CHECK(shard("1/1000000001") ==
        "--shard 1/1000000001: the number of shards must be from 1 to 1000000000, not 1000000001; ");
  for (const std::string text : {"", "4", "a/b", "1/2/3", "1/", "/2", "1 /2", "slrum"})
    CHECK(shard(text) == "invalid --shard '" + text + "'; Write --shard 3/16, slurm or aws-batch.");
}

TEST_CASE("shard - of a Slurm array") {
  CHECK(shard("slurm", slurm("1", "1", "16", "16")) == "1/16");
  CHECK(shard("slurm", slurm("0", "0", "15", "16")) == "1/16");
  CHECK(shard("slurm", slurm("7", "1", "16", "4", "5")) ==
        "--shard slurm: the array indexes are not evenly spaced; Submit --array=1-N. To rerun some shards: "
        "--shard \"$SLURM_ARRAY_TASK_ID/N\".");
  CHECK(shard("slurm", slurm("11", "1", "16", "4", "5")) == "3/4");
  CHECK(shard("slurm", slurm("5", "1", "7", "4")) == "3/4");  // --array=1,3,5,7
  CHECK(shard("slurm", slurm("2", "1", "9", "3")).starts_with("--shard slurm: the array indexes"));
  CHECK(shard("slurm", slurm("3", "3", "3", "1")) == "1/1");
  CHECK(
      shard("slurm") ==
      "--shard slurm: SLURM_ARRAY_TASK_ID is not set; It is set in an array job (sbatch --array=1-16); elsewhere write "
      "--shard I/N.");
  CHECK(shard("slurm", {{"SLURM_ARRAY_TASK_ID", "2"}}).starts_with("--shard slurm: SLURM_ARRAY_TASK_MIN is not set"));
  CHECK(shard("slurm", slurm("x", "1", "2", "2")) == "SLURM_ARRAY_TASK_ID is 'x', not a number; ");
}

TEST_CASE("shard - of an AWS Batch array job") {
  CHECK(shard("aws-batch", {{"AWS_BATCH_JOB_ARRAY_INDEX", "0"}, {"AWS_BATCH_JOB_ARRAY_SIZE", "8"}}) == "1/8");
  CHECK(shard("aws-batch", {{"AWS_BATCH_JOB_ARRAY_INDEX", "7"}, {"AWS_BATCH_JOB_ARRAY_SIZE", "8"}}) == "8/8");
  CHECK(shard("aws-batch", {{"AWS_BATCH_JOB_ARRAY_INDEX", "8"}, {"AWS_BATCH_JOB_ARRAY_SIZE", "8"}}) ==
        "--shard aws-batch: no shard 9 of 8; They are numbered from 1 to 8.");
  CHECK(shard("aws-batch", {{"AWS_BATCH_JOB_ARRAY_INDEX", "7"}})
            .starts_with("--shard aws-batch: AWS_BATCH_JOB_ARRAY_SIZE is not set"));
}
