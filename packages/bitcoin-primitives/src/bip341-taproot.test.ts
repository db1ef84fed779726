import { describe, expect, test } from "vitest";
import {
  addressOfScript,
  fromHex,
  networks,
  parseTransaction,
  renderCoreAsm,
  renderEsploraAsm,
  scriptOfAddress,
  scriptType,
  serializeTransaction,
  tapBranchHash,
  tapLeafHash,
  taprootOutputKey,
  toHex,
} from "./index.ts";

/** scriptPubKeys of BIP 341's wallet test vectors, with their addresses. */
const wallets = [
  [
    "512053a1f6e454df1aa2776a2814a721372d6258050de330b3c6d10ee8f4e0dda343",
    "bc1p2wsldez5mud2yam29q22wgfh9439spgduvct83k3pm50fcxa5dps59h4z5",
  ],
  [
    "5120147c9c57132f6e7ecddba9800bb0c4449251c92a1e60371ee77557b6620f3ea3",
    "bc1pz37fc4cn9ah8anwm4xqqhvxygjf9rjf2resrw8h8w4tmvcs0863sa2e586",
  ],
  [
    "5120e4d810fd50586274face62b8a807eb9719cef49c04177cc6b76a9a4251d5450e",
    "bc1punvppl2stp38f7kwv2u2spltjuvuaayuqsthe34hd2dyy5w4g58qqfuag5",
  ],
  [
    "5120712447206d7a5238acc7ff53fbe94a3b64539ad291c7cdbc490b7577e4b17df5",
    "bc1pwyjywgrd0ffr3tx8laflh6228dj98xkjj8rum0zfpd6h0e930h6saqxrrm",
  ],
  [
    "512077e30a5522dd9f894c3f8b8bd4c4b2cf82ca7da8a3ea6a239655c39c050ab220",
    "bc1pwl3s54fzmk0cjnpl3w9af39je7pv5ldg504x5guk2hpecpg2kgsqaqstjq",
  ],
  [
    "512091b64d5324723a985170e4dc5a0f84c041804f2cd12660fa5dec09fc21783605",
    "bc1pjxmy65eywgafs5tsunw95ruycpqcqnev6ynxp7jaasylcgtcxczs6n332e",
  ],
  [
    "512075169f4001aa68f15bbed28b218df1d0a62cbbcf1188c6665110c293c907b831",
    "bc1pw5tf7sqp4f50zka7629jrr036znzew70zxyvvej3zrpf8jg8hqcssyuewe",
  ],
] as const;

/** Receiving and change addresses of BIP 86's test vectors. */
const singleKeys = [
  [
    "5120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c",
    "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
  ],
  [
    "5120a82f29944d65b86ae6b5e5cc75e294ead6c59391a1edc5e016e3498c67fc7bbb",
    "bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh",
  ],
  [
    "5120882d74e5d0572d5a816cef0041a96b6c1de832f6f9676d9605c44d5e9a97d3dc",
    "bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7",
  ],
] as const;

/** The signed transaction of BIP 341's key path vectors: nine inputs, most of them taproot. */
const signed =
  "020000000001097de20cbff686da83a54981d2b9bab3586f4ca7e48f57f5b55963115f3b334e9c010000000000000000d7b7cab57b1393ace2d064f4d4a2cb8af6def61273e127517d44759b6dafdd990000000000fffffffff8e1f583384333689228c5d28eac13366be082dc57441760d957275419a41842000000006b4830450221008f3b8f8f0537c420654d2283673a761b7ee2ea3c130753103e08ce79201cf32a022079e7ab904a1980ef1c5890b648c8783f4d10103dd62f740d13daa79e298d50c201210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798fffffffff0689180aa63b30cb162a73c6d2a38b7eeda2a83ece74310fda0843ad604853b0100000000feffffffaa5202bdf6d8ccd2ee0f0202afbbb7461d9264a25e5bfd3c5a52ee1239e0ba6c0000000000feffffff956149bdc66faa968eb2be2d2faa29718acbfe3941215893a2a3446d32acd050000000000000000000e664b9773b88c09c32cb70a2a3e4da0ced63b7ba3b22f848531bbb1d5d5f4c94010000000000000000e9aa6b8e6c9de67619e6a3924ae25696bb7b694bb677a632a74ef7eadfd4eabf0000000000ffffffffa778eb6a263dc090464cd125c466b5a99667720b1c110468831d058aa1b82af10100000000ffffffff0200ca9a3b000000001976a91406afd46bcdfd22ef94ac122aa11f241244a37ecc88ac807840cb0000000020ac9a87f5594be208f8532db38cff670c450ed2fea8fcdefcc9a663f78bab962b0141ed7c1647cb97379e76892be0cacff57ec4a7102aa24296ca39af7541246d8ff14d38958d4cc1e2e478e4d4a764bbfd835b16d4e314b72937b29833060b87276c030141052aedffc554b41f52b521071793a6b88d6dbca9dba94cf34c83696de0c1ec35ca9c5ed4ab28059bd606a4f3a657eec0bb96661d42921b5f50a95ad33675b54f83000141ff45f742a876139946a149ab4d9185574b98dc919d2eb6754f8abaa59d18b025637a3aa043b91817739554f4ed2026cf8022dbd83e351ce1fabc272841d2510a010140b4010dd48a617db09926f729e79c33ae0b4e94b79f04a1ae93ede6315eb3669de185a17d2b0ac9ee09fd4c64b678a0b61a0a86fa888a273c8511be83bfd6810f0247304402202b795e4de72646d76eab3f0ab27dfa30b810e856ff3a46c9a702df53bb0d8cc302203ccc4d822edab5f35caddb10af1be93583526ccfbade4b4ead350781e2f8adcd012102f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f90141a3785919a2ce3c4ce26f298c3d51619bc474ae24014bcdd31328cd8cfbab2eff3395fa0a16fe5f486d12f22a9cedded5ae74feb4bbe5351346508c5405bcfee0020141ea0c6ba90763c2d3a296ad82ba45881abb4f426b3f87af162dd24d5109edc1cdd11915095ba47c3a9963dc1e6c432939872bc49212fe34c632cd3ab9fed429c4820141bbc9584a11074e83bc8c6759ec55401f0ae7b03ef290c3139814f545b58a9f8127258000874f44bc46db7646322107d4d86aec8e73b8719a61fff761d75b5dd9810065cd1d";

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex) ?? new Uint8Array();
}

