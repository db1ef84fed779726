import type { SettledRequests, SharedRequest } from "./requests.ts";

/** A function that is written, or was: what it asks for, in order. */
export interface ReplayedUnit {
  readonly shared: readonly SharedRequest[];
}

/** What a replay knows of something shared. */
export interface Expectation {
  readonly name: string;
  /** What its name was made from, where its own text may hold more of that. */
  readonly stem?: string;
}

export interface ReplayOptions {
  /** Hands out names as they are handed out when the whole file is written. */
  readonly allocate: (wanted: string) => string;
  readonly wanted: (request: SharedRequest) => string;
  /** What is shared, by `sharedKey`. */
  readonly expected: ReadonlyMap<string, Expectation>;
  /** What the function of a part asks for. */
  readonly partUnit: (key: string) => ReplayedUnit | undefined;
}

/** Keys of what a file shares, in the order in which it stands there. */
export interface Replay {
  readonly constants: readonly string[];
  readonly parts: readonly string[];
}

export function sharedKey({ kind, key }: Pick<SharedRequest, "kind" | "key">): string {
  return `${kind} ${key}`;
}

/** Requests as they were remembered. */
export function remembered(numbers: readonly number[], requests: SettledRequests): readonly SharedRequest[] {
  return numbers.flatMap((number) => {
    const request = requests[number];
    if (request === undefined) return [];
    const [kind, key, stem] = request;
    return [{ kind, key, stem }];
  });
}

/** Everything that some functions ask for, themselves or through parts, by `sharedKey`. */
export function requestedKeys(
  units: readonly ReplayedUnit[],
  partUnit: (key: string) => ReplayedUnit | undefined,
): ReadonlySet<string> {
  const asked = new Set<string>();
  const pending = [...units];
  for (let unit = pending.pop(); unit !== undefined; unit = pending.pop()) {
    for (const request of unit.shared) {
      if (asked.has(sharedKey(request))) continue;
      asked.add(sharedKey(request));
      const part = request.kind === "part" ? partUnit(request.key) : undefined;
      if (part !== undefined) pending.push(part);
    }
  }
  return asked;
}

/**
 * Goes through all functions of a file as if they were written, and asks again for what they share: so its order and its names are
 * those of a file that is written whole. A doubt, where something would be called otherwise than the functions say.
 */
export function replay(
  units: readonly ReplayedUnit[],
  { allocate, wanted, expected, partUnit }: ReplayOptions,
): Replay | { readonly doubt: string } {
  const constants = new Set<string>();
  const parts = new Set<string>();
  const ask = (request: SharedRequest): string | undefined => {
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
      const doubt = ask(request);
      if (doubt !== undefined) return doubt;
    }
    return undefined;
  };
  for (const unit of units) {
    const doubt = go(unit);
    if (doubt !== undefined) return { doubt };
  }
  // A set that grows while it is walked: a part may ask for others.
  for (const key of parts) {
    const unit = partUnit(key);
    if (unit === undefined) return { doubt: "a shared function is not known" };
    const doubt = go(unit);
    if (doubt !== undefined) return { doubt };
  }
  return { constants: [...constants], parts: [...parts] };
}
