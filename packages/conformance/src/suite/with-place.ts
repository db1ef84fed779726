import type { Place } from "./suite-type.ts";

/** Returns a place as a member to spread; an empty object when it is unknown. */
export function withPlace(place: Place | undefined): { readonly place?: Place } {
  return place === undefined ? {} : { place };
}
