#!/usr/bin/env node
import { buildChainCommand } from "./build-chain-command.ts";

process.exitCode = await buildChainCommand(process.argv.slice(2));
