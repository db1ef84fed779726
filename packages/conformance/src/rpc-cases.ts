import { type RpcOperation, writeRpcParameters } from "@nodewright/runtime";
import { mediaTypeOf, schemaProblems } from "./body.ts";
import type { Answer, Sender } from "./exchange.ts";
import { expectationText, resolveExpectation } from "./expectation.ts";
import { jsonDifferences, showJson } from "./json-difference.ts";
import { isAllowed, isOff, isWithheld, isPlayed, mayBeMissing, sampleCase } from "./operation-filter.ts";
import type { RunOptions } from "./options.ts";
import type { Judgement, PlannedCase } from "./planned-case.ts";
import { type ReadEnvelope, type RpcFailure, readEnvelopeText } from "./rpc-envelope.ts";
import { rpcRequest } from "./rpc-request.ts";
import { planRpcRules } from "./rpc-rules.ts";
import type { ConformanceCase, Expectation, RpcOperationSuite, RpcSuite } from "./suite.ts";
import { wrongKeys } from "./wrong-keys.ts";

/** JSON-RPC 2.0, section 5.1. */
const invalidParams = -32602;
const methodNotFound = -32601;

/** Why a method is not there: nobody has built it, or nothing stands behind the endpoint that could answer it. */
const missingReasons: ReadonlySet<unknown> = new Set(["not-implemented", "no-node"]);
/** Of the service's table of errors: the key is missing or wrong. */
const unauthenticated = -32001;

/** Plans every case of a JSON-RPC suite. */
export function planRpcCases(suite: RpcSuite, sender: Sender, options: RunOptions): readonly PlannedCase[] {
  const played = suite.operations.filter(({ operation }) => isPlayed(operation.name, options));
  const planned = played.flatMap((one) => planOperation(one, suite, sender, options));
  return options.only === undefined ? [...planned, ...planRpcRules(suite, sender, options)] : planned;
}

function planOperation(
  one: RpcOperationSuite,
  suite: RpcSuite,
  sender: Sender,
  options: RunOptions,
): readonly PlannedCase[] {
  const { operation } = one;
  const keys = options.apiKey === undefined ? [] : planKeyCases(one, suite, sender, options.apiKey);
  if (isOff(operation.name, operation.marks, options)) return [...keys, offCase(one, suite, sender)];
  const documented = one.cases
    .filter(({ group }) => isAllowed(group, one.writes))
    .map((conformanceCase) => planCase(one, conformanceCase, suite, sender, options));
  return [...documented, ...keys];
}

function planCase(
  one: RpcOperationSuite,
  conformanceCase: ConformanceCase,
  suite: RpcSuite,
  sender: Sender,
  options: RunOptions,
): PlannedCase {
  const { name, group } = conformanceCase;
  const expect = resolveExpectation(one.cases, conformanceCase.expect);
  const id = `${one.operation.method} ${name}`;
  const body = bodyOf(one.operation, conformanceCase, id);
  return {
    operation: one.operation.name,
    group,
    name,
    expected: expectationText(expect),
    isWithheld: isWithheld(group, one.writes, options),
    send: () => sender.send(rpcRequest(body)),
    check: (answer) => {
      const envelope = readEnvelopeText(answer.text, { members: suite.envelope, id, version: "2.0" });
      const reason = notAnswered(one.operation, envelope.error, options);
      if (reason !== undefined) return reason;
      return [...httpProblems(answer), ...envelope.problems, ...checkEnvelope(one.operation, suite, expect, envelope)];
    },
  };
}

function bodyOf(operation: RpcOperation, { input, params }: Partial<ConformanceCase>, id: string): string {
  const written = params ?? writeRpcParameters(operation.parameters, input ?? {});
  return JSON.stringify({ jsonrpc: "2.0", id, method: operation.method, params: written });
}

/** Whether an answer says that the method is not there for this key, where a run allows that. */
function notAnswered(
  operation: RpcOperation,
  error: RpcFailure | undefined,
  options: RunOptions,
): "missing" | undefined {
  const isMissing = error?.code === methodNotFound && missingReasons.has(reasonOf(error));
  return isMissing && mayBeMissing(operation.name, options) ? "missing" : undefined;
}

function reasonOf({ data }: RpcFailure): unknown {
  return typeof data === "object" && data !== null && "reason" in data ? data.reason : undefined;
}

function httpProblems(answer: Answer): readonly string[] {
  const status = answer.status === 200 ? [] : [`the HTTP status is ${answer.status} instead of 200`];
  const mediaType = mediaTypeOf(answer);
  return mediaType === "application/json" ? status : [...status, `the media type is ${showJson(mediaType)}`];
}

