import { type Finding, isBroken } from "../contract/finding.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import { showValue } from "../compare/show-value.ts";
import { type Session, shrinkAllowance } from "../session/session.ts";
import { isTooMany, type Parameter } from "../inference/list-roles.ts";
import { randomValueOf, shrinkValue } from "@nodewright/api-values";
import type { InputCase, InputOperation } from "./input-operation.ts";
import type { Expectation, Input } from "./operation.ts";
import { propertyRules } from "./property-rules.ts";

/** Number of random inputs of one operation. */
const mostInputs = 3;
/** Minimum number of requests for shrinking a failing value. */
const leastShrinks = 12;

/**
 * Plans calls with random values of all parameters that do not identify an object. Repeats the same call without such parameters:
 * intermittently wrong responses need several calls. A refusal may be correct; the response itself has to be correct. Failing inputs are
 * shrunk before they are reported.
 */
export function randomInputs(operation: InputOperation, session: Session, name: string): readonly InputCase[] {
  const { base, parameters } = operation;
  const varied = parameters.filter((parameter) => !operation.isNaming(parameter));
  if (base === undefined || (varied.length === 0 && operation.known.length === 0)) return [];
  return Array.from(
    { length: mostInputs },
    (_none, index): InputCase => ({
      group: "random",
      name: `inputs-${index + 1}`,
      rule: propertyRules.validInputHeuristic,
      expected: "a documented response to random values of the documented types",
      requests: 1 + leastShrinks,
      usualRequests: 1,
      // A wrong response to one of several equal calls is a failure, even if the others are correct.
      isLive: varied.length > 0,
      play: async (play) =>
        await playRandom(operation, play, base, varied, () => shrinkAllowance(session, name, leastShrinks)),
    }),
  );
}

function randomInput(operation: InputOperation, play: CasePlay, base: Input, varied: readonly Parameter[]): Input {
  const input: Record<string, unknown> = { ...base };
  for (const parameter of varied) {
    const random = play.random.fork(parameter.property);
    if (!parameter.required && random.next() > 0.7) continue;
    const value = randomValueOf(operation.strictTypeOf(parameter), operation.types, random);
    if (value !== undefined && !isTooMany(parameter, value, operation.types)) input[parameter.property] = value;
  }
  return input;
}

async function playRandom(
  operation: InputOperation,
  play: CasePlay,
  base: Input,
  varied: readonly Parameter[],
  mostShrinks: () => number,
): Promise<readonly Finding[]> {
  const input = randomInput(operation, play, base, varied);
  const rule = propertyRules.validInputHeuristic;
  const expectation: Expectation = { kind: "accepted", rule, certainty: "open", subject: "A call with random values" };
  if (operation.requestOf(input) === undefined)
    return play.skip("The values of the parameters can't be encoded as a request");
  const findingsFor = async (one: Input): Promise<readonly Finding[]> =>
    (await operation.expect(play, [{ input: one, expectation }])).flatMap(({ findings }) => findings);
  let latest = await findingsFor(input);
  if (!isBroken(latest)) return latest;
  const messages = new Set(latest.map(({ message }) => message));
  let smallest = input;
  let left = mostShrinks();
  const stillFails = async (candidate: Input): Promise<boolean> => {
    if (left <= 0 || operation.requestOf(candidate) === undefined) return false;
    left -= 1;
    const again = await findingsFor(candidate);
    if (!again.some(({ message }) => messages.has(message))) return false;
    latest = again;
    smallest = candidate;
    return true;
  };
  const changed = varied.filter(({ property }) => input[property] !== base[property]);
  for (const { property } of changed) {
    const { [property]: _left, ...others } = smallest;
    await stillFails(base[property] === undefined ? others : { ...others, [property]: base[property] });
  }
  for (const { property, type } of changed) {
    const at = smallest;
    if (at[property] === undefined || left <= 0) continue;
    await shrinkValue(type, operation.types, at[property], (value) => stillFails({ ...at, [property]: value }), left);
  }
  if (changed.length === 0) return latest;
  const shown = showValue(Object.fromEntries(Object.entries(smallest).filter(([name, value]) => value !== base[name])));
  return latest.map((finding) => ({ ...finding, detail: `${finding.detail ?? finding.message}; for ${shown}` }));
}
