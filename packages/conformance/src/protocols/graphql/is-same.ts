import { differences } from "../../compare/differences.ts";
import { isMovingName } from "../../compare/volatile-names.ts";

/** Whether two values are the same, but for members that move by their names. */
export function isSame(left: unknown, right: unknown): boolean {
  return differences(undefined, left, right, {}).every(({ name }) => name !== "" && isMovingName(name));
}
