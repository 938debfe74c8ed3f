#pragma once
#include "base/memory_files.hpp"
