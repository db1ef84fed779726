import { isRecord } from "@nodewright/api-model";
import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import type { RunOptions } from "../../contract/options.ts";
import { playSuite } from "../../run/play-suite.ts";
import { serve } from "../../run/testing/serve.ts";
import type { RpcSuite } from "../../suite/suite.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { type ChainFault, chainListener, hashOf } from "./testing/chain-server.ts";
import { chainSuite } from "./testing/chain-suite.ts";
import { describedListener, type Methods } from "./testing/described-server.ts";
import { required, describedMethod, describedSuite } from "./testing/described-suite.ts";

/** Returns the ids of all rules in a report, of any level. */
async function reported(
  listener: RequestListener,
  suite: RpcSuite,
  more: Partial<RunOptions> = {},
): Promise<readonly string[]> {
  const options = { baseUrl: await serve(listener), seed: "5eed", rate: 10_000, concurrency: 8, ...more };
  const { cases } = await playSuite(suite, options);
  return [...new Set(cases.flatMap(({ findings }) => findings.map(({ rule }) => rule)))].sort();
}

function findingsOfChain(fault: ChainFault): Promise<readonly string[]> {
  return reported(chainListener(fault), chainSuite({ hasExamples: false }));
}

describe("a chain", () => {
  it("has one block at a height, whichever way it is asked for: P020", async () => {
    const shifted: ChainFault = {
      result: (method, [height], right) =>
        method === "getblockhash" && right() !== undefined ? hashOf((Number(height) + 1) % 5) : right(),
    };
    expect(await findingsOfChain(shifted)).toContain("P020");
  });

  it("tells the same of a hash when it is asked again: P011", async () => {
    const requested = new Set<unknown>();
    const warming: ChainFault = {
      result: (method, [txid], right) => {
        const value = right();
        if (method !== "gettransaction" || !isRecord(value) || requested.has(txid)) return value;
        requested.add(txid);
        return { ...value, size: 1 };
      },
    };
    expect(await findingsOfChain(warming)).toContain("P011");
  });

  it("says the same in an answer that is not compressed: J64", async () => {
    const right = chainListener();
    const error = JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message: "Too busy" }, id: 3 });
    const failing: RequestListener = (request, response) =>
      request.headers["accept-encoding"] === "identity"
        ? response.writeHead(200, { "content-type": "application/json" }).end(error)
        : right(request, response);
    expect(await reported(failing, chainSuite())).toContain("J64");
  });
});

const text: SuiteType = { kind: "string" };
const hash: SuiteType = { kind: "string", pattern: "^[0-9a-f]{64}$" };
const record = (members: Readonly<Record<string, SuiteType>>): SuiteType => ({
  kind: "record",
  members: Object.entries(members).map(([name, type]) => ({ name, type, required: true })),
});
const listOf = (element: SuiteType): SuiteType => ({ kind: "list", element });

const notes = Array.from({ length: 4 }, (_none, index) => ({
  noteHash: hashOf(index),
  title: `About ${["soap", "wool", "clay", "bees"][index]}`,
  topic: ["craft", "craft", "earth", "farm"][index],
}));

const suite = describedSuite("desk", [
  describedMethod("listnotes", listOf(record({ noteHash: hash, title: text, topic: text })), []),
  describedMethod("listtopic", listOf(record({ title: text, topic: text })), [required("topic", text)]),
  describedMethod("getnote", record({ noteHash: hash, title: text, body: text }), [required("noteHash", hash)]),
  describedMethod("getblurb", record({ blurb: text }), [required("noteHash", hash)]),
  describedMethod("getfee", record({ fee: { kind: "number", integer: true } }), [], {
    examples: [{ name: "today", input: {}, outcome: { kind: "success", status: 200, value: { fee: 5 } } }],
  }),
]);

const right: Methods = {
  listnotes: () => notes,
  listtopic: (input) =>
    notes.filter(({ topic }) => topic === input["topic"]).map(({ title, topic }) => ({ title, topic })),
  getnote: (input) => ({ ...noteOf(input["noteHash"]), body: "All of it." }),
  getblurb: (input) => ({ blurb: `Read it: ${noteOf(input["noteHash"]).title}` }),
  getfee: () => ({ fee: 5 }),
};

function noteOf(noteHash: unknown): { readonly noteHash: string; readonly title: string } {
  const { title } = notes.find((note) => note.noteHash === noteHash) ?? { title: "" };
  return { noteHash: String(noteHash), title };
}

describe("a desk", () => {
  it.each<[string, string, Methods]>([
    ["may have moved on since its example", "P031", { getfee: () => ({ fee: 6 }) }],
    [
      "says of a thing in a list what it says of it alone",
      "P023",
      { getnote: (input) => ({ ...noteOf(input["noteHash"]), title: "About salt", body: "All of it." }) },
    ],
    [
      "lists what has what was asked for",
      "P022",
      { listtopic: () => notes.map(({ title }) => ({ title, topic: "salt" })) },
    ],
  ])("%s: %s", async (_name, rule, changes) => {
    expect(await reported(describedListener(suite, { ...right, ...changes }), suite, { examples: "exact" })).toContain(
      rule,
    );
  });

  it("breaks none of it when it is right", async () => {
    const rules = await reported(describedListener(suite, right), suite, { examples: "exact" });
    expect(rules.filter((rule) => ["P031", "P023", "P022"].includes(rule))).toEqual([]);
  });
});