function checkEnvelope(
  operation: RpcOperation,
  suite: RpcSuite,
  expect: Expectation,
  { result, error }: ReadEnvelope,
): readonly string[] {
  switch (expect.kind) {
    case "value":
    case "type": {
      if (error !== undefined) return [`the answer is ${errorText(error)}`];
      const problems = schemaProblems(operation.output, result, "the result");
      return expect.kind === "type" ? problems : [...problems, ...jsonDifferences(expect.value, result)];
    }
    case "failure":
      return checkFailure(expect, error);
    case "refusal":
      return checkCode(
        error,
        refusalCodes(expect.of === "api" ? suite.operations.map((one) => one.operation) : [operation]),
      );
    case "documented":
      if (error === undefined) return schemaProblems(operation.output, result, "the result");
      return checkCode(error, documentedCodes(operation));
    case "same-as":
      throw new Error("An expectation is resolved before an answer is checked");
    default:
      return expect satisfies never;
  }
}

function checkFailure(
  expect: Extract<Expectation, { kind: "failure" }>,
  error: RpcFailure | undefined,
): readonly string[] {
  if (error === undefined) return [`there is no error instead of ${expect.rpcCode}`];
  const problems: string[] = [];
  if (error.code !== expect.rpcCode)
    problems.push(`the answer is ${errorText(error)} instead of the error ${expect.rpcCode}`);
  if (expect.message !== undefined && error.message !== expect.message) {
    problems.push(`the error says ${showJson(error.message)} instead of ${showJson(expect.message)}`);
  }
  return problems;
}

function checkCode(error: RpcFailure | undefined, codes: readonly number[]): readonly string[] {
  if (error === undefined) return [`there is no error instead of one of ${codes.join(", ")}`];
  return codes.includes(Number(error.code))
    ? []
    : [`the answer is ${errorText(error)} instead of one of ${codes.join(", ")}`];
}

function documentedCodes(operation: RpcOperation): readonly number[] {
  const codes = operation.failures.flatMap(({ rpcCode }) => (rpcCode === undefined ? [] : [rpcCode]));
  return codes.length === 0 ? [invalidParams] : codes;
}

/** A dialect may have codes of its own for wrong parameters; the specification's is always allowed. */
function refusalCodes(operations: readonly RpcOperation[]): readonly number[] {
  return [...new Set([...operations.flatMap(documentedCodes), invalidParams])];
}

function errorText({ code, message }: RpcFailure): string {
  return `the error ${code} ${showJson(message)}`;
}

function planKeyCases(one: RpcOperationSuite, suite: RpcSuite, sender: Sender, apiKey: string): readonly PlannedCase[] {
  const body = bodyOf(one.operation, sampleCase(one.cases, one.writes) ?? {}, "key");
  return wrongKeys(apiKey).map(({ name, key }) => ({
    operation: one.operation.name,
    group: "key",
    name,
    expected: `status 401 with WWW-Authenticate and the error ${unauthenticated} with id null`,
    send: () => sender.sendWithKey(rpcRequest(body), key),
    check: (answer) => checkUnauthenticated(answer, suite),
  }));
}

function checkUnauthenticated(answer: Answer, suite: RpcSuite): readonly string[] {
  const { problems, error } = readEnvelopeText(answer.text, { members: suite.envelope, id: null });
  return [
    ...(answer.status === 401 ? [] : [`the HTTP status is ${answer.status} instead of 401`]),
    ...(answer.headers.has("www-authenticate") ? [] : ["the header www-authenticate is missing"]),
    ...problems,
    ...checkFailure({ kind: "failure", rpcCode: unauthenticated }, error),
  ];
}

function offCase(one: RpcOperationSuite, suite: RpcSuite, sender: Sender): PlannedCase {
  const id = `${one.operation.method} off`;
  // A server that has the method on after all finds nothing in it that could be carried out.
  const body = bodyOf(one.operation, { params: { "no-such-parameter": 1 } }, id);
  return {
    operation: one.operation.name,
    group: "protocol",
    name: "off-until-asked-for",
    expected: `the error ${methodNotFound} with the reason method-disabled`,
    send: () => sender.send(rpcRequest(body)),
    check: (answer): Judgement => {
      const { problems, error } = readEnvelopeText(answer.text, { members: suite.envelope, id, version: "2.0" });
      if (error === undefined) return [...problems, "the method is answered though it is off by default"];
      const reason = reasonOf(error);
      const isOff = error.code === methodNotFound && reason === "method-disabled";
      return isOff ? problems : [...problems, `the answer is ${errorText(error)} with the reason ${showJson(reason)}`];
    },
  };
}
