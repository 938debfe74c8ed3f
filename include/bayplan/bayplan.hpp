#pragma once

/// The complete library. It lints, places and plans. It uses no clock, environment or network, writes nothing,
/// has no global state, and gives the same answer for the same input.
#include "bayplan/assumption.hpp"
#include "bayplan/fleet.hpp"
#include "bayplan/lint.hpp"
#include "bayplan/place.hpp"
#include "bayplan/result.hpp"
#include "bayplan/scenario.hpp"
#include "bayplan/units.hpp"
#include "bayplan/version.hpp"
