/** Words of a block of the key stream. */
const blockWords = 16;
/** "expand 32-byte k". */
const constants = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const;
const doubleRounds = 10;

/**
 * Fills `target` with the start of ChaCha20's key stream (RFC 8439, section 2.3) under a key of 32 bytes, with counter and nonce zero.
 *
 * Written for MuHash, which takes six blocks under each of very many keys: the setup of a cipher of the system takes longer than that.
 * `target` has a multiple of 16 words, which are in native byte order: little-endian wherever this runs.
 */
export function chacha20KeyStream(key: Uint8Array, target: Int32Array): void {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  const [n0, n1, n2, n3] = constants;
  const k0 = view.getInt32(0, true);
  const k1 = view.getInt32(4, true);
  const k2 = view.getInt32(8, true);
  const k3 = view.getInt32(12, true);
  const k4 = view.getInt32(16, true);
  const k5 = view.getInt32(20, true);
  const k6 = view.getInt32(24, true);
  const k7 = view.getInt32(28, true);
  for (let start = 0; start < target.length; start += blockWords) {
    const counter = start / blockWords;
    let a0 = n0 | 0;
    let a1 = n1 | 0;
    let a2 = n2 | 0;
    let a3 = n3 | 0;
    let b0 = k0;
    let b1 = k1;
    let b2 = k2;
    let b3 = k3;
    let c0 = k4;
    let c1 = k5;
    let c2 = k6;
    let c3 = k7;
    let d0 = counter;
    let d1 = 0;
    let d2 = 0;
    let d3 = 0;
    let mixed = 0;
    for (let round = 0; round < doubleRounds; round += 1) {
      // Columns.
      a0 = (a0 + b0) | 0;
      mixed = d0 ^ a0;
      d0 = (mixed << 16) | (mixed >>> 16);
      c0 = (c0 + d0) | 0;
      mixed = b0 ^ c0;
      b0 = (mixed << 12) | (mixed >>> 20);
      a0 = (a0 + b0) | 0;
      mixed = d0 ^ a0;
      d0 = (mixed << 8) | (mixed >>> 24);
      c0 = (c0 + d0) | 0;
      mixed = b0 ^ c0;
      b0 = (mixed << 7) | (mixed >>> 25);
      a1 = (a1 + b1) | 0;
      mixed = d1 ^ a1;
      d1 = (mixed << 16) | (mixed >>> 16);
      c1 = (c1 + d1) | 0;
      mixed = b1 ^ c1;
      b1 = (mixed << 12) | (mixed >>> 20);
      a1 = (a1 + b1) | 0;
      mixed = d1 ^ a1;
      d1 = (mixed << 8) | (mixed >>> 24);
      c1 = (c1 + d1) | 0;
      mixed = b1 ^ c1;
      b1 = (mixed << 7) | (mixed >>> 25);
      a2 = (a2 + b2) | 0;
      mixed = d2 ^ a2;
      d2 = (mixed << 16) | (mixed >>> 16);
      c2 = (c2 + d2) | 0;
      mixed = b2 ^ c2;
      b2 = (mixed << 12) | (mixed >>> 20);
      a2 = (a2 + b2) | 0;
      mixed = d2 ^ a2;
      d2 = (mixed << 8) | (mixed >>> 24);
      c2 = (c2 + d2) | 0;
      mixed = b2 ^ c2;
      b2 = (mixed << 7) | (mixed >>> 25);
      a3 = (a3 + b3) | 0;
      mixed = d3 ^ a3;
      d3 = (mixed << 16) | (mixed >>> 16);
      c3 = (c3 + d3) | 0;
      mixed = b3 ^ c3;
      b3 = (mixed << 12) | (mixed >>> 20);
      a3 = (a3 + b3) | 0;
      mixed = d3 ^ a3;
      d3 = (mixed << 8) | (mixed >>> 24);
      c3 = (c3 + d3) | 0;
      mixed = b3 ^ c3;
      b3 = (mixed << 7) | (mixed >>> 25);
      // Diagonals.
      a0 = (a0 + b1) | 0;
      mixed = d3 ^ a0;
      d3 = (mixed << 16) | (mixed >>> 16);
      c2 = (c2 + d3) | 0;
      mixed = b1 ^ c2;
      b1 = (mixed << 12) | (mixed >>> 20);
      a0 = (a0 + b1) | 0;
      mixed = d3 ^ a0;
      d3 = (mixed << 8) | (mixed >>> 24);
      c2 = (c2 + d3) | 0;
      mixed = b1 ^ c2;
      b1 = (mixed << 7) | (mixed >>> 25);
      a1 = (a1 + b2) | 0;
      mixed = d0 ^ a1;
      d0 = (mixed << 16) | (mixed >>> 16);
      c3 = (c3 + d0) | 0;
      mixed = b2 ^ c3;
      b2 = (mixed << 12) | (mixed >>> 20);
      a1 = (a1 + b2) | 0;
      mixed = d0 ^ a1;
      d0 = (mixed << 8) | (mixed >>> 24);
      c3 = (c3 + d0) | 0;
      mixed = b2 ^ c3;
      b2 = (mixed << 7) | (mixed >>> 25);
      a2 = (a2 + b3) | 0;
      mixed = d1 ^ a2;
      d1 = (mixed << 16) | (mixed >>> 16);
      c0 = (c0 + d1) | 0;
      mixed = b3 ^ c0;
      b3 = (mixed << 12) | (mixed >>> 20);
      a2 = (a2 + b3) | 0;
      mixed = d1 ^ a2;
      d1 = (mixed << 8) | (mixed >>> 24);
      c0 = (c0 + d1) | 0;
      mixed = b3 ^ c0;
      b3 = (mixed << 7) | (mixed >>> 25);
      a3 = (a3 + b0) | 0;
      mixed = d2 ^ a3;
      d2 = (mixed << 16) | (mixed >>> 16);
      c1 = (c1 + d2) | 0;
      mixed = b0 ^ c1;
      b0 = (mixed << 12) | (mixed >>> 20);
      a3 = (a3 + b0) | 0;
      mixed = d2 ^ a3;
      d2 = (mixed << 8) | (mixed >>> 24);
      c1 = (c1 + d2) | 0;
      mixed = b0 ^ c1;
      b0 = (mixed << 7) | (mixed >>> 25);
    }
    target[start] = a0 + n0;
    target[start + 1] = a1 + n1;
    target[start + 2] = a2 + n2;
    target[start + 3] = a3 + n3;
    target[start + 4] = b0 + k0;
    target[start + 5] = b1 + k1;
    target[start + 6] = b2 + k2;
    target[start + 7] = b3 + k3;
    target[start + 8] = c0 + k4;
    target[start + 9] = c1 + k5;
    target[start + 10] = c2 + k6;
    target[start + 11] = c3 + k7;
    target[start + 12] = d0 + counter;
    target[start + 13] = d1;
    target[start + 14] = d2;
    target[start + 15] = d3;
  }
}
