import { createGraphqlSubject } from "../operators/graphql-subject.ts";
import { copyJson, isObject } from "../operators/json-tree.ts";
import { type Mutant, type Operator, protocolOperation } from "../operators/operator.ts";
import { operators } from "../operators/operators.ts";
import { createRestSubject } from "../operators/rest-subject.ts";
import { createRpcSubject } from "../operators/rpc-subject.ts";
import type { JudgedAnswer, Subject } from "../operators/subject.ts";
import { createRandom } from "../random.ts";
import { type Backend, startBackend } from "../wire/forward.ts";
import { type Dispatch, headerOf, jsonOf, type WireAnswer, type WireRequest } from "../wire/message.ts";
import type { World } from "../worlds/world.ts";

interface Exchange {
  readonly request: WireRequest;
  readonly answer: WireAnswer;
}

/** A mutant that is known to behave otherwise than the correct server, against its document. */
export interface ProvenMutant {
  readonly world: World;
  readonly operator: string;
  readonly operation: string;
  readonly seed: string;
  readonly mutant: Mutant;
}

/** A world whose correct server was asked everything of its corpus. */
export interface PreparedWorld {
  readonly world: World;
  readonly subject: Subject;
  /** Mutants of an operator: one for each operation and seed, where one can be proven. */
  mutantsOf(operator: Operator, operation: string, seed: string): Promise<ProvenMutant | undefined>;
  close(): Promise<void>;
}

/** Candidates that are tried before an operator is said not to apply. */
const mostTried = 12;

/** Asks the correct server, with the time standing still, and reads its document. */
export async function prepareWorld(world: World): Promise<PreparedWorld> {
  const backend = await startBackend(world.createListener(() => 0));
  const blank = createSubject(world, []);
  const requests = world.corpus.map((probe) => blank.requestOf(probe));
  const exchanges = await ask(requests, backend.dispatch);
  const subject = createSubject(world, exchanges);
  const pins = collectPins(subject, exchanges);
  return {
    world,
    subject,
    mutantsOf: async (operator, operation, seed) => {
      if (!operator.kinds.includes(world.kind)) {
        return undefined;
      }
      const random = createRandom(`${seed} ${world.name} ${operator.name} ${operation}`);
      for (const mutant of operator.mutants(subject, operation, random).slice(0, mostTried)) {
        if (await isProven(subject, mutant, exchanges, backend, pins)) {
          return { world, operator: operator.name, operation, seed, mutant };
        }
      }
      return undefined;
    },
    close: () => backend.close(),
  };
}

function createSubject(world: World, exchanges: readonly Exchange[]): Subject {
  switch (world.kind) {
    case "rest":
      return createRestSubject(world, exchanges);
    case "rpc":
      return createRpcSubject(world, exchanges);
    default:
      return createGraphqlSubject(world, exchanges);
  }
}

/** The operations that an operator may be applied to. */
export function operationsOf(subject: Subject): readonly string[] {
  return [...subject.operations, protocolOperation];
}

/** The operators that a name stands for in a world; all when there is none. */
export function operatorsOf(world: World, name?: string): readonly Operator[] {
  return operators.filter(
    (operator) => operator.kinds.includes(world.kind) && (name === undefined || operator.name === name),
  );
}

/** Each request twice in turn, so that faults which come and go are seen. */
async function ask(requests: readonly WireRequest[], dispatch: Dispatch): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const request of requests) {
    exchanges.push({ request, answer: await dispatch(request) });
    exchanges.push({ request, answer: await dispatch(request) });
  }
  return exchanges;
}

async function isProven(
  subject: Subject,
  mutant: Mutant,
  right: readonly Exchange[],
  backend: Backend,
  pins: Pins,
): Promise<boolean> {
  const dispatch = mutant.wrap(backend.dispatch);
  let isDifferent = false;
  let isProof = mutant.proof === "rule";
  for (const { request, answer } of right) {
    const mutated = await dispatch(request);
    if (!isDifferent && !isSame(answer, mutated)) {
      isDifferent = true;
    }
    if (!isProof && !isSame(answer, mutated)) {
      isProof =
        isOutOfType(subject.judge(request, answer), subject.judge(request, mutated)) ||
        (mutant.proof === "value" && contradicts(subject, request, answer, mutated, pins));
    }
    if (isDifferent && isProof) {
      return true;
    }
  }
  return false;
}

