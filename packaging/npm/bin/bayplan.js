#!/usr/bin/env node
"use strict";
process.exitCode = require("../lib/cli.cjs").main(process.argv.slice(2));
