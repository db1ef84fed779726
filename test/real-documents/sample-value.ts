import { resolveType } from "@nodewright/api-model";
import {
  additionalOf,
  type ApiModel,
  type IntersectionNode,
  isOfType,
  type JsonValue,
  type ListNode,
  type NumberNode,
  type RecordMember,
  type RecordNode,
  type TypeNode,
  type UnionNode,
} from "@nodewright/model";
import { sampleTexts, textsOfPattern } from "./sample-text.ts";

/** A value in memory that is meant to match a type: bytes stand for binary contents. */
export type SampledValue = JsonValue | Uint8Array | { readonly [name: string]: SampledValue } | readonly SampledValue[];

type SampledRecord = Readonly<Record<string, SampledValue>>;

const maximumDepth = 12;

/** Values that are thought of for one sample: alternatives within alternatives would go on forever. */
const maximumAttempts = 3_000;

/** What is known of one sample while it is made. */
interface Sampling {
  readonly model: ApiModel;
  /** Samples that match, so that a type which stands in many places is thought of once. */
  readonly found: Map<TypeNode, SampledValue>;
  attempts: number;
}

/**
 * The plainest value of a type that is found: what the document shows or presets, else required members alone, or one member,
 * because forms cannot say an empty record. A type may be too clever for it: check the value.
 */
export function sampleValue(type: TypeNode, model: ApiModel, depth = 0): SampledValue {
  return sample(type, depth, { model, found: new Map(), attempts: 0 });
}

function sample(type: TypeNode, depth: number, sampling: Sampling): SampledValue {
  const known = sampling.found.get(type);
  if (known !== undefined) return known;
  let first: SampledValue | undefined;
  for (const value of candidates(type, depth, sampling)) {
    sampling.attempts += 1;
    if (matches(value, type, sampling)) {
      if (depth > 0) sampling.found.set(type, value);
      return value;
    }
    first ??= value;
    if (sampling.attempts > maximumAttempts) break;
  }
  return first ?? null;
}

/** Bytes are no JSON value: what holds some is taken as it is. */
function matches(value: SampledValue, type: TypeNode, { model }: Sampling): boolean {
  return holdsBytes(value) || isOfType(value as JsonValue, type, model);
}

function holdsBytes(value: SampledValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return value instanceof Uint8Array || Object.values(value).some(holdsBytes);
}

function* candidates(type: TypeNode, depth: number, sampling: Sampling): Generator<SampledValue> {
  if (type.kind === "bytes") {
    yield new Uint8Array([0, 1, 2, 250]);
    return;
  }
  if (type.default !== undefined) yield type.default;
  if (depth > 0) yield* type.documentation?.examples ?? [];
  if (depth > maximumDepth) {
    // A list may be empty where nothing else ends a circle.
    yield* [null, []];
    return;
  }
  yield* candidatesOfKind(type, depth, sampling);
}

function* candidatesOfKind(type: TypeNode, depth: number, sampling: Sampling): Generator<SampledValue> {
  switch (type.kind) {
    case "boolean":
      yield* [true, false];
      return;
    case "string":
      yield* sampleTexts(type);
      return;
    case "number":
      yield* numbersOf(type);
      return;
    case "enumeration":
      yield* type.values;
      return;
    case "list":
      yield* listsOf(type, depth, sampling);
      return;
    case "record":
      yield* recordsOf(type, depth, sampling);
      return;
    case "union":
      yield* alternativesOf(type, depth, sampling);
      return;
    case "intersection":
      yield* mergedOf(type, depth, sampling);
      return;
    case "unevaluated":
      yield* candidates(type.base, depth, sampling);
      return;
    case "conditional":
      yield* candidates(type.consequence, depth, sampling);
      yield* candidates(type.alternative, depth, sampling);
      return;
    case "reference":
      // One step deeper than what refers, or declarations that lead to nothing but each other would never end.
      yield sample(resolveType(type, sampling.model), depth + 1, sampling);
      yield* candidates(resolveType(type, sampling.model), depth + 1, sampling);
      return;
    case "not":
      yield* [null, "text", 1, true, {}, []];
      return;
    default:
      yield null;
  }
}

