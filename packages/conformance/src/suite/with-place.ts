import type { Place } from "./suite-type.ts";

/** A place as a member to be spread; none where it is not known. */
export function withPlace(place: Place | undefined): { readonly place?: Place } {
  return place === undefined ? {} : { place };
}
