import text from '../../../docs/runbook.md?raw';

/** The runbook, as it was when the console was built. */
export const RUNBOOK_TEXT: string = text;

/** A heading's anchor: `A halted asset` is `a-halted-asset`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

const ON_A_CHAIN = ['chains', 'deposits', 'withdrawals'];

/** Where the runbook speaks of a part of health; products share one line. */
export function entryOf(part: string): string {
  if (ON_A_CHAIN.includes(part)) return 'deposits-and-withdrawals-on-a-chain';
  return RUNBOOK_TEXT.includes(`| \`${part}\``) ? `part-${anchorOf(part)}` : 'parts-of-health';
}
