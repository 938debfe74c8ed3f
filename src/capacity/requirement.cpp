#include "capacity/requirement.hpp"
