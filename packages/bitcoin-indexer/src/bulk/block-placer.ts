import { resolve } from "node:path";
import { toHex } from "@nodewright/bitcoin-primitives";
import type { BlockInFile } from "../source/chain-in-files.ts";
import type { Environment } from "../store/environment.ts";
import { type BlockPosition, firstSourceFile, maximumTransactionNumber, sourceFiles } from "../store/layout.ts";
import type { BlockCopier } from "./block-copier.ts";

export interface BlockPlacerOptions {
  readonly environment: Environment;
  readonly copier: BlockCopier;
  readonly blocksInPlace: boolean;
  /** XOR mask of the source's files. */
  readonly mask: Uint8Array;
}

/** Assigner of the permanent positions of blocks: their current place, or the index's own files, into which it has them copied. */
export class BlockPlacer {
  readonly #environment: Environment;
  readonly #copier: BlockCopier;
  readonly #blocksInPlace: boolean;
  readonly #mask: Uint8Array;
  /** Numbers by path. */
  readonly #sourceFiles = new Map<string, number>();
  #nextSourceFile = firstSourceFile;

  constructor({ environment, copier, blocksInPlace, mask }: BlockPlacerOptions) {
    this.#environment = environment;
    this.#copier = copier;
    this.#blocksInPlace = blocksInPlace;
    this.#mask = mask;
    if (blocksInPlace) this.#readSourceFiles();
  }

  /** Returns the position of the block at `address` in memory. */
  place(bytes: Uint8Array, address: number, file: BlockInFile): BlockPosition {
    if (file.position !== undefined) return file.position;
    if (this.#blocksInPlace && file.isPlain) return { file: this.#sourceFile(file.path), offset: file.offset };
    return this.#copier.append(bytes, address, file.length);
  }

  #sourceFile(path: string): number {
    const known = this.#sourceFiles.get(path);
    if (known !== undefined) return known;
    const absolute = resolve(path);
    const file = this.#sourceFiles.get(absolute) ?? this.#nextSourceFile;
    this.#nextSourceFile = Math.max(this.#nextSourceFile, file + 1);
    this.#environment.put(sourceFiles, [file], { path: absolute, mask: this.#mask });
    this.#sourceFiles.set(absolute, file);
    this.#sourceFiles.set(path, file);
    return file;
  }

  #readSourceFiles(): void {
    const range = { start: sourceFiles.key(firstSourceFile), end: sourceFiles.key(maximumTransactionNumber) };
    for (const [index, { value }] of this.#environment.rows(sourceFiles, range).entries()) {
      const { path, mask } = sourceFiles.decode(value, firstSourceFile + index);
      this.#nextSourceFile = firstSourceFile + index + 1;
      // A file with another mask is another file.
      if (toHex(mask) === toHex(this.#mask)) this.#sourceFiles.set(path, firstSourceFile + index);
    }
  }
}
