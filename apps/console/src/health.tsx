import { HEALTH_TABLES } from '@exchange/web-kit/console/described.ts';
import { type Row, formatValue } from '@exchange/web-kit/console/calls.ts';
import { RowTable } from './row-table.tsx';
import { entryOf, InlineText } from './runbook.tsx';
import { formatNumbersIn, localTime, spanText } from './texts.ts';
import { areaName, headingOf, WORDS } from './words.ts';

/** A component of the server: its name and its row in the response of the health endpoint. */
export type Part = readonly [string, Row];

interface Props {
  readonly parts: readonly Part[];
  readonly now: number;
}

type Tone = 'good' | 'waits' | 'bad';

/**
 * Returns the colour in which a component is displayed: `good` while it is up, `bad` while it is down.
 * `waits` if it is up but not measured yet, or down only because this server is not the active writer.
 */
function toneOf({ isUp, isStandby, isUnmeasured }: Row): Tone {
  if (isUp === true) return isUnmeasured === true ? 'waits' : 'good';
  return isStandby === true ? 'waits' : 'bad';
}

/** Returns the components with the tone `bad`; those with many table rows come last. */
export function failingParts(parts: readonly Part[]): readonly Part[] {
  const troubled = parts.filter(([, part]) => toneOf(part) === 'bad');
  // A component with a large table comes last, because its table would push other components that are down off the
  // screen.
  return troubled.toSorted(([, a], [, b]) => rowsIn(a).length - rowsIn(b).length);
}

/**
 * Lists the components that are down, each with the reason and the runbook's explanation and a link to the
 * runbook entry; renders nothing while none is down.
 */
export function FailingParts({ parts, now }: Props) {
  const troubled = failingParts(parts);
  if (troubled.length === 0) return null;
  return (
    <section aria-label={WORDS.attention}>
      <h2>{WORDS.attention}</h2>
      <ul className="troubles">
        {troubled.map(([name, part]) => (
          <TroubleCard key={name} name={name} part={part} now={now} />
        ))}
      </ul>
    </section>
  );
}

function TroubleCard({
  name,
  part,
  now,
}: {
  readonly name: string;
  readonly part: Row;
  readonly now: number;
}) {
  const { place, heading, meaning } = entryOf(name);
  const short = rowsIn(part).filter(({ state }) => state === SHORT);
  return (
    <li>
      <div className="title">
        <strong>{areaName(name)}</strong>
        <Pill part={part} />
      </div>
      <ul className="reasons">
        {formatValue(part['reason'])
          .split('; ')
          .map((reason) => (
            <li key={reason}>{formatSentence(asSentence(reason), now)}</li>
          ))}
      </ul>
      {short.length > 0 && (
        <PartTable name={name} now={now} rows={short} label={`${areaName(name)}: ${SHORT}`} />
      )}
      <Facts part={part} now={now} />
      {meaning !== '' && (
        <p className="dim">
          <InlineText text={meaning} />
        </p>
      )}
      <a className="entry" href={`#runbook/${place}`}>
        {WORDS.runbook}: {areaName(name)} · {heading}
      </a>
    </li>
  );
}

/**
 * The status of the components that are not down, one line each, followed by the tables of all components
 * that report rows, also of those that are down.
 */
export function Health({ parts, now }: Props) {
  const troubled = failingParts(parts);
  const otherParts = parts
    .filter((part) => !troubled.includes(part))
    .toSorted(([, a], [, b]) => Number(toneOf(a) === 'good') - Number(toneOf(b) === 'good'));
  const tables = parts.filter(([, part]) => rowsIn(part).length > 0);
  return (
    <section aria-label={WORDS.health}>
      <h2>{WORDS.health}</h2>
      <p className="dim">{summaryOf(parts)}</p>
      <ul className="parts">
        {otherParts.map(([name, part]) => (
          <li key={name} className="part">
            <strong>{areaName(name)}</strong>
            <Facts part={part} now={now} />
            <Pill part={part} />
            <a
              className="entry"
              href={`#runbook/${entryOf(name).place}`}
              aria-label={`${WORDS.runbook}: ${areaName(name)}`}
            >
              {WORDS.runbook}
            </a>
          </li>
        ))}
      </ul>
      {tables.map(([name, part]) => (
        <div key={name} className="standing">
          <h3>{WORDS.tables[name] ?? areaName(name)}</h3>
          <PartTable name={name} now={now} rows={rowsIn(part)} label={areaName(name)} />
        </div>
      ))}
    </section>
  );
}

interface PartTableProps {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly label: string;
  readonly now: number;
}

/**
 * The table of the rows that a health component reports; renders nothing for a component whose columns are not
 * described.
 */
function PartTable({ name, rows, label, now }: PartTableProps) {
  const description = HEALTH_TABLES.get(name);
  if (description === undefined) return null;
  return <RowTable rows={description} shown={rows} label={label} now={now} />;
}

function Pill({ part }: { readonly part: Row }) {
  const tone = toneOf(part);
  const waitingText = part['isUnmeasured'] === true ? WORDS.unmeasured : WORDS.standby;
  return (
    <span className={`pill ${tone}`}>{{ good: WORDS.up, waits: waitingText, bad: WORDS.down }[tone]}</span>
  );
}

function Facts({ part, now }: { readonly part: Row; readonly now: number }) {
  return (
    <dl>
      {Object.entries((part['facts'] ?? {}) as Row).map(([fact, value]) => (
        <div key={fact}>
          <dt>{headingOf(fact)}</dt>
          <dd title={MOMENT.test(formatValue(value)) ? localTime(Date.parse(formatValue(value))) : undefined}>
            {factOf(formatValue(value), now)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const SHORT = 'short';
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function rowsIn(part: Row): readonly Row[] {
  return (part['rows'] ?? []) as readonly Row[];
}

/**
 * Formats a value from the health report for display: a time as the time elapsed since then, a number with thousands
 * separators.
 */
function factOf(text: string, now: number): string {
  return MOMENT.test(text) ? agoOf(text, now) : formatSentence(text, now);
}

const MOMENTS = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/**
 * Formats a sentence from the server: ISO times become local times followed by the elapsed time, numbers get thousands
 * separators.
 */
function formatSentence(text: string, now: number): string {
  return formatNumbersIn(
    text.replaceAll(MOMENTS, (time) => `${localTime(Date.parse(time))} (${agoOf(time, now)})`),
  );
}

function agoOf(time: string, now: number): string {
  return `${spanText(now - Date.parse(time))} ${WORDS.ago}`;
}

function asSentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function summaryOf(parts: readonly Part[]): string {
  const ill = parts.filter(([, { isUp }]) => isUp !== true).map(([name]) => areaName(name));
  return ill.length === 0 ? WORDS.allWell : `${WORDS.notWell} ${ill.join(', ')}`;
}
