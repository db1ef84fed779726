import { membersOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/** An order by a member of the elements: 1 goes up, -1 down; without a sign either is right. */
export interface ListOrder {
  readonly member: string;
  readonly sign?: 1 | -1;
}

/** The order that a word asks for: `price`, `-price`, `price_desc`, `priceAsc`; undefined where it names no member. */
export function orderOf(word: string, element: SuiteType | undefined, types: SuiteTypes): ListOrder | undefined {
  const plain = plainName(word);
  const prefix = /^[-+]/.exec(word)?.[0];
  for (const { name } of membersOf(element, types)) {
    const own = plainName(name);
    if (plain === own) return prefix === undefined ? { member: name } : { member: name, sign: prefix === "-" ? -1 : 1 };
    const rest = plain.startsWith(own) ? plain.slice(own.length) : "";
    if (/^(?:asc|ascending|up)$/.test(rest)) return { member: name, sign: 1 };
    if (/^(?:desc|descending|down)$/.test(rest)) return { member: name, sign: -1 };
  }
  return undefined;
}

/** Whether values follow each other; what is not there, or is no plain value, stands anywhere. */
export function isOrdered(values: readonly unknown[], sign: 1 | -1 | undefined): boolean {
  const plain = values.filter((value) => value !== null && value !== undefined && typeof value !== "object");
  const signs = sign === undefined ? [1, -1] : [sign];
  return signs.some((one) =>
    comparisons.some((compare) =>
      plain.every((value, index) => index === 0 || compare(plain[index - 1], value) * one <= 0),
    ),
  );
}

const collator = new Intl.Collator("en", { numeric: true });

/** Texts may be ordered by code points, without regard to case, or as people do. */
const comparisons: readonly ((left: unknown, right: unknown) => number)[] = [
  plainOrder,
  (left, right) => plainOrder(String(left).toLowerCase(), String(right).toLowerCase()),
  (left, right) => collator.compare(String(left), String(right)),
];

function plainOrder(left: unknown, right: unknown): number {
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  const [first, second] = [Number(left), Number(right)];
  return first < second ? -1 : first > second ? 1 : 0;
}
