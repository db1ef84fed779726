import { type Rule, rule } from "../contract/rule.ts";

const described = "the description";

/** What a guess from names is said to rest on. */
const named = "names in the description";

/** Rules that hold in all protocols, one for each property. The ids stay for ever: baselines and reports name them. */
export const propertyRules: Readonly<
  Record<
    | "limit"
    | "sort"
    | "pagination"
    | "filter"
    | "range"
    | "count"
    | "unique"
    | "sum"
    | "default"
    | "validInput"
    | "validInputLikely"
    | "invalidInput"
    | "invalidInputLikely"
    | "surplusInput"
    | "steady"
    | "steadyGuessed"
    | "example"
    | "exampleGuessed"
    | "exampleFailure"
    | "exampleMessage"
    | "notFound"
    | "notFoundGuessed"
    | "declaredError"
    | "declaredErrorForm"
    | "key"
    | "ownResult"
    | "keyGiven"
    | "keyStatus"
    | "challenge"
    | "challengeOfKey"
    | "identity"
    | "linkedIdentity"
    | "echo"
    | "embedded"
    | "found",
    Rule
  >
> = {
  limit: {
    ...rule("P001", "heuristic", "A limit of n returns the first n elements of the list", named),
    aliases: ["R106", "R107", "J34", "J47", "G304", "G305"],
  },
  sort: {
    ...rule("P002", "heuristic", "Elements are in the order that was asked for", named),
    aliases: ["R110", "J49", "G331", "G332"],
  },
  pagination: {
    ...rule("P003", "heuristic", "Pages of a list follow each other and share no element", named),
    aliases: ["R108", "R109", "J48", "G306", "G335"],
  },
  filter: {
    ...rule("P004", "heuristic", "A filtered list has the elements that match, all of them and no others", named),
    aliases: ["R111", "J75", "J81", "G307", "G324", "G327", "G328"],
  },
  range: {
    ...rule("P005", "heuristic", "A list with bounds has the elements within them, all of them and no others", named),
    aliases: ["R112", "R122"],
  },
  count: {
    ...rule("P006", "heuristic", "A count is the number of the elements that it counts", named),
    aliases: ["R116", "R120", "J76", "G308", "G326"],
  },
  unique: {
    ...rule("P007", "heuristic", "No element of a list stands there twice, told by its identifier", named),
    aliases: ["R117", "J88", "G319", "G323"],
  },
  sum: {
    ...rule("P008", "heuristic", "What is told of many is what its parts make", named),
    aliases: ["R123", "R124", "J82", "J89"],
  },
  default: {
    ...rule("P009", "MUST", "A parameter that is left out has the effect of its documented default", "the description"),
    aliases: ["R105", "J32", "G207"],
  },
  steady: {
    ...rule("P010", "MUST", "What never changes is the same when it is called for again", "the description"),
    aliases: ["R103", "J31"],
  },
  steadyGuessed: {
    ...rule("P011", "heuristic", "What is called for again is the same, as far as names and values tell", named),
    aliases: ["R104", "J44", "G311", "G312"],
  },
  example: {
    ...rule(
      "P030",
      "MUST",
      "A value that the description shows of something that never changes is what is returned",
      "the description",
    ),
    aliases: ["R101", "J13", "G151"],
  },
  exampleGuessed: {
    ...rule(
      "P031",
      "SHOULD",
      "A value that the description shows is what is returned, though it may have changed since",
      "the description",
    ),
    aliases: ["R102", "J42", "G154"],
  },
  exampleFailure: {
    ...rule("P032", "MUST", "A request that the description shows to fail fails as shown", "the description"),
    aliases: ["H114", "J14", "G152"],
  },
  exampleMessage: {
    ...rule("P033", "MUST", "A failure has the message that its example fixes", "the description"),
    aliases: ["J15", "G153"],
  },
  notFound: {
    ...rule("P036", "MUST", "What does not exist leads to the failure that is documented for it", "the description"),
    aliases: ["H304", "J25", "J26"],
  },
  notFoundGuessed: {
    ...rule("P037", "heuristic", "What does not exist is not found", named, "weak"),
    aliases: ["H305", "H306", "J91", "G317"],
  },
  declaredError: {
    ...rule("P034", "MUST", "What a declared failure names as invalid leads to this failure", "the description"),
    aliases: ["J80"],
  },
  declaredErrorForm: {
    ...rule("P035", "MUST", "A declared failure has its code, its message and its data", "the description"),
    aliases: ["J16", "J78"],
  },
  key: {
    ...rule("P040", "MUST", "A call without the right key has no result where a key is needed", "the description"),
    aliases: ["H501", "J67", "G601"],
  },
  keyGiven: {
    ...rule("P041", "SHOULD", "A call without the right key has no result where a key was given for the run", "--key"),
    aliases: ["J74", "G602"],
  },
  keyStatus: {
    ...rule("P042", "SHOULD", "A call without the right key is refused with 401 or 403", "RFC 9110, section 15.5.2"),
    aliases: ["H502", "J73", "G603"],
  },
  challenge: {
    ...rule("P043", "MUST", "A 401 says in WWW-Authenticate how to get in", "RFC 9110, section 11.6.1"),
    aliases: ["H503", "G604"],
  },
  challengeOfKey: {
    ...rule(
      "P044",
      "SHOULD",
      "A 401 says in WWW-Authenticate how to get in, though there is no registered scheme for its kind of key",
      "RFC 9110, section 11.6.1",
    ),
    aliases: ["H504", "J68"],
  },
  ownResult: {
    ...rule(
      "P045",
      "MUST",
      "A call has the result of its own inputs, whatever was called for before it",
      "the description",
    ),
    aliases: ["J77"],
  },
  identity: {
    ...rule("P020", "heuristic", "An object that is called for by its identifier has that identifier", named),
    aliases: ["R114", "J35"],
  },
  linkedIdentity: {
    ...rule(
      "P021",
      "MUST",
      "An object that a declared link leads to has the identifier that the link takes",
      "OpenAPI 3.1.1, section 4.8.20, and OpenRPC (Link Object)",
    ),
    aliases: ["R125", "J90"],
  },
  echo: {
    ...rule("P022", "heuristic", "A result that repeats a value that it was called with has this value", named),
    aliases: ["J46", "J83"],
  },
  embedded: {
    ...rule("P023", "heuristic", "An object within another result is the same as when it is called for alone", named),
    aliases: ["R115", "J36", "J37", "J45"],
  },
  found: {
    ...rule("P024", "heuristic", "What a result lists is found by its identifier", named),
    aliases: ["G301"],
  },
  validInput: {
    ...rule("P012", "MUST", "A call with an input that the description allows by itself is accepted", described),
    aliases: ["H202", "J17", "G119", "G120"],
  },
  validInputLikely: {
    ...rule(
      "P013",
      "SHOULD",
      "A call with values of the documented types is accepted, unless the target has a reason that types do not say",
      described,
    ),
    aliases: ["H203", "J18"],
  },
  invalidInput: {
    ...rule("P014", "MUST", "An input that the description excludes is refused as it says", described),
    aliases: ["H301", "H303", "J21", "G403"],
  },
  invalidInputLikely: {
    ...rule(
      "P015",
      "SHOULD",
      "An input that the description excludes is refused, though nothing says how or servers may coerce it",
      described,
    ),
    aliases: ["H302", "J92", "G404"],
  },
  surplusInput: {
    ...rule("P016", "heuristic", "A parameter that the description does not have is refused", named),
    aliases: ["J24"],
  },
};
