import { isRecord } from "@nodewright/api-model";
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isRequiredArgument,
  isScalarType,
  isSpecifiedScalarType,
} from "graphql";
import { type Field, isNaming } from "../schema/field-names.ts";
import { hasRoleName } from "../../../inference/list-roles.ts";
import { createRandom, sampleOf } from "@nodewright/api-values";
import { CollectedValues, type Ranked } from "../../../live/collected-values.ts";
import { ranks, SlotTable } from "../../../live/slots.ts";
import type { CasePlay } from "../../../contract/planned-case.ts";
import { type Finding, uniqueFindings } from "../../../contract/finding.ts";
import type { Session } from "../../../session/session.ts";
import type { GraphqlSuite } from "../../../suite/suite.ts";
import { Examples } from "../../../properties/example.ts";
import { type RequestedDocument, requestedDocument, type Members } from "../response/selected-fields.ts";
import { connectionFindings } from "../response-rules/connection-pages.ts";
import type { FieldSite } from "./field-site.ts";
import { linkedFields, typedScopes } from "./field-values.ts";
import { inputTypeOf, typesOf } from "../schema/field-types.ts";
import { operationOf } from "../contract/graphql-case.ts";
import { getOf, type GraphqlRequest, postOf } from "../contract/graphql-request.ts";
import { type GraphqlResponse, readResponse } from "../response/read-response.ts";
import type { SelectionSize } from "../selection/select-fields.ts";
import type { GivenArgument } from "../selection/selection.ts";
import { type MetField, walkResponse } from "../response/walk-response.ts";
import { formFindings } from "../response-rules/response-form.ts";
import { walkErrors } from "../response-rules/walk-errors.ts";

/** Number of values in a list of keys. */
const listedValues = 3;

/** A root field with a valid response, from which further requests are derived. */
export interface BaseResult extends FieldSite {
  readonly request: GraphqlRequest;
  /** Value of the field, never null. */
  readonly value: unknown;
}

/** A response that was validated against the schema. */
export interface ValidatedResponse {
  readonly requested: RequestedDocument;
  readonly response: GraphqlResponse;
  /** `undefined` when it is absent or null. */
  readonly data: Members | undefined;
  readonly met: readonly MetField[];
  /** All violations of the schema and the specification. */
  readonly findings: readonly Finding[];
}

/** State of a run against a GraphQL target. */
export class GraphqlRun {
  readonly suite: GraphqlSuite;
  readonly session: Session;
  readonly schema: GraphQLSchema;
  /** Values of responses, for arguments. */
  readonly values: CollectedValues;
  /** `Query.thing.id` → values of examples. */
  readonly shown: Map<string, readonly unknown[]> = new Map();
  readonly examples: Examples;
  /** Root field → its response. */
  readonly bases: Map<string, BaseResult> = new Map();
  /** Names of members that changed between responses, by operation. */
  readonly moving: Map<string, Set<string>> = new Map();
  /** Names of members that change by themselves in the same objects, independent of the request. */
  readonly restless: Set<string> = new Set();
  /** Reduced when the target refuses requests for their size. */
  size: SelectionSize = { depth: 6, fields: 120 };
  /** Fields, as `Type.field`, that fail with all known values. */
  readonly avoided: Set<string> = new Set();
  /** Findings of responses after which the selection was reduced, by request: they persist when it is repeated. */
  readonly earlier: Map<string, Finding[]> = new Map();
  /** Whether fields with required arguments are requested at the root only, since some fail without an identified cause. */
  isFrugal = false;
  /** Whether the target supports GET; `undefined` until it was tried. */
  servesGet: boolean | undefined;

  constructor(suite: GraphqlSuite, session: Session) {
    this.suite = suite;
    this.session = session;
    this.examples = new Examples(suite.types, session.options.examples);
    this.schema = buildSchema(suite.schema, { assumeValidSDL: true });
    const types = typesOf(this);
    this.values = new CollectedValues(new SlotTable(linkedFields(this.schema), types), types);
  }

  get queryType(): string {
    return this.schema.getQueryType()?.name ?? "Query";
  }

  /** Returns the name of a field of the query type as an operation. */
  operationOf({ name }: Field): string {
    return operationOf(this.queryType, name);
  }

