import { lineWidth } from "../code/code.ts";

/** What a generated directory was made from and what it holds: `src/gen/manifest.json`, the only record there is. */
export interface Manifest {
  /** The document, from the root of the configuration. */
  readonly document: string;
  /** Digests of every file that was read, by name. */
  readonly inputs: Readonly<Record<string, string>>;
  /** One digest of the generator's own sources, templates and version. */
  readonly generator: string;
  /** One digest of what the configuration says about this document. */
  readonly configuration: string;
  /** Digests of the generated files, by path from the directory of the manifest. */
  readonly files: Readonly<Record<string, string>>;
  /** Operations that have been offered a handler stub. */
  readonly operations: readonly string[];
  readonly handlers?: HandlersRecord;
  /** How many warnings of each code the document gave; absent when there were none. */
  readonly warnings?: Readonly<Record<string, number>>;
}

/** What the generator keeps complete in a handlers' directory. */
export interface HandlersRecord {
  /** Digests of the generator's own files there, by path from the root of the configuration. */
  readonly owned: Readonly<Record<string, string>>;
  /** Names of the handlers that were there. */
  readonly present: readonly string[];
  /** What operations are known by when they have another name: of those in the document, and of those gone that still have a handler. */
  readonly shapes?: Readonly<Record<string, string>>;
  /** Operations that look renamed → what they could be called now. New names in it have not been offered a stub. */
  readonly proposed?: Readonly<Record<string, readonly string[]>>;
}

export const manifestName = "manifest.json";

/** As the formatter lays JSON out: a list stands on one line where it fits. */
export function serializeManifest(manifest: Manifest): string {
  return `${jsonText(manifest, "", 0)}\n`;
}

type JsonTree = string | number | readonly JsonTree[] | { readonly [name: string]: JsonTree };

/** `taken` counts the characters that stand on the line beside the value. */
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

/** Undefined when the text is no manifest: whatever it is, it says nothing about the files beside it. */
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
