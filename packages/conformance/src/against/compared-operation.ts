import { canonicalText } from "@nodewright/api-model";
import { buildSchema } from "graphql";
import { plainName } from "../compare/volatile-names.ts";
import type { ObservedResult } from "../live/live-values.ts";
import { operationOf } from "../protocols/graphql/contract/graphql-case.ts";
import { placeOf } from "../protocols/graphql/contract/place-of.ts";
import { operationNames } from "../suite/described-operations.ts";
import type { ConformanceSuite, GraphqlSuite, SuiteExample } from "../suite/suite.ts";
import type { Place } from "../suite/suite-type.ts";
import { withPlace } from "../suite/with-place.ts";

export type Input = Readonly<Record<string, unknown>>;

/** An operation of any protocol by which two targets are compared. */
export interface ComparedOperation {
  readonly name: string;
  /** Name, origin and tags, which patterns match. */
  readonly names: readonly string[];
  readonly examples: readonly SuiteExample[];
  readonly isImmutable?: boolean | undefined;
  readonly place?: Place;
}

/** Returns the operations of a suite by which two targets can be compared; for GraphQL also the fields of the query type. */
export function comparedOperations(suite: ConformanceSuite): readonly ComparedOperation[] {
  const namesOf = operationNames(suite);
  const described =
    suite.protocol === "graphql" ? suite.documents.filter(({ root }) => root === "query") : suite.operations;
  const operations = described.map((one) => ({ ...one, names: namesOf(one.name) }));
  return suite.protocol === "graphql" ? [...operations, ...queryFields(suite)] : operations;
}

/** Returns the fields of the query type as operations. */
export function queryFields({ schema }: GraphqlSuite): readonly ComparedOperation[] {
  const query = buildSchema(schema, { assumeValidSDL: true }).getQueryType();
  return Object.values(query?.getFields() ?? {}).map((field) => {
    const name = operationOf(query?.name ?? "", field.name);
    return { name, names: [name, field.name], examples: [], ...withPlace(placeOf(field.astNode)) };
  });
}

const hashText = /^(?:0x)?[0-9a-fA-F]{64}$/;
const movingTags: ReadonlySet<unknown> = new Set(["latest", "pending", "safe", "finalized"]);
const heightName = /(?:height|number|block|from|to|stateat)$/;

/** Whether an input identifies an object for which each target of the chain has the same result. */
export function isPinned({ isImmutable }: ComparedOperation, input: Input): boolean {
  if (isImmutable !== undefined) return isImmutable;
  const values = Object.values(input);
  if (values.some((value) => movingTags.has(value))) return false;
  return values.some((value) => typeof value === "string" && hashText.test(value)) || heightsIn(input).length > 0;
}

/** Returns the block numbers in an input. */
export function heightsIn(input: Input): readonly number[] {
  return Object.entries(input).flatMap(([name, value]) => {
    if (!heightName.test(plainName(name))) return [];
    if (typeof value === "number") return [value];
    const isNumber = typeof value === "string" && /^(?:0x[0-9a-fA-F]{1,12}|\d{1,15})$/.test(value);
    return isNumber ? [Number(value)] : [];
  });
}

/** Returns distinct inputs for both targets: the first one of a successful call, then those with the largest responses. */
export function goodInputs(
  responses: readonly ObservedResult[],
  inputs: readonly Input[],
  most: number,
): readonly Input[] {
  const largest = responses
    .map(({ input, value }) => ({ input, length: canonicalText(value ?? null).length }))
    .toSorted((left, right) => right.length - left.length)
    .map(({ input }) => input);
  const ordered = [...inputs.slice(0, 1), ...largest, ...inputs];
  return [...new Map(ordered.map((input) => [canonicalText(input), input])).values()].slice(0, most);
}
