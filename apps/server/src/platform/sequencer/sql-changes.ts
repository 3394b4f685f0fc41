/** The part of PostgreSQL's result by which it is seen whether rows changed. */
interface StatementResult {
  readonly command?: string;
  readonly rowCount?: number | null;
}

/**
 * Regular expression that matches the parts of a statement that change rows or sequences. `for update` and
 * `on conflict … do update` do not match.
 */
const CHANGING =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|update\s+(?:only\s+)?[\w."]+(?:\s+(?:as\s+)?[\w"]+)?\s+set|nextval|setval)\b/gi;

/**
 * Records whether any statement since `reset` has changed a row. A statement whose text and result do not show whether
 * it has changed a row counts as a change.
 */
export class SqlChanges {
  isAny = false;

  reset(): void {
    this.isAny = false;
  }

  note(text: unknown, answer: StatementResult): void {
    if (!this.isAny) this.isAny = changesRows(text, answer);
  }
}

function changesRows(text: unknown, { command, rowCount }: StatementResult): boolean {
  if (typeof text !== 'string') return true;
  const changingParts = text.match(CHANGING)?.length ?? 0;
  if (command === 'SELECT') return changingParts > 0;
  // If several parts of a statement can change rows, PostgreSQL's `rowCount` counts only those of the last
  // part. So such a statement always counts as one that changed rows.
  const isOneChange =
    command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
  return !(isOneChange && changingParts === 1 && rowCount === 0);
}
