import { describe, expect, it, vi } from "vitest";
import { readCommandLine } from "./command-line.ts";
import type { StartOptions } from "../configuration/start-options.ts";

describe("the command line", () => {
  async function read(words: readonly string[], environment: Record<string, string> = {}): Promise<StartOptions> {
    const { start } = await readCommandLine(words, environment, "1.2.3");
    if (start === undefined) throw new Error("Nothing was asked for");
    return start;
  }

  it("serves the demo on loopback when nothing is said", async () => {
    expect(await read(["start"])).toEqual({
      host: "127.0.0.1",
      port: 8645,
      dataDirectory: "data",
      servingProcesses: 1,
      keysInPath: false,
      publicDocs: false,
      bitcoin: { kind: "demo" },
      bitcoinSwitches: {
        addressSearch: false,
        blocksInPlace: false,
        blockTemplates: false,
        blockFilters: true,
        coinStatistics: false,
      },
      identity: { version: 310_000, protocolVersion: 70_016 },
      ethereum: { kind: "demo" },
    });
  });

  it("takes the user of a node from its URL, from a cookie file or from the environment, apart from the address", async () => {
    const environment = { NODEWRIGHT_BITCOIN_USER: "eve", NODEWRIGHT_BITCOIN_PASSWORD: "from:environment" };

    expect((await read(["start", "--bitcoin-rpc", "http://u:p%40ss@node:8332/w"], environment)).bitcoin).toEqual({
      kind: "node",
      nodes: [{ url: "http://node:8332/w", credentials: { kind: "password", user: "u", password: "p@ss" } }],
      guard: { hedgesReads: false },
    });
    expect(
      (await read(["start", "--bitcoin-rpc=http://node", "--bitcoin-cookie=.cookie"], environment)).bitcoin,
    ).toEqual({
      kind: "node",
      nodes: [{ url: "http://node/", credentials: { kind: "cookie-file", path: ".cookie" } }],
      guard: { hedgesReads: false },
    });
    expect((await read(["start", "--bitcoin-rpc", "http://node"], environment)).bitcoin).toMatchObject({
      nodes: [{ credentials: { kind: "password", user: "eve", password: "from:environment" } }],
    });
    expect((await read(["start", "--ethereum-rpc", "https://node/v1/secret"])).ethereum).toEqual({
      kind: "node",
      nodes: [{ url: "https://node/v1/secret", credentials: { kind: "none" } }],
      guard: { hedgesReads: false },
    });
  });

  it("takes block files as mainnet's unless another network is named", async () => {
    expect((await read(["start", "--bitcoin-blocks", "b"])).bitcoin).toMatchObject({ network: "mainnet" });
    expect((await read(["start", "--bitcoin-blocks", "b", "--bitcoin-network", "signet"])).bitcoin).toEqual({
      kind: "blocks",
      directory: "b",
      network: "signet",
    });
  });

  it("switches on and off what a Bitcoin node offers", async () => {
    const { bitcoinSwitches } = await read([
      "start",
      "--address-search",
      "--block-templates",
      "--no-block-filters",
      "--coin-statistics",
      "--blocks-in-place",
      "--bitcoin-blocks=b",
    ]);
    expect(bitcoinSwitches).toEqual({
      addressSearch: true,
      blocksInPlace: true,
      blockTemplates: true,
      blockFilters: false,
      coinStatistics: true,
    });
  });

  it("takes a node's files together with the node", async () => {
    expect((await read(["start", "--bitcoin-blocks", "b", "--bitcoin-rpc", "http://node"])).bitcoin).toEqual({
      kind: "node",
      nodes: [{ url: "http://node/", credentials: { kind: "none" } }],
      guard: { hedgesReads: false },
      blocks: "b",
    });
  });

  it("takes several nodes, with a cookie file for all or one for each", async () => {
    const nodesOf = async (...words: readonly string[]) => (await read(["start", ...words])).bitcoin;
    const cookie = (path: string) => ({ credentials: { kind: "cookie-file", path } });
    const both = ["--bitcoin-rpc", "http://a", "--bitcoin-rpc", "http://b"];

    expect(await nodesOf("--bitcoin-rpc", "http://u:p@a", "--bitcoin-rpc", "http://b:1/x,y")).toMatchObject({
      nodes: [
        { url: "http://a/", credentials: { user: "u" } },
        { url: "http://b:1/x,y", credentials: { kind: "none" } },
      ],
    });
    const shared = [...both, "--bitcoin-cookie", "one"];
    expect(await nodesOf(...shared)).toMatchObject({ nodes: [cookie("one"), cookie("one")] });
    const own = [...shared, "--bitcoin-cookie", "two"];
    expect(await nodesOf(...own)).toMatchObject({ nodes: [cookie("one"), cookie("two")] });
  });

  it("takes how nodes are guarded", async () => {
    const words = ["--node-lag=0", "--node-connections", "8", "--node-failures", "3", "--node-cooldown", "10"];
    expect((await read(["start", "--bitcoin-rpc", "http://a", "--hedge-reads", ...words])).bitcoin).toMatchObject({
      guard: { hedgesReads: true, maximumLag: 0, connections: 8, failures: 3, cooldownMilliseconds: 10_000 },
    });
  });

  it("takes several Ethereum nodes, and what is known of them", async () => {
    const nodes = ["--ethereum-rpc", "http://u:p@a", "--ethereum-rpc", "http://b/k"];
    const figures = [
      "--ethereum-batch-limit",
      "20",
      "--ethereum-chain-id",
      "17000",
      "--ethereum-protocol-version=69",
      "--ethereum-cache=0",
    ];
    expect((await read(["start", ...nodes, ...figures, "--hedge-reads", "--node-lag", "1"])).ethereum).toEqual({
      kind: "node",
      nodes: [
        { url: "http://a/", credentials: { kind: "password", user: "u", password: "p" } },
        { url: "http://b/k", credentials: { kind: "none" } },
      ],
      guard: { hedgesReads: true, maximumLag: 1 },
      batchLimit: 20,
      cacheMegabytes: 0,
      chainId: "0x4268",
      protocolVersion: 69,
    });
    const inHex = await read(["start", "--ethereum-rpc", "http://a", "--ethereum-chain-id", "0x1"]);
    expect(inHex.ethereum).toMatchObject({ chainId: "0x1" });
  });

  it("takes where a node publishes its blocks", async () => {
    const words = ["start", "--bitcoin-rpc", "http://node", "--bitcoin-zmq", "tcp://127.0.0.1:28332"];
    expect((await read(words)).bitcoin).toMatchObject({ kind: "node", announcements: "tcp://127.0.0.1:28332" });
  });

  it("listens for the operator only when it is told to", async () => {
    expect((await read(["start"])).operatorPort).toBeUndefined();
    expect((await read(["start", "--operator-port", "0"])).operatorPort).toBe(0);
  });

  it("takes a number of serving processes", async () => {
    expect((await read(["start", "--serving-processes", "2"])).servingProcesses).toBe(2);
  });

  it.each([
    [
      ["start", "--serving-processes", "0"],
      /^--serving-processes "0" is not a number of processes: give one from 1 to/,
    ],
    [["start", "--serving-processes=two"], /is not a number of processes/],
    [[], /^The command is missing/],
    [["strat"], /^Unknown command: did you mean start\?/],
    [["start", "--prot", "1"], /did you mean --port\?$/],
    [["start", "--apikey=x"], /did you mean --api-key\?$/],
    [["start", "--bitcoin-block", "x"], /did you mean --bitcoin-blocks\?$/],
    [["start", "--zzzzzzzz"], /see nodewright-service start --help\.$/],
    [["start", "more"], /^Unknown argument "more"/],
    [["start", "--data"], /^--data needs a value/],
    [["start", "--data="], /^--data needs a value/],
    [["start", "--port", "1", "--port", "2"], /^--port is given more than once/],
    [["start", "--port", "abc"], /^--port "abc" is not a port/],
    [["start", "--port", "65536"], /^--port "65536" is not a port/],
    [["start", "--port=-1"], /^--port "-1" is not a port/],
    [["start", "--port", "0x10"], /is not a port/],
    [["start", "--host", "a b"], /^--host "a b" is not a host/],
    [["start", "--api-key", "a b"], /^The value of --api-key is invalid: /],
    [["start", "--api-key", "k".repeat(257)], /^The value of --api-key is invalid: /],
    [["start", "--bitcoin-network", "mainnet"], /--bitcoin-blocks or --bitcoin-rpc/],
    [["start", "--bitcoin-blocks", "b", "--bitcoin-network", "main"], /give one of mainnet, testnet3/],
    [["start", "--bitcoin-zmq", "tcp://127.0.0.1:1"], /^--bitcoin-zmq needs --bitcoin-rpc/],
    [["start", "--bitcoin-rpc", "http://x", "--bitcoin-zmq", "28332"], /is not a ZMQ address/],
    [["start", "--operator-port", "x"], /^--operator-port "x" is not a port/],
    [["start", "--blocks-in-place"], /^--blocks-in-place needs --bitcoin-blocks/],
    [["start", "--bitcoin-blocks", "b", "--bitcoin-cookie", "c"], /^--bitcoin-cookie needs --bitcoin-rpc/],
    [["start", "--bitcoin-rpc", "http://u:p@x", "--bitcoin-cookie", "c"], /contradict each other/],
    [["start", "--bitcoin-rpc", "localhost:8332"], /not an http or https URL/],
    [["start", "--bitcoin-rpc", "http://a", "--bitcoin-rpc", "http://a/"], /the same node more than once/],
    [["start", "--hedge-reads"], /^--hedge-reads needs --bitcoin-rpc or --ethereum-rpc/],
    [["start", "--ethereum-batch-limit", "9"], /^--ethereum-batch-limit needs --ethereum-rpc/],
    [["start", "--ethereum-rpc", "http://a", "--ethereum-batch-limit", "0"], /from 1 to/],
    [
      ["start", "--ethereum-rpc", "http://a", "--ethereum-chain-id", "main"],
      /^--ethereum-chain-id "main" is not a chain ID/,
    ],
    [["start", "--ethereum-rpc", "http://a", "--ethereum-rpc", "http://a/"], /the same node more than once/],
    [["start", "--bitcoin-rpc", "http://a", "--node-lag", "-1"], /^--node-lag/],
    [["start", "--bitcoin-rpc", "http://a", "--node-connections", "0"], /from 1 to/],
    [
      ["start", "--bitcoin-rpc", "http://a", "--bitcoin-cookie", "b", "--bitcoin-cookie", "c"],
      /one for all nodes, or one for each/,
    ],
    [["start", "--ethereum-rpc", "ws://x"], /not an http or https URL/],
  ])("refuses %j in one sentence with the way out", async (words, sentence) => {
    const refused = await read(words).catch((error: unknown) => error);

    expect(refused).toMatchObject({ name: "StartProblem", message: expect.stringMatching(sentence) });
    expect(String(refused)).not.toContain("\n");
  });

  it.each([
    ["--api-key", "secret secret"],
    ["--bitcoin-rpc", "http://user:secret@[bad"],
    ["--ethereum-rpc", "secret://key"],
    ["--bitcoin-rpc", "http://user:secret%zz@host"],
  ])("repeats no secret of a bad %s", async (option, value) => {
    const refused = await read(["start", option, value]).catch((error: unknown) => error);

    expect(refused).toMatchObject({ name: "StartProblem" });
    expect(String(refused)).not.toContain("secret");
  });

  it("describes in the help of verify that only the mempool is not checked", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    await readCommandLine(["verify", "--help"], {}, "1.2.3");
    const help = log.mock.calls.join("\n");
    log.mockRestore();
    expect(help).toContain("also of its optional indexes");
    expect(help.match(/not\s+checked/g)).toHaveLength(1);
    expect(help).toMatch(/The mempool is\s+not\s+checked/);
  });
});
