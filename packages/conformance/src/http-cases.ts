import { type HttpOperation, isStreamed, type StatusPattern, type SuccessFacts } from "@nodewright/runtime";
import { type BodyResult, isOfMediaType, mediaTypeOf, readBody, schemaProblems } from "./body.ts";
import type { Answer, Sender } from "./exchange.ts";
import { expectationText, resolveExpectation } from "./expectation.ts";
import { jsonDifferences, showJson } from "./json-difference.ts";
import { isAllowed, isOff, isWithheld, isPlayed, mayBeMissing, sampleCase } from "./operation-filter.ts";
import type { RunOptions } from "./options.ts";
import type { Judgement, PlannedCase } from "./planned-case.ts";
import type {
  ConformanceCase,
  Expectation,
  FailureCheck,
  HeaderCheck,
  HttpOperationSuite,
  HttpSuite,
} from "./suite.ts";
import { requestOf } from "./http-request.ts";
import { wrongKeys } from "./wrong-keys.ts";

/** Plans every case of a REST suite. */
export function planHttpCases(suite: HttpSuite, sender: Sender, options: RunOptions): readonly PlannedCase[] {
  const played = suite.operations.filter(({ operation }) => isPlayed(operation.name, options));
  const planned = played.flatMap((one) => planOperation(one, suite, sender, options));
  return options.only === undefined ? [...planned, unknownPath(sender)] : planned;
}

function planOperation(
  one: HttpOperationSuite,
  suite: HttpSuite,
  sender: Sender,
  options: RunOptions,
): readonly PlannedCase[] {
  const { operation } = one;
  const sample = sampleCase(one.cases, one.writes)?.input ?? {};
  // Without what its path needs an operation can't be asked for at all.
  if (requestOf(operation, sample) === undefined) return [];
  const keys = options.apiKey === undefined ? [] : planKeyCases(one, sample, sender, options.apiKey);
  if (isOff(operation.name, operation.marks, options)) return [...keys, ...offCase(one, sample, sender)];
  const documented = one.cases
    .filter(({ group }) => isAllowed(group, one.writes))
    .flatMap((conformanceCase) => planCase(one, conformanceCase, sender, options));
  return [...documented, ...keys, ...planOtherMethod(one, sample, suite, sender)];
}

function planCase(
  one: HttpOperationSuite,
  conformanceCase: ConformanceCase,
  sender: Sender,
  options: RunOptions,
): readonly PlannedCase[] {
  const { name, group, input } = conformanceCase;
  const expect = resolveExpectation(one.cases, conformanceCase.expect);
  const request = requestOf(one.operation, input);
  if (request === undefined) return [];
  const plain: PlannedCase = {
    operation: one.operation.name,
    group,
    name,
    expected: expectationText(expect),
    isWithheld: isWithheld(group, one.writes, options),
    send: () => sender.send(request),
    check: (answer) => unlessMissing(one, answer, options, () => checkAnswer(one, expect, answer)),
  };
  if (expect.kind !== "failure" || !isToldAsJson(one, expect.status)) return [plain];
  const asJson: PlannedCase = {
    ...plain,
    name: `${name}-as-json`,
    expected: `${plain.expected}, as JSON`,
    send: () => sender.send({ ...request, headers: { ...request.headers, accept: "application/json" } }),
    check: (answer) => unlessMissing(one, answer, options, () => checkFailure(one, expect, answer, "json")),
  };
  return [plain, asJson];
}

/** True when the failure has JSON beside its text. */
function isToldAsJson(one: HttpOperationSuite, status: number | undefined): boolean {
  return findFailure(one, status)?.contents.some(({ form }) => form === "json") === true;
}

function unlessMissing(
  one: HttpOperationSuite,
  answer: Answer,
  options: RunOptions,
  check: () => readonly string[],
): Judgement {
  if (answer.status === 501 && mayBeMissing(one.operation.name, options)) return "missing";
  return check();
}

function checkAnswer(one: HttpOperationSuite, expect: Expectation, answer: Answer): readonly string[] {
  switch (expect.kind) {
    case "value":
      return checkSuccess(one, expect.status, answer, expect);
    case "type":
      return checkSuccess(one, expect.status, answer);
    case "failure":
      return checkFailure(one, expect, answer, "text");
    case "refusal":
      return checkRefusal(one, expect.message, answer);
    case "documented":
      return isSuccess(one, answer) ? checkSuccess(one, answer.status, answer) : checkDocumentedFailure(one, answer);
    case "same-as":
      throw new Error("An expectation is resolved before an answer is checked");
    default:
      return expect satisfies never;
  }
}

function isSuccess(one: HttpOperationSuite, answer: Answer): boolean {
  return findSuccess(one, answer) !== undefined;
}

/** How the document calls a status: itself, its class, or whatever is not named otherwise. */
function patternsOf(status: number): readonly (StatusPattern | string)[] {
  return [status, `${Math.floor(status / 100)}XX`, "default"];
}

