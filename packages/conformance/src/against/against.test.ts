import { describe, expect, test } from "vitest";
import type { Report } from "../contract/report.ts";
import { playSuite } from "../run/play-suite.ts";
import { librarySchema, librarySuite, serveLibrary } from "../testing/graphql-library.ts";
import { describedListener, MethodFailure } from "../protocols/jsonrpc/testing/described-server.ts";
import { sendJson, serve } from "../run/testing/serve.ts";
import { httpOperation, httpSuite, rpcMethod, rpcSuite } from "../run/testing/suites.ts";
import type { SuiteType } from "../suite/suite-type.ts";
import type { AcrossRelation, MayDiffer } from "../contract/options.ts";
import type { ConformanceSuite, SuiteParameter } from "../suite/suite.ts";
import { readRelation } from "../relations/relation-expression.ts";
import { relationsBetween } from "./read-interfaces.ts";
import { parseMayDiffer } from "./read-may-differ.ts";

const text: SuiteType = { kind: "string" };
const hash = "ab".repeat(32);
const personId: SuiteParameter = { name: "id", property: "id", location: "argument", required: true, type: text };
const personType: SuiteType = {
  kind: "record",
  members: ["id", "name"].map((name) => ({ name, required: true, type: text })),
};
const block: SuiteType = {
  kind: "record",
  members: [
    { name: "hash", required: true, type: text },
    { name: "note", required: true, type: text },
    { name: "confirmations", required: true, type: { kind: "number", integer: true } },
  ],
} as unknown as SuiteType;

const suite = httpSuite([
  httpOperation("getTip", "/tip", text),
  httpOperation("getBlock", "/block/{hash}", block, {
    isImmutable: true,
    parameters: [
      {
        name: "hash",
        property: "hash",
        location: "path",
        required: true,
        style: "simple",
        explode: false,
        type: text,
        examples: [hash],
      },
    ] as unknown as ReturnType<typeof httpOperation>["parameters"],
    examples: [{ name: "one", input: { hash }, outcome: { kind: "success", status: 200, value: null }, isLive: true }],
  }),
]);

/** Serves a node with a tip and one block. */
function serveNode(tip: string, note: string, confirmations: number): Promise<string> {
  return serve((request, response) => {
    if (request.url === "/tip") sendJson(response, 200, tip);
    else if (request.url === `/block/${hash}`) sendJson(response, 200, { confirmations, note, hash });
    else sendJson(response, 404, {});
  });
}

async function compare(other: string, mayDiffer: readonly MayDiffer[] = []): Promise<Report> {
  const baseUrl = await serveNode("a", "first", 5);
  return playSuite(suite, { baseUrl, against: other, mayDiffer, only: ["*/against/*"], seed: "01", rate: 2_000 });
}

function verdicts(report: Report): Readonly<Record<string, string>> {
  return Object.fromEntries(report.cases.map(({ id, verdict }) => [id, verdict]));
}

test("targets that differ in what moves by itself alone are alike", async () => {
  const report = await compare(await serveNode("b", "first", 6));
  expect(verdicts(report)).toMatchObject({ "getTip/against/answers": "passed", "getBlock/against/answers": "passed" });
  expect(report).toMatchObject({ outcome: "conforms", against: expect.stringContaining("127.0.0.1") });
});

test("another value of what can't change fails, at its place, unless it may differ", async () => {
  const other = await serveNode("a", "second", 5);
  const report = await compare(other);
  expect(verdicts(report)["getBlock/against/answers"]).toBe("failed");
  const finding = report.cases.find(({ id }) => id === "getBlock/against/answers")?.findings[0];
  expect(finding).toMatchObject({ rule: "A02", pointer: "/note" });
  expect(finding?.message).not.toContain("first");
  const rules = parseMayDiffer(
    "rules.yaml",
    "format: 1\ndifferences:\n  - { operation: getBl*, pointer: /note, reason: Free text. }\n",
  );
  expect(verdicts(await compare(other, rules))["getBlock/against/answers"]).toBe("passed");
});

test("what one answers and the other one refuses fails", async () => {
  const other = await serve((request, response) => sendJson(response, request.url === "/tip" ? 200 : 404, "a"));
  const report = await compare(other);
  expect(report.cases.find(({ id }) => id === "getBlock/against/answers")).toMatchObject({
    verdict: "failed",
    findings: [{ rule: "A01" }],
  });
});

