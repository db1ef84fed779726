import {
  type ArgumentNode,
  type DirectiveNode,
  type FieldNode,
  getNamedType,
  isAbstractType,
  isObjectType,
  Kind,
  parseValue,
  type SelectionNode,
  visit,
} from "graphql";
import {
  type Dispatch,
  headerOf,
  jsonOf,
  type WireAnswer,
  type WireRequest,
  withBody,
  withHeaders,
  withJson,
} from "../wire/message.ts";
import {
  type FieldSlot,
  type GraphqlRequest,
  type GraphqlSubject,
  operationOf,
  readRequest,
} from "./graphql-subject.ts";
import { isObject, type JsonObject, setSlot } from "./json-tree.ts";
import { type Mutant, type Operator, protocolOperation } from "./operator.ts";
import type { Subject } from "./subject.ts";

const asGraphql = (subject: Subject): GraphqlSubject => subject as GraphqlSubject;

type Way = readonly [string, (dispatch: Dispatch, subject: GraphqlSubject) => Dispatch];

/** A fault of the server as a whole. */
function whole(name: string, ...ways: readonly Way[]): Operator {
  return {
    name,
    kinds: ["graphql"],
    mutants: (subject, operation, random) =>
      operation === protocolOperation
        ? random.shuffle(ways).map(([note, wrap]): Mutant => {
            return { note, proof: "rule", wrap: (dispatch) => wrap(dispatch, asGraphql(subject)) };
          })
        : [],
  };
}

const afterwards =
  (edit: (answer: WireAnswer, request: WireRequest) => WireAnswer) =>
  (dispatch: Dispatch): Dispatch =>
  async (request) =>
    edit(await dispatch(request), request);

const onBody = (edit: (body: JsonObject, request: WireRequest, answer: WireAnswer) => unknown) =>
  afterwards((answer, request) => {
    const body = jsonOf(answer);
    const changed = isObject(body) ? edit(body, request, answer) : undefined;
    return changed === undefined ? answer : withJson(answer, changed);
  });

const onErrors = (edit: (error: JsonObject, body: JsonObject) => unknown, which: "request" | "field" | "any" = "any") =>
  onBody((body) => {
    const { errors } = body;
    const isField = "data" in body;
    return Array.isArray(errors) && (which === "any" || isField === (which === "field"))
      ? { ...body, errors: errors.map((error: unknown) => (isObject(error) ? edit({ ...error }, body) : error)) }
      : undefined;
  });

const without = (value: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));

/** Executes with the document changed. */
const rewriting =
  (change: (request: GraphqlRequest, subject: GraphqlSubject) => GraphqlRequest["document"] | undefined): Way[1] =>
  (dispatch, subject) =>
    subject.onRequest((request) => {
      const document = change(request, subject);
      return document === undefined ? undefined : { document };
    })(dispatch);

const withoutDirective = (name: string) =>
  rewriting(({ document }) =>
    visit(document, { Directive: (node: DirectiveNode) => (node.name.value === name ? null : undefined) }),
  );

/** Puts answers under the names of fields where aliases were asked for. */
function withoutAliases(body: JsonObject, slots: readonly FieldSlot[]): JsonObject {
  for (const slot of slots) {
    const { node, parent, key } = slot;
    if (node.alias !== undefined && isObject(parent) && key in parent && slot.site.endsWith(`.${node.name.value}`)) {
      const value = parent[key];
      delete parent[key];
      parent[node.name.value] = value;
    }
  }
  return body;
}

const introspecting = (request: GraphqlRequest): boolean => request.query.includes("__schema");

const onIntrospection =
  (edit: (types: JsonObject[], schema: JsonObject) => void): Way[1] =>
  (dispatch, subject) =>
    subject.onAnswer((body, request) => {
      const schema = isObject(body["data"]) ? body["data"]["__schema"] : undefined;
      if (!introspecting(request) || !isObject(schema) || !Array.isArray(schema["types"])) {
        return undefined;
      }
      edit(schema["types"] as JsonObject[], schema);
      return body;
    })(dispatch);

