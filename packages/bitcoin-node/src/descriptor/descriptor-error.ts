/** A text that is no descriptor. The message is for the caller, in Bitcoin Core's words where it has some. */
export class DescriptorError extends Error {
  override readonly name = "DescriptorError";
}
