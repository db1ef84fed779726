import { isObject } from "../operators/json-tree.ts";

/** How JSON is spelled. */
export interface JsonStyle {
  readonly number?: (value: number) => string;
  readonly string?: (value: string) => string;
  readonly space?: string;
  /** Members in another order. */
  readonly order?: (names: readonly string[]) => readonly string[];
}

/** Spells a value as JSON in another style than `JSON.stringify`. */
export function spellJson(value: unknown, style: JsonStyle): string {
  const space = style.space ?? "";
  if (typeof value === "number") {
    return style.number?.(value) ?? JSON.stringify(value);
  }
  if (typeof value === "string") {
    return style.string?.(value) ?? JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${space}${value.map((item) => spellJson(item, style)).join(`${space},${space}`)}${space}]`;
  }
  if (isObject(value)) {
    const names = style.order?.(Object.keys(value)) ?? Object.keys(value);
    const members = names.map(
      (name) => `${style.string?.(name) ?? JSON.stringify(name)}${space}:${space}${spellJson(value[name], style)}`,
    );
    return `{${space}${members.join(`${space},${space}`)}${space}}`;
  }
  return JSON.stringify(value);
}
