import type { DescribedOrder } from "@nodewright/api-model";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import type { Parameter } from "../inference/list-roles.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/** Values by property of the parameters. */
export type Input = Readonly<Record<string, unknown>>;

/** Reason why a repeated call returns the same. */
export type Steadiness = "declared" | "guessed" | "usual";

/** Input of a call that follows a link; `elsewhere` for a link to another target, null where the target reports that the link is missing. */
export type PageLink = Input | "elsewhere" | null;

/** Links of a page to other pages. */
export interface PageLinks {
  /** Whether they are links of RFC 8288. */
  readonly isOfHeader: boolean;
  readonly next?: PageLink;
  readonly prev?: PageLink;
  readonly last?: PageLink;
}

/** Part of a list, as a target returned it. */
export interface Page {
  readonly items: readonly unknown[];
  /** Number of elements on all pages, if the target reports it. */
  readonly total?: number;
  /** Whether the target reports that more elements follow; absent where it reports neither. */
  readonly more?: boolean;
  /** Links; absent where the page has none. */
  readonly links?: PageLinks;
}

/** A returned value. */
export interface Result {
  readonly value: unknown;
  /** Page; present where the value is a list, or has one. */
  readonly page?: Page;
}

/** Outcome of a call. */
export interface Outcome {
  /** Findings about the response itself, which are reported whichever property made the call. */
  readonly findings: readonly Finding[];
  /**
   * Values: several where one call returns one for each of several objects, as a GraphQL field below a list does, in the same order for all
   * calls that are made together. Absent where the call has no value.
   */
  readonly results?: readonly Result[];
  /** Whether the target has nothing with the identifier in the call. */
  readonly isAbsent?: boolean;
  /** Whether the target refused the input. */
  readonly isRefused?: boolean;
}

export interface CallOptions {
  /** Whether a refusal is correct as well. */
  readonly mayBeRefused?: boolean;
  /** Whether results of earlier calls may be returned instead of making a new call. */
  readonly allowsEarlier: boolean;
  /** Whether the identifiers in the call need not exist: their absence is then not a finding. */
  readonly mayBeAbsent?: boolean;
  /** Paths to members of list elements that the check reads; a protocol with selections may request only these. */
  readonly reads: readonly (readonly string[])[];
}

/**
 * Expected outcome of a call. `accepted`: a documented success. `refused`: an error for invalid input. `not-found.ts` covers objects that
 * do not exist.
 */
export interface Expectation {
  readonly kind: "accepted" | "refused";
  /** Rule that any other outcome breaks. */
  readonly rule: Rule;
  /**
   * `documented`: the description itself requires it. `likely`: correct servers may rarely differ. `open`: with `accepted` only; a refusal
   * is correct as well, so that only the response itself is checked.
   */
  readonly certainty: "documented" | "likely" | "open";
  /** Whether the object that the input identifies is known to exist, so that a not-found response breaks the rule; with `accepted` only. */
  readonly isThere?: boolean;
  /** Subject of messages, in words of the description and without values of the run: "limit above its maximum". */
  readonly subject: string;
  /** The value and its constraint in the description: the detail where invalid input is accepted. */
  readonly accepted?: string;
  /** Parameter that the call is about; absent for a surplus one, or where it is about several. */
  readonly parameter?: Parameter;
  /** Place of the broken rule, where it is not that of the parameter. */
  readonly place?: Place;
  /** Whether an undeclared parameter is added to the input, in each way that the protocol supports. */
  readonly isSurplus?: boolean;
}

/** A call and its expected outcome. A required parameter that its input lacks is omitted; null is sent as null. */
export interface ExpectedCall {
  readonly input: Input;
  readonly expectation: Expectation;
}

/** Outcome of a call with an expectation. `unclear`: a failure that says nothing about the input. */
export interface CheckedResponse {
  readonly kind: "accepted" | "refused" | "absent" | "failed" | "unclear";
  readonly findings: readonly Finding[];
}

/** Description of an operation or field of a target. */
export interface OperationDescription {
  /** Name in messages, where it differs from the operation of the case: `Block.transactions`. */
  readonly subject?: string;
  /** Name in the description: `GET /pets`, `getblock`. */
  readonly origin?: string;
  /** Name of the returned objects, as the operation's name or path ends: `blocks` of `/chain/blocks`. */
  readonly typeNames?: string;
  /** Property of the parameter that identifies the returned object. */
  readonly key?: string;
  /** Members that declared links assign to parameters, by the parameter's property. */
  readonly linked?: Readonly<Record<string, string>>;
  /** Whether it returns one object; a total in it may count anything. */
  readonly isOfOne?: boolean;
  /** Singular name of the elements' owner: `product` of `/products/{productId}/reviews`. */
  readonly owner?: string;
  /** Whether it is a list, or a member, of an object that another operation returns. */
  readonly isWithin?: boolean;
  /** Whether its name or description indicates a random result. */
  readonly isByChance?: boolean;
  /** Order of the list that the description states. */
  readonly order?: DescribedOrder;
  /** Example results of the description, with their inputs. */
  readonly examples?: readonly { readonly input: Input; readonly value: unknown }[];
  /** Parameters that a client may omit or change between calls of one property. */
  readonly parameters: readonly Parameter[];
  readonly result: SuiteType | undefined;
  readonly types: SuiteTypes;
  readonly place?: Place;
}

/**
 * An operation that a target offers, for any protocol: an HTTP operation, a JSON-RPC method, or a GraphQL field that is reached through a
 * selection. Properties access a target only through it.
 */
export interface Operation extends OperationDescription {
  /** Unique name in the target's description. */
  readonly name: string;
  /** Whether a call selects the members that it returns: a missing member is then not a difference. */
  readonly isSelective?: boolean;
  /** Maximum number of elements to request where the description has no greatest limit. */
  readonly longest: number;
  /** Whether results contain the number of elements on all pages. */
  readonly isCounted: boolean;
  /** Calls that had a value. */
  readonly known: readonly { readonly input: Input; readonly value: unknown; readonly page?: Page }[];
  /**
   * Returns why the same call always returns the same: the description or the target declares it, or names and values suggest it; `usual`:
   * as long as no data changes. Undefined for calls that are not repeated.
   */
  steadiness(input: Input): Steadiness | undefined;
  /** Makes a call with each input, in one request where the protocol supports it. */
  call(play: CasePlay, inputs: readonly Input[], options: CallOptions): Promise<readonly Outcome[]>;
  /** Makes calls and checks each response against its expectation, in one request where the protocol supports it. */
  expect(play: CasePlay, calls: readonly ExpectedCall[]): Promise<readonly CheckedResponse[]>;
}
