import type { PageEndpoint } from "../src/page-configuration.ts";

/** The key that was typed for an endpoint in this tab; empty when there was none. It is forgotten with the tab. */
export function keptKey(endpoint: PageEndpoint): string {
  return sessionStorage.getItem(storageName(endpoint)) ?? "";
}

/** Keeps a key for as long as the tab is open; an empty one is forgotten. */
export function keepKey(endpoint: PageEndpoint, key: string): void {
  if (key === "") sessionStorage.removeItem(storageName(endpoint));
  else sessionStorage.setItem(storageName(endpoint), key);
}

function storageName({ url }: PageEndpoint): string {
  return `key of ${new URL(url, document.baseURI).href}`;
}
