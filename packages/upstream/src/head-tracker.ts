import {
  findReference,
  type Head,
  type HeadChange,
  type HeadFigures,
  type HeardNode,
  judgeNode,
  type NodeStanding,
} from "./head-judgement.ts";
import type { NodeLink } from "./node-link.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

export interface HeadTrackerOptions {
  /** A node that is more blocks behind is left out. */
  readonly maximumLag?: number | undefined;
  /** For so long after its last answer the others are measured by the head of a node that is gone. */
  readonly goneMilliseconds?: number | undefined;
  /** For so long a node is held to a height that it has left. */
  readonly memoryMilliseconds?: number | undefined;
  /** Of the network that the nodes are to be on. */
  readonly genesisHash: string;
  /** Between two questions for a node's best block, give or take a fifth. */
  readonly pollMilliseconds?: number | undefined;
}

/** With the next question for a head, others take the place of a node that is gone within a minute. */
const defaults = { pollMilliseconds: 1_000, maximumLag: 2, goneMilliseconds: 55_000, memoryMilliseconds: 300_000 };

/** A node that is silent for so long when it is asked for its head is not one to ask for more. */
const answerMilliseconds = 5_000;

const jitter = 0.2;

/** Bitcoin Core's code while it reads its own blocks. */
const warmingUp = -28;

/** Programs that are asked in different words. */
type Software = "core" | "btcd";

interface TrackedNode extends HeardNode {
  readonly link: NodeLink;
  head: Head | undefined;
  heardAt: number;
  isLost: boolean;
  isOtherNetwork: boolean;
  isOtherSoftware: boolean;
  software: Software | undefined;
  isNetworkKnown: boolean;
  wentBackFrom: number | undefined;
  wentBackAt: number;
  /** By the hash of the reference's head: whether `head` is of its chain. */
  comparison: { readonly reference: string; readonly own: string; readonly isSame: boolean } | undefined;
  standing: NodeStanding;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Asks each node for its best block again and again, and judges by that which of them may be asked for more.
 *
 * Speaks what btcd and Bitcoin Core have in common: `getbestblockhash`, `getblockheader` and `getblockhash`.
 */
export class HeadTracker {
  readonly #nodes: readonly TrackedNode[];
  readonly #byLink: ReadonlyMap<NodeLink, TrackedNode>;
  readonly #genesisHash: string;
  readonly #pollMilliseconds: number;
  readonly #figures: HeadFigures;
  readonly #memoryMilliseconds: number;
  readonly #closing = new AbortController();
  readonly #onChange: (change: HeadChange) => void;
  #reference: (TrackedNode & { readonly head: Head }) | undefined;
  #head: Head | undefined;
  #software: Software | undefined;
  readonly #unheard: Set<TrackedNode>;
  #settle: () => void = () => undefined;

  /** Fulfilled when a node is well, or each has been asked. */
  readonly settled: Promise<void>;

  constructor(links: readonly NodeLink[], options: HeadTrackerOptions, onChange: (change: HeadChange) => void) {
    this.#nodes = links.map(createTrackedNode);
    this.#byLink = new Map(this.#nodes.map((node) => [node.link, node]));
    this.#genesisHash = options.genesisHash;
    this.#pollMilliseconds = options.pollMilliseconds ?? defaults.pollMilliseconds;
    this.#figures = {
      maximumLag: options.maximumLag ?? defaults.maximumLag,
      goneMilliseconds: options.goneMilliseconds ?? defaults.goneMilliseconds,
    };
    this.#memoryMilliseconds = options.memoryMilliseconds ?? defaults.memoryMilliseconds;
    this.#onChange = onChange;
    this.#unheard = new Set(this.#nodes);
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    for (const node of this.#nodes) void this.#follow(node);
  }

  standingOf(link: NodeLink): NodeStanding {
    return this.#byLink.get(link)?.standing ?? "unheard";
  }

  /** What the node has told last. */
  headOf(link: NodeLink): Head | undefined {
    return this.#byLink.get(link)?.head;
  }

