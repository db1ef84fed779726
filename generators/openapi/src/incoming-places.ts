// OpenAPI 3.1, sections 4.8.1 (webhooks) and 4.8.18 (Callback Object).
import type { HttpBinding, OperationSelection } from "@nodewright/model";
import type { SourceValue, SourceNode } from "@nodewright/source";
import { selectionOf, methodOf, noteServers, type OperationPlace } from "./operation-places.ts";
import { type PathItem, readPathItem } from "./path-item.ts";
import { follow, type Reading } from "./reading.ts";

/** A request that the API sends, before it is read. */
export interface IncomingPlace {
  readonly method: HttpBinding["method"];
  readonly pathItem: PathItem;
  readonly place: SourceValue;
  readonly origin: string;
  readonly operationId?: string;
  readonly selection: OperationSelection;
  /** Name if there is no operationId. */
  readonly fallback: string;
  readonly trigger:
    | { readonly kind: "webhook"; readonly name: string }
    | { readonly kind: "callback"; readonly name: string; readonly expression: string; readonly asker: Referrer };
}

/** The operation or webhook that a callback belongs to. */
type Referrer = OperationPlace | IncomingPlace;

/** Returns the webhooks of a document. OpenAPI 3.0 has none. */
export function findWebhooks(reading: Reading, document: SourceValue): readonly IncomingPlace[] {
  if (reading.version === "3.0") return [];
  return (document.member("webhooks")?.members ?? []).flatMap(([name, item]) => {
    if (name.startsWith("x-")) return [];
    const pathItem = readPathItem(reading, item);
    if (pathItem === undefined) return [];
    return incomingOperations(reading, pathItem, name).map(
      (operation): IncomingPlace => ({ ...operation, trigger: { kind: "webhook", name } }),
    );
  });
}

/** Returns the callbacks of operations. A callback that several operations share is returned once, for the first of them. */
export function findCallbacks(reading: Reading, askers: readonly Referrer[]): readonly IncomingPlace[] {
  const seen = new Set<SourceNode>();
  return askers.flatMap((asker) =>
    (asker.place.member("callbacks")?.members ?? []).flatMap(([name, item]) => {
      const callback = follow(reading, item)?.place;
      if (callback === undefined || seen.has(callback.node)) return [];
      seen.add(callback.node);
      return callbackOperations(reading, { name, callback, asker });
    }),
  );
}

function callbackOperations(
  reading: Reading,
  { name, callback, asker }: { readonly name: string; readonly callback: SourceValue; readonly asker: Referrer },
): readonly IncomingPlace[] {
  return callback.members.flatMap(([expression, item]) => {
    if (expression.startsWith("x-")) return [];
    checkExpression(reading, callback, expression);
    const pathItem = readPathItem(reading, item);
    if (pathItem === undefined) return [];
    const fallback = `${asker.operationId ?? asker.origin} ${name}`;
    return incomingOperations(reading, pathItem, fallback).map(
      (operation): IncomingPlace => ({ ...operation, trigger: { kind: "callback", name, expression, asker } }),
    );
  });
}

function incomingOperations(
  reading: Reading,
  pathItem: PathItem,
  name: string,
): readonly Omit<IncomingPlace, "trigger">[] {
  noteServers(reading, pathItem.member("servers"));
  const found = pathItem.members.flatMap(([member, place]) => {
    const method = methodOf(reading, member);
    return method === undefined || !place.isObject ? [] : [{ method, place }];
  });
  return found.map(({ method, place }) => {
    const operationId = reading.members.text(place, "operationId");
    const origin = `${method} ${name}`;
    return {
      method,
      pathItem,
      place,
      origin,
      ...(operationId === undefined ? {} : { operationId }),
      selection: selectionOf(reading, operationId, origin),
      fallback: found.length === 1 ? name : `${name} ${method}`,
    };
  });
}

/** Reports a key of a callback that contains an invalid runtime expression (section 4.8.20.4). */
function checkExpression(reading: Reading, callback: SourceValue, expression: string): void {
  const held = expression.startsWith("$")
    ? [expression]
    : [...expression.matchAll(/\{([^{}]*)\}/g)].map(([, one]) => one ?? "");
  const wrong = held.find((one) => !isRuntimeExpression(one));
  const source = callback.keySource(expression);
  if (wrong !== undefined)
    reading.report("wrong-callback-expression", source, { expression, problem: `"${wrong}" is none` });
  else if (/[{}]/.test(expression.replaceAll(/\{[^{}]*\}/g, "")))
    reading.report("wrong-callback-expression", source, { expression, problem: "its braces do not match" });
}

function isRuntimeExpression(text: string): boolean {
  return /^\$(?:url|method|statusCode|self|(?:request|response)\.(?:body(?:#.*)?|header\.[!#$%&'*+.^_`|~\w-]+|(?:query|path)\.[^\s]+))$/s.test(
    text,
  );
}
