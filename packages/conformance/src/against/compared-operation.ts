import { canonicalText, isRecord } from "@nodewright/api-model";
import { buildSchema } from "graphql";
import { withPlace } from "../suite/with-place.ts";
import { plainName } from "../compare/volatile-names.ts";
import { operationOf } from "../protocols/graphql/graphql-case.ts";
import { postOf } from "../protocols/graphql/graphql-request.ts";
import { placeOf } from "../protocols/graphql/place-of.ts";
import { readResponse } from "../protocols/graphql/read-response.ts";
import { judgeAnswer } from "../protocols/http/http-answer.ts";
import { requestOf } from "../protocols/http/http-request.ts";
import type { LiveValues, SeenAnswer } from "../live/live-values.ts";
import { paramsOf } from "../protocols/jsonrpc/rpc-params.ts";
import { readReply } from "../protocols/jsonrpc/rpc-reply.ts";
import { requestText, rpcPost } from "../protocols/jsonrpc/rpc-request.ts";
import { resultType } from "../protocols/jsonrpc/rpc-call.ts";
import type { ConformanceSuite, GraphqlSuite, SuiteExample } from "../suite/suite.ts";
import type { Place, SuiteType } from "../suite/suite-type.ts";
import type { Answer, PlainRequest } from "../contract/exchange.ts";

export type Input = Readonly<Record<string, unknown>>;

/** What an answer comes to, in any protocol. */
export type Told =
  | { readonly kind: "value"; readonly value: unknown; readonly type?: SuiteType }
  /** `code`: status, JSON-RPC code or GraphQL code. */
  | { readonly kind: "failure"; readonly code: string }
  /** The target does not offer the operation, or its answer can't be read. */
  | { readonly kind: "nothing" };

/** An operation of any protocol as two targets are compared by it. */
export interface ComparedOperation {
  readonly name: string;
  /** Name, origin and tags: for patterns. */
  readonly names: readonly string[];
  readonly examples: readonly SuiteExample[];
  readonly isImmutable: boolean | undefined;
  readonly place?: Place;
  /** Undefined for an input that can't be written. */
  requestOf(input: Input): PlainRequest | undefined;
  read(answer: Answer, input: Input): Told;
}

/** The operations of a suite by which two targets can be compared. */
export function comparedOperations(suite: ConformanceSuite, live: LiveValues): readonly ComparedOperation[] {
  switch (suite.protocol) {
    case "http":
      return suite.operations.map((operation) => ({
        ...headOf(operation, operation.isImmutable),
        names: [operation.name, operation.origin, ...operation.tags],
        requestOf: (input) => requestOf(operation, input),
        read: (answer) => {
          if (answer.status === 501 || answer.status === 405) return { kind: "nothing" };
          const { kind, value, type } = judgeAnswer(operation, answer, suite.types);
          if (kind === "success") return { kind: "value", value, ...(type === undefined ? {} : { type }) };
          return { kind: "failure", code: String(answer.status) };
        },
      }));
    case "rpc":
      return suite.operations.map((method) => ({
        ...headOf(method, method.isImmutable),
        names: [method.name, method.origin, method.method, ...method.tags],
        requestOf: (input) => rpcPost(requestText({ method: method.method, params: paramsOf(method, input), id: 1 })),
        read: (answer) => {
          const { outcome } = readReply(answer, { members: suite.envelope, ids: [1] });
          if (outcome.kind === "unreadable") return { kind: "nothing" };
          if (outcome.kind === "error") {
            const code = Number(outcome.fault.code);
            return code === -32601 ? { kind: "nothing" } : { kind: "failure", code: String(code) };
          }
          const type = resultType(method);
          return { kind: "value", value: outcome.value, ...(type === undefined ? {} : { type }) };
        },
      }));
    case "graphql":
      return [
        ...suite.documents
          .filter(({ root }) => root === "query")
          .map((document) => ({
            ...headOf(document, undefined),
            ...graphqlParts([document.name], () => document.text),
          })),
        ...rootFields(suite, live),
      ];
    default:
      return suite satisfies never;
  }
}