function* numbersOf({ minimum, exclusiveMinimum, maximum, multipleOf = 1 }: NumberNode): Generator<number> {
  const lowest = Number(minimum ?? (exclusiveMinimum === undefined ? 1 : Number(exclusiveMinimum) + 1));
  yield lowest;
  for (let index = 0; index < 5; index += 1) yield (Math.ceil(lowest / multipleOf) + index) * multipleOf;
  if (exclusiveMinimum !== undefined) yield Number(exclusiveMinimum) + 0.001;
  if (maximum !== undefined) yield Number(maximum);
  yield 0;
}

function* listsOf({ prefix = [], element, minItems, contains }: ListNode, depth: number, sampling: Sampling) {
  const start = prefix.map((type) => sample(type, depth + 1, sampling));
  const needed = contains === undefined ? [] : differentSamples(contains.type, contains.minimum, depth + 1, sampling);
  const rest = Math.max(0, (minItems ?? 1) - start.length - needed.length);
  yield [...start, ...needed, ...differentSamples(element, rest, depth + 1, sampling)];
  yield [];
}

/** As many values of a type, no two of them the same as long as the type has enough. */
function differentSamples(type: TypeNode, count: number, depth: number, sampling: Sampling): readonly SampledValue[] {
  const plainest = sample(type, depth, sampling);
  if (count < 2) return [plainest].slice(0, count);
  const different = new Map([[JSON.stringify(plainest), plainest]]);
  for (const value of candidates(
    type.kind === "reference" ? resolveType(type, sampling.model) : type,
    depth,
    sampling,
  )) {
    if (different.size === count) break;
    if (matches(value, type, sampling)) different.set(JSON.stringify(value), value);
  }
  const values = [...different.values()];
  return Array.from({ length: count }, (_, index) => values[index % values.length] ?? plainest);
}

function* recordsOf(type: RecordNode, depth: number, sampling: Sampling): Generator<SampledValue> {
  const possible = type.members.filter(({ type: { kind } }) => kind !== "never");
  const required = possible.filter((field) => field.required);
  const optional = possible.filter((field) => !field.required);
  const build = (fields: readonly RecordMember[]): SampledRecord =>
    Object.fromEntries(fields.map((field) => [field.name, sample(field.type, depth + 1, sampling)]));
  const plainest = build(required);
  if (required.length > 0) yield plainest;
  else for (const field of optional.slice(0, 5)) yield build([field]);
  const others = otherMembers(type, depth, sampling);
  if (required.length + optional.length === 0) yield others;
  yield plainest;
  yield { ...plainest, ...others };
  for (const { property } of type.dependencies ?? []) yield build(possible.filter(({ name }) => name !== property));
  yield build(possible);
}

/** Members that no field names: as many as the record has to have, at least one. */
function otherMembers(type: RecordNode, depth: number, sampling: Sampling): SampledRecord {
  const count = Math.max(1, type.minProperties ?? 0);
  const [pattern] = type.patterns ?? [];
  if (pattern !== undefined) {
    const value = sample(pattern.type, depth + 1, sampling);
    return Object.fromEntries(
      textsOfPattern(pattern.pattern)
        .slice(0, count)
        .map((name) => [name, value]),
    );
  }
  if (type.additional?.kind === "never") return {};
  const value = sample(additionalOf(type), depth + 1, sampling);
  const names =
    type.names === undefined
      ? ["other", ...Array.from({ length: count - 1 }, (_, index) => `other${index + 2}`)]
      : differentSamples(type.names, count, depth + 1, sampling);
  return Object.fromEntries(names.map((name) => [String(name), value]));
}

/**
 * A value of each alternative, then each with the discriminator that selects it, then each with what no other alternative takes,
 * then whatever else each of them may be.
 */
function* alternativesOf(type: UnionNode, depth: number, sampling: Sampling): Generator<SampledValue> {
  const { discriminator, mode } = type;
  const members = type.members.toSorted((left, right) => Number(left.kind === "null") - Number(right.kind === "null"));
  for (const member of members) yield sample(member, depth + 1, sampling);
  for (const member of members) {
    const plainest = sample(member, depth + 1, sampling);
    if (!isRecord(plainest)) continue;
    const values = Object.entries(discriminator?.mapping ?? {}).filter(
      ([, target]) => member.kind === "reference" && member.target === target,
    );
    const marked = values.map(([value]): SampledRecord => ({ ...plainest, [discriminator?.property ?? ""]: value }));
    yield* marked;
    if (mode !== "one-of") continue;
    const others = members.filter((other) => other !== member);
    for (const one of [...marked, plainest]) yield { ...one, ...contraryMembers(member, others, depth, sampling) };
  }
  for (const member of members) yield* candidates(member, depth + 1, sampling);
}

