#pragma once

/// On a parameter: what the function returns views it, so that a compiler which knows (Clang) refuses to let the result
/// outlive a temporary argument. Nothing elsewhere.
#if defined(__clang__)
#define BAYPLAN_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define BAYPLAN_LIFETIME_BOUND
#endif
