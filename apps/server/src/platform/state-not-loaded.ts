/**
 * Thrown if a call needs state that only a started exchange has in memory. An API node, which starts no module, then
 * sends the call to the writer.
 */
export class StateNotLoaded extends Error {
  override readonly name = 'StateNotLoaded';

  constructor(state: string) {
    super(`${state} are not loaded in this process`);
  }
}
