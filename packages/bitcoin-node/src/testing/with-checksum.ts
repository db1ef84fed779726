import { descriptorChecksum } from "../descriptor/descriptor-checksum.ts";

/** A descriptor as it is written with its checksum. */
export function withChecksum(descriptor: string): string {
  return `${descriptor}#${descriptorChecksum(descriptor)}`;
}
