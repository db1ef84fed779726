import { isRecord } from "@nodewright/api-model";
import { getNamedType } from "graphql";
import { type Finding, uniqueFindings } from "../../../contract/finding.ts";
import type { Rule } from "../../../contract/rule.ts";
import { hasRoleName } from "../../../inference/list-roles.ts";
import { itemsOf } from "../../../properties/choice.ts";
import type { Input, Result } from "../../../properties/operation.ts";
import type { Check, Knowledge, Problem, Property } from "../../../properties/property.ts";
import { propertyRules } from "../../../properties/property-rules.ts";
import { connectionNodeOf, isKeyName } from "../schema/field-names.ts";
import type { Members } from "../response/selected-fields.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import { findingAt } from "../contract/place-of.ts";
import { inputAt, type MetField } from "../response/walk-response.ts";

/** A page of a connection, as returned. */
interface Page {
  readonly value: Members;
  readonly input: Input;
  readonly edges: readonly Members[];
  /** Cursors of the edges that have one. */
  readonly cursors: readonly string[];
  readonly info: Members;
  /** Whether the page begins at the start of the list. */
  readonly isFirst: boolean;
}

/** Possible faults of a single page (Relay cursor connections). */
const pageRules: readonly (readonly [rule: Rule, faults: Readonly<Record<string, (page: Page) => boolean>>])[] = [
  [
    graphqlRules.connection,
    {
      "a page has more edges than first allows": ({ edges, input }) =>
        edges.length > Number(input["first"] ?? Infinity),
      "a page has more edges than last allows": ({ edges, input }) => edges.length > Number(input["last"] ?? Infinity),
      "nodes are not the nodes of the edges": areNodesOthers,
    },
  ],
  [
    graphqlRules.cursor,
    { "edges of one page have the same cursor": ({ cursors }) => new Set(cursors).size < cursors.length },
  ],
  [
    graphqlRules.pageInfo,
    {
      "startCursor is not the first edge's cursor": ({ info, cursors }) =>
        isAnother(info["startCursor"], cursors.at(0)),
      "endCursor is not the last edge's cursor": ({ info, cursors }) => isAnother(info["endCursor"], cursors.at(-1)),
      "endCursor is null where a page follows": ({ info }) =>
        info["endCursor"] === null && info["hasNextPage"] === true,
      // Nothing precedes the first page, and a server that can't determine it must return false.
      "hasPreviousPage is true on the first page": ({ info, isFirst }) => isFirst && info["hasPreviousPage"] === true,
    },
  ],
  [
    graphqlRules.pageInfoHeuristic,
    {
      "startCursor or endCursor is null on a page that has edges": ({ edges, info }) =>
        edges.length > 0 && (info["startCursor"] === null || info["endCursor"] === null),
    },
  ],
  [propertyRules.count, { "totalCount is not how many edges there are": isMiscounted }],
];

function isMiscounted({ value: { totalCount }, edges, info: { hasNextPage }, isFirst }: Page): boolean {
  if (!isFirst || typeof totalCount !== "number") return false;
  return hasNextPage === true ? totalCount <= edges.length : hasNextPage === false && totalCount !== edges.length;
}

function isAnother(cursor: unknown, ofEdge: string | undefined): boolean {
  return typeof cursor === "string" && ofEdge !== undefined && cursor !== ofEdge;
}

/** Nodes are compared by their identifying members, since others may change. */
function areNodesOthers({ value: { nodes }, edges }: Page): boolean {
  if (!Array.isArray(nodes)) return false;
  const isOther = (left: unknown, right: unknown): boolean =>
    isRecord(left) &&
    isRecord(right) &&
    Object.keys(left).some((name) => isKeyName(name) && Object.hasOwn(right, name) && left[name] !== right[name]);
  return nodes.length !== edges.length || edges.some(({ node }, index) => isOther(node, nodes[index]));
}

/** Returns the faults of each page of a connection in a response, checked by itself. */
export function connectionFindings(
  met: readonly MetField[],
  variables: Readonly<Record<string, unknown>>,
): readonly Finding[] {
  const findings = met.flatMap((one): readonly Finding[] => {
    const { field, value } = one;
    if (connectionNodeOf(getNamedType(field.type)) === undefined) return [];
    const page = pageOf(value, inputAt(one, variables));
    if (page === undefined) return [];
    return pageRules.flatMap(([rule, faults]) =>
      Object.entries(faults)
        .filter(([, isBroken]) => isBroken(page))
        .map(([message]) => findingAt(field.astNode, rule, `${field.name}: ${message}`)),
    );
  });
  return uniqueFindings(findings);
}

