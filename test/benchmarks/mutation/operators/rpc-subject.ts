import { type Dispatch, jsonOf, type WireAnswer, type WireRequest, withJson } from "../wire/message.ts";
import type { World } from "../worlds/world.ts";
import { createSchemaBook, type SchemaBook } from "./json-schema.ts";
import { copyJson, isObject, type JsonObject, slotsOf } from "./json-tree.ts";
import { sitesFrom } from "./sites.ts";
import type { Call, DocumentedInput, JudgedAnswer, Subject } from "./subject.ts";

interface RpcMethod {
  readonly name: string;
  readonly inputs: readonly DocumentedInput[];
  readonly result: unknown;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
  readonly examples: readonly {
    readonly params: readonly { readonly name: string; readonly value: unknown }[];
    readonly result: { readonly value: unknown };
  }[];
}

/** One response object of a call, made anew; `undefined`: none. */
export type ResponseEdit = (response: JsonObject, request: JsonObject) => unknown;

export interface RpcSubject extends Subject {
  /** Changes response objects, in batches too; `method` undefined: those of every request. */
  onResponse(method: string | undefined, edit: ResponseEdit): (dispatch: Dispatch) => Dispatch;
  errorsOf(method: string): readonly { readonly code: number; readonly message: string }[];
}

/** Reads an OpenRPC world; `exchanges` are those of the correct server. */
export function createRpcSubject(
  world: World,
  exchanges: readonly { readonly request: WireRequest; readonly answer: WireAnswer }[],
): RpcSubject {
  const document = JSON.parse(world.document.text) as {
    readonly methods: readonly Readonly<Record<string, unknown>>[];
  };
  const book = createSchemaBook(document);
  const methods = new Map(document.methods.map((method) => [String(method["name"]), readMethod(book, method)]));
  const inputOf = (method: RpcMethod, params: unknown): Readonly<Record<string, unknown>> =>
    Array.isArray(params)
      ? Object.fromEntries(params.map((value, index) => [method.inputs[index]?.name ?? `(${index})`, value]))
      : isObject(params)
        ? params
        : {};
  const judge: Subject["judge"] = (request, answer) => {
    const [message, reply] = [jsonOf(request), jsonOf(answer)];
    const method = isObject(message) ? methods.get(String(message["method"])) : undefined;
    if (method === undefined || !isObject(message)) {
      return [];
    }
    const value = isObject(reply) ? (reply["result"] ?? reply["error"]) : undefined;
    const isSuccess = isObject(reply) && "result" in reply && reply["error"] === undefined;
    const judged: JudgedAnswer = {
      operation: method.name,
      isSuccess,
      value: isSuccess && isObject(reply) ? reply["result"] : value,
      input: inputOf(method, message["params"]),
      isOfType: isSuccess && isObject(reply) ? book.compile(method.result)(reply["result"]) : true,
    };
    return [judged];
  };
  const { sites, goodInputs } = sitesFrom(exchanges.flatMap(({ request, answer }) => judge(request, answer)));

  const onCall: Subject["onCall"] = (name, handle) => (dispatch) => {
    const method = methods.get(name);
    return eachRequest(
      dispatch,
      (message) => message["method"] === name,
      async (message, one) => {
        if (method === undefined) {
          return one(message);
        }
        const { params } = message;
        const call: Call = {
          input: inputOf(method, params),
          ask: async (input) => ({ response: await one({ ...message, params: paramsOf(method, params, input) }) }),
          refuse: () => ({
            response: { jsonrpc: "2.0", id: message["id"], error: { code: -32602, message: "Invalid params" } },
          }),
        };
        const outcome = await handle(call);
        return "response" in outcome ? outcome.response : undefined;
      },
    );
  };
  const onResponse: RpcSubject["onResponse"] = (name, edit) => (dispatch) =>
    eachRequest(
      dispatch,
      (message) => name === undefined || message["method"] === name,
      async (message, one) => {
        const response = await one(message);
        return isObject(response) ? edit(response, message) : response;
      },
    );
  const onValue: Subject["onValue"] = (name, edit) =>
    onResponse(name, (response) =>
      "result" in response ? { ...response, result: edit(response["result"]) } : response,
    );
  return {
    world,
    operations: [...methods.keys()],
    sites,
    documented: [...methods.values()].flatMap((method) =>
      method.examples.map(({ params, result }) => ({
        operation: method.name,
        value: result.value,
        input: Object.fromEntries(params.map(({ name, value }) => [name, value])),
      })),
    ),
    inputsOf: (name) => methods.get(name)?.inputs ?? [],
    goodInputsOf: (name) => goodInputs.get(name) ?? [],
    requestOf: (probe) => ({
      method: probe.kind === "rpc" ? (probe.method ?? "POST") : "POST",
      url: "/",
      headers: { "content-type": probe.kind === "rpc" ? (probe.contentType ?? "application/json") : "" },
      body: Buffer.from(probe.kind === "rpc" ? probe.body : ""),
    }),
    judge,
    onCall,
    onValue,
    atSite: (name, site, occurrence, edit) =>
      onValue(name, (value) => {
        const { holder, slots } = slotsOf(copyJson(value));
        const found = slots.get(site) ?? [];
        for (const slot of occurrence === "all" ? found.toReversed() : found.slice(-1)) {
          edit(slot);
        }
        return holder.value;
      }),
    onResponse,
    errorsOf: (name) => methods.get(name)?.errors ?? [],
  };
}

