export { errorAppearances, isServiceError, ServiceError } from "./service-error.ts";
export type { ErrorAppearance, ServiceErrorCode, ServiceErrorOptions } from "./service-error.ts";
export type { Violation } from "./violation.ts";
