/** Functions that emitted schemas call. Only those that a file uses are written into it. */
export const zodHelpers = {
  anyValue: `/** Every JSON value; a member that is missing is none. */
const anyValue = z.custom<unknown>((value) => value !== undefined);`,

  otherThan: `/** Values of every kind but one: for schemas that say something about one kind alone. */
function otherThan(kind: "string" | "number" | "list" | "record"): z.ZodType<unknown> {
  return z.custom<unknown>((value) => value !== undefined && kindOf(value) !== kind);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  if (typeof value === "object" && value !== null) return "record";
  return typeof value === "bigint" ? "number" : typeof value;
}`,

  hasLength: `/** Whether a text has so many characters, counted as JSON Schema counts: in code points. */
function hasLength(text: string, minimum: number, maximum = Number.POSITIVE_INFINITY): boolean {
  let length = 0;
  for (const _ of text) length += 1;
  return length >= minimum && length <= maximum;
}`,

  areUnique: `/** Whether no two elements are the same JSON value. */
function areUnique(elements: readonly unknown[]): boolean {
  return new Set(elements.map(canonicalText)).size === elements.length;
}`,

  isOneOf: `/** Whether a JSON value is one of some. */
function isOneOf(value: unknown, allowed: readonly unknown[]): boolean {
  const text = canonicalText(value);
  return value !== undefined && allowed.some((one) => canonicalText(one) === text);
}`,

  canonicalText: `/** One text for one JSON value, whatever the order of its members. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}`,

  matches: `/** Whether a value matches a schema. */
function matches(schema: z.ZodType, value: unknown): boolean {
  return schema.safeParse(value).success;
}`,

  membersMatch: `/** Whether the members that no field names match the patterns that speak of them, and \`additional\` where none does. */
function membersMatch(
  value: object,
  fields: readonly string[],
  patterns: readonly (readonly [pattern: RegExp, schema: z.ZodType])[],
  additional: z.ZodType,
): boolean {
  return Object.entries(value).every(([name, member]) => {
    const schemas = patterns.filter(([pattern]) => pattern.test(name)).map(([, schema]) => schema);
    if (schemas.length === 0 && !fields.includes(name)) return matches(additional, member);
    return schemas.every((schema) => matches(schema, member));
  });
}`,
} as const;

export type ZodHelper = keyof typeof zodHelpers;

/** Helpers that a helper calls itself. */
const callees: Readonly<Partial<Record<ZodHelper, readonly ZodHelper[]>>> = {
  areUnique: ["canonicalText"],
  isOneOf: ["canonicalText"],
  membersMatch: ["matches"],
};

/** The helpers and those that they call, in the order in which they stand above. */
export function withCallees(used: Iterable<ZodHelper>): readonly ZodHelper[] {
  const wanted = new Set([...used].flatMap((helper) => [helper, ...(callees[helper] ?? [])]));
  return (Object.keys(zodHelpers) as ZodHelper[]).filter((helper) => wanted.has(helper));
}
