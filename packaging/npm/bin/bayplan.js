#!/usr/bin/env node
"use strict";
require("../lib/cli.cjs").main(process.argv.slice(2));
