import { type Page, type PageConfiguration, type PageFile, readPage } from "@nodewright/graphiql-page";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { acceptedCoding, compress, type ContentCoding } from "../response/content-coding.ts";
import { matchesEntityTag, encodedEntityTag } from "../response/entity-tags.ts";

/** Path of the page; its files are at `/docs/assets/`. */
const docsPath = "/docs";

/** Description of the page for a listener. */
export interface Docs {
  readonly configuration: PageConfiguration;
  /** Origins that the page may call, in the syntax of `connect-src` (Content Security Policy 3, section 6.1.2). */
  readonly allowedOrigins: readonly string[];
}

/**
 * Adds GraphiQL to a listener: static files that need no key and load nothing from other origins.
 *
 * They are read at the first request. `docs` is called for each page, since its result may not be known yet.
 */
export function addDocs(instance: FastifyInstance, docs: () => Docs): void {
  let page: Page | undefined;
  const loadPage = (): Page => {
    page ??= readPage();
    return page;
  };
  instance.get(docsPath, (request, reply) => {
    const { configuration, allowedOrigins } = docs();
    reply.header("content-security-policy", policyOf(allowedOrigins)).header("cache-control", "no-cache");
    return sendFile(request, reply, loadPage().document(configuration));
  });
  // With a trailing slash, the relative URLs of the page would resolve to other paths.
  instance.get(`${docsPath}/`, (_request, reply) => reply.redirect(`..${docsPath}`, 308));
  instance.get<{ Params: { name: string } }>(`${docsPath}/assets/:name`, (request, reply) => {
    const file = loadPage().findFile(request.params.name);
    if (file === undefined) return sendText(reply, 404, "Not found");
    reply.header("cache-control", file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache");
    return sendFile(request, reply, file);
  });
  for (const url of [docsPath, `${docsPath}/`, `${docsPath}/assets/:name`]) {
    instance.route({
      method: ["POST", "PUT", "PATCH", "DELETE"],
      url,
      // In the first hook, because the body is read before a handler is called.
      onRequest: (_request, reply) => {
        sendText(reply.header("allow", "GET, HEAD"), 405, "Method not allowed: use GET or HEAD");
      },
      handler: async () => undefined,
    });
  }
}

/** Returns a Content Security Policy that allows only content of this origin, and requests to the endpoints. */
function policyOf(allowedOrigins: readonly string[]): string {
  return [
    "default-src 'self'",
    "img-src 'self' data:",
    `connect-src ${allowedOrigins.length === 0 ? "'none'" : allowedOrigins.join(" ")}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): Promise<FastifyReply> {
  const accepted = request.headers["accept-encoding"];
  const coding = acceptedCoding(Array.isArray(accepted) ? accepted.join(",") : accepted);
  const tag = encodedEntityTag(file.etag, coding);
  reply
    .header("etag", tag)
    .header("vary", "accept-encoding")
    .header("x-content-type-options", "nosniff")
    .header("referrer-policy", "no-referrer")
    .header("cross-origin-opener-policy", "same-origin")
    .header("cross-origin-resource-policy", "same-origin");
  const known = request.headers["if-none-match"];
  if (known !== undefined && matchesEntityTag(known, tag)) return reply.code(304).send();
  reply.type(file.type);
  if (coding === undefined) return reply.send(file.content);
  return reply.header("content-encoding", coding).send(await compressed(file, coding));
}

const compressedFiles = new WeakMap<PageFile, Map<ContentCoding, Promise<Buffer>>>();

/** Compresses a file once for all requests. */
function compressed(file: PageFile, coding: ContentCoding): Promise<Buffer> {
  const ofFile = compressedFiles.get(file) ?? new Map<ContentCoding, Promise<Buffer>>();
  compressedFiles.set(file, ofFile);
  const content = ofFile.get(coding) ?? compress(file.content, coding);
  ofFile.set(coding, content);
  return content;
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type("text/plain; charset=utf-8").send(text);
}
