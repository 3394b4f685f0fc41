import { Decimal } from '@exchange/core/decimal.ts';
import { measureNamed, type FigureName } from '@exchange/core/figures.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import * as described from '@exchange/wire/console/figures.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  OperatorFile,
  serveAction,
  serveList,
  whyOf,
  type CallOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { serveVersions } from '../../platform/console/versions.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import { dayText, type Limit, type LimitKey, type PeriodSums } from './domain.ts';
import type { Periods } from './periods.ts';
import type { HouseFigures } from './service.ts';

const DAYS_SHOWN = 30;
const PRODUCT_DAYS_SHOWN = 7;
/** Greatest number of days in an exported file of figures: three years and two days. */
const FILE_DAYS_MAX = 1_097;

/**
 * Console operations about the exchange's figures, the risk measures with their limits, the closed months, and exported
 * files.
 */
export function figureOperations(figures: HouseFigures, periods: Periods): Operation[] {
  return [
    ...dayOperations(figures),
    ...presentOperations(figures),
    ...limitOperations(figures),
    ...periodOperations(periods),
    serveList(described.definitions, () => Promise.resolve({ list: figures.definitions() })),
  ];
}

function periodOperations(periods: Periods): Operation[] {
  return [
    serveList(described.figurePeriods, async () => ({
      list: (await periods.list()).map(({ month, state, sums, closed }) => ({
        month,
        state,
        result: valueIn(sums, 'result'),
        fees: valueIn(sums, 'fees'),
        turnover: valueIn(sums, 'turnover'),
        deposits: valueIn(sums, 'deposits'),
        withdrawals: valueIn(sums, 'withdrawals'),
        capital: valueIn(sums, 'capital'),
        newUsers: sums?.newUsers,
        lastEntry: closed?.lastEntry,
        sha256: closed?.sha256,
        key: closed?.key,
        signature: closed?.signature,
        closedBy: closed?.closedBy,
        closedAt: closed?.at,
        reason: closed?.reason,
      })),
    })),
    serveAction(described.closePeriod, {
      check: (call) => periods.requireClosable(monthIn(call)),
      secondPerson: {
        evidence: async (call) => {
          const { month, sums } = await periods.requireClosable(monthIn(call));
          return {
            facts: {
              month: month.month,
              result: sums.values.result,
              fees: sums.values.fees,
              turnover: sums.values.turnover,
              deposits: sums.values.deposits,
              withdrawals: sums.values.withdrawals,
              capital: sums.values.capital,
              newUsers: sums.newUsers,
            },
          };
        },
      },
      run: async (call) => {
        const { month, sha256 } = await periods.close(monthIn(call), whyOf(call));
        return { month, sha256 };
      },
    }),
    serveAction(described.periodFile, {
      run: async (call) => {
        const month = monthIn(call);
        return new OperatorFile(`figures-${month}.csv`, await periods.file(month));
      },
    }),
  ];
}

function monthIn({ parameters }: OperatorCall): string {
  return parameters['month'] ?? '';
}

/** One figure of a month in USDT, rounded half to even to two decimals for lists; undefined if `sums` is undefined. */
function valueIn(sums: PeriodSums | undefined, name: FigureName): Decimal | undefined {
  return sums === undefined ? undefined : shown(Decimal.parse(sums.values[name]));
}

function dayOperations(figures: HouseFigures): Operation[] {
  return [
    serveList(described.figureDays, async ({ fields }) => {
      const { from, to } = periodOf(fields, figures.dayNow(), DAYS_SHOWN, described.FIGURE_DAYS_MAX);
      const days = await figures.days(from, to);
      return {
        list: days.map(({ day, values, newUsers, unpriced }) => ({
          day: dayText(day),
          result: shown(values.result),
          fees: shown(values.fees),
          turnover: shown(values.turnover),
          deposits: shown(values.deposits),
          withdrawals: shown(values.withdrawals),
          capital: shown(values.capital),
          newUsers,
          unpriced: unpriced.length === 0 ? undefined : unpriced.join(' '),
        })),
      };
    }),
    serveList(described.figureProducts, async ({ fields }) => {
      const { from, to } = periodOf(fields, figures.dayNow(), PRODUCT_DAYS_SHOWN, described.FIGURE_DAYS_MAX);
      const rows = await figures.products(from, to);
      return {
        list: rows.map(({ day, product, result, fees, turnover }) => ({
          day: dayText(day),
          product,
          result: shown(result),
          fees: shown(fees),
          turnover: shown(turnover),
        })),
      };
    }),
    serveAction(described.figureFile, {
      run: async ({ fields }) => {
        const { from, to } = periodOf(fields, figures.dayNow(), DAYS_SHOWN, FILE_DAYS_MAX);
        return new OperatorFile(
          `figures-${dayText(from)}-${dayText(to)}.csv`,
          figures.file(Math.max(from, await figures.firstDay()), to),
        );
      },
    }),
    serveAction(described.recount, {
      run: async () => {
        await figures.recount();
        return {};
      },
    }),
  ];
}