/** Members with which a value of `type`, an open record, is of none of the others: published alternatives often differ in optional members alone. */
function contraryMembers(
  type: TypeNode,
  others: readonly TypeNode[],
  depth: number,
  sampling: Sampling,
): SampledRecord {
  const own = new Map(joinedRecord([type], sampling.model)?.members.map((field) => [field.name, field.type]));
  const result: Record<string, SampledValue> = {};
  if (depth > maximumDepth) return result;
  for (const field of others.flatMap((other) => joinedRecord([other], sampling.model)?.members ?? [])) {
    const ownType = own.get(field.name);
    const inside = ownType === undefined ? {} : contraryMembers(ownType, [field.type], depth + 1, sampling);
    const plainest = ownType === undefined ? null : sample(ownType, depth + 1, sampling);
    if (ownType === undefined) {
      const wrong = [0, "text", {}].find((value) => !isOfType(value, field.type, sampling.model));
      if (wrong !== undefined) result[field.name] = wrong;
    } else if (isRecord(plainest) && Object.keys(inside).length > 0)
      result[field.name] = { ...plainest, ...asRecord(result[field.name]), ...inside };
  }
  return result;
}

function asRecord(value: SampledValue | undefined): SampledRecord {
  return value !== undefined && isRecord(value) ? value : {};
}

/** All members hold at once: records are put together field by field, of anything else each member is asked. */
function* mergedOf(type: IntersectionNode, depth: number, sampling: Sampling): Generator<SampledValue> {
  const { model } = sampling;
  const choices = Math.max(1, ...type.members.map((member) => alternativesIn(member, model).length));
  for (let choice = 0; choice < choices; choice += 1) {
    const members = type.members.map((member) => {
      const alternatives = alternativesIn(member, model);
      return alternatives[choice % alternatives.length] ?? member;
    });
    const record = joinedRecord(members, model);
    if (record !== undefined) yield* recordsOf(record, depth, sampling);
    const values = members.map((member) => sample(member, depth + 1, sampling));
    yield Object.assign({}, ...values.filter(isRecord));
    yield* values.toReversed();
  }
  for (const member of type.members) yield* candidates(member, depth + 1, sampling);
}

function alternativesIn(type: TypeNode, model: ApiModel): readonly TypeNode[] {
  const resolved = resolveType(type, model);
  return resolved.kind === "union" ? resolved.members : [type];
}

/** The records among what has to hold at once, as one: a field that several describe matches all they say. */
function joinedRecord(types: readonly TypeNode[], model: ApiModel): RecordNode | undefined {
  const fields = new Map<string, RecordMember>();
  const visited = new Set<TypeNode>();
  const records = types.flatMap((type) => recordsIn(type, model, visited));
  const [first] = records;
  if (first === undefined) return undefined;
  for (const field of records.flatMap((record) => record.members)) {
    const earlier = fields.get(field.name);
    fields.set(field.name, earlier === undefined ? field : joinedField(earlier, field));
  }
  return { ...first, members: [...fields.values()] };
}

function joinedField(left: RecordMember, right: RecordMember): RecordMember {
  const members = [left.type, right.type].filter(({ kind }) => kind !== "any");
  const [only = left.type] = members;
  const type: TypeNode = members.length < 2 ? only : { kind: "intersection", members, source: left.source };
  return { ...left, type, required: left.required || right.required };
}

function recordsIn(type: TypeNode, model: ApiModel, visited: Set<TypeNode>): readonly RecordNode[] {
  if (visited.has(type)) return [];
  visited.add(type);
  const resolved = resolveType(type, model);
  if (resolved.kind === "record") return [resolved];
  if (resolved.kind === "unevaluated") return recordsIn(resolved.base, model, visited);
  return resolved.kind === "intersection" ? resolved.members.flatMap((one) => recordsIn(one, model, visited)) : [];
}

function isRecord(value: SampledValue): value is SampledRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}
