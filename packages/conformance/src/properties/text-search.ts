import { isRecord } from "@nodewright/api-model";
import { kindsIn, membersOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { Parameter } from "../inference/list-roles.ts";
import { kebabCase } from "@nodewright/api-values";
import type { Input, Page } from "./operation.ts";
import type { Check, Knowledge, Problem, Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** A search for a word finds what has it in its title, wherever it stands there. */
export const textSearchProperty: Property = { name: "text-search", rule: propertyRules.filter, checks };

const searchName = /^(?:q|query|search|text|searchtext|searchterm|searchquery|term|keyword|keywords)$/;
const titleName = /^(?:title|name|fullname|displayname|label|headline)$/;
/** Elements without a word that a list needs to have for it to say that nothing was searched for. */
const telling = 3;

function* checks(knowledge: Knowledge): Generator<Check> {
  const { operation, list, base, whole, valid } = knowledge;
  if (list === undefined) return;
  const title = membersOf(list.element, operation.types).find(({ name }) => titleName.test(plainName(name)))?.name;
  const search = knowledge.free.find((one) => isSearch(one, knowledge));
  if (title === undefined || search === undefined) return;
  yield {
    name: `search-${kebabCase(search.name)}`,
    expected: `the elements whose ${title} has the word that is searched for`,
    parameter: search,
    guess: `\`${search.name}\` is taken for a text that is searched for in \`${title}\`, as their names and types say`,
    inputs: [whole],
    furtherCalls: 2,
    reads: [[title]],
    mayBeRefused: true,
    verify: async (call) => {
      const [{ page: all }] = await call(whole);
      const words = all === undefined ? undefined : wordsOf(all.items, title);
      if (all === undefined || words?.every((word) => valid(search, word)) !== true) return [];
      const [first = "", last = ""] = words;
      const given = (word: string): Input => ({ ...whole, [search.property]: word });
      const [{ page: plain }, { page: found }] = await call(given(first), given(last));
      if (plain === undefined || found === undefined) return [];
      const isWhole = base[search.property] === undefined && knowledge.isSameList(all.items, found.items);
      if (isWhole && all.items.filter((item) => !holds(item, last)).length >= telling)
        return [{ message: `the elements are the same whatever ${search.name} is`, isUnsure: true }];
      // A search that finds words by their sound, or in what is not shown, may find others as well, or fewer.
      const isPlain = plain.items.length > 0 && plain.items.every((item) => holds(item, first));
      return isPlain ? problemsOf(knowledge, search.name, title, last, [all, plain], found) : [];
    },
  };
}

function isSearch({ name, type }: Parameter, { operation }: Knowledge): boolean {
  return searchName.test(plainName(name)) && kindsIn(type, operation.types).has("string");
}

/** The first and the last word of a title of several: two that are long enough to be searched for. */
function wordsOf(items: readonly unknown[], title: string): readonly [string, string] | undefined {
  for (const item of items) {
    const text = isRecord(item) ? item[title] : undefined;
    const words = typeof text === "string" ? text.split(" ") : [];
    const [first = "", ...rest] = words;
    const last = rest.findLast((word) => isWord(word) && word.toLowerCase() !== first.toLowerCase());
    if (isWord(first) && last !== undefined) return [first, last];
  }
  return undefined;
}

function isWord(word: string): boolean {
  return /^[A-Za-z]{4,}$/.test(word);
}

/** Whether a value has a word in one of its texts, in any case. */
function holds(value: unknown, word: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(word.toLowerCase());
  return typeof value === "object" && value !== null && Object.values(value).some((one) => holds(one, word));
}

function problemsOf(
  knowledge: Knowledge,
  name: string,
  title: string,
  word: string,
  seen: readonly Page[],
  found: Page,
): readonly Problem[] {
  const pointer = `/*/${title}`;
  if (found.items.some((item) => !holds(item, word)))
    return [{ message: `there are elements without the word that ${name} searches for`, pointer, isUnsure: true }];
  if (!knowledge.isEnded(found)) return [];
  const isMissing = (item: unknown): boolean =>
    isRecord(item) && String(item[title]).split(" ").includes(word) && !knowledge.isAmong(item, found.items);
  const missing = seen.flatMap(({ items }) => items).filter(isMissing);
  if (missing.length === 0) return [];
  const message = `elements are missing whose ${title} has the word that ${name} searches for`;
  return [{ message, detail: `${missing.length} beside ${found.items.length}`, pointer, isUnsure: true }];
}
