import { isRecord } from "@nodewright/api-model";
import { getNamedType, valueFromASTUntyped } from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import { hasRoleName } from "../../inference/list-roles.ts";
import { itemsOf } from "../../properties/choice.ts";
import type { Input, Result } from "../../properties/operation.ts";
import type { Check, Knowledge, Problem, Property } from "../../properties/property.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { connectionNodeOf, isKeyName } from "./field-names.ts";
import { graphqlRules } from "./graphql-rules.ts";
import { findingAt } from "./place-of.ts";
import type { MetField } from "./walk-answer.ts";

/** A page of a connection as it was returned. */
interface Page {
  readonly input: Input;
  readonly edges: readonly unknown[];
  readonly nodes: readonly unknown[];
  /** Of the edges that have one. */
  readonly cursors: readonly string[];
  readonly info: Readonly<Record<string, unknown>>;
  readonly value: Readonly<Record<string, unknown>>;
  /** Whether it begins where the list does. */
  readonly isFirst: boolean;
}

type PageRule = readonly [rule: Rule, message: string, isBroken: (page: Page) => boolean];

const cursorsOfPage = ["startCursor", "endCursor"];

/** What each page says of itself (Relay cursor connections). */
const pageRules: readonly PageRule[] = [
  [graphqlRules.connection, "a page has more edges than first says", (page) => isTooLong(page, "first")],
  [graphqlRules.connection, "a page has more edges than last says", (page) => isTooLong(page, "last")],
  [graphqlRules.connection, "nodes are not the nodes of the edges", areNodesOthers],
  [
    graphqlRules.cursor,
    "edges of one page have the same cursor",
    (page) => new Set(page.cursors).size < page.cursors.length,
  ],
  [graphqlRules.pageInfo, "startCursor is not the first edge's cursor", (page) => isAnother(page, "startCursor", 0)],
  [graphqlRules.pageInfo, "endCursor is not the last edge's cursor", (page) => isAnother(page, "endCursor", -1)],
  [
    graphqlRules.pageInfo,
    "endCursor is null where a page follows",
    ({ info }) => info["endCursor"] === null && hasNext(info),
  ],
  [
    graphqlRules.pageInfoLikely,
    "startCursor or endCursor is null on a page that has edges",
    ({ edges, info }) => edges.length > 0 && cursorsOfPage.some((name) => info[name] === null),
  ],
  // Nothing is before the first page, and who can't tell says so with false.
  [
    graphqlRules.pageInfo,
    "hasPreviousPage is true on the first page",
    ({ info, isFirst }) => isFirst && info["hasPreviousPage"] === true,
  ],
  [propertyRules.count, "totalCount is not how many edges there are", isMiscounted],
];

function isTooLong({ edges, input }: Page, name: "first" | "last"): boolean {
  return typeof input[name] === "number" && edges.length > input[name];
}

function isMiscounted({ edges, info, value: { totalCount }, isFirst }: Page): boolean {
  if (!isFirst || typeof totalCount !== "number") return false;
  return hasNext(info) ? totalCount <= edges.length : info["hasNextPage"] === false && totalCount !== edges.length;
}

function hasNext(info: Page["info"]): boolean {
  return info["hasNextPage"] === true;
}

function isAnother({ info, cursors }: Page, name: string, position: number): boolean {
  const [cursor, ofEdge] = [info[name], cursors.at(position)];
  return typeof cursor === "string" && ofEdge !== undefined && cursor !== ofEdge;
}

/** Objects are compared by what distinguishes them: other members may move. */
function areNodesOthers({ value: { nodes: beside }, nodes }: Page): boolean {
  if (!Array.isArray(beside)) return false;
  const isOther = (left: unknown, right: unknown): boolean =>
    isRecord(left) &&
    isRecord(right) &&
    Object.keys(left).some((name) => isKeyName(name) && Object.hasOwn(right, name) && left[name] !== right[name]);
  return beside.length !== nodes.length || nodes.some((node, index) => isOther(node, beside[index]));
}