  /** Blocks that the node is behind the best of all; `undefined` while unknown. */
  lagOf(link: NodeLink): number | undefined {
    const head = this.headOf(link);
    if (head === undefined || this.#reference === undefined) return undefined;
    return Math.max(0, this.#reference.head.height - head.height);
  }

  /** The best head, of which the answers are; `undefined` before the first and while no node answers that has it. */
  get head(): Head | undefined {
    return this.#reference?.isLost === false ? this.#head : undefined;
  }

  close(): void {
    this.#closing.abort();
    this.#settle();
    for (const { timer } of this.#nodes) clearTimeout(timer);
  }

  async #follow(node: TrackedNode): Promise<void> {
    // Nothing but nodes is asked, and what they fail of stands in their counters.
    await this.#hear(node).catch(() => {
      node.isLost = true;
    });
    await this.#compareAll().catch(() => undefined);
    if (this.#closing.signal.aborted) return;
    this.#judgeAll();
    this.#unheard.delete(node);
    if (node.standing === "well" || this.#unheard.size === 0) this.#settle();
    const pause = this.#pollMilliseconds * (1 - jitter + 2 * jitter * Math.random());
    node.timer = setTimeout(() => void this.#follow(node), pause);
    node.timer.unref();
  }

  async #hear(node: TrackedNode): Promise<void> {
    // A node that is left in peace is asked when its rest is over: the question for its head is what it is tried with.
    if (!node.link.canPass()) throw new Error("The node rests");
    const hash = readHash(await this.#ask(node, "getbestblockhash", []));
    if (node.isLost || !node.isNetworkKnown) {
      node.isOtherNetwork = (await this.#ask(node, "getblockhash", [0])) !== this.#genesisHash;
      if (this.#nodes.length > 1) node.software = await this.#askSoftware(node);
      node.isNetworkKnown = true;
    }
    if (hash !== node.head?.hash)
      this.#move(node, readHead(hash, await this.#ask(node, "getblockheader", [hash, true])));
    node.heardAt = performance.now();
    node.isLost = false;
  }

  #move(node: TrackedNode, head: Head): void {
    const before = node.head;
    node.head = head;
    if (before !== undefined && head.height < before.height) {
      node.wentBackFrom = Math.max(before.height, node.wentBackFrom ?? 0);
      node.wentBackAt = performance.now();
    }
    if (node.wentBackFrom !== undefined && head.height >= node.wentBackFrom) node.wentBackFrom = undefined;
  }

  /** Asks the reference which of the others' heads are of its chain, and whether its own is of the chain before. */
  async #compareAll(): Promise<void> {
    const reference = this.#findReference();
    if (reference === undefined || reference.isLost) return;
    const { head } = reference;
    for (const node of this.#nodes) await this.#compare(node, reference, head);
    await this.#announce(reference, head);
  }

  async #compare(node: TrackedNode, reference: TrackedNode, best: Head): Promise<void> {
    const own = node.head;
    if (own === undefined || node.isLost || node === reference || own.height > best.height) return;
    if (node.comparison?.reference === best.hash && node.comparison.own === own.hash) return;
    const isSame = await this.#isOnChainOf(reference, own);
    node.comparison = { reference: best.hash, own: own.hash, isSame };
  }

  async #announce(reference: TrackedNode & { readonly head: Head }, head: Head): Promise<void> {
    const before = this.#head;
    if (before?.hash === head.hash) {
      this.#reference = reference;
      return;
    }
    const isExtension =
      before !== undefined && before.height < head.height && (await this.#isOnChainOf(reference, before));
    // Another question may have come first.
    if (this.#head?.hash !== before?.hash || reference.head.hash !== head.hash) return;
    this.#reference = reference;
    this.#head = head;
    this.#onChange({ head, isReorganisation: before !== undefined && !isExtension });
  }

  async #isOnChainOf(node: TrackedNode, { hash, height }: Head): Promise<boolean> {
    try {
      return (await this.#ask(node, "getblockhash", [height])) === hash;
    } catch (reason) {
      // It has no block of that height.
      if (isUpstreamRpcError(reason)) return false;
      throw reason;
    }
  }

  /** btcd has no getnetworkinfo. */
  async #askSoftware(node: TrackedNode): Promise<Software> {
    try {
      const answer = (await this.#ask(node, "getnetworkinfo", [])) ?? {};
      const { subversion } = answer as { readonly subversion?: unknown };
      return typeof subversion === "string" && !/btcd/i.test(subversion) ? "core" : "btcd";
    } catch (reason) {
      if (isUpstreamRpcError(reason) && reason.code !== warmingUp) return "btcd";
      throw reason;
    }
  }

  /**
   * What is asked in one program's words is not to come to another: all that count run what the first one ran, until no node is known to
   * run that.
   */
  #judgeSoftware(): void {
    const known = this.#nodes.filter(({ software, isOtherNetwork }) => software !== undefined && !isOtherNetwork);
    if (!known.some(({ software }) => software === this.#software)) this.#software = known[0]?.software;
    for (const node of this.#nodes)
      node.isOtherSoftware = node.software !== undefined && node.software !== this.#software;
  }

  #judgeAll(): void {
    const now = performance.now();
    this.#judgeSoftware();
    for (const node of this.#nodes) {
      if (now - node.wentBackAt > this.#memoryMilliseconds) node.wentBackFrom = undefined;
    }
    const reference = this.#findReference();
    for (const node of this.#nodes) {
      const { comparison } = node;
      const isSame = comparison?.reference === reference?.head.hash ? comparison?.isSame : undefined;
      node.standing = judgeNode(node, reference, isSame, this.#figures);
    }
  }

  #findReference(): (TrackedNode & { readonly head: Head }) | undefined {
    return findReference(this.#nodes, performance.now(), this.#figures);
  }

  async #ask(node: TrackedNode, method: string, params: readonly unknown[]): Promise<unknown> {
    return await node.link.call(method, params, {
      signal: this.#closing.signal,
      timeoutMilliseconds: answerMilliseconds,
      isUrgent: true,
    });
  }
}

function createTrackedNode(link: NodeLink): TrackedNode {
  return {
    link,
    head: undefined,
    heardAt: 0,
    isLost: false,
    isOtherNetwork: false,
    isOtherSoftware: false,
    software: undefined,
    isNetworkKnown: false,
    wentBackFrom: undefined,
    wentBackAt: Number.NEGATIVE_INFINITY,
    comparison: undefined,
    standing: "unheard",
    timer: undefined,
  };
}

function readHash(answer: unknown): string {
  if (typeof answer === "string" && /^[0-9a-f]{64}$/.test(answer)) return answer;
  throw new Error("The best block's hash is none");
}

function readHead(hash: string, answer: unknown): Head {
  const { height, chainwork } = (answer ?? {}) as { readonly height?: unknown; readonly chainwork?: unknown };
  if (typeof height !== "number" || !Number.isSafeInteger(height) || height < 0)
    throw new Error("A header without a height");
  const hasWork = typeof chainwork === "string" && /^[0-9a-f]{1,64}$/.test(chainwork);
  return { hash, height, work: hasWork ? BigInt(`0x${chainwork}`) : undefined };
}
