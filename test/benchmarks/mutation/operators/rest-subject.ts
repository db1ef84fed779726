import { parse } from "yaml";
import { jsonOf, type WireAnswer, type WireRequest, withJson } from "../wire/message.ts";
import type { World } from "../worlds/world.ts";
import { createSchemaBook, type SchemaBook } from "./json-schema.ts";
import { copyJson, isObject, slotsOf } from "./json-tree.ts";
import type { Call, DocumentedInput, Subject } from "./subject.ts";
import { sitesFrom } from "./sites.ts";

interface RestOperation {
  readonly name: string;
  readonly method: string;
  readonly template: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly inputs: readonly DocumentedInput[];
  readonly responses: Readonly<Record<string, unknown>>;
}

/** What else is known of a REST world: its documented headers and failures. */
export interface RestSubject extends Subject {
  headersOf(operation: string): readonly { readonly name: string; readonly schema: unknown }[];
  /** The operation that a request calls. */
  operationOf(request: WireRequest): string | undefined;
}

/** Reads an OpenAPI world; `answers` are those of the correct server to the corpus. */
export function createRestSubject(
  world: World,
  exchanges: readonly { readonly request: WireRequest; readonly answer: WireAnswer }[],
): RestSubject {
  const document = parse(world.document.text) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  };
  const book = createSchemaBook(document);
  const operations = new Map<string, RestOperation>();
  for (const [template, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const name = String(operation["operationId"]);
      operations.set(name, {
        name,
        method: method.toUpperCase(),
        template,
        pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, "([^/]+)")}$`),
        names: [...template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? ""),
        inputs: ((operation["parameters"] ?? []) as readonly unknown[]).map((parameter) => readInput(book, parameter)),
        responses: operation["responses"] as Readonly<Record<string, unknown>>,
      });
    }
  }
  const find = (
    request: WireRequest,
  ): { readonly operation: RestOperation; readonly input: Call["input"] } | undefined => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    for (const operation of operations.values()) {
      const match = operation.method === request.method ? operation.pattern.exec(pathname) : null;
      if (match !== null) {
        const path = Object.fromEntries(
          operation.names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? "")]),
        );
        return { operation, input: { ...path, ...Object.fromEntries(searchParams) } };
      }
    }
    return undefined;
  };
  const judge: Subject["judge"] = (request, answer) => {
    const found = find(request);
    if (found === undefined) {
      return [];
    }
    const value = jsonOf(answer);
    const check = checkOf(book, found.operation, answer.status);
    const isOfType = value !== undefined && check(value);
    const isSuccess = answer.status >= 200 && answer.status < 300;
    return [{ operation: found.operation.name, isSuccess, value, input: found.input, isOfType }];
  };
  const { sites, goodInputs } = sitesFrom(exchanges.flatMap(({ request, answer }) => judge(request, answer)));
  const onCall: Subject["onCall"] = (name, handle) => (dispatch) => async (request) => {
    const found = find(request);
    if (found?.operation.name !== name) {
      return dispatch(request);
    }
    const outcome = await handle({
      input: found.input,
      ask: async (input) => ({ answer: await dispatch({ ...request, url: urlOf(found.operation, input) }) }),
      refuse: () => ({ answer: refusal(found.operation) }),
    });
    return "answer" in outcome ? outcome.answer : refusal(found.operation);
  };
  const onValue: Subject["onValue"] = (name, edit) => (dispatch) => async (request) => {
    const answer = await dispatch(request);
    if (find(request)?.operation.name !== name || answer.status !== 200) {
      return answer;
    }
    return withJson(answer, edit(jsonOf(answer)));
  };
  return {
    world,
    operations: [...operations.values()].filter(({ method }) => method === "GET").map(({ name }) => name),
    sites,
    documented: [...operations.values()].flatMap((operation) => documentedOf(book, operation)),
    inputsOf: (name) => operations.get(name)?.inputs ?? [],
    goodInputsOf: (name) => goodInputs.get(name) ?? [],
    requestOf: (probe) => ({
      method: probe.kind === "rest" ? probe.method : "GET",
      url: probe.kind === "rest" ? probe.url : "/",
      headers: {},
      body: Buffer.alloc(0),
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
    headersOf: (name) => {
      const response = book.resolve(operations.get(name)?.responses["200"]);
      return Object.entries((response["headers"] ?? {}) as object)
        .map(([header, value]) => ({ name: header.toLowerCase(), fact: book.resolve(value) }))
        .filter(({ fact }) => fact["required"] === true)
        .map(({ name: header, fact }) => ({ name: header, schema: fact["schema"] }));
    },
    operationOf: (request) => find(request)?.operation.name,
  };
}

function readInput(book: SchemaBook, parameter: unknown): DocumentedInput {
  const resolved = book.resolve(parameter);
  const schema = book.resolve(resolved["schema"]);
  const check = book.compile(resolved["schema"]);
  return {
    name: String(resolved["name"]),
    required: resolved["required"] === true,
    isInPath: resolved["in"] === "path",
    schema,
    broken: (value) => {
      const text = String(value);
      const ways: readonly unknown[] = [
        text,
        ...(/^-?(0|[1-9][0-9]{0,15})(\.[0-9]+)?$/.test(text) ? [Number(text)] : []),
        ...(text === "true" || text === "false" ? [text === "true"] : []),
      ];
      let keywords: readonly string[] = [];
      for (const way of ways) {
        if (check(way)) {
          return [];
        }
        keywords = (check.errors ?? []).map((error) => error.keyword);
      }
      return keywords;
    },
  };
}

function checkOf(book: SchemaBook, operation: RestOperation, status: number): (value: unknown) => boolean {
  const response = book.resolve(operation.responses[String(status)]);
  const [content] = Object.values(
    (response["content"] ?? {}) as Readonly<Record<string, { readonly schema?: unknown }>>,
  );
  return content?.schema === undefined ? () => false : book.compile(content.schema);
}

function documentedOf(book: SchemaBook, operation: RestOperation): Subject["documented"] {
  const response = book.resolve(operation.responses["200"]);
  return Object.values((response["content"] ?? {}) as Readonly<Record<string, unknown>>).flatMap((content) => {
    if (!isObject(content)) {
      return [];
    }
    const several = Object.values(
      (content["examples"] ?? {}) as Readonly<Record<string, { readonly value?: unknown }>>,
    );
    const values = [content["example"], ...several.map(({ value }) => value)].filter((value) => value !== undefined);
    return values.map((value) => ({ operation: operation.name, value, input: undefined }));
  });
}

function urlOf(operation: RestOperation, input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined && !operation.names.includes(name)) {
      query.set(name, String(value));
    }
  }
  const path = operation.template.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

function refusal(operation: RestOperation): WireAnswer {
  const hasProblem = JSON.stringify(operation.responses["400"] ?? {}).includes("BadRequest");
  const body = hasProblem
    ? { title: "Bad Request", status: 400, detail: "not valid" }
    : { code: "INVALID", message: "not valid" };
  const type = hasProblem ? "application/problem+json" : "application/json";
  return { status: 400, headers: { "Content-Type": type }, body: Buffer.from(JSON.stringify(body)) };
}
