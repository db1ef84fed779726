import { isRecord } from "@nodewright/api-model";
import { singularOf } from "../../inference/singular.ts";
import { withPlace } from "../../suite/with-place.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import { membersOf } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { kebabCase } from "../../types/kebab-case.ts";
import { isPaged } from "../../inference/page-members.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { caseOf, type HttpContext, wellObserved } from "./http-context.ts";
import type { Input } from "./http-request.ts";
import { answerTypeOf, pathParametersOf, subjectParameterOf } from "./operation-shape.ts";
import { observeNow } from "./relation-base.ts";

/** `bookCount` of an author is how many books `/authors/{authorId}/books` lists, where it lists all. */
export function planCounts(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const match = /^(.*\/\{[^{}]*\})\/([^/{}]+)\/?$/.exec(operation.path);
  const [subject] = pathParametersOf(operation);
  if (
    match === null ||
    subject === undefined ||
    pathParametersOf(operation).length !== 1 ||
    isPaged(operation.parameters) ||
    goesOn(context, operation)
  )
    return [];
  const owner = [...context.operations.values()].find(({ path, method }) => method === "GET" && path === match[1]);
  const observed = wellObserved(context, operation.name).findLast(({ judged }) => Array.isArray(judged.value));
  const ownerSubject = owner === undefined ? undefined : subjectParameterOf(owner);
  if (owner === undefined || ownerSubject === undefined || observed === undefined) return [];
  const counter = membersOf(answerTypeOf(owner), context.types).find(({ name }) =>
    countsThing(plainName(name), plainName(match[2] ?? "")),
  );
  if (counter === undefined) return [];
  return [
    caseOf(context, operation, {
      group: "relation",
      name: `counted-by-${kebabCase(owner.name)}`,
      rule: propertyRules.count,
      expected: `as many elements as ${counter.name} of ${owner.origin} says`,
      requests: 4,
      isLive: true,
      play: async (play) => {
        const ownerInput: Input = { [ownerSubject.property]: observed.input[subject.property] };
        const holdsNow = async (): Promise<boolean> => {
          const list = (await observeNow(context, play, operation, observed.input)).judged.value;
          const { value } = (await observeNow(context, play, owner, ownerInput)).judged;
          const count = isRecord(value) ? value[counter.name] : undefined;
          if (!Array.isArray(list) || typeof count !== "number") return true;
          return count === list.length || (count > list.length && isPageLength(list.length));
        };
        if ((await holdsNow()) || (await holdsNow())) return [];
        const message = `The elements are not as many as ${counter.name} of ${owner.origin} says`;
        return [{ rule: propertyRules.count, message, ...withPlace(counter.place ?? operation.place) }];
      },
    }),
  ];
}

/** Whether a list has further pages: by a link, or by a path that begins where it ends, as `/txs/{start_index}` does behind `/txs`. */
function goesOn(context: HttpContext, { path, links }: SuiteHttpOperation): boolean {
  if (links.some(({ name }) => name === "next")) return true;
  return [...context.operations.values()].some((other) => other.path.startsWith(`${path}/{`));
}

/** Lists without a word about pages end at lengths like these where they are cut. */
function isPageLength(length: number): boolean {
  return length > 0 && (length % 10 === 0 || length % 25 === 0);
}

/** `book_count`, `numBooks`, `n_books`, `booksCount` of `books`. */
function countsThing(name: string, things: string): boolean {
  const thing = singularOf(things);
  return [
    `${thing}count`,
    `${things}count`,
    `num${things}`,
    `n${things}`,
    `numberof${things}`,
    `total${things}`,
  ].includes(name);
}
