import { Decimal } from '@exchange/core/decimal.ts';
import { HOUR_MS, instant, MINUTE_MS } from '@exchange/core/time.ts';
import { expect, it, vi } from 'vitest';
import { collectingLog } from '../../../testing/edge.ts';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { coveragePercent, coversOf, type OutsideBalance, type CoverageInput } from './coverage-domain.ts';
import { coverageHealth, HouseCoverage, type CoverageParts } from './coverage.ts';

const sums = (amounts: Record<string, string>) =>
  new Map(Object.entries(amounts).map(([coin, amount]) => [coin, Decimal.parse(amount)]));
const outside = (
  asset: string,
  network: string,
  amount: string,
  seenBy: OutsideBalance['backing'],
): OutsideBalance => ({
  asset,
  network,
  amount: Decimal.parse(amount),
  backing: seenBy,
});
const coverageInput = (overrides: Partial<CoverageInput>): CoverageInput => ({
  owed: new Map(),
  own: new Map(),
  outside: [],
  wallets: new Map(),
  behind: new Map(),
  ...overrides,
});
const now = instant(1_800_000_000_000);
const healthOf = (overrides: Partial<CoverageInput>) =>
  coverageHealth({ at: now, covers: coversOf(coverageInput(overrides)) }, { now, trouble: undefined });

it('POL-014 holdings include simulated wallets and chains, and are unknown where only people can check', () => {
  const covers = coversOf(
    coverageInput({
      owed: sums({ BTC: '2', ETH: '10', USDT: '100', NOVA: '5' }),
      own: sums({ ETH: '1' }),
      outside: [
        outside('BTC', 'demo', '1', 'demo'),
        outside('BTC', 'BTC', '1.5', 'demo'),
        // The ledger's figure of outside coins is ignored where the blockchain itself can be read.
        outside('ETH', 'ERC20', '99', 'evm'),
        outside('USDT', 'TRC20', '100', 'manual'),
        outside('USDT', 'ERC20', '7', 'evm'),
        outside('NOVA', 'issue', '5', 'none'),
      ],
      wallets: sums({ ETH: '10.5', USDT: '7', SHIB: '1' }),
    }),
  );
  expect(
    covers.map(({ asset, owed, held, own, unknown }) => [asset, `${owed} ${own} ${held ?? unknown}`]),
  ).toEqual([
    ['BTC', '2 0 2.5'],
    ['ETH', '10 1 10.5'],
    ['NOVA', '5 0 no chain is attached for issue'],
    ['SHIB', '0 0 1'],
    ['USDT', '100 0 TRC20 is reviewed by operators'],
  ]);
  expect(covers.map((cover) => coveragePercent(cover)?.toString())).toEqual([
    '125',
    '105',
    undefined,
    undefined,
    undefined,
  ]);
});

it('POL-014 a coin without a location is not held, and an empty location does not make holdings unknown', () => {
  const [lost, coveredCoin] = coversOf(
    coverageInput({
      owed: sums({ BTC: '1', ETH: '1' }),
      outside: [outside('ETH', 'ERC20', '0', 'none'), outside('ETH', 'demo', '1', 'demo')],
    }),
  );
  expect([lost!.held!.toString(), coveredCoin!.held!.toString()]).toEqual(['0', '1']);
});

