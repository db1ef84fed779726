import type { HttpBinding, IncomingOperation, Link, Operation } from "@nodewright/model";
import type { Located } from "@nodewright/source";
import { findCallbacks, findWebhooks, type IncomingPlace } from "./incoming-places.ts";
import { type LinkTargets, readLink } from "./link-reader.ts";
import { nameOperations, type OperationNames } from "./operation-names.ts";
import { findOperations, type OperationPlace } from "./operation-places.ts";
import type { OperationReader, ReadOperation } from "./operation-reader.ts";
import type { Reading } from "./reading.ts";

/** All that can be asked, in both directions. */
export interface Operations {
  readonly operations: readonly Operation[];
  readonly incoming: readonly IncomingOperation[];
  /** Operations that are left out, because the configuration says so or because they use what is not supported. */
  readonly leftOut: readonly Located[];
}

/** Readers of what goes out and what comes in: what one read of the components, the other need not read again. */
export interface OperationReaders {
  readonly outgoing: OperationReader;
  readonly incoming: OperationReader;
}

/** Every operation, webhook and callback of the document, in document order. */
export function readOperations(reading: Reading, document: Located, readers: OperationReaders): Operations {
  const found = findOperations(reading, document);
  const webhooks = findWebhooks(reading, document);
  const kept = found.filter(isKept);
  const callbacks = findCallbacks(reading, [...kept, ...webhooks.filter(isKept)]);
  const calls = [...webhooks, ...callbacks];
  const keptCalls = calls.filter(isKept);
  reportUnknownChoices(reading, document, [...found, ...calls]);
  const names = nameOperations(reading, [...kept, ...keptCalls]);
  const leftOut = [...found, ...calls].filter((one) => !isKept(one)).map(({ place }) => place);
  const read = kept.flatMap((place) => {
    const frame = frameOf(place, names);
    return supported(reading, leftOut, () => readers.outgoing.read(frame)) ?? [];
  });
  const targets = targetsOf(kept, read, leftOut);
  const operations = read.map((one) => ({ ...one.operation, links: linksOf(reading, one, targets) }));
  const incoming = keptCalls.flatMap((place) => {
    const frame = incomingFrame(place, names);
    const one = supported(reading, leftOut, () => readers.incoming.read(frame));
    const trigger = one && triggerOf(place, names);
    return one === undefined || trigger === undefined ? [] : [{ ...one.operation, trigger }];
  });
  return { operations, incoming, leftOut };
}

function isKept({ choice }: { readonly choice: OperationPlace["choice"] }): boolean {
  return choice.skip !== true;
}

/** What was read, unless it uses something that is not supported and such operations are left out. */
function supported(reading: Reading, leftOut: Located[], read: () => ReadOperation): ReadOperation | undefined {
  const before = reading.unsupported.count;
  const result = read();
  if (reading.unsupported.count === before || reading.choices.skipUnsupported !== true) return result;
  leftOut.push(result.place);
  return undefined;
}

function nameOf(names: OperationNames, place: OperationPlace | IncomingPlace): string {
  const name = names.get(place);
  if (name === undefined) throw new Error(`${place.origin} was given no name`);
  return name;
}

function frameOf(place: OperationPlace, names: OperationNames): Parameters<OperationReader["read"]>[0] {
  const { method, path, holeSource } = place;
  const binding: HttpBinding = { kind: "http", method, path };
  return { ...place, name: nameOf(names, place), binding, holeSource: (name) => holeSource(name) };
}

function incomingFrame(place: IncomingPlace, names: OperationNames): Parameters<OperationReader["read"]>[0] {
  const name = nameOf(names, place);
  const binding: HttpBinding = { kind: "http", method: place.method, path: `/${name}` };
  return { name, origin: place.origin, binding, pathItem: place.pathItem, place: place.place };
}

/** What makes a call; undefined when it was asked for by an operation that is left out. */
function triggerOf({ trigger }: IncomingPlace, names: OperationNames): IncomingOperation["trigger"] | undefined {
  if (trigger.kind === "webhook") return trigger;
  const { name, expression, asker } = trigger;
  const operation = names.get(asker);
  return operation === undefined ? undefined : { kind: "callback", name, expression, operation };
}

function targetsOf(
  places: readonly OperationPlace[],
  read: readonly ReadOperation[],
  leftOut: readonly Located[],
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
  return links.flatMap(([name, item]) => readLink(reading, name, item, targets) ?? []);
}

/** The configuration may name an operation that was renamed or removed since. */
function reportUnknownChoices(
  reading: Reading,
  document: Located,
  places: readonly (OperationPlace | IncomingPlace)[],
): void {
  const known = new Set(places.flatMap(({ operationId, origin }) => [operationId ?? origin, origin]));
  for (const operation of Object.keys(reading.choices.operations ?? {})) {
    if (!known.has(operation)) {
      const paths = document.member("paths") ?? document;
      reading.report("unknown-choice", paths.source, { operation });
    }
  }
}