/** Fields of the query type, as they were asked for. */
function rootFields({ schema }: GraphqlSuite, live: LiveValues): readonly ComparedOperation[] {
  const query = buildSchema(schema, { assumeValidSDL: true }).getQueryType();
  return Object.values(query?.getFields() ?? {}).map((field): ComparedOperation => {
    const name = operationOf(query?.name ?? "", field.name);
    const textOf = (input: Input): string | undefined =>
      live.answersOf(name).find((answer) => canonicalText(answer.input) === canonicalText(input))?.text;
    const head = headOf({ name, examples: [], ...withPlace(placeOf(field.astNode)) }, undefined);
    return { ...head, ...graphqlParts([name, field.name], textOf) };
  });
}

function graphqlParts(
  names: readonly string[],
  textOf: (input: Input) => string | undefined,
): Pick<ComparedOperation, "names" | "requestOf" | "read"> {
  return {
    names,
    requestOf: (input) => {
      const query = textOf(input);
      return query === undefined ? undefined : postOf({ query, variables: input });
    },
    read: (answer, input) => {
      const response = readResponse(answer, textOf(input) ?? "");
      const [error] = response.errors;
      if (error !== undefined) return { kind: "failure", code: String(error.extensions["code"] ?? "error") };
      return isRecord(response.data) ? { kind: "value", value: response.data } : { kind: "nothing" };
    },
  };
}

function headOf(
  one: { readonly name: string; readonly examples: readonly SuiteExample[]; readonly place?: Place },
  isImmutable: boolean | undefined,
): Pick<ComparedOperation, "name" | "examples" | "isImmutable" | "place"> {
  const { name, examples, place } = one;
  return { name, examples, isImmutable, ...withPlace(place) };
}

const hashText = /^(?:0x)?[0-9a-fA-F]{64}$/;
const movingTags: ReadonlySet<unknown> = new Set(["latest", "pending", "safe", "finalized"]);
const heightName = /(?:height|number|block|from|to|stateat)$/;

/** Whether an input names what it asks for so that the answer is the same at every target of the chain. */
export function isPinned({ isImmutable }: ComparedOperation, input: Input): boolean {
  if (isImmutable !== undefined) return isImmutable;
  const values = Object.values(input);
  if (values.some((value) => movingTags.has(value))) return false;
  return values.some((value) => typeof value === "string" && hashText.test(value)) || heightsIn(input).length > 0;
}

/** Block numbers that stand in an input. */
export function heightsIn(input: Input): readonly number[] {
  return Object.entries(input).flatMap(([name, value]) => {
    if (!heightName.test(plainName(name))) return [];
    if (typeof value === "number") return [value];
    const isNumber = typeof value === "string" && /^(?:0x[0-9a-fA-F]{1,12}|\d{1,15})$/.test(value);
    return isNumber ? [Number(value)] : [];
  });
}

/** Inputs that are asked at both targets, each once: the first that was answered well, then those whose answers say most. */
export function goodInputs(answers: readonly SeenAnswer[], inputs: readonly Input[], most: number): readonly Input[] {
  const lengths = new Map<string, number>();
  for (const { input, value } of answers) {
    const key = canonicalText(input);
    lengths.set(key, Math.max(lengths.get(key) ?? 0, canonicalText(value ?? null).length));
  }
  const found = new Map(
    [...inputs, ...answers.map(({ input }) => input)].map((input) => [canonicalText(input), input]),
  );
  const [first, ...others] = [...found];
  const ranked = others.toSorted(([left], [right]) => (lengths.get(right) ?? 0) - (lengths.get(left) ?? 0));
  return [...(first === undefined ? [] : [first]), ...ranked].slice(0, most).map(([, input]) => input);
}
