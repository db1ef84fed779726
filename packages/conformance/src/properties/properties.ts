import { limitProperty } from "./limit.ts";
import { paginationProperty } from "./pagination.ts";
import type { Property } from "./property.ts";
import { sortProperty } from "./sort.ts";

/** The properties of lists, in the order in which they are checked. */
export const listProperties: readonly Property[] = [sortProperty, paginationProperty, limitProperty];
