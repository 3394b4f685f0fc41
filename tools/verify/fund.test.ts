import { Decimal } from '@exchange/core/decimal.ts';
import { purchaseFor, dailyCost } from '@exchange/core/fund.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { instant, later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import {
  verdictFor,
  type Fund,
  type Position,
  type Sell,
} from '../../apps/server/src/modules/fund/domain.ts';
import { presentProof } from '../../apps/server/src/modules/fund/present.ts';
import { pointOfLine, valuesAt } from '../../apps/server/src/modules/fund/values.ts';
import { commitSeed, byForm } from '../test-form.ts';
import { positionFault } from './fund.mjs';
import { RandomTape } from './testing/random-tape.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const START = instant(1_795_219_200_000);
const SECONDS = 40;
const SYMBOLS = ['btcusdt', 'ethusdt'];

const FUND: Fund = {
  id: 'fund',
  code: 'pair',
  name: { 'en-US': 'Pair' },
  documents: [],
  asset: 'USDT',
  version: 1,
  leverages: [1, 2, 3, 5],
  minAmount: d('10'),
  step: d('0.001'),
  isOpen: true,
  closedAt: undefined,
  manageRate: d('0.0001'),
  financeRate: d('0.0005'),
  mmr: d('0.05'),
  liqFee: d('0.005'),
  openNotional: Decimal.zero,
  divisor: d('3'),
  constituents: [
    { symbol: 'btcusdt', weight: d('0.7') },
    { symbol: 'ethusdt', weight: d('1.000001') },
  ],
};

interface DrawnPosition {
  readonly position: Position;
  readonly lines: Map<string, unknown>;
  /** The unit value of the fund one second after the position ended; undefined if that second has none. */
  readonly next: Decimal | undefined;
}

/**
 * Creates a fund position that is bought at the first unit value of a random index tape. As in the exchange, each later
 * unit value is checked for a liquidation, with daily costs and added margin. If no value liquidates the position, it
 * is sold or closed together with the fund. Returns undefined if there are too few unit values.
 */
function drawPosition(random: SeededGenerator): DrawnPosition | undefined {
  const below = (bound: number) => Math.floor(random.next() * bound);
  const lines = new Map<string, unknown>();
  const seconds = new Map<number, Map<string, ReturnType<typeof pointOfLine>>>();
  for (const symbol of SYMBOLS) {
    const tape = new RandomTape(random, symbol);
    tape.run(START, SECONDS, 20_000, { stride: 1_500, fault: 0.06 });
    for (const text of tape.texts) {
      const point = pointOfLine(text);
      lines.set(`${symbol} ${point.t}`, JSON.parse(text));
      seconds.set(point.t, (seconds.get(point.t) ?? new Map<string, typeof point>()).set(symbol, point));
    }
  }
  const values = Array.from({ length: SECONDS }, (_, at) => later(START, at * SECOND_MS)).flatMap((t) => {
    const unitValue = valuesAt(t, [FUND], (symbol) => seconds.get(t)?.get(symbol)).values.get('fund')!;
    return unitValue.value === null || unitValue.isDegraded ? [] : [{ t, value: unitValue.value }];
  });
  const [first, ...rest] = values;
  if (first === undefined || rest.length === 0) return undefined;
  const leverage = FUND.leverages[below(4)]!;
  const { quantity, usedMargin, notional } = purchaseFor(d('100'), leverage, first.value, FUND.step);
  let position: Position = {
    id: 'position',
    owner: 'owner' as UserId,
    fund: 'fund',
    fundVersion: 1,
    asset: 'USDT',
    leverage,
    manageRate: FUND.manageRate,
    financeRate: FUND.financeRate,
    mmr: FUND.mmr,
    liqFee: FUND.liqFee,

    step: FUND.step,
    quantity,
    notional,
    margin: usedMargin,
    buyPrice: first.value,
    costs: Decimal.zero,
    warned: 2,
    status: 'holding',
    acceptedAt: later(first.t, -1),
    openedAt: first.t,
    costAt: undefined,

    closedAt: undefined,
    endedAt: undefined,
    salePrice: undefined,
    sellType: undefined,
    payout: undefined,
    fee: undefined,
    shortfall: undefined,
    parent: undefined,
    origin: undefined,
  };
  const ended = (t: Instant, value: Decimal, status: Position['status']): DrawnPosition => ({
    position: { ...position, status, closedAt: t, salePrice: value },
    lines,
    next: values.find((point) => point.t === later(t, SECOND_MS))?.value,
  });
  const lastAt = rest[below(rest.length)]!.t;
  const sale: Sell = {
    id: 'sale',
    position: 'position',
    owner: position.owner,
    fund: 'fund',
    quantity,
    price: undefined,
    acceptedAt: later(lastAt, -1),
  };
  for (const second of rest) {
    const verdict = verdictFor(position, [sale], second, false);
    if (verdict.kind === 'liquidate') return ended(second.t, second.value, 'liquidated');
    if (verdict.kind === 'sell') return ended(second.t, second.value, below(2) === 0 ? 'sold' : 'exited');
    const cost = below(8) === 0 ? dailyCost(position, second.value, position) : Decimal.zero;
    const added = below(12) === 0 ? d('1.5') : Decimal.zero;
    position = { ...position, costs: position.costs.plus(cost), margin: position.margin.plus(added) };
  }
  return undefined;
}

