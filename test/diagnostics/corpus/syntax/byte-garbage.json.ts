/** Bytes that are no text: what a picture looks like when it is read as one. */
export const text: string = String.fromCharCode(...Array.from({ length: 512 }, (_, index) => (index * 37) % 256));
