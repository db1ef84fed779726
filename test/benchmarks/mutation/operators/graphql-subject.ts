import {
  type ArgumentNode,
  buildSchema,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
} from "graphql";
import { type Dispatch, jsonOf, type WireAnswer, type WireRequest, withJson } from "../wire/message.ts";
import type { World } from "../worlds/world.ts";
import { isObject, type JsonObject, type Slot } from "./json-tree.ts";
import type { DocumentedInput, JudgedAnswer, Site, Subject } from "./subject.ts";

/** One value of an answer, with the field that it is of. */
export interface FieldSlot extends Slot {
  /** `Block.hash`; of elements of lists with `[]` behind it. */
  readonly site: string;
  /** Field of the root type that it is below. */
  readonly root: string;
  readonly type: GraphQLOutputType;
  readonly node: FieldNode;
}

/** A request as GraphQL over HTTP has it, taken apart. */
export interface GraphqlRequest {
  readonly query: string;
  readonly document: DocumentNode;
  readonly variables: JsonObject;
  readonly operationName: string | undefined;
}

export interface GraphqlSubject extends Subject {
  readonly schema: GraphQLSchema;
  /** Changes answers with what was asked; `undefined` leaves an answer as it is. */
  onAnswer(
    edit: (body: JsonObject, request: GraphqlRequest, slots: () => readonly FieldSlot[]) => unknown,
  ): (dispatch: Dispatch) => Dispatch;
  /** Changes requests before they are executed. */
  onRequest(
    edit: (
      request: GraphqlRequest,
    ) => { readonly document?: DocumentNode; readonly variables?: JsonObject } | undefined,
  ): (dispatch: Dispatch) => Dispatch;
  /** Fields with arguments below a root field, as the corpus asks for them: `Block.transactions`. */
  argumentsOf(operation: string): readonly { readonly field: string; readonly input: DocumentedInput }[];
}

