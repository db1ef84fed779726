/** Error that describes why the service can't start: one sentence for a person, with the remedy, without secrets. */
export class StartProblem extends Error {
  override readonly name = "StartProblem";
}
