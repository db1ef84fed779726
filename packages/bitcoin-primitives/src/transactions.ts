// Transactions and their hashes alone: nothing here loads curves or encodings of addresses.
export { fromHex, toHex } from "./bytes.ts";
export { displayHash, doubleSha256, sha256, wireHash } from "./hash.ts";
export { isMalformedBytesError } from "./malformed-bytes-error.ts";
export { merkleRoot } from "./merkle-tree.ts";
export { parseTransaction } from "./transaction.ts";