function readMethod(book: SchemaBook, method: Readonly<Record<string, unknown>>): RpcMethod {
  const params = (method["params"] ?? []) as readonly Readonly<Record<string, unknown>>[];
  return {
    name: String(method["name"]),
    inputs: params.map((parameter) => {
      const check = book.compile(parameter["schema"]);
      return {
        name: String(parameter["name"]),
        required: parameter["required"] === true,
        isInPath: false,
        schema: book.resolve(parameter["schema"]),
        broken: (value) => (check(value) ? [] : (check.errors ?? []).map((error) => error.keyword)),
      };
    }),
    result: (method["result"] as { readonly schema: unknown }).schema,
    errors: (method["errors"] ?? []) as RpcMethod["errors"],
    examples: (method["examples"] ?? []) as RpcMethod["examples"],
  };
}

/** Parameters in the form in which the caller gave them. */
function paramsOf(method: RpcMethod, given: unknown, input: Readonly<Record<string, unknown>>): unknown {
  if (!Array.isArray(given)) {
    return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  }
  const known = new Set(method.inputs.map(({ name }) => name));
  const list: unknown[] = method.inputs.map(({ name }) => input[name]);
  list.push(
    ...Object.entries(input)
      .filter(([name]) => !known.has(name))
      .map(([, value]) => value),
  );
  while (list.length > 0 && list.at(-1) === undefined) {
    list.pop();
  }
  // Positions can't be left out in the middle: the documented default is the same as nothing.
  return list.map((value, index) => (value === undefined ? (method.inputs[index]?.schema["default"] ?? null) : value));
}

const plain: WireAnswer = { status: 200, headers: { "Content-Type": "application/json" }, body: Buffer.alloc(0) };
const nothing: WireAnswer = { status: 204, headers: {}, body: Buffer.alloc(0) };

/** Handles matching requests one by one, in batches too. */
function eachRequest(
  dispatch: Dispatch,
  matches: (message: JsonObject) => boolean,
  handle: (message: JsonObject, one: (message: unknown) => Promise<unknown>) => Promise<unknown>,
): Dispatch {
  return async (request) => {
    const isJson = /^application\/json\b/i.test(request.headers["content-type"] ?? "");
    const message = request.method === "POST" && isJson ? jsonOf(request) : undefined;
    const one = async (single: unknown): Promise<unknown> =>
      jsonOf(await dispatch({ ...request, body: Buffer.from(JSON.stringify(single)) }));
    if (isObject(message) && matches(message) && "id" in message) {
      const response = await handle(message, one);
      return response === undefined ? nothing : withJson(plain, response);
    }
    if (Array.isArray(message) && message.some((item) => isObject(item) && matches(item))) {
      const responses = await Promise.all(
        message.map((item) => (isObject(item) && matches(item) && "id" in item ? handle(item, one) : one(item))),
      );
      const given = responses.filter((response) => response !== undefined);
      return given.length === 0 ? nothing : withJson(plain, given);
    }
    return dispatch(request);
  };
}
