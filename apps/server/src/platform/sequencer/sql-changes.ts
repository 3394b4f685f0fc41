/** What PostgreSQL answered to a statement, as far as it tells whether rows changed. */
interface Answered {
  readonly command?: string;
  readonly rowCount?: number | null;
}

/** Parts of a statement that change rows; `for update` and `on conflict … do update` are none. */
const CHANGING =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|update\s+(?:only\s+)?[\w."]+(?:\s+(?:as\s+)?[\w"]+)?\s+set|nextval|setval)\b/gi;

/**
 * Notes whether any statement since `reset` changed a row. A statement that cannot be judged by its text and its
 * answer counts as a change.
 */
export class SqlChanges {
  isAny = false;

  reset(): void {
    this.isAny = false;
  }

  note(text: unknown, answer: Answered): void {
    if (!this.isAny) this.isAny = changesRows(text, answer);
  }
}

function changesRows(text: unknown, { command, rowCount }: Answered): boolean {
  if (typeof text !== 'string') return true;
  const changing = text.match(CHANGING)?.length ?? 0;
  if (command === 'SELECT') return changing > 0;
  // With more than one changing part the answer counts the rows of the last one only.
  const isOneChange =
    command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
  return !(isOneChange && changing === 1 && rowCount === 0);
}