/** What is wrong with the pages of connections in a response, each by itself. */
export function connectionFindings(
  met: readonly MetField[],
  variables: Readonly<Record<string, unknown>>,
): readonly Finding[] {
  return uniqueFindings(
    met.flatMap(({ field, node, value }): readonly Finding[] => {
      if (!isRecord(value) || connectionNodeOf(getNamedType(field.type)) === undefined) return [];
      const given = node.arguments ?? [];
      const page = pageOf(
        value,
        Object.fromEntries(given.map((one) => [one.name.value, valueFromASTUntyped(one.value, variables)])),
      );
      const broken = pageRules.filter(([, , isBroken]) => page !== undefined && isBroken(page));
      return broken.map(([rule, message]) => findingAt(field.astNode, rule, `${field.name}: ${message}`));
    }),
  );
}

function pageOf(value: Readonly<Record<string, unknown>>, input: Input): Page | undefined {
  const { edges, pageInfo } = value;
  // What a page of nothing or less has to be, nobody says.
  if (!Array.isArray(edges) || [input["first"], input["last"]].some((size) => Number(size ?? 1) < 1)) return undefined;
  const records = edges.map((edge: unknown) => (isRecord(edge) ? edge : {}));
  const skipping = (name: string): boolean =>
    ["after", "before", "last"].includes(name) || hasRoleName("offset", name) || hasRoleName("page", name);
  return {
    input,
    edges,
    nodes: records.map(({ node }) => node),
    cursors: records.flatMap(({ cursor }) => (typeof cursor === "string" ? [cursor] : [])),
    info: isRecord(pageInfo) ? pageInfo : {},
    value,
    isFirst: !Object.entries(input).some(([name, one]) => skipping(name) && one !== null && one !== undefined),
  };
}

/** Edges of the longest page that is called for. */
const wholeSize = 10;

/** What the pages of a connection say of each other: where it ends, and what is before a cursor. */
export const connectionProperty: Property = { name: "pages", rule: graphqlRules.cursor, checks };

function* checks({ operation, base, isSameList }: Knowledge): Generator<Check> {
  const has = (name: string): boolean => operation.parameters.some((one) => one.name === name);
  if (!has("first")) return;
  const rest = Object.fromEntries(
    Object.entries(base).filter(([name]) => !["first", "last", "after", "before"].includes(name)),
  );
  const whole = { ...rest, first: wholeSize };
  if (has("after"))
    yield {
      name: "end",
      expected: "a next page where hasNextPage says so, and only there",
      inputs: [whole],
      furtherCalls: 3,
      verify: async (call) => {
        const [all] = await call(whole);
        const { length } = itemsOf(all);
        // Where as many are called for as there are, the end is there as well.
        const pages = length > 0 && length < wholeSize ? [all, ...(await call({ ...rest, first: length }))] : [all];
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
  if (!has("last")) return;
  // With a default of `first`, the last edges would be those of the first page.
  const first = operation.parameters.some((one) => one.name === "first" && one.default !== undefined);
  const lastOf = (last: number): Input => ({ ...rest, ...(first ? { first: null } : {}), last });
  const [lastOne, lastTwo] = [lastOf(1), lastOf(2)];
  yield {
    name: "backwards",
    expected: "the edges at the end, in the order of the list; what came before a cursor",
    inputs: [whole, lastOne, lastTwo],
    furtherCalls: 1,
    verify: async (call) => {
      const [all, one, two] = await call(whole, lastOne, lastTwo);
      const items = itemsOf(all);
      const problems: Problem[] = [];
      if (infoOf(one)["hasPreviousPage"] === false && items.length > 1) {
        const message = "hasPreviousPage is false, and more is before the last edge";
        problems.push({ message, rule: graphqlRules.pageInfo });
      }
      const isWhole = infoOf(all)["hasNextPage"] === false && items.length < wholeSize;
      if (isWhole && ![one, two].every((page, index) => isSameList(itemsOf(page), items.slice(-1 - index)))) {
        const message = "the last edges are not those at the end, in their order";
        problems.push({ message, rule: graphqlRules.connection });
      }
      const third = isRecord(all.value) ? pageOf(all.value, {})?.cursors[2] : undefined;
      if (third === undefined || !has("before")) return problems;
      const [previous] = await call({ ...lastOf(5), before: third });
      if (!isSameList(itemsOf(previous), items.slice(0, 2)))
        problems.push({ message: "the page before a cursor is not what came before it" });
      return problems;
    },
  };
}

function infoOf({ value }: Result): Readonly<Record<string, unknown>> {
  const info = isRecord(value) ? value["pageInfo"] : undefined;
  return isRecord(info) ? info : {};
}