/** The success that an answer is, by its status and media type; undefined where the status is no success. */
function findSuccess({ operation, failures }: HttpOperationSuite, answer: Answer): SuccessFacts | undefined {
  for (const pattern of patternsOf(answer.status)) {
    const candidates = operation.successes.filter(({ status }) => status === pattern);
    const mediaType = mediaTypeOf(answer);
    const ofType = candidates.find(({ content }) => content !== undefined && isOfMediaType(content, mediaType));
    if (candidates.length > 0) return ofType ?? candidates[0];
    if (failures.some(({ status }) => status === pattern)) return undefined;
  }
  return undefined;
}

function checkSuccess(
  one: HttpOperationSuite,
  status: number,
  answer: Answer,
  expected?: Extract<Expectation, { kind: "value" }>,
): readonly string[] {
  if (answer.status !== status) return [wrongStatus(answer, String(status))];
  const success = findSuccess(one, answer);
  if (success === undefined) return [`the document knows no success ${status}`];
  const checks = one.headers.find((candidate) => candidate.status === success.status)?.checks ?? [];
  return [
    ...checks.flatMap((check) => checkHeader(check, answer)),
    ...expectedHeaders(expected?.headers ?? {}, answer),
    ...checkBody(one.operation, success, answer, expected),
  ];
}

function checkHeader({ name, required, values, pattern }: HeaderCheck, answer: Answer): readonly string[] {
  const text = answer.headers.get(name);
  if (text === null) return required ? [`the header ${name} is missing`] : [];
  if (values !== undefined && !values.includes(text)) {
    return [`the header ${name} is ${showJson(text)}, which is not one of ${showJson(values)}`];
  }
  const isMatch = pattern === undefined || new RegExp(pattern, "u").test(text);
  return isMatch ? [] : [`the header ${name} is ${showJson(text)}, which does not match ${pattern}`];
}

function expectedHeaders(headers: Readonly<Record<string, unknown>>, answer: Answer): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const text = answer.headers.get(name);
    return text === String(value) ? [] : [`the header ${name} is ${showJson(text)} instead of ${showJson(value)}`];
  });
}

function checkBody(
  operation: HttpOperation,
  success: SuccessFacts,
  answer: Answer,
  expected: Extract<Expectation, { kind: "value" }> | undefined,
): readonly string[] {
  if (success.content === undefined) {
    return answer.bytes.length === 0 ? [] : ["the body should be empty"];
  }
  const body = readBody(success.content, answer);
  if ("problem" in body) return [body.problem];
  const problems = isStreamed(success.content)
    ? itemProblems(operation, body.value)
    : schemaProblems(operation.output, body.value, "the body");
  if (expected === undefined) return problems;
  return [...problems, ...jsonDifferences(expected.value, comparable(body.value))];
}

/** A sequence is right when each of its items is. */
function itemProblems(operation: HttpOperation, items: unknown): readonly string[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item, position) => schemaProblems(operation.output, item, `item ${position} of the body`));
}

/** Bytes are documented in base64 (OpenAPI 3.1, section "Considerations for Media Types"). */
function comparable(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

/** The failure that a status stands for: declared itself, or by `default`. */
function findFailure(one: HttpOperationSuite, status: number | undefined): FailureCheck | undefined {
  const patterns = status === undefined ? (["default"] as const) : patternsOf(status);
  for (const pattern of patterns) {
    const found = one.failures.find((failure) => failure.status === pattern);
    if (found !== undefined) return found;
  }
  return undefined;
}

function checkFailure(
  one: HttpOperationSuite,
  expect: Extract<Expectation, { kind: "failure" }>,
  answer: Answer,
  form: "text" | "json",
): readonly string[] {
  if (expect.status !== undefined && answer.status !== expect.status) {
    return [wrongStatus(answer, String(expect.status))];
  }
  return checkFailureBody(findFailure(one, answer.status), expect.message, answer, form);
}

function checkFailureBody(
  failure: FailureCheck | undefined,
  message: string | undefined,
  answer: Answer,
  form: "text" | "json",
): readonly string[] {
  if (failure === undefined) return [`the status ${answer.status} is not documented`];
  const content = failure.contents.find((candidate) => candidate.form === form) ?? failure.contents[0];
  if (content === undefined) return [];
  const body = readBody(content, answer);
  if ("problem" in body) return [body.problem];
  return [
    ...(content.value === undefined ? [] : schemaProblems(content.value, body.value, "the body")),
    ...(message === undefined ? [] : messageProblems(message, body)),
  ];
}

function messageProblems(message: string, body: Extract<BodyResult, { value: unknown }>): readonly string[] {
  const text = typeof body.value === "string" ? body.value : errorMessage(body.value);
  return text === message ? [] : [`the failure says ${showJson(text)} instead of ${showJson(message)}`];
}

/** Of `{"error":{"code","message"}}`. */
function errorMessage(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("error" in value)) return undefined;
  const { error } = value;
  return typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
}

