#pragma once

/// All of the library. It lints, places and plans; it reads no clock, no environment and no network, writes nothing,
/// has no state of its own, and gives equal answers to equal questions.
#include "bayplan/assumption.hpp"
#include "bayplan/fleet.hpp"
#include "bayplan/lint.hpp"
#include "bayplan/place.hpp"
#include "bayplan/result.hpp"
#include "bayplan/scenario.hpp"
#include "bayplan/units.hpp"
#include "bayplan/version.hpp"