/** Reads a GraphQL world; `exchanges` are those of the correct server. */
export function createGraphqlSubject(
  world: World,
  exchanges: readonly { readonly request: WireRequest; readonly answer: WireAnswer }[],
): GraphqlSubject {
  const schema = buildSchema(world.document.text);
  const query = schema.getQueryType();
  if (query === undefined || query === null) {
    throw new Error("a world's schema has queries");
  }
  const read = (request: WireRequest, body: unknown): readonly FieldSlot[] => {
    const asked = readRequest(request);
    return asked === undefined || !isObject(body) ? [] : slotsOfAnswer(schema, asked, body["data"]);
  };
  const sites = new Map<string, Map<string, Map<string, unknown>>>();
  const asked = new Map<string, Map<string, Set<string>>>();
  for (const { request, answer } of exchanges) {
    for (const slot of read(request, jsonOf(answer))) {
      const places = sites.get(slot.root) ?? new Map<string, Map<string, unknown>>();
      sites.set(slot.root, places);
      const values = places.get(slot.site) ?? new Map<string, unknown>();
      places.set(slot.site, values);
      if (values.size < 40) {
        values.set(JSON.stringify(slot.value), slot.value);
      }
      const fields = asked.get(slot.root) ?? new Map<string, Set<string>>();
      asked.set(slot.root, fields.set(slot.site.replaceAll("[]", ""), new Set()));
    }
  }
  const onAnswer: GraphqlSubject["onAnswer"] = (edit) => (dispatch) => async (request) => {
    const answer = await dispatch(request);
    const asked = readRequest(request);
    const body = jsonOf(answer);
    if (asked === undefined || !isObject(body)) {
      return answer;
    }
    const changed = edit(body, asked, () => slotsOfAnswer(schema, asked, body["data"]));
    return changed === undefined ? answer : withJson(answer, changed);
  };
  return {
    world,
    schema,
    operations: Object.keys(query.getFields()),
    sites: new Map(
      [...sites].map(([root, places]) => [
        root,
        [...places].map(([name, values]): Site => ({ name, values: [...values.values()] })),
      ]),
    ),
    documented: [],
    inputsOf: () => [],
    goodInputsOf: () => [],
    requestOf: (probe) => {
      if (probe.kind !== "graphql") {
        throw new Error("a probe of another kind");
      }
      const accept = { accept: probe.accept ?? "application/graphql-response+json, application/json;q=0.9" };
      const variables = probe.variables === undefined ? {} : { variables: probe.variables };
      if (probe.get === true) {
        const url = `${world.basePath}?query=${encodeURIComponent(probe.query)}`;
        return { method: "GET", url, headers: accept, body: Buffer.alloc(0) };
      }
      return {
        method: "POST",
        url: world.basePath,
        headers: { ...accept, "content-type": "application/json" },
        body: Buffer.from(probe.raw ?? JSON.stringify({ query: probe.query, ...variables })),
      };
    },
    judge: (request, answer) => {
      const body = jsonOf(answer);
      const request_ = readRequest(request);
      if (request_ === undefined || !isObject(body)) {
        return [];
      }
      const isOfType = body["data"] === undefined || isAnswerOfType(schema, request_, body);
      const isSuccess = body["errors"] === undefined;
      const operation = operationOf(request_);
      const data = isObject(body["data"]) ? body["data"] : {};
      const names = (operation?.selectionSet.selections ?? []).flatMap((selection) =>
        selection.kind === Kind.FIELD ? [[selection.alias?.value ?? selection.name.value, selection.name.value]] : [],
      );
      return names.map(([key = "", name = ""]): JudgedAnswer => {
        return { operation: name, isSuccess, value: data[key], input: {}, isOfType };
      });
    },
    onCall: () => (dispatch) => dispatch,
    onValue: () => (dispatch) => dispatch,
    atSite: (operation, site, occurrence, edit) =>
      onAnswer((body, _request, slots) => {
        const found = slots().filter((slot) => slot.root === operation && slot.site === site);
        for (const slot of occurrence === "all" ? found.toReversed() : found.slice(-1)) {
          edit(slot);
        }
        return found.length === 0 ? undefined : body;
      }),
    onAnswer,
    onRequest: (edit) => (dispatch) => async (request) => {
      const asked = readRequest(request);
      const changed = asked === undefined ? undefined : edit(asked);
      if (asked === undefined || changed === undefined) {
        return dispatch(request);
      }
      return dispatch(writeRequest(request, asked, changed));
    },
    argumentsOf: (operation) =>
      [...(asked.get(operation) ?? new Map<string, unknown>()).keys()].flatMap((field) => {
        const [parent = "", name = ""] = field.split(".");
        const type = schema.getType(parent);
        const definition = isObjectType(type) ? type.getFields()[name] : undefined;
        return (definition?.args ?? []).map((argument) => ({ field, input: inputOf(argument) }));
      }),
  };
}

function inputOf(argument: {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly defaultValue?: unknown;
}): DocumentedInput {
  const type = getNullableType(argument.type);
  const schema: Record<string, unknown> = { default: argument.defaultValue };
  if (isEnumType(type)) {
    schema["enum"] = type.getValues().map(({ name }) => name);
  }
  if (isInputObjectType(type)) {
    schema["type"] = "object";
    schema["members"] = Object.keys(type.getFields());
  } else {
    schema["type"] = String(type);
  }
  const required = isNonNullType(argument.type) && argument.defaultValue === undefined;
  return { name: argument.name, required, isInPath: false, schema, broken: () => [] };
}

/** Takes a request apart; `undefined` when it is no query. */
export function readRequest(request: WireRequest): GraphqlRequest | undefined {
  const source =
    request.method === "GET"
      ? Object.fromEntries(new URL(request.url, "http://localhost").searchParams)
      : jsonOf(request);
  if (!isObject(source) || typeof source["query"] !== "string") {
    return undefined;
  }
  try {
    const variables = typeof source["variables"] === "string" ? JSON.parse(source["variables"]) : source["variables"];
    return {
      query: source["query"],
      document: parse(source["query"]),
      variables: isObject(variables) ? variables : {},
      operationName: typeof source["operationName"] === "string" ? source["operationName"] : undefined,
    };
  } catch {
    return undefined;
  }
}

function writeRequest(
  request: WireRequest,
  asked: GraphqlRequest,
  changed: { readonly document?: DocumentNode; readonly variables?: JsonObject },
): WireRequest {
  const query = changed.document === undefined ? asked.query : print(changed.document);
  const variables = changed.variables ?? asked.variables;
  const name = asked.operationName === undefined ? {} : { operationName: asked.operationName };
  if (request.method === "GET") {
    const search = new URLSearchParams({ query, variables: JSON.stringify(variables), ...name });
    return { ...request, url: `${request.url.split("?")[0]}?${search}` };
  }
  return { ...request, body: Buffer.from(JSON.stringify({ query, variables, ...name })) };
}

