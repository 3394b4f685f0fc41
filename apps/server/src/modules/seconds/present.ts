import type { Pair } from '@exchange/core/pair.ts';
import { SECONDS_LIMITS, SECONDS_VERSION, settlementOf } from '@exchange/core/seconds.ts';
import { instant } from '@exchange/core/time.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { proofSettlement, proofStats } from '@exchange/wire/proof.ts';
import {
  durationRow,
  SECONDS_STATUS,
  type secondsAssets,
  type secondsConfig,
  type secondsFullConfig,
  type secondsLimits,
  type secondsDetail,
} from '@exchange/wire/seconds.ts';
import { Decimal, sum } from '@exchange/core/decimal.ts';
import {
  REFUNDED,
  RISK_VERSION,
  type OwnLimits,
  type Position,
  type PublishedTerms,
  type SecondsTerms,
} from './domain.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import { publicPause, type PauseNotice } from '@exchange/core/trading-pause.ts';
import type { Figure, Transfer } from './records-repository.ts';
import type { Proofs } from './proofs.ts';
import type { UserLimitsView, Seconds, PositionView } from './service.ts';

const SHOWN_PLACES = 8;

/**
 * The published terms in the form for users; without durations and with version 0 before any publication.
 * `notice` is the notice for users while no position can be opened.
 */
export function presentConfig(
  terms: PublishedTerms | undefined,
  notice: PauseNotice | undefined,
): DataOf<typeof secondsConfig> {
  const { maxStake } = terms ?? {};
  return {
    seconds: (terms?.durations ?? []).map(durationRow),
    updated: terms?.at ?? 0,
    indexVersion: SECONDS_VERSION,
    version: terms?.version ?? 0,
    open: terms?.isOpen === true ? 1 : 0,
    pause: terms?.isOpen === true ? undefined : publicPause(notice),
    symbols: [...(terms?.symbols ?? [])],
    maxStake: (maxStake ?? SECONDS_LIMITS.stake).toString(),
    maxOpen: SECONDS_LIMITS.openOrders,
    dayLoss: SECONDS_LIMITS.dayLoss.toString(),
    riskVersion: RISK_VERSION,
  };
}

/** The published terms as `presentConfig` returns them, and in addition the fee rate. */
export function presentFullConfig(
  terms: PublishedTerms | undefined,
  notice: PauseNotice | undefined,
): DataOf<typeof secondsFullConfig> {
  return { ...presentConfig(terms, notice), feeRate: terms?.feeRate.toString() ?? '0' };
}

/**
 * Proposed terms in the form in which users would get them. Version and time are 0, because the terms are not
 * published yet.
 */
export function presentProposedTerms(terms: SecondsTerms): DataOf<typeof secondsFullConfig> {
  return presentFullConfig({ ...terms, version: 0, at: instant(0) }, undefined);
}

/** A version of the terms as published and signed, without its author. */
export function presentTermsVersion(terms: PublishedTerms) {
  const { version, at, isOpen, symbols, durations, feeRate, maxStake } = terms;
  return {
    version,
    at,
    open: isOpen ? (1 as const) : (0 as const),
    symbols: [...symbols],
    durations: durations.map(({ second, rate, minimum }) => ({
      second,
      rate: rate.toString(),
      minimum: minimum.toString(),
    })),
    feeRate: feeRate.toString(),
    maxStake: maxStake.toString(),
    blockedCountries: [...terms.blockedCountries],
    openCountries: [...terms.openCountries],
  };
}

export function presentPosition(
  { position, entryPrice }: PositionView,
  pair: Pair,
): DataOf<typeof secondsDetail> {
  const { outcome, digits } = position;
  const price = (value: Decimal | undefined) => value?.toPlaces(digits);
  const [entryText, settleText] = [price(entryPrice), price(outcome?.settlePrice)];
  return {
    id: position.id,
    symbol: position.symbol,
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    openTime: position.acceptedAt,
    openAmount: position.stake.toString(),
    fee: position.fee.toString(),
    profitRate: position.profitRate.toString(),
    feeRate: position.feeRate.toString(),
    tradeType: position.direction === 'up' ? 1 : 2,
    buyAmount: position.stake.toString(),
    ...(entryText === undefined ? {} : { buyPrice: entryText }),
    ...(settleText === undefined ? {} : { settlePrice: settleText }),
    holdTime: position.seconds,
    entryTime: position.entryAt,
    expireTime: position.expireAt,
    status: statusOf(position),
    proofId: position.id,
    ...(outcome === undefined
      ? {}
      : {
          settleProfit: outcome.net.toString(),
          finishTime: outcome.finishedAt,
          result: outcome.result,
          ...(outcome.reason === undefined ? {} : { resultReason: outcome.reason }),
          ...(outcome.refund === undefined
            ? {}
            : {
                refund: position.stake.plus(position.fee).toString(),
                refundTime: outcome.refund.at,
              }),
        }),
  };
}

function statusOf({ outcome }: Position): 0 | 1 | 2 {
  const { holding, completed, returned } = SECONDS_STATUS;
  if (outcome === undefined) return holding;
  return outcome.result === 'void' ? returned : completed;
}

