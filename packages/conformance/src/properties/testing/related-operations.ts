import type { CasePlay } from "../../contract/planned-case.ts";
import { createRandom } from "../../types/random.ts";
import { crossProperties } from "../properties.ts";
import type { Input, Operation, OperationDescription } from "../operation.ts";
import { planRelations } from "../plan-relations.ts";

/** An operation in memory: what it returns for an input; undefined where nothing is there. */
export interface MemoryOperation extends Partial<Omit<OperationDescription, "types">> {
  readonly name: string;
  /** Of the calls that had a value before. */
  readonly inputs: readonly Input[];
  answer(input: Input): unknown;
}

const play: CasePlay = {
  send: () => {
    throw new Error("Nothing is sent");
  },
  skip: (reason) => {
    throw new Error(reason);
  },
  random: createRandom("relations"),
};

/** The ids of rules and the messages of what does not hold between operations, with checks one by one and together. */
export async function relationProblems(
  operations: readonly MemoryOperation[],
  types: OperationDescription["types"],
): Promise<readonly string[]> {
  const [alone, together] = await Promise.all(
    [false, true].map(async (isTogether) => {
      const planned = planRelations(
        operations.map((one) => operationOf(one, types)),
        crossProperties,
        isTogether,
      );
      const findings = await Promise.all(planned.map((one) => one.play(play)));
      return [...new Set(findings.flat().map(({ rule, message }) => `${rule.id} ${message}`))].sort();
    }),
  );
  if (alone?.join() !== together?.join()) throw new Error(`Alone: ${alone?.join()}; together: ${together?.join()}`);
  return alone ?? [];
}

function operationOf(
  { name, inputs, answer, ...description }: MemoryOperation,
  types: OperationDescription["types"],
): Operation {
  return {
    parameters: [],
    result: undefined,
    origin: name,
    ...description,
    name,
    types,
    longest: 50,
    isCounted: false,
    known: inputs.map((input) => ({ input, value: answer(input) })),
    steadiness: () => undefined,
    expect: (_play, calls) => Promise.resolve(calls.map(() => ({ kind: "accepted", findings: [] }))),
    call: (_play, called) =>
      Promise.resolve(
        called.map((input) => {
          const value = answer(input);
          return value === undefined ? { findings: [], isAbsent: true } : { findings: [], results: [{ value }] };
        }),
      ),
  };
}
