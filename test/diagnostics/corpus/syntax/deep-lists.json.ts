/** Lists a million levels deep, never closed. */
export const text: string = `{"openapi":"3.1.0","x-deep":${"[".repeat(1_000_000)}`;
