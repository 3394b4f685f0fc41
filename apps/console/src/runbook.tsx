import { Fragment, type ReactNode, useEffect } from 'react';
import RUNBOOK_TEXT from '../../../docs/runbook.md?raw';
import { WORDS } from './words.ts';

/** The runbook as it was when the console was built, opened at one of its entries. */
export function Runbook({ entry }: { readonly entry: string }) {
  useEffect(() => {
    const place = document.getElementById(entry);
    place?.scrollIntoView({ block: 'start' });
    place?.focus();
  }, [entry]);
  const blocks = blocksOf(RUNBOOK_TEXT);
  const sections = blocks.flatMap(([first = '']) => (first.startsWith('## ') ? [first.slice(3)] : []));
  return (
    <div className="runbook">
      <aside aria-label={WORDS.contents}>
        {sections.map((title) => (
          <a
            key={title}
            href={`#runbook/${anchorOf(title)}`}
            aria-current={entry === anchorOf(title) ? 'true' : undefined}
          >
            {title}
          </a>
        ))}
      </aside>
      <article>
        {blocks.map((lines, index) => (
          <Block key={index} lines={lines} entry={entry} />
        ))}
      </article>
    </div>
  );
}

/** Lines between empty ones; what stands between fences stays together. */
function blocksOf(text: string): readonly (readonly string[])[] {
  const blocks: string[][] = [[]];
  let isFenced = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isFenced = !isFenced;
    if (line === '' && !isFenced) blocks.push([]);
    else blocks.at(-1)!.push(line);
  }
  return blocks.filter((lines) => lines.length > 0);
}

function Block({ lines, entry }: { readonly lines: readonly string[]; readonly entry: string }) {
  const [first = ''] = lines;
  const [, marks = '', title = ''] = /^(#+) (.+)$/.exec(first) ?? [];
  if (marks === '#') return null;
  if (marks !== '')
    return (
      <h2 id={anchorOf(title)} tabIndex={-1}>
        {title}
      </h2>
    );
  if (first.startsWith('```')) return <pre tabIndex={0}>{lines.slice(1, -1).join('\n')}</pre>;
  if (first.startsWith('|')) return <Table lines={lines} entry={entry} />;
  if (/^\d+\. /.test(first))
    return (
      <ol>
        {itemsOf(lines).map((item) => (
          <li key={item}>
            <Words text={item} />
          </li>
        ))}
      </ol>
    );
  return (
    <p>
      <Words text={lines.join(' ')} />
    </p>
  );
}

/** The items of a numbered list, each with the lines that go on with it. */
function itemsOf(lines: readonly string[]): readonly string[] {
  return lines
    .join(' ')
    .split(/(?:^| +)\d+\. /)
    .filter((item) => item !== '');
}

function Table({ lines, entry }: { readonly lines: readonly string[]; readonly entry: string }) {
  const rows = lines
    .filter((line) => !/^\|[ |:-]+$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [head = [], ...body] = rows;
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={head[0]}>
      <table>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col">
                <Words text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((cells) => {
            const id = `part-${anchorOf(cells[0] ?? '')}`;
            return (
              <tr key={cells[0]} id={id} tabIndex={-1} className={id === entry ? 'shown' : undefined}>
                {cells.map((cell, index) => (
                  <td key={index}>
                    <Words text={cell} />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/;

/** Text with its code, its emphasis, and its links within the runbook. */
export function Words({ text }: { readonly text: string }): ReactNode {
  return text.split(INLINE).map((part, index) => <Fragment key={index}>{wordsOf(part)}</Fragment>);
}

function wordsOf(part: string): ReactNode {
  if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>;
  if (part.startsWith('**')) return <strong>{part.slice(2, -2)}</strong>;
  const [, label, place = ''] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
  if (label === undefined) return part;
  return place.startsWith('#') ? <a href={`#runbook/${place.slice(1)}`}>{label}</a> : label;
}

/** A heading's anchor: `A halted asset` is `a-halted-asset`. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

/** Where the runbook speaks of a part of health. */
interface Entry {
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
