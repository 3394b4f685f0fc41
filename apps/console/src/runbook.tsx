import { Fragment, type ReactNode, useEffect } from 'react';
import RUNBOOK_TEXT from '../../../docs/runbook.md?raw';
import { WORDS } from './words.ts';

/** Shows the runbook in the version bundled with the console, scrolled to the given entry. */
export function Runbook({ entry }: { readonly entry: string }) {
  useEffect(() => {
    const heading = document.getElementById(entry);
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus();
  }, [entry]);
  const blocks = blocksOf(RUNBOOK_TEXT);
  const sections = blocks.flatMap(([firstLine = '']) =>
    firstLine.startsWith('## ') ? [firstLine.slice(3)] : [],
  );
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

/** Splits a text into blocks at empty lines, each an array of its lines; fenced code stays in one block. */
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

const NUMBERED_ITEM = /^\d+\. /;
const BULLETED_ITEM = /^- /;

function Block({ lines, entry }: { readonly lines: readonly string[]; readonly entry: string }) {
  const [firstLine = ''] = lines;
  const [, marks = '', title = ''] = /^(#+) (.+)$/.exec(firstLine) ?? [];
  if (marks === '#') return null;
  if (marks !== '') {
    const Heading = marks === '##' ? 'h2' : 'h3';
    return (
      <Heading id={anchorOf(title)} tabIndex={-1}>
        {title}
      </Heading>
    );
  }
  if (firstLine.startsWith('```')) return <pre tabIndex={0}>{lines.slice(1, -1).join('\n')}</pre>;
  if (firstLine.startsWith('|')) return <Table lines={lines} entry={entry} />;
  if (NUMBERED_ITEM.test(firstLine)) return <ol>{itemsOf(lines, NUMBERED_ITEM)}</ol>;
  if (BULLETED_ITEM.test(firstLine)) return <ul>{itemsOf(lines, BULLETED_ITEM)}</ul>;
  return (
    <p>
      <InlineText text={lines.join(' ')} />
    </p>
  );
}

/** Renders the items of a list. `marker` matches the beginning of the first line of each item. */
function itemsOf(lines: readonly string[], marker: RegExp): ReactNode {
  const items: string[] = [];
  for (const line of lines) {
    if (marker.test(line)) items.push(line.replace(marker, ''));
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return items.map((item) => (
    <li key={item}>
      <InlineText text={item} />
    </li>
  ));
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
                <InlineText text={cell} />
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
                    <InlineText text={cell} />
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

/** Renders inline Markdown: code, emphasis, and links within the runbook. */
export function InlineText({ text }: { readonly text: string }): ReactNode {
  return text.split(INLINE).map((part, index) => <Fragment key={index}>{wordsOf(part)}</Fragment>);
}

function wordsOf(part: string): ReactNode {
  if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>;
  if (part.startsWith('**')) return <strong>{part.slice(2, -2)}</strong>;
  const [, label, target = ''] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
  if (label === undefined) return part;
  return target.startsWith('#') ? <a href={`#runbook/${target.slice(1)}`}>{label}</a> : label;
}

/** Returns the anchor of a heading: `A halted asset` becomes `a-halted-asset`. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

/** An explanation from the runbook for a server component that is down. */
interface Entry {
  readonly place: string;
  /** Heading of the runbook section that contains the entry. */
  readonly heading: string;
  /** Text of the runbook: the consequences while the health component is down, and how to remedy it. */
  readonly meaning: string;
}

const PARTS = 'Parts of health';
/** First cell of the runbook table's row that covers all products together. */
const PRODUCT = 'a product’s name';

/**
 * Returns the runbook entry about a server component; all products share one entry. Its `meaning` is empty if
 * the runbook has no entry for the component and none for products.
 */
export function entryOf(part: string): Entry {
  const meaning = meaningOf(`\`${part}\``);
  const name = meaning === undefined ? PRODUCT : `\`${part}\``;
  return { place: `part-${anchorOf(name)}`, heading: PARTS, meaning: meaning ?? meaningOf(PRODUCT) ?? '' };
}

/**
 * Returns the second cell of the first runbook table row whose first cell is the given name, with a capital
 * first letter; undefined without such a row.
 */
function meaningOf(name: string): string | undefined {
  const line = RUNBOOK_TEXT.split('\n').find((text) => text.replace("'", '’').startsWith(`| ${name} `));
  const meaning = line?.split('|')[2]?.trim();
  return meaning && meaning.slice(0, 1).toUpperCase() + meaning.slice(1);
}
