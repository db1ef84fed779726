import { finding, type Finding } from "../contract/finding.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import { defaultOf, inferListRoles, type Parameter } from "../inference/list-roles.ts";
import { expectedCase, type InputCase, type InputOperation } from "./input-operation.ts";
import type { ExpectedCall, Expectation, Input } from "./operation.ts";
import { propertyRules } from "./property-rules.ts";
import { validValuesOf } from "./valid-values.ts";

/** Maximum number of optional parameters to call with, one at a time. */
const mostChoices = 4;
/** Maximum number of values of one of them. */
const mostValues = 2;

const open: Expectation = {
  kind: "accepted",
  rule: propertyRules.validInput,
  certainty: "open",
  subject: "A call with one optional parameter",
};

/** Returns the case of a call without optional parameters, which has to be accepted unless one of several is needed. */
export function bareCase(
  operation: InputOperation,
  call: ExpectedCall,
  parts: Parameters<typeof expectedCase>[2],
): InputCase {
  const play: InputCase["play"] = async (on) => {
    const [{ kind, findings } = { kind: "unclear", findings: [] }] = await operation.expect(on, [call]);
    return kind === "refused" ? await refusedBare(operation, on, call.input, findings) : findings;
  };
  return { ...expectedCase(operation, call, parts), play };
}

/**
 * Returns the findings of a refused call without optional parameters. Where there are several, the target may need any one of them, which
 * no type states: the call is then no violation. A target that accepts only one of them needs this one.
 */
export async function refusedBare(
  operation: InputOperation,
  play: CasePlay,
  input: Input,
  found: readonly Finding[],
): Promise<readonly Finding[]> {
  const choices = choicesOf(operation);
  const isNeeded = ({ property }: Parameter): boolean =>
    operation.known.every((one) => one.input[property] !== undefined);
  const others = operation.parameters.filter((one) => !one.required && !choices.includes(one));
  // A parameter with a default, or a limit, is not one of several.
  if (choices.length < 2 || (operation.known.length > 0 && others.some(isNeeded))) return found;
  const accepted: Parameter[] = [];
  for (const parameter of choices.slice(0, mostChoices)) {
    if (await isAcceptedWith(operation, play, input, parameter)) accepted.push(parameter);
    if (accepted.length > 1) return play.skip("The target needs one of several optional parameters");
  }
  const [needed] = accepted;
  if (needed === undefined)
    return play.skip("The target refuses the call without optional parameters, and with each one");
  const message = `the call is refused without ${needed.name}, which is optional`;
  return [finding(propertyRules.validInputHeuristic, message, undefined, needed)];
}

/** Returns optional parameters one of which a call may need: none that has a default or selects a page. */
function choicesOf({ parameters, types }: InputOperation): readonly Parameter[] {
  const roles = inferListRoles(parameters, types);
  return parameters.filter(
    (one) => !one.required && defaultOf(one, types) === undefined && !roles.some(({ parameter }) => parameter === one),
  );
}

async function isAcceptedWith(
  operation: InputOperation,
  play: CasePlay,
  input: Input,
  parameter: Parameter,
): Promise<boolean> {
  const { property } = parameter;
  const known = operation.known.map((one) => one.input[property]).filter((value) => value !== undefined);
  const values = [...known, ...validValuesOf(operation, input, parameter).map(({ value }) => value)];
  for (const value of values.slice(0, mostValues)) {
    const [response] = await operation.expect(play, [{ input: { ...input, [property]: value }, expectation: open }]);
    if (response?.kind === "accepted") return true;
  }
  return false;
}
