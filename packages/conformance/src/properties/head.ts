import { heightIn, heightOf, isHeadName, isHeightName } from "../inference/chain-names.ts";
import type { Parameter } from "../inference/list-roles.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { isValueOf } from "../types/violations.ts";
import type { CrossCheck, CrossProperty, Related } from "./cross-property.ts";
import type { Input, Operation } from "./operation.ts";
import { propertyRules } from "./property-rules.ts";

/** At the last height that is reported there is something, and far above it there is nothing. */
export const headProperty: CrossProperty = { name: "head", rule: propertyRules.head, checks };

/** How far a head may be behind while new blocks come in. */
const mostBehind = 3n;

function* checks({ operations }: Related): Generator<CrossCheck> {
  const [found] = operations.flatMap((operation) => {
    const parameter = heightParameterOf(operation);
    return parameter === undefined ? [] : [{ operation, parameter }];
  });
  if (found === undefined) return;
  const { operation, parameter } = found;
  for (const head of operations) {
    const isHead = isHeadName(head.origin ?? head.name) || isHeadName(head.name);
    const isKnown = head.known.some(({ value }) => heightReported(value) !== undefined);
    if (!isHead || !isKnown || head === operation || head.parameters.some(({ required }) => required)) continue;
    yield {
      operation: head,
      name: `head-of-${kebabCase(operation.name)}`,
      expected: `a height at which ${operation.origin} finds something, and nothing far above it`,
      guess: `${head.origin} is taken to report the last height of what ${operation.origin} finds, as names say`,
      inputs: [{}],
      verify: async (call) => {
        const [{ value: reported }] = await call(head, {});
        const height = heightReported(reported);
        if (height === undefined) return [];
        const [at, beyond] = [height, height + mostBehind].map((one) => inputAt(operation, parameter, one));
        if (at === undefined || beyond === undefined) return [];
        const [here, above] = await call(operation, at, beyond);
        const detail = `it is ${height}`;
        if (above.value !== undefined)
          return [{ message: `it is far below heights at which ${operation.origin} finds something`, detail }];
        return here.isAbsent === true
          ? [{ message: `${operation.origin} finds nothing at the height that is reported`, detail }]
          : [];
      },
    };
  }
}

/** A height that is the result itself, or a member of it. */
function heightReported(value: unknown): bigint | undefined {
  return heightOf(value) ?? heightIn(value);
}

/** The parameter by which alone an operation finds something at a height, and has found something. */
function heightParameterOf({ parameters, known }: Operation): Parameter | undefined {
  const parameter = parameters.find(({ name }) => isHeightName(name));
  const areOptional = parameters.every((one) => one === parameter || !one.required);
  const isFound = known.some(
    ({ input, value }) =>
      parameter !== undefined && heightOf(input[parameter.property]) !== undefined && value !== null,
  );
  return areOptional && isFound ? parameter : undefined;
}

function inputAt({ types }: Operation, { property, type }: Parameter, height: bigint): Input | undefined {
  const spellings = [`0x${height.toString(16)}`, Number(height), String(height)];
  const value = spellings.find((one) => isValueOf(type, one, types, "request"));
  return value === undefined ? undefined : { [property]: value };
}
