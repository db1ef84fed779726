import { isRecord } from "@nodewright/api-model";
import { isIdentifier, listOf } from "../compare/list-of.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import { maySameIdentify } from "../inference/identifier-member.ts";
import type { Parameter } from "../inference/list-roles.ts";
import { isGraded, isLoose } from "../inference/name-meaning.ts";
import { kebabCase } from "@nodewright/api-values";
import type { Input } from "./operation.ts";
import { type Check, comparing, type Knowledge, type Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/**
 * Property that a member that repeats a parameter under another name in most results, such as `countryCode` for `country`, repeats it in
 * all.
 */
export const seenEchoProperty: Property = { name: "seen-echo", rule: propertyRules.echo, checks };

/** Minimum number of different values that a member has to repeat. */
const enoughValues = 2;
/** Maximum depth of members. */
const deepest = 2;

function* checks({ operation }: Knowledge): Generator<Check> {
  for (const parameter of operation.parameters.filter(mayBeRepeated)) {
    const { name, property } = parameter;
    const results = operation.known.filter(({ input }) => isIdentifier(input[property]));
    const isRepeated = (path: string, { input, value }: (typeof results)[number]): boolean => {
      const found = valuesAt(value, path);
      return found.length > 0 && found.every((one) => isSame(input[property], one));
    };
    for (const path of pathsLike(name, results[0]?.value)) {
      const repeating = results.filter((one) => isRepeated(path, one));
      const others = results.filter((one) => valuesAt(one.value, path).length > 0 && !isRepeated(path, one));
      const [other] = others;
      const distinct = new Set(repeating.map(({ input }) => input[property])).size;
      if (other === undefined || distinct < Math.max(enoughValues, others.length)) continue;
      yield {
        name: `repeats-${kebabCase(name)}`,
        parameter,
        expected: `${name} in ${path}, as in other results`,
        guess: `${path} is the ${name} of the call in ${repeating.length} other results`,
        isWhole: true,
        ...comparing([other.input] as const satisfies readonly [Input], ([{ value }]) => {
          const wrong = valuesAt(value, path).find((one) => !isSame(other.input[property], one));
          if (wrong === undefined) return [];
          const detail = `${showValue(wrong)}, ${name} was ${showValue(other.input[property])}`;
          return [{ message: `${path} is not the ${name} of the call`, detail, pointer: `/${path}` }];
        }),
      };
      break;
    }
  }
}

function mayBeRepeated({ name, required }: Parameter): boolean {
  return required && !isGraded(name) && !isLoose(name);
}

function isSame(wanted: unknown, actual: unknown): boolean {
  return isIdentifier(actual) && maySameIdentify(wanted, actual) && typeof wanted === typeof actual;
}

/**
 * Returns paths to members whose names resemble that of a parameter without being equal: `countryCode` and `country/code` for `country`.
 */
function pathsLike(parameter: string, value: unknown): readonly string[] {
  const wanted = plainName(parameter);
  return pathsIn(objectsOf(value)[0], deepest).filter((path) => {
    const own = plainName(path.replaceAll("/", ""));
    return own !== wanted && (own.includes(wanted) || (wanted.includes(own) && own.length > 1));
  });
}

function pathsIn(value: unknown, depth: number): readonly string[] {
  if (!isRecord(value) || depth === 0) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    isRecord(member) ? pathsIn(member, depth - 1).map((path) => `${name}/${path}`) : isIdentifier(member) ? [name] : [],
  );
}

function objectsOf(value: unknown): readonly unknown[] {
  return (listOf(value)?.items ?? [value]).filter(isRecord);
}

function valuesAt(value: unknown, path: string): readonly unknown[] {
  const follow = (from: unknown): unknown =>
    path.split("/").reduce((at: unknown, name) => (isRecord(at) ? at[name] : undefined), from);
  return objectsOf(value).flatMap((object) => follow(object) ?? []);
}
