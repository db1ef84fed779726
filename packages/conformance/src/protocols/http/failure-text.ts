import { isRecord } from "@nodewright/api-model";
import { withPlace } from "../../suite/with-place.ts";
import type { Finding } from "../../contract/finding.ts";
import { showValue } from "../../compare/show-value.ts";
import type { Place } from "../../suite/suite-type.ts";
import type { Observation } from "./http-context.ts";
import { httpRules } from "./http-rules.ts";

/** Holds a failure to the text that the description fixes for it; one without any text says nothing else. */
export function failureTextFindings(
  { judged }: Observation,
  text: string | undefined,
  place: Place | undefined,
): readonly Finding[] {
  const told = failureText(judged.value);
  if (text === undefined || told === undefined || told.trim() === text.trim()) return [];
  return [
    {
      rule: httpRules.failureText,
      message: "The failure is told in another text than the description fixes",
      detail: `${showValue(told)} instead of ${showValue(text)}`,
      ...withPlace(place),
    },
  ];
}

/** The body where it is a text, else its message: of `{ "error": { "message" } }` or `{ "message" }`. */
export function failureText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isRecord(value)) return undefined;
  const { error, message } = value;
  const text = isRecord(error) ? error["message"] : (error ?? message);
  return typeof text === "string" ? text : undefined;
}
