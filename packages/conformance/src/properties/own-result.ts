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
  const earlier = operation.known.map(({ input, value }) => [canonicalText(input), canonicalText(value)] as const);
  yield {
    name: "in-turn",
    expected: "that neither of two calls in turn has the result of the other",
    inputs: [],
    furtherCalls: 3,
    isRepeated: true,
    isFinal: true,
    verify: async (call) => {
      for (let round = 0; round < rounds; round += 1) {
        if (!(await isMixedUp(call, [first, first, second], earlier))) return [];
      }
      if (!(await isSteady(call, pair))) return [];
      return [{ message: "the result of one call is given to another one, which has another result at other times" }];
    },
  };
}

/** Whether a call that is made in a row with others has two results, one of which another call has too. */
async function isMixedUp(
  call: Call,
  row: readonly Input[],
  earlier: readonly (readonly [string, string])[],
): Promise<boolean> {
  const found = new Map<string, Set<string>>();
  for (const input of row) {
    const key = canonicalText(input);
    found.set(key, (found.get(key) ?? new Set()).add(canonicalText((await call(input))[0].value)));
  }
  return [...found].some(([key, own]) => {
    if (own.size < 2) return false;
    const others = [...found].flatMap(([other, texts]) => (other === key ? [] : [...texts]));
    const before = earlier.flatMap(([other, text]) => (other === key ? [] : [text]));
    return [...own].some((text) => !plainResults.has(text) && [...others, ...before].includes(text));
  });
}

/** Whether each of two calls has a result of its own while nothing else is called for: others are drawn by lot, or move by themselves. */
async function isSteady(call: Call, pair: readonly [Input, Input]): Promise<boolean> {
  const steady: string[] = [];
  for (const input of pair) {
    const texts: string[] = [];
    for (let round = 0; round < rowLength; round += 1) texts.push(canonicalText((await call(input))[0].value));
    const rest = texts.slice(1);
    if (new Set(rest).size > 1) return false;
    steady.push(...rest.slice(0, 1));
  }
  return new Set(steady).size === pair.length;
}

/** Two inputs with different results that say something. */
function differingInputs({ known }: Operation): readonly [Input, Input] | undefined {
  const results = known
    .map(({ input, value }) => ({ input, text: canonicalText(value) }))
    .filter(({ text }) => !plainResults.has(text));
  const [first] = results;
  const second = results.find(({ text }) => text !== first?.text);
  return first === undefined || second === undefined ? undefined : [first.input, second.input];
}