/** Maximum number of random rounds, even if not every kind of end of a position has occurred. */
const TURNS_MOST = 2_000;

describe('the verifier of funds', () => {
  it('FUND-022 agrees with the exchange on every value and end over random tapes with gaps, and refuses changed proofs', () => {
    const random = new SeededGenerator(42_000 + commitSeed);
    const differing: string[] = [];
    const ends = new Set<string>();
    // A few rounds may contain no liquidation, so rounds are added until each kind of end has occurred.
    const isEnough = (round: number) =>
      round >= byForm(60, 10_000) && (ends.size === 3 || round >= TURNS_MOST);
    for (let round = 0; !isEnough(round); round += 1) {
      const draw = drawPosition(random);
      if (draw === undefined) continue;
      const { position, lines } = draw;
      ends.add(position.status);
      const proof = presentProof(position, FUND);
      const verdict = positionFault(proof, { lines });
      if (verdict !== undefined) differing.push(`${round}: ${verdict} ${JSON.stringify(proof)}`);
      const line = lines.get(`btcusdt ${proof.closeSecond}`) as { index: string };
      const others: [string, object, Map<string, unknown>][] = [
        ['status', { ...proof, status: proof.status === 3 ? 2 : 3 }, lines],
        ['price', { ...proof, closePrice: position.salePrice!.plus(d('0.00000001')).toString() }, lines],
        ['units', { ...proof, quantity: position.quantity.plus(FUND.step).toString() }, lines],
        ['second', { ...proof, closeSecond: proof.closeSecond! + SECOND_MS }, lines],
        ['tape', proof, new Map([...lines, [`btcusdt ${proof.closeSecond}`, { ...line, index: '1' }]])],
      ];
      for (const [name, other, tape] of others) {
        // A position with leverage 1 has no liquidation threshold, so no published value changes with its
        // number of units, and a proof with another number is valid too.
        if (name === 'units' && position.leverage === 1) continue;
        // If the next second has the same unit value, the published values do not show in which of the two
        // seconds the position ended, so the proof with the other second is valid too.
        if (name === 'second' && draw.next?.equals(position.salePrice!) === true) continue;
        if (isHolding(other, tape)) differing.push(`${round}: another ${name} verifies too`);
      }
    }
    expect(differing).toEqual([]);
    expect([...ends].toSorted()).toEqual(['exited', 'liquidated', 'sold']);
  });

  it('FUND-022 refuses a liquidation after the first value that required it, and missing lines', () => {
    const random = new SeededGenerator(7);
    let draw = drawPosition(random);
    while (draw?.position.status !== 'liquidated') draw = drawPosition(random);
    const { position, lines } = draw;
    const proof = presentProof(position, FUND);
    const between = [...lines.keys()].find((key) => {
      const t = Number(key.split(' ')[1]);
      return t > proof.openSecond && t < proof.closeSecond!;
    })!;
    const without = new Map([...lines].filter(([key]) => key !== between));
    expect(positionFault(proof, { lines: without })).toMatch(/are missing/);
    // Falsifies a proof: moves the liquidation to the next second, in which the index has the same value.
    const late = proof.closeSecond! + SECOND_MS;
    const moved = new Map(lines);
    for (const symbol of SYMBOLS) {
      const line = lines.get(`${symbol} ${proof.closeSecond}`) as { seq: number };
      moved.set(`${symbol} ${late}`, { ...line, seq: line.seq + 1, t: late });
    }
    expect(positionFault({ ...proof, closeSecond: late }, { lines: moved })).toMatch(/had ended it already/);
  });
});

function isHolding(proof: object, lines: ReadonlyMap<string, unknown>): boolean {
  try {
    return positionFault(proof, { lines }) === undefined;
  } catch {
    return false;
  }
}
