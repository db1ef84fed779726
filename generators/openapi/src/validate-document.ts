import {
  addWithParents,
  createReport,
  type Diagnostic,
  type DiagnosticSink,
  type SourceValue,
  pointerTokens,
  type SourceDocument,
  type SourceRange,
  withArticle,
} from "@nodewright/source";
import type { ErrorObject } from "ajv";
import type { LeftOut } from "./left-out.ts";
import { officialCheck } from "./official-schema.ts";
import { openapiDiagnostics } from "./openapi-diagnostics.ts";
import { suggestion } from "./parameter-style.ts";
import type { OpenApiVersion } from "./reading.ts";

export interface ValidationOptions {
  readonly version: OpenApiVersion;
  readonly sink: DiagnosticSink;
  /** Parts of the document whose errors are not reported. */
  readonly skipped: LeftOut;
}

/**
 * Validates a document against the official schema of its version, and reports the errors at their places. Errors that our own readers have
 * reported are not repeated.
 */
export async function validateDocument(
  document: SourceDocument,
  { version, sink, skipped }: ValidationOptions,
): Promise<void> {
  const check = await officialCheck(version);
  const findings = check(document.root.value);
  if (findings.length === 0) return;
  const report = createReport("openapi", openapiDiagnostics, sink);
  const reported = reportedMessages(document, sink.diagnostics);
  for (const finding of relevantFindings(findings)) {
    const place = document.root.nearest(pointerTokens(finding.instancePath) ?? []);
    const key = namedKey(finding);
    const source = key === undefined ? place.source : place.keySource(key);
    if (skipped.has(source.pointer) || isReported(finding, source, reported)) continue;
    report("schema-violation", source, { problem: sentence(finding, place) });
  }
}

/** Messages of our own diagnostics by pointer. */
type ReportedMessages = ReadonlyMap<string, readonly string[]>;

function reportedMessages({ file }: SourceDocument, diagnostics: readonly Diagnostic[]): ReportedMessages {
  const errors = diagnostics.filter(({ severity, source, code }) => isFault(severity, code) && source.file === file);
  const groups = Map.groupBy(errors, ({ source }) => source.pointer);
  return new Map([...groups].map(([pointer, group]) => [pointer, group.map(({ message }) => message)]));
}

/** Returns whether a diagnostic is an error. An optional path parameter may be configured as a warning. */
function isFault(severity: Diagnostic["severity"], code: string): boolean {
  return severity === "error" || code === "openapi/optional-path-parameter";
}

/** Returns whether an error has been reported. An object may lack several members: only errors about the same member are duplicates. */
function isReported({ keyword, params }: ErrorObject, { pointer }: SourceRange, reported: ReportedMessages): boolean {
  const messages = reported.get(pointer);
  if (messages === undefined) return false;
  if (keyword !== "required") return true;
  const missing = String(params["missingProperty"]);
  return messages.some((message) => message.includes(`"${missing}"`) || message.includes(`"${missing}: `));
}

/**
 * Returns the errors that are not consequences of others. A failed condition is included only if no other error explains it. A member that
 * the schema knows counts as unknown only if nothing else is wrong, because an object with an error leaves its members unevaluated.
 */
function relevantFindings(findings: readonly ErrorObject[]): readonly ErrorObject[] {
  const reasons = new Set<string>();
  const isReason = ({ keyword, propertyName }: ErrorObject): boolean =>
    keyword !== "if" && keyword !== "unevaluatedProperties" && propertyName === undefined;
  for (const { instancePath } of findings.filter(isReason)) addWithParents(reasons, instancePath);
  // Errors around the object of an unknown member may cause its error, too.
  for (const { keyword, instancePath } of findings) {
    if (keyword === "unevaluatedProperties" && instancePath !== "")
      addWithParents(reasons, instancePath.slice(0, instancePath.lastIndexOf("/")));
  }
  const explained = new Set(reasons);
  const mistyped = new Set<string>();
  for (const { keyword, instancePath } of findings) {
    if (keyword === "unevaluatedProperties") addWithParents(explained, instancePath);
    if (keyword === "type") mistyped.add(instancePath);
  }
  const known = knownMembers(findings);
  return findings.filter((finding) => {
    const { keyword, instancePath, params, propertyName } = finding;
    if (propertyName !== undefined) return false;
    if (keyword === "if") return !explained.has(instancePath);
    // A value that is not an object has no members to exclude: `not: { required }` does not apply to it.
    if (keyword === "not" && mistyped.has(instancePath)) return false;
    if (keyword !== "unevaluatedProperties") return true;
    return !reasons.has(instancePath) || !known.has(String(params["unevaluatedProperty"]));
  });
}

/** Returns the names under `properties` of the schemas that did not match, at any depth. */
function knownMembers(findings: readonly ErrorObject[]): ReadonlySet<string> {
  const names = new Set<string>();
  const visited = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || visited.has(value)) return;
    visited.add(value);
    for (const [name, member] of Object.entries(value)) {
      if (name === "properties" && typeof member === "object") for (const one of Object.keys(member)) names.add(one);
      visit(member);
    }
  };
  for (const { keyword, parentSchema } of findings) if (keyword === "unevaluatedProperties") visit(parentSchema);
  return names;
}

/** Returns the key that an error is about, if it is not about the value. */
function namedKey({ params }: ErrorObject): string | undefined {
  return (params["additionalProperty"] ?? params["unevaluatedProperty"] ?? params["propertyName"]) as
    | string
    | undefined;
}

function sentence(finding: ErrorObject, place: SourceValue): string {
  const { keyword, params, schema, parentSchema } = finding;
  switch (keyword) {
    case "additionalProperties":
    case "unevaluatedProperties": {
      const known = Object.keys((parentSchema?.["properties"] as object | undefined) ?? {});
      const name = namedKey(finding) ?? "";
      return `"${name}" has no meaning here${suggestion(name, known)}`;
    }
    case "required":
      return `This has no "${String(params["missingProperty"])}", which it has to have`;
    case "type":
      return `This has to be ${[params["type"]].flat().map(String).map(withArticle).join(" or ")}, not ${withArticle(place.typeName)}`;
    case "enum":
      return `This has to be one of ${(schema as readonly unknown[]).map((value) => JSON.stringify(value)).join(", ")}`;
    case "const":
      return `This has to be ${JSON.stringify(schema)}`;
    case "propertyNames":
      return `"${namedKey(finding)}" is not an allowed name here`;
    case "minProperties":
      return "This may not be empty";
    case "pattern":
      return `This does not match the pattern ${String(schema)}`;
    case "not":
      return exclusion(schema);
    default:
      return `This ${(finding.message ?? "does not match the official schema").replace(/\.$/, "")}`;
  }
}

/** Returns the message of `not: { required: [a, b] }`: only one of two members is allowed. */
function exclusion(schema: unknown): string {
  const required = (schema as { readonly required?: readonly string[] }).required ?? [];
  const names = required.map((name) => `"${name}"`);
  return names.length > 1 ? `Only one of ${names.join(" and ")} may stand here` : "This may not stand here";
}