function presentOperations(figures: HouseFigures): Operation[] {
  return [
    serveList(described.figureMeasures, async () => ({
      list: (await figures.now()).map(({ measure, subject, value, unit, limit, state }) => ({
        measure,
        title: measureNamed(measure)!.title,
        subject,
        value,
        unit,
        least: limit.least,
        most: limit.most,
        state,
        version: limit.version,
      })),
    })),
    serveList(described.dueLiabilities, async () => ({
      list: (await figures.dueRows()).map(({ day, ...row }) => ({
        day: dayText(day),
        asset: row.asset,
        principal: row.principal,
        earnings: row.earnings,
        total: row.total,
        payable: row.payable,
      })),
    })),
    serveList(described.openStakes, async () => mapBounded(await figures.openStakes(), (stake) => stake)),
  ];
}

function limitOperations(figures: HouseFigures): Operation[] {
  return [
    serveVersions(described.limitVersions, {
      read: (call, range) => figures.limitVersions(keyOf(call), range),
    }),
    serveAction(described.setLimit, {
      check: async (call) => {
        limitOf(call);
        await figures.requireMeasured(keyOf(call));
      },
      versionOf: async (call) => (await figures.limitOf(keyOf(call))).version,
      secondPerson: {
        evidence: async (call) => {
          const next = limitOf(call);
          const { measure, subject, value, unit, limit } = await figures.requireMeasured(keyOf(call));
          return {
            facts: {
              measure: measureNamed(measure)!.title,
              subject,
              leastNow: limit.least,
              mostNow: limit.most,
              leastNext: next.least,
              mostNext: next.most,
            },
            context: { valueNow: value, unit },
          };
        },
      },
      run: (call) => figures.setLimit(limitOf(call), whyOf(call)),
    }),
  ];
}

const SHOWN_PLACES = 2;

/** Rounds a value in USDT half to even to two decimals, for lists. */
function shown(value: Decimal): Decimal {
  return value.rounded(SHOWN_PLACES, 'halfEven');
}

function keyOf({ parameters }: OperatorCall): LimitKey {
  return { measure: parameters['measure'] ?? '', subject: parameters['subject'] ?? '' };
}

/**
 * Parses the limits of a risk measure that an operator typed. An empty text means no limit. Refuses other text that is
 * not a number, and an upper limit below the lower limit.
 */
function limitOf(call: CallOf<typeof described.setLimit>): Omit<Limit, 'version'> {
  const least = numberIn(call.fields, 'least');
  const most = numberIn(call.fields, 'most');
  if (least !== undefined && most?.isLess(least) === true)
    throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'most', value: most.toString() }));
  return { ...keyOf(call), least, most };
}

function numberIn(
  fields: CallOf<typeof described.setLimit>['fields'],
  field: 'least' | 'most',
): Decimal | undefined {
  const text = (fields[field] ?? '').trim();
  if (text === '') return undefined;
  const number = Decimal.tryParse(text);
  if (number?.isStorable() === true) return number;
  throw new Refused(refusal('invalidField', 'l.field_number', { field, value: text }));
}

/**
 * Parses the period of a query to its first and last day (days since 1970), both included. Without a typed last day,
 * the period ends today; without a typed first day, it has `usual` days. A last day after today counts as today.
 * Refuses a period that is reversed, that begins in the future, or that is longer than `most` days.
 */
function periodOf(
  fields: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: number,
  usual: number,
  most: number,
): { from: number; to: number } {
  const values = new FieldValues(fields);
  const to = Math.min(dayIn(values, 'to') ?? today, today);
  const from = dayIn(values, 'from') ?? to - usual + 1;
  if (from > to || to - from >= most)
    throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'from', value: dayText(from) }));
  return { from, to };
}

function dayIn(values: FieldValues<'from' | 'to'>, field: 'from' | 'to'): number | undefined {
  const at = values.day(field);
  return at === undefined ? undefined : Math.floor(at / DAY_MS);
}
