import type { SettledRequests, SharedRequest } from "../contract/requests.ts";

/** A function, new or remembered: its requests, in order. */
export interface ReplayedUnit {
  readonly shared: readonly SharedRequest[];
}

/** The expected name of a shared item during a replay. */
export interface Expectation {
  readonly name: string;
  /** Stem that its name was derived from, if its own text may contain more of it. */
  readonly stem?: string;
}

export interface ReplayOptions {
  /** Allocates names in the same way as when the complete file is written. */
  readonly allocate: (wanted: string) => string;
  readonly wanted: (request: SharedRequest) => string;
  /** Shared items by `sharedKey`. */
  readonly expected: ReadonlyMap<string, Expectation>;
  /** Returns the requests of a part's function. */
  readonly partUnit: (key: string) => ReplayedUnit | undefined;
}

/** Keys of the shared items of a file, in file order. */
export interface Replay {
  readonly constants: readonly string[];
  readonly parts: readonly string[];
}

export function sharedKey({ kind, key }: Pick<SharedRequest, "kind" | "key">): string {
  return `${kind} ${key}`;
}

/** Returns remembered requests by their numbers. */
export function remembered(numbers: readonly number[], requests: SettledRequests): readonly SharedRequest[] {
  return numbers.flatMap((number) => {
    const request = requests[number];
    if (request === undefined) return [];
    const [kind, key, stem] = request;
    return [{ kind, key, stem }];
  });
}

/** Returns the keys of all requests of some functions, directly or through parts, by `sharedKey`. */
export function requestedKeys(
  units: readonly ReplayedUnit[],
  partUnit: (key: string) => ReplayedUnit | undefined,
): ReadonlySet<string> {
  const requested = new Set<string>();
  const pending = [...units];
  for (let unit = pending.pop(); unit !== undefined; unit = pending.pop()) {
    for (const request of unit.shared) {
      if (requested.has(sharedKey(request))) continue;
      requested.add(sharedKey(request));
      const part = request.kind === "part" ? partUnit(request.key) : undefined;
      if (part !== undefined) pending.push(part);
    }
  }
  return requested;
}

/**
 * Visits all functions of a file as if they were written, and repeats their requests for shared items, so that order and names are those of
 * a file that is written completely. Returns a doubt where the name of an item would differ from the one in the functions.
 */
export function replay(
  units: readonly ReplayedUnit[],
  { allocate, wanted, expected, partUnit }: ReplayOptions,
): Replay | { readonly doubt: string } {
  const constants = new Set<string>();
  const parts = new Set<string>();
  const requestAll = (request: SharedRequest): string | undefined => {
    const known = request.kind === "constant" ? constants : parts;
    if (known.has(request.key)) return undefined;
    known.add(request.key);
    const expectation = expected.get(sharedKey(request));
    const name = allocate(wanted(request));
    const { stem = request.stem } = expectation ?? {};
    if (expectation?.name === name && stem === request.stem) return undefined;
    return `${name} would not be what it is called`;
  };
  const go = ({ shared }: ReplayedUnit): string | undefined => {
    for (const request of shared) {
      const doubt = requestAll(request);
      if (doubt !== undefined) return doubt;
    }
    return undefined;
  };
  for (const unit of units) {
    const doubt = go(unit);
    if (doubt !== undefined) return { doubt };
  }
  // The set grows during iteration: a part may request others.
  for (const key of parts) {
    const unit = partUnit(key);
    if (unit === undefined) return { doubt: "a shared function is not known" };
    const doubt = go(unit);
    if (doubt !== undefined) return { doubt };
  }
  return { constants: [...constants], parts: [...parts] };
}
