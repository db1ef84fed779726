/** Error for text that is not a descriptor. The message is for the client, in Bitcoin Core's words where it has some. */
export class DescriptorError extends Error {
  override readonly name = "DescriptorError";
}
