import { ServiceError } from "@nodewright/runtime";

// The texts are Esplora's: clients compare them.

/** No block of the best chain has this hash or height. */
export function blockNotFound(): ServiceError {
  return new ServiceError("not_found", "Block not found");
}

export function transactionNotFound(): ServiceError {
  return new ServiceError("not_found", "Transaction not found");
}

/** No block of the best chain holds the transaction, so there is nothing to prove it by. */
export function transactionNotConfirmed(): ServiceError {
  return new ServiceError("not_found", "Transaction not found or is unconfirmed");
}

/** The answer to a path that the interface does not have. `path` is without the query: that may hold a key. */
export function endpointNotFound(path: string): ServiceError {
  return new ServiceError("not_found", `endpoint does not exist ${JSON.stringify(path)}`);
}