test("what fails at both with another status is told", async () => {
  const nowhere = {
    name: "none",
    input: { hash: "cd".repeat(32) },
    outcome: { kind: "failure", status: 404 },
  } as const;
  const failing = httpSuite(
    suite.operations.map((one) => (one.name === "getBlock" ? { ...one, examples: [...one.examples, nowhere] } : one)),
  );
  const other = await serve((request, response) => {
    if (request.url === "/tip") sendJson(response, 200, "a");
    else if (request.url === `/block/${hash}`) sendJson(response, 200, { confirmations: 5, note: "first", hash });
    else sendJson(response, 410, {});
  });
  const baseUrl = await serveNode("a", "first", 5);
  const report = await playSuite(failing, { baseUrl, against: other, only: ["*/against/*"], seed: "01", rate: 2_000 });
  expect(report.cases.find(({ id }) => id === "getBlock/against/failures")).toMatchObject({
    verdict: "warned",
    findings: [{ rule: "A03" }],
  });
});

test("a second target that is not there is no fault of the first", async () => {
  const report = await compare("http://127.0.0.1:1");
  expect(report.totals).toMatchObject({ failed: 0, passed: 0 });
  expect(report.against).toBeUndefined();
});

test("a file of what may differ is told its mistakes with their lines", () => {
  expect(() =>
    parseMayDiffer("rules.yaml", "format: 1\ndifferences:\n  - { operation: a, pointr: /b, reason: c }\n"),
  ).toThrow(/rules\.yaml.*3.*pointr/s);
});

test("two interfaces of the same data are held to what both tell", async () => {
  const other = rpcSuite([rpcMethod("getbest", text)]);
  const relations: readonly AcrossRelation[] = [
    { operation: "getTip", name: "same-tip", holds: '$other("getbest", {}) = $', because: "There is one tip." },
  ];
  const play = async (best: string): Promise<Report> => {
    const baseUrl = await serveNode("a", "first", 5);
    const rpcUrl = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown };
      sendJson(response, 200, { jsonrpc: "2.0", result: best, error: null, id });
    });
    const across = { suite: { ...other, envelope: "both" as const }, baseUrl: rpcUrl, relations };
    return playSuite(suite, { baseUrl, across, only: ["*/against/*"], seed: "01", rate: 2_000 });
  };
  expect(verdicts(await play("a"))).toMatchObject({ "getTip/against/same-tip": "passed" });
  expect(verdicts(await play("b"))).toMatchObject({ "getTip/against/same-tip": "failed" });
});

