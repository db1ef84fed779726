import type { Finding } from "../../contract/finding.ts";
import type { Parameter } from "../../inference/list-roles.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import type { Input, Operation, Page, Steadiness } from "../operation.ts";
import { planProperties } from "../plan-properties.ts";
import type { Property } from "../property.ts";
import { memoryPlay, SkippedInMemory } from "./memory-operations.ts";

/** Description of a list in memory. */
export interface ListOperation {
  readonly parameters: readonly Parameter[];
  readonly element: SuiteType;
  /** Input of the call that had a value before; empty by default. */
  readonly base?: Input;
  /** Inputs of further calls that had a value. */
  readonly further?: readonly Input[];
  /** Inputs of examples. */
  readonly shown?: readonly Input[];
  /** Steadiness of all calls. */
  readonly steadiness?: Steadiness;
  readonly isByChance?: boolean;
  /** Returns the value that has a page; its elements by default. */
  valueAround?(page: Page): unknown;
  /** Returns the pages of an input; several where a call returns the lists of several objects. */
  pages(input: Input): readonly Page[] | undefined;
}

/** Returns an optional parameter. */
export function optional(name: string, type: SuiteType, usual?: unknown): Parameter {
  return { name, property: name, required: false, type, ...(usual === undefined ? {} : { default: usual }) };
}

/** Returns the messages of findings of properties in an operation in memory. Throws when checks one by one and together differ. */
export async function problemsOf(list: ListOperation, ...properties: readonly Property[]): Promise<readonly string[]> {
  const alone = await messagesOf(list, properties, false);
  const together = await messagesOf(list, properties, true);
  if (alone.join() !== together.join()) throw new Error(`Alone: ${alone.join()}; together: ${together.join()}`);
  return alone;
}

/** Returns the findings of a skipped case. */
function noFindings(reason: unknown): readonly Finding[] {
  if (reason instanceof SkippedInMemory) return [];
  throw reason;
}

async function messagesOf(
  {
    parameters,
    element,
    base = {},
    further = [],
    shown = [],
    steadiness,
    isByChance = false,
    valueAround,
    pages,
  }: ListOperation,
  properties: readonly Property[],
  together: boolean,
): Promise<readonly string[]> {
  const first = pages(base)?.[0];
  const operation: Operation = {
    name: "list",
    parameters,
    isByChance,
    result: { kind: "list", element },
    types: {},
    longest: 50,
    isCounted: first?.total !== undefined,
    examples: shown.map((input) => ({ input, value: pages(input)?.[0]?.items })),
    known: [[base, first] as const, ...further.map((input) => [input, pages(input)?.[0]] as const)].map(
      ([input, page]) => ({ input, value: page?.items, ...(page === undefined ? {} : { page }) }),
    ),
    steadiness: () => steadiness,
    expect: (_play, calls) => Promise.resolve(calls.map(() => ({ kind: "accepted", findings: [] }))),
    call: (_play, inputs) =>
      Promise.resolve(
        inputs.map((input) => {
          const results = pages(input)?.map((page) => ({ value: valueAround?.(page) ?? page.items, page }));
          return { findings: [], ...(results === undefined ? { isRefused: true } : { results }) };
        }),
      ),
  };
  const cases = planProperties(operation, properties, together);
  const findings = await Promise.all(cases.map((one) => one.play(memoryPlay).catch(noFindings)));
  return [...new Set(findings.flat().map(({ message }) => message))].sort();
}
