import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFreePort } from "../../support/free-port.ts";
import { type NodeProgram, startNodeProgram } from "../../support/node-program.ts";
import { requireInstalled } from "../../support/requirement.ts";
import { conformByCommand, surprisesOf } from "../nodes/conform-by-command.ts";

const { path } = requireInstalled("npm-published/node_modules/@loopback/example-todo", "LoopBack's example");

describe.skipIf(path === undefined)("LoopBack's example, checked against the description that it serves", () => {
  let directory: string;
  let program: NodeProgram | undefined;
  let url: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-conform-loopback-"));
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    program = await startNodeProgram({
      path: process.execPath,
      parameters: [join(path ?? "", "dist/index.js")],
      environment: { HOST: "127.0.0.1", PORT: String(port) },
      isReady: async () => (await fetch(`${url}/openapi.json`)).ok,
    });
    writeFileSync(join(directory, "openapi.json"), await (await fetch(`${url}/openapi.json`)).text());
  }, 60_000);

  afterAll(async () => {
    await program?.stop();
    rmSync(directory, { recursive: true });
  });

  test("conforms, by any seed, and nothing is written", { timeout: 60_000 }, async () => {
    for (const seed of ["01", "7e57"]) {
      const parameters = ["--spec", join(directory, "openapi.json"), "--seed", seed];
      const { code, report, output } = await conformByCommand(url, parameters);
      expect(surprisesOf(report)).toEqual([]);
      expect(code, output).toBe(0);
      expect(report.totals.passed).toBeGreaterThan(10);
      expect(report.requests).toBeLessThan(300);
      const methods = new Set(report.cases.flatMap(({ exchanges }) => exchanges.map(({ method }) => method)));
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        const written = report.cases.filter(
          ({ exchanges, group }) => group !== "protocol" && exchanges.some((exchange) => exchange.method === method),
        );
        expect(written.map(({ id }) => id)).toEqual([]);
      }
      expect(methods).toContain("GET");
    }
  });
});
