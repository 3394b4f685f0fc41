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

/** Where the runbook speaks of a part of health. */
export interface Entry {
  readonly place: string;
  /** The heading that it stands under. */
  readonly heading: string;
  /** What it means that the part is not up, and what to do. */
  readonly meaning: string;
}

const PARTS = 'Parts of health';
/** Products share one line. */
const PRODUCT = 'a product’s name';

/** The line of a part, or that of every product. */
export function entryOf(part: string): Entry {
  const own = meaningOf(`\`${part}\``);
  const name = own === undefined ? PRODUCT : `\`${part}\``;
  return { place: `part-${anchorOf(name)}`, heading: PARTS, meaning: own ?? meaningOf(PRODUCT) ?? '' };
}

/** The second cell of the line that begins with a name. */
function meaningOf(name: string): string | undefined {
  const line = RUNBOOK_TEXT.split('\n').find((one) => one.replace("'", '’').startsWith(`| ${name} `));
  const meaning = line?.split('|')[2]?.trim();
  return meaning && meaning.slice(0, 1).toUpperCase() + meaning.slice(1);
}