const ownTypes = (types: readonly JsonObject[], member: string): JsonObject[] =>
  types.filter(
    (type) => !String(type["name"]).startsWith("__") && Array.isArray(type[member]) && type["name"] !== "Query",
  );

const membersOf = (type: JsonObject | undefined, member: string): JsonObject[] =>
  (type?.[member] ?? []) as JsonObject[];

const isRequestError = (answer: WireAnswer): boolean => {
  const body = jsonOf(answer);
  return isObject(body) && Array.isArray(body["errors"]) && !("data" in body);
};

const wantsNew = (request: WireRequest): boolean => /graphql-response/.test(request.headers["accept"] ?? "");

/** Faults of arguments: of each field below a root field. */
function ofArguments(
  name: string,
  change: (
    argument: ReturnType<GraphqlSubject["argumentsOf"]>[number]["input"],
  ) => ((node: FieldNode) => FieldNode) | undefined,
): Operator {
  return {
    name,
    kinds: ["graphql"],
    mutants: (subject, operation, random) =>
      random.shuffle(asGraphql(subject).argumentsOf?.(operation) ?? []).flatMap(({ field, input }): Mutant[] => {
        const edit = change(input);
        const fieldName = field.split(".")[1] ?? "";
        return edit === undefined
          ? []
          : [
              {
                note: `${name} ${field}(${input.name})`,
                proof: "rule",
                wrap: (dispatch) =>
                  asGraphql(subject).onRequest(({ document }) => ({
                    document: visit(document, {
                      Field: { leave: (node) => (node.name.value === fieldName ? edit(node) : undefined) },
                    }),
                  }))(dispatch),
              },
            ];
      }),
  };
}

const putArgument = (node: FieldNode, name: string, value: string): FieldNode => ({
  ...node,
  arguments: [
    ...(node.arguments ?? []).filter((argument) => argument.name.value !== name),
    { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value: parseValue(value) } as ArgumentNode,
  ],
});

/** Faults at places of GraphQL answers that have no like elsewhere. */
function atComposites(name: string, edit: (slot: FieldSlot, subject: GraphqlSubject) => void): Operator {
  return {
    name,
    kinds: ["graphql"],
    mutants: (subject, operation, random) => {
      const sites = (subject.sites.get(operation) ?? []).filter(({ values }) => values.some(isObject));
      return random
        .shuffle(sites)
        .slice(0, 10)
        .map((site): Mutant => {
          return {
            note: `${name} at ${site.name}`,
            proof: "shape",
            wrap: subject.atSite(operation, site.name, "all", (slot) => edit(slot as FieldSlot, asGraphql(subject))),
          };
        });
    },
  };
}

