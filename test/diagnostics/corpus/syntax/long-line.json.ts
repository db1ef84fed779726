/** A mistake behind five million characters of one line. */
export const text: string = `{"openapi":"3.1.0","x-long":"${"x".repeat(5_000_000)}",}`;
