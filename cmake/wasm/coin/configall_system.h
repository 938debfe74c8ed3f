/* What the system has, for the sources of COIN-OR when no `configure` has run: theirs knows the Microsoft compiler alone. */
#define F77_FUNC(name, NAME) name##_
#define F77_FUNC_(name, NAME) name##_
#define HAVE_CASSERT 1
#define HAVE_CCTYPE 1
#define HAVE_CFLOAT 1
#define HAVE_CINTTYPES 1
#define HAVE_CMATH 1
#define HAVE_CSTDARG 1
#define HAVE_CSTDDEF 1
#define HAVE_CSTDINT 1
#define HAVE_CSTDIO 1
#define HAVE_CSTDLIB 1
#define HAVE_CSTRING 1
#define HAVE_CTIME 1
#define HAVE_INTTYPES_H 1
#define HAVE_STDINT_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UNISTD_H 1
#define STDC_HEADERS 1
#define SIZEOF_DOUBLE 8
#define SIZEOF_INT 4
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_LONG_LONG 8
#define SIZEOF_INT_P __SIZEOF_POINTER__
#define COIN_C_FINITE std::isfinite
#define COIN_C_ISNAN std::isnan
