import type { ExecutionResult } from "graphql";
import { graphqlExtensions } from "../errors/error-body.ts";
import { ServiceError } from "../errors/service-error.ts";
import { writeResponse } from "./response-size.ts";
import { type ResponseError, responseErrorOf } from "./graphql-errors.ts";

/** Maximum number of reported errors of fields; beyond these, the number of further ones. */
const maximumErrors = 500;

function leftOut(count: number): ResponseError {
  const error = new ServiceError("invalid_request", `${count} more errors are left out`);
  return { formatted: { message: error.message, extensions: graphqlExtensions(error) }, error };
}

/** Result of an operation: for one client, or for all that share it. */
export class GraphqlResponse {
  readonly result: ExecutionResult;
  /** Errors as all clients may see them. */
  readonly errors: readonly ResponseError[];
  #text: string | undefined;

  constructor(result: ExecutionResult) {
    this.result = result;
    // A result without data was rejected before a field was resolved: its variables are invalid.
    const { errors = [], data } = result;
    this.errors = errors.slice(0, maximumErrors).map((error) => responseErrorOf(error, data !== undefined));
    if (errors.length > maximumErrors) this.errors = [...this.errors, leftOut(errors.length - maximumErrors)];
  }

  /** Returns the response, with `errors` as one of its clients sees them. */
  bodyWith(errors: readonly ResponseError[]): object {
    const { data } = this.result;
    return {
      ...(errors.length > 0 ? { errors: errors.map(({ formatted }) => formatted) } : {}),
      ...(data === undefined ? {} : { data }),
    };
  }

  /**
   * Returns the JSON of the response, with `errors` as one of its clients sees them; written once for all that see `this.errors`. As
   * `writeResponse`, whose limits are the same for all that share it.
   */
  write(errors: readonly ResponseError[], maximumBytes: number, mayBeLong: boolean): string {
    if (errors !== this.errors) return writeResponse(this.bodyWith(errors), maximumBytes, mayBeLong);
    this.#text ??= writeResponse(this.bodyWith(errors), maximumBytes, mayBeLong);
    return this.#text;
  }
}
