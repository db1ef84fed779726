import { linkTarget, membersAround } from "./page-members.ts";

export type PageRelation = "first" | "prev" | "next" | "last";

/** Links of one response by their relation: the URL as written, `null` where the response reports that there is no such page. */
export interface LinkTexts {
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

/** Returns the links to other pages: those of a header `Link` (RFC 8288), and those of members with the names of relations. */
export function pageLinksIn(header: string | undefined, value: unknown): LinkTexts {
  return { header: header === undefined ? new Map() : headerLinks(header), body: bodyLinks(value) };
}

/** Returns the links of a header; of several with one relation, the first (RFC 8288, section 3). */
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

/**
 * Returns the links of members: `next`, `next_url`, `nextPageUrl`, `@odata.nextLink`, directly or within `links`, as a URL or as `{"href":
 * …}`.
 */
function bodyLinks(value: unknown): ReadonlyMap<PageRelation, string | null> {
  const found = new Map<PageRelation, string | null>();
  for (const { name, value: target } of membersAround(value)) {
    const relation = relations[name.replace(/^odata/, "").replace(/(?:page)?(?:url|uri|link|href)?$/, "")];
    if (relation === undefined) continue;
    if (target === null || (typeof target === "string" && linkTarget(target) !== undefined))
      found.set(relation, target);
  }
  return found;
}
