import type { FieldNeighbours, Operation, OperationField } from '@exchange/web-kit/console/calls.ts';
import { readValue } from './form-values.ts';
import { Fragment } from 'react';
import { formatNumbersIn } from './texts.ts';
import { headingOf, WORDS } from './words.ts';

interface Props {
  readonly fields: Operation['fields'];
  /**
   * The current values, by field, formatted as in form inputs; for terms that are published in versions, the values of
   * the published version.
   */
  readonly now: Readonly<Record<string, string>>;
  /** The values that the operator proposes, by field, formatted as in form inputs. */
  readonly next: Readonly<Record<string, string>>;
  readonly kept: UnchangedRows;
  readonly title?: string;
  readonly heads?: readonly [string, string];
  /**
   * Notes of the server about proposed values, each about one field: the market value, the highest value that
   * the operator may decide about, and the cost; omitted if there are none.
   */
  readonly neighbours?: readonly FieldNeighbours[];
}

/**
 * Which unchanged fields a comparison of proposed and published values shows. `all`: every field that is not empty, for
 * operations that change no published terms. `amounts`: fields with numbers or durations. `none`: only changed fields,
 * for past versions. Fields with a note about the market value or the cost are always shown.
 */
type UnchangedRows = 'all' | 'amounts' | 'none';

/**
 * Returns which unchanged fields the comparison in a preview shows: for terms that are published in versions
 * those with numbers or durations, for all other operations every field that is not empty.
 */
export function unchangedRowsOf(isVersioned: boolean): UnchangedRows {
  return isVersioned ? 'amounts' : 'all';
}

const NOW_AND_THEN = [WORDS.now, WORDS.next] as const;

/**
 * Table that compares the proposed with the current values (for terms that are published in versions, those of the
 * published version), field by field. It shows the changed fields, the unchanged fields that `kept` selects and fields
 * with a note about market value or cost; a sentence states how many fields it leaves out. If the reason is the only
 * field, only the reason is shown.
 */
export function Changes(props: Props) {
  const { fields, now, next, kept, title = WORDS.changes, heads = NOW_AND_THEN, neighbours = [] } = props;
  const names = Object.keys(next).filter((name) => fields[name] !== undefined || next[name] !== now[name]);
  const isShown = (name: string) =>
    next[name] !== (now[name] ?? '') ||
    (kept === 'all' && next[name] !== '') ||
    (kept === 'amounts' && isAmountField(fields[name])) ||
    neighbours.some(({ field, market, cost }) => field === name && (market ?? cost) !== undefined);
  const shown = names.filter(isShown);
  const hiddenCount = names.length - shown.length;
  // The column of current values is left out when all of them are empty, for example when the operation
  // creates a record; an empty column would only reduce the space for the labels.
  const hasNow = shown.some((name) => (now[name] ?? '') !== '');
  // If the reason is the only field of the request, there are no values to compare, so only the reason is shown.
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
            {heads.slice(hasNow ? 0 : 1).map((head) => (
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
            const [head, tail] =
              isNumberField(fields[name]) && !isSame ? WHOLE_TEXT : commonEnds(before!, after!);
            return (
              <Fragment key={name}>
                <tr>
                  <th scope="row">{fields[name]?.label ?? headingOf(name)}</th>
                  {hasNow && (
                    <td>
                      <HighlightedText as="del" text={before!} head={head} tail={tail} />
                    </td>
                  )}
                  <td>
                    {after === '' ? (
                      <span className="dim">{WORDS.nothingLeft}</span>
                    ) : (
                      <HighlightedText as="ins" text={after!} head={head} tail={tail} />
                    )}
                  </td>
                </tr>
                <NeighbourRow neighbours={neighbours} name={name} columns={hasNow ? 3 : 2} />
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {hiddenCount > 0 && <p className="dim">{WORDS.unchanged(hiddenCount)}</p>}
    </div>
  );
}

const NEIGHBOUR_KINDS = ['market', 'ceiling', 'cost'] as const;
type NeighbourKind = (typeof NEIGHBOUR_KINDS)[number];

interface NeighbourRowProps {
  readonly neighbours: readonly FieldNeighbours[];
  readonly name: string;
  readonly columns: number;
}

/**
 * Table row with the notes about a field, below the field's own row in the comparison; renders nothing for a field
 * without notes.
 */
function NeighbourRow({ neighbours, name, columns }: NeighbourRowProps) {
  const texts = NEIGHBOUR_KINDS.map((kind) => [kind, neighbourText(neighbours, name, kind)] as const).filter(
    ([, text]) => text !== '',
  );
  if (texts.length === 0) return null;
  return (
    <tr className="beside">
      <td colSpan={columns}>
        {texts.map(([kind, text]) => (
          <p key={kind}>
            <span className="dim">{WORDS.neighbours[kind]}</span> {text}
          </p>
        ))}
      </td>
    </tr>
  );
}

/**
 * Returns the sentences of one kind (market, ceiling or cost) about a field, joined by semicolons; empty when
 * there are none.
 */
function neighbourText(neighbours: readonly FieldNeighbours[], name: string, kind: NeighbourKind): string {
  const texts = neighbours.flatMap((neighbour) => (neighbour.field === name ? (neighbour[kind] ?? []) : []));
  return formatNumbersIn(texts.join('; '));
}

const FIGURES = new Set<OperationField['kind']>(['decimal', 'percent', 'durations', 'whole']);

/** True when the field holds a number (amount, rate, whole number) or durations. */
function isAmountField(field: OperationField | undefined): boolean {
  return field !== undefined && FIGURES.has(field.kind);
}

const WHOLE_TEXT = [0, 0] as const;

/**
 * True for fields other than texts, such as numbers, times and choices. The comparison does not highlight their
 * differing characters, because a part of such a value means nothing by itself.
 */
function isNumberField(field: OperationField | undefined): boolean {
  return field !== undefined && field.kind !== 'text' && field.kind !== 'longText';
}

/** A text in which the part that differs from another text is highlighted. */
function HighlightedText(props: { as: 'del' | 'ins'; text: string; head: number; tail: number }) {
  const { as: Tag, text, head, tail } = props;
  const middle = text.slice(head, text.length - tail);
  return (
    <>
      {text.slice(0, head)}
      {middle !== '' && <Tag>{middle}</Tag>}
      {text.slice(text.length - tail)}
    </>
  );
}

/**
 * Returns the length of the common prefix of two texts, and that of the common suffix of what follows the
 * prefix. Both are zero when either text is empty.
 */
function commonEnds(before: string, after: string): readonly [number, number] {
  const limit = Math.min(before.length, after.length);
  let head = 0;
  while (head < limit && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < limit - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return [head, tail];
}
