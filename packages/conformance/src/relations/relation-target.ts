import type { CasePlay } from "../contract/planned-case.ts";
import type { Session } from "../session/session.ts";
import type { SuiteParameter } from "../suite/suite.ts";
import type { RelationTarget, TestResponse } from "./relation-cases.ts";

type Input = Readonly<Record<string, unknown>>;

interface Called {
  readonly name: string;
  readonly parameters: readonly SuiteParameter[];
  readonly isImmutable?: boolean;
}

/** Returns access of relations to operations whose input has its parameters, by their names on the wire or by property. */
export function relationTarget<Of extends Called>(
  session: Session,
  operations: readonly Of[],
  call: (play: CasePlay, operation: Of, input: Input) => Promise<TestResponse>,
): RelationTarget {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  return {
    session,
    isImmutable: (name) => byName.get(name)?.isImmutable === true,
    has: (name) => byName.has(name),
    callOperation: async (play, name, input) => {
      const operation = byName.get(name);
      if (operation === undefined) return { kind: "nothing", problem: `there is no operation ${name}` };
      return await call(play, operation, byProperty(operation.parameters, input));
    },
  };
}

function byProperty(parameters: readonly SuiteParameter[], input: Input): Input {
  const names = parameters.flatMap(({ name, property }) => [[name, property] as const, [property, property] as const]);
  const properties = new Map(names);
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [properties.get(name) ?? name, value]));
}
