// JSON-RPC as it stands on the wire: versions, HTTP statuses, keys, batches, what is off, and bodies that mean harm. Everything is
// sent as bytes to the started service, because clients in use write requests that no library of ours would.
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbeddedRegistry } from "../../packages/service/src/registry/embedded-registry.ts";
import type { Registry } from "../../packages/service/src/registry/registry.ts";
import { memoryOf, resetPeakMemory } from "../support/process-memory.ts";
import { measureTurnsOf, turnsEnvironment } from "../support/process-turns.ts";
import { type RawAnswer, rawPost, sendRaw } from "../support/raw-http.ts";
import type { ReadyNode } from "../support/service.ts";
import { endBy, type Launch, launch, waitForNodes } from "./launch.ts";

const tip = 14_131;
const mebibyte = 1024 * 1024;
/** CPU of one turn of the event loop: a body whose cost grows with the square of its length takes many times as much. */
const longestTurnMilliseconds = 1_000;

describe("JSON-RPC of the started service", { timeout: 120_000 }, () => {
  let directory: string;
  let launched: Launch;
  let registry: Registry;
  let node: ReadyNode;
  let key: string;
  let origin: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "nodewright-rpc-protocol-"));
    const readyFile = join(directory, "ready.json");
    const data = join(directory, "data");
    launched = launch(
      ["start", "--port", "0", "--keys-in-path", "--data", data, "--ready-file", readyFile],
      turnsEnvironment(join(directory, "turns.json")),
    );
    const nodes = await waitForNodes(launched, readyFile);
    node = nodes.find(({ chain }) => chain === "bitcoin") ?? expect.unreachable();
    key = node.apikey;
    origin = new URL(node.endpoint).origin;
    registry = await openEmbeddedRegistry(join(data, "registry"));
  });

  afterAll(async () => {
    await registry?.close();
    await endBy(launched, "SIGTERM");
    await rm(directory, { recursive: true });
  });

  /** Does something, and gives the CPU of the service's longest turn meanwhile, in milliseconds. */
  const measured = async <Answer>(work: () => Promise<Answer>) => {
    let answer: Answer | undefined;
    const { longestMilliseconds } = await measureTurnsOf(launched.pid, join(directory, "turns.json"), async () => {
      answer = await work();
    });
    return { answer: answer as Answer, turn: longestMilliseconds };
  };
  const target = () => `/${node.id}/?apikey=${key}`;
  const send = (body: string | Buffer, ...headers: readonly string[]): Promise<RawAnswer> =>
    sendRaw(origin, rawPost(target(), body, ...headers));
  const ask = async (request: unknown) => {
    const { status, body } = await send(typeof request === "string" ? request : JSON.stringify(request));
    return { status, body: body === "" ? undefined : JSON.parse(body) };
  };

  it("bounds the responses of a batch together, and says so in place of those that are left out", async () => {
    const calls = Array.from({ length: 100 }, (_, id) => ({ id, method: "rpc.discover" }));
    const { status, body } = await send(JSON.stringify(calls));
    const responses = JSON.parse(body) as readonly { readonly id: number; readonly error: object | null }[];
    const leftOut = responses.filter(({ error }) => error !== null);

    expect(status).toBe(200);
    expect(responses.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    expect(leftOut.length).toBeGreaterThan(0);
    expect(leftOut.length).toBeLessThan(calls.length);
    for (const { error } of leftOut) {
      expect(error).toMatchObject({ code: -32600, data: { reason: "batch-answer-too-large", limit: 8 * mebibyte } });
    }
    expect(Buffer.byteLength(body) - Buffer.byteLength(JSON.stringify(leftOut))).toBeLessThan(8 * mebibyte + 1_000);
  });

  describe("speaks every version", () => {
    it.each([
      [
        "2.0",
        '{"jsonrpc":"2.0","id":1,"method":"getblockcount","params":[]}',
        `{"jsonrpc":"2.0","result":${tip},"error":null,"id":1}`,
      ],
      [
        "1.0, as Go's rpcclient",
        '{"jsonrpc":"1.0","method":"getblockcount","params":[],"id":1}',
        `{"jsonrpc":"1.0","result":${tip},"error":null,"id":1}`,
      ],
      [
        "1.1 by another member, as python-bitcoinrpc",
        '{"version": "1.1", "method": "getblockcount", "params": [], "id": 1}',
        `{"result":${tip},"error":null,"id":1}`,
      ],
      [
        "none, as npm's bitcoin-core",
        '{"id":"1700000000000-0","method":"getblockcount","params":[]}',
        `{"result":${tip},"error":null,"id":"1700000000000-0"}`,
      ],
      [
        "a jsonrpc that is null",
        '{"jsonrpc":null,"id":1,"method":"getblockcount"}',
        `{"result":${tip},"error":null,"id":1}`,
      ],
      [
        "params that are null",
        '{"id":null,"method":"getblockcount","params":null}',
        `{"result":${tip},"error":null,"id":null}`,
      ],
      ["no id in an older version", '{"method":"getblockcount"}', `{"result":${tip},"error":null,"id":null}`],
      [
        "an id that is null in 2.0",
        '{"jsonrpc":"2.0","method":"getblockcount","id":null}',
        `{"jsonrpc":"2.0","result":${tip},"error":null,"id":null}`,
      ],
      ["a byte order mark", '\uFEFF{"id":1,"method":"getblockcount"}', `{"result":${tip},"error":null,"id":1}`],
      ["space around", ' \r\n\t{"id":1,"method":"getblockcount"} \n', `{"result":${tip},"error":null,"id":1}`],
      ["escapes", '{"\\u0069d":"\\u00e9","method":"get\\u0062lockcount"}', `{"result":${tip},"error":null,"id":"é"}`],
      [
        "an id of half a character",
        '{"id":"\\ud800","method":"getblockcount"}',
        `{"result":${tip},"error":null,"id":"\\ud800"}`,
      ],
      ["an id that no number is", '{"id":1e400,"method":"getblockcount"}', `{"result":${tip},"error":null,"id":1e400}`],
      [
        "a long id",
        '{"id":12345678901234567890,"method":"getblockcount"}',
        `{"result":${tip},"error":null,"id":12345678901234567890}`,
      ],
      [
        "parameters by name",
        '{"id":1,"method":"getblockhash","params":{"height":0}}',
        '{"result":"000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f","error":null,"id":1}',
      ],
      [
        "a parameter by Bitcoin Core's name for it",
        '{"id":1,"method":"getnetworkhashps","params":{"nblocks":120,"height":0}}',
        '{"result":0,"error":null,"id":1}',
      ],
      [
        "the first parameters by position among named ones",
        '{"id":1,"method":"getblockheader","params":{"args":["000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"],"verbose":false}}',
        '{"result":"0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c","error":null,"id":1}',
      ],
    ])("%s", async (_name, request, answer) => {
      for (const headers of [
        [],
        ["content-type: application/json"],
        ["content-type: text/plain"],
        ["content-type: ;"],
      ]) {
        const { status, headers: answered, body } = await send(request, ...headers);
        expect([status, answered.get("content-type"), body]).toEqual([200, "application/json", answer]);
      }
    });

    it("executes a notification of 2.0 and says nothing; older versions have none", async () => {
      expect(await ask('{"jsonrpc":"2.0","method":"getblockcount"}')).toEqual({ status: 204, body: undefined });
      expect(await ask('[{"jsonrpc":"2.0","method":"getblockcount"}]')).toEqual({ status: 204, body: undefined });
      expect(await ask('{"jsonrpc":"2.0","method":"no-such-method"}')).toEqual({ status: 204, body: undefined });
      expect(
        (await ask('[{"jsonrpc":"2.0","method":"getblockcount"},{"id":1,"method":"getblockcount"}]')).body,
      ).toHaveLength(1);
    });
  });

  describe("has the HTTP status of the version", () => {
    const request = (version: string | undefined, method: string, params: unknown = []) => ({
      jsonrpc: version,
      id: 1,
      method,
      params,
    });
    it.each([
      ["an unknown method", "nosuchmethod", [], -32_601, 404],
      ["a method in another case", "GetBlockCount", [], -32_601, 404],
      ["a method that is off", "getmempoolinfo", [], -32_601, 404],
      ["wrong parameters", "getblockhash", ["x"], -3, 500],
      ["a height out of range", "getblockhash", [1_000_000], -8, 500],
      ["params of a wrong type", "getblockhash", "x", -32_600, 400],
    ])("%s", async (_name, method, params, code, legacyStatus) => {
      expect(await ask(request("2.0", method, params))).toMatchObject({ status: 200, body: { error: { code } } });
      for (const version of ["1.0", "1.1", undefined]) {
        const legacy = request(version, method, params);
        expect(await ask(legacy)).toMatchObject({
          status: legacyStatus,
          body: { result: null, error: { code }, id: 1 },
        });
        expect(await ask([legacy])).toMatchObject({ status: 200, body: [{ error: { code } }] });
      }
    });

    it.each([
      ["an unknown version", '{"jsonrpc":"3.0","id":1,"method":"getblockcount"}', 400, -32_600, 1],
      ["a version that is no text", '{"jsonrpc":2.0,"id":1,"method":"getblockcount"}', 400, -32_600, 1],
      ["no method", '{"jsonrpc":"2.0","id":1}', 200, -32_600, 1],
      ["a method that is no text", '{"id":1,"method":{"$gt":""}}', 400, -32_600, 1],
      ["an id that is a list", '{"jsonrpc":"2.0","id":[1],"method":"getblockcount"}', 200, -32_600, null],
      ["a number", "5", 400, -32_600, null],
      ["null", "null", 400, -32_600, null],
      ["an empty batch", "[]", 200, -32_600, null],
      ["no JSON", "{", 200, -32_700, null],
      ["nothing", "", 200, -32_700, null],
      [
        "two requests that are no batch",
        '{"id":1,"method":"getblockcount"}{"id":2,"method":"getblockcount"}',
        200,
        -32_700,
        null,
      ],
    ])("%s", async (_name, body, status, code, id) => {
      expect(await ask(body)).toMatchObject({ status, body: { result: null, error: { code }, id } });
    });
  });

  describe("takes the key in each form", () => {
    const request = '{"version":"1.1","method":"getblockcount","params":[],"id":1}';
    const basic = (password: string): string => `authorization: Basic ${btoa(`__user__:${password}`)}`;
    const forms: Readonly<Record<string, () => readonly [target: string, ...headers: string[]]>> = {
      "the query": () => [`/${node.id}/?apikey=${key}`],
      "the query of a path without slash": () => [`/${node.id}?apikey=${key}`],
      "the query with a slash glued to it": () => [`/${node.id}/?apikey=${key}/`],
      "the query, closed, with a slash behind it": () => [`/${node.id}/?apikey=${key}&/`],
      "the path": () => [`/${node.id}/key/${key}`],
      "the path with a slash": () => [`/${node.id}/key/${key}/`],
      "an absolute target": () => [`http://localhost/${node.id}/?apikey=${key}`],
      "a header": () => [`/${node.id}/`, `X-API-Key: ${key}`],
      "a password": () => [`/${node.id}/`, basic(key)],
      "a password at a path without slash": () => [`/${node.id}`, basic(key)],
      "a password whose scheme is spelled otherwise": () => [`/${node.id}/`, basic(key).replace("Basic", "basic")],
      "all of them, the same": () => [`/${node.id}/key/${key}/?apikey=${key}`, `X-API-Key: ${key}`, basic(key)],
    };
    it.each(Object.keys(forms))("%s", async (name) => {
      const [path, ...headers] = forms[name]?.() ?? expect.unreachable();
      const { status, body } = await sendRaw(origin, rawPost(path, request, ...headers));
      expect([status, body]).toEqual([200, `{"result":${tip},"error":null,"id":1}`]);
    });

    it("and refuses two that differ, and each that is wrong, with one body that JSON-RPC's clients can read", async () => {
      const refused: readonly (readonly [string, ...string[]])[] = [
        [`/${node.id}/`],
        [`/${node.id}/?apikey=wrong/`],
        [`/${node.id}/?apikey=${key}//`],
        [`/${node.id}/key/wrong/`],
        [`/${node.id}/key/`],
        [`/${node.id}/key/wrong/?apikey=${key}`],
        [`/${node.id}/key/${key}/?apikey=wrong`],
        [`/${node.id}/key/${key}/`, basic("wrong")],
        [`/${node.id}/?apikey=${key}/`, basic("wrong")],
        [`/${node.id}/`, basic("wrong")],
        [`/${node.id}/`, "X-API-Key: wrong"],
      ];
      const bodies = new Set<string>();
      for (const [path, ...headers] of refused) {
        const { status, headers: answered, body } = await sendRaw(origin, rawPost(path, request, ...headers));
        expect([path, status, answered.get("content-type")]).toEqual([path, 401, "application/json"]);
        bodies.add(body);
      }
      expect([...bodies].map((body) => JSON.parse(body))).toMatchObject([
        { result: null, error: { code: -32_001 }, id: null },
      ]);
    });

    it("and lets none stand in the path of a node that is not set up for it, with the next request", async () => {
      const inPath = () => sendRaw(origin, rawPost(`/${node.id}/key/${key}/`, request));
      const record = registry.listNodes().find(({ id }) => id === node.id) ?? expect.unreachable();
      const { keyInPath: _, ...without } = record;
      await registry.putNode(without);
      const { status, body } = await inPath();
      expect([status, JSON.parse(body).error.code]).toEqual([401, -32_001]);
      expect((await send(request)).status).toBe(200);
      await registry.putNode(record);
      expect((await inPath()).status).toBe(200);
    });
  });

  describe("requests a body that waits to be requested", () => {
    const head = (path: string, length: number): string =>
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: ${length}\r\n\r\n`;

    it("when it is going to be read", async () => {
      const request = '{"id":1,"method":"getblockcount"}';
      const socket = connect(Number(new URL(origin).port), "127.0.0.1");
      let received = "";
      const arrived = (pattern: RegExp) => expect.poll(() => received).toMatch(pattern);
      socket.on("data", (chunk) => (received += chunk.toString()));
      for (const _ of [1, 2]) {
        received = "";
        socket.write(head(target(), request.length));
        await arrived(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
        socket.write(request);
        await arrived(/HTTP\/1\.1 200 OK[\s\S]*"result":14131/);
      }
      socket.destroy();
    });

    it.each([
      ["a wrong key", () => head(`/${node.id}/?apikey=wrong`, 100), 401],
      ["a body that is too large", () => head(target(), 100 * mebibyte), 413],
      ["a method of HTTP that is none of JSON-RPC", () => head(target(), 100).replace("POST", "PUT"), 405],
    ])("and not otherwise: %s", async (_name, request, status) => {
      const answer = await sendRaw(origin, request());
      expect([answer.before, answer.status, answer.headers.get("connection")]).toEqual([[], status, "close"]);
    });
  });

  describe("lets methods be called that are on", () => {
    const off = (method: string) => ({
      code: -32_601,
      message: expect.stringContaining(method),
      data: { reason: "method-disabled", method, enable: expect.stringMatching(/operator|node of your own/) },
    });
    const switchMethod = (method: string, state: "on" | "off") => {
      const [subscription] = registry.listSubscriptions(node.id);
      return registry.setMethodAccess({
        subscriptionId: subscription?.id ?? "",
        interface: "rpc",
        method,
        state,
        changedBy: "test",
      });
    };
    const errorsOf = async (...requests: readonly string[]) => {
      const { body } = await ask(`[${requests.join(",")}]`);
      return body.map(({ error }: { readonly error: unknown }) => error);
    };

    it("whatever the spelling of the name", async () => {
      const spellings = ['"getmempoolinfo"', '"get\\u006dempoolinfo"', '"\\u0067\\u0065tmempoolinfo"'];
      const requests = spellings.map((method) => `{"id":1,"method":${method}}`);
      expect(await errorsOf(...requests)).toEqual(spellings.map(() => off("getmempoolinfo")));
      for (const request of requests) expect((await ask(request)).body.error).toEqual(off("getmempoolinfo"));
      const others = [
        "GETMEMPOOLINFO",
        "getmempoolinfo ",
        " getmempoolinfo",
        "getmempoolinfo\\u0000",
        "getmempoolinf\\u043e",
      ];
      const unknown = await errorsOf(...others.map((method) => `{"id":1,"method":"${method}"}`));
      expect(unknown).toEqual(
        others.map(() => expect.objectContaining({ data: expect.objectContaining({ reason: "unknown-method" }) })),
      );
      expect((await ask('{"id":1,"method":"getblockcount","method":"getmempoolinfo"}')).body.error).toEqual(
        off("getmempoolinfo"),
      );
      expect((await ask('{"id":1,"method":"getmempoolinfo","method":"getblockcount"}')).body.result).toBe(tip);
    });

    it("from the next request after they are switched on, in batches too, and as help and discovery say", async () => {
      const requests = ["verifytxoutproof", "verifytxoutput"].map(
        (method) => `{"id":1,"method":"${method}","params":["00"]}`,
      );
      const isListed = async () => {
        const { body: help } = await ask('{"id":1,"method":"help"}');
        const { body: discovery } = await ask('{"id":1,"method":"rpc.discover"}');
        const [on = ""] = String(help.result).split("== Disabled ==");
        const names = discovery.result.methods.map(({ name }: { readonly name: string }) => name);
        return [on.includes("verifytxoutput"), names.includes("verifytxoutput"), names.includes("verifytxoutproof")];
      };
      expect(await errorsOf(...requests)).toEqual([off("verifytxoutproof"), off("verifytxoutput")]);
      expect(await isListed()).toEqual([false, false, false]);
      await switchMethod("verifytxoutput", "on");
      for (const error of await errorsOf(...requests)) expect(error).toMatchObject({ code: -22 });
      expect(await isListed()).toEqual([true, true, true]);
      await switchMethod("verifytxoutproof", "off");
      expect(await errorsOf(...requests)).toEqual([off("verifytxoutproof"), off("verifytxoutput")]);
    });

    it("and never such as act on a node that is shared", async () => {
      const { body } = await ask('{"id":1,"method":"help"}');
      expect(body.result).toContain("== Disabled ==");
      for (const method of ["stop", "addnode", "invalidateblock", "pruneblockchain", "submitblock"]) {
        await switchMethod(method, "on");
        expect(await errorsOf(`{"id":1,"method":"${method}","params":["00"]}`)).toEqual([
          {
            ...off(method),
            data: { reason: "method-disabled", method, enable: expect.stringContaining("node of your own") },
          },
        ]);
      }
    });
  });

  describe("bounds what a body costs", () => {
    const count = '{"jsonrpc":"2.0","id":1,"method":"getblockcount"}';
    const many = (member: string, members: number): string => `[${Array(members).fill(member).join(",")}]`;
    const withParameter = (value: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"getblockhash","params":[${value}]}`;

    /** Name, body, HTTP status and code of the error; 0 where the answer is no error. */
    const hostile: readonly (readonly [name: string, body: () => string | Buffer, status: number, code: number])[] = [
      ["brackets in brackets", () => "[".repeat(mebibyte - 1), 200, -32_600],
      ["brackets in brackets, closed", () => "[".repeat(mebibyte / 2) + "]".repeat(mebibyte / 2), 200, -32_600],
      ["objects in objects", () => '{"a":'.repeat(200_000), 200, -32_600],
      ["brackets in params", () => withParameter("[".repeat(500_000) + "]".repeat(500_000)), 200, -32_600],
      ["a body of just the limit", () => `${count}${" ".repeat(mebibyte - count.length)}`, 200, 0],
      ["a body over the limit", () => `${count}${" ".repeat(mebibyte)}`, 413, -32_600],
      ["10,000 members", () => many(count, 10_000), 413, -32_600],
      ["half a million members", () => many("1", 500_000), 413, -32_600],
      ["a million empty lists", () => many("[]", 340_000), 413, -32_600],
      ["a member of each key twice", () => `{"jsonrpc":"3.0",${count.slice(1, -1)},"method":"getblockcount"}`, 200, 0],
      ["100,000 keys", () => `{${Array.from({ length: 90_000 }, (_, at) => `"k${at}":0`).join(",")}}`, 400, -32_600],
      [
        "100,000 unknown parameters",
        () =>
          `{"jsonrpc":"2.0","id":1,"method":"getblockhash","params":{${Array.from({ length: 90_000 }, (_, at) => `"k${at}":0`).join(",")}}}`,
        200,
        -8,
      ],
      ["100,000 parameters", () => withParameter(Array(400_000).fill("1").join(",")), 200, -1],
      ["bytes that are no UTF-8", () => Buffer.from(count.replace("1", '"\u00ff"'), "latin1"), 200, -32_700],
      [
        "an overlong encoding",
        () => Buffer.from([...Buffer.from('{"id":"'), 0xc0, 0x80, ...Buffer.from('"}')]),
        200,
        -32_700,
      ],
      [
        "half a character in UTF-8",
        () => Buffer.from([...Buffer.from('{"id":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
        200,
        -32_700,
      ],
      ["UTF-16", () => Buffer.from(`\uFEFF${count}`, "utf16le"), 200, -32_700],
      ["zero bytes", () => Buffer.alloc(100_000), 200, -32_700],
      ["a number of a million digits", () => withParameter("9".repeat(1_000_000)), 200, -1],
      ["an infinite number", () => withParameter("1e400"), 200, -1],
      ["a fraction of a million digits", () => withParameter(`0.${"1".repeat(1_000_000)}`), 200, -1],
      ["60,000 long integers", () => withParameter(`[${Array(55_000).fill("9".repeat(18)).join(",")}]`), 200, -3],
      [
        "a thousand integers of a thousand digits",
        () => withParameter(`[${Array(1_000).fill("9".repeat(1_000)).join(",")}]`),
        200,
        -3,
      ],
      [
        "a method of a million characters",
        () => `{"jsonrpc":"2.0","id":1,"method":"${"m".repeat(1_000_000)}"}`,
        200,
        -32_601,
      ],
      [
        "a version of a million characters",
        () => `{"jsonrpc":"${"2".repeat(1_000_000)}","id":1,"method":"m"}`,
        400,
        -32_600,
      ],
      ["an id of a million digits", () => count.replace("1", "9".repeat(1_000_000)), 200, 0],
      ["an id of a million characters", () => count.replace("1", `"${"\\u0000".repeat(170_000)}"`), 200, 0],
      [
        "a hash of a million characters",
        () =>
          withParameter("1")
            .replace("hash", "header")
            .replace("[1]", `["${"0".repeat(1_000_000)}"]`),
        200,
        -8,
      ],
      [
        "__proto__ as params",
        () => '{"jsonrpc":"2.0","id":1,"method":"getblockhash","params":{"__proto__":{"height":1}}}',
        200,
        -8,
      ],
      ["__proto__ as a request", () => `{"__proto__":${count}}`, 400, -32_600],
      ["__proto__ as a method", () => '{"jsonrpc":"2.0","id":1,"method":"__proto__"}', 200, -32_601],
      ["constructor as a method", () => '{"jsonrpc":"2.0","id":1,"method":"constructor"}', 200, -32_601],
      [
        "a million quotes that are escaped",
        () => `{"jsonrpc":"2.0","id":1,"method":"${'\\"'.repeat(500_000)}"}`,
        200,
        -32_601,
      ],
      ["a million backslashes", () => `{"jsonrpc":"2.0","id":1,"method":"${"\\\\".repeat(500_000)}"}`, 200, -32_601],
      ["a million backslashes without an end", () => `{"id":"${"\\".repeat(1_000_000)}`, 200, -32_700],
      [
        "half a million ids",
        () => `{"a":"${'\\"id\\": '.repeat(120_000)}","id":1.0,"jsonrpc":"2.0","method":"getblockcount"}`,
        200,
        0,
      ],
      [
        "a million spaces behind an id",
        () => `{"id"${" ".repeat(1_000_000)}:1,"jsonrpc":"2.0","method":"getblockcount"}`,
        200,
        0,
      ],
    ];
    it.each(hostile)("%s", async (_name, body, status, code) => {
      const bytes = body();
      resetPeakMemory(launched.pid);
      const before = memoryOf(launched.pid).peak;
      const { answer, turn } = await measured(() => send(bytes));
      const { error } = JSON.parse(answer.body);
      expect([answer.status, error?.code ?? 0]).toEqual([status, code]);
      expect(turn).toBeLessThan(longestTurnMilliseconds);
      expect(answer.body.length).toBeLessThan(code === 0 ? 2 * mebibyte : 10_000);
      expect(memoryOf(launched.pid).peak - before).toBeLessThan(200 * mebibyte);
      expect((await ask(count)).body).toMatchObject({ result: tip });
    });

    it("of many at once, with others answered meanwhile", async () => {
      resetPeakMemory(launched.pid);
      const before = memoryOf(launched.pid).peak;
      const bodies = hostile.map(([, body]) => body());
      const { turn } = await measured(async () => {
        const answers = Promise.all(bodies.map((body) => send(body)));
        let isOver = false;
        void answers.finally(() => (isOver = true));
        while (!isOver) expect((await send(count)).status).toBe(200);
        await answers;
      });
      expect(turn).toBeLessThan(longestTurnMilliseconds);
      expect(memoryOf(launched.pid).peak - before).toBeLessThan(600 * mebibyte);
    });

    it("of callers who send slowly, with others answered meanwhile", async () => {
      resetPeakMemory(launched.pid);
      const before = memoryOf(launched.pid).peak;
      const sockets = await Promise.all(
        Array.from({ length: 300 }, async (_, at) => {
          const socket = await opened(origin);
          const head = `POST ${target()} HTTP/1.1\r\nhost: localhost\r\n`;
          const framing =
            at % 2 === 0 ? "content-length: 1000000\r\n\r\n[" : "transfer-encoding: chunked\r\n\r\n1\r\n[\r\n";
          socket.write(at % 3 === 0 ? head : head + framing);
          return socket;
        }),
      );
      for (let round = 0; round < 5; round += 1) {
        for (const socket of sockets) socket.write(" ");
        const { answer, turn } = await measured(() => send(count));
        expect(answer.status).toBe(200);
        expect(turn).toBeLessThan(longestTurnMilliseconds);
      }
      expect(memoryOf(launched.pid).peak - before).toBeLessThan(200 * mebibyte);
      for (const socket of sockets) socket.destroy();
    });
  });

  describe("answers batches", () => {
    it("in their order, each member for itself", async () => {
      const { status, body } = await ask([
        { jsonrpc: "2.0", id: "a", method: "getblockhash", params: [1] },
        5,
        [],
        { jsonrpc: "2.0", id: 2, method: "nosuchmethod" },
        { jsonrpc: "2.0", method: "getblockcount" },
        { id: null, method: "getblockcount" },
        { jsonrpc: "3.0", id: 3, method: "getblockcount" },
        { jsonrpc: "2.0", id: "a", method: "getblockhash", params: { height: 2 } },
      ]);
      expect(status).toBe(200);
      expect(
        body.map(({ id, error }: { id: unknown; error: { code: number } | null }) => [id, error?.code ?? 0]),
      ).toEqual([
        ["a", 0],
        [null, -32_600],
        [null, -32_600],
        [2, -32_601],
        [null, 0],
        [3, -32_600],
        ["a", 0],
      ]);
    });
  });
});

function opened(origin: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1", () => resolve(socket));
    socket.on("error", reject);
  });
}
