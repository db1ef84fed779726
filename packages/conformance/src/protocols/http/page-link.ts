import { isRecord } from "@nodewright/api-model";
import { linkTarget } from "../../inference/page-members.ts";
import { plainName } from "../../compare/volatile-names.ts";
import type { PlainRequest } from "../../contract/exchange.ts";
import type { Input, PageLink, PageLinks } from "../../properties/operation.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import type { Observation } from "./http-context.ts";
import { requestOf } from "./http-request.ts";

type PageRelation = "first" | "prev" | "next" | "last";

/** Links of one answer by their relation: the address as it stands there, `null` where the answer says that there is no such page. */
interface LinkTexts {
  readonly header: ReadonlyMap<PageRelation, string>;
  readonly body: ReadonlyMap<PageRelation, string | null>;
}

const relations: Readonly<Record<string, PageRelation>> = {
  first: "first",
  prev: "prev",
  previous: "prev",
  next: "next",
  last: "last",
};

/** The links to other pages of an answer: of its header `Link` (RFC 8288), and of members that are called as relations are. */
export function pageLinksOf({ judged }: Pick<Observation, "judged">): LinkTexts {
  const text = judged.answer.headers.get("link");
  return { header: text === undefined ? new Map() : headerLinks(text), body: bodyLinks(judged.value) };
}

/** Links of a header; of several with one relation, the first (RFC 8288, section 3). */
function headerLinks(text: string): ReadonlyMap<PageRelation, string> {
  const found = new Map<PageRelation, string>();
  for (const [, target = "", parameters = ""] of text.matchAll(
    /<([^<>]*)>((?:\s*;\s*[^\s=;,]+(?:=(?:"[^"]*"|[^",;]*))?)*)/g,
  )) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    for (const name of (rel?.[1] ?? rel?.[2] ?? "").toLowerCase().split(/\s+/)) {
      const relation = relations[name];
      if (relation !== undefined && !found.has(relation)) found.set(relation, target);
    }
  }
  return found;
}

/** `next`, `next_url`, `nextPageUrl`, `@odata.nextLink`, alone or within `links`, as an address or as `{"href": …}`. */
function bodyLinks(value: unknown): ReadonlyMap<PageRelation, string | null> {
  const found = new Map<PageRelation, string | null>();
  if (!isRecord(value)) return found;
  for (const [name, member] of Object.entries(value)) {
    if (isRecord(member) && /^(?:links?|paging|pagination|page|pageinfo|meta|metadata)$/.test(plainName(name))) {
      for (const [relation, target] of bodyLinks(member)) found.set(relation, target);
    }
    const word = plainName(name)
      .replace(/^odata/, "")
      .replace(/(?:page)?(?:url|uri|link|href)?$/, "");
    const relation = relations[word];
    if (relation === undefined) continue;
    const target = isRecord(member) ? member["href"] : member;
    if (target === null) found.set(relation, null);
    else if (typeof target === "string" && linkTarget(target) !== undefined) found.set(relation, target);
  }
  return found;
}

/** Property of an input that follows a link: what it leads to in place of what its parameters make. */
const followed = "link to follow";

/** Returns whether an input follows a link, and which one. */
export function linkKindOf(input: Input): "header" | "body" | undefined {
  const target = input[followed];
  return isRecord(target) ? (target["isOfHeader"] === true ? "header" : "body") : undefined;
}

/** Returns the request of an input that follows a link. */
export function followRequest(
  operation: SuiteHttpOperation,
  { [followed]: target, ...input }: Input,
): PlainRequest | undefined {
  const request = requestOf(operation, input);
  return request === undefined || !isRecord(target)
    ? undefined
    : { ...request, path: String(target["path"]), query: String(target["query"]) };
}

/** Returns the inputs that follow the links of a page: those of its header, else those of its body. */
export function followedLinks(baseUrl: string, observation: Observation): PageLinks | undefined {
  const { header, body } = pageLinksOf(observation);
  const links: ReadonlyMap<PageRelation, string | null> = header.size > 0 ? header : body;
  if (links.size === 0) return undefined;
  const found = (["next", "prev", "last"] as const).flatMap((relation) => {
    const target = links.get(relation);
    return target === undefined
      ? []
      : [[relation, target === null ? null : linkOf(baseUrl, observation, target, header.size > 0)] as const];
  });
  return { isOfHeader: header.size > 0, ...Object.fromEntries(found) };
}

/** The input that follows a link: below the target's address, or to the same path where a proxy hides which one that is. */
function linkOf(baseUrl: string, { input, request }: Observation, target: string, isOfHeader: boolean): PageLink {
  const base = URL.parse(baseUrl);
  if (base === null || linkTarget(target) === undefined) return "elsewhere";
  const prefix = base.pathname.replace(/\/+$/, "");
  const url = URL.parse(
    target,
    `${base.origin}${prefix}${request.path}${request.query === "" ? "" : `?${request.query}`}`,
  );
  const query = url?.search.slice(1) ?? "";
  const linkTo = (path: string): PageLink => ({ ...input, [followed]: { path, query, isOfHeader } });
  if (url?.pathname.endsWith(request.path) === true) return linkTo(request.path);
  const isHere = url !== null && url.host === base.host && url.pathname.startsWith(`${prefix}/`);
  return isHere ? linkTo(url.pathname.slice(prefix.length)) : "elsewhere";
}
