import { type Fragment, partsOf } from "./fragment.ts";

/**
 * BIP 379: the properties of a fragment, one letter each. `B`, `V`, `K` and `W` are the basic types, `z o n d u` say what it takes and
 * leaves, `e f s m x` whether it is malleable, and `g h i j k` which timelocks are in it: relative by time and by height, absolute by
 * time and by height, and `k` where no path needs two that exclude each other.
 */
export type FragmentType = ReadonlySet<string>;

/** Sequence numbers with this bit are times, without it numbers of blocks (BIP 68). */
const relativeTimeFlag = 1 << 22;
/** Locktimes from here on are times, below numbers of blocks. */
const firstTime = 500_000_000;

/** `undefined` for a fragment that BIP 379 does not allow. */
export function fragmentType(fragment: Fragment): FragmentType | undefined {
  const parts = partsOf(fragment).map(fragmentType);
  if (!parts.every((part) => part !== undefined)) return undefined;
  const type = typeOf(fragment, parts);
  return ["B", "V", "K", "W"].some((basic) => type.has(basic)) ? type : undefined;
}

function typeOf(fragment: Fragment, [x = none, y = none, z = none, ...more]: readonly FragmentType[]): FragmentType {
  switch (fragment.kind) {
    case "0":
      return of("Bzudemsxk");
    case "1":
      return of("Bzufmxk");
    case "pk_k":
      return of("Konudemsxk");
    case "older":
      return of(`Bzfmxk${(fragment.number & relativeTimeFlag) === 0 ? "h" : "g"}`);
    case "after":
      return of(`Bzfmxk${fragment.number < firstTime ? "j" : "i"}`);
    case "sha256":
    case "hash256":
    case "ripemd160":
    case "hash160":
      return of("Bonudmk");
    case "multi":
      return of("Bnudemsk");
    case "a":
      return all(when(has(x, "B"), "W"), both(x, "ghijkudfems"), "x");
    case "s":
      return all(when(has(x, "Bo"), "W"), both(x, "ghijkudfemsx"));
    case "c":
      return all(when(has(x, "K"), "B"), both(x, "ghijkondfem"), "us");
    case "d":
      return all(when(has(x, "Vz"), "B"), when(has(x, "z"), "o"), when(has(x, "f"), "e"), both(x, "ghijkms"), "ndx");
    case "v":
      return all(when(has(x, "B"), "V"), both(x, "ghijkzonms"), "fx");
    case "j":
      return all(when(has(x, "Bn"), "B"), when(has(x, "f"), "e"), both(x, "ghijkoums"), "ndx");
    case "n":
      return all(both(x, "ghijkBzondfems"), "ux");
    case "and_v":
      return all(
        when(has(x, "V"), both(y, "KVB")),
        both(x, "n"),
        when(has(x, "z"), both(y, "n")),
        oneArgument(x, y),
        common("dmz", x, y),
        either("s", x, y),
        when(has(y, "f") || has(x, "s"), "f"),
        both(y, "ux"),
        either("ghij", x, y),
        unmixed(x, y),
      );
    case "and_b":
      return all(
        when(has(y, "W"), both(x, "B")),
        oneArgument(x, y),
        both(x, "n"),
        when(has(x, "z"), both(y, "n")),
        when(has(x, "s") && has(y, "s"), common("e", x, y)),
        common("dzm", x, y),
        when((has(x, "f") && has(y, "f")) || has(x, "sf") || has(y, "sf"), "f"),
        either("s", x, y),
        "ux",
        either("ghij", x, y),
        unmixed(x, y),
      );
    case "or_b":
      return all(
        when(has(x, "Bd") && has(y, "Wd"), "B"),
        oneArgument(x, y),
        when((has(x, "s") || has(y, "s")) && has(x, "e") && has(y, "e"), common("m", x, y)),
        common("zse", x, y),
        "dux",
        either("ghij", x, y),
        common("k", x, y),
      );
    case "or_d":
      return all(when(has(x, "Bdu"), both(y, "B")), orElse(x, y), both(y, "ufde"), "x");
    case "or_c":
      return all(when(has(x, "Bdu"), both(y, "V")), orElse(x, y), "fx");
    case "or_i":
      return all(
        common("VBKufs", x, y),
        when(has(x, "z") && has(y, "z"), "o"),
        when(has(x, "f") || has(y, "f"), either("e", x, y)),
        when(has(x, "s") || has(y, "s"), common("m", x, y)),
        either("d", x, y),
        "x",
        either("ghij", x, y),
        common("k", x, y),
      );
    case "andor":
      return andor(x, y, z);
    case "thresh":
      return threshold(fragment.required, [x, y, z, ...more].slice(0, fragment.parts.length));
  }
}

