import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPetsProject, type PetsProject } from "../support/pets-project.ts";
import { root } from "../support/workspace.ts";

// Methods of every form: the generated client of JSON-RPC talks to the generated server, and so does a client of no generator.

const textOf = (path: string): string => readFileSync(join(root, "test/wire", path), "utf8");

let project: PetsProject;
let results: Readonly<Record<string, unknown>>;

beforeAll(() => {
  project = createPetsProject("methods.yaml", textOf("methods.yaml"), { handlers: undefined });
  project.delete("src/context.ts");
  project.generate();
  project.write("src/methods.ts", textOf("project/methods.ts.txt"));
  results = project.run("src/methods.ts") as Readonly<Record<string, unknown>>;
}, 60_000);

afterAll(() => project.remove());

describe("generated code for methods of every form", () => {
  it("compiles as strictly as TypeScript can", { timeout: 60_000 }, () => expect(project.typecheck()).toEqual([]));

  it.each([
    ["byName", 7],
    ["byNameWithDefault", 3],
    ["byPosition", [1, "", { a: true }]],
    ["trailing", [1, "", null]],
    ["either", { a: [null] }],
    ["nothing", null],
    ["big", "99999999999999999999"],
    ["fails", { name: "RpcError", code: 7, data: { odds: 0.1 } }],
    ["name", "made"],
    ["tell", "nothing"],
  ])("says the same on both sides: %s", (name, expected) => expect(results[name]).toEqual(expected));

  it.each([
    ["names", '{"jsonrpc":"2.0","result":3,"id":1}'],
    ["positions", '{"jsonrpc":"2.0","result":"x","id":"a"}'],
  ])("takes parameters by name and by position: %s", (name, body) => expect(results[name]).toEqual([200, body]));

  it.each(["unknownName", "tooMany"])("refuses what no parameter is: %s", (name) => {
    const [status, body] = results[name] as readonly [number, string];
    expect([status, (JSON.parse(body) as { error: { code: number } }).error.code]).toEqual([200, -32602]);
  });

  it("answers a notification with nothing, alone and in a batch", () => {
    expect(results["notification"]).toEqual([204, ""]);
    const [status, body] = results["batch"] as readonly [number, string];
    const answers = JSON.parse(body) as readonly { id: unknown; error?: { code: number } }[];
    expect([status, answers.map(({ id, error }) => [id, error?.code])]).toEqual([
      200,
      [
        [1, undefined],
        [2, -32601],
        [null, -32600],
      ],
    ]);
    expect(results["told"]).toEqual(["by client", "quietly", "in a batch"]);
  });
});
