import { lineWidth } from "../code/code.ts";

/** The inputs and the content of a generated directory: `src/gen/manifest.json`, the only record. */
export interface Manifest {
  /** The document, relative to the root of the configuration. */
  readonly document: string;
  /** Digests of every file that was read, by name. */
  readonly inputs: Readonly<Record<string, string>>;
  /** One digest of the generator's own sources, templates and version. */
  readonly generator: string;
  /** One digest of the configuration of this document. */
  readonly configuration: string;
  /** Digests of the generated files, by path relative to the directory of the manifest. */
  readonly files: Readonly<Record<string, string>>;
  /** Operations that have been offered a handler stub. */
  readonly operations: readonly string[];
  readonly handlers?: HandlersRecord;
  /** Number of warnings of the document by code; absent when there were none. */
  readonly warnings?: Readonly<Record<string, number>>;
}

/** The part of a handlers' directory that the generator keeps complete. */
export interface HandlersRecord {
  /** Digests of the generator's own files there, by path relative to the root of the configuration. */
  readonly owned: Readonly<Record<string, string>>;
  /** Names of the handlers that existed. */
  readonly present: readonly string[];
  /** Shapes that identify operations after a rename: of those in the document, and of removed ones that still have a handler. */
  readonly shapes?: Readonly<Record<string, string>>;
  /** Operations that look renamed → their possible new names. New names in it have not been offered a stub. */
  readonly proposed?: Readonly<Record<string, readonly string[]>>;
}

/** Name of the file in `src/gen/` that lists the generated files with their digests. */
export const manifestName = "manifest.json";

/** Serializes a manifest as the formatter lays out JSON: a list is on one line where it fits. */
export function serializeManifest(manifest: Manifest): string {
  return `${jsonText(manifest, "", 0)}\n`;
}

type JsonTree = string | number | readonly JsonTree[] | { readonly [name: string]: JsonTree };

/** Returns the JSON of a value. `taken` is the number of characters on the line next to the value. */
function jsonText(value: Manifest | JsonTree, indent: string, taken: number): string {
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item: JsonTree) => jsonText(item, inner, 0));
    const line = `[${items.join(", ")}]`;
    return taken + line.length <= lineWidth ? line : block("[", items, "]", indent);
  }
  const entries = Object.entries(value as { readonly [name: string]: JsonTree });
  if (entries.length === 0) return "{}";
  const members = entries.map(([name, member], index) => {
    const start = `${JSON.stringify(name)}: `;
    const comma = index === entries.length - 1 ? 0 : 1;
    return `${start}${jsonText(member, inner, inner.length + start.length + comma)}`;
  });
  return block("{", members, "}", indent);
}

function block(open: string, parts: readonly string[], close: string, indent: string): string {
  return `${open}\n${parts.map((part) => `${indent}  ${part}`).join(",\n")}\n${indent}${close}`;
}

/** Parses a manifest; undefined when the text is not one: it is then no evidence about the files next to it. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isManifest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== "object" || value === null) return false;
  const { document, inputs, generator, configuration, files, operations } = value as Partial<
    Record<keyof Manifest, unknown>
  >;
  return (
    typeof document === "string" &&
    typeof generator === "string" &&
    typeof configuration === "string" &&
    isTextRecord(inputs) &&
    isTextRecord(files) &&
    Array.isArray(operations)
  );
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return (
    typeof value === "object" && value !== null && Object.values(value).every((member) => typeof member === "string")
  );
}
