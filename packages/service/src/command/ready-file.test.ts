import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endpointOf, originOf } from "./endpoint.ts";
import { type AnnouncedNode, prepareReadyFile, writeReadyFile } from "./ready-file.ts";
import { chooseShownKey, renderReadyReport } from "./ready-report.ts";

const origin = originOf("127.0.0.1", 8645);
const bitcoin: AnnouncedNode = {
  id: "bitcoin-mainnet",
  chain: "bitcoin",
  endpoint: endpointOf(origin, "bitcoin-mainnet", "bitcoin", true),
  key: "it's",
};
const ethereum: AnnouncedNode = {
  id: "ethereum-dev",
  chain: "ethereum",
  endpoint: endpointOf(origin, "ethereum-dev", "ethereum", false),
  key: "it's",
};

describe("the ready file", () => {
  let directory: string;
  let path: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "nodewright-ready-"));
    path = join(directory, "ready.json");
  });

  afterEach(async () => rm(directory, { recursive: true }));

  it("names each node, its key and the interfaces that it serves, for its owner alone", async () => {
    writeReadyFile(path, { nodes: [bitcoin, ethereum] });

    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
      nodes: [
        {
          id: "bitcoin-mainnet",
          chain: "bitcoin",
          endpoint: "http://127.0.0.1:8645/bitcoin-mainnet",
          apikey: "it's",
          interfaces: {
            rest: "http://127.0.0.1:8645/bitcoin-mainnet/indexer/rest",
            rpc: "http://127.0.0.1:8645/bitcoin-mainnet/",
          },
        },
        {
          id: "ethereum-dev",
          chain: "ethereum",
          endpoint: "http://127.0.0.1:8645/ethereum-dev",
          apikey: "it's",
          interfaces: {},
        },
      ],
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(["ready.json"]);
  });

  it("takes the place of an older one, and of its permissions", async () => {
    await writeFile(path, "old", { mode: 0o644 });

    writeReadyFile(path, { nodes: [bitcoin] });

    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, "utf8")).not.toContain("old");
  });

  it("names the operator's listener where there is one", async () => {
    writeReadyFile(path, { nodes: [], operatorOrigin: "http://127.0.0.1:9000" });
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ nodes: [], operator: "http://127.0.0.1:9000" });

    const report = { nodes: [], key: { kind: "given" }, seconds: 1 } as const;
    expect(renderReadyReport({ ...report, operatorOrigin: "http://127.0.0.1:9000" })).toContain(
      "Operator: http://127.0.0.1:9000/docs (GraphiQL), /health, /readyz, /metrics\n",
    );
    expect(renderReadyReport(report)).not.toContain("Operator");
  });

  it("is not there before the service is ready, though an earlier run left one", async () => {
    await writeFile(path, "old");

    prepareReadyFile(path);

    expect(await readdir(directory)).toEqual([]);
  });

  it("is refused in one sentence where nothing can be written", () => {
    expect(() => prepareReadyFile(join(directory, "none", "ready.json"))).toThrow(/can't be written \(ENOENT\): give/);
    expect(() => prepareReadyFile(directory)).toThrow(/can't be written \(.*\): give/);
  });
});

describe("the ready report", () => {
  it("shows endpoints, the key, and a line to paste for each interface served", () => {
    const report = renderReadyReport({
      nodes: [
        { ...bitcoin, summary: "mainnet, blocks 0 to 14131", restExample: "tx/f4" },
        { ...ethereum, summary: "dev", restExample: "", problem: "GraphQL is missing its node: anvil was not found." },
      ],
      key: chooseShownKey("it's", "data/demo-key", true),
      seconds: 1.23,
    });

    expect(report).toContain("  index REST  http://127.0.0.1:8645/bitcoin-mainnet/indexer/rest\n");
    expect(report).toContain("API key: it's   (kept in data/demo-key)");
    expect(report).toContain("  curl -s 'http://127.0.0.1:8645/bitcoin-mainnet/indexer/rest/tx/f4?apikey=it%27s'\n");
    expect(report).toMatch(
      /curl -s -H 'Content-Type: application\/json' -d '\{.*"getblockcount".*\}' 'http:.*mainnet\/\?apikey=it%27s'/,
    );
    expect(report).toContain("  GraphQL is missing its node: anvil was not found.\n");
    expect(report.match(/curl/g)).toHaveLength(2);
  });

  it.each([
    [
      "is redirected",
      "/data/it's/demo-key",
      "API key: kept in /data/it's/demo-key\n",
      String.raw`"X-API-Key: $(cat '/data/it'\''s/demo-key')"`,
    ],
    ["reports a key that was given", undefined, "API key: the one that was given\n", '"X-API-Key: $KEY"'],
  ])("shows no key when it %s", (_name, file, shown, header) => {
    const nodes = [bitcoin, ethereum].map(({ key: _key, ...node }) => ({ ...node, summary: "", restExample: "tx/f4" }));
    for (const isTerminal of file === undefined ? [true, false] : [false]) {
      const report = renderReadyReport({ nodes, key: chooseShownKey("nwk_secret", file, isTerminal), seconds: 1 });

      expect(report).not.toContain("secret");
      expect(report).not.toContain("apikey");
      expect(report).toContain(shown);
      expect(report).toContain(`  curl -s -H ${header} 'http://127.0.0.1:8645/bitcoin-mainnet/indexer/rest/tx/f4'\n`);
    }
  });

  it("writes origins that can be called", () => {
    expect(originOf("0.0.0.0", 1)).toBe("http://127.0.0.1:1");
    expect(originOf("::", 1)).toBe("http://[::1]:1");
    expect(originOf("localhost", 1)).toBe("http://localhost:1");
  });
});
