import type { RowWriter } from './row-writer.ts';

/** What the recorded steps of one batch were asked, in order: one row, since it is only ever read as a whole. */
export interface RecordedSteps {
  /** The last step of the batch. */
  readonly sequence: number;
  /** One JSON array per step: sequence, instant, operation, input. */
  readonly steps: readonly string[];
}

/** Not an array like other rows' values: quoting JSON inside of an array literal would double its quotes. */
export const stepJournalWriter: RowWriter<RecordedSteps> = {
  name: 'step_journal',
  columnTypes: ['bigint', 'text'],
  cells: ({ sequence, steps }) => [sequence, steps.join('\n')],
  statement: (first) =>
    `insert into step_journal (sequence, steps) values ($${first}::bigint, $${first + 1}::text)`,
  parameters: ([row]) => [String(row?.sequence), row?.steps.join('\n') ?? ''],
};
