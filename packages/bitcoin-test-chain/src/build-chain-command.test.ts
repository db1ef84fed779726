import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildChainCommand } from "./build-chain-command.ts";

const program = fileURLToPath(new URL("./bin.ts", import.meta.url));

interface Told {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(...parameters: readonly string[]): Promise<Told> {
  let stdout = "";
  let stderr = "";
  const code = await buildChainCommand(parameters, {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  });
  return { code, stdout, stderr };
}

describe("the command", () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-build-chain-"));
  });

  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  it("writes a chain and says what it is, for a person and for a program", async () => {
    const parameters = ["--transactions", "120", "--seed", "7", "--directory", join(directory, "blocks")];
    const reported = await run(...parameters);
    expect(reported).toMatchObject({ code: 0, stderr: "" });
    expect(reported.stdout).toMatch(/^111 blocks to height 110, tip [0-9a-f]{64}; 0 stale blocks$/m);
    const summary = JSON.parse((await run(...parameters, "--json")).stdout) as Record<string, unknown>;
    expect(summary).toMatchObject({ height: 110, files: [join(directory, "blocks", "blk00000.dat")] });
    expect(reported.stdout).toContain(String(summary["digest"]));
  });

  it("explains itself when it is run as a program", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--conditions=source", program, "--help"], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("--transactions N");
  });

  it.each([
    [["--transactions", "10"], "--directory is missing"],
    [["--directory", "x"], "--transactions is missing"],
    [["--directory", "x", "--transactions", "ten"], '--transactions must be an integer, not "ten"'],
    [["--directory", "x", "--transactions", "10", "--blocks", "7"], "blocks must be an integer of at least"],
    [["--directory", "x", "--transactions", "10", "--xor-key", "0102"], "--xor-key must be 16 hex digits"],
    [["--directory", "x", "--transactions", "10", "--order", "up"], '--order must be chain or shuffled, not "up"'],
    [["--colour"], "--colour"],
  ])("refuses %j and says why", async (parameters, message) => {
    const { code, stdout, stderr } = await run(...parameters);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
  });
});
