/** The turn of one of several concurrent tasks that enqueue their commands in a fixed order. */
export interface Turn {
  /** Resolves when the turns of all earlier tasks have ended. */
  readonly started: Promise<void>;
  /** Ends the task's turn: its command is enqueued, or it will enqueue none. Further calls have no effect. */
  readonly end: () => void;
}

/** Creates the turns of `count` tasks, the first task's turn first. */
export function turnsOf(count: number): Turn[] {
  let started = Promise.resolve();
  return Array.from({ length: count }, () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const turn: Turn = { started, end };
    started = Promise.all([started, ended]).then(() => undefined);
    return turn;
  });
}
