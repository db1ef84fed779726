import { withPlace } from "../suite/with-place.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { flatOf } from "./leaves.ts";
import { plainName, wordsOf } from "./names.ts";
import {
  type LinkedOperation,
  linkedOperations,
  type Rank,
  ranks,
  type SlotGroup,
  SlotTable,
  thingOfType,
  thingsAnswered,
} from "./slots.ts";

/** One way from an answer to an input. */
interface LinkEdge {
  /** Operation that answers. */
  readonly from: string;
  /** Operation that asks. */
  readonly to: string;
  /** Property of its input. */
  readonly property: string;
  /** Where the value stands in the answer, `*` for elements of lists; of a declared link, its expression. */
  readonly source: string;
  /** `declared` by the description; of the same `name`; naming the same `thing`; of a `similar` name. */
  readonly kind: "declared" | "name" | "thing" | "similar";
  readonly place?: Place;
}

/** Which operations answer what other ones ask for. */
export interface LinkGraph {
  /** The surest first. */
  readonly edges: readonly LinkEdge[];
  /** Edges to an operation. */
  edgesTo(operation: string): readonly LinkEdge[];
}

/** Of one input: more would only say the same. */
const maximumSources = 12;
const maximumLeaves = 1000;
const maximumDepth = 8;

/**
 * The links of a suite, as its names and types tell them before anything is answered: declared ones, and those that are seen in names.
 * Of one input, the surest few. GraphQL has none here.
 */
export function linksOf(suite: ConformanceSuite): LinkGraph {
  const table = new SlotTable(suite);
  const bySlot = new Map<string, Ranked[]>();
  for (const operation of linkedOperations(suite)) {
    addDeclared(operation, bySlot);
    addInferred(operation, suite.types, table, bySlot);
  }
  const edges = [...bySlot.values()]
    .flatMap((found) => found.toSorted((left, right) => left.rank - right.rank).slice(0, maximumSources))
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ edge }) => edge);
  const byTarget = Map.groupBy(edges, ({ to }) => to);
  return { edges, edgesTo: (operation) => byTarget.get(operation) ?? [] };
}

interface Ranked {
  readonly edge: LinkEdge;
  readonly rank: Rank;
}

function addDeclared(operation: LinkedOperation, bySlot: Map<string, Ranked[]>): void {
  for (const link of operation.links) {
    for (const [property, source] of Object.entries(link.inputs)) {
      if (typeof source !== "string" || !source.startsWith("$")) continue;
      const place = withPlace(link.place);
      const edge = { from: operation.name, to: link.operation, property, source, kind: "declared", ...place } as const;
      add(bySlot, { edge, rank: ranks.declared });
    }
  }
}

function addInferred(
  operation: LinkedOperation,
  types: SuiteTypes,
  table: SlotTable,
  bySlot: Map<string, Ranked[]>,
): void {
  const best = new Map<SlotGroup, { readonly rank: Rank; readonly source: string }>();
  const seen = new Set<string>();
  for (const leaf of leavesOf(operation, types)) {
    const key = `${leaf.name}|${leaf.things.join()}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const [group, rank] of table.matchesOf(leaf)) {
      if (rank > ranks.similar) break;
      const known = best.get(group);
      if (known === undefined || known.rank > rank) best.set(group, { rank, source: leaf.pointer });
    }
  }
  for (const [group, { rank, source }] of best) {
    const kind = rank === ranks.name ? "name" : rank === ranks.identifier ? "thing" : "similar";
    for (const slot of table.slotsIn(group)) {
      if (slot.operation === operation.name) continue;
      const { property } = slot.parameter;
      add(bySlot, { edge: { from: operation.name, to: slot.operation, property, source, kind }, rank });
    }
  }
}

function add(bySlot: Map<string, Ranked[]>, one: Ranked): void {
  const key = `${one.edge.to}|${one.edge.property}`;
  const found = bySlot.get(key);
  if (found === undefined) bySlot.set(key, [one]);
  else if (found.length < maximumSources) found.push(one);
  else replaceWorst(found, one);
}

function replaceWorst(found: Ranked[], one: Ranked): void {
  const worst = found.reduce((left, right) => (right.rank > left.rank ? right : left));
  if (worst.rank > one.rank) found.splice(found.indexOf(worst), 1, one);
}

interface TypeLeaf {
  readonly name: string;
  readonly things: readonly string[];
  readonly remoteThings: readonly string[];
  readonly pointer: string;
}

interface Waiting {
  readonly type: SuiteType;
  readonly pointer: string;
  readonly name: string | undefined;
  readonly things: readonly string[];
  readonly depth: number;
}

/** Members of what an operation answers that hold texts and numbers, what is outermost first. */
function* leavesOf(operation: LinkedOperation, types: SuiteTypes): Iterable<TypeLeaf> {
  const { things, remote } = thingsAnswered(operation);
  const contents = operation.successes.flatMap(({ content }) => (content === undefined ? [] : [content.type]));
  const waiting: Waiting[] = contents.map((type) => ({ type, pointer: "", name: undefined, things, depth: 0 }));
  for (let index = 0; index < waiting.length && index < maximumLeaves; index += 1) {
    const one = waiting[index];
    if (one === undefined) return;
    const { type, pointer, name, depth } = one;
    const own = type.kind === "reference" ? [thingOfType(type.target), ...one.things] : one.things;
    const remoteThings = depth === 0 ? remote : [...own, ...remote];
    const flat = flatOf(type, types);
    if (flat.kind === "string" || flat.kind === "number" || flat.kind === "enumeration") {
      for (const leafName of name === undefined ? own.slice(0, 4) : [name])
        yield { name: leafName, things: own, remoteThings, pointer };
      continue;
    }
    if (depth >= maximumDepth) continue;
    waiting.push(...partsOf(flat, { ...one, things: own, depth: depth + 1 }, types));
  }
}

function partsOf(flat: SuiteType, one: Waiting, types: SuiteTypes): readonly Waiting[] {
  switch (flat.kind) {
    case "list":
      return [...(flat.prefix ?? []), flat.element].map((type) => ({ ...one, type, pointer: `${one.pointer}/*` }));
    case "union":
      return flat.members.map((type) => ({ ...one, type }));
    case "record":
      return flat.members.map((member) => {
        const name = plainName(member.name);
        const isStructure = ["record", "list", "union"].includes(flatOf(member.type, types).kind);
        const things = isStructure ? [name, ...wordsOf(member.name).slice(-1)] : one.things;
        return { ...one, type: member.type, name, things, pointer: `${one.pointer}/${member.name}` };
      });
    default:
      return [];
  }
}
