import { createRandom, kebabCase } from "@nodewright/api-values";
import { isIdentifier } from "../compare/list-of.ts";
import { elementOf, kindsIn } from "../compare/member-facts.ts";
import { isIdentifying, maySameIdentify } from "../inference/identifier-member.ts";
import type { Parameter } from "../inference/list-roles.ts";
import { unknownIdentifier } from "../inference/unknown-identifier.ts";
import { singularOf } from "../basics/singular.ts";
import { isRecord } from "@nodewright/api-model";
import { itemsOf } from "./choice.ts";
import type { Check, Knowledge, Problem, Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/**
 * Property that a list for several identifiers, whose elements may be null, has an element for each of them, at its place: null for
 * an object that does not exist.
 */
export const placesProperty: Property = { name: "places", rule: propertyRules.identity, checks };

function* checks(knowledge: Knowledge): Generator<Check> {
  const { operation, list, base, valid } = knowledge;
  if (list === undefined || !kindsIn(list.element, operation.types).has("null")) return;
  for (const parameter of operation.parameters.filter((one) => takesIdentifiers(knowledge, one))) {
    const { name, property } = parameter;
    const given = base[property];
    const all = Array.isArray(given) ? given.filter(isIdentifier) : [];
    if (all.length === 0) continue;
    const inputOf = (values: readonly unknown[]) => ({ ...base, [property]: values });
    const known = operation.known.flatMap(({ input }) => (Array.isArray(input[property]) ? input[property] : []));
    const [one, other] = [...new Set([...all, ...known.filter(isIdentifier)])];
    const single = { ...parameter, type: elementOf(parameter.type, 0, operation.types) ?? parameter.type };
    const unknown = unknownIdentifier(single, one, known, operation.types, createRandom(name))?.value;
    const values = [one, unknown, other].filter((value) => value !== undefined);
    if (!valid(parameter, values)) continue;
    yield {
      name: `places-of-${kebabCase(name)}`,
      expected: `an element for each of ${name}, in their order`,
      parameter,
      guess: `\`${name}\` is taken for identifiers of the elements, null for missing objects`,
      inputs: [inputOf(values)],
      furtherCalls: 1,
      isWhole: true,
      mayBeRefused: true,
      verify: async (call) => {
        const [usual] = await call(inputOf(values));
        const reversed = values.toReversed();
        const orders = valid(parameter, reversed) && values.length > 1 ? [reversed] : [];
        const results = await call(...orders.map(inputOf));
        return [
          ...placeProblems(name, values, itemsOf(usual)),
          ...results.flatMap((result, index) => placeProblems(name, orders[index] ?? [], itemsOf(result))),
        ].slice(0, 1);
      },
    };
  }
}

/** Whether a parameter takes several identifiers. */
function takesIdentifiers({ operation }: Knowledge, { name, type }: Parameter): boolean {
  const element = elementOf(type, 0, operation.types);
  const isName = isIdentifying({ name: singularOf(name) });
  return element !== undefined && isName && kindsIn(element, operation.types).has("string");
}

function placeProblems(name: string, values: readonly unknown[], items: readonly unknown[]): readonly Problem[] {
  if (items.length !== values.length) {
    const detail = `${items.length} elements for ${values.length} of ${name}`;
    return [{ message: `the list does not have one element for each of ${name}`, detail }];
  }
  const names = (item: unknown, value: unknown): boolean =>
    isRecord(item) && Object.values(item).some((own) => isIdentifier(own) && own === value);
  const isElsewhere = items.some(
    (item, index) =>
      isRecord(item) &&
      !names(item, values[index]) &&
      values.some((value) => names(item, value) && !maySameIdentify(value, values[index])),
  );
  return isElsewhere ? [{ message: `the elements are not in the order of ${name}` }] : [];
}
