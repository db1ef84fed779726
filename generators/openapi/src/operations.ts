import type { HttpBinding, IncomingOperation, Link, Operation } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import { findCallbacks, findWebhooks, type IncomingPlace } from "./incoming-places.ts";
import { type LinkTargets, readLink } from "./link-reader.ts";
import { nameOperations, type OperationNames } from "./operation-names.ts";
import { findOperations, type OperationPlace } from "./operation-places.ts";
import type { OperationReader, ReadOperation } from "./operation-reader.ts";
import type { Reading } from "./reading.ts";

/** All operations, in both directions. */
export interface Operations {
  readonly operations: readonly Operation[];
  readonly incoming: readonly IncomingOperation[];
  /** Operations that are left out, by configuration or because they use something unsupported. */
  readonly leftOut: readonly SourceValue[];
}

/**
 * Readers of operations in both directions. They keep the components they have read, so that the component check need not read them again.
 */
export interface OperationReaders {
  readonly outgoing: OperationReader;
  readonly incoming: OperationReader;
}

/** All operations, before they are read. */
export interface OperationPlaces {
  readonly operations: readonly OperationPlace[];
  readonly calls: readonly IncomingPlace[];
  /** Operations that the configuration leaves out. */
  readonly skipped: readonly SourceValue[];
}

/** Returns every operation, webhook and callback of the document, in document order. */
export function findPlaces(reading: Reading, document: SourceValue): OperationPlaces {
  const operations = findOperations(reading, document);
  const webhooks = findWebhooks(reading, document);
  const callbacks = findCallbacks(reading, [...operations, ...webhooks].filter(isKept));
  const calls = [...webhooks, ...callbacks];
  return {
    operations: operations.filter(isKept),
    calls: calls.filter(isKept),
    skipped: [...operations, ...calls].filter((one) => !isKept(one)).map(({ place }) => place),
  };
}

export function readOperations(reading: Reading, places: OperationPlaces, readers: OperationReaders): Operations {
  const names = nameOperations(reading, [...places.operations, ...places.calls]);
  const leftOut = [...places.skipped];
  const read = places.operations.flatMap((place) => {
    const frame = frameOf(place, names);
    return supported(reading, leftOut, () => readers.outgoing.read(frame)) ?? [];
  });
  const targets = targetsOf(places.operations, read, leftOut);
  const operations = read.map((one) => ({ ...one.operation, links: linksOf(reading, one, targets) }));
  const kept = new Set(operations.map(({ name }) => name));
  const incoming = places.calls.flatMap((place) => {
    const frame = incomingFrame(place, names);
    const trigger = triggerOf(place, names);
    if (trigger.kind === "callback" && !kept.has(trigger.operation) && isOutgoing(place)) return [];
    const one = supported(reading, leftOut, () => readers.incoming.read(frame));
    return one === undefined ? [] : [{ ...one.operation, trigger }];
  });
  return { operations, incoming, leftOut };
}

function isKept({ selection }: { readonly selection: OperationPlace["selection"] }): boolean {
  return selection.skip !== true;
}

/** Reads an operation. Returns undefined if it uses something unsupported and such operations are left out. */
function supported(reading: Reading, leftOut: SourceValue[], read: () => ReadOperation): ReadOperation | undefined {
  const before = reading.unsupported.count;
  const result = read();
  if (reading.unsupported.count === before || reading.readOptions.skipUnsupported !== true) return result;
  leftOut.push(result.place);
  return undefined;
}

function nameOf(names: OperationNames, place: OperationPlace | IncomingPlace): string {
  const name = names.get(place);
  if (name === undefined) throw new Error(`${place.origin} was given no name`);
  return name;
}

function frameOf(place: OperationPlace, names: OperationNames): Parameters<OperationReader["read"]>[0] {
  const { method, path, pathParameterSource } = place;
  const binding: HttpBinding = { kind: "http", method, path };
  return { ...place, name: nameOf(names, place), binding, pathParameterSource: (name) => pathParameterSource(name) };
}

function incomingFrame(place: IncomingPlace, names: OperationNames): Parameters<OperationReader["read"]>[0] {
  const name = nameOf(names, place);
  const binding: HttpBinding = { kind: "http", method: place.method, path: `/${name}` };
  return { name, origin: place.origin, binding, pathItem: place.pathItem, place: place.place };
}

function triggerOf({ trigger }: IncomingPlace, names: OperationNames): IncomingOperation["trigger"] {
  if (trigger.kind === "webhook") return trigger;
  const { name, expression, asker } = trigger;
  return { kind: "callback", name, expression, operation: nameOf(names, asker) };
}

/** Returns whether a callback belongs to an operation, not to a webhook. */
function isOutgoing({ trigger }: IncomingPlace): boolean {
  return trigger.kind === "callback" && "path" in trigger.asker;
}

function targetsOf(
  places: readonly OperationPlace[],
  read: readonly ReadOperation[],
  leftOut: readonly SourceValue[],
): LinkTargets {
  const byNode = new Map(read.map(({ place, operation }) => [place.node, operation]));
  const byId = new Map<string, Operation>();
  for (const { operationId, place } of places) {
    const operation = byNode.get(place.node);
    if (operationId !== undefined && operation !== undefined && !byId.has(operationId))
      byId.set(operationId, operation);
  }
  const skippedIds = new Set(leftOut.flatMap((place) => place.member("operationId")?.string ?? []));
  return { byNode, byId, skippedIds, skippedNodes: new Set(leftOut.map(({ node }) => node)) };
}

function linksOf(reading: Reading, { links }: ReadOperation, targets: LinkTargets): readonly Link[] {
  return links.flatMap(([name, item, status]) => {
    const link = readLink(reading, name, item, targets);
    return link === undefined ? [] : [status === undefined ? link : { ...link, status }];
  });
}
