import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyWorkspace, type WorkspaceCopy } from "../support/workspace-copy.ts";

let copy: WorkspaceCopy;

beforeAll(() => {
  copy = copyWorkspace();
});

afterAll(() => copy.remove());

const operation = `  /blocks/tip/age:
    get:
      operationId: getTipAge
      summary: Seconds since the time of the highest block.
      responses:
        "200":
          description: The age, in seconds.
          content:
            text/plain:
              schema: { type: string, pattern: "^[0-9]+$" }

`;

/** The other documents are not what this is about. */
const only = ["--only", "specs/index/openapi.yaml"];

function addOperation(): void {
  const path = join(copy.directory, "specs/index/openapi.yaml");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(/^paths:\n/m, `paths:\n${operation}`));
}

describe("an operation added to a document", () => {
  it("is found stale by check, becomes a typed stub by gen, and breaks nothing else", { timeout: 120_000 }, () => {
    addOperation();
    const stale = copy.nodewright("check", ...only);
    expect(stale.status).toBe(1);
    expect(stale.stdout).toContain("+  readonly getTipAge:");

    const generated = copy.nodewright("gen");
    expect(generated.stderr).toBe("");
    expect(generated.status).toBe(0);
    expect(generated.stdout).toContain("stub    packages/index-rest/src/handlers/get-tip-age.ts");
    const stub = readFileSync(join(copy.directory, "packages/index-rest/src/handlers/get-tip-age.ts"), "utf8");
    expect(stub).toContain('IndexHandler<"getTipAge", IndexRestContext>');

    expect(copy.typecheck()).toBe("");
    expect(copy.nodewright("check", ...only).status).toBe(0);
  });

  it("keeps what was written into the stub, and names the file once the operation is gone", { timeout: 60_000 }, () => {
    const handler = join(copy.directory, "packages/index-rest/src/handlers/get-tip-age.ts");
    const written = `${readFileSync(handler, "utf8")}\n// Written by a person.\n`;
    writeFileSync(handler, written);
    expect(copy.nodewright("gen", "--force", ...only).status).toBe(0);
    expect(readFileSync(handler, "utf8")).toBe(written);

    const path = join(copy.directory, "specs/index/openapi.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace(operation, ""));
    const { stdout, status } = copy.nodewright("gen");
    expect(status).toBe(0);
    expect(stdout).toContain(
      "kept    packages/index-rest/src/handlers/get-tip-age.ts: its operation is gone from specs/index/openapi.yaml",
    );
    expect(existsSync(handler)).toBe(true);
  });

  it("is not offered a second stub when its first was deleted on purpose", { timeout: 60_000 }, () => {
    const offered = join(copy.directory, "packages/index-rest/src/handlers/get-transaction.ts");
    const text = readFileSync(offered, "utf8");
    copy.node("-e", `require("node:fs").rmSync(${JSON.stringify(offered)})`);
    const { status, stdout } = copy.nodewright("gen");
    expect(status).toBe(0);
    expect(stdout).not.toContain("stub");
    expect(readFileSync(join(copy.directory, "packages/index-rest/src/handlers/index.ts"), "utf8")).not.toContain(
      "getTransaction,",
    );
    writeFileSync(offered, text);
  });
});
