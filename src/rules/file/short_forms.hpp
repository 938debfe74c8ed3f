#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "rules/file/reshape.hpp"
#include "shape/schema.hpp"

namespace bayplan::rules {

/// An object of ECS that Docker and Compose write in fewer words.
struct ShortForm {
  NewObject object;
  bool certain = true;  ///< Says all that the object needs, and can mean nothing else.
};

/// Reads one string: "8080:80/udp" for a port mapping, "data:/data:ro" for a mount point, "db:10.0.0.7" for an extra
/// host, "nofile=1024:4096" for a ulimit, "A=1" for a variable, a name for a dependency. Nothing when ECS has no such
/// object.
std::optional<ShortForm> read_short_form(const shape::Rule& element, std::string_view text);

/// One member of a map in place of a list of objects: `"A": "1"`, `"nofile": 1024`, `"GPU": 1`.
std::optional<NewObject> read_map_member(const shape::Rule& element, text::Value pair);

/// The key of a member as the file has it: of the keys of a template ECS's spelling was made, but a name is no key.
std::string name_in_file(text::Value pair);

}  // namespace bayplan::rules
