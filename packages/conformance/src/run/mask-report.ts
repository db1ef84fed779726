import { isRecord } from "@nodewright/api-model";
import type { SecretMask } from "@nodewright/secret-mask";

/** Members of a report that may contain data from the wire. */
const fromTheWire: ReadonlySet<string> = new Set(
  (
    "against availabilityReason baseUrl body brokenOff chain client curl detail guess header inconclusiveBecause message " +
    "notices pointer reason trouble url"
  ).split(" "),
);

/**
 * Returns a part of a report without secrets: all data from the wire is masked here. Ids and rules of cases contain no such data and stay
 * unchanged, since baselines refer to them. Responses for a replay were selected without secrets.
 */
export function maskReport<Part>(part: Part, { mask }: Pick<SecretMask, "mask">): Part {
  const walk = (value: unknown, name: string): unknown => {
    if (typeof value === "string") return fromTheWire.has(name) ? mask(value) : value;
    if (Array.isArray(value)) return value.map((one) => walk(one, name));
    if (!isRecord(value) || name === "replay") return value;
    // Values of headers are masked, whatever their names.
    const nameOf = (member: string): string => (name === "headers" ? "header" : member);
    return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, walk(one, nameOf(member))]));
  };
  return walk(part, "") as Part;
}