function pageOf(value: unknown, input: Input): Page | undefined {
  // No specification defines a page of size 0 or less.
  if (!isRecord(value) || [input["first"], input["last"]].some((size) => Number(size ?? 1) < 1)) return undefined;
  const { edges: given, pageInfo } = value;
  if (!Array.isArray(given)) return undefined;
  const edges = given.map((edge: unknown) => (isRecord(edge) ? edge : {}));
  const isSkipping = (name: string): boolean =>
    ["after", "before", "last"].includes(name) || hasRoleName("offset", name) || hasRoleName("page", name);
  return {
    value,
    input,
    edges,
    cursors: edges.map(({ cursor }) => cursor).filter((cursor) => typeof cursor === "string"),
    info: isRecord(pageInfo) ? pageInfo : {},
    isFirst: !Object.entries(input).some(([name, one]) => isSkipping(name) && one !== null && one !== undefined),
  };
}

/** Maximum number of edges of the longest page that is requested. */
const totalSize = 10;

/** Property that compares the pages of a connection: where it ends, and which edges precede a cursor. */
export const connectionProperty: Property = { name: "pages", rule: graphqlRules.cursor, checks };

function* checks({ operation, base, isSameList }: Knowledge): Generator<Check> {
  const parameterOf = (name: string) => operation.parameters.find((one) => one.name === name);
  const first = parameterOf("first");
  if (first === undefined) return;
  const ofPages = new Set(["first", "last", "after", "before"]);
  const rest = Object.fromEntries(Object.entries(base).filter(([name]) => !ofPages.has(name)));
  const whole = { ...rest, first: totalSize };
  if (parameterOf("after") !== undefined)
    yield {
      name: "end",
      expected: "a next page where hasNextPage is true, and only there",
      inputs: [whole],
      furtherCalls: 3,
      verify: async (call) => {
        const [all] = await call(whole);
        const { length } = itemsOf(all);
        // A page of exactly the number of existing edges must report the end as well.
        const pages = length > 0 && length < totalSize ? [all, ...(await call({ ...rest, first: length }))] : [all];
        const problems: Problem[] = [];
        for (const page of pages) {
          const { endCursor, hasNextPage } = infoOf(page);
          if (typeof endCursor !== "string" || typeof hasNextPage !== "boolean") continue;
          const [next] = await call({ ...rest, first: 1, after: endCursor });
          if (itemsOf(next).length > 0 === hasNextPage) continue;
          const message = `hasNextPage is ${hasNextPage}, and ${hasNextPage ? "nothing" : "more"} follows`;
          problems.push({ message, rule: graphqlRules.pageInfo });
        }
        return problems;
      },
    };
  if (parameterOf("last") === undefined) return;
  // With a default of `first`, `last` would apply to the first page only.
  const lastOf = (last: number): Input => ({ ...rest, ...(first.default === undefined ? {} : { first: null }), last });
  const [lastOne, lastTwo] = [lastOf(1), lastOf(2)];
  yield {
    name: "backwards",
    expected: "the edges at the end, in the order of the list; what came before a cursor",
    inputs: [whole, lastOne, lastTwo],
    furtherCalls: 1,
    verify: async (call) => {
      const [all, one, two] = await call(whole, lastOne, lastTwo);
      const items = itemsOf(all);
      const isWhole = infoOf(all)["hasNextPage"] === false && items.length < totalSize;
      const third = pageOf(all.value, {})?.cursors[2];
      const isBefore = third !== undefined && parameterOf("before") !== undefined;
      const previous = isBefore ? (await call({ ...lastOf(5), before: third }))[0] : undefined;
      const problems: readonly (readonly [isBroken: boolean, rule: Rule, message: string])[] = [
        [
          infoOf(one)["hasPreviousPage"] === false && items.length > 1,
          graphqlRules.pageInfo,
          "hasPreviousPage is false, and more is before the last edge",
        ],
        [
          isWhole && ![one, two].every((page, index) => isSameList(itemsOf(page), items.slice(-1 - index))),
          graphqlRules.connection,
          "the last edges are not those at the end, in their order",
        ],
        [
          previous !== undefined && !isSameList(itemsOf(previous), items.slice(0, 2)),
          graphqlRules.cursor,
          "the page before a cursor is not what came before it",
        ],
      ];
      return problems.filter(([isBroken]) => isBroken).map(([, rule, message]) => ({ rule, message }));
    },
  };
}

function infoOf({ value }: Result): Members {
  return pageOf(value, {})?.info ?? {};
}
