import { isInvalidRequest, isNotification } from "../operations/rpc-request.ts";
import { ServiceError } from "../errors/service-error.ts";
import { defaultLimits } from "./plugin-options.ts";
import { lengthOfResponse, type RpcMember } from "./rpc-response.ts";
import {
  handleMember,
  failureResponse,
  type MemberResponse,
  type RpcEndpoint,
  type RpcExchange,
} from "./rpc-endpoint.ts";
import { isTimeSliceUsedUp, nextTimeSlice } from "./time-slice.ts";

/** A batch in progress. */
interface BatchRun<Context> {
  readonly endpoint: RpcEndpoint<Context>;
  readonly members: readonly RpcMember[];
  readonly exchange: RpcExchange<Context>;
  readonly responses: MemberResponse[];
  /** Whether each position has a response, or no longer needs one. */
  readonly isDone: boolean[];
  next: number;
  /** Position after the members that may be started. */
  end: number;
  /** Bytes of `answers`, and their maximum. */
  length: number;
  readonly limit: number;
  /** Reason why no further member is started. */
  stopped: ServiceError | undefined;
}

/**
 * Processes all members in their order, a bounded number of them concurrently. Those that change something begin when the ones before them
 * are done, and are done when the ones after them begin, as if each were a request of its own. Members that are unfinished when the time of
 * the batch is over, and those that are not begun when the responses have become too long together, get an error that describes it.
 */
export async function handleBatch<Context>(
  endpoint: RpcEndpoint<Context>,
  members: readonly RpcMember[],
  exchange: RpcExchange<Context>,
): Promise<readonly MemberResponse[]> {
  const run: BatchRun<Context> = {
    endpoint,
    members,
    exchange,
    responses: new Array(members.length).fill(undefined),
    isDone: new Array(members.length).fill(false),
    next: 0,
    end: 0,
    length: 0,
    limit: limitOf(endpoint, exchange),
    stopped: undefined,
  };
  await withinTime(run, workOnAll(run));
  for (const position of members.keys()) if (run.isDone[position] !== true) refuseMember(run, position);
  return run.responses;
}

function limitOf<Context>({ options }: RpcEndpoint<Context>, { request }: RpcExchange<Context>): number {
  const { batchResponseBytes = defaultLimits.batchResponseBytes } = options;
  return typeof batchResponseBytes === "function" ? batchResponseBytes(request) : batchResponseBytes;
}

async function withinTime<Context>(run: BatchRun<Context>, work: Promise<unknown>): Promise<void> {
  const { batchMilliseconds = defaultLimits.batchMilliseconds } = run.endpoint.options;
  const { promise: expired, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    run.stopped ??= new ServiceError(
      "upstream_timeout",
      `The batch was not done within ${batchMilliseconds / 1_000} seconds`,
    );
    resolve();
  }, batchMilliseconds);
  try {
    await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Processes members one after the other where the order of their work counts, others concurrently. */
async function workOnAll<Context>(run: BatchRun<Context>): Promise<void> {
  const { concurrency = defaultLimits.concurrency } = run.endpoint.options;
  while (run.next < run.members.length && run.stopped === undefined) {
    run.end = run.next + 1;
    if (!isWorkedOnAlone(run, run.next)) {
      while (run.end < run.members.length && !isWorkedOnAlone(run, run.end)) run.end += 1;
    }
    await Promise.all(Array.from({ length: Math.min(concurrency, run.end - run.next) }, () => work(run)));
  }
}

function isWorkedOnAlone<Context>({ endpoint, members }: BatchRun<Context>, position: number): boolean {
  const member = members[position];
  if (member === undefined || isInvalidRequest(member)) return false;
  const { methods, options } = endpoint;
  return (
    methods.get(member.method)?.operation.extensions.safe === false ||
    options.oneAfterTheOther?.has(member.method) === true
  );
}

async function work<Context>(run: BatchRun<Context>): Promise<void> {
  const { endpoint, members, exchange } = run;
  for (;;) {
    // Synchronous members would otherwise be processed all at once.
    while (isTimeSliceUsedUp()) await nextTimeSlice();
    if (exchange.request.raw.socket.destroyed) run.stopped ??= callerGone;
    const position = run.next;
    const member = members[position];
    if (member === undefined || position >= run.end || run.stopped !== undefined) return;
    run.next += 1;
    const response = handleMember(endpoint, member, exchange);
    keep(run, position, response instanceof Promise ? await response : response);
  }
}

/** Stores a response; too late, when the batch has been completed without it. */
function keep<Context>(run: BatchRun<Context>, position: number, response: MemberResponse): void {
  if (run.isDone[position] === true) return;
  const length = response === undefined ? 0 : lengthOfResponse(response);
  if (run.length + length > run.limit) {
    run.stopped ??= tooLargeResponse(run.limit);
    refuseMember(run, position);
    return;
  }
  run.length += length;
  run.responses[position] = response;
  run.isDone[position] = true;
}

function refuseMember<Context>(
  { endpoint, members, exchange, responses, isDone, stopped }: BatchRun<Context>,
  position: number,
): void {
  isDone[position] = true;
  const member = members[position];
  if (member === undefined || stopped === undefined || (!isInvalidRequest(member) && isNotification(member))) return;
  responses[position] = failureResponse(endpoint, member, stopped, exchange);
}

/** Error that is never visible. */
const callerGone: ServiceError = new ServiceError("invalid_request", "The client disconnected");

function tooLargeResponse(limit: number): ServiceError {
  return new ServiceError(
    "too_large",
    `The responses of the batch are larger than ${limit} bytes: send fewer calls at once, or this one alone`,
    {
      details: { reason: "batch-answer-too-large", limit },
    },
  );
}
