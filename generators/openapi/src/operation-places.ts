// OpenAPI 3.1, sections 4.8.8 (Paths Object) and 4.8.9 (Path Item Object).
import { httpMethods } from "@nodewright/api-model";
import type { HttpBinding, OperationSelection } from "@nodewright/model";
import type { SourceValue, SourceRange } from "@nodewright/source";
import { type PathItem, readPathItem } from "./path-item.ts";
import { checkPathTemplate, forbiddenCharacter, shapeOf, sourceInKey } from "./path-template.ts";
import type { Reading } from "./reading.ts";

/** An operation before it is read. */
export interface OperationPlace {
  readonly method: HttpBinding["method"];
  readonly path: string;
  readonly pathItem: PathItem;
  readonly place: SourceValue;
  /** Method and path: `GET /pets`. */
  readonly origin: string;
  readonly operationId?: string;
  readonly selection: OperationSelection;
  /** Returns the range of a path parameter in the path template, for diagnostics. */
  pathParameterSource(name: string): SourceRange;
}

/** Members of a path item that contain operations, in any version of OpenAPI, with their methods. */
const methodsByMember: ReadonlyMap<string, HttpBinding["method"]> = new Map(
  httpMethods.map((method) => [method.toLowerCase(), method]),
);

/** Returns whether a member of a path item contains an operation, in any version of OpenAPI. */
export function isOperationMember(member: string): boolean {
  return methodsByMember.has(member);
}

/** Returns the method of a member of a path item; undefined for other members. */
export function methodOf(reading: Reading, member: string): HttpBinding["method"] | undefined {
  return member === "query" && reading.version !== "3.2" ? undefined : methodsByMember.get(member);
}

/** Returns every operation under `paths`, in document order. */
export function findOperations(reading: Reading, document: SourceValue): readonly OperationPlace[] {
  const paths = document.member("paths");
  if (paths === undefined) return [];
  const firstUses = new Map<string, string>();
  return paths.members.flatMap(([path, item]) => {
    if (path.startsWith("x-")) return [];
    checkPathTemplate(reading, paths, path);
    const pathItem = readPathItem(reading, item);
    if (pathItem === undefined) return [];
    noteServers(reading, pathItem.member("servers"));
    const places = operationsOfItem(reading, paths, path, pathItem);
    for (const { method, origin } of places) {
      const request = `${method} ${shapeOf(path)}`;
      const firstUse = firstUses.get(request);
      if (firstUse === undefined) firstUses.set(request, origin);
      else reading.report("duplicate-path", paths.keySource(path), { origin, firstUse });
    }
    return places.filter((place) => isMatched(reading, paths, place));
  });
}

function operationsOfItem(
  reading: Reading,
  paths: SourceValue,
  path: string,
  pathItem: PathItem,
): readonly OperationPlace[] {
  return pathItem.members.flatMap(([member, place]) => {
    if (member === "additionalOperations" && reading.version === "3.2") reportOtherMethods(reading, place, path);
    const method = methodOf(reading, member);
    if (method === undefined || !place.isObject) return [];
    noteServers(reading, place.member("servers"));
    const operationId = reading.members.text(place, "operationId");
    const origin = `${method} ${path}`;
    return [
      {
        method,
        path,
        pathItem,
        place,
        origin,
        ...(operationId === undefined ? {} : { operationId }),
        selection: selectionOf(reading, operationId, origin),
        pathParameterSource: (name) => sourceInKey(paths, path, `{${name}}`),
      },
    ];
  });
}

/** Reports methods that HTTP does not define. They are not supported: servers do not even parse most of them. */
function reportOtherMethods(reading: Reading, place: SourceValue, path: string): void {
  for (const [method, operation] of place.members) {
    const operationId = operation.member("operationId")?.string;
    if (selectionOf(reading, operationId, `${method} ${path}`).skip === true) continue;
    reading.report("unsupported-method", place.keySource(method), { method });
  }
}

function isMatched(reading: Reading, paths: SourceValue, { path, selection }: OperationPlace): boolean {
  const character = forbiddenCharacter(path);
  if (character === undefined || selection.skip === true) return true;
  reading.report("unsupported-path", sourceInKey(paths, path, character), { path, character });
  return false;
}

/** Returns the configuration of an operation, by its operationId or by its method and path. */
export function selectionOf(reading: Reading, operationId: string | undefined, origin: string): OperationSelection {
  const { operations = {} } = reading.readOptions;
  const name = [operationId, origin].find((one) => one !== undefined && Object.hasOwn(operations, one));
  return (name === undefined ? undefined : operations[name]) ?? {};
}

export function noteServers(reading: Reading, servers: SourceValue | undefined): void {
  if (servers === undefined || servers.items.length === 0) return;
  reading.habits.note("servers-of-operations", servers.source, (source, others) =>
    reading.report("servers-of-operations", source, { others }),
  );
}
