// OpenAPI 3.1, section 4.8.20: Link Object.
import type { JsonValue, Link, Operation } from "@nodewright/model";
import type { SourceValue, SourceNode } from "@nodewright/source";
import { suggestion } from "./parameter-style.ts";
import { follow, type Reading } from "./reading.ts";

/** Possible targets of links. */
export interface LinkTargets {
  readonly byId: ReadonlyMap<string, Operation>;
  readonly byNode: ReadonlyMap<SourceNode, Operation>;
  /** Operations that are left out: links to them are not errors. */
  readonly skippedIds: ReadonlySet<string>;
  readonly skippedNodes: ReadonlySet<SourceNode>;
}

/** Reads a link once all operations are known; undefined if it has no valid target. */
export function readLink(reading: Reading, name: string, item: SourceValue, targets: LinkTargets): Link | undefined {
  const followed = follow(reading, item);
  if (followed === undefined) return undefined;
  const { place, description } = followed;
  const target = findTarget(reading, name, place, targets);
  if (target === undefined) return undefined;
  const inputs: Record<string, JsonValue> = {};
  const parameters = place.member("parameters");
  for (const [parameter, value] of parameters?.members ?? []) {
    const property = propertyOf(target, parameter);
    if (property !== undefined) inputs[property] = value.value as JsonValue;
    else {
      const source = parameters?.keySource(parameter) ?? value.source;
      reading.report("unknown-link-parameter", source, { name, parameter, target: target.origin });
    }
  }
  const body = place.member("requestBody");
  if (body !== undefined && target.body !== undefined) inputs["body"] = body.value as JsonValue;
  return {
    name,
    operation: target.name,
    inputs,
    source: item.source,
    ...(description === undefined ? {} : { description }),
  };
}

/** Reports a link with no target, or with two. Returns whether the target is unambiguous. */
export function checkLinkTarget(reading: Reading, name: string, place: SourceValue): boolean {
  const hasId = place.has("operationId");
  if (hasId !== place.has("operationRef")) return true;
  const problem = hasId ? "has both an operationId and an operationRef" : "leads nowhere";
  reading.report("link-without-target", place.source, { name, problem });
  return false;
}

function findTarget(reading: Reading, name: string, place: SourceValue, targets: LinkTargets): Operation | undefined {
  if (!checkLinkTarget(reading, name, place)) return undefined;
  const id = place.member("operationId");
  const reference = place.member("operationRef");
  if (reference !== undefined) return targetOfReference(reading, name, reference, targets);
  const operationId = id?.string ?? String(id?.value);
  const found = targets.byId.get(operationId);
  if (found !== undefined || targets.skippedIds.has(operationId)) return found;
  reading.report("unknown-link-target", id?.source ?? place.source, {
    name,
    operationId,
    suggestion: suggestion(operationId, [...targets.byId.keys()]),
  });
  return undefined;
}

function targetOfReference(
  reading: Reading,
  name: string,
  reference: SourceValue,
  targets: LinkTargets,
): Operation | undefined {
  const place = reading.documents.resolveOnce(reference);
  if (place === undefined) return undefined;
  const found = targets.byNode.get(place.node);
  if (found === undefined && !targets.skippedNodes.has(place.node)) {
    const problem = `refers to "${reference.string}", which is not an operation`;
    reading.report("link-without-target", reference.source, { name, problem });
  }
  return found;
}

/** Returns the input that a link's parameter refers to: by name, or by location and name as in `path.id`. */
function propertyOf({ parameters }: Operation, wanted: string): string | undefined {
  const [, location, name] = /^(path|query|header|cookie)\.(.*)$/s.exec(wanted) ?? [];
  const qualified = parameters.find((one) => one.location === location && one.name === name);
  return (qualified ?? parameters.find((one) => one.name === wanted))?.property;
}
