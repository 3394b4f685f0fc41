import { TAX_CURRENCY, type TaxMethod } from '@exchange/core/tax.ts';
import * as wire from '@exchange/wire/tax.ts';
import { mapPage, pageAnswer, type Route, route } from '../../platform/http/route.ts';
import { gainOf } from './domain/tax-totals.ts';
import type { TaxExports } from './tax-export.ts';
import type { TaxStatements } from './tax-statement.ts';
import {
  accountName,
  totalsOfYear,
  type AccountNames,
  type ArrivalRow,
  type CoinTotals,
  type DisposalRow,
  type EventKey,
  type TaxYears,
  type UseRow,
} from './tax-years.ts';

/** The endpoints of tax years. */
export function taxRoutes(taxes: TaxYears, exports: TaxExports, statements: TaxStatements): Route[] {
  return [
    route(wire.taxYear, async ({ year: chosen, method }, { session }) => {
      const taxYear = await taxes.year(session.userId, method, chosen);
      return {
        status: taxYear.isReady ? ('ready' as const) : ('computing' as const),
        year: taxYear.year,
        years: [...taxYear.years],
        method,
        timeZone: taxYear.zone,
        subAccounts: taxYear.subAccounts,
        currency: TAX_CURRENCY,
        coins: taxYear.coins.map(presentCoin),
        sections: taxYear.sections.map(({ section, asset, totals }) => ({
          section,
          currency: asset,
          events: totals.events,
          gained: totals.gained,
          gainedValue: totals.gainedValue,
          lost: totals.lost,
          lostValue: totals.lostValue,
          unvalued: totals.unvalued,
        })),
        totals: totalsOfYear(taxYear),
      };
    }),
    route(wire.taxDisposals, async ({ year, method, currency, ...page }, { session }) => {
      const rows = await taxes.disposals(session.userId, { year, asset: currency }, page);
      const names = await taxes.accountNames(session.userId);
      return pageAnswer(
        mapPage(rows, (row) => presentDisposal(row, method, names)),
        page,
      );
    }),
    route(wire.taxLots, async ({ eventId, ...page }, { session }) => {
      const rows = await taxes.lots(session.userId, keyOf(eventId), page);
      const names = await taxes.accountNames(session.userId);
      return pageAnswer(
        mapPage(rows, (row) => presentLot(row, names)),
        page,
      );
    }),
    route(wire.taxArrivals, async (page, { session }) => {
      const rows = await taxes.arrivals(session.userId, page);
      const names = await taxes.accountNames(session.userId);
      return pageAnswer(
        mapPage(rows, (row) => presentArrival(row, names)),
        page,
      );
    }),
    route(wire.setTaxCost, async ({ eventId, cost, acquireTime }, { session }) => {
      await taxes.setCost(session.userId, keyOf(eventId), { cost, acquiredAt: acquireTime });
      return {};
    }),
    route(wire.removeTaxCost, async ({ eventId }, { session }) => {
      await taxes.removeCost(session.userId, keyOf(eventId));
      return {};
    }),
    route(wire.setTaxZone, async ({ timeZone }, { session }) => {
      await taxes.setZone(session.userId, timeZone);
      return {};
    }),
    route(wire.taxStatement, (request, { session, locale }) =>
      statements.open(session.userId, request, locale),
    ),
    route(wire.exportTax, (request, { session, locale }) => exports.open(session.userId, request, locale)),
  ];
}

function idOf({ entry, asset }: EventKey): string {
  return `${entry}-${asset}`;
}

/** The ledger entry and the coin of an event id, `entry-coin`, whose format is already validated. */
function keyOf(id: string): EventKey {
  const [entry = '', asset = ''] = id.split('-');
  return { entry: Number(entry), asset: asset.toUpperCase() };
}

/** The cause of a tax event as screens name it, by the first part of its ledger entry's kind. */
const SOURCES: ReadonlyMap<string, wire.TaxSource> = new Map([
  ['spot', 'trade'],
  ['convert', 'convert'],
  ['deposit', 'deposit'],
  ['withdrawal', 'withdrawal'],
  ['finance', 'income'],
  ['mining', 'income'],
  ['invite', 'income'],
  ['seconds', 'seconds'],
  ['fund', 'fund'],
  ['subscription', 'launchpad'],
]);

function sourceOf(kind: string): wire.TaxSource {
  return SOURCES.get(kind.split('.')[0]!) ?? 'other';
}

function presentCoin({ asset, open, totals }: CoinTotals) {
  return {
    currency: asset,
    openQuantity: open.quantity,
    openCost: open.cost,
    openUncosted: open.uncosted,
    acquired: totals.acquired,
    acquiredCost: totals.acquiredCost,
    income: totals.income,
    incomeValue: totals.incomeValue,
    arrived: totals.arrived,
    arrivedCost: totals.arrivedCost,
    departed: totals.departed,
    departedCost: totals.departedCost,
    disposed: totals.disposed,
    proceeds: totals.proceeds,
    disposedCost: totals.disposedCost,
    gain: totals.gain,
    unknownProceeds: totals.unknownProceeds,
    fees: totals.fees,
    unvalued: totals.unvalued,
    quantity: totals.quantity,
    cost: totals.cost,
    uncosted: totals.uncosted,
  };
}

/**
 * The cost and gain of a disposal by a method. The gain is that of the part with a known cost; it is undefined if the
 * proceeds are unknown or no part has a known cost.
 */
function resultOf(row: DisposalRow, method: TaxMethod) {
  const costed = method === 'fifo' ? row.fifoCosted : row.averageCosted;
  const cost = method === 'fifo' ? row.fifoCost : row.averageCost;
  const gain =
    row.proceeds === undefined || costed.isZero()
      ? undefined
      : gainOf(row.amount, row.proceeds, { costed, cost }).gain;
  return { costed, cost, gain };
}

function presentDisposal(row: DisposalRow, method: TaxMethod, names: AccountNames) {
  const { costed, cost, gain } = resultOf(row, method);
  return {
    id: idOf(row),
    time: row.at,
    source: sourceOf(row.kind),
    kind: row.kind,
    refId: row.reference ?? '',
    subAccount: accountName(row.account, names),
    currency: row.asset,
    amount: row.amount,
    proceeds: row.proceeds ?? null,
    costedAmount: costed,
    cost,
    gain: gain ?? null,
  };
}

function presentLot(row: UseRow, names: AccountNames) {
  return {
    id: idOf({ entry: row.lot, asset: row.asset }),
    source: sourceOf(row.kind),
    kind: row.kind,
    refId: row.reference ?? '',
    subAccount: accountName(row.account, names),
    arriveTime: row.arrivedAt,
    acquireTime: row.acquiredAt,
    amount: row.amount,
    cost: row.cost ?? null,
    lotAmount: row.lotAmount,
  };
}

function presentArrival(row: ArrivalRow, names: AccountNames) {
  return {
    id: idOf(row),
    time: row.at,
    source: sourceOf(row.kind),
    kind: row.kind,
    refId: row.reference ?? '',
    subAccount: accountName(row.account, names),
    currency: row.asset,
    amount: row.amount,
    cost: row.entered?.cost ?? null,
    acquireTime: row.entered?.acquiredAt ?? null,
  };
}
