import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCommandLineProject, smallOpenapi } from "../support/command-line-project.ts";

let project: ReturnType<typeof createCommandLineProject>;
let child: ChildProcess;
let printed = "";

beforeEach(() => {
  project = createCommandLineProject();
  printed = "";
});

afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  project.remove();
});

async function until(what: string, condition: () => boolean): Promise<void> {
  const started = performance.now();
  while (!condition()) {
    if (performance.now() - started > 25_000) throw new Error(`${what} did not come to be:\n${printed}`);
    await delay(5);
  }
}

async function startWatching(...parameters: readonly string[]): Promise<void> {
  child = project.start("gen", "--watch", ...parameters);
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  await until("The first run", () => printed.includes("Ctrl-C ends."));
}

function holds(path: string, text: string): boolean {
  try {
    return readFileSync(join(project.directory, path), "utf8").includes(text);
  } catch {
    return false;
  }
}

async function end(signal: NodeJS.Signals): Promise<unknown> {
  const ended = once(child, "exit");
  child.kill(signal);
  return ended;
}

describe("gen --watch", () => {
  it("generates again after each save, however the editor saves, and ends by Ctrl-C", { timeout: 60_000 }, async () => {
    project.write("small.yaml", smallOpenapi());
    project.configure({ source: "small.yaml", package: "a" });
    await startWatching();
    for (let save = 0; save < 8; save += 1) {
      await delay(150);
      const text = smallOpenapi(`getY${save}`);
      if (save % 2 === 0) project.write("small.yaml", text);
      else {
        project.write("small.yaml~", text);
        renameSync(join(project.directory, "small.yaml~"), join(project.directory, "small.yaml"));
      }
      await until("The new client", () => holds("a/src/gen/client.ts", `getY${save}`));
    }
    const runs = printed.match(/^\[\d\d:\d\d:\d\d\] \d+ ms\.$/gm)?.length ?? 0;
    expect(runs).toBeGreaterThanOrEqual(9);
    // On a slow machine the two steps of a save may be seen apart.
    expect(runs).toBeLessThanOrEqual(17);
    expect(await end("SIGINT")).toEqual([130, null]);
  });

  it("tells mistakes, goes on over them and over a file that is gone", { timeout: 60_000 }, async () => {
    project.write("small.yaml", smallOpenapi().replace("{ description: Fine. }", '{ $ref: "parts/answer.yaml" }'));
    project.configure({ source: "small.yaml", package: "a" });
    await startWatching();
    expect(printed).toContain("source/file-not-found");
    project.write("parts/answer.yaml", "description: Found.\n");
    await until("The file that was missing", () => holds("a/src/gen/client.ts", "getX"));

    project.write("small.yaml", "openapi: [");
    await until("The mistake", () => printed.includes("source/yaml-syntax"));
    expect(holds("a/src/gen/client.ts", "getX")).toBe(true);
    rmSync(join(project.directory, "small.yaml"));
    await until("The loss", () => printed.split("source/file-not-found").length > 2);
    project.write("small.yaml", smallOpenapi("getAgain"));
    await until("The return", () => holds("a/src/gen/client.ts", "getAgain"));
    expect(await end("SIGTERM")).toEqual([143, null]);
  });

  it("sees every file that was read: references, operation documents, handlers, the configuration and what it imports", {
    timeout: 90_000,
  }, async () => {
    project.write(
      "api/small.yaml",
      smallOpenapi().replace("{ description: Fine. }", '{ $ref: "../parts/answer.yaml" }'),
    );
    project.write("parts/answer.yaml", "description: First.\ncontent: { text/plain: { schema: { type: string } } }\n");
    project.write("schema.graphql", "type Query { pets: Int }\n");
    mkdirSync(join(project.directory, "operations"));
    writeFileSync(join(project.directory, "names.ts"), 'export const output: string = "src/gen";\n');
    project.write(
      "nodewright.config.ts",
      `import { output } from "./names.ts";
export default {
  documents: [
    {
      source: "api/small.yaml",
      referenceFolders: ["parts"],
      package: "a",
      output,
      handlers: { directory: "handlers", context: "../c.ts#C" },
    },
    { source: "schema.graphql", package: "g", operationDocuments: "operations" },
  ],
};
`,
    );
    await startWatching();
    project.write(
      "parts/answer.yaml",
      "description: First.\ncontent: { application/json: { schema: { type: integer } } }\n",
    );
    await until("The change of a part", () => holds("a/src/gen/types.ts", "number"));
    expect(printed).not.toContain("changed g/");

    project.write("operations/pets.graphql", "query CountPets { pets }\n");
    await until("The new operation document", () => holds("g/src/gen/client.ts", "CountPets"));

    expect(holds("handlers/index.ts", "getX")).toBe(true);
    rmSync(join(project.directory, "handlers/get-x.ts"));
    await until("The handlers' index", () => !holds("handlers/index.ts", "getX"));

    project.write("names.ts", 'export const output: string = "src/other";\n');
    await until("The change of the configuration", () => holds("a/src/other/types.ts", "number"));
    project.write("nodewright.config.ts", "export default { documents: [{ source: 1 }] };\n");
    await until("The mistake in the configuration", () => printed.includes("configuration/missing-member"));
    project.configure({ source: "api/small.yaml", referenceFolders: ["parts"], package: "c", artefacts: ["types"] });
    await until("The configuration put right", () => holds("c/src/gen/types.ts", "number"));
    await end("SIGINT");
  });
});
