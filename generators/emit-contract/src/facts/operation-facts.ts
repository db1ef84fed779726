import type { ApiModel, Failure, JsonValue, Link, Operation, ResponseHeader, Success } from "@nodewright/model";
import { hasOutputBody, hasReplyEnvelope } from "../names/contract-facts.ts";
import { contentFacts } from "./content-facts.ts";
import { decodingOf } from "./decoding.ts";
import { extensionFacts } from "./extension-facts.ts";
import { argumentFacts, parameterFacts } from "./parameter-facts.ts";

type Facts = Readonly<Record<string, JsonValue>>;

/** Returns the facts about an operation that the runtime needs, except for its validators and codecs: the members of its constant. */
export function operationFacts(operation: Operation, model: ApiModel): Facts {
  const { binding } = operation;
  const shared = { name: operation.name, origin: operation.origin };
  switch (binding.kind) {
    case "http":
      return {
        kind: "http",
        ...shared,
        tags: operation.tags,
        method: binding.method,
        path: binding.path,
        parameters: operation.parameters.map((parameter) => parameterFacts(parameter, model)),
        ...bodyFacts(operation, model),
        successes: operation.successes.map((success) => successFacts(success, model)),
        failures: operation.failures.map(failureFacts),
        returns: hasReplyEnvelope(operation) ? "reply" : "body",
        ...(negotiates(operation) ? { negotiates: true } : {}),
        ...(operation.security === undefined ? {} : { security: operation.security }),
        ...nextPage(operation, model),
        extensions: extensionFacts(operation.extensions),
        idempotent: isIdempotent(operation),
      };
    case "rpc":
      return {
        kind: "rpc",
        ...shared,
        tags: operation.tags,
        method: binding.method,
        ...((binding.parameterStructure ?? "either") === "either"
          ? {}
          : { parameterStructure: binding.parameterStructure }),
        ...(hasOutputBody(operation) ? {} : { isNotification: true }),
        parameters: operation.parameters.map((parameter) => argumentFacts(parameter, model)),
        failures: operation.failures.map(failureFacts),
        extensions: extensionFacts(operation.extensions),
        idempotent: isIdempotent(operation),
      };
    case "graphql":
      return {
        kind: "graphql",
        ...shared,
        root: binding.root,
        field: binding.field,
        extensions: extensionFacts(operation.extensions),
      };
    default:
      return binding satisfies never;
  }
}

/** Idempotent methods of HTTP (RFC 9110, section 9.2.2). */
const idempotentMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]);

/** Matches names of RPC methods that only read, with or without a namespace: `getblock`, `eth_getBalance`, `eth_chainId`. */
const readingName =
  /^(?:[a-z0-9]+_)?(?:get|list|decode|validate|verify|estimate|help$|uptime$|version$|ping$|call$|block|chain|gas|fee|sync|max|net|protocol|client)/i;

/** Returns whether a repeated call is harmless. */
function isIdempotent({ binding, extensions }: Operation): boolean {
  if (binding.kind === "http") return idempotentMethods.has(binding.method);
  if (binding.kind === "graphql") return binding.root === "query";
  return extensions.safe ?? (readingName.test(binding.method) && !extensions.nodeControl);
}

function bodyFacts({ body }: Operation, model: ApiModel): Facts {
  if (body === undefined) return {};
  const contents = body.contents.map((content) => contentFacts(content, model));
  return { body: { required: body.required, contents } };
}

function successFacts({ status, content, headers }: Success, model: ApiModel): Facts {
  return {
    status,
    ...(content === undefined ? {} : { content: contentFacts(content, model) }),
    headers: headers.map((header) => headerFacts(header, model)),
  };
}

function headerFacts({ name, property, required, type }: ResponseHeader, model: ApiModel): Facts {
  const decoding = decodingOf(type, model);
  return { name: name.toLowerCase(), property, required, ...(decoding === "string" ? {} : { decoding }) };
}

/** Returns the facts by which clients distinguish a failure from others. */
export function failureFacts({ name, status, rpcCode }: Failure): Facts {
  return { name, ...(status === undefined ? {} : { status }), ...(rpcCode === undefined ? {} : { rpcCode }) };
}

/** Returns the link to the next page, if the response has one. */
function nextPage(operation: Operation, model: ApiModel): Facts {
  const link = findNextLink(operation, model);
  return link === undefined ? {} : { next: { operation: link.operation, inputs: link.inputs } };
}

/** Returns the operation's own `next`; without one, that of the operation which links to this one and so has the same pages. */
function findNextLink(operation: Operation, model: ApiModel): Link | undefined {
  return operation.links.find(isNext) ?? linksToNext(model).get(operation.name);
}

/** Returns whether a link leads from a page to the next one; a failure has no pages. */
function isNext({ name, status }: Link): boolean {
  return name === "next" && status === undefined;
}

const nextLinks = new WeakMap<ApiModel, ReadonlyMap<string, Link>>();

/** Returns the first link named `next` to each operation. */
function linksToNext(model: ApiModel): ReadonlyMap<string, Link> {
  const known = nextLinks.get(model);
  if (known !== undefined) return known;
  const links = new Map<string, Link>();
  for (const link of model.operations.flatMap((operation) => operation.links)) {
    if (isNext(link) && !links.has(link.operation)) links.set(link.operation, link);
  }
  nextLinks.set(model, links);
  return links;
}

/** Returns whether one status has bodies of several media types. */
function negotiates({ successes }: Operation): boolean {
  const statuses = successes.map(({ status }) => status);
  return new Set(statuses).size < statuses.length;
}
