/** YAML's lists ten thousand levels deep, never closed. */
export const text: string = `openapi: 3.1.0\nx-deep: ${"[".repeat(10_000)}`;
