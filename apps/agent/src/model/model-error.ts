/** A failure of a model or of its choice, told for people: what was asked, what came back, what to do. No secrets. */
export class ModelError extends Error {
  override readonly name: string = "ModelError";
}
