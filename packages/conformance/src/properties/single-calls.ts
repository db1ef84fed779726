import { listOf } from "../compare/list-of.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import { withAttributes } from "../inference/resource-objects.ts";
import { followsOf, totalIn } from "../inference/page-members.ts";
import type { SuiteHttpOperation, SuiteRpcMethod } from "../suite/suite.ts";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { resultTypeOf } from "../suite/result-type.ts";
import { withPlace } from "../suite/with-place.ts";
import type { CallOptions, Input, Operation, OperationDescription, Outcome, Page, Result } from "./operation.ts";

type Described = SuiteHttpOperation | SuiteRpcMethod;

const descriptions = new WeakMap<Described, OperationDescription>();

/** Returns the description of an operation, with the additions of its protocol. */
export function describeOperation(
  operation: Described,
  types: SuiteTypes,
  add: () => Partial<OperationDescription>,
): OperationDescription {
  const known = descriptions.get(operation);
  if (known !== undefined) return known;
  const description: OperationDescription = {
    // Examples whose parameters no input can express are not used for other calls.
    examples: operation.examples.flatMap(({ input, params, outcome }) =>
      outcome.kind === "success" && params === undefined ? [{ input, value: outcome.value }] : [],
    ),
    parameters: operation.parameters,
    result: resultTypeOf(operation),
    types,
    ...(operation.order === undefined ? {} : { order: operation.order }),
    ...withPlace(operation.place),
    ...add(),
  };
  descriptions.set(operation, description);
  return description;
}

/** A returned value, and the properties of its page from outside the value. */
export interface Returned {
  readonly value: unknown;
  readonly reported?: Partial<Page>;
}

/** Outcome of one call. */
type SingleOutcome = Omit<Outcome, "results"> & { readonly returned?: Returned };

/** How the calls of an operation are made, one request for each. */
interface SingleCalls extends Pick<Operation, "name" | "longest" | "steadiness" | "expect"> {
  /** Calls that had a value. */
  readonly known: readonly (Returned & { readonly input: Input })[];
  callOnce(play: CasePlay, input: Input, options: CallOptions): Promise<SingleOutcome>;
}

/** Returns an operation as properties see it. */
export function singleCalls(
  description: OperationDescription,
  { known: before, callOnce, ...rest }: SingleCalls,
): Operation {
  // Where other pages link to the next one, a page without such a link is the last.
  const isLed = before.some(({ value, reported }) => (followsOf(value) ?? reported?.more) === true);
  const known = before.map((one) => ({ input: one.input, ...resultOf(one, description, isLed) }));
  return {
    ...description,
    ...rest,
    isCounted: known.some(({ page }) => page?.total !== undefined),
    known,
    call: async (play, inputs, options) => {
      const outcomes: Outcome[] = [];
      for (const input of inputs) {
        const { returned, ...outcome } = await callOnce(play, input, options);
        outcomes.push(
          returned === undefined ? outcome : { ...outcome, results: [resultOf(returned, description, isLed)] },
        );
      }
      return outcomes;
    },
  };
}

/** Returns a value, with its page where it has a list. */
export function resultOf(
  { value, reported }: Returned,
  described: Pick<OperationDescription, "result" | "types">,
  isLed = false,
): Result {
  const list = listOf(value)?.items;
  if (list === undefined) return { value };
  const items = withAttributes(list);
  const total = totalIn(value, described)?.total ?? reported?.total;
  const more = followsOf(value) ?? reported?.more ?? (isLed ? false : undefined);
  return {
    value,
    page: {
      ...reported,
      items,
      ...(total === undefined ? {} : { total }),
      ...(more === undefined ? {} : { more }),
    },
  };
}