interface Walk {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: JsonObject;
  readonly slots: FieldSlot[];
}

/** The operation that is executed. */
export function operationOf({ document, operationName }: GraphqlRequest): OperationDefinitionNode | undefined {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return operations.find(({ name }) => operationName === undefined || name?.value === operationName);
}

/** All values of an answer, with the fields of the schema that they are of. */
function slotsOfAnswer(schema: GraphQLSchema, asked: GraphqlRequest, data: unknown): readonly FieldSlot[] {
  const operation = operationOf(asked);
  const root = schema.getQueryType();
  if (operation === undefined || root === undefined || root === null || !isObject(data)) {
    return [];
  }
  const walk: Walk = { schema, fragments: fragmentsOf(asked.document), variables: asked.variables, slots: [] };
  for (const [key, node] of fieldsOf(walk, operation.selectionSet, root.name)) {
    const field = root.getFields()[node.name.value];
    if (field !== undefined && key in data) {
      walkValue(walk, { parent: data, key, value: data[key] }, field, node, `${root.name}.${field.name}`, field.name);
    }
  }
  return walk.slots;
}

function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const found = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(found.map((fragment) => [fragment.name.value, fragment]));
}

function walkValue(
  walk: Walk,
  slot: Slot,
  field: Pick<GraphQLField<unknown, unknown>, "type">,
  node: FieldNode,
  site: string,
  root: string,
): void {
  walk.slots.push({ ...slot, site, root, type: field.type, node });
  const type = getNullableType(field.type);
  const { value } = slot;
  if (isListType(type) && Array.isArray(value)) {
    value.forEach((item, key) => {
      walkValue(walk, { parent: value, key, value: item }, { type: type.ofType }, node, `${site}[]`, root);
    });
  } else if (isCompositeType(type) && isObject(value) && node.selectionSet !== undefined) {
    const name = isObjectType(type)
      ? type.name
      : typeof value["__typename"] === "string"
        ? value["__typename"]
        : undefined;
    const actual = name === undefined ? type : walk.schema.getType(name);
    const parent = isObjectType(actual) || isInterfaceType(actual) ? actual : undefined;
    const merged = mergedSelections(node, walk);
    for (const [key, child] of fieldsOf(walk, merged, name ?? type.name)) {
      const definition = parent?.getFields()[child.name.value];
      if (definition !== undefined && key in value) {
        walkValue(
          walk,
          { parent: value, key, value: value[key] },
          definition,
          child,
          `${parent?.name}.${definition.name}`,
          root,
        );
      }
    }
  }
}

function mergedSelections(node: FieldNode, _walk: Walk): SelectionSetNode {
  return node.selectionSet ?? { kind: Kind.SELECTION_SET, selections: [] };
}

/** Response key → field, of the fragments that certainly apply to a type. */
function fieldsOf(walk: Walk, set: SelectionSetNode, typeName: string): Map<string, FieldNode> {
  const fields = new Map<string, FieldNode>();
  for (const selection of set.selections) {
    if (isLeftOut(selection, walk.variables)) {
      continue;
    }
    if (selection.kind === Kind.FIELD) {
      const key = selection.alias?.value ?? selection.name.value;
      const known = fields.get(key);
      const merged =
        known?.selectionSet === undefined || selection.selectionSet === undefined
          ? selection
          : {
              ...selection,
              selectionSet: {
                kind: Kind.SELECTION_SET as const,
                selections: [...known.selectionSet.selections, ...selection.selectionSet.selections],
              },
            };
      fields.set(key, merged);
      continue;
    }
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? walk.fragments.get(selection.name.value) : selection;
    const condition = fragment?.typeCondition?.name.value ?? typeName;
    if (fragment !== undefined && applies(walk.schema, condition, typeName)) {
      for (const [key, node] of fieldsOf(walk, fragment.selectionSet, typeName)) {
        const known = fields.get(key);
        const selections = [...(known?.selectionSet?.selections ?? []), ...(node.selectionSet?.selections ?? [])];
        fields.set(
          key,
          node.selectionSet === undefined ? node : { ...node, selectionSet: { kind: Kind.SELECTION_SET, selections } },
        );
      }
    }
  }
  return fields;
}

