/** Flag in a signature's last byte that allows others to add inputs. */
const anyoneCanPay = 0x80;

const signatureHashNames: ReadonlyMap<number, string> = new Map([
  [0x01, "ALL"],
  [0x02, "NONE"],
  [0x03, "SINGLE"],
  [0x01 | anyoneCanPay, "ALL|ANYONECANPAY"],
  [0x02 | anyoneCanPay, "NONE|ANYONECANPAY"],
  [0x03 | anyoneCanPay, "SINGLE|ANYONECANPAY"],
]);

/** Minimum length: sequence header 2, two integers of at least 3, hash type 1. */
const minimumSignatureLength = 9;
const maximumSignatureLength = 73;

/**
 * Returns the name of the hash type of an ECDSA signature, such as `ALL|ANYONECANPAY`; `undefined` for bytes that are not a signature in
 * strict DER (BIP 66) followed by a defined hash type.
 */
export function signatureHashName(bytes: Uint8Array): string | undefined {
  return isStrictDer(bytes) ? signatureHashNames.get(bytes[bytes.length - 1] ?? 0) : undefined;
}

/**
 * Returns whether bytes are BIP 66's `30 <length> 02 <length of R> <R> 02 <length of S> <S> <hash type>`, both integers positive and in
 * shortest form.
 */
function isStrictDer(bytes: Uint8Array): boolean {
  if (bytes.length < minimumSignatureLength || bytes.length > maximumSignatureLength) return false;
  if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 3) return false;
  const lengthOfR = bytes[3] ?? 0;
  const startOfS = 4 + lengthOfR;
  if (startOfS + 2 >= bytes.length) return false;
  const lengthOfS = bytes[startOfS + 1] ?? 0;
  if (startOfS + 2 + lengthOfS + 1 !== bytes.length) return false;
  return isDerInteger(bytes.subarray(2, startOfS)) && isDerInteger(bytes.subarray(startOfS, -1));
}

/** Returns whether bytes are `02 <length> <bytes>`; the caller ensures that the length is within bounds. */
function isDerInteger(bytes: Uint8Array): boolean {
  const [tag, length = 0, first = 0, second = 0] = bytes;
  if (tag !== 0x02 || length === 0 || (first & 0x80) !== 0) return false;
  return !(length > 1 && first === 0 && (second & 0x80) === 0);
}
