import { listOf } from "../../compare/list-of.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { Finding } from "../../contract/finding.ts";
import type { Parameter } from "../../inference/list-roles.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { createRandom } from "@nodewright/api-values";
import type { Input, Operation } from "../operation.ts";
import { planRelations } from "../plan-relations.ts";
import { crossProperties } from "../properties.ts";
import type { CrossProperty } from "../property.ts";

/** An operation in memory. */
export interface MemoryOperation extends Partial<Operation> {
  readonly name: string;
  /** Inputs of the calls that had a value before. */
  readonly inputs: readonly Input[];
  /** Returns the result of an input; undefined where the target has nothing for it. */
  returns(input: Input): unknown;
}

/** Thrown where a case is skipped. */
export class SkippedInMemory extends Error {}

/** Run of a case for operations in memory: it sends nothing. */
export const memoryPlay: CasePlay = {
  send: () => {
    throw new Error("Nothing is sent");
  },
  skip: (reason) => {
    throw new SkippedInMemory(reason);
  },
  random: createRandom("properties"),
};

/** Returns a required parameter. */
export function required(name: string, type: SuiteType): Parameter {
  return { name, property: name, required: true, type };
}

/** Returns the messages of findings of a relation between operations in memory. */
export async function relationProblems(
  property: CrossProperty,
  ...described: readonly MemoryOperation[]
): Promise<readonly string[]> {
  return await findingsOf([property], described, ({ message }) => message);
}

/** Returns the rule ids and messages of findings of all relations. */
export async function brokenRelations(described: readonly MemoryOperation[]): Promise<readonly string[]> {
  return await findingsOf(crossProperties, described, ({ rule, message }) => `${rule.id} ${message}`);
}

/** Returns the findings of checks one by one, which have to equal those of checks together. */
async function findingsOf(
  properties: readonly CrossProperty[],
  described: readonly MemoryOperation[],
  report: (finding: Finding) => string,
): Promise<readonly string[]> {
  const operations = described.map((one) => operationOf(one));
  const [alone = [], together = []] = await Promise.all(
    [false, true].map(async (isTogether) => {
      const cases = planRelations(operations, properties, isTogether);
      const findings = await Promise.all(cases.map((each) => each.play(memoryPlay)));
      return [...new Set(findings.flat().map(report))].sort();
    }),
  );
  if (alone.join() !== together.join()) throw new Error(`Alone: ${alone.join()}; together: ${together.join()}`);
  return alone;
}

function operationOf({ inputs, returns, ...described }: MemoryOperation): Operation {
  const outcomeOf = (input: Input) => {
    const value = returns(input);
    const items = listOf(value)?.items;
    return { input, value, ...(items === undefined ? {} : { page: { items } }) };
  };
  return {
    types: {},
    parameters: [],
    result: undefined,
    origin: described.name,
    longest: 50,
    isCounted: false,
    known: inputs.map(outcomeOf),
    steadiness: () => "usual",
    expect: () => Promise.reject(new Error("Nothing is expected")),
    call: (_play, given) =>
      Promise.resolve(
        given.map((input) => {
          const result = outcomeOf(input);
          return result.value === undefined ? { findings: [], isAbsent: true } : { findings: [], results: [result] };
        }),
      ),
    ...described,
  };
}
