/**
 * Approximate memory in bytes of a parsed value in addition to the bytes of its source: its object, its slot, its share of hidden classes
 * and of the string table. Logs and transactions take two thirds of it, objects that each have another name for their member three times as
 * much.
 */
const bytesPerValue = 96;

/** Fraction of the memory of parsed text that is garbage once the response is complete. */
const garbagePart = 1 / 2;

/**
 * Approximate maximum memory in bytes of the responses of all upstreams of the process. The process may come to take twice that: V8 keeps
 * the pages of many small values once they are collected, and the allocator those of a few large strings, each for its own kind.
 */
const defaultMaximumBytes = 100 * 1024 * 1024;

/**
 * Memory in bytes above which only the responses of one request are read on and the others wait, so that responses that fit alone need not
 * fit together.
 */
const defaultSharedBytes = 16 * 1024 * 1024;

/** Interval in milliseconds of the check that the request with the turn makes progress, while others wait for it. */
const checkMilliseconds = 1_000;

/** Fraction of the shared memory that a request must take between two checks, or else the next one goes first. */
const minimumGrowthPart = 1 / 16;

/**
 * Number of checks without progress after which that happens: while the request waits for responses, and while it works with its values.
 */
const idleChecks = { outstanding: 2, atWork: 8 } as const;

/** Error for too many large responses in flight: those of the request that has most of them are dropped. */
export class TooManyResponses extends Error {
  constructor(message = "Too many large responses are outstanding") {
    super(message);
  }
}

type GiveUp = (reason: TooManyResponses) => void;

/** Memory of one response in flight. */
export interface ResponseLease {
  /** Adds to the memory of the response. Throws `TooManyResponses` when that ends this response. */
  grow(bytes: number, values: number): void;
  /** Returns whether the response may be read on now. */
  mayReadOn(): boolean;
  /** Returns whether others wait, or would wait, for the responses of its request. */
  hasTurn(): boolean;
  /** Resolves when the response may be read on, or has ended. */
  waitForTurn(): Promise<void>;
  /** Records that the response is complete: its value counts as long as its hold is retained. */
  deliver(): void;
  /** Records that the response has been dropped. After `deliver` it does nothing. */
  release(): void;
}

/** Hold on the responses to all calls of one request. Their values count until it is released. */
export interface ResponseHold {
  /** Records that the request waits for a response to another one, which is read on before those to this one. */
  join(other: ResponseHold): void;
  /** Counts a value that the request has received from the response to another one, in bytes of memory. */
  add(bytes: number): void;
  /** Ends the request. */
  release(): void;
}

interface Lease extends ResponseLease {
  readonly hold: Hold;
  /** Memory of its source and values, in bytes. */
  bytes: number;
  valueBytes: number;
  isOver: boolean;
  readonly giveUp: GiveUp;
}

interface Hold extends ResponseHold {
  /** Memory of its responses, in flight or delivered, in bytes. */
  bytes: number;
  deliveredBytes: number;
  /** Total memory that it has ever taken, in bytes. */
  takenBytes: number;
  readonly leases: Set<Lease>;
  /** Holds for whose responses the request waits, or has waited. */
  readonly joined: Set<Hold>;
  readonly giveUp: GiveUp;
  isReleased: boolean;
  failure: TooManyResponses | undefined;
}

interface WaitingLease {
  readonly lease: Lease;
  resolve(): void;
}

/**
 * Memory budget of all responses together, from their first bytes until the requests that fetched them are over.
 *
 * When they take more than is shared, the first request whose response grows then has the turn. The others wait, in the order in which they
 * came, until it is over or makes no progress. When they take more than the maximum, those of the request that has most are dropped:
 * ordinary requests must not fail because of it.
 */
export class ResponseBudget {
  readonly #maximumBytes: number;
  readonly #sharedBytes: number;
  readonly #holds = new Set<Hold>();
  #bytes = 0;
  #turn: Hold | undefined;
  /** Memory that the request with the turn had taken by the last check, and checks without progress since. */
  #checkedBytes = 0;
  #idleChecks = 0;
  #waiting: WaitingLease[] = [];
  #checks: NodeJS.Timeout | undefined;

  constructor(maximumBytes: number = defaultMaximumBytes, sharedBytes: number = defaultSharedBytes) {
    this.#maximumBytes = maximumBytes;
    this.#sharedBytes = sharedBytes;
  }

  /** Memory of all responses that are in flight or retained, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a request has the turn. */
  get hasTurn(): boolean {
    return this.#turn !== undefined;
  }

  /** Creates a hold. `giveUp` is called when the responses are dropped for others: their values must be dropped. */
  createHold(giveUp: GiveUp): ResponseHold {
    return this.#createHold(giveUp, false);
  }

  /**
   * Acquires the memory of a response. `giveUp` ends the response; it is not called while the response itself grows. Throws
   * `TooManyResponses` when the responses of the hold have been dropped.
   */
  acquire(giveUp: GiveUp, given?: ResponseHold): ResponseLease {
    const hold = (given as Hold | undefined) ?? this.#createHold(() => undefined, true);
    if (hold.failure !== undefined) throw hold.failure;
    const lease: Lease = {
      hold,
      bytes: 0,
      valueBytes: 0,
      isOver: false,
      giveUp,
      grow: (bytes, values) => this.#grow(lease, bytes, values * bytesPerValue),
      mayReadOn: () => this.#mayReadOn(lease),
      hasTurn: () => this.#turn === hold,
      waitForTurn: () => this.#wait(lease),
      deliver: () => this.#end(lease, true),
      release: () => this.#end(lease, false),
    };
    hold.leases.add(lease);
    return lease;
  }

