import type { Fragment } from "./fragment.ts";

/** Unit and base of a timelock: `older` counts from the output that is spent, `after` from the first block. */
type Timelock = "relative-time" | "relative-height" | "absolute-time" | "absolute-height";

/** Timelocks in a fragment. */
export interface TimelockUse {
  readonly timelocks: ReadonlySet<Timelock>;
  /** Whether some path needs two timelocks of which a transaction can have one only (BIP 379, timelock type mixing). */
  readonly mixesTimelocks: boolean;
}

/** Bit with which sequence numbers are times; without it, numbers of blocks (BIP 68). */
const relativeTimeFlag = 1 << 22;
/** First locktime that is a time; those below are numbers of blocks. */
const firstTime = 500_000_000;

/** Exclusive timelocks: a transaction has one sequence number for an input and one locktime. */
const exclusive: Readonly<Record<Timelock, Timelock>> = {
  "relative-time": "relative-height",
  "relative-height": "relative-time",
  "absolute-time": "absolute-height",
  "absolute-height": "absolute-time",
};

/** Returns the timelock of a fragment without parts, if it is one. */
export function timelocksOfLeaf(fragment: Fragment): TimelockUse {
  const timelock = timelockOf(fragment);
  return { timelocks: new Set(timelock === undefined ? [] : [timelock]), mixesTimelocks: false };
}

function timelockOf(fragment: Fragment): Timelock | undefined {
  if (fragment.kind === "older") {
    return (fragment.number & relativeTimeFlag) === 0 ? "relative-height" : "relative-time";
  }
  if (fragment.kind === "after") return fragment.number < firstTime ? "absolute-height" : "absolute-time";
  return undefined;
}

/** Returns the timelocks of all parts of a fragment. */
export function combineTimelocks(fragment: Fragment, parts: readonly TimelockUse[]): TimelockUse {
  return {
    timelocks: new Set(parts.flatMap(({ timelocks }) => [...timelocks])),
    mixesTimelocks: parts.some(({ mixesTimelocks }) => mixesTimelocks) || exclude(neededTogether(fragment, parts)),
  };
}

/** Returns the parts of which one path may need two. */
function neededTogether(fragment: Fragment, parts: readonly TimelockUse[]): readonly TimelockUse[] {
  switch (fragment.kind) {
    case "and_v":
    case "and_b":
      return parts;
    case "andor":
      return parts.slice(0, 2);
    case "thresh":
      return fragment.required > 1 ? parts : [];
    default:
      return [];
  }
}

/** Returns whether one part has a timelock that excludes a timelock of another part. */
function exclude(parts: readonly TimelockUse[]): boolean {
  const earlier = new Set<Timelock>();
  for (const { timelocks } of parts) {
    if ([...timelocks].some((timelock) => earlier.has(exclusive[timelock]))) return true;
    for (const timelock of timelocks) earlier.add(timelock);
  }
  return false;
}
