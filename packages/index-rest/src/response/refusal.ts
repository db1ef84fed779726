import { ServiceError } from "@nodewright/runtime";

// The texts are Esplora's: clients compare them.

/** Creates the error when no block of the best chain has this hash or height. */
export function blockNotFound(): ServiceError {
  return new ServiceError("not_found", "Block not found");
}

export function transactionNotFound(): ServiceError {
  return new ServiceError("not_found", "Transaction not found");
}

/** Creates the error when no block of the best chain contains the transaction, so that it can't be proved. */
export function transactionNotConfirmed(): ServiceError {
  return new ServiceError("not_found", "Transaction not found or is unconfirmed");
}

/** Creates the response to a path that the interface does not have. `path` is without the query, which may contain a key. */
export function endpointNotFound(path: string): ServiceError {
  return new ServiceError("not_found", `endpoint does not exist ${JSON.stringify(path)}`);
}
