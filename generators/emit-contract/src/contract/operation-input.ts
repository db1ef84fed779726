import type { Content, Operation, Parameter, RecordMember, RecordNode, RequestBody, TypeNode } from "@nodewright/model";
import {
  isItemSequence,
  isMediaRange,
  selectsContentType,
  negotiatedTypes,
  preferredContent,
} from "../names/contract-facts.ts";

type Source = TypeNode["source"];

/**
 * Returns the input type of an operation: a record of its parameters by property, and of its body.
 *
 * Where the body has several forms, `contentType` selects one, and `body` has the corresponding type; it may be omitted for the form that
 * clients prefer. Where a response is negotiated, `accept` is one of its media types. The items of a body that is a sequence are not part
 * of the input.
 */
export function operationInput(operation: Operation): TypeNode {
  const { body } = operation;
  const record = parameterRecord(operation.parameters, operation.source);
  const withAccept: RecordNode = { ...record, members: [...record.members, ...acceptField(operation)] };
  const [first, ...others] = body === undefined ? [] : contentGroups(body, selectsContentType(operation));
  if (body === undefined || first === undefined) return withAccept;
  const bodyOf = (group: ContentGroup): readonly RecordMember[] => bodyFields(group, body);
  if (others.length === 0) return { ...withAccept, members: [...withAccept.members, ...bodyOf(first)] };
  const alternatives = alternativeBodies([first, ...others], bodyOf, operation.source);
  return { kind: "intersection", members: [withAccept, alternatives], source: operation.source };
}

/** Returns a record of parameters by property. */
export function parameterRecord(parameters: readonly Parameter[], source: Source): RecordNode {
  return openRecord(
    parameters.map((parameter) => ({
      name: parameter.property,
      type: parameter.default === undefined ? parameter.type : { ...parameter.type, default: parameter.default },
      required: parameter.required,
      access: "read-write",
      arguments: [],
      source: parameter.source,
      ...(parameter.documentation === undefined ? {} : { documentation: parameter.documentation }),
    })),
    source,
  );
}

/** Contents of a body that have the same type. */
interface ContentGroup {
  readonly type: TypeNode;
  readonly mediaTypes: readonly string[];
  /** Whether the input has a `contentType` that selects one of them; it is optional in the group that clients prefer. */
  readonly naming: "absent" | "optional" | "required";
}

function acceptField(operation: Operation): readonly RecordMember[] {
  const types = negotiatedTypes(operation);
  if (types.length === 0) return [];
  const { source } = operation;
  return [field("accept", { kind: "enumeration", values: types, source }, false, "Media type of the response.")];
}

/** Returns the groups of contents, the one that clients prefer first. */
function contentGroups(body: RequestBody, isNamed: boolean): readonly ContentGroup[] {
  const preferred = preferredContent(body);
  if (preferred === undefined) return [];
  const contents = [preferred, ...body.contents.filter((content) => content !== preferred)];
  const groups = new Map<string, Content[]>();
  for (const content of contents) {
    const key = groupKey(content);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [content]);
    else group.push(content);
  }
  return [...groups.values()].flatMap((group, index): ContentGroup[] => {
    const [first] = group;
    if (first === undefined) return [];
    const mediaTypes = group.map(({ mediaType }) => mediaType);
    return [
      { type: completeType(first), mediaTypes, naming: !isNamed ? "absent" : index === 0 ? "optional" : "required" },
    ];
  });
}

/**
 * Returns the key of a content's group: contents that refer to one declaration have the same type; a range includes media types that can't
 * be listed.
 */
function groupKey(content: Content): string {
  if (isItemSequence(content)) return `sequence ${content.mediaType}`;
  const { type } = content;
  const key = type.kind === "reference" ? `to ${type.target}` : `at ${type.source.file} ${type.source.pointer}`;
  return isMediaRange(content.mediaType) ? `range ${key}` : key;
}

function completeType(content: Content): TypeNode {
  return isItemSequence(content) ? sequenceNode(content) : content.type;
}

const sequenceNodes = new WeakMap<Content, TypeNode>();

/** Returns the placeholder node of a body that is a sequence: any value, the same node on each call. */
export function sequenceNode(content: Content): TypeNode {
  const known = sequenceNodes.get(content);
  if (known !== undefined) return known;
  const node: TypeNode = { kind: "any", source: content.type.source };
  sequenceNodes.set(content, node);
  return node;
}

function bodyFields({ type, mediaTypes, naming }: ContentGroup, body: RequestBody): readonly RecordMember[] {
  const bodyField: RecordMember = {
    ...field("body", type, body.required, undefined),
    source: body.source,
    ...(body.documentation === undefined ? {} : { documentation: body.documentation }),
  };
  if (naming === "absent") return [bodyField];
  return [contentTypeField(mediaTypes, naming === "required", body.source), bodyField];
}

function contentTypeField(mediaTypes: readonly string[], required: boolean, source: Source): RecordMember {
  const type: TypeNode = mediaTypes.some(isMediaRange)
    ? { kind: "string", source }
    : { kind: "enumeration", values: mediaTypes, source };
  return field("contentType", type, required, "Media type of the body.");
}

/** Returns the alternatives of a body: the first group whose media types include `contentType` decides its type. */
function alternativeBodies(
  groups: readonly [ContentGroup, ...ContentGroup[]],
  fieldsOf: (group: ContentGroup) => readonly RecordMember[],
  source: Source,
): TypeNode {
  const [first, second, ...others] = groups;
  const consequence = openRecord(fieldsOf(first), source);
  if (second === undefined) return consequence;
  const condition = openRecord([contentTypeField(first.mediaTypes, first.naming === "required", source)], source);
  return {
    kind: "conditional",
    condition,
    consequence,
    alternative: alternativeBodies([second, ...others], fieldsOf, source),
    source,
  };
}

function field(name: string, type: TypeNode, required: boolean, summary: string | undefined): RecordMember {
  return {
    name,
    type,
    required,
    access: "read-write",
    arguments: [],
    source: type.source,
    ...(summary === undefined ? {} : { documentation: { summary } }),
  };
}

function openRecord(fields: readonly RecordMember[], source: Source): RecordNode {
  return { kind: "record", members: fields, additional: { kind: "any", source }, patterns: [], source };
}
