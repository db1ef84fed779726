export { decodeRepeatedly } from "./decoded-text.ts";
export { createSecretFilter } from "./secret-filter.ts";
export { createSecretMask, type Secret, type SecretMask } from "./secret-mask.ts";
