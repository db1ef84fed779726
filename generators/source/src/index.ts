export * from "./diagnostic.ts";
