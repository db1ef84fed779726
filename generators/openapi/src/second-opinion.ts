import {
  addWithParents,
  createReport,
  type Diagnostic,
  type DiagnosticSink,
  type Located,
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

export interface OpinionOptions {
  readonly version: OpenApiVersion;
  readonly sink: DiagnosticSink;
  /** What nobody wants to hear of. */
  readonly skipped: LeftOut;
}

/**
 * Holds a document against the official schema of its version, and adds what that finds at the places where it finds it. What
 * our own reading has told is not told again in its words.
 */
export async function addSecondOpinion(
  document: SourceDocument,
  { version, sink, skipped }: OpinionOptions,
): Promise<void> {
  const check = await officialCheck(version);
  const findings = check(document.root.value);
  if (findings.length === 0) return;
  const report = createReport("openapi", openapiDiagnostics, sink);
  const told = reportedOf(document, sink.diagnostics);
  for (const finding of relevantFindings(findings)) {
    const place = document.root.nearest(pointerTokens(finding.instancePath) ?? []);
    const key = namedKey(finding);
    const source = key === undefined ? place.source : place.keySource(key);
    if (skipped.has(source.pointer) || isReported(finding, source, told)) continue;
    report("schema-violation", source, { problem: sentence(finding, place) });
  }
}

/** Messages of our own by the pointer of their place. */
type Told = ReadonlyMap<string, readonly string[]>;

function reportedOf({ file }: SourceDocument, diagnostics: readonly Diagnostic[]): Told {
  const errors = diagnostics.filter(({ severity, source, code }) => isFault(severity, code) && source.file === file);
  const groups = Map.groupBy(errors, ({ source }) => source.pointer);
  return new Map([...groups].map(([pointer, group]) => [pointer, group.map(({ message }) => message)]));
}

/** An optional path parameter may be forgiven, and is then no error. */
function isFault(severity: Diagnostic["severity"], code: string): boolean {
  return severity === "error" || code === "openapi/optional-path-parameter";
}

/** An object may lack several members: only the same one is told already. */
function isReported({ keyword, params }: ErrorObject, { pointer }: SourceRange, told: Told): boolean {
  const messages = told.get(pointer);
  if (messages === undefined) return false;
  if (keyword !== "required") return true;
  const missing = String(params["missingProperty"]);
  return messages.some((message) => message.includes(`"${missing}"`) || message.includes(`"${missing}: `));
}

/**
 * The findings that are mistakes of their own. That the consequence of a condition is not met counts only where nothing says why; and
 * a member that the schema knows counts as unknown only where nothing else is wrong, for an object with a mistake leaves its members
 * unevaluated.
 */
function relevantFindings(findings: readonly ErrorObject[]): readonly ErrorObject[] {
  const reasons = new Set<string>();
  const isReason = ({ keyword, propertyName }: ErrorObject): boolean =>
    keyword !== "if" && keyword !== "unevaluatedProperties" && propertyName === undefined;
  for (const { instancePath } of findings.filter(isReason)) addWithParents(reasons, instancePath);
  // An unknown member is wrong with what stands around its object, not with its object alone.
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
    // What is no object lacks nothing: `not: { required }` is not meant for it.
    if (keyword === "not" && mistyped.has(instancePath)) return false;
    if (keyword !== "unevaluatedProperties") return true;
    return !reasons.has(instancePath) || !known.has(String(params["unevaluatedProperty"]));
  });
}

/** Names that stand under `properties` of the schemas that were not met, at any depth. */
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

/** The key that the finding is with, where it is not with the value. */
function namedKey({ params }: ErrorObject): string | undefined {
  return (params["additionalProperty"] ?? params["unevaluatedProperty"] ?? params["propertyName"]) as
    | string
    | undefined;
}

function sentence(finding: ErrorObject, place: Located): string {
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

/** `not: { required: [a, b] }` says that of two members only one may stand. */
function exclusion(schema: unknown): string {
  const required = (schema as { readonly required?: readonly string[] }).required ?? [];
  const names = required.map((name) => `"${name}"`);
  return names.length > 1 ? `Only one of ${names.join(" and ")} may stand here` : "This may not stand here";
}