it('EDGE-203 an uncovered coin is reported with the missing amount, before unknown ones', () => {
  const health = healthOf({
    owed: sums({ BTC: '3', ETH: '10', USDT: '1' }),
    own: sums({ ETH: '0.5' }),
    outside: [outside('USDT', 'TRC20', '1', 'manual')],
    wallets: sums({ BTC: '3', ETH: '9.99999' }),
  });
  expect(health).toEqual({
    isUp: false,
    reason:
      'ETH: 9.99999 held for 10 owed, 0.00001 missing; see whether coins are at an address that is not in the settings, such as the change of a refill from cold storage',
    facts: { looked: '2027-01-15T08:00:00.000Z', covered: '1 of 3 coins', least: 'ETH 99.99 %', unknown: 1 },
    rows: [
      {
        asset: 'ETH',
        state: 'short',
        owedToUsers: '10',
        held: '9.99999',
        coveragePercent: '99.99',
        difference: '-0.00001',
        ownedByHouse: '0.5',
      },
      {
        asset: 'USDT',
        state: 'not known',
        owedToUsers: '1',
        held: '',
        coveragePercent: '',
        difference: '',
        ownedByHouse: '0',
        note: 'TRC20 is reviewed by operators',
      },
      {
        asset: 'BTC',
        state: 'covered',
        owedToUsers: '3',
        held: '3',
        coveragePercent: '100',
        difference: '0',
        ownedByHouse: '0',
      },
    ],
  });
});

it('EDGE-203 exact coverage is sufficient, and unknown holdings do not report down', () => {
  const outsides = [outside('USDT', 'TRC20', '1', 'manual')];
  expect(healthOf({ owed: sums({ BTC: '3' }), wallets: sums({ BTC: '3' }) })).toMatchObject({ isUp: true });
  expect(healthOf({ owed: sums({ USDT: '1' }), outside: outsides })).toMatchObject({ isUp: true });
});

it('EDGE-203 a failed read is reported at once if there is no result yet, otherwise after half an hour', () => {
  const trouble = 'the node does not answer';
  expect(coverageHealth(undefined, { now, trouble: undefined })).toMatchObject({
    isUp: true,
    isUnmeasured: true,
  });
  expect(coverageHealth(undefined, { now, trouble })).toMatchObject({
    isUp: false,
    reason: 'what is held cannot be read: the node does not answer',
  });
  const last = { at: now, covers: [] };
  expect(coverageHealth(last, { now, trouble })).toMatchObject({ isUp: true });
  expect(coverageHealth(last, { now: instant(now + HOUR_MS), trouble })).toMatchObject({
    isUp: false,
    reason: `what is held has not been read since 2027-01-15T08:00:00.000Z: ${trouble}`,
  });
});

it('POL-015 a coin on a network whose withdrawals were not looked up in the newest blocks is not compared', () => {
  const why = 'withdrawals of LTC are not read up to block 9 yet';
  const covers = coversOf(
    coverageInput({
      owed: sums({ LTC: '3', ETH: '3' }),
      outside: [outside('LTC', 'LTC', '3', 'utxo'), outside('ETH', 'ERC20', '3', 'evm')],
      wallets: sums({ LTC: '1', ETH: '3' }),
      behind: new Map([['LTC', why]]),
    }),
  );
  expect(covers.map(({ asset, held, unknown }) => [asset, held?.toString(), unknown])).toEqual([
    ['ETH', '3', ''],
    ['LTC', undefined, why],
  ]);
});

it('EDGE-204 before a chain’s first block, nothing is reported for five minutes, and it is retried within seconds', async () => {
  vi.useFakeTimers();
  const clock = new FakeClock(now);
  const log = collectingLog();
  let looks = 0;
  const block = () => {
    looks += 1;
    return undefined;
  };
  const wallets = { block, holdings: () => Promise.reject(new Error('not asked')) };
  const coverage = new HouseCoverage({
    clock,
    log,
    systemUsers: () => Promise.resolve([]),
    chains: { channels: [{ networks: ['ERC20'], wallets }], backingOf: () => 'evm' },
    database: { reader: undefined },
  } as unknown as CoverageParts);
  await coverage.refresh();
  expect(coverage.health()).toEqual({ isUp: true, isUnmeasured: true, facts: { looked: 'not yet' } });
  expect(log.events).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toBeGreaterThan(2);
  clock.advance(5 * MINUTE_MS);
  await coverage.refresh();
  expect(coverage.health()).toMatchObject({
    isUp: false,
    reason: 'what is held cannot be read: no block of ERC20 was read yet',
  });
  await coverage.stop();
  vi.useRealTimers();
});
