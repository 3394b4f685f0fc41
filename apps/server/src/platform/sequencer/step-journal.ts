/** What the recorded steps of one batch were asked, in order: one row, since it is only ever read as a whole. */
export interface RecordedSteps {
  /** The last step of the batch. */
  readonly sequence: number;
  /** One JSON array per step: sequence, instant, operation, input. */
  readonly steps: readonly string[];
}

/**
 * Stores them. Not over arrays like other rows: quoting JSON inside of an array literal would double its
 * quotes.
 */
export const stepJournal = {
  name: 'step_journal',
  statement: (first: number): string =>
    `insert into step_journal (sequence, steps) values ($${first}::bigint, $${first + 1}::text)`,
  parameters: ({ sequence, steps }: RecordedSteps): string[] => [String(sequence), steps.join('\n')],
};
