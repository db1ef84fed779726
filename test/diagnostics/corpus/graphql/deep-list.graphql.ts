/** A type wrapped into lists a million times. */
const depth = 1_000_000;

export const text: string = `type Query {\n  deep: ${"[".repeat(depth)}Int${"]".repeat(depth)}\n}\n`;