function applies(schema: GraphQLSchema, condition: string, typeName: string): boolean {
  const [abstract, type] = [schema.getType(condition), schema.getType(typeName)];
  return (
    condition === typeName ||
    ((isInterfaceType(abstract) || isUnionType(abstract)) && isObjectType(type) && schema.isSubType(abstract, type))
  );
}

function isLeftOut(
  selection: {
    readonly directives?: readonly {
      readonly name: { readonly value: string };
      readonly arguments?: readonly ArgumentNode[];
    }[];
  },
  variables: JsonObject,
): boolean {
  return (selection.directives ?? []).some((directive) => {
    const value = directive.arguments?.[0]?.value;
    const holds =
      value?.kind === Kind.BOOLEAN
        ? value.value
        : value?.kind === Kind.VARIABLE
          ? variables[value.name.value]
          : undefined;
    return directive.name.value === "skip" ? holds === true : directive.name.value === "include" && holds === false;
  });
}

/** Whether data has the shape that the schema gives it: keys, lists, null, enumerations, built-in scalars. */
function isAnswerOfType(schema: GraphQLSchema, asked: GraphqlRequest, body: JsonObject): boolean {
  const operation = operationOf(asked);
  const root = schema.getQueryType();
  if (operation?.operation !== "query" || root === undefined || root === null) {
    return true;
  }
  const walk: Walk = {
    schema,
    fragments: fragmentsOf(asked.document),
    variables: withDefaults(operation, asked),
    slots: [],
  };
  const data = body["data"];
  return data === null ? Array.isArray(body["errors"]) : isObjectOfType(walk, operation.selectionSet, root.name, data);
}

function withDefaults(operation: OperationDefinitionNode, asked: GraphqlRequest): JsonObject {
  const defaults = (operation.variableDefinitions ?? []).flatMap((definition) =>
    definition.defaultValue?.kind === Kind.BOOLEAN
      ? [[definition.variable.name.value, definition.defaultValue.value] as const]
      : [],
  );
  return { ...Object.fromEntries(defaults), ...asked.variables };
}

function isObjectOfType(walk: Walk, set: SelectionSetNode, typeName: string, value: unknown): boolean {
  if (!isObject(value)) {
    return false;
  }
  const type = walk.schema.getType(typeName);
  const fields = fieldsOf(walk, set, typeName);
  const keys = Object.keys(value);
  if (keys.length !== fields.size || keys.some((key) => !fields.has(key))) {
    return false;
  }
  return [...fields].every(([key, node]) => {
    if (node.name.value === "__typename") {
      return value[key] === typeName;
    }
    const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined;
    return field === undefined || isValueOfType(walk, node, field.type, value[key]);
  });
}

function isValueOfType(walk: Walk, node: FieldNode, type: GraphQLOutputType, value: unknown): boolean {
  if (value === null) {
    return !isNonNullType(type);
  }
  const inner = getNullableType(type);
  if (isListType(inner)) {
    return Array.isArray(value) && value.every((item) => isValueOfType(walk, node, inner.ofType, item));
  }
  if (isEnumType(inner)) {
    return typeof value === "string" && inner.getValue(value) !== undefined && inner.getValue(value) !== null;
  }
  if (isObjectType(inner)) {
    return isObjectOfType(walk, node.selectionSet ?? emptySelection, inner.name, value);
  }
  if (isCompositeType(inner)) {
    const name = isObject(value) ? value["__typename"] : undefined;
    const possible = walk.schema.getPossibleTypes(inner).map((candidate) => candidate.name);
    const candidates = typeof name === "string" ? possible.filter((candidate) => candidate === name) : possible;
    return candidates.some((candidate) => isObjectOfType(walk, node.selectionSet ?? emptySelection, candidate, value));
  }
  switch (inner.name) {
    case "Int":
      return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
    case "Float":
      return typeof value === "number";
    case "Boolean":
      return typeof value === "boolean";
    case "String":
    case "ID":
      return typeof value === "string";
    default:
      return true;
  }
}

const emptySelection: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [] };
