/** Length of a key, in bytes. */
const keyLength = 16;

/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012) under one key: 64-bit hashes of byte strings.
 *
 * A hash is stored in two halves of 32 bits, unsigned, in `high` and `low`, until the next one: filters hash some ten thousand scripts
 * each, and a `bigint` for each would cost more than the hash.
 */
export class SipHasher {
  high = 0;
  low = 0;
  readonly #key: Int32Array;

  /** Creates the hasher. `key`: 16 bytes. */
  constructor(key: Uint8Array) {
    if (key.length !== keyLength) throw new Error(`A key of SipHash has ${keyLength} bytes, not ${key.length}`);
    const view = new DataView(key.buffer, key.byteOffset, keyLength);
    this.#key = Int32Array.of(
      view.getInt32(0, true),
      view.getInt32(4, true),
      view.getInt32(8, true),
      view.getInt32(12, true),
    );
  }

  /** Hashes bytes. Each of the four words of the state is two halves, of which `…l` is the lower. */
  hash(bytes: Uint8Array): void {
    const [k0l = 0, k0h = 0, k1l = 0, k1h = 0] = this.#key;
    let v0l = k0l ^ 0x70736575;
    let v0h = k0h ^ 0x736f6d65;
    let v1l = k1l ^ 0x6e646f6d;
    let v1h = k1h ^ 0x646f7261;
    let v2l = k0l ^ 0x6e657261;
    let v2h = k0h ^ 0x6c796765;
    let v3l = k1l ^ 0x79746573;
    let v3h = k1h ^ 0x74656462;
    const { length } = bytes;
    const lastWord = length >>> 3;
    // The finalization follows the last word, as a word of zero with twice the rounds.
    for (let word = 0; word <= lastWord + 1; word += 1) {
      const isFinal = word > lastWord;
      let low = 0;
      let high = 0;
      if (isFinal) {
        v2l ^= 0xff;
      } else {
        const start = word * 8;
        // Zeros beyond the end, and the length in the highest byte.
        low = (bytes[start] ?? 0) | ((bytes[start + 1] ?? 0) << 8) | ((bytes[start + 2] ?? 0) << 16);
        low |= (bytes[start + 3] ?? 0) << 24;
        high = (bytes[start + 4] ?? 0) | ((bytes[start + 5] ?? 0) << 8) | ((bytes[start + 6] ?? 0) << 16);
        high |= (word === lastWord ? length : (bytes[start + 7] ?? 0)) << 24;
      }
      v3l ^= low;
      v3h ^= high;
      for (let round = isFinal ? 4 : 2; round > 0; round -= 1) {
        v0l = (v0l + v1l) | 0;
        v0h = (v0h + v1h + (v0l >>> 0 < v1l >>> 0 ? 1 : 0)) | 0;
        let turned = (v1h << 13) | (v1l >>> 19);
        v1l = ((v1l << 13) | (v1h >>> 19)) ^ v0l;
        v1h = turned ^ v0h;
        turned = v0h;
        v0h = v0l;
        v0l = turned;

        v2l = (v2l + v3l) | 0;
        v2h = (v2h + v3h + (v2l >>> 0 < v3l >>> 0 ? 1 : 0)) | 0;
        turned = (v3h << 16) | (v3l >>> 16);
        v3l = ((v3l << 16) | (v3h >>> 16)) ^ v2l;
        v3h = turned ^ v2h;

        v0l = (v0l + v3l) | 0;
        v0h = (v0h + v3h + (v0l >>> 0 < v3l >>> 0 ? 1 : 0)) | 0;
        turned = (v3h << 21) | (v3l >>> 11);
        v3l = ((v3l << 21) | (v3h >>> 11)) ^ v0l;
        v3h = turned ^ v0h;

        v2l = (v2l + v1l) | 0;
        v2h = (v2h + v1h + (v2l >>> 0 < v1l >>> 0 ? 1 : 0)) | 0;
        turned = (v1h << 17) | (v1l >>> 15);
        v1l = ((v1l << 17) | (v1h >>> 15)) ^ v2l;
        v1h = turned ^ v2h;
        turned = v2h;
        v2h = v2l;
        v2l = turned;
      }
      v0l ^= low;
      v0h ^= high;
    }
    this.low = (v0l ^ v1l ^ v2l ^ v3l) >>> 0;
    this.high = (v0h ^ v1h ^ v2h ^ v3h) >>> 0;
  }
}
