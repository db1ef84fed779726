/** Characters of a descriptor (BIP 380), in groups of 32. */
const inputCharacters =
  "0123456789()[],'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#\"\\ ";
const checksumCharacters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const checksumLength = 8;

/** Remainder of 40 bits in two halves, because numbers have bitwise operators for 32 bits only. */
interface Remainder {
  /** Upper 10 bits. */
  upper: number;
  /** Lower 30 bits. */
  lower: number;
}

/** Generators (BIP 380): the value subtracted for each of the five bits that a step shifts out, the lowest first. */
const generators: readonly Readonly<Remainder>[] = [
  0xf5dee51989, 0xa9fdca3312, 0x1bab10e32d, 0x3706b1677a, 0x644d626ffd,
].map((generator) => ({ upper: Math.floor(generator / 2 ** 30), lower: generator % 2 ** 30 }));

/** Subtrahends for all five bits at once. */
const subtrahends: readonly Readonly<Remainder>[] = Array.from({ length: 32 }, (_, bits) => {
  const chosen = generators.filter((_generator, bit) => ((bits >> bit) & 1) === 1);
  return {
    upper: chosen.reduce((result, { upper }) => result ^ upper, 0),
    lower: chosen.reduce((result, { lower }) => result ^ lower, 0),
  };
});

/** Returns whether each character is allowed in descriptors. */
export function isDescriptorText(text: string): boolean {
  return [...text].every((character) => inputCharacters.includes(character));
}

const unknown = 255;

/** Position in the groups of each character up to U+007F; 255 for one that is not allowed in descriptors. */
const indices: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const index = inputCharacters.indexOf(String.fromCharCode(code));
  return index === -1 ? unknown : index;
});

const upperSubtrahends: Int32Array = Int32Array.from(subtrahends, ({ upper }) => upper);
const lowerSubtrahends: Int32Array = Int32Array.from(subtrahends, ({ lower }) => lower);

/** Returns the eight characters that BIP 380 appends to a descriptor. Throws for a character that is not allowed in descriptors. */
export function descriptorChecksum(descriptor: string): string {
  const steps = descriptorChecksumInSteps(descriptor);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Number of characters of a step. */
const stepLength = 4096;

/** Computes the checksum in steps, between which other work can run. */
export function* descriptorChecksumInSteps(descriptor: string): Generator<void, string> {
  const remainder: Remainder = { upper: 0, lower: 1 };
  let groups = 0;
  let pending = 0;
  for (let position = 0; position < descriptor.length; position += 1) {
    if (position % stepLength === stepLength - 1) yield;
    const index = indices[descriptor.charCodeAt(position)] ?? unknown;
    if (index === unknown) throw new Error(`A descriptor has no ${JSON.stringify(descriptor[position])}`);
    append(remainder, index & 31);
    groups = groups * 3 + (index >> 5);
    pending += 1;
    if (pending === 3) {
      append(remainder, groups);
      groups = 0;
      pending = 0;
    }
  }
  if (pending > 0) append(remainder, groups);
  for (let position = 0; position < checksumLength; position += 1) append(remainder, 0);
  remainder.lower ^= 1;
  return checksumText(remainder);
}

/** Runs one step of the code: appends five bits. */
function append(remainder: Remainder, value: number): void {
  const { upper, lower } = remainder;
  const bits = upper >> 5;
  remainder.upper = (((upper & 31) << 5) | (lower >>> 25)) ^ (upperSubtrahends[bits] ?? 0);
  remainder.lower = ((lower & 0x1ffffff) << 5) ^ value ^ (lowerSubtrahends[bits] ?? 0);
}

function checksumText({ upper, lower }: Remainder): string {
  let text = characterOf(upper >> 5) + characterOf(upper);
  for (let shift = 25; shift >= 0; shift -= 5) text += characterOf(lower >> shift);
  return text;
}

function characterOf(bits: number): string {
  return checksumCharacters.charAt(bits & 31);
}
