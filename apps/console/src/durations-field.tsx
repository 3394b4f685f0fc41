import { useState } from 'react';
import { durationRows, durationText, EMPTY_DURATION, meaningOf, type DurationRow } from './durations.ts';
import { WORDS } from './words.ts';

interface Props {
  readonly name: string;
  readonly label: string;
  /**
   * The value of the form field as text; each duration in seconds, its rate in percent and its minimum stake
   * in USDT: `30:80%:5 60:85%:5`.
   */
  readonly value: string;
  /** Why the server or the form refused the field's value; empty when the field was not refused. */
  readonly error: string;
}

/**
 * True when the rate or minimum of a duration differs from the value with which the form was opened; false for a
 * duration that the form did not contain then.
 */
function isChanged(row: DurationRow, before: DurationRow | undefined): boolean {
  return before !== undefined && (before.percent !== row.percent || before.minimum !== row.minimum);
}

/**
 * An editable table of the seconds contract's durations, with the meaning of each profit rate, and the rate
 * and minimum stake (in USDT) before the change.
 */
export function DurationsField({ name, label, value, error }: Props) {
  const [rows, setRows] = useState<readonly DurationRow[]>(() => durationRows(value));
  const [before] = useState(() => new Map(durationRows(value).map((row) => [row.second, row])));
  const id = `why-${name}`;
  const change = (index: number, part: Partial<DurationRow>) =>
    setRows(rows.map((row, at) => (at === index ? Object.assign({}, row, part) : row)));
  return (
    <fieldset className="durations" aria-describedby={error === '' ? undefined : id}>
      <legend>{label}</legend>
      <input type="hidden" name={name} value={durationText(rows)} />
      <div className="wide">
        <table>
          <thead>
            <tr>
              {[
                WORDS.durations.second,
                WORDS.durations.rate,
                WORDS.durations.minimum,
                WORDS.durations.breakEven,
                WORDS.durations.margin,
                WORDS.durations.before,
              ].map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => {
              const meaning = meaningOf(row.percent);
              const earlier = before.get(row.second);
              return (
                <tr key={index}>
                  <Cell
                    label={WORDS.durations.second}
                    row={row}
                    index={index}
                    name="second"
                    onChange={change}
                    error={error}
                  />
                  <Cell
                    label={WORDS.durations.rate}
                    row={row}
                    index={index}
                    name="percent"
                    onChange={change}
                    error={error}
                  />
                  <Cell
                    label={WORDS.durations.minimum}
                    row={row}
                    index={index}
                    name="minimum"
                    onChange={change}
                    error={error}
                  />
                  <td>{meaning === undefined ? '' : `${meaning.breakEven} %`}</td>
                  <td>{meaning === undefined ? '' : `${meaning.margin} %`}</td>
                  <td className="dim">
                    {earlier === undefined
                      ? WORDS.durations.isNew
                      : isChanged(row, earlier) && `${earlier.percent} %, ${earlier.minimum}`}
                  </td>
                  <td>
                    <button
                      type="button"
                      className="link"
                      aria-label={`${WORDS.durations.remove} ${index + 1}`}
                      onClick={() => setRows(rows.filter((_, at) => at !== index))}
                    >
                      {WORDS.durations.remove}
                    </button>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <button type="button" className="button" onClick={() => setRows([...rows, EMPTY_DURATION])}>
        {WORDS.durations.add}
      </button>
      {error !== '' && (
        <span id={id} className="error">
          {error}
        </span>
      )}
    </fieldset>
  );
}

interface CellProps {
  readonly label: string;
  readonly row: DurationRow;
  readonly index: number;
  readonly name: keyof DurationRow;
  readonly error: string;
  readonly onChange: (index: number, part: Partial<DurationRow>) => void;
}

function Cell({ label, row, index, name, error, onChange }: CellProps) {
  return (
    <td>
      <input
        aria-label={`${label} ${index + 1}`}
        aria-invalid={error !== '' && index === 0 && name === 'second' ? true : undefined}
        inputMode={name === 'second' ? 'numeric' : 'decimal'}
        autoComplete="off"
        required
        value={row[name]}
        onChange={({ target }) => onChange(index, { [name]: target.value })}
      />
    </td>
  );
}
