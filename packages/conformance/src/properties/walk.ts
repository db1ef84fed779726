import { kebabCase } from "@nodewright/api-values";
import { nextTokenOf } from "../inference/page-members.ts";
import { itemsOf } from "./choice.ts";
import { isRound } from "./knowledge.ts";
import type { Check, Knowledge, Problem } from "./property.ts";

/** Maximum number of pages. */
const mostPages = 5;
/** Number of elements of a page where the list's length is unknown. */
const usualSize = 2;

/** Yields the check that the tokens of pages lead through a list to its end, and to each element once. */
export function* walkChecks(knowledge: Knowledge): Generator<Check> {
  const cursor = knowledge.roleOf("cursor");
  const { base, limitOf, list, operation, isAmong, valid } = knowledge;
  if (cursor === undefined || list === undefined) return;
  const { parameter, guess } = cursor;
  const { property, name } = parameter;
  const total = operation.known.map(({ page }) => page?.total).find((one) => one !== undefined && !isRound(one));
  const sizes = [total === undefined ? usualSize : Math.ceil(total / (mostPages - 1)), usualSize];
  const first = { ...base, ...sizes.map((size) => limitOf(size)).find((limit) => limit !== undefined) };
  yield {
    name: `${kebabCase(name)}-to-the-end`,
    expected: "pages up to the end, with each element once",
    parameter,
    guess,
    inputs: [first],
    furtherCalls: mostPages - 1,
    verify: async (call) => {
      const seen: unknown[] = [];
      const tokens = new Set<unknown>();
      let input = first;
      for (let number = 0; number < mostPages; number += 1) {
        const [page] = await call(input);
        const items = itemsOf(page);
        if (items.some((item) => isAmong(item, seen)))
          return [{ message: `pages that ${name} leads to contain elements of earlier pages` }];
        seen.push(...items);
        const token = nextTokenOf(page.value);
        if (token === undefined) return number === 0 ? [] : endProblems(name, seen, page.page?.total);
        if (tokens.has(token))
          return [{ message: `a page that ${name} leads to has a token of an earlier page as the next one` }];
        if (!valid(parameter, token)) return [];
        tokens.add(token);
        input = { ...first, [property]: token };
      }
      return [];
    },
  };
}

function endProblems(name: string, seen: readonly unknown[], total: number | undefined): readonly Problem[] {
  if (total === undefined || isRound(total) || total === seen.length) return [];
  const detail = `${seen.length} elements on all pages, of ${total}`;
  return [{ message: `all pages that ${name} leads to have fewer or more elements than the total`, detail }];
}