describe("two interfaces, one of them of GraphQL", () => {
  const persons = rpcSuite(
    [
      rpcMethod("getperson", personType, { parameters: [personId] }),
      rpcMethod("listpersons", { kind: "list", element: personType }),
    ],
    { envelope: "one" },
  );
  const people = ["Ada", "Bo", "Cy"].map((name, index) => ({ id: `p${index}`, name }));

  /** Serves the persons of the library by JSON-RPC. */
  const servePersons = (change: (person: (typeof people)[number]) => unknown = (person) => person): Promise<string> =>
    serve(
      describedListener(persons, {
        getperson: ({ id }) => {
          const person = people.find((one) => one.id === id);
          if (person === undefined) throw new MethodFailure(-32602, "Invalid params");
          return change(person);
        },
        listpersons: () => people.map(change),
      }),
    );
  const renamed = (person: (typeof people)[number]): unknown => ({ ...person, name: `${person.name}!` });

  const playAcross = async (
    own: { readonly suite: ConformanceSuite; readonly baseUrl: string },
    across: {
      readonly suite: ConformanceSuite;
      readonly baseUrl: string;
      readonly relations: readonly AcrossRelation[];
    },
  ): Promise<Readonly<Record<string, string>>> => {
    const report = await playSuite(own.suite, { baseUrl: own.baseUrl, across, seed: "01", rate: 10_000 });
    return Object.fromEntries(
      report.cases.filter(({ group }) => group === "against").map(({ id, verdict }) => [id, verdict]),
    );
  };
  const byGraphql: readonly AcrossRelation[] = [
    {
      operation: "Query.person",
      name: "same-name",
      holds: '$other("getperson", {"id": person.id}).name = person.name',
    },
  ];
  const byRpc: readonly AcrossRelation[] = [
    {
      operation: "listpersons",
      name: "same-names",
      holds: '[$.($other("Query.person", {"id": id}).person.name = name)]',
    },
  ];

  test("are compared from either side", async () => {
    const library = await serveLibrary({});
    const own = { suite: librarySuite(), baseUrl: library.url };
    const right = { suite: persons, baseUrl: await servePersons() };
    const wrong = { suite: persons, baseUrl: await servePersons(renamed) };
    const found = [
      await playAcross(own, { ...right, relations: byGraphql }),
      await playAcross(own, { ...wrong, relations: byGraphql }),
      await playAcross(right, { ...own, relations: byRpc }),
      await playAcross(wrong, { ...own, relations: byRpc }),
    ];
    await library.close();
    expect(found).toEqual([
      { "Query.person/against/same-name": "passed" },
      { "Query.person/against/same-name": "failed" },
      { "listpersons/against/same-names": "passed" },
      { "listpersons/against/same-names": "failed" },
    ]);
  });

  test("both of them of GraphQL, are compared by the fields that both have", async () => {
    const schema = librarySchema.replace("  itemCount: Int!\n", "  age: Int\n").replace("kind: Kind, limit", "limit");
    const [own, same, other] = [
      await serveLibrary({}),
      await serveLibrary({ schema }),
      await serveLibrary({
        schema,
        reply: (reply) => ({ ...reply, body: String(reply.body).replaceAll('"name":"', '"name":"The ') }),
      }),
    ];
    const [suite, second] = [librarySuite(), librarySuite({ schema })];
    const relations = relationsBetween(suite, second);
    const right = await playAcross({ suite, baseUrl: own.url }, { suite: second, baseUrl: same.url, relations });
    const wrong = await playAcross({ suite, baseUrl: own.url }, { suite: second, baseUrl: other.url, relations });
    await Promise.all([own, same, other].map((one) => one.close()));
    expect(Object.values(right)).not.toContain("failed");
    expect(right["Query.persons/against/same-fields"]).toBe("passed");
    expect(wrong["Query.persons/against/same-fields"]).toBe("failed");
    expect(wrong["Query.sum/against/same-fields"]).toBe("passed");
  });

  test("are known of an Ethereum node", async () => {
    const types =
      "scalar Bytes32 type Block { hash: Bytes32! } type Query { chainID: Int block: Block transaction: Block }";
    const graphql = librarySuite({ schema: types, scalars: {} });
    const rpc = rpcSuite(
      ["ethChainId", "ethGetBlockByHash", "ethGetTransactionByHash"].map((name) => rpcMethod(name, text)),
    );
    const roots = { stateRoot: "0xa1", transactionsRoot: "0xa2", receiptsRoot: "0xa3" };
    const block = { hash: "0xaa", ...roots, number: 17, transactionCount: 1 };
    const byGraphql: Readonly<Record<string, unknown>> = {
      "Query.chainID": { chainID: "0x1" },
      "Query.block": { block },
      "Query.transaction": { transaction: { hash: "0xbb", inputData: "0xcc" } },
    };
    const byMethod: Readonly<Record<string, unknown>> = {
      ethChainId: "0x1",
      ethGetBlockByHash: { hash: "0xaa", ...roots, number: "0x11", transactions: ["0xbb"] },
      ethGetTransactionByHash: { hash: "0xbb", blockHash: "0xaa", input: "0xcc" },
    };
    const outcomes = async (own: typeof byMethod, other: typeof byMethod): Promise<readonly string[]> => {
      const [first, second] = own === byGraphql ? [graphql, rpc] : [rpc, graphql];
      const found = relationsBetween(first, second).map(async (relation) => {
        const expression = readRelation(relation);
        if ("problem" in expression) return expression.problem;
        const call = async (): Promise<unknown> => undefined;
        const callOperation = async (name: string): Promise<unknown> => other[name];
        const outcome = await expression.evaluate({
          response: own[relation.operation],
          input: {},
          call,
          other: callOperation,
        });
        return `${relation.operation} ${outcome.kind}`;
      });
      return await Promise.all(found);
    };
    const fromGraphql = ["Query.chainID", "Query.block", "Query.block", "Query.transaction"];
    const fromRpc = ["ethChainId", "ethGetBlockByHash", "ethGetTransactionByHash"];
    expect(await outcomes(byGraphql, byMethod)).toEqual(fromGraphql.map((name) => `${name} holds`));
    expect(await outcomes(byMethod, byGraphql)).toEqual(fromRpc.map((name) => `${name} holds`));
    const otherMethods = {
      ethChainId: "0x5",
      ethGetBlockByHash: { ...roots, number: "0x12", transactions: [] },
      ethGetTransactionByHash: { hash: "0xbb", input: "0x" },
    };
    expect(await outcomes(byGraphql, otherMethods)).toEqual(fromGraphql.map((name) => `${name} broken`));
  });
});

test("fields of a GraphQL schema are compared without example operations", async () => {
  const same = await serveLibrary({});
  const other = await serveLibrary({
    reply: (reply) =>
      typeof reply.body === "string"
        ? { ...reply, body: reply.body.replaceAll('"title":"', '"title":"Another ') }
        : reply,
  });
  const { cases } = await playSuite(librarySuite(), {
    baseUrl: same.url,
    against: other.url,
    seed: "01",
    rate: 10_000,
  });
  await same.close();
  await other.close();
  const against = cases.filter(({ group }) => group === "against");
  expect(against.some(({ verdict }) => verdict === "passed")).toBe(true);
  const messages = against.flatMap(({ findings }) => findings.map(({ message }) => message));
  expect(messages.join()).toMatch(/title is another value, compared with the second target/);
});
