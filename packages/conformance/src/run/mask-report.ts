import { isRecord } from "@nodewright/api-model";
import type { SecretMask } from "@nodewright/secret-mask";

/** Members of a report that may hold what came from the wire, or was said of it. */
const fromTheWire: ReadonlySet<string> = new Set(
  (
    "against availabilityReason baseUrl body brokenOff chain client curl detail guess header message notices pointer reason " +
    "trouble unjudgedBecause url"
  ).split(" "),
);

/**
 * Returns a part of a report without secrets: nothing that comes from the wire passes here with one. Ids and rules of cases hold nothing
 * from the wire and stay as they are: baselines name them. Answers for a replay were chosen without secrets.
 */
export function maskReport<Part>(part: Part, { mask }: Pick<SecretMask, "mask">): Part {
  const walk = (value: unknown, name: string): unknown => {
    if (typeof value === "string") return fromTheWire.has(name) ? mask(value) : value;
    if (Array.isArray(value)) return value.map((one) => walk(one, name));
    if (!isRecord(value) || name === "replay") return value;
    // Of headers the values are masked, whatever their names.
    const nameOf = (member: string): string => (name === "headers" ? "header" : member);
    return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, walk(one, nameOf(member))]));
  };
  return walk(part, "") as Part;
}
