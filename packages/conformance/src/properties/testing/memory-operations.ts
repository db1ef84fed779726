import type { CasePlay } from "../../contract/planned-case.ts";
import type { Parameter } from "../../inference/list-roles.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { listOf } from "../../compare/list-of.ts";
import { createRandom } from "../../types/random.ts";
import type { CrossProperty } from "../property.ts";
import type { Input, Operation } from "../operation.ts";
import { planRelations } from "../plan-relations.ts";

/** An operation in memory. */
export interface MemoryOperation extends Partial<Operation> {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly result: SuiteType;
  /** Of the calls that had a value before. */
  readonly inputs: readonly Input[];
  /** Undefined where the target has nothing for the input. */
  returns(input: Input): unknown;
}

const play: CasePlay = {
  send: () => {
    throw new Error("Nothing is sent");
  },
  skip: (reason) => {
    throw new Error(reason);
  },
  random: createRandom("related"),
};

/** A required parameter. */
export function required(name: string, type: SuiteType): Parameter {
  return { name, property: name, required: true, type };
}

/** The messages of what a relation finds between operations in memory. */
export async function relationProblems(
  property: CrossProperty,
  ...described: readonly MemoryOperation[]
): Promise<readonly string[]> {
  const operations = described.map((one) => operationOf(one));
  const cases = planRelations(operations, [property], false);
  const findings = await Promise.all(cases.map((each) => each.play(play)));
  return [...new Set(findings.flat().map(({ message }) => message))].sort();
}

function operationOf({ inputs, returns, ...described }: MemoryOperation): Operation {
  const outcomeOf = (input: Input) => {
    const value = returns(input);
    const items = listOf(value)?.items;
    return { input, value, ...(items === undefined ? {} : { page: { items } }) };
  };
  return {
    types: {},
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
