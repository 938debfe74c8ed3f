#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace bayplan {

/// The words of a name in lower case: "db" and "password" of DB_PASSWORD, db-password and dbPassword.
std::vector<std::string> words_in_name(std::string_view name);

}  // namespace bayplan