  /** Sends a request, validates the response against the schema and stores its values for other requests. */
  async execute(play: CasePlay, request: GraphqlRequest, by: "POST" | "GET" = "POST"): Promise<ValidatedResponse> {
    const received = await play.send(by === "POST" ? postOf(request) : getOf(request));
    const response = readResponse(received);
    const requested = requestedDocument(this.schema, request);
    const data = isRecord(response.data) ? response.data : undefined;
    const { met, findings: wrong } = walkResponse(requested, this.suite, response.data);
    const findings = uniqueFindings([
      ...formFindings(response, request.query),
      ...wrong,
      ...connectionFindings(met, requested.variables),
      ...walkErrors(requested, response),
    ]);
    const isWell = wrong.every(({ rule }) => rule.level !== "MUST");
    if (isWell) this.values.collectScopes(typedScopes(met, response.errors.length === 0));
    return { requested, response, data, met, findings };
  }

  /** Records which fields of the schema appeared in an operation's responses. */
  cover(operation: string, met: readonly MetField[]): void {
    for (const { parentType, field } of met) {
      this.session.coverage.seen(operation, "fields", `${parentType.name}.${field.name}`);
    }
  }

  /** Returns the names of members that are not compared between responses of an operation. */
  movingOf(operation: string): Set<string> {
    const known = this.moving.get(operation) ?? new Set();
    this.moving.set(operation, known);
    return known;
  }

  /**
   * Returns values for the required arguments of a field: those of responses, then of examples. Returns `undefined` when an argument has
   * none. With `allowsSamples`, samples are used too, and known values of optional arguments, since some fields require one of these.
   */
  argumentsFor(parentType: string, field: Field, allowsSamples: boolean): readonly GivenArgument[] | undefined {
    if (this.avoided.has(`${parentType}.${field.name}`)) return undefined;
    const isNested = parentType !== this.queryType;
    if (this.isFrugal && isNested && field.args.some(isRequiredArgument)) return undefined;
    const given = field.args.flatMap((argument): readonly GivenArgument[] => {
      const { name, type } = argument;
      const [found] = this.candidatesOf(parentType, field, argument);
      if (!isRequiredArgument(argument))
        return found === undefined || !allowsSamples ? [] : [{ name, type, value: found }];
      // A name without a known value is a guess; any number or enum value will do.
      const isSampled = allowsSamples || !isNaming(type);
      return [{ name, type, value: found ?? (isSampled ? this.#sampleOf(argument) : undefined) }];
    });
    return given.some(({ value }) => value === undefined) ? undefined : given;
  }

  /** Returns values for an argument, most certain first: those of responses and examples; for a list, several of responses together. */
  candidatesOf(parentType: string, field: Field, { name, type }: GraphQLArgument): readonly unknown[] {
    const operation = `${parentType}.${field.name}`;
    const found = this.values.rankedOf(operation, name);
    const shown = this.shown.get(`${operation}.${name}`) ?? [];
    if (isListType(getNullableType(type))) {
      const together = found.filter(({ rank }) => rank < ranks.generic).flatMap(({ value }) => value);
      return [...(together.length === 0 ? [] : [together.slice(0, listedValues)]), ...shown];
    }
    const ofExamples = shown.map((value) => ({ value, rank: ranks.identifier }));
    const all = [...found, ...ofExamples].toSorted((left, right) => left.rank - right.rank);
    return all.map(({ value }) => value);
  }

  /** Returns values that objects of the field's own type have under the argument's name, which therefore identifies them. */
  keysOf({ name: field }: Field, { name, type }: GraphQLArgument): readonly Ranked<unknown>[] {
    if (isListType(getNullableType(type))) return [];
    return this.values.rankedOf(`${this.queryType}.${field}`, name).filter(({ rank }) => rank < ranks.name);
  }

  /** Returns a plain value of an argument; `undefined` for an unknown custom scalar. */
  #sampleOf({ name, type }: GraphQLArgument): unknown {
    const leaf = getNamedType(type);
    const isOwn = isScalarType(leaf) && !isSpecifiedScalarType(leaf);
    if (isOwn && this.suite.scalars[leaf.name] === undefined) return undefined;
    const size = hasRoleName("limit", name) ? 2 : hasRoleName("offset", name) ? 0 : 1;
    const examples = isOwn ? [] : [size, leaf.name === "ID" ? "1" : "a"];
    return sampleOf({ ...inputTypeOf(type), examples }, typesOf(this), createRandom(name));
  }
}
