import type { Page } from "./operation.ts";
import { isRound } from "./knowledge.ts";
import type { Problem } from "./property.ts";

/**
 * The total beside chosen elements is of these: not the one of the whole list, where it has elements that were not chosen. A total that is not
 * how many elements the whole list has is of something else.
 */
export function chosenTotalProblems(
  name: string,
  all: Page,
  found: Page,
  isChosen: (item: unknown) => boolean | undefined,
): readonly Problem[] {
  const { total } = found;
  if (total === undefined || all.total === undefined) return [];
  const isShorter = found.items.length < all.items.length;
  const isCounted = all.total === all.items.length || (total === all.total && !isRound(all.total));
  if (isShorter && isCounted && total !== found.items.length) {
    const detail = `${total}, and there are ${found.items.length}`;
    return [{ message: `the total is not the number of elements that ${name} chooses`, detail }];
  }
  const isOfAll = total === all.total && !isRound(total) && all.items.some((item) => isChosen(item) === false);
  const areChosen = found.items.length > 0 && found.items.every((item) => isChosen(item) === true);
  if (!isOfAll || !areChosen) return [];
  return [
    { message: `the total is not the number of elements that ${name} chooses`, detail: `${total} as without ${name}` },
  ];
}
