import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { PageConfiguration } from "./page-configuration.ts";
import { type PageParts, renderPage } from "./render-page.ts";

/** A file of the page, as it is served. */
export interface PageFile {
  readonly content: Buffer;
  /** Media type. */
  readonly type: string;
  /** A strong tag (RFC 9110, section 8.8.3), with its quotes. */
  readonly etag: string;
  /** Its name changes with its content, so that it may be kept for ever. */
  readonly isImmutable: boolean;
}

/** GraphiQL, ready to be served. */
export interface Page {
  /** The document that loads the others, relative to its own address: `docs` loads `docs/assets/<name>`. */
  document(configuration: PageConfiguration): PageFile;
  /** One of the others. */
  findFile(name: string): PageFile | undefined;
}

/** Reads the page, 1.4 MB, into memory. Throws when it has not been built. `directory` ends with a slash. */
export function readPage(directory: string = builtPage): Page {
  const { entry, style } = JSON.parse(readParts(directory)) as Pick<PageParts, "entry" | "style">;
  const files = new Map<string, PageFile>();
  for (const name of readdirSync(directory)) {
    const type = types[name.slice(name.lastIndexOf("."))];
    if (type !== undefined) files.set(name, createFile(readFileSync(directory + name), type, name !== licences));
  }
  return {
    document: (configuration) =>
      createFile(Buffer.from(renderPage(configuration, { entry, style, licences })), "text/html; charset=utf-8", false),
    findFile: (name) => files.get(name),
  };
}

function readParts(directory: string): string {
  try {
    return readFileSync(`${directory}page.json`, "utf8");
  } catch (error) {
    throw new Error("GraphiQL has not been built: npm run bundle builds it", { cause: error });
  }
}

const licences = "licences.txt";

/** The same from the sources and from what was compiled of them. */
const builtPage: string = fileURLToPath(new URL("../dist/page/", import.meta.url));

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

function createFile(content: Buffer, type: string, isImmutable: boolean): PageFile {
  const digest = createHash("sha256").update(content).digest("base64url").slice(0, 22);
  return { content, type, etag: `"${digest}"`, isImmutable };
}
