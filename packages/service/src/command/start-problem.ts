/** Why the service can't start: one sentence for a person, with the way out, without secrets. */
export class StartProblem extends Error {
  override readonly name = "StartProblem";
}