function isSame(one: WireAnswer, other: WireAnswer): boolean {
  return (
    one.status === other.status &&
    headerText(one) === headerText(other) &&
    JSON.stringify(jsonOf(one) ?? one.body.toString()) === JSON.stringify(jsonOf(other) ?? other.body.toString())
  );
}

function headerText(answer: WireAnswer): string {
  return ["content-type", "etag", "cache-control", "allow"].map((name) => headerOf(answer, name) ?? "").join("|");
}

function isOutOfType(right: readonly JudgedAnswer[], mutated: readonly JudgedAnswer[]): boolean {
  return right.some((judged, index) => judged.isOfType && judged.isSuccess && mutated[index]?.isOfType === false);
}

/** What is known of an object from elsewhere: `txid=ab… fee` → the value, and the operations that say so. */
type Pins = ReadonlyMap<string, { readonly value: string; readonly sources: ReadonlySet<string> }>;

const identities = /^(id|hash|txid|sku|slug|number|height|orderId|reviewId|text|site|isbn)$/;

function pinsOf(value: unknown, visit: (key: string, value: string) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      pinsOf(item, visit);
    }
  } else if (isObject(value)) {
    const identity = Object.entries(value).find(([name, item]) => identities.test(name) && typeof item !== "object");
    for (const [name, item] of Object.entries(value)) {
      if (identity !== undefined) {
        visit(`${identity[0]}=${String(identity[1])} ${name}`, JSON.stringify(item));
      }
      pinsOf(item, visit);
    }
  }
}

function collectPins(subject: Subject, exchanges: readonly Exchange[]): Pins {
  const pins = new Map<string, { value: string; sources: Set<string> }>();
  const conflicting = new Set<string>();
  const add = (source: string) => (key: string, value: string) => {
    const known = pins.get(key);
    if (known === undefined) {
      pins.set(key, { value, sources: new Set([source]) });
    } else if (known.value === value) {
      known.sources.add(source);
    } else {
      conflicting.add(key);
    }
  };
  for (const { request, answer } of exchanges) {
    for (const judged of subject.judge(request, answer)) {
      if (judged.isSuccess) {
        pinsOf(judged.value, add(judged.operation));
        if (subject.world.kind !== "graphql") {
          add(judged.operation)(wholeKey(judged.operation, judged.input), JSON.stringify(judged.value));
        }
      }
    }
  }
  for (const { operation, value, input } of subject.documented) {
    pinsOf(value, add("(document)"));
    if (isObject(input)) {
      add("(document)")(wholeKey(operation, input), JSON.stringify(value));
    }
  }
  for (const key of conflicting) {
    pins.delete(key);
  }
  return pins;
}

function wholeKey(operation: string, input: unknown): string {
  return `${operation} ${JSON.stringify(Object.entries(copyJson(input) ?? {}).sort())}`;
}

/** Whether a changed answer says something else than another source, or than its own request. */
function contradicts(
  subject: Subject,
  request: WireRequest,
  right: WireAnswer,
  mutated: WireAnswer,
  pins: Pins,
): boolean {
  const before = subject.judge(request, right);
  const after = subject.judge(request, mutated);
  return before.some((was, index) => {
    const is = after[index];
    if (is === undefined || !was.isSuccess || !is.isSuccess) {
      return false;
    }
    let found = false;
    const compare = (key: string, value: string): void => {
      const pin = pins.get(key);
      found ||= pin !== undefined && pin.value !== value && [...pin.sources].some((source) => source !== was.operation);
    };
    pinsOf(is.value, compare);
    if (subject.world.kind !== "graphql") {
      compare(wholeKey(is.operation, is.input), JSON.stringify(is.value));
    }
    return found || isEchoLost(was, is);
  });
}

/** The answer had a value of its request under the same name, and has another one now. */
function isEchoLost(before: JudgedAnswer, after: JudgedAnswer): boolean {
  const [was, is] = [before.value, after.value];
  return (
    isObject(was) &&
    isObject(is) &&
    Object.entries(before.input).some(
      ([name, value]) => String(was[name]) === String(value) && String(is[name]) !== String(value),
    )
  );
}
