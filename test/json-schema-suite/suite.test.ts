// The JSON-Schema-Test-Suite for 2020-12, its required and its optional tests, and the required ones of the older drafts: schemas
// through the reader and the emitter, values through the emitted validators.
import type { SchemaDialect } from "@nodewright/json-schema";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../support/workspace.ts";
import { SuitePlayer } from "./play-suite.ts";
import { fetchSuite, suiteFiles } from "./suite.ts";

const required = "tests/draft2020-12";
const suite = await fetchSuite();
const directory = "directory" in suite ? suite.directory : undefined;
if ("missing" in suite) console.warn(suite.missing);

const players: SuitePlayer[] = [];

afterAll(() => {
  for (const player of players) player.remove();
});

/** Plays a folder's files and prints how many of their tests passed. */
function play(
  folder: string,
  formats: "annotate" | "assert" = "annotate",
  dialect?: SchemaDialect,
): { total: number; failures: string[]; output: string } {
  const player = new SuitePlayer(directory ?? "", formats, dialect);
  players.push(player);
  const plays = suiteFiles(directory ?? "", folder).map((file) => player.play(file));
  const total = plays.reduce((sum, one) => sum + one.total, 0);
  const failures = plays.flatMap((one) => one.failures);
  console.log(`${folder}: ${total - failures.length} of ${total} passed`);
  return { total, failures, output: player.output };
}

describe.skipIf(directory === undefined)("the JSON-Schema-Test-Suite", () => {
  it("has all its required tests passed by both validators of each schema", () => {
    const { total, failures, output } = play(required);
    expect(failures).toEqual([]);
    expect(total).toBeGreaterThan(1250);
    expect(typeErrors(output)).toBe("");
  });

  it("has its optional tests passed", () => {
    const { total, failures } = play(`${required}/optional`);
    expect(failures.map(nameOf)).toEqual([]);
    expect(total).toBeGreaterThan(150);
  });

  it("has its tests of formats passed where formats are asserted", () => {
    const { total, failures } = play(`${required}/optional/format`, "assert");
    expect(failures.map(nameOf)).toEqual([]);
    expect(total).toBeGreaterThan(490);
  });

  it.each([
    ["draft2019-09", "2019-09", 1220],
    ["draft7", "draft-07", 910],
    ["draft6", "draft-06", 820],
    ["draft4", "draft-04", 610],
  ] as const)("has the required tests of %s passed", (folder, dialect, least) => {
    const { total, failures } = play(`tests/${folder}`, "annotate", dialect);
    expect(failures).toEqual([]);
    expect(total).toBeGreaterThanOrEqual(least);
  });
});

/** A failing test by its name, without what happened. */
function nameOf(failure: string): string {
  return failure.split(": ").slice(0, 3).join(": ");
}

/** What the compiler has to say of the emitted files under the repository's options. */
function typeErrors(output: string): string {
  const project = join(output, "tsconfig.json");
  const base = join(root, "tsconfig.test.json");
  writeFileSync(project, JSON.stringify({ extends: base, include: ["*/*.ts"], exclude: [] }));
  const { stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), ["--project", project], { encoding: "utf8" });
  return stdout;
}
