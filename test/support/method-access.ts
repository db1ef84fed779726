import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { StartedService } from "./service.ts";
import { root } from "./workspace.ts";

const run = promisify(execFile);

/** Enables JSON-RPC methods for every subscription of a service's Bitcoin nodes, as its operator does. The service is not started anew. */
export async function enableMethods({ dataDirectory }: StartedService, methods: readonly string[]): Promise<void> {
  const bin = join(root, "packages/service/dist/bin.js");
  await run(process.execPath, [bin, "access", "--data", dataDirectory, "--enable", methods.join(",")]);
}