  #createHold(giveUp: GiveUp, isReleased: boolean): Hold {
    const hold: Hold = {
      bytes: 0,
      deliveredBytes: 0,
      takenBytes: 0,
      leases: new Set(),
      joined: new Set(),
      giveUp,
      isReleased,
      failure: undefined,
      join: (other) => hold.joined.add(other as Hold),
      add: (bytes) => {
        if (hold.isReleased || hold.failure !== undefined) return;
        hold.deliveredBytes += bytes;
        this.#add(hold, bytes);
        this.#bound(hold);
      },
      release: () => {
        hold.isReleased = true;
        this.#add(hold, -hold.deliveredBytes);
        hold.deliveredBytes = 0;
        this.#wake();
      },
    };
    return hold;
  }

  #grow(growing: Lease, bytes: number, valueBytes: number): void {
    const { hold } = growing;
    if (growing.isOver) return;
    const added = bytes + valueBytes;
    growing.bytes += added;
    growing.valueBytes += valueBytes;
    hold.takenBytes += Math.max(0, added);
    this.#add(hold, added);
    this.#bound(hold, growing);
    if (added < 0) this.#wake();
    if (hold.failure !== undefined) throw hold.failure;
  }

  #bound(hold: Hold, growing?: Lease): void {
    while (this.#bytes > this.#maximumBytes) {
      let largest = hold;
      for (const other of this.#holds) if (other.bytes > largest.bytes) largest = other;
      this.#giveUp(largest, growing);
    }
  }

  #giveUp(hold: Hold, growing: Lease | undefined): void {
    const reason = new TooManyResponses();
    hold.failure = reason;
    this.#add(hold, -hold.bytes);
    hold.deliveredBytes = 0;
    const leases = [...hold.leases];
    hold.leases.clear();
    for (const lease of leases) {
      lease.isOver = true;
      if (lease !== growing) lease.giveUp(reason);
    }
    hold.giveUp(reason);
    this.#wake();
  }

  #end(lease: Lease, isDelivered: boolean): void {
    if (lease.isOver) return;
    const { hold, bytes, valueBytes } = lease;
    lease.isOver = true;
    hold.leases.delete(lease);
    const kept = isDelivered && !hold.isReleased ? valueBytes + (bytes - valueBytes) * garbagePart : 0;
    hold.deliveredBytes += kept;
    this.#add(hold, kept - bytes);
    this.#wake();
  }

  #add(hold: Hold, bytes: number): void {
    hold.bytes += bytes;
    this.#bytes += bytes;
    if (hold.bytes > 0) this.#holds.add(hold);
    else this.#holds.delete(hold);
  }

  #mayReadOn({ bytes, hold }: Lease): boolean {
    // Lists that are consumed while they arrive take no memory.
    if (bytes === 0 || this.#bytes <= this.#sharedBytes) return true;
    if (this.#turn === undefined) this.#giveTurn(hold);
    return this.#turn === hold;
  }

  #giveTurn(hold: Hold): void {
    this.#turn = firstToRead(hold);
    this.#idleChecks = 0;
    this.#checkedBytes = this.#turn.takenBytes;
  }

  #wait(lease: Lease): Promise<void> {
    this.#checks ??= setInterval(() => this.#check(), checkMilliseconds);
    return new Promise((resolve) => this.#waiting.push({ lease, resolve }));
  }

  /** Ends the turn of a request that makes no progress, so that a node that trickles blocks other nodes only for a moment. */
  #check(): void {
    const turn = this.#turn;
    if (turn !== undefined) {
      const grown = turn.takenBytes - this.#checkedBytes;
      this.#checkedBytes = turn.takenBytes;
      this.#idleChecks = grown < this.#sharedBytes * minimumGrowthPart ? this.#idleChecks + 1 : 0;
      if (this.#idleChecks >= idleChecks[turn.leases.size > 0 ? "outstanding" : "atWork"]) this.#turn = undefined;
    }
    this.#wake();
  }

  /** Wakes the responses that may be read on. */
  #wake(): void {
    const turn = this.#turn;
    if (turn?.leases.size === 0) {
      if (turn.isReleased || turn.failure !== undefined) this.#turn = undefined;
      else if (firstToRead(turn) !== turn) this.#giveTurn(turn);
    }
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = waiting.filter(({ lease, resolve }) => {
      const mustWait = !lease.isOver && !this.#mayReadOn(lease);
      if (!mustWait) resolve();
      return mustWait;
    });
    if (this.#waiting.length > 0) return;
    clearInterval(this.#checks);
    this.#checks = undefined;
  }
}

/** Returns the hold whose responses are read on first, so that a request gets those that it waits for. */
function firstToRead(hold: Hold, seen: ReadonlySet<Hold> = new Set()): Hold {
  for (const other of hold.joined)
    if (other.leases.size > 0 && !seen.has(other)) return firstToRead(other, new Set([...seen, hold]));
  return hold;
}

/** Budget that all upstreams of the process share. */
export const responseBudget: ResponseBudget = new ResponseBudget();

/**
 * Creates a hold for the responses to calls that get it as an option; it must be released. `giveUp` is called when the responses are
 * dropped for others: their values must be dropped.
 */
export function createResponseHold(giveUp: (reason: Error) => void): ResponseHold {
  return responseBudget.createHold(giveUp);
}

/** Runs work whose calls share one hold: the given one, or a new one. */
export async function withResponseHold<T>(
  given: ResponseHold | undefined,
  work: (hold: ResponseHold) => Promise<T>,
): Promise<T> {
  if (given !== undefined) return await work(given);
  // Calls in flight fail by themselves when their responses are dropped.
  const hold = createResponseHold(() => undefined);
  try {
    return await work(hold);
  } finally {
    hold.release();
  }
}
