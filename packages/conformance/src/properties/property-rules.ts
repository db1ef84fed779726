import { type Rule, rulesOf } from "../contract/rule.ts";

const table = {
  limit:
    "P001 | heuristic | A limit of n returns the first n elements of the list | names in the description | replaces R106 R107 J34 J47 G304 G305",
  sort: "P002 | heuristic | Elements are in the requested order | names in the description | replaces R110 J49 G331 G332",
  pagination:
    "P003 | heuristic | Pages of a list follow each other and share no element | names in the description | replaces R108 R109 J48 G306 G335",
  filter:
    "P004 | heuristic | A filtered list has the elements that match, all of them and no others | names in the description | replaces R111 J75 J81 G307 G324 G327 G328",
  range:
    "P005 | heuristic | A list with bounds has the elements within them, all of them and no others | names in the description | replaces R112 R122",
  count:
    "P006 | heuristic | A count is the number of the elements that it counts | names in the description | replaces R116 R120 J76 J86 G308 G326",
  unique:
    "P007 | heuristic | No element is in a list twice, by its identifier | names in the description | replaces R117 J88 G319 G323",
  sum: "P008 | heuristic | A sum equals the sum of its parts | names in the description | replaces R123 R124 J82 J89",
  default:
    "P009 | MUST | An omitted parameter has the effect of its documented default | the description | replaces R105 J32 G207",
  steady:
    "P010 | MUST | What never changes is the same when it is called for again | the description | replaces R103 J31",
  steadyGuessed:
    "P011 | heuristic | A repeated call has the same result, as far as names and values show | names in the description | replaces R104 J44 G311 G312",
  example:
    "P030 | MUST | A value that the description shows of something that never changes is what is returned | the description | replaces R101 J13 G151",
  exampleGuessed:
    "P031 | SHOULD | A value that the description shows is what is returned, though it may have changed since | the description | replaces R102 J42 G154",
  exampleFailure:
    "P032 | MUST | A request that the description shows to fail fails as shown | the description | replaces H114 J14 G152",
  exampleMessage:
    "P033 | MUST | A failure has the message that its example fixes | the description | replaces J15 G153",
  notFound:
    "P036 | MUST | What does not exist leads to the failure that is documented for it | the description | replaces H304 J25 J26",
  notFoundGuessed:
    "P037 | heuristic | What does not exist is not found | names in the description | weak | replaces H305 H306 J91 G317",
  declaredError:
    "P034 | MUST | What a declared failure names as invalid leads to this failure | the description | replaces J80",
  declaredErrorForm:
    "P035 | MUST | A declared failure has its code, its message and its data | the description | replaces J16 J78",
  key: "P040 | MUST | A call without the right key has no result where a key is needed | the description | replaces H501 J67 G601",
  keyGiven:
    "P041 | SHOULD | A call without the right key has no result where a key was given for the run | --key | replaces J74 G602",
  keyStatus:
    "P042 | SHOULD | A call without the right key is refused with 401 or 403 | RFC 9110, section 15.5.2 | replaces H502 J73 G603",
  challenge:
    "P043 | MUST | A 401 states in WWW-Authenticate how to authenticate | RFC 9110, section 11.6.1 | replaces H503 G604",
  challengeOfKey:
    "P044 | SHOULD | A 401 states in WWW-Authenticate how to authenticate, though there is no registered scheme for its kind of key | RFC 9110, section 11.6.1 | replaces H504 J68",
  ownResult:
    "P045 | MUST | A call has the result of its own inputs, whatever was called for before it | the description | replaces J77",
  identity:
    "P020 | heuristic | An object that is called for by its identifier has that identifier | names in the description | replaces R114 J35 G302",
  linkedIdentity:
    "P021 | MUST | An object that a declared link leads to has the identifier that the link takes | OpenAPI 3.1.1, section 4.8.20, and OpenRPC (Link Object) | replaces R125 J90",
  echo: "P022 | heuristic | A result that repeats a parameter of its call has the value of the call | names in the description | replaces J46 J83",
  embedded:
    "P023 | heuristic | An object nested in another result equals the result of its own operation | names in the description | replaces R115 J36 J37 J45",
  found: "P024 | heuristic | What a result lists is found by its identifier | names in the description | replaces G301",
  effect:
    "P025 | heuristic | A parameter that decides what a result contains has the effect of its name | names in the description | replaces R113 R121 R127 J84 G336",
  parent:
    "P026 | heuristic | The parent that an object names is found, one place below it | names in the description | replaces J39 G309",
  head: "P027 | heuristic | At the last height that is reported there is something, far above it nothing | names in the description | replaces J85",
  linkedPages: "P028 | MUST | The header Link leads to the pages that it names | RFC 8288, section 3.3 | replaces R126",
  validInput:
    "P012 | MUST | A call with an input that the description allows by itself is accepted | the description | replaces H202 J17 G119 G120",
  validInputHeuristic:
    "P013 | SHOULD | A call with values of the documented types is accepted, unless the target has a reason that types do not say | the description | replaces H203 J18",
  invalidInput:
    "P014 | MUST | An input that the description excludes is refused as described | the description | replaces H301 H303 J21 G403",
  invalidInputHeuristic:
    "P015 | SHOULD | An input that the description excludes is refused, although the way is not described or servers may coerce it | the description | replaces H302 J92 G404",
  surplusInput:
    "P016 | heuristic | A parameter that the description does not have is refused | names in the description | replaces J24",
} as const;

/** Rules of the properties for all protocols, one for each property. */
export const propertyRules: Readonly<Record<keyof typeof table, Rule>> = rulesOf(table);
