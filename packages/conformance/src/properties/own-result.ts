import { canonicalText } from "@nodewright/api-model";
import type { Input, Operation } from "./operation.ts";
import type { Call, Check, Knowledge, Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that a call has the result of its own inputs, whatever call came before it. */
export const ownResultProperty: Property = { name: "own-result", rule: propertyRules.ownResult, checks };

/** Results that are too common to distinguish calls. */
const plainResults: ReadonlySet<string> = new Set(["null", "[]", "{}", '""', "undefined"]);
/** Number of rounds in which the mix-up has to occur. */
const rounds = 2;
/** Number of calls in a row, the first of which may have the result of the call before it. */
const rowLength = 6;

function* checks({ operation }: Knowledge): Generator<Check> {
  const pair = differingInputs(operation);
  if (pair === undefined) return;
  const [first, second] = pair;
  yield {
    name: "in-turn",
    expected: "that neither of two calls in turn has the result of the other",
    inputs: [],
    furtherCalls: 3,
    isRepeated: true,
    isFinal: true,
    verify: async (call) => {
      const rows: (readonly string[])[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const [, late, own] = await textsOf(call, [first, second, second]);
        if (late === undefined || own === undefined || late === own) return [];
        rows.push([late, own]);
      }
      // Results while no other call is made: others are random, or change by themselves.
      const steady = [await steadyText(call, first), await steadyText(call, second)];
      const isMixedUp = rows.every((row) => row.every((text, index) => text === steady[index]));
      if (!isMixedUp) return [];
      return [{ message: "the result of one call is given to another one, which has another result at other times" }];
    },
  };
}

async function textsOf(call: Call, row: readonly Input[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const input of row) texts.push(canonicalText((await call(input))[0].value));
  return texts;
}

/** Returns the result of a call that is repeated in a row; undefined where it changes. */
async function steadyText(call: Call, input: Input): Promise<string | undefined> {
  const texts = await textsOf(call, Array<Input>(rowLength).fill(input));
  return new Set(texts.slice(1)).size === 1 ? texts.at(-1) : undefined;
}

/** Returns two inputs with different, distinctive results. */
function differingInputs({ known }: Operation): readonly [Input, Input] | undefined {
  const results = known
    .map(({ input, value }) => ({ input, key: canonicalText(input), text: canonicalText(value) }))
    .filter(({ text }) => !plainResults.has(text));
  const [first] = results;
  const second = results.find(({ key, text }) => key !== first?.key && text !== first?.text);
  return first === undefined || second === undefined ? undefined : [first.input, second.input];
}
