import { canonicalText } from "@nodewright/api-model";
import type { Difference } from "../compare/differences.ts";
import { isPageName, linkTarget } from "../inference/page-members.ts";
import { kebabCase } from "@nodewright/api-values";
import type { Input, Operation } from "./operation.ts";
import type { Check, Knowledge, Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that omitting a parameter has the effect of its documented default. */
export const defaultProperty: Property = { name: "default", rule: propertyRules.default, checks };

/** Maximum number of inputs with which defaults are also sent explicitly: a parameter may have no effect with some of them. */
const mostInputs = 2;

function* checks({ operation, defaultOf, differencesOf }: Knowledge): Generator<Check> {
  const parameters = operation.parameters.filter((one) => !one.required && (defaultOf(one) ?? null) !== null);
  const most = Math.max(1, Math.floor(mostInputs / parameters.length));
  const bases = basesOf(operation, new Set(parameters.map(({ property }) => property))).slice(0, most);
  for (const parameter of parameters) {
    const { name, property } = parameter;
    const pairs = bases.map((base) => [base, { ...base, [property]: defaultOf(parameter) }] as const);
    yield {
      name: `default-of-${kebabCase(name)}`,
      expected: `the same without ${name} as with its documented default`,
      parameter,
      inputs: pairs.flat(),
      isWhole: true,
      // Checks of valid inputs cover whether a default is accepted and may be omitted.
      mayBeRefused: true,
      verify: async (call) => {
        const found = pairs.map(async (pair) => {
          const [without, given] = await call(...pair);
          return differencesOf(given.value, without.value).filter((difference) => !isOfRequest(difference));
        });
        return (await Promise.all(found)).flatMap(([difference]) => {
          if (difference === undefined) return [];
          const { pointer, steady, detail } = difference;
          const message = `the result without ${name} is another than with its documented default`;
          return [{ message, detail: `${pointer} ${detail}`.trim(), pointer: steady }];
        });
      },
    };
  }
}

/**
 * Returns distinct inputs that had a value, without some parameters: those of examples first, then those that need no call, with the
 * longest lists and the fewest parameters.
 */
function basesOf({ known, examples = [] }: Operation, dropped: ReadonlySet<string>): readonly Input[] {
  const without = (input: Input): Input =>
    Object.fromEntries(Object.entries(input).filter(([property]) => !dropped.has(property)));
  // Authors of examples know where a parameter has an effect.
  const shown = new Set(examples.map(({ input }) => canonicalText(without(input))));
  const bases = known
    .map(({ input, page }) => {
      const base = without(input);
      const size = Object.keys(base).length;
      const isKnown = size === Object.keys(input).length;
      return { base, isShown: shown.has(canonicalText(base)), isKnown, length: page?.items.length ?? 0, size };
    })
    .toSorted(
      (left, right) =>
        Number(right.isShown) - Number(left.isShown) ||
        Number(right.isKnown) - Number(left.isKnown) ||
        right.length - left.length ||
        left.size - right.size,
    );
  return [...new Map(bases.map(({ base }) => [canonicalText(base), base])).values()];
}

/** Whether a difference only repeats the call: a link to the same URL with another query, or a token of the next page. */
function isOfRequest({ kind, name, expected, actual }: Difference): boolean {
  if (kind !== "value" || typeof expected !== "string" || typeof actual !== "string") return false;
  if (isPageName("next", name)) return true;
  const [left, right] = [linkTarget(expected), linkTarget(actual)];
  return left !== undefined && right !== undefined && left.pathname === right.pathname && left.host === right.host;
}
