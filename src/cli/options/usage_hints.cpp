#include "cli/options/usage_hints.hpp"

#include <algorithm>

#include "base/shell_word.hpp"
#include "base/strings.hpp"

namespace bayplan::cli {
namespace {

/// What the word behind an option must look like for a row to apply.
enum class Value { kAny, kFile };

/// One row for all options that mean the same. In texts, `{cmd}` is the command, and `{WORD}` the value that was given,
/// or WORD itself. Rows are tried in order.
struct OptionRowHint {
  std::string_view names;     ///< Separated by blanks.
  std::string_view commands;  ///< The only ones that it applies to; empty = all.
  std::string_view needs;     ///< An option that the command must have; empty = none.
  std::string_view instead;
  std::string_view help;
  Value value = Value::kAny;
};

constexpr OptionRowHint kOptions[] = {
    // Rules of lint, and what is checked.
    {"--list-rules --list-checks --show-rules --print-rules --all-rules --list-all-rules --rules --list -L",
     "lint explain rules", "", "bayplan rules", ""},
    {"--rule --explain --describe --why --doc", "lint rules", "", "bayplan explain {CODE}", ""},
    {"--disable --disable-rule --skip --skip-check --skip-rule --ignore-check --ignore-checks --ignore-rule "
     "--ignore-rules --extend-ignore --exclude-rule --except --no-rule -e",
     "lint", "", "--ignore {RULE}", ""},
    {"--enable --enable-rule --only --checks --run-checks --include-checks --rule-set", "lint", "", "--select {RULE}",
     ""},
    {"--exclude-path --exclude-paths --exclude-dir --excludes --extend-exclude --force-exclude --ignore-paths "
     "--ignore-pattern --ignore-templates --skip-path --skip-dirs --skip-files",
     "lint", "", "--exclude {PATTERN}", ""},
    {"--ignore-path --ignore-file --gitignore", "lint", "", "",
     "Remove it; what .gitignore lists is ignored anyway, and exclude: in .bayplan.yaml lists more: bayplan lint "
     "--init"},
    {"--include --include-path --include-pattern --ext --extensions", "lint", "", "",
     "Add include: [{PATTERN}] to .bayplan.yaml; files that are named are checked whatever their name: bayplan lint "
     "FILE"},
    {"--per-file-ignores --per-file-ignore", "lint", "", "",
     "Add perFileIgnores: to .bayplan.yaml; 'bayplan lint --init' writes one with an example"},
    {"--max-warnings --error-on-warning --error-on-warnings --warnings-as-errors --treat-warnings-as-errors --werror "
     "--Werror -Werror --fail-on-warning --fail-on-warnings --deny-warnings",
     "lint diff", "", "--fail-on warning", ""},
    {"--fail-level --fail-severity --failure-threshold --minimum-failure-severity --min-severity "
     "--severity-threshold --error-level --level",
     "lint diff", "", "--fail-on {LEVEL}", ""},
    {"--soft-fail --no-fail --no-error --no-fail-on-error --ignore-errors --keep-going -k", "lint", "", "--exit-zero",
     ""},
    {"--autofix --auto-fix --write --apply --in-place --fix-all", "lint", "", "--fix", ""},
    {"--fix-dry-run --dry-run --preview --check --fix-check", "lint", "", "--diff", ""},
    {"--fix-unsafe --unsafe", "lint", "", "--fix --unsafe-fixes", ""},
    {"--recursive --recurse -r -R", "lint diff", "", "",
     "Remove it: folders are searched with their subfolders: bayplan {cmd} {FOLDER}"},
    {"--add-noqa --add-ignore --suppress --add-suppressions --add-disable", "lint", "", "--add-ignores", ""},
    {"--git --diff-only --only-changed --onlyChanged --changed-files --staged --modified", "lint", "", "--changed", ""},
    {"--changedSince --since --from-ref --base --diff-base --changed-from", "lint", "", "--changed-since {REV}", ""},
    {"--update-baseline --write-baseline --generate-baseline --save-baseline --suppress-all", "lint", "",
     "--create-baseline .bayplan-baseline.json", ""},
    {"--no-inline-config --ignore-noqa --no-suppressions --no-disable --disable-noqa", "lint", "", "--no-ignores", ""},
    {"--show-settings --print-config --print-settings --show-configuration", "lint", "", "--show-config", ""},
    {"--list-files --files --dump-files", "lint", "", "--show-files", ""},
    {"--stdin-file-path --stdin-filepath --stdin-file --stdin-name --stdin-display-name", "", "--stdin-filename",
     "--stdin-filename {NAME}", ""},
    {"--input-format --file-type --lang --language --parser", "", "--from", "--from {FORMAT}", ""},
    {"--no-validate --no-validation --skip-validation --skip-lint --no-check --skip-checks", "", "--no-lint",
     "--no-lint", ""},
    {"--no-config --isolated --no-eslintrc", "", "--config", "",
     "Name an empty file, which leaves every setting at its default: bayplan {cmd} --config empty.yaml"},
    {"--config-file --settings --configuration --rcfile --conf -c -C", "", "--config", "--config {FILE}", ""},
    {"--parameters --parameter --parameter-overrides", "", "--param", "--param {KEY=VALUE}", ""},
    {"--vars-file --values --envfile --dotenv", "", "--env-file", "--env-file {FILE}", ""},
    {"--tfvars --tf-vars --tfvars-file", "", "--var-file", "--var-file {FILE}", ""},
    {"--vars --set --define --env -D", "", "--var", "--var {NAME=VALUE}", ""},

    // Files and reports.
    {"--output --output-file --format -f -o", "lsp", "", "",
     "Remove it: lsp writes no report; an editor starts 'bayplan lsp' itself"},
    {"--output --output-file --format -f -o", "mcp", "", "", "Remove it: each tool call of a client has its report"},
    {"-F -i -t -d --file --files --filename --path --input --template --template-file --directory --dir",
     "lint fit why diff place fleet whatif repack sweep replay", "", "",
     "Write it without an option: bayplan {cmd} {FILE}", Value::kFile},
    {"--file --filename --path --input --template --template-file --directory --dir",
     "lint fit why diff place fleet whatif repack sweep replay", "", "",
     "Name files without an option: bayplan {cmd} FILE"},
    {"-o --out --outfile --output-path --report-file --save", "", "--output-file", "--output-file {FILE}", "",
     Value::kFile},
    {"--out --outfile --output-path --report-file --save", "", "--output-file", "--output-file FILE", ""},
    {"-o -F --output-format --report-format --report --reporter --formatter --fmt", "", "--output", "--output {FORMAT}",
     ""},
    {"--xml", "lint", "", "--output junit", ""},
    {"--md", "", "--output", "--output markdown", ""},
    {"--xml --yaml --toml", "", "--output", "--output json", ""},
    {"--stdin --from-stdin --read-stdin", "lint fit diff place fleet whatif repack sweep explain", "", "",
     "Write - for standard input: bayplan {cmd} -"},
    {"--no-color --no-colors --nocolor --no-ansi --mono --monochrome", "", "--color", "--color never", ""},
    {"--colors --force-color --color-output", "", "--color", "--color always", ""},
    {"--silent --no-output -s", "", "--quiet", "--quiet", ""},
    {"--debug --trace --log-level --loglevel --verbosity -d", "", "--verbose", "--verbose", ""},
    {"--no-progress --progress --no-spinner", "", "", "", "Remove it; progress is shown on a terminal only."},

    // What bayplan never does.
    {"--poll --continuous -w", "", "--watch", "--watch", ""},
    {"--watch --poll --continuous -w", "", "", "",
     "bayplan runs once. Run it at each change with watchexec or entr, or let an editor start 'bayplan lsp'"},
    {"--yes --assume-yes --auto-approve --force --no-input --non-interactive --interactive -y", "", "", "",
     "Remove it; bayplan asks no questions."},
    {"--profile --aws-profile --endpoint-url --credentials --role --role-arn --assume-role --no-verify-ssl "
     "--no-sign-request --live --aws",
     "", "", "",
     "Remove it; bayplan never calls AWS; 'bayplan collect' prints the AWS CLI commands that save a cluster"},
    {"--namespace --all-namespaces --context --kubeconfig -n -A", "", "", "",
     "ECS has clusters instead. Save one to a folder: bayplan collect --cluster NAME"},
    {"--cache --no-cache --cache-dir --cache-location --clear-cache --refresh", "", "", "",
     "Remove it; bayplan has no cache."},
    {"--dry-run", "", "", "", "Remove it; bayplan reads files and never changes a cluster."},
    {"--version -V", "", "", "", "Write: bayplan --version"},
    {"--help-all --usage -?", "", "", "", "Write: bayplan help {cmd}"},

    // Clusters, tasks and time.
    {"--each-zone", "", "--each-az", "--each-az", ""},
    {"--lose-zone --fail-zone", "", "--lose-az", "--lose-az {ZONE}", ""},
    {"--zone --az --azs --availability-zone --availability-zones", "", "--zones", "--zones {N}", ""},
    {"--zone --az --availability-zone", "", "--lose-az", "--lose-az {ZONE}", ""},
    {"--zone --zones --az --azs --availability-zone --availability-zones", "", "--instances",
     "--instances TYPE=N@{ZONE}", ""},
    {"--task-definition --task-definitions --task-def --taskdef --definition", "", "--task", "--task {TASKDEF}=COUNT",
     ""},
    {"--task --task-definition --task-definitions --task-def --taskdef --definition", "lint fit why diff", "", "",
     "Name it without an option: bayplan {cmd} {FILE}"},
    {"--count --tasks --replicas --desired-count --copies --task-count --number", "", "--task", "--task TASKDEF=COUNT",
     ""},
    {"--scenario", "", "", "SCENARIO without a flag", ""},
    {"--instance-type --instance-types --type --machine-type --flavor", "", "--types", "--types {GLOB}", ""},
    {"--instance-type --instance-types --type --types --machine-type --nodes --node --servers --machines --hosts", "",
     "--instances", "--instances TYPE=N", ""},
    {"--duration --for --time --horizon --simulate", "", "--until", "--until {DURATION}", ""},
    {"--simulations --trials --iterations --repeat --samples", "", "--runs", "--runs {N}", ""},
    {"--timeout --max-time --deadline", "", "--time-limit", "--time-limit {DURATION}", ""},
    {"--threads --parallel --parallelism --workers --concurrency --num-threads --max-procs -p -P", "", "--jobs",
     "--jobs {N}", ""},
    {"--random-seed --rng --random-state", "", "--seed", "--seed {N}", ""},
    {"--cordon --drain-node --evict", "", "--drain", "--drain {ID}", ""},
    {"--kill --stop --lose-instance --fail-instance", "", "--terminate", "--terminate {ID}", ""},
    {"--buffer --margin --overhead --spare --slack --growth", "", "--headroom", "--headroom {PERCENT}", ""},
    {"--savings-plan --savings-plans --reserved --reserved-instances --ri", "", "--commitment",
     "--commitment {TYPE=DISCOUNT}", ""},
    {"--fargate --fargate-spot --managed-instances --launch-types", "", "--compare", "--compare", ""},

    // Types.
    {"--gpu --nvidia", "", "--gpu-only", "--gpu-only", ""},
    {"--gpus", "", "--min-gpus", "--min-gpus {N}", ""},
    {"--vcpu --vcpus --cpu --cpus --min-cpu --min-cpus --min-vcpus", "", "--min-vcpu", "--min-vcpu {N}", ""},
    {"--memory --mem --ram --min-mem --min-ram", "", "--min-memory", "--min-memory {SIZE}", ""},
    {"--gpu-memory --vram --min-vram", "", "--min-gpu-memory", "--min-gpu-memory {SIZE}", ""},
    {"--architecture --cpu-arch --platform", "", "--arch", "--arch {x86_64}", ""},
    {"--sort-by --order-by --order", "", "--sort", "--sort {price}", ""},
};

struct CommandHint {
  std::string_view words;    ///< Separated by blanks.
  std::string_view instead;  ///< A command, with its option where that matters.
  std::string_view help;     ///< Where there is none.
};

constexpr CommandHint kCommands[] = {
    {"check validate verify test scan audit analyze", "lint", ""},
    {"fix fmt format", "lint --fix", ""},
    {"init setup configure", "lint --init", ""},
    {"config settings", "lint --show-config", ""},
    {"rule", "explain", ""},
    {"checks list-rules lint-rules", "rules", ""},
    {"fits size sizing rightsize", "fit", ""},
    {"simulate run schedule start run-task pack binpack", "place", ""},
    {"deploy what-if drain cordon evict terminate scale rollout", "whatif", ""},
    {"plan optimize buy cost costs estimate price", "fleet", ""},
    {"consolidate defragment defrag compact descheduler", "repack", ""},
    {"compare review", "diff", ""},
    {"types instances instance-types prices pricing", "catalog", ""},
    {"snapshot describe export import pull dump get fetch", "collect", ""},
    {"history events logs audit-log", "replay", ""},
    {"debug diagnose troubleshoot doctor", "why", ""},
    {"error message errors", "explain", ""},
    {"completions complete autocomplete", "completion", ""},
    {"server language-server langserver", "lsp", ""},
    {"manual doc docs", "man", ""},
    {"schemas", "schema", ""},
    {"aws ecs register-task-definition", "dry-run -- aws ecs ...", ""},
    {"apply destroy create update delete register", "",
     "bayplan changes nothing at AWS. To try an AWS CLI command: bayplan dry-run -- aws ecs ..."},
    {"login auth credentials", "", "bayplan needs no credentials: it never calls AWS; see 'bayplan help collect'."},
    {"watch", "lint --watch", ""},
    {"upgrade self-update install", "", "bayplan does not update itself; 'bayplan version' prints what is installed."},
};

bool has_word(std::string_view list, std::string_view word) {
  const auto words = split(list, ' ');
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool looks_like_path(std::string_view word) {
  return word == "-" || word.find_first_of("./*") != std::string_view::npos;
}

/// The value that was given where it can be one of the slot's, else the slot's own word.
std::string slot_text(std::string_view slot, const UnknownOption& option) {
  const auto value = option.value;
  const bool is_known_format = std::find(option.formats.begin(), option.formats.end(), value) != option.formats.end();
  const bool takes_path =
      slot == "FILE" || slot == "FOLDER" || slot == "PATTERN" || slot == "NAME" || slot == "TASKDEF";
  const bool is_path = value.ends_with(".json") || value.ends_with(".yaml") || value.ends_with(".yml");
  const bool is_wrong = slot == "FORMAT" ? !is_known_format : is_path && !takes_path;
  const bool lacks_equals = slot.find('=') != std::string_view::npos && value.find('=') == std::string_view::npos;
  if (value.empty() || is_wrong || lacks_equals) return std::string(slot);
  const auto equals = value.find('=');  // of KEY=VALUE each part is quoted where it has to be
  if (equals == std::string_view::npos) return shell_word(value);
  return shell_word(value.substr(0, equals)) + "=" + shell_word(value.substr(equals + 1));
}

/// `text` with the command and the value in place of what is in braces.
std::string filled_in(std::string_view text, const UnknownOption& option) {
  std::string result;
  while (true) {
    const auto open = text.find('{');
    const auto close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) return result += text;
    const auto slot = text.substr(open + 1, close - open - 1);
    result += text.substr(0, open);
    result += slot == "cmd" ? std::string(option.command) : slot_text(slot, option);
    text.remove_prefix(close + 1);
  }
}

}  // namespace

std::optional<UsageHint> hint_for_option(const UnknownOption& option) {
  const auto has = [](const auto& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  const auto bare = option.name.substr(std::min(option.name.find_first_not_of('-'), option.name.size()));
  if (has(option.known, "--output") && has(option.formats, bare)) return UsageHint{"--output " + std::string(bare), ""};
  for (const auto& row : kOptions) {
    if (!has_word(row.names, option.name)) continue;
    if (!row.commands.empty() && !has_word(row.commands, option.command)) continue;
    if (!row.needs.empty() && !has(option.known, row.needs)) continue;
    if (row.value == Value::kFile && !looks_like_path(option.value)) continue;
    return UsageHint{filled_in(row.instead, option), filled_in(row.help, option)};
  }
  return std::nullopt;
}

std::optional<UsageHint> hint_for_command(std::string_view word) {
  const auto found = std::find_if(std::begin(kCommands), std::end(kCommands),
                                  [&](const CommandHint& row) { return has_word(row.words, word); });
  if (found == std::end(kCommands)) return std::nullopt;
  return UsageHint{std::string(found->instead), std::string(found->help)};
}

}  // namespace bayplan::cli
