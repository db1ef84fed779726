/** A schema nested a million levels deep. */
const depth = 1_000_000;

export const text: string = `{"openapi":"3.1.0","info":{"title":"Deep","version":"1.0.0"},"paths":{},"components":{"schemas":{"Deep":${'{"not":'.repeat(depth)}{}${"}".repeat(depth)}}}}`;
