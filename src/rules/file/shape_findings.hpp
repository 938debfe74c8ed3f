#pragma once
#include <vector>

#include "rules/context.hpp"
#include "rules/emitter.hpp"
#include "shape/check.hpp"

namespace bayplan::rules {

/// The container definitions of a file that holds nothing else: the elements of a list, or a single one.
std::vector<text::Value> lone_containers(text::Value root);

/// A part of a container definition, as tutorials show it: without name or image.
bool is_part_of_container(text::Value root, FileKind kind);

/// Whether the file holds nothing but names and images of containers, which a script merges with a definition that
/// exists: what else a definition requires is there.
bool names_images_alone(const Context& ctx);

/// An answer that was saved to be read, as its name or the command above it says, not to be registered.
bool is_saved_record(const Context& ctx);

/// A definition or a service as --generate-cli-skeleton writes it, with no name filled in.
bool is_untouched_skeleton(text::Value root);

/// Runs the schema of the file's kind over `root`, or over each container of a bare list; nothing for files that hold
/// no request. `is_update`: a capacity provider is updated, not created.
std::vector<shape::ShapeFinding> find_shape_faults(text::Value root, FileKind kind, const shape::Schema& schema,
                                                   const model::Placeholders& placeholders, bool is_update);

/// Whether a capacity provider lacks what only create-capacity-provider requires, so that it may as well be the input
/// of update-capacity-provider.
bool may_be_update(text::Value provider);

/// "task definition", "container": the kind of object, as in `unknown key "x" in container`.
std::string_view find_title(const shape::Rule& rule);

/// "the task definition", "the container": the object that a finding is about.
std::string in_words(const shape::Rule& rule);

/// "environment" of a member, "command[1]" of a list element.
std::string name_of(text::Value value);

/// The member as the file should spell it; `structure` is the title of what it belongs to.
std::string spelled_here(const Context& ctx, std::string_view member, std::string_view structure = {});

/// Offers to write `name` in place of the key of `member`, in the quotes that it has.
void offer_rename(Report& report, text::Value member, const std::string& name, bool safe);

/// Members that ecspresso and other tools write as "" where nothing was chosen, and leave out of the request. aws-cli
/// sends what the file says.
bool is_absent_when_empty(std::string_view key);

}  // namespace bayplan::rules