export function presentAssets(
  balances: Awaited<ReturnType<Seconds['balances']>>,
): DataOf<typeof secondsAssets> {
  return balances.map(({ code, name, price, available, locked }) => ({
    currencyName: code,
    currency: name,
    status: 1,
    price: price.toString(),
    total: available.plus(locked).times(price, 'down', SHOWN_PLACES).toString(),
    availableCurrency: available.toString(),
    frozenCurrency: locked.toString(),
  }));
}

export function presentLimits(shown: UserLimitsView): DataOf<typeof secondsLimits> {
  const { limits, later, person, exposure, terms, isAllowed } = shown;
  const cool = person.coolUntil === undefined ? {} : { coolUntil: person.coolUntil };
  const texts = ({ maxStake, dayLoss, sessionMinutes }: OwnLimits) => ({
    maxStake: (maxStake ?? terms?.maxStake ?? SECONDS_LIMITS.stake).toString(),
    dayLoss: (dayLoss ?? SECONDS_LIMITS.dayLoss).toString(),
    ...(sessionMinutes === undefined ? {} : { sessionMinutes }),
  });
  return {
    ...texts(limits),
    ...cool,
    ...(later === undefined ? {} : { later: { ...texts(later.limits), effectiveTime: later.at } }),
    lostToday: exposure.lost.toString(),
    atRisk: exposure.atRisk.toString(),
    riskVersion: person.riskVersion,
    allowed: isAllowed ? 1 : 0,
  };
}

export function presentSettlement(
  settlement: Awaited<ReturnType<Proofs['settlement']>>,
): Omit<DataOf<typeof proofSettlement>, 'receipt'> {
  const { position, outcome, lines, checkpoint, interval, refundInterval } = settlement;
  const { refund } = outcome;
  const { id, symbol, direction, asset, seconds, window, digits, indexVersion, sourcesHash } = position;
  const { entryPrice, settlePrice, reason } = outcome;
  return {
    terms: {
      id,
      symbol,
      direction,
      asset,
      seconds,
      window,
      digits,
      indexVersion,
      sourcesHash,
      stake: position.stake.toString(),
      fee: position.fee.toString(),
      feeRate: position.feeRate.toString(),
      profitRate: position.profitRate.toString(),
      acceptedAt: position.acceptedAt,
      entryAt: position.entryAt,
      expireAt: position.expireAt,
    },
    status: statusOf(position),
    result: outcome.result,
    lines,
    settledAt: outcome.finishedAt,
    credited: settlementOf(outcome.result, position).credited.toString(),
    ...(reason === undefined ? {} : { reason }),
    ...(entryPrice === undefined ? {} : { entryPrice: entryPrice.toString() }),
    ...(settlePrice === undefined ? {} : { settlePrice: settlePrice.toString() }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
    ...(interval === undefined
      ? {}
      : { interval: { from: interval.from, to: interval.to, reason: interval.reason } }),
    ...(refund === undefined || refundInterval === undefined
      ? {}
      : {
          refund: {
            amount: position.stake.plus(position.fee).toString(),
            at: refund.at,
            from: refundInterval.from,
            to: refundInterval.to,
            reason: refundInterval.reason,
          },
        }),
  };
}

export function presentStatistics(
  statistics: Awaited<ReturnType<Seconds['statistics']>>,
): DataOf<typeof proofStats> {
  const count = (figures: readonly Figure[]) => figures.reduce((total, figure) => total + figure.count, 0);
  const durations = [...groupBy(statistics.figures, ({ seconds }) => seconds)].map(([second, figures]) => {
    const settled = figures.filter(({ result }) => result !== REFUNDED);
    const withResult = (result: string) => figures.filter((figure) => figure.result === result);
    return {
      second,
      wins: count(withResult('win')),
      losses: count(withResult('lose')),
      draws: count(withResult('draw')),
      voids: count(withResult('void')),
      staked: sum(settled.map(({ staked }) => staked)).toString(),
      paid: sum(withResult('win').map(({ amount }) => amount)).toString(),
      kept: sum(withResult('lose').map(({ amount }) => amount)).toString(),
    };
  });
  const causes = groupBy(
    statistics.figures.filter(({ result }) => result === 'void'),
    ({ reason }) => reason,
  );
  const voids = [...causes].map(([reason, figures]) => ({
    reason,
    count: count(figures),
    houseGain: sum(figures.map(({ amount }) => amount)).toString(),
    unknown: figures.reduce((total, { unknown }) => total + unknown, 0),
  }));
  const returned = statistics.figures.filter(({ result }) => result === REFUNDED);
  const refunds = {
    count: count(returned),
    amount: sum(returned.map(({ amount }) => amount)).toString(),
  };
  const reserve = statistics.reserve.map(({ asset, used, funded }) => ({
    currency: asset,
    funded: funded.toString(),
    used: Decimal.parse(used).toString(),
  }));
  return { durations, voids, refunds, reserve, open: statistics.isOpen ? 1 : 0 };
}

/** A transfer between a user's spot account and seconds account, in the form in which the API returns it. */
export function presentTransfer({ id, asset, type, amount, balance, at }: Transfer) {
  return {
    id,
    currency: asset,
    type,
    amount,
    balance,
    createTime: at,
  };
}