/** What `or_c` and `or_d` have alike. */
function orElse(x: FragmentType, y: FragmentType): FragmentType {
  return all(
    when(has(y, "z"), both(x, "o")),
    when(has(x, "e") && (has(x, "s") || has(y, "s")), common("m", x, y)),
    common("zs", x, y),
    either("ghij", x, y),
    common("k", x, y),
  );
}

function andor(x: FragmentType, y: FragmentType, z: FragmentType): FragmentType {
  const branches = common("oz", y, z);
  return all(
    when(has(x, "Bdu"), common("BKV", y, z)),
    common("z", x, y, z),
    when(has(x, "z") || has(branches, "z"), either("o", x, branches)),
    common("u", y, z),
    when(has(x, "s") || has(y, "f"), both(z, "fe")),
    both(z, "d"),
    when(has(x, "e") && (has(x, "s") || has(y, "s") || has(z, "s")), common("m", x, y, z)),
    when(has(z, "s") && (has(x, "s") || has(y, "s")), "s"),
    "x",
    either("ghij", x, y, z),
    when(has(z, "k"), unmixed(x, y)),
  );
}

function threshold(required: number, parts: readonly FragmentType[]): FragmentType {
  const isTyped = parts.every((part, position) => has(part, position === 0 ? "Bdu" : "Wdu"));
  const signed = parts.filter((part) => has(part, "s")).length;
  const inputs = parts.reduce((sum, part) => sum + (has(part, "z") ? 0 : has(part, "o") ? 1 : 2), 0);
  const allDissatisfied = parts.every((part) => has(part, "e"));
  const unsigned = parts.length - signed;
  const timelocks = parts.reduce<FragmentType>(
    (sum, part) => all(either("ghij", sum, part), required <= 1 ? common("k", sum, part) : unmixed(sum, part)),
    of("k"),
  );
  return all(
    when(isTyped, "B"),
    "du",
    when(inputs === 0, "z"),
    when(inputs === 1, "o"),
    when(allDissatisfied && unsigned === 0, "e"),
    when(allDissatisfied && parts.every((part) => has(part, "m")) && unsigned <= required, "m"),
    when(unsigned < required, "s"),
    timelocks,
  );
}

/** `k` for what is satisfied together: the locks of both may be, and so may each one's. */
function unmixed(x: FragmentType, y: FragmentType): FragmentType {
  const isMixed = ["gh", "hg", "ij", "ji"].some(([one = "", other = ""]) => x.has(one) && y.has(other));
  return when(has(x, "k") && has(y, "k") && !isMixed, "k");
}

/** Together they take one argument: one of them none, the other one. */
function oneArgument(x: FragmentType, y: FragmentType): FragmentType {
  return when(has(x, "z") || has(y, "z"), either("o", x, y));
}

const none: FragmentType = new Set();

function of(letters: string): FragmentType {
  return new Set(letters);
}

function has(type: FragmentType, letters: string): boolean {
  return [...letters].every((letter) => type.has(letter));
}

function when(condition: boolean, type: FragmentType | string): FragmentType {
  return condition ? new Set(type) : none;
}

/** Those of the letters that the type has. */
function both(type: FragmentType, letters: string): FragmentType {
  return common(letters, type);
}

function common(letters: string, ...types: readonly FragmentType[]): FragmentType {
  return new Set([...letters].filter((letter) => types.every((type) => type.has(letter))));
}

function either(letters: string, ...types: readonly FragmentType[]): FragmentType {
  return new Set([...letters].filter((letter) => types.some((type) => type.has(letter))));
}

function all(...types: readonly (FragmentType | string)[]): FragmentType {
  return new Set(types.flatMap((type) => [...type]));
}