/** A wrong input is the caller's mistake: 400 where the document knows it, else another documented 4xx. */
function checkRefusal(one: HttpOperationSuite, message: string | undefined, answer: Answer): readonly string[] {
  const declared = one.failures.flatMap(({ status }) => (typeof status === "number" ? [status] : []));
  const expected = declared.includes(400) ? [400] : [400, ...declared.filter((status) => isCallersMistake(status))];
  if (!expected.includes(answer.status)) return [wrongStatus(answer, expected.join(" or "))];
  const failure = findFailure(one, answer.status);
  // A document that says nothing of wrong inputs says nothing of how they are answered either.
  return failure === undefined ? [] : checkFailureBody(failure, message, answer, "text");
}

function checkDocumentedFailure(one: HttpOperationSuite, answer: Answer): readonly string[] {
  const isDeclared = one.failures.some(
    ({ status }) => status !== "default" && patternsOf(answer.status).includes(status ?? ""),
  );
  if (!isDeclared && !isCallersMistake(answer.status)) return [wrongStatus(answer, "a documented status")];
  return checkFailureBody(findFailure(one, answer.status), undefined, answer, "text");
}

/** 401 is about the key, 5xx about the server. */
function isCallersMistake(status: number): boolean {
  return status >= 400 && status < 500 && status !== 401;
}

function wrongStatus(answer: Answer, expected: string): string {
  const detail = mediaTypeOf(answer) === "text/plain" && answer.text !== undefined ? `: ${showJson(answer.text)}` : "";
  return `the status is ${answer.status} instead of ${expected}${detail}`;
}

/** An operation that the document opens to everybody is not closed by a wrong key. */
function letsEverybodyIn({ security = [] }: HttpOperation): boolean {
  return security.some((requirement) => requirement.length === 0);
}

function planKeyCases(
  one: HttpOperationSuite,
  input: ConformanceCase["input"],
  sender: Sender,
  apiKey: string,
): readonly PlannedCase[] {
  const request = requestOf(one.operation, input);
  if (request === undefined || letsEverybodyIn(one.operation)) return [];
  return wrongKeys(apiKey).map(({ name, key }) => ({
    operation: one.operation.name,
    group: "key",
    name,
    expected: "status 401 with WWW-Authenticate",
    send: () => sender.sendWithKey(request, key),
    check: (answer) => {
      if (answer.status !== 401) return [wrongStatus(answer, "401")];
      const challenge = answer.headers.has("www-authenticate") ? [] : ["the header www-authenticate is missing"];
      const failure = findFailure(one, 401);
      return failure === undefined
        ? challenge
        : [...challenge, ...checkFailureBody(failure, undefined, answer, "text")];
    },
  }));
}

function offCase(one: HttpOperationSuite, input: ConformanceCase["input"], sender: Sender): readonly PlannedCase[] {
  const request = requestOf(one.operation, input);
  if (request === undefined) return [];
  const planned: PlannedCase = {
    operation: one.operation.name,
    group: "protocol",
    name: "off-until-asked-for",
    expected: "status 403",
    send: () => sender.send(request),
    check: (answer) => (answer.status === 403 ? [] : [wrongStatus(answer, "403")]),
  };
  return [planned];
}

/** RFC 9110, section 15.5.6: a path answers another method with 405 and the methods that it has. */
function planOtherMethod(
  one: HttpOperationSuite,
  input: ConformanceCase["input"],
  suite: HttpSuite,
  sender: Sender,
): readonly PlannedCase[] {
  const { operation } = one;
  const methods = suite.operations
    .filter((other) => shapeOf(other.operation.path) === shapeOf(operation.path))
    .map((other) => other.operation.method);
  const other = (["DELETE", "PUT", "PATCH"] as const).find((method) => !methods.includes(method));
  if (other === undefined) return [];
  const sample = requestOf(operation, input);
  if (sample === undefined) return [];
  const { body: _body, ...request } = sample;
  return [
    {
      operation: operation.name,
      group: "protocol",
      name: "other-method",
      expected: `status 405, Allow naming ${operation.method}`,
      send: () => sender.send({ ...request, method: other }),
      check: (answer) => {
        if (answer.status !== 405) return [wrongStatus(answer, "405")];
        const allow = (answer.headers.get("allow") ?? "").split(",").map((method) => method.trim());
        return allow.includes(operation.method) ? [] : [`the header allow does not name ${operation.method}`];
      },
    },
  ];
}

/** A path without the names of its holes. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}

function unknownPath(sender: Sender): PlannedCase {
  return {
    operation: "(protocol)",
    group: "protocol",
    name: "unknown-path",
    expected: "status 404",
    send: () => sender.send({ method: "GET", path: "/no-operation-has-this-path", query: "", headers: {} }),
    check: (answer) => (answer.status === 404 ? [] : [wrongStatus(answer, "404")]),
  };
}
