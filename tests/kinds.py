#!/usr/bin/env python3
"""Keeps kinds of mistakes out of the sources that a compiler does not refuse.

Usage: kinds.py SOURCE_DIR

- a number that stands for none: `OptionalIndex` or std::optional instead, which have to be asked before they are read;
- a view or a reference in a value that outlives the call that made it: results hold what they need, or an index;
- the largest or smallest of a range that may be empty, read without a question;
- in tests, two random draws among the arguments of one call: each compiler takes them in another order, and so the tests
  that the sanitizers run would be of other cases than the ones before a commit.

What stands in ALLOWED is known and was looked at: the number of places in a file that are as they should be.
"""
import pathlib
import re
import sys

# Inner loops of search and index, where the number never leaves its file; and fields of records in a file format.
SENTINEL = re.compile(r"constexpr std::(?:uint32_t|uint64_t|size_t) (k\w+) =\s*"
                      r"(?:std::numeric_limits<[^>]*>::max\(\)|static_cast<[^>]*>\(-1\)|0xffff)")
# Members of structs in headers of results.
RESULTS = ("src/placement/model/outcome.hpp", "src/timeline/history.hpp", "src/timeline/run_figures.hpp",
           "src/timeline/final_state.hpp", "src/fleet/recommended/fill_fleet.hpp", "src/fleet/offers/purchase.hpp",
           "src/fleet/ideal/packing_question.hpp", "src/fleet/ideal/task_groups.hpp", "src/fleet/ideal/few_types.hpp",
           "src/packing/packing_problem.hpp", "src/packing/solve.hpp", "src/study/fleet/alternatives.hpp", "src/study/fleet/fleet_plan.hpp",
           "src/study/fleet/spot_share.hpp", "src/study/payment/hourly_fleets.hpp", "src/study/payment/payment_plan.hpp",
           "src/study/repack/repack.hpp", "src/study/scheduler/better_scheduler.hpp",
           "src/study/simulation/starting_tasks.hpp")
VIEW = re.compile(r"^\s+(?:const )?(?:std::string_view|std::span<[^;]*>|const [\w:<>]+ ?[&*]|[\w:]+ ?\*) ?\w+(?:\{\}| = nullptr)?;")
EXTREME = re.compile(r"\*\*?std::(?:max|min)_element\(")

ALLOWED = {
    "sentinel": {
        "src/base/optional_index.hpp": 1,  # the type itself
        "src/lsp/yaml_scan.cpp": 1,
        "src/report/document/report_document.hpp": 1,  # as many rows as there are
        "src/report/svg/cluster_frame.cpp": 1,
        "src/packing/knapsack.cpp": 1,
        "src/packing/column_generation.cpp": 1,
        "src/timeline/cluster.hpp": 1,  # a version that no cluster has
        "src/placement/engine/occupancy.hpp": 2,
        "src/placement/index/attribute_partition.cpp": 1,
        "src/placement/index/nearest_index.hpp": 1,
        "src/replay/records/history.hpp": 1,
        "src/fleet/offers/price_table.cpp": 1,
    },
    "view": {
        "src/placement/model/outcome.hpp": 4,  # OutcomeSoFar, for the length of a call
    },
    "extreme": {
        "src/text/placeholder_syntax.cpp": 1,  # a list that is written there
        "src/report/place/cluster_groups.cpp": 1,  # an array
        "src/report/svg/group_boxes.cpp": 1,
        "src/report/whatif/whatif_headline.cpp": 1,
        "src/report/whatif/whatif_over_time.cpp": 1,
        "src/report/whatif/whatif_words.cpp": 1,  # an array
        "src/query/evaluate.cpp": 2,  # operands of and, or
        "src/packing/column_generation.cpp": 1,
        "src/lint/files/definitions.cpp": 1,
        "src/timeline/run_figures.cpp": 1,
        "src/timeline/instance_groups.cpp": 1,
        "src/rules/task/fit_rules.cpp": 1,
        "src/rules/gpu/gpu_need_rules.cpp": 1,
        "src/replay/judge.cpp": 1,
        "src/fleet/ideal/assignments.cpp": 1,
    },
}

# The names under which generators of random cases draw.
DRAW = re.compile(r"\b(?:number|below|one_in|draw|any_of|pick|between|random_\w+)\s*\(")
CALL = re.compile(r"\b(?!(?:for|if|while|switch)\b)[A-Za-z_]\w*(?:<[^<>()]*>)?\(")
LITERAL = re.compile(r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"")

HELP = {
    "sentinel": "a number that stands for none; use OptionalIndex (base/optional_index.hpp) or std::optional",
    "view": "a view, reference or pointer in a result; hold the value or an index",
    "extreme": "the extreme of a range that may be empty; ask for empty() first, then add the file to the list",
}


def arguments(text, at):
    """The arguments of the call whose opening parenthesis ends at `at`."""
    found, depth = [""], 0
    for character in text[at:]:
        if character in ")]}" and depth == 0:
            return found
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return found


def unordered_draws(text):
    """The lines of calls with random draws in more than one argument. A lambda draws when it is called."""
    text = LITERAL.sub(lambda match: "_" * len(match[0]), text)
    for call in CALL.finditer(text):
        drawn = [argument for argument in arguments(text, call.end()) if DRAW.search(argument) and "[" not in argument.split("(")[0]]
        if len(drawn) > 1 and not any(";" in argument for argument in drawn):
            yield text.count("\n", 0, call.start()) + 1


def places(kind, name, text):
    if kind == "view" and name not in RESULTS:
        return []
    pattern = {"sentinel": SENTINEL, "view": VIEW, "extreme": EXTREME}[kind]
    return [number for number, line in enumerate(text.splitlines(), 1) if pattern.search(line)]


def main():
    root = pathlib.Path(sys.argv[1])
    failed = False
    for path in sorted((root / "src").rglob("*.?pp")):
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        for kind in HELP:
            found = places(kind, name, text)
            allowed = ALLOWED[kind].get(name, 0)
            if len(found) > allowed:
                print(f"{name}:{found[-1]}: {HELP[kind]} ({len(found)} in the file, {allowed} known)")
                failed = True
            if len(found) < allowed:
                print(f"{name}: {len(found)} of {allowed} known places are left; correct the list in tests/kinds.py ({kind})")
                failed = True
    for path in sorted((root / "tests").rglob("*.?pp")):
        for line in unordered_draws(path.read_text(encoding="utf-8")):
            print(f"{path.relative_to(root)}:{line}: two random draws among the arguments of a call; draw them in lines of their own")
            failed = True
    sys.exit(1 if failed else 0)


main()
