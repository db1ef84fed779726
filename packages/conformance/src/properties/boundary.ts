import { canonicalText } from "@nodewright/api-model";
import { type Finding, isBroken, uniqueFindings } from "../contract/finding.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import { withPlace } from "../suite/with-place.ts";
import { interleave, kebabCase, transposed } from "@nodewright/api-values";
import { bareCase } from "./bare-call.ts";
import type { InputCase, InputOperation } from "./input-operation.ts";
import type { CheckedResponse, ExpectedCall, Input } from "./operation.ts";
import { propertyRules } from "./property-rules.ts";
import { type ValidValue, validValuesOf } from "./valid-values.ts";

/** Maximum number of calls that are made together. */
const mostTogether = 12;
/** Number of refused values after which all values of a parameter are reported as refused. */
const enoughRefused = 3;

/** Plans a call without any optional parameter, which has to succeed. */
export function onlyRequired(operation: InputOperation): readonly InputCase[] {
  const { base, known, failing } = operation;
  const request = base && operation.requestOf(base);
  // One of several optional parameters may be needed: examples of failures show it.
  const decided = [...known.map(({ input }) => input), ...failing];
  if (base === undefined || request === undefined || known.length === 0) return [];
  if (decided.some((input) => operation.requestOf(input) === request)) return [];
  const rule = propertyRules.validInput;
  const subject = "A call without what is optional";
  const call: ExpectedCall = { input: base, expectation: { kind: "accepted", rule, certainty: "documented", subject } };
  const expected = "a success without what is optional";
  return [bareCase(operation, call, { group: "boundary", name: "only-required", expected, input: base })];
}

/**
 * Plans calls with values of all parameters at their bounds, each listed value and each default. Values of optional parameters are sent
 * together, one of each parameter at once: accepted ones need no call of their own.
 */
export function boundaries(operation: InputOperation): readonly InputCase[] {
  const { base, parameters, isBatched } = operation;
  if (base === undefined) return [];
  const tally = new Tally(operation);
  const each = parameters.map((parameter) => validValuesOf(operation, base, parameter));
  const free = each.map((values) => values.filter(({ isFree }) => isFree));
  const single = interleave(each.map((values) => values.filter(({ isFree }) => !isFree)));
  const chunks = Map.groupBy(interleave(each), (_value, index) => Math.floor(index / mostTogether));
  const turns = isBatched ? [...chunks.values()] : transposed(free);
  const together = turns.map((values, turn): InputCase => {
    const whole = { ...base, ...Object.fromEntries(values.map(({ parameter, value }) => [parameter.property, value])) };
    return {
      group: "boundary",
      name: `values-${turn + 1}`,
      rule: propertyRules.validInput,
      expected: "a success for values that the description allows",
      input: isBatched ? (values[0]?.input ?? whole) : whole,
      requests: isBatched ? 4 : 1 + values.length,
      usualRequests: 1,
      play: async (play) => await playValues(operation, tally, play, values, isBatched ? undefined : whole),
    };
  });
  const alone = (isBatched ? [] : single).map((value): InputCase => {
    return {
      group: "boundary",
      name: `${kebabCase(value.parameter.property)}-${value.name}`,
      rule: ruleOf(value),
      expected: "a success for a value that the description allows",
      input: value.input,
      requests: 1,
      play: async (play) => await playValues(operation, tally, play, [value]),
    };
  });
  return interleave([together, alone]);
}

function ruleOf({ certainty }: ValidValue): (typeof propertyRules)["validInput"] {
  return certainty === "documented" ? propertyRules.validInput : propertyRules.validInputHeuristic;
}

function callWith(value: ValidValue): ExpectedCall {
  const { parameter, certainty, input } = value;
  const subject = `A valid value of ${parameter.name}`;
  return { input, expectation: { kind: "accepted", rule: ruleOf(value), certainty, subject, parameter } };
}

/** Calls with all values at once where `whole` contains them, and with each one alone where that call is refused. */
async function playValues(
  operation: InputOperation,
  tally: Tally,
  play: CasePlay,
  values: readonly ValidValue[],
  whole?: Input,
): Promise<readonly Finding[]> {
  if (whole !== undefined && values.length > 1) {
    const rule = propertyRules.validInputHeuristic;
    const expectation = { kind: "accepted", rule, certainty: "open", subject: "A call with valid values" } as const;
    const [response] = await operation.expect(play, [{ input: whole, expectation }]);
    if (response?.kind === "accepted" || isBroken(response?.findings ?? [])) {
      for (const value of values) tally.note(value, "accepted");
      return response?.findings ?? [];
    }
  }
  const responses = await operation.expect(play, values.map(callWith));
  return uniqueFindings(
    values.flatMap((value, index) => {
      const { findings = [], kind = "unclear" } = responses[index] ?? {};
      return [...findings, ...tally.note(value, kind)];
    }),
  );
}

/** Tally of refused values of optional parameters. A parameter all of whose values are refused is not supported. */
class Tally {
  readonly #refused = new Map<string, Set<string>>();
  readonly #accepted = new Set<string>();

  constructor({ known, parameters }: InputOperation) {
    const given = parameters.filter(({ property }) => known.some(({ input }) => input[property] !== undefined));
    for (const { property } of given) this.#accepted.add(property);
  }

  note({ parameter, value, certainty, count }: ValidValue, kind: CheckedResponse["kind"]): readonly Finding[] {
    const { property, required, name } = parameter;
    if (kind === "accepted") this.#accepted.add(property);
    if (kind !== "refused" || required || this.#accepted.has(property) || certainty !== "likely") return [];
    const refused = (this.#refused.get(property) ?? new Set()).add(canonicalText(value));
    this.#refused.set(property, refused);
    if (count < 2 || refused.size < Math.min(enoughRefused, count)) return [];
    const message = `Every value of ${name} is refused, and the call without it is not`;
    return [{ rule: propertyRules.validInput, message, ...withPlace(parameter.place ?? parameter.type.place) }];
  }
}
