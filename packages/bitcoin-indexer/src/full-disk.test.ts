import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** Whether this machine allows mounting disks. */
const canMount = spawnSync("unshare", ["-rm", "true"]).status === 0;
if (!canMount) console.warn("This machine lets nobody mount: the tests with a full disk are skipped.");

const program = fileURLToPath(new URL("./testing/full-disk-process.ts", import.meta.url));

it.skipIf(!canMount).each(["blocks of a node", "a start", "blocks of files", "a reorganisation"])(
  "an indexer whose disk is full says so, serves on, and goes on by itself with %s when there is room",
  (move) => {
    const { status, stderr } = spawnSync("unshare", ["-rm", process.execPath, "--conditions=source", program, move], {
      encoding: "utf8",
    });
    // The word is LMDB's.
    expect(stderr.replaceAll(/Write error: No space left on device[^\n]*?size \d+\n?/g, "")).toBe("");
    expect(status).toBe(0);
  },
);
