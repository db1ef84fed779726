import { isRecord } from "@nodewright/api-model";
import { linkTarget } from "../../inference/page-members.ts";
import { type LinkTexts, pageLinksIn, type PageRelation } from "../../inference/page-links.ts";
import type { PlainRequest } from "../../contract/exchange.ts";
import type { Input, PageLink, PageLinks } from "../../properties/operation.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import type { Observation } from "./http-context.ts";
import { requestOf } from "./http-request.ts";

/** Returns the links of a response to other pages. */
export function pageLinksOf({ checked }: Pick<Observation, "checked">): LinkTexts {
  return pageLinksIn(checked.response.headers.get("link"), checked.value);
}

/** Property of an input that follows a link; its target replaces the URL of the parameters. */
const followed = "link to follow";

/** Returns the source of the link that an input follows; `undefined` when it follows none. */
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

/** Returns the input that follows a link: below the target's base URL, or to the same path, since a proxy may hide the public URL. */
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
