import { isRecord } from "@nodewright/api-model";
import { linkTarget } from "../../inference/page-members.ts";
import { plainName } from "../../compare/volatile-names.ts";
import type { Observation } from "./http-context.ts";

/** What a page says of the pages around it. */
export type PageRelation = "first" | "prev" | "next" | "last";

/** Links of one answer by their relation: the address as it stands there, `null` where the answer says that there is no such page. */
export interface PageLinks {
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
export function pageLinksOf({ judged }: Pick<Observation, "judged">): PageLinks {
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
