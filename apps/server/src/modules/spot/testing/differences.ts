import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId } from '@exchange/core/ids.ts';
import type { Amended, SpotOrder } from '../domain/order.ts';
import type { SpotTrade } from '../tables.ts';
import { heldAsset, type NaiveAmendment, type NaiveOrder, type NaiveTrade } from './naive/order.ts';

/**
 * Maps the labels of orders and lists in the reference exchange to the ids of the real exchange and
 * back.
 */
export class Names {
  private readonly ids = new Map<string, string>();
  private readonly labels = new Map<string, string>();

  pair(label: string, id: string): void {
    this.ids.set(label, id);
    this.labels.set(id, label);
  }

  /** The id for a label; an id of no order if the label's order was never created. */
  idOf(label: string): OrderId {
    return (this.ids.get(label) ?? 'ffffffff-ffff-7fff-bfff-ffffffffffff') as OrderId;
  }

  labelOf(id: string): string | undefined {
    return this.labels.get(id);
  }
}

type Field = readonly [name: string, real: unknown, naive: unknown];

/** Describes the fields in which an order differs between the exchanges; undefined if it is equal. */
export function orderDifference(real: SpotOrder, naive: NaiveOrder, names: Names): string | undefined {
  const { stop } = real;
  const fields: Field[] = [
    ['id', names.labelOf(real.id), naive.label],
    ['group', real.groupId === '' ? '' : (names.labelOf(real.groupId) ?? real.groupId), naive.group],
    ['owner', real.owner, naive.owner],
    ['symbol', real.pair.symbol, naive.listed.pair.symbol],
    ['side', real.side, naive.side],
    ['type', real.type, naive.type],
    ['timeInForce', real.timeInForce, naive.timeInForce],
    ['postOnly', real.postOnly, naive.postOnly],
    ['selfTrade', real.selfTrade, naive.selfTrade],
    ['price', real.price, naive.price],
    ['amount', real.amount, naive.amount],
    ['total', real.total, naive.total],
    ['stopPrice', stop?.price, naive.stopPrice],
    ['direction', stop?.direction, naive.direction],
    ['trail', stop?.trail, naive.trail],
    ['extreme', stop?.extreme, naive.extreme],
    ['activation', stop?.activation, naive.activation],
    ['activatedAt', stop?.activatedAt, naive.activatedAt],
    ['stopStatus', stop?.status, naive.stopStatus],
    ['triggeredAt', stop?.triggeredAt, naive.triggeredAt],
    ['takeProfit', real.exits?.takeProfit, naive.takeProfit],
    ['stopLoss', real.exits?.stopLoss, naive.stopLoss],
    ['stopLossLimit', real.exits?.stopLossLimit, naive.stopLossLimit],
    ['exitStatus', real.exits?.status, naive.exitStatus],
    ['entry', real.entryId === '' ? '' : names.labelOf(real.entryId), naive.entry],
    ['oto', real.oto === undefined ? '' : (names.labelOf(real.oto.id) ?? real.oto.id), naive.oto],
    ['otoRole', real.oto?.role, naive.otoRole],
    ['releasedAt', real.oto?.releasedAt, naive.releasedAt],
    ['expireAt', real.expireAt, naive.expireAt],
    ['heldAsset', real.heldAsset, heldAsset(naive)],
    ['makerRate', real.makerRate, naive.makerRate],
    ['takerRate', real.takerRate, naive.takerRate],
    ['clientId', real.clientId, naive.clientId],
    ['rank', real.rank, naive.rank],
    ['createdAt', real.createdAt, naive.createdAt],
    ['updatedAt', real.updatedAt, naive.updatedAt],
    ['filledAmount', real.filledAmount, naive.filledAmount],
    ['filledTotal', real.filledTotal, naive.filledTotal],
    ['cancelledAmount', real.cancelledAmount, naive.cancelledAmount],
    ['fee', real.fee, naive.fee],
    ['held', real.held, naive.held],
    ['state', real.state, naive.state],
    ['reason', real.reason, naive.reason],
  ];
  return describe(`order ${naive.label}`, fields);
}

/**
 * Describes the fields in which a trade differs between the exchanges; undefined if it is equal. Trade ids are not
 * compared, because the reference exchange has none.
 */
export function tradeDifference(real: SpotTrade, naive: NaiveTrade, names: Names): string | undefined {
  return describe('trade', [
    ['symbol', real.symbol, naive.symbol],
    ['price', real.price, naive.price],
    ['amount', real.amount, naive.amount],
    ['total', real.total, naive.total],
    ['takerSide', real.takerSide, naive.takerSide],
    ['taker', real.taker, naive.taker],
    ['takerOrder', names.labelOf(real.takerOrder), naive.takerOrder],
    ['takerFee', real.takerFee, naive.takerFee],
    ['maker', real.maker, naive.maker],
    ['makerOrder', names.labelOf(real.makerOrder), naive.makerOrder],
    ['makerFee', real.makerFee, naive.makerFee],
    ['valueUsdt', real.valueUsdt, naive.valueUsdt],
  ]);
}

/** Describes the fields in which an amendment differs between the exchanges; undefined if it is equal. */
export function amendmentDifference(
  real: Amended,
  naive: NaiveAmendment | undefined,
  names: Names,
): string | undefined {
  return describe('amendment', [
    ['order', names.labelOf(real.orderId), naive?.order],
    ['price', real.price, naive?.price],
    ['amount', real.amount, naive?.amount],
    ['priceBefore', real.priceBefore, naive?.priceBefore],
    ['amountBefore', real.amountBefore, naive?.amountBefore],
    ['stopPrice', real.stopPrice, naive?.stopPrice],
    ['stopPriceBefore', real.stopPriceBefore, naive?.stopPriceBefore],
    ['takeProfit', real.exits?.takeProfit, naive?.exits?.takeProfit],
    ['stopLoss', real.exits?.stopLoss, naive?.exits?.stopLoss],
    ['stopLossLimit', real.exits?.stopLossLimit, naive?.exits?.stopLossLimit],
    ['takeProfitBefore', real.exitsBefore?.takeProfit, naive?.exitsBefore?.takeProfit],
    ['stopLossBefore', real.exitsBefore?.stopLoss, naive?.exitsBefore?.stopLoss],
    ['stopLossLimitBefore', real.exitsBefore?.stopLossLimit, naive?.exitsBefore?.stopLossLimit],
  ]);
}

function describe(subject: string, fields: readonly Field[]): string | undefined {
  let text: string | undefined;
  for (const [name, real, naive] of fields) {
    if (isEqual(real, naive)) continue;
    text = `${text ?? `${subject}:`} ${name} is ${show(real)} instead of ${show(naive)};`;
  }
  return text;
}

function isEqual(real: unknown, naive: unknown): boolean {
  if (real === naive) return true;
  return isDecimal(real) && isDecimal(naive) && real.atoms === naive.atoms;
}

function isDecimal(value: unknown): value is Decimal {
  return typeof value === 'object' && value !== null && 'atoms' in value;
}

function show(value: unknown): string {
  if (isDecimal(value)) return value.toString();
  return typeof value === 'string' ? `"${value}"` : String(value);
}
