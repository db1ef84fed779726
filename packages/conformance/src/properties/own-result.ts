import { canonicalText } from "@nodewright/api-model";
import type { Input, Operation } from "./operation.ts";
import type { Call, Check, Knowledge, Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** A call has the result of its own inputs, whatever was called for before it. */
export const ownResultProperty: Property = { name: "own-result", rule: propertyRules.ownResult, checks };

/** Results that say too little to be distinguished by chance. */
const plainResults: ReadonlySet<string> = new Set(["null", "[]", "{}", '""', "undefined"]);
/** What happens twice is no chance. */
const rounds = 2;
/** Calls in a row, the first of which may have what was called for before. */
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
      // What each has while nothing else is called for: others are drawn by lot, or move by themselves.
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

/** The result of a call that is made in a row; undefined where it is not the same each time. */
async function steadyText(call: Call, input: Input): Promise<string | undefined> {
  const texts = await textsOf(call, Array<Input>(rowLength).fill(input));
  return new Set(texts.slice(1)).size === 1 ? texts.at(-1) : undefined;
}

/** Two inputs with different results that say something. */
function differingInputs({ known }: Operation): readonly [Input, Input] | undefined {
  const results = known
    .map(({ input, value }) => ({ input, key: canonicalText(input), text: canonicalText(value) }))
    .filter(({ text }) => !plainResults.has(text));
  const [first] = results;
  const second = results.find(({ key, text }) => key !== first?.key && text !== first?.text);
  return first === undefined || second === undefined ? undefined : [first.input, second.input];
}
