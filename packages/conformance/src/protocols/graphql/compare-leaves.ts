import { type Decimal, decimalOf, scaled } from "@nodewright/api-model";

const decimal = /^-?(?:0|[1-9]\d{0,99})(?:\.\d{1,99})?$/;
const time = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Which of two values of one scalar is the greater: numbers, decimals written as texts, and dates or times. Undefined where they are
 * neither, so that their order is the server's own.
 */
export function compareLeaves(left: unknown, right: unknown): number | undefined {
  const [first, second] = [numberOf(left), numberOf(right)];
  if (first !== undefined && second !== undefined) {
    const exponent = Math.min(first.exponent, second.exponent);
    return signOf(scaled(first, exponent), scaled(second, exponent));
  }
  if (typeof left !== "string" || typeof right !== "string" || left.length < 10 || right.length < 10) return undefined;
  if (!time.test(left) || !time.test(right) || left.includes("T") !== right.includes("T")) return undefined;
  return signOf(Date.parse(left), Date.parse(right));
}

function signOf<Value extends bigint | number>(left: Value, right: Value): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function numberOf(value: unknown): Decimal | undefined {
  if (typeof value === "bigint") return decimalOf(value);
  if (typeof value === "number") return Number.isFinite(value) ? decimalOf(value) : undefined;
  if (typeof value !== "string" || !decimal.test(value)) return undefined;
  const [whole = "0", fraction = ""] = value.split(".");
  return { digits: BigInt(whole + fraction), exponent: -fraction.length };
}
