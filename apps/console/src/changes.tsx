import type { Operation, OperationField } from '@exchange/web-kit/console/calls.ts';
import { readValue } from './form-values.ts';
import { headingOf, WORDS } from './words.ts';

interface Props {
  readonly fields: Operation['fields'];
  /** What is published now, as fields show it. */
  readonly now: Readonly<Record<string, string>>;
  /** What is asked for. */
  readonly next: Readonly<Record<string, string>>;
  /** Which rows are shown although they stay as they are. */
  readonly kept: KeptRows;
  /** What stands above it. */
  readonly title?: string;
  /** What the two columns are called. */
  readonly heads?: readonly [string, string];
}

/**
 * `all`: a call that is about no published terms; nothing of it stays. `amounts`: amounts and rates of terms, whatever
 * becomes of them. `none`: differences alone, for what is history.
 */
type KeptRows = 'all' | 'amounts' | 'none';

/** What the form of an operation shows, or a proposal of it. */
export function keptRowsOf(isVersioned: boolean): KeptRows {
  return isVersioned ? 'amounts' : 'all';
}

const NOW_AND_THEN = [WORDS.now, WORDS.next] as const;

/** What is asked for against what is now, row by row, and how many of the other fields stay. */
export function Changes(props: Props) {
  const { fields, now, next, kept, title = WORDS.changes, heads = NOW_AND_THEN } = props;
  const names = Object.keys(next).filter((name) => fields[name] !== undefined || next[name] !== now[name]);
  const isShown = (name: string) =>
    next[name] !== (now[name] ?? '') || kept === 'all' || (kept === 'amounts' && isFigured(fields[name]));
  const shown = names.filter(isShown);
  const left = names.length - shown.length;
  // Where nothing but a reason is given there is nothing to compare.
  if (names.length === 1 && names[0] === 'reason')
    return (
      <p className="changes reason">
        <span className="dim">{WORDS.reason}</span> {next['reason']}
      </p>
    );
  return (
    <div className="changes" tabIndex={0} role="region" aria-label={title}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{WORDS.field}</th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((name) => {
            const [before, after] = [now[name] ?? '', next[name] ?? ''].map((text) =>
              readValue(fields[name], text),
            );
            const isSame = before === after;
            const [head, tail] = isFigure(fields[name]) && !isSame ? WHOLE : sameEnds(before!, after!);
            return (
              <tr key={name}>
                <th scope="row">{fields[name]?.label ?? headingOf(name)}</th>
                <td>
                  <Marked as="del" text={before!} head={head} tail={tail} />
                </td>
                <td>
                  {after === '' ? (
                    <span className="dim">{WORDS.nothingLeft}</span>
                  ) : (
                    <Marked as="ins" text={after!} head={head} tail={tail} />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {left > 0 && <p className="dim">{WORDS.unchanged(left)}</p>}
    </div>
  );
}

const FIGURES = new Set<OperationField['kind']>(['decimal', 'percent', 'durations', 'whole']);

/** Whether a field holds amounts or rates. */
function isFigured(field: OperationField | undefined): boolean {
  return field !== undefined && FIGURES.has(field.kind);
}

const WHOLE = [0, 0] as const;

/** Of a number no digit says anything by itself. */
function isFigure(field: OperationField | undefined): boolean {
  return field !== undefined && field.kind !== 'text' && field.kind !== 'longText';
}

/** A text with what differs of it marked. */
function Marked(props: { as: 'del' | 'ins'; text: string; head: number; tail: number }) {
  const { as: Mark, text, head, tail } = props;
  const middle = text.slice(head, text.length - tail);
  return (
    <>
      {text.slice(0, head)}
      {middle !== '' && <Mark>{middle}</Mark>}
      {text.slice(text.length - tail)}
    </>
  );
}

/** How many characters two texts begin and end with alike; where one is empty, nothing. */
function sameEnds(one: string, other: string): readonly [number, number] {
  const most = Math.min(one.length, other.length);
  let head = 0;
  while (head < most && one[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < most - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  return [head, tail];
}