/** Faults of a GraphQL interface: what was asked, errors, introspection and GraphQL over HTTP. */
export const graphqlOperators: readonly Operator[] = [
  atComposites("extra-key", (slot) => {
    if (isObject(slot.value)) {
      slot.value["notAsked"] = 1;
    }
  }),
  atComposites("missing-key", (slot) => {
    if (isObject(slot.value)) {
      const [first] = Object.keys(slot.value);
      if (first !== undefined) {
        delete slot.value[first];
      }
    }
  }),
  {
    name: "wrong-typename",
    kinds: ["graphql"],
    mutants: (subject, operation) => {
      const abstract = (subject.sites.get(operation) ?? []).some(() => true);
      return abstract
        ? [
            {
              note: `__typename below ${operation}`,
              proof: "shape",
              wrap: asGraphql(subject).onAnswer((body, _request, slots) => {
                let changed = false;
                for (const { value, root, type } of slots()) {
                  if (root === operation && isObject(value) && typeof value["__typename"] === "string") {
                    const named = getNamedType(type);
                    const all = isAbstractType(named)
                      ? asGraphql(subject).schema.getPossibleTypes(named)
                      : Object.values(asGraphql(subject).schema.getTypeMap()).filter(isObjectType);
                    const other = all.find((candidate) => candidate.name !== value["__typename"]);
                    value["__typename"] = other?.name ?? "Other";
                    changed = true;
                  }
                }
                return changed ? body : undefined;
              }),
            },
          ]
        : [];
    },
  },
  {
    name: "null-root",
    kinds: ["graphql"],
    mutants: (subject, operation) => [
      {
        note: `${operation} is null without an error`,
        proof: "shape",
        wrap: subject.atSite(operation, `Query.${operation}`, "all", (slot) => setSlot(slot, null)),
      },
    ],
  },
  {
    name: "stale-answer",
    kinds: ["graphql"],
    mutants: (subject, operation) => [
      {
        note: "answers what was asked before",
        proof: "rule",
        wrap: (dispatch) => {
          let before: readonly ArgumentNode[] | undefined;
          return asGraphql(subject).onRequest(({ document }) => ({
            document: visit(document, {
              Field: (node) => {
                if (node.name.value !== operation || (node.arguments ?? []).length === 0) {
                  return undefined;
                }
                const own = node.arguments;
                const isPlain = (own ?? []).every(({ value }) => value.kind !== Kind.VARIABLE);
                const last = before;
                before = isPlain ? own : before;
                return last === undefined || !isPlain ? undefined : { ...node, arguments: last };
              },
            }),
          }))(dispatch);
        },
      },
    ],
  },
  {
    name: "drift-value",
    kinds: ["graphql"],
    mutants: (subject, operation, random) =>
      random
        .shuffle(
          (subject.sites.get(operation) ?? []).filter(({ values }) =>
            values.every((value) => typeof value === "string" || typeof value === "number"),
          ),
        )
        .filter(({ name }) => !/confirm|balance|__typename/i.test(name))
        .slice(0, 8)
        .map(
          (site): Mutant => ({
            note: `every second answer differs at ${site.name}`,
            proof: "value",
            wrap: (dispatch) => {
              let calls = 0;
              return asGraphql(subject).onAnswer((body, _request, slots) => {
                const found = slots().filter((slot) => slot.root === operation && slot.site === site.name);
                calls += found.length === 0 ? 0 : 1;
                if (found.length === 0 || calls % 2 === 1) {
                  return undefined;
                }
                for (const slot of found) {
                  setSlot(
                    slot,
                    typeof slot.value === "number"
                      ? slot.value + 1
                      : typeof slot.value === "string"
                        ? slot.value.replace(/[0-9a-z](?=[^0-9a-z]*$)/, (last) => (last === "4" ? "5" : "4"))
                        : slot.value,
                  );
                }
                return body;
              })(dispatch);
            },
          }),
        ),
  },
  ofArguments("ignore-parameter", (input) =>
    input.required
      ? undefined
      : (node) => ({ ...node, arguments: (node.arguments ?? []).filter(({ name }) => name.value !== input.name) }),
  ),
  ofArguments("limit-off-by-one", (input) =>
    /^(first|limit)$/.test(input.name)
      ? (node) => {
          const given = node.arguments?.find(({ name }) => name.value === input.name)?.value;
          return given?.kind === Kind.INT ? putArgument(node, input.name, String(Number(given.value) + 1)) : node;
        }
      : undefined,
  ),
  ofArguments("invert-boolean-parameter", (input) =>
    String(input.schema["type"]).startsWith("Boolean")
      ? (node) => {
          const given = node.arguments?.find(({ name }) => name.value === input.name)?.value;
          const holds = given?.kind === Kind.BOOLEAN ? given.value : input.schema["default"] === true;
          return given === undefined || given.kind === Kind.BOOLEAN
            ? putArgument(node, input.name, String(!holds))
            : node;
        }
      : undefined,
  ),
  ofArguments("change-default", (input) => {
    const { default: documented } = input.schema;
    const values = input.schema["enum"];
    const other =
      typeof documented === "number"
        ? String(documented + 1)
        : Array.isArray(values) && documented !== undefined
          ? String(values.find((value) => value !== documented))
          : undefined;
    return other === undefined
      ? undefined
      : (node) =>
          node.arguments?.some(({ name }) => name.value === input.name) ? node : putArgument(node, input.name, other);
  }),
  {
    name: "refuse-argument",
    kinds: ["graphql"],
    mutants: (subject, operation, random) =>
      random
        .shuffle((asGraphql(subject).argumentsOf?.(operation) ?? []).filter(({ input }) => !input.required))
        .map(({ field, input }): Mutant => {
          const fieldName = field.split(".")[1] ?? "";
          return {
            note: `${field} refuses ${input.name}`,
            proof: "rule",
            wrap: (dispatch) => async (request) => {
              const asked = readRequest(request);
              let isAsked = false;
              if (asked !== undefined) {
                visit(asked.document, {
                  Field: (node) => {
                    isAsked ||=
                      node.name.value === fieldName &&
                      (node.arguments ?? []).some(({ name }) => name.value === input.name);
                  },
                });
              }
              return isAsked
                ? {
                    status: wantsNew(request) ? 400 : 200,
                    headers: {
                      "Content-Type": wantsNew(request) ? "application/graphql-response+json" : "application/json",
                    },
                    body: Buffer.from(
                      JSON.stringify({
                        errors: [{ message: `Unknown argument ${input.name}`, locations: [{ line: 1, column: 1 }] }],
                      }),
                    ),
                  }
                : dispatch(request);
            },
          };
        }),
  },
  whole("ignore-alias", [
    "aliases are not used",
    (dispatch, subject) => subject.onAnswer((body, _request, slots) => withoutAliases(body, slots()))(dispatch),
  ]),
  whole("ignore-skip", ["@skip is not seen", withoutDirective("skip")]),
  whole("ignore-include", ["@include is not seen", withoutDirective("include")]),
  whole(
    "ignore-fragment",
    [
      "fragments by name are left out",
      rewriting(({ document }) =>
        visit(document, {
          SelectionSet: (set) => {
            const kept = set.selections.filter((selection: SelectionNode) => selection.kind !== Kind.FRAGMENT_SPREAD);
            const own = kept.length === 0 ? [typenameField] : kept;
            return kept.length === set.selections.length ? undefined : { ...set, selections: own };
          },
          FragmentDefinition: () => null,
        }),
      ),
    ],
    [
      "inline fragments are left out",
      rewriting(({ document }) =>
        visit(document, {
          SelectionSet: (set) => {
            const kept = set.selections.filter((selection: SelectionNode) => selection.kind !== Kind.INLINE_FRAGMENT);
            const own = kept.length === 0 ? [typenameField] : kept;
            return kept.length === set.selections.length ? undefined : { ...set, selections: own };
          },
        }),
      ),
    ],
  ),
  whole(
    "ignore-variables",
    ["variables are not seen", (dispatch, subject) => subject.onRequest(() => ({ variables: {} }))(dispatch)],
    [
      "defaults of variables are not seen",
      rewriting(({ document }) =>
        visit(document, {
          VariableDefinition: (node) =>
            node.defaultValue === undefined ? undefined : { ...node, defaultValue: undefined },
        }),
      ),
    ],
  ),
  whole("ignore-operation-name", [
    "the first operation is executed always",
    (dispatch) => async (request) => {
      const message = jsonOf(request);
      const asked = readRequest(request);
      const first = asked?.document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
      return isObject(message) && first?.kind === Kind.OPERATION_DEFINITION && first.name !== undefined
        ? dispatch({ ...request, body: Buffer.from(JSON.stringify({ ...message, operationName: first.name.value })) })
        : dispatch(request);
    },
  ]),
  whole(
    "error-without-message",
    ["no message", onErrors((error) => without(error, "message"))],
    ["a message that is no text", onErrors((error) => ({ ...error, message: 5 }))],
    ["errors that are text", onErrors((error) => error["message"])],
  ),
  whole(
    "error-without-path",
    ["no path", onErrors((error) => without(error, "path"), "field")],
    ["another path", onErrors((error) => ({ ...error, path: ["other"] }), "field")],
  ),
  whole(
    "error-locations",
    ["no locations", onErrors((error) => without(error, "locations"))],
    [
      "locations from 0",
      onErrors((error) => ("locations" in error ? { ...error, locations: [{ line: 0, column: 0 }] } : error)),
    ],
    ["locations that are text", onErrors((error) => ("locations" in error ? { ...error, locations: "1:1" } : error))],
  ),
  whole("error-in-top", [
    "one error in place of the list",
    onBody((body) => (Array.isArray(body["errors"]) ? { ...body, errors: body["errors"][0] } : undefined)),
  ]),
  whole("empty-errors", [
    "no errors in the list",
    onBody((body) => ("errors" in body ? undefined : { ...body, errors: [] })),
  ]),
  whole("swallow-errors", [
    "errors of fields are not told",
    onBody((body) => ("errors" in body && "data" in body ? without(body, "errors") : undefined)),
  ]),
  whole("swallow-request-errors", [
    "requests that are refused have data",
    onBody((body) => ("errors" in body && !("data" in body) ? { data: {} } : undefined)),
  ]),
  whole("data-beside-request-error", [
    "data beside request errors",
    onBody((body) => ("errors" in body && !("data" in body) ? { ...body, data: { x: 1 } } : undefined)),
  ]),
  whole("lose-partial-data", [
    "all data is null where one field fails",
    onBody((body) => ("errors" in body && isObject(body["data"]) ? { ...body, data: null } : undefined)),
  ]),
  whole("extra-top-member", ["another member at the top", onBody((body) => ({ ...body, status: "ok" }))]),
  whole("drop-data", ["no data", onBody((body) => ("errors" in body ? undefined : { result: body["data"] }))]),
  whole("list-answer", ["the answer in a list", onBody((body) => [body])]),
  whole(
    "skip-validation",
    [
      "unknown fields are null",
      onBody((body, request) => {
        const asked = readRequest(request);
        const operation = asked === undefined ? undefined : operationOf(asked);
        const isUnknown = JSON.stringify(body["errors"] ?? "").includes("Cannot query field");
        const [first] = operation?.selectionSet.selections ?? [];
        return isUnknown && first?.kind === Kind.FIELD ? { data: { [first.name.value]: null } } : undefined;
      }),
    ],
    [
      "selections may be missing",
      onBody((body) =>
        JSON.stringify(body["errors"] ?? "").includes("must have a selection") ? { data: {} } : undefined,
      ),
    ],
    [
      "wrong variables are taken as null",
      onBody((body) =>
        JSON.stringify(body["errors"] ?? "").includes("got invalid value") ? { data: null } : undefined,
      ),
    ],
    [
      "required arguments may be missing",
      onBody((body) => (JSON.stringify(body["errors"] ?? "").includes("is required") ? { data: {} } : undefined)),
    ],
  ),
  whole(
    "introspection-differs",
    [
      "a field is not shown",
      onIntrospection((types) => {
        const [type] = ownTypes(types, "fields");
        if (type !== undefined) {
          type["fields"] = membersOf(type, "fields").slice(1);
        }
      }),
    ],
    [
      "a type is not shown",
      onIntrospection((types, schema) => {
        const [type] = ownTypes(types, "enumValues");
        schema["types"] = types.filter((candidate) => candidate !== type);
      }),
    ],
    [
      "an enumeration value is not shown",
      onIntrospection((types) => {
        const [type] = ownTypes(types, "enumValues");
        if (type !== undefined) {
          type["enumValues"] = membersOf(type, "enumValues").slice(1);
        }
      }),
    ],
    [
      "a field may be null",
      onIntrospection((types) => {
        const fields = ownTypes(types, "fields").flatMap((type) => membersOf(type, "fields"));
        const field = fields.find(
          (candidate) => isObject(candidate["type"]) && candidate["type"]["kind"] === "NON_NULL",
        );
        if (field !== undefined && isObject(field["type"])) {
          field["type"] = field["type"]["ofType"];
        }
      }),
    ],
    [
      "an argument is not shown",
      onIntrospection((types) => {
        const fields = types.filter(({ name }) => name === "Query").flatMap((type) => membersOf(type, "fields"));
        const field = fields.find((candidate) => membersOf(candidate, "args").length > 0);
        if (field !== undefined) {
          field["args"] = membersOf(field, "args").slice(1);
        }
      }),
    ],
    [
      "a default is another one",
      onIntrospection((types) => {
        const inputs = types.flatMap((type) => [
          ...membersOf(type, "inputFields"),
          ...membersOf(type, "fields").flatMap((field) => membersOf(field, "args")),
        ]);
        const input = inputs.find((candidate) => /^[0-9]+$/.test(String(candidate["defaultValue"])));
        if (input !== undefined) {
          input["defaultValue"] = "77";
        }
      }),
    ],
    [
      "a type of a union is not shown",
      onIntrospection((types) => {
        const [type] = ownTypes(types, "possibleTypes");
        if (type !== undefined) {
          type["possibleTypes"] = membersOf(type, "possibleTypes").slice(1);
        }
      }),
    ],
  ),
  whole("introspection-fails", [
    "introspection is an error",
    (dispatch, subject) =>
      subject.onAnswer((body, request) => (introspecting(request) && "data" in body ? { data: null } : undefined))(
        dispatch,
      ),
  ]),
  whole(
    "graphql-status",
    ["400 with data", afterwards((answer) => (answer.status === 200 ? { ...answer, status: 400 } : answer))],
    ["500 with data", afterwards((answer) => (answer.status === 200 ? { ...answer, status: 500 } : answer))],
    [
      "200 for request errors in the new media type",
      afterwards((answer, request) =>
        isRequestError(answer) &&
        (headerOf(answer, "content-type") ?? "").includes("graphql-response") &&
        wantsNew(request)
          ? { ...answer, status: 200 }
          : answer,
      ),
    ],
    ["500 for request errors", afterwards((answer) => (isRequestError(answer) ? { ...answer, status: 500 } : answer))],
  ),
  whole(
    "graphql-content-type",
    ["text/html", afterwards((answer) => withHeaders(answer, { "content-type": "text/html" }))],
    ["no content type", afterwards((answer) => withHeaders(answer, { "content-type": undefined }))],
    ["text/plain", afterwards((answer) => withHeaders(answer, { "content-type": "text/plain" }))],
  ),
  whole(
    "graphql-body",
    ["broken JSON", afterwards((answer) => withBody(answer, answer.body.toString().slice(0, -1)))],
    ["no body", afterwards((answer) => withBody(answer, ""))],
  ),
  whole("malformed-as-success", [
    "bodies that are no JSON have data",
    afterwards((answer, request) =>
      request.method === "POST" && jsonOf(request) === undefined
        ? withJson({ ...answer, status: 200 }, { data: null })
        : answer,
    ),
  ]),
  whole("missing-query-as-success", [
    "requests without a query have data",
    afterwards((answer, request) => {
      const message = jsonOf(request);
      return isObject(message) && !("query" in message) ? withJson({ ...answer, status: 200 }, { data: {} }) : answer;
    }),
  ]),
  whole("refuse-variables", [
    "requests with variables are refused",
    afterwards((answer, request) => {
      const message = jsonOf(request);
      return isObject(message) && isObject(message["variables"]) && Object.keys(message["variables"]).length > 0
        ? withJson(
            { ...answer, status: 400 },
            { errors: [{ message: "no variables", locations: [{ line: 1, column: 1 }] }] },
          )
        : answer;
    }),
  ]),
];

const typenameField: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: "__typename" } };
