import type { DescribedOrder } from "@nodewright/api-model";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import type { Parameter } from "../inference/list-roles.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/** Values by property of the parameters. */
export type Input = Readonly<Record<string, unknown>>;

/** Why a call that is made again returns the same. */
export type Steadiness = "declared" | "guessed" | "usual";

/** The input of a call that follows a link; `elsewhere` where that leads to another target, null where the target says that there is none. */
export type PageLink = Input | "elsewhere" | null;

/** What a page says of the pages around it. */
export interface PageLinks {
  /** Whether they are those of RFC 8288. */
  readonly isOfHeader: boolean;
  readonly next?: PageLink;
  readonly prev?: PageLink;
  readonly last?: PageLink;
}

/** Part of a list, as a target returned it. */
export interface Page {
  readonly items: readonly unknown[];
  /** Number of elements on all pages, where the target says so. */
  readonly total?: number;
  /** Whether the target says that more elements follow; absent where it says nothing. */
  readonly more?: boolean;
  /** Absent where the page has none. */
  readonly links?: PageLinks;
}

/** One returned value. */
export interface Result {
  readonly value: unknown;
  /** Where the value is a list, or has one. */
  readonly page?: Page;
}

/** What came of a call. */
export interface Outcome {
  /** What is wrong with the response by itself: whichever property made the call, it is reported. */
  readonly findings: readonly Finding[];
  /**
   * The value; several where one call returns it for several objects, as a GraphQL field below a list does, in the same order for all
   * calls that are made together. Absent where the call has no value.
   */
  readonly results?: readonly Result[];
  /** True where the target has nothing under the identifier that it was called with. */
  readonly isAbsent?: boolean;
}

export interface CallOptions {
  /** True: a refusal is right as well. */
  readonly mayBeRefused?: boolean;
  /** True: what earlier calls returned may be given in place of a new call. */
  readonly allowsEarlier: boolean;
  /** True: nothing need be under the identifiers that are called with, so that it is no finding where there is none. */
  readonly mayBeAbsent?: boolean;
  /** Paths to members of list elements that are looked at; a protocol in which responses are selected may return these alone. */
  readonly reads: readonly (readonly string[])[];
}

/**
 * What has to come of a call. `accepted`: a documented success. `refused`: an error for invalid input. What
 * does not exist is the matter of `not-found.ts`.
 */
export interface Expectation {
  readonly kind: "accepted" | "refused";
  /** Broken where something else comes. */
  readonly rule: Rule;
  /**
   * `documented`: the description says so by itself. `likely`: correct servers may differ, and do so rarely. `open`: of `accepted` alone,
   * a refusal is right as well, so that only the response by itself is checked.
   */
  readonly certainty: "documented" | "likely" | "open";
  /** Of `accepted`: whether what the input names is known to exist, so that the rule is broken where it is not found. */
  readonly isThere?: boolean;
  /** The subject of messages, in words of the description and without values of the run: "limit above its maximum". */
  readonly subject: string;
  /** The value, and what the description says of it: the detail where something invalid is accepted. */
  readonly accepted?: string;
  /** That which the call is about; absent for a surplus one, or where it is about several. */
  readonly parameter?: Parameter;
  /** Of what is broken, where that is not the place of the parameter. */
  readonly place?: Place;
  /** True: a parameter that the description does not have is added to the input, in each way that the protocol has for one. */
  readonly isSurplus?: boolean;
}

/** A call and what has to come of it. A required parameter that its input lacks is left out; null is sent as null. */
export interface ExpectedCall {
  readonly input: Input;
  readonly expectation: Expectation;
}

/** What came of a call with an expectation. `unclear`: a failure that says nothing of the input. */
export interface CheckedResponse {
  readonly kind: "accepted" | "refused" | "absent" | "failed" | "unclear";
  readonly findings: readonly Finding[];
}

/** What the description says of something that a target can be called for. */
export interface OperationDescription {
  /** What messages name, where it is not what the case stands under: `Block.transactions`. */
  readonly subject?: string;
  /** As the description has it: `GET /pets`, `getblock`. */
  readonly origin?: string;
  /** What it is about, as its name or path ends: `blocks` of `/chain/blocks`. */
  readonly things?: string;
  /** Property of the parameter that identifies the one object that is returned. */
  readonly key?: string;
  /** Members that declared links give to parameters, by the parameter's property. */
  readonly linked?: Readonly<Record<string, string>>;
  /** True: it returns one thing, whose total may be of anything. */
  readonly isOfOne?: boolean;
  /** What its elements belong to, in singular: `product` of `/products/{productId}/reviews`. */
  readonly owner?: string;
  /** True: it is a list, or a member, of an object that something else returns. */
  readonly isWithin?: boolean;
  /** True: its name or description says that it returns what is chosen by chance. */
  readonly isByChance?: boolean;
  /** The order that the description states of the list. */
  readonly order?: DescribedOrder;
  /** Results that the description shows, with the inputs that they are results of. */
  readonly examples?: readonly { readonly input: Input; readonly value: unknown }[];
  /** Those that a caller may leave out or change between calls of one property. */
  readonly parameters: readonly Parameter[];
  readonly result: SuiteType | undefined;
  readonly types: SuiteTypes;
  readonly place?: Place;
}

/**
 * Something a target can be called for, whichever protocol offers it: an HTTP operation, a JSON-RPC method, or a GraphQL field that is
 * reached through a selection. Properties know nothing else of a target.
 */
export interface Operation extends OperationDescription {
  /** Unique in the target's description. */
  readonly name: string;
  /** True where a call names the members that it returns: what lacks is then no difference. */
  readonly isSelective?: boolean;
  /** Elements that are called for at most where the description has no greatest limit. */
  readonly longest: number;
  /** Whether results say how many elements all pages have. */
  readonly isCounted: boolean;
  /** Calls that had a value. */
  readonly known: readonly { readonly input: Input; readonly value: unknown; readonly page?: Page }[];
  /**
   * Whether the same call always returns the same: because the description or the target says so, or as names and values let guess;
   * `usual`: as far as nothing happens meanwhile. Undefined for what is not called again.
   */
  steadiness(input: Input): Steadiness | undefined;
  /** Calls with each input, in one request where the protocol can. */
  call(play: CasePlay, inputs: readonly Input[], options: CallOptions): Promise<readonly Outcome[]>;
  /** Calls whose responses are checked against what is expected of each, in one request where the protocol can. */
  expect(play: CasePlay, calls: readonly ExpectedCall[]): Promise<readonly CheckedResponse[]>;
}
