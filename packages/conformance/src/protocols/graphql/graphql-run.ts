import { isRecord } from "@nodewright/api-model";
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isRequiredArgument,
  isScalarType,
  parse,
} from "graphql";
import { createRandom } from "../../types/random.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { Session } from "../../session/session.ts";
import type { GraphqlSuite } from "../../suite/suite.ts";
import { Examples } from "../../properties/example.ts";
import { type AskedDocument, askedDocument } from "./collect-fields.ts";
import { connectionFindings } from "./connection-pages.ts";
import { getOf, type GraphqlQuestion, postOf } from "./graphql-request.ts";
import { type GraphqlResponse, readResponse } from "./read-response.ts";
import { sampleInput } from "./sample-input.ts";
import type { SelectionSize } from "./select-fields.ts";
import type { FieldSelection, GivenArgument } from "./selection.ts";
import { ValuePool } from "./value-pool.ts";
import { type MetField, walkAnswer } from "./walk-answer.ts";
import { walkErrors } from "./walk-errors.ts";

/** A root field that was answered: what further questions are made from. */
export interface BaseAnswer {
  readonly operation: string;
  readonly field: GraphQLField<unknown, unknown>;
  /** The field as it was asked for. */
  readonly selection: FieldSelection;
  readonly question: GraphqlQuestion;
  /** Of the field, never null. */
  readonly value: unknown;
  readonly met: readonly MetField[];
}

/** An answer that was held against the schema. */
export interface HeldAnswer {
  readonly asked: AskedDocument | undefined;
  readonly response: GraphqlResponse;
  /** Undefined where there is none, or it is null. */
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly met: readonly MetField[];
  /** Everything that is wrong with it by the schema and the specification. */
  readonly findings: readonly Finding[];
}

/** What the cases of a run have found out about a GraphQL target. */
export class GraphqlRun {
  readonly suite: GraphqlSuite;
  readonly session: Session;
  readonly schema: GraphQLSchema;
  readonly pool: ValuePool;
  readonly examples: Examples;
  /** Root field → its answer. */
  readonly bases: Map<string, BaseAnswer> = new Map();
  /** Names of members that changed from one answer to the next, by operation. */
  readonly moving: Map<string, Set<string>> = new Map();
  /** Names of members that change by themselves in objects that stay, whatever they are asked by. */
  readonly restless: Set<string> = new Set();
  /** Made smaller where the target finds questions too large. */
  size: SelectionSize = { depth: 6, fields: 120 };
  /** Fields, as `Type.field`, that fail with the values that are known for them. */
  readonly avoided: Set<string> = new Set();
  /** What was wrong with answers after which less was asked for, by what was asked: it stays wrong when that is asked again. */
  readonly earlier: Map<string, Finding[]> = new Map();
  /** True: fields that require arguments are asked for at the root alone, since some fail and do not say which. */
  isFrugal = false;
  /** Whether the target answers GET; undefined until it was tried. */
  servesGet: boolean | undefined;

  constructor(suite: GraphqlSuite, session: Session) {
    this.suite = suite;
    this.session = session;
    this.examples = new Examples(suite.types, session.options.examples);
    this.schema = buildSchema(suite.schema, { assumeValidSDL: true });
    this.pool = new ValuePool(this.schema);
  }

  /** Asks, and holds the answer against the schema. */
  async ask(play: CasePlay, question: GraphqlQuestion, by: "POST" | "GET" = "POST"): Promise<HeldAnswer> {
    const answer = await play.send(by === "POST" ? postOf(question) : getOf(question));
    return this.hold(question, readResponse(answer, question.query));
  }

  /** Holds a response against the schema, and keeps its values for other questions. */
  hold(question: GraphqlQuestion, response: GraphqlResponse): HeldAnswer {
    const asked = askedDocument(this.schema, parse(question.query), question.variables ?? {}, question.operationName);
    const data = isRecord(response.data) ? response.data : undefined;
    if (asked === undefined) return { asked, response, data, met: [], findings: response.findings };
    const { met, findings: wrong } = walkAnswer(asked, this.suite, response.data);
    const findings = uniqueFindings([
      ...response.findings,
      ...wrong,
      ...connectionFindings(met, asked.variables),
      ...walkErrors(asked, response),
    ]);
    // Beside an error an object may have nulls that it does not have otherwise: it is nothing to compare with.
    const isWhole = response.errors.length === 0;
    const isWell = wrong.every(({ rule }) => rule.level !== "MUST");
    if (isWell) for (const one of met) this.pool.see(isWhole ? one : { ...one, parent: {} });
    return { asked, response, data, met, findings };
  }

  /** Notes which fields of the schema an operation's answers have shown. */
  cover(operation: string, met: readonly MetField[]): void {
    for (const { parentType, field } of met) {
      this.session.coverage.seen(operation, "fields", `${parentType.name}.${field.name}`);
    }
  }

  /** Names of members that are not compared between answers of an operation. */
  movingOf(operation: string): Set<string> {
    const known = this.moving.get(operation) ?? new Set();
    this.moving.set(operation, known);
    return known;
  }

  /** Values for the arguments that a field requires: answered ones, then examples, then samples. Undefined where one has none. */
  requiredArguments(
    parentType: string,
    field: GraphQLField<unknown, unknown>,
    allowsSamples: boolean,
  ): readonly GivenArgument[] | undefined {
    if (this.avoided.has(`${parentType}.${field.name}`)) return undefined;
    const isNested = parentType !== this.schema.getQueryType()?.name;
    if (this.isFrugal && isNested && field.args.some(isRequiredArgument)) return undefined;
    const given: GivenArgument[] = [];
    for (const argument of field.args) {
      if (!isRequiredArgument(argument)) continue;
      const value = this.#valueOf(parentType, field, argument, allowsSamples);
      if (value === undefined) return undefined;
      given.push({ name: argument.name, type: argument.type, value });
    }
    return given;
  }

  /** A value for one argument; undefined where it would be a guess, and none is wanted. */
  #valueOf(
    parentType: string,
    field: GraphQLField<unknown, unknown>,
    argument: GraphQLArgument,
    allowsSamples: boolean,
  ): unknown {
    const { name, type } = argument;
    const [best] = this.pool.candidatesOf(parentType, field, argument);
    if (best !== undefined) return best.value;
    // A text, an id or a value of the schema's own scalars that nobody gave is a guess; a number or a choice is as good as any.
    const leaf = getNamedType(type);
    const isGuess = isScalarType(leaf) && !["Int", "Float", "Boolean"].includes(leaf.name);
    return isGuess && !allowsSamples ? undefined : sampleInput(this.suite, createRandom(name), name, type);
  }
}
