import { mediaTypeOf, readJson } from "./body.ts";
import type { Answer, Sender } from "./exchange.ts";
import { showJson } from "./json-difference.ts";
import { isOff } from "./operation-filter.ts";
import type { RunOptions } from "./options.ts";
import type { PlannedCase } from "./planned-case.ts";
import { type ReadEnvelope, readEnvelope, readEnvelopeText } from "./rpc-envelope.ts";
import { rpcRequest } from "./rpc-request.ts";
import type { RpcSuite } from "./suite.ts";

/** A rule of the protocol: one request and what its answer has to be. */
interface Rule {
  readonly name: string;
  readonly expected: string;
  readonly body: string;
  check(answer: Answer): readonly string[];
}

/** Plans the rules of JSON-RPC 2.0 that hold whatever the methods are, with the document's envelope. */
export function planRpcRules(suite: RpcSuite, sender: Sender, options: RunOptions): readonly PlannedCase[] {
  return [...requestRules(suite), ...answerRules(suite, options)].map(({ name, expected, body, check }) => ({
    operation: "(protocol)",
    group: "protocol",
    name,
    expected,
    send: () => sender.send(rpcRequest(body)),
    check,
  }));
}

/** Section 4: what is no request, and how that is said. */
function requestRules({ envelope }: RpcSuite): readonly Rule[] {
  const refused = (name: string, body: string, code: number, id: unknown = null): Rule => ({
    name,
    expected: `one error object with ${code} and id ${showJson(id)}`,
    body,
    check: (answer) => expectError(readEnvelopeText(answer.text, { members: envelope, id }), code),
  });
  return [
    refused("broken-json", '{"jsonrpc":"2.0","id":1,"method":', -32700),
    refused("empty-body", "", -32700),
    refused("a-number", "5", -32600),
    refused("a-text", '"getblockcount"', -32600),
    refused("null", "null", -32600),
    refused("no-method", '{"jsonrpc":"2.0","id":7}', -32600, 7),
    refused("method-is-a-number", '{"jsonrpc":"2.0","id":7,"method":1}', -32600, 7),
    refused("params-is-a-text", '{"jsonrpc":"2.0","id":7,"method":"x","params":"y"}', -32600, 7),
    refused("id-is-an-object", '{"jsonrpc":"2.0","id":{},"method":"x"}', -32600),
    refused("empty-batch", "[]", -32600),
    refused("unknown-method", '{"jsonrpc":"2.0","id":7,"method":"no_such_method"}', -32601, 7),
    refused("method-of-an-object", '{"jsonrpc":"2.0","id":7,"method":"constructor"}', -32601, 7),
    {
      name: "batch-of-what-is-no-request",
      expected: "a list of two error objects with -32600",
      body: "[1,null]",
      check: (answer) =>
        checkList(answer, 2, (value) => expectError(readEnvelope(value, { members: envelope, id: null }), -32600)),
    },
  ];
}

/** Sections 4.1, 5 and 6: ids, notifications and batches, asked with a method that takes no parameters. */
function answerRules(suite: RpcSuite, options: RunOptions): readonly Rule[] {
  const method = findPlainMethod(suite, options);
  if (method === undefined) return [];
  const members = suite.envelope;
  const request = (id: unknown): string => JSON.stringify({ jsonrpc: "2.0", id, method, params: [] });
  const notification = JSON.stringify({ jsonrpc: "2.0", method, params: [] });
  const answered = (name: string, body: string, id: unknown, version?: string): Rule => ({
    name,
    expected: `a result with id ${showJson(id)}`,
    body,
    check: (answer) =>
      expectResult(readEnvelopeText(answer.text, { members, id, ...(version === undefined ? {} : { version }) })),
  });
  return [
    answered("id-is-a-text", request("a"), "a", "2.0"),
    answered("id-is-a-number", request(5), 5, "2.0"),
    answered("id-is-null", request(null), null, "2.0"),
    answered("no-params", JSON.stringify({ jsonrpc: "2.0", id: 1, method }), 1, "2.0"),
    {
      name: "notification",
      expected: "no body",
      body: notification,
      check: (answer) => (answer.bytes.length === 0 ? [] : ["a notification got an answer"]),
    },
    {
      name: "batch-of-notifications",
      expected: "no body",
      body: `[${notification},${notification}]`,
      check: (answer) => (answer.bytes.length === 0 ? [] : ["a batch of notifications got an answer"]),
    },
    {
      name: "mixed-batch",
      expected: "three answers in the order of their requests, none for the notification",
      body: `[${request("a")},${notification},1,${request(2)}]`,
      check: (answer) =>
        checkList(answer, 3, (value, position) => {
          if (position === 1) return expectError(readEnvelope(value, { members, id: null }), -32600);
          return expectResult(readEnvelope(value, { members, id: position === 0 ? "a" : 2, version: "2.0" }));
        }),
    },
  ];
}

function findPlainMethod(suite: RpcSuite, options: RunOptions): string | undefined {
  const plain = suite.operations.find(
    ({ operation, cases, writes }) =>
      !writes &&
      !isOff(operation.name, operation.marks, options) &&
      options.mayBeMissing?.includes(operation.name) !== true &&
      cases.some(
        ({ group, input, params }) => group === "example" && params === undefined && Object.keys(input).length === 0,
      ),
  );
  return plain?.operation.method;
}

function expectError({ problems, error }: ReadEnvelope, code: number): readonly string[] {
  if (error === undefined) return [...problems, `there is no error instead of ${code}`];
  return error.code === code ? problems : [...problems, `the error is ${error.code} instead of ${code}`];
}

function expectResult({ problems, error }: ReadEnvelope): readonly string[] {
  return error === undefined
    ? problems
    : [...problems, `the answer is the error ${error.code} ${showJson(error.message)}`];
}

function checkList(
  answer: Answer,
  length: number,
  check: (value: unknown, position: number) => readonly string[],
): readonly string[] {
  const body = answer.text === undefined ? { problem: "the body is not UTF-8" } : readJson(answer.text);
  if ("problem" in body) return [body.problem];
  if (!Array.isArray(body.value)) return ["the answer to a batch is not a list"];
  if (body.value.length !== length) return [`the list has ${body.value.length} elements instead of ${length}`];
  const mediaType = mediaTypeOf(answer);
  const problems = mediaType === "application/json" ? [] : [`the media type is ${showJson(mediaType)}`];
  return [...problems, ...body.value.flatMap((value, position) => check(value, position))];
}