describe("BIP 341: taproot", () => {
  test.each([...wallets, ...singleKeys])("%s has its address, and the address its script", (script, address) => {
    expect(scriptType(bytesOf(script))).toEqual({ esplora: "v1_p2tr", core: "witness_v1_taproot" });
    expect(addressOfScript(bytesOf(script), networks.mainnet)).toBe(address);
    expect(scriptOfAddress(address, networks.mainnet)).toEqual({ kind: "script", scriptPubKey: bytesOf(script) });
  });

  test.each([
    ["d6889cb081036e0faefa3a35157ad71086b123b2b144b649798b494c300a961d", [], wallets[0][0]],
    [
      "187791b6f712a8ea41c8ecdd0ee77fab3e85263b37e1ec18a3651926b3a6cf27",
      [
        [
          "20d85a959b0290bf19bb89ed43c916be835475d013da4b362117393e25a48229b8ac",
          "5b75adecf53548f3ec6ad7d78383bf84cc57b55a3127c72b9a2481752dd88b21",
        ],
      ],
      wallets[1][0],
    ],
    [
      "93478e9488f956df2396be2ce6c5cced75f900dfa18e7dabd2428aae78451820",
      [
        [
          "20b617298552a72ade070667e86ca63b8f5789a9fe8731ef91202a91c9f3459007ac",
          "c525714a7f49c28aedbbba78c005931a81c234b2f6c99a73e4d06082adc8bf2b",
        ],
      ],
      wallets[2][0],
    ],
    [
      "f9f400803e683727b14f463836e1e78e1c64417638aa066919291a225f0e8dd8",
      [
        [
          "2044b178d64c32c4a05cc4f4d1407268f764c940d20ce97abfd44db5c3592b72fdac",
          "64512fecdb5afa04f98839b50e6f0cb7b1e539bf6f205f67934083cdcc3c8d89",
        ],
        ["07546170726f6f74", "2cb2b90daa543b544161530c925f285b06196940d6085ca9474d41dc3822c5cb"],
      ],
      wallets[4][0],
    ],
  ] as const)("the key %s with its leaves becomes the output key", (internalKey, leaves, script) => {
    const hashes = leaves.map(([leaf, hash]) => {
      expect(toHex(tapLeafHash(bytesOf(leaf)))).toBe(hash);
      return bytesOf(hash);
    });
    const [first, second] = hashes;
    const root = first !== undefined && second !== undefined ? tapBranchHash(first, second) : first;
    if (first !== undefined && second !== undefined) expect(tapBranchHash(second, first)).toEqual(root);
    const key = taprootOutputKey(bytesOf(internalKey), root);
    expect(toHex(key ?? expect.unreachable())).toBe(script.slice(4));
  });

  test("there is no output key where the internal key is no point", () => {
    expect(taprootOutputKey(bytesOf("05".padStart(64, "0")))).toBeUndefined();
    expect(taprootOutputKey(new Uint8Array(31))).toBeUndefined();
  });

  test("a transaction of key path spends is read with its signatures and becomes the same bytes again", () => {
    const transaction = parseTransaction(bytesOf(signed));
    const lengths = transaction.inputs.map((input) => input.witness.map((item) => item.length));
    expect(lengths).toEqual([[65], [65], [], [65], [64], [71, 33], [65], [65], [65]]);
    expect(transaction).toMatchObject({ version: 2, locktime: 500_000_000, hasWitness: true });
    expect(toHex(serializeTransaction(transaction))).toBe(signed);
  });

  test("its older input's signature is written with the hash type that it has", () => {
    const scriptSig = parseTransaction(bytesOf(signed)).inputs[2]?.scriptSig ?? new Uint8Array();
    expect(renderCoreAsm(scriptSig, { signatures: true })).toBe(
      "30450221008f3b8f8f0537c420654d2283673a761b7ee2ea3c130753103e08ce79201cf32a022079e7ab904a1980ef1c5890b648c8783f4d10103dd62f740d13daa79e298d50c2[ALL] 0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
    );
  });

  test("a taproot script is written as a version and a program", () => {
    const script = bytesOf(wallets[0][0]);
    const program = wallets[0][0].slice(4);
    expect(renderEsploraAsm(script)).toBe(`OP_PUSHNUM_1 OP_PUSHBYTES_32 ${program}`);
    expect(renderCoreAsm(script)).toBe(`1 ${program}`);
  });
});
