import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "nodewright-conform-"));
const bin = join(import.meta.dirname, "../main.ts");

const document = `openapi: 3.1.0
info: { title: Heads, version: "1" }
paths:
  /head:
    get:
      operationId: getHead
      responses:
        "200":
          description: The head.
          content:
            application/json:
              schema: { type: object, required: [height], properties: { height: { type: integer } } }
  /heads:
    post:
      operationId: addHead
      responses: { "204": { description: Done. } }
`;

/** Requests that the server received. */
const asked: string[] = [];
let body: unknown = { height: 7 };
let server: Server;
let url = "";

beforeAll(async () => {
  writeFileSync(join(directory, "heads.yaml"), document);
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const isKnown = request.url === "/head" && (request.method === "GET" || request.method === "HEAD");
    if (request.url === "/head" && !isKnown) response.setHeader("Allow", "GET, HEAD");
    response.writeHead(isKnown ? 200 : request.url === "/head" ? 405 : 404, { "content-type": "application/json" });
    response.end(request.method === "HEAD" ? undefined : JSON.stringify(isKnown ? body : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command as a user does. */
function conform(...words: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, ["--conditions=source", bin, ...words], {
    cwd: directory,
    env: { ...process.env, NO_COLOR: "1" },
  });
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const parts: string[] = [];
    stream.setEncoding("utf8").on("data", (text: string) => parts.push(text));
    return parts;
  });
  return new Promise((resolve) =>
    child.on("close", (code) => resolve({ code, stdout: stdout?.join("") ?? "", stderr: stderr?.join("") ?? "" })),
  );
}

describe("nodewright conform", () => {
  it("ends with 0 where the target does what its document says, and sends nothing that changes it", async () => {
    body = { height: 7 };
    asked.length = 0;
    const { code, stdout } = await conform("conform", url, "--spec", "heads.yaml");
    expect(stdout).toContain("Heads 1 (heads.yaml)");
    expect(code).toBe(0);
    expect(asked).toContain("GET /head");
    expect(asked.filter((line) => line.startsWith("POST"))).toEqual([]);
  });

  it("ends with 1 where it does not, and shows the line of the document", async () => {
    body = { height: "seven" };
    const { code, stdout } = await conform("conform", url, "--spec", "heads.yaml");
    expect(code).toBe(1);
    expect(stdout).toContain("heads.yaml:12:");
  });

  it("ends with 2 where the document is not right, shown as gen shows it, and sends nothing", async () => {
    writeFileSync(join(directory, "wrong.yaml"), document.replace('"204"', "soon"));
    asked.length = 0;
    const { code, stderr } = await conform("conform", url, "--spec", "wrong.yaml");
    expect(code).toBe(2);
    expect(stderr).toMatch(/error openapi\/[a-z-]+: .*\n {2}wrong\.yaml:16:/);
    expect(stderr).toContain("No request was sent.");
    expect(asked).toEqual([]);
  });

  it.each([
    ["no document", ["conform", "http://127.0.0.1:9"], "The document of the API is missing"],
    [
      "a document that is not there",
      ["conform", "http://127.0.0.1:9", "--spec", "no.yaml"],
      "There is no file no.yaml.",
    ],
    ["an option that is none", ["conform", "http://127.0.0.1:9", "--spek", "a"], "--spec"],
    ["words in front", ["--verbose", "conform", "x"], "conform must be the first argument"],
  ])("ends with 2 for %s", async (_what, words, message) => {
    const { code, stderr } = await conform(...words);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it("ends with 3 where nothing can be said", async () => {
    const { code, stdout } = await conform("conform", "http://127.0.0.1:9", "--spec", "heads.yaml");
    expect(stdout).toContain("The run is inconclusive.");
    expect(code).toBe(3);
  });

  it("says what it takes", async () => {
    const { code, stdout } = await conform("conform", "--help");
    expect(stdout).toMatch(/^Usage: nodewright conform URL/);
    expect(code).toBe(0);
    expect((await conform("--help")).stdout).toContain("nodewright conform");
  });
});
