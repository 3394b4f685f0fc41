import { useEffect } from 'react';
import { anchorOf, RUNBOOK_TEXT } from './runbook-entries.ts';
import { Words } from './runbook-words.tsx';
import { WORDS } from './words.ts';

/** The runbook, opened at one of its entries. */
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
