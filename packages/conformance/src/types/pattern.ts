import { type PatternMatcher, patternMatcher } from "@nodewright/api-model";
import { linearPattern } from "@nodewright/runtime/patterns";

/** Matches in time that is linear in the text. */
export const patternMatches: PatternMatcher = patternMatcher(linearPattern);
