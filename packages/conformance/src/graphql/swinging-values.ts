import { isMovingName } from "../compare/volatile-names.ts";
import { isRecord } from "../types/is-record.ts";
import { escapeSegment } from "../types/json-pointer.ts";
import { isKeyName, isLastingKeyName } from "./field-names.ts";

/** What answers to one question are held to. */
export interface SwingOptions {
  /** True: what was asked for is named by what it is made of, so that nothing of it can change. */
  readonly byHash: boolean;
  /** Texts that are values of enums: states, which may come and go. */
  readonly states: ReadonlySet<string>;
}

/** What stands at one place of an answer: values of all elements of lists on the way, in no order. */
interface Spot {
  readonly name: string;
  /** The path of the object that it is a member of. */
  readonly owner: string;
  /** For each answer its values; the same text for the same values. */
  readonly looks: string[];
  readonly values: unknown[][];
}

/** Answers that are needed: fewer don't tell what swings from what goes on. */
export const swingLooks = 6;
/** Whole numbers below this one are met by chance. */
const chanceNumbers = 16;
/** So many of them are met again by chance no more. */
const chanceList = 3;
/** Places of an answer that are looked at. */
const mostSpots = 500;

/**
 * Places, as JSON Pointers with `*` for positions, at which answers to one question swing between two values: the first was left and
 * came back. A price, a position or a list that lives does not come back to what it was; orders of lists and what lists hold do not
 * count, nor do states, nor small numbers, unless nothing can change.
 */
export function swingingPlaces(answers: readonly unknown[], options: SwingOptions): ReadonlySet<string> {
  const spots = spotsOf(answers);
  const found = new Set<string>();
  for (const [place, spot] of spots) {
    if (isSwinging(spot, answers.length, options) && isOfOneObject(spots, place, spot, options)) found.add(place);
  }
  return found;
}

/** Places that hold the same values in all answers, though elements may stand in another order. */
export function steadyPlaces(answers: readonly unknown[]): ReadonlySet<string> {
  const steady = [...spotsOf(answers)].filter(
    ([, { looks }]) => looks.length === answers.length && new Set(looks).size === 1,
  );
  return new Set(steady.map(([place]) => place));
}

function spotsOf(answers: readonly unknown[]): ReadonlyMap<string, Spot> {
  const spots = new Map<string, Spot>();
  for (const [index, answer] of answers.entries()) {
    collect(spots, index, answer, { place: "", name: "", owner: "" });
    for (const { looks, values } of spots.values()) {
      const now = values[index];
      if (now !== undefined) looks.push(JSON.stringify(now.map(textOf).toSorted()));
    }
  }
  return spots;
}

function collect(
  spots: Map<string, Spot>,
  index: number,
  value: unknown,
  at: { readonly place: string; readonly name: string; readonly owner: string },
): void {
  if (Array.isArray(value)) {
    for (const one of value) collect(spots, index, one, { ...at, place: `${at.place}/*` });
  } else if (isRecord(value)) {
    for (const [name, one] of Object.entries(value)) {
      collect(spots, index, one, { place: `${at.place}/${escapeSegment(name)}`, name, owner: at.place });
    }
  } else {
    const spot = spots.get(at.place) ?? { name: at.name, owner: at.owner, looks: [], values: [] };
    if (spots.size < mostSpots) spots.set(at.place, spot);
    const now = spot.values[index] ?? [];
    spot.values[index] = now;
    now.push(value);
  }
}

function textOf(value: unknown): string {
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

function isSwinging({ name, looks, values }: Spot, answers: number, { byHash, states }: SwingOptions): boolean {
  if (looks.length < Math.max(answers, swingLooks) || isMovingName(name) || name === "__typename") return false;
  const lengths = new Set(values.map(({ length }) => length));
  if (new Set(looks).size !== 2 || lengths.size > 1) return false;
  const isBack = looks.some((look, index) => index > 1 && look !== looks[index - 1] && looks.indexOf(look) < index);
  return isBack && (byHash || values.every((some) => !isChance(some, states)));
}

/** What is met again by chance where it changes all the time. */
function isChance(values: readonly unknown[], states: ReadonlySet<string>): boolean {
  const isSmall = (value: unknown): boolean =>
    typeof value === "number" && Number.isInteger(value) && Math.abs(value) < chanceNumbers;
  if (values.length < chanceList && values.some(isSmall)) return true;
  return values.some((value) =>
    typeof value === "string" ? states.has(value) : typeof value !== "number" && typeof value !== "bigint",
  );
}

/** Whether the objects on the way stay what they are, so that it is they that change and not what is chosen to be there. */
function isOfOneObject(
  spots: ReadonlyMap<string, Spot>,
  place: string,
  { owner }: Spot,
  { states }: SwingOptions,
): boolean {
  if (place.endsWith("/*")) return false;
  const steps = owner.split("/").slice(1);
  for (let length = steps.length; length > 0; length -= 1) {
    if (steps[length - 1] === "*" && length !== steps.length && steps[length] === "*") continue;
    const object = `/${steps.slice(0, length).join("/")}`;
    const members = [...spots].filter(([, one]) => one.owner === object);
    if (members.length === 0) continue;
    const others = members.filter(([other]) => other !== place && !other.endsWith("/*")).map(([, one]) => one);
    const keys = others.filter(({ name }) => isKeyName(name) || isLastingKeyName(name));
    const isSteady = ({ looks }: Spot): boolean => new Set(looks).size === 1;
    const isTelling = ({ name, values }: Spot): boolean =>
      name !== "__typename" &&
      (values[0] ?? []).every(
        (value) => (typeof value === "string" && !states.has(value)) || typeof value === "number",
      ) &&
      new Set(values[0]).size === values[0]?.length;
    const stays = keys.length > 0 ? keys.every(isSteady) : others.some((one) => isSteady(one) && isTelling(one));
    if (!stays) return false;
  }
  return true;
}
