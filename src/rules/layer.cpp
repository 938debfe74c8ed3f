#include "base/result.hpp"  // the layer's first source takes this file's place
