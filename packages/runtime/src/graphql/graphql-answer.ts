import type { ExecutionResult } from "graphql";
import { writeAnswer } from "./answer-size.ts";
import { type AnsweredError, answeredError } from "./graphql-errors.ts";

/** What an operation has come to: for one caller, or for all that share it. */
export class GraphqlAnswer {
  readonly result: ExecutionResult;
  /** As callers may see them. */
  readonly errors: readonly AnsweredError[];
  #text: string | undefined;

  constructor(result: ExecutionResult) {
    this.result = result;
    // A result without data was refused before a field was resolved: its variables are wrong.
    this.errors = (result.errors ?? []).map((error) => answeredError(error, result.data !== undefined));
  }

  get body(): object {
    const { data } = this.result;
    return {
      ...(this.errors.length > 0 ? { errors: this.errors.map(({ formatted }) => formatted) } : {}),
      ...(data === undefined ? {} : { data }),
    };
  }

  /** JSON, written once. Throws `ServiceError` when it is longer than `maximumBytes`, which is the same for all that share it. */
  write(maximumBytes: number): string {
    this.#text ??= writeAnswer(this.body, maximumBytes);
    return this.#text;
  }
}
