import { descriptorChecksum } from "../descriptor/descriptor-checksum.ts";

/** Returns a descriptor with its checksum. */
export function withChecksum(descriptor: string): string {
  return `${descriptor}#${descriptorChecksum(descriptor)}`;
}
