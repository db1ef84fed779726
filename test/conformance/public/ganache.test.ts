import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFreePort } from "../../support/free-port.ts";
import { type NodeProgram, startNodeProgram } from "../../support/node-program.ts";
import { requireInstalled } from "../../support/requirement.ts";
import { root } from "../../support/workspace.ts";
import { conformByCommand, knownCases, surprisesOf } from "../nodes/conform-by-command.ts";

const { path } = requireInstalled("npm-published/node_modules", "ganache");

/** Of the chain and its blocks: the others are of wallets, and of filters that are kept for a caller. */
const played = [
  "web3_clientVersion",
  "eth_accounts",
  "eth_blockNumber",
  "eth_chainId",
  "eth_coinbase",
  "eth_gasPrice",
  "eth_getBlockByNumber",
  "eth_syncing",
];

describe.skipIf(path === undefined)("ganache, checked against the description that wallets publish", () => {
  let program: NodeProgram | undefined;
  let url: string;

  beforeAll(async () => {
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    program = await startNodeProgram({
      path: process.execPath,
      parameters: [
        join(path ?? "", "ganache/dist/node/cli.js"),
        ...["--server.host", "127.0.0.1", "--server.port", String(port)],
        ...["--wallet.deterministic", "--chain.chainId", "1337", "--chain.time", "2024-01-01T00:00:00Z"],
      ],
      isReady: async () => (await fetch(url, { method: "POST", body: "{}" })).status > 0,
    });
  }, 60_000);

  afterAll(() => program?.stop());

  test("departs from it where the baseline says, by any seed", { timeout: 60_000 }, async () => {
    const known: (readonly string[])[] = [];
    for (const seed of ["01", "01", "7e57"]) {
      const { code, report, output } = await conformByCommand(url, [
        ...["--spec", join(path ?? "", "@metamask/api-specs/dist/build/openrpc.json")],
        ...["--baseline", join(root, "test/conformance/public/ganache.baseline.yaml")],
        ...played.flatMap((name) => ["--only", name, "--safe", name]),
        ...["--skip", "*/random/*", "--seed", seed],
      ]);
      expect(surprisesOf(report)).toEqual([]);
      expect(code, output).toBe(0);
      known.push(knownCases(report).toSorted());
    }
    expect(known[1]).toEqual(known[0]);
    expect(known[2]).toEqual(known[0]);
    expect(known[0]).not.toEqual([]);
  });
});
