import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BlockNode, startBlockNode } from "./block-node.ts";
import { demoBlocks } from "./demo-blocks.ts";
import { requireProgram } from "../support/requirement.ts";
import {
  commandLineOf,
  commandOf,
  descendantsOf,
  endBy,
  isRunning,
  type Launch,
  launch,
  waitFor,
  waitForNodes,
} from "./launch.ts";

/** Gives a program a terminal. */
const script = requireProgram("script").path;

describe("nodewright-service start", { timeout: 120_000 }, () => {
  let directory: string;
  let launches: Launch[];
  const data = () => join(directory, "data");
  const readyFile = () => join(directory, "ready.json");

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "nodewright-start-"));
    launches = [];
  });

  afterEach(async () => {
    for (const launched of launches) {
      if (launched.child.exitCode === null) await endBy(launched, "SIGKILL");
    }
    await rm(directory, { recursive: true });
  });

  function start(words: readonly string[] = [], environment: Readonly<Record<string, string>> = {}): Launch {
    const launched = launch(
      ["start", "--port", "0", "--data", data(), "--ready-file", readyFile(), ...words],
      environment,
    );
    launches.push(launched);
    return launched;
  }

  async function startAndWait(words: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
    await rm(readyFile(), { force: true });
    const launched = start(words, environment);
    const nodes = await waitForNodes(launched, readyFile());
    const bitcoin = nodes.find(({ chain }) => chain === "bitcoin");
    const ethereum = nodes.find(({ chain }) => chain === "ethereum");
    if (bitcoin === undefined || ethereum === undefined) throw new Error("A node is missing");
    return { launched, nodes, bitcoin, ethereum };
  }

  /** The height of the index that a node serves. */
  async function tipHeight(node: { readonly interfaces: { readonly rest?: string }; readonly apikey: string }) {
    const answer = await fetch(`${node.interfaces.rest}/blocks/tip/height?apikey=${node.apikey}`);
    return answer.status === 200 ? Number(await answer.text()) : answer.status;
  }

  /** Runs to its end, and gives the one sentence that a refused start says. */
  async function refusal(
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const launched = start(words, environment);
    const { code } = await launched.ended;
    expect(code).toBe(1);
    expect(launched.output()).toBe("");
    expect(launched.errors()).toMatch(/^[^\n]+\.\n$/);
    expect(launched.errors()).not.toMatch(/\bat .*:\d+:\d+/);
    return launched.errors();
  }

  it("serves the demo on all interfaces, says how to call them, and stops in order", async () => {
    const { launched, bitcoin, ethereum } = await startAndWait();
    await waitFor(() => launched.output().includes("Ctrl-C"));

    expect((await stat(readyFile())).mode & 0o777).toBe(0o600);
    expect([bitcoin.id, ethereum.id]).toEqual(["bitcoin-mainnet", "ethereum-dev"]);
    expect(Object.keys(bitcoin.interfaces)).toEqual(["rest", "rpc"]);
    expect(Object.keys(ethereum.interfaces)).toEqual(["graphql"]);
    expect(await readFile(join(data(), "demo-key"), "utf8")).toBe(`${bitcoin.apikey}\n`);
    expect(await tipHeight(bitcoin)).toBe(14_131);
    expect(launched.output() + launched.errors()).not.toContain(bitcoin.apikey);
    expect(launched.output()).toContain(`API key: kept in ${join(data(), "demo-key")}\n`);
    for (const [line, status] of await runPastedLines(launched.output())) expect([line, status]).toEqual([line, 200]);
    expect(launched.errors()).toMatch(
      /bitcoin-mainnet: indexing, .*\n(?:.*\n)*bitcoin-mainnet: ready, height 14131, 14132 blocks, \d+\.\d MB\/s/,
    );

    const children = descendantsOf(launched.pid);
    const { code } = await endBy(launched, "SIGINT");
    expect(code).toBe(0);
    expect(children.filter(isRunning)).toEqual([]);
    await expect(stat(readyFile())).rejects.toThrow("ENOENT");
  });

  it.skipIf(script === undefined)("shows the key on a terminal, except one that was given", async () => {
    for (const words of [[], ["--api-key", "my-own-secret"]]) {
      await rm(readyFile(), { force: true });
      const command = commandOf(["start", "--port", "0", "--data", data(), "--ready-file", readyFile(), ...words]);
      const child = spawn(script ?? "", ["-qec", command.map((word) => `'${word}'`).join(" "), "/dev/null"], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      let shown = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
      await waitFor(() => shown.includes("Ctrl-C stops."));
      const key = (await readFile(join(data(), "demo-key"), "utf8")).trim();
      expect(shown.includes(key)).toBe(words.length === 0);
      expect(shown).not.toContain("my-own-secret");
      const ended = once(child, "close");
      // Ctrl-C.
      child.stdin.write("\u0003");
      await ended;
    }
  });

  /** Each line of the report that begins with `curl`, asked for as it stands there. */
  async function runPastedLines(report: string): Promise<[string, number][]> {
    const lines = report.split("\n").filter((line) => line.startsWith("  curl "));
    expect(lines).toHaveLength(3);
    return await Promise.all(
      lines.map(async (line): Promise<[string, number]> => {
        const url = /'(http[^']+)'$/.exec(line)?.[1] ?? "";
        const body = /-d '([^']+)'/.exec(line)?.[1];
        const keyFile = /-H "X-API-Key: \$\(cat '([^']+)'\)"/.exec(line)?.[1] ?? "";
        const headers = { "content-type": "application/json", "x-api-key": readFileSync(keyFile, "utf8").trim() };
        const answer = await fetch(url, body === undefined ? { headers } : { method: "POST", headers, body });
        return [line, answer.status];
      }),
    );
  }

  it("goes on with what it has at the second start, under the same key", async () => {
    const first = await startAndWait();
    await endBy(first.launched, "SIGTERM");

    const second = await startAndWait();

    expect(second.bitcoin.apikey).toBe(first.bitcoin.apikey);
    expect(await tipHeight(second.bitcoin)).toBe(14_131);
    expect(second.launched.errors()).not.toMatch(/\d+ blocks,/);
  });

  it("serves under a key of the caller's own, and that one alone", async () => {
    const first = await startAndWait();
    await endBy(first.launched, "SIGTERM");

    const { bitcoin, launched } = await startAndWait(["--api-key", "my own:key".replace(" ", "-")]);

    expect(bitcoin.apikey).toBe("my-own:key");
    expect(await tipHeight(bitcoin)).toBe(14_131);
    expect(await tipHeight({ ...bitcoin, apikey: first.bitcoin.apikey })).toBe(401);
    await waitFor(() => launched.output().includes("Ctrl-C"));
    expect(launched.output() + launched.errors()).not.toContain(first.bitcoin.apikey);
    expect(launched.output() + launched.errors()).not.toContain("my-own:key");
  });

  it("stops though callers hold connections and one has sent half a request", async () => {
    const { launched, bitcoin } = await startAndWait();
    const url = `${bitcoin.interfaces.rest}/blocks/tip/height?apikey=${bitcoin.apikey}`;
    const agent = new Agent({ keepAlive: true });
    await new Promise((resolve) => get(url, { agent }, (answer) => answer.resume().on("end", resolve)));
    const half = new AbortController();
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });
    const hanging = fetch(`${bitcoin.interfaces.rpc}?apikey=${bitcoin.apikey}`, {
      method: "POST",
      body,
      duplex: "half",
      signal: half.signal,
    } as RequestInit).catch(() => undefined);

    const { code } = await endBy(launched, "SIGTERM");

    // It has ended although the request is still under way.
    expect([code, half.signal.aborted]).toEqual([0, false]);
    half.abort();
    await hanging;
    agent.destroy();
  });

  it("takes its children with it when it is killed, and goes on afterwards", async () => {
    const { launched } = await startAndWait();
    const children = descendantsOf(launched.pid);
    expect(children.length).toBeGreaterThan(0);

    await endBy(launched, "SIGKILL");

    await waitFor(() => !children.some(isRunning));
    const { bitcoin } = await startAndWait();
    expect(await tipHeight(bitcoin)).toBe(14_131);
  });

  it("serves Ethereum next to a Bitcoin index that is damaged, and names the file and the way out", async () => {
    const { launched: first, bitcoin: sound } = await startAndWait();
    await endBy(first, "SIGTERM");
    const file = join(data(), "nodes/bitcoin-mainnet/demo/index/data.mdb");
    writeFileSync(file, readFileSync(file).fill("noise", 2 * 4_096));

    const { launched, bitcoin, ethereum } = await startAndWait();

    const rest = new URL(new URL(sound.interfaces.rest ?? "").pathname, bitcoin.endpoint).href;
    expect(await tipHeight({ interfaces: { rest }, apikey: bitcoin.apikey })).toBe(503);
    const answer = await fetch(`${ethereum.interfaces.graphql}?apikey=${ethereum.apikey}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "{ block(number: 0) { number } }" }),
    });
    expect([answer.status, await answer.json()]).toEqual([200, { data: { block: { number: "0x0" } } }]);
    expect(await (await fetch(new URL("/healthz", bitcoin.endpoint))).text()).toBe("degraded");
    expect(launched.errors()).toMatch(/bitcoin-mainnet: failed, .*data\.mdb.* to index anew/);
  });

  it("refuses a port in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const launched = launch(["start", "--port", port, "--data", data()]);
    launches.push(launched);

    expect((await launched.ended).code).toBe(1);
    expect(launched.errors()).toBe(
      `Port ${port} is in use by another program: stop that one, or choose another port with --port (0 picks a free one).\n`,
    );
    other.close();
  });

  it("refuses a data directory that another service uses", async () => {
    const { launched } = await startAndWait();

    const second = launch(["start", "--port", "0", "--data", data()]);
    launches.push(second);

    expect((await second.ended).code).toBe(1);
    expect(second.errors()).toContain(`is in use by another running service (process ${launched.pid}): stop that one`);
    expect(isRunning(launched.pid)).toBe(true);
  });

  it("refuses a data directory of another version", async () => {
    await mkdir(data());
    await writeFile(join(data(), "nodewright-data"), "0\n");

    expect(await refusal([])).toContain("was written by another version");
  });

  it("refuses an index of another version", async () => {
    const index = join(data(), "nodes/bitcoin-mainnet/demo");
    await mkdir(index, { recursive: true });
    await writeFile(join(data(), "nodewright-data"), "1\n");
    await writeFile(join(index, "layout.json"), '{"layout":9999,"network":"mainnet"}');

    expect(await refusal([])).toMatch(/layout 9999/);
  });

  it.each([
    [["--bitcoin-blocks", "/nowhere/at/all"], /can't be read \(ENOENT\)/],
    [["--bitcoin-blocks", import.meta.dirname], /holds no blk\*\.dat file/],
    [["--bitcoin-rpc", "http://user:secret@127.0.0.1:1/secret"], /did not report its network/],
    [["--host", "192.0.2.1"], /is not an address of this machine/],
    [["--unknown"], /Unknown argument/],
  ])("refuses %j", async (words, sentence) => {
    const said = await refusal(words);

    expect(said).toMatch(sentence);
    expect(said).not.toContain("secret");
  });

  describe("with a node", () => {
    let node: BlockNode;

    beforeAll(async () => {
      node = await startBlockNode(demoBlocks(100), "alice:pass word");
    });

    afterAll(() => node.close());

    it("asks it for its network, indexes its chain, follows it, and never shows its password", async () => {
      const credentials = { NODEWRIGHT_BITCOIN_USER: "alice", NODEWRIGHT_BITCOIN_PASSWORD: "pass word" };
      const { launched, bitcoin } = await startAndWait(["--bitcoin-rpc", `http://127.0.0.1:${node.port}`], credentials);
      expect(bitcoin.id).toBe("bitcoin-mainnet");
      expect(await tipHeight(bitcoin)).toBe(99);

      for (const block of demoBlocks(103).slice(100)) node.add(block);

      await waitFor(async () => (await tipHeight(bitcoin)) === 102);
      expect(launched.output() + launched.errors()).not.toContain("pass");
      const commandLines = descendantsOf(launched.pid).map(commandLineOf);
      expect(commandLines.join()).toContain("indexer");
      expect(commandLines.join()).not.toContain("pass word");
    });

    it("serves what it has when the node is gone, and says so", async () => {
      const credentials = { NODEWRIGHT_BITCOIN_USER: "alice", NODEWRIGHT_BITCOIN_PASSWORD: "pass word" };
      const gone = await startBlockNode(demoBlocks(10), "alice:pass word");
      const words = ["--bitcoin-rpc", `http://127.0.0.1:${gone.port}`];
      const first = await startAndWait(words, credentials);
      await endBy(first.launched, "SIGTERM");
      await gone.close();

      const { launched, bitcoin } = await startAndWait(words, credentials);

      expect(await tipHeight(bitcoin)).toBe(9);
      expect(launched.errors()).toMatch(/bitcoin-mainnet: stalled/);
      expect(await (await fetch(new URL("/healthz", bitcoin.endpoint))).text()).toBe("degraded");
    });

    it("starts its indexer again when it dies, and answers all the while", async () => {
      const url = `http://alice:pass%20word@127.0.0.1:${node.port}`;
      const { launched, bitcoin } = await startAndWait(["--bitcoin-rpc", url, "--bitcoin-network", "mainnet"]);
      const indexer = descendantsOf(launched.pid).find((pid) => commandLineOf(pid).includes("indexer"));
      const height = await tipHeight(bitcoin);

      process.kill(indexer ?? 0, "SIGKILL");
      await waitFor(() => launched.errors().includes("process has ended (signal SIGKILL); starting it again in 0.5 s"));
      expect(await tipHeight(bitcoin)).toBe(height);
      for (const block of demoBlocks(height + 3).slice(height + 1)) node.add(block);

      await waitFor(async () => (await tipHeight(bitcoin)) === height + 2);
      expect(launched.output() + launched.errors()).not.toContain("pass");
    });
  });
});
