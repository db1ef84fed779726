import { canonicalText } from "@nodewright/api-model";
import { camelCase } from "@nodewright/model";
import type {
  ConformanceSuite,
  SuiteFailure,
  SuiteHttpOperation,
  SuiteParameter,
  SuiteRpcMethod,
  SuiteSuccess,
} from "@nodewright/conformance/suite";

/** A part of operations from the document's components, which any of them may refer to. */
interface SharedPart {
  readonly constant: string;
  /** Name of a type of the runner. */
  readonly type: string;
  readonly place: string;
  readonly value: object;
}

/** The shared parts of a suite, and the constant of each object that is one. */
export interface SharedParts {
  readonly parts: readonly SharedPart[];
  readonly constants: ReadonlyMap<object, string>;
}

/**
 * Finds the parts that a suite would repeat for each operation that refers to them. They are identified by their locations and not by the
 * number of their occurrences, so that an operation does not affect others.
 */
export function sharedParts(suite: ConformanceSuite, allocate: (wanted: string) => string): SharedParts {
  const parts = new Map<string, SharedPart>();
  const constants = new Map<object, string>();
  for (const operation of suite.protocol === "graphql" ? [] : suite.operations) {
    for (const [type, value] of partsOf(operation)) {
      const { place } = value;
      if (place?.includes("#/components/") !== true) continue;
      const key = canonicalText([type, value]);
      let part = parts.get(key);
      if (part === undefined) {
        const name = place.slice(place.lastIndexOf("/") + 1);
        part = { constant: allocate(camelCase(`${name} ${type.replace("Suite", "")}`)), type, place, value };
        parts.set(key, part);
      }
      constants.set(value, part.constant);
    }
  }
  return { parts: [...parts.values()], constants };
}

type Part = readonly [type: string, value: SuiteParameter | SuiteSuccess | SuiteFailure];

function partsOf({ parameters, successes, failures }: SuiteHttpOperation | SuiteRpcMethod): readonly Part[] {
  return [
    ...parameters.map((one) => ["SuiteParameter", one] as const),
    ...successes.map((one) => ["SuiteSuccess", one] as const),
    ...failures.map((one) => ["SuiteFailure", one] as const),
  ];
}
