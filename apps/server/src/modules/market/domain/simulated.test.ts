import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { instant, later } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import { createAssets } from '../../assets/index.ts';
import { SimulatedPath, simulatedCoin } from './simulated-path.ts';
import { SIMULATED_VENUES, SimulatedVenue } from './simulated-venue.ts';

const assets = createAssets({ mode: 'demo' });
const coins = assets.coins.filter(({ code }) => code !== 'USDT').map(({ code }) => simulatedCoin(code));
const pairs = assets.pairs.map(({ pair }) => pair);
const START = instant(1_800_000_000_000);

describe('the simulated path', () => {
  it('MKT-021 continues from its state as if it had never stopped', () => {
    const path = new SimulatedPath(coins, new SeededGenerator(1));
    for (let step = 0; step < 100; step += 1) path.advance(1);
    const continued = new SimulatedPath(coins, new SeededGenerator(2), path.state());
    for (const { code } of coins) expect(continued.price(code)).toBeCloseTo(path.price(code), 12);
  });

  it('MKT-021 has realistic daily volatility and plausible prices over half a year', () => {
    const path = new SimulatedPath(coins, new SeededGenerator(9));
    const returns: number[] = [];
    const absoluteReturns: number[] = [];
    let previous = path.price('BTC');
    let [low, high] = [previous, previous];
    for (let minute = 0; minute < 60 * 24 * 180; minute += 1) {
      path.advance(60);
      const now = path.price('BTC');
      if (minute % 60 === 0) {
        absoluteReturns.push(Math.abs(Math.log(now / previous)));
        returns.push(Math.log(now / previous));
        previous = now;
      }
      low = Math.min(low, now);
      high = Math.max(high, now);
    }
    const hourly = Math.sqrt(returns.reduce((total, value) => total + value * value, 0) / returns.length);
    expect(hourly * Math.sqrt(24)).toBeGreaterThan(0.018);
    expect(hourly * Math.sqrt(24)).toBeLessThan(0.034);
    expect(low).toBeGreaterThan(55_000);
    expect(high).toBeLessThan(170_000);
    // Volatile hours cluster: absolute moves correlate with those of the previous hour.
    const mean = absoluteReturns.reduce((total, value) => total + value, 0) / absoluteReturns.length;
    const variance = absoluteReturns.reduce((total, value) => total + (value - mean) ** 2, 0);
    const covariance = absoluteReturns
      .slice(1)
      .reduce((total, value, at) => total + (value - mean) * ((absoluteReturns[at] ?? 0) - mean), 0);
    expect(covariance / variance).toBeGreaterThan(0.05);
  });
});

describe('a simulated venue', () => {
  const [traits] = SIMULATED_VENUES;
  if (traits === undefined) throw new Error('there are no simulated venues');

  /** Quotes of one simulated venue during an hour with constant prices: one list for each step of 100 ms. */
  function anHour(overrides: Partial<typeof traits>) {
    const venue = new SimulatedVenue({ ...traits!, ...overrides }, pairs, new SeededGenerator(6));
    const priceOf = (code: string) => simulatedCoin(code).anchor;
    return Array.from({ length: 36_000 }, (_, tick) =>
      venue.quotesAt(later(START, tick * 100), (code) => (code === 'USDT' ? 1 : priceOf(code))),
    );
  }

  it('MKT-003 is one of at least four, each with its own traits', () => {
    expect(SIMULATED_VENUES.length).toBeGreaterThanOrEqual(4);
    expect(new Set(SIMULATED_VENUES.map(({ lagMs, noise }) => `${lagMs.join()} ${noise}`)).size).toBe(
      SIMULATED_VENUES.length,
    );
  });

  it('MKT-003 quotes near the path, received after its delay', () => {
    const quotes = anHour({ outlierChance: 0 })
      .flat()
      .filter(({ symbol }) => symbol === 'btcusdt');
    const deviations = quotes.map(({ price }) => Math.abs(Number(price.toString()) / 97_000 - 1));
    expect(Math.max(...deviations)).toBeLessThan(0.001);
    const lags = quotes.map(({ at, arrives }) => arrives - at);
    expect(Math.min(...lags)).toBeGreaterThanOrEqual(50);
    expect(Math.max(...lags)).toBeLessThanOrEqual(180);
    expect(quotes.length).toBeGreaterThan(5_000);
  });

  it('MKT-003 has occasional outages and occasional outliers', () => {
    const ticks = anHour({ outageEveryMs: 300_000, outlierChance: 0.001 });
    const silences =
      ticks
        .map((quotes) => (quotes.length === 0 ? '-' : 'x'))
        .join('')
        .match(/-{20,}/g) ?? [];
    expect(silences.length).toBeGreaterThan(3);
    expect(Math.max(...silences.map(({ length }) => length))).toBeLessThanOrEqual(470);
    const outliers = ticks
      .flat()
      .filter(
        ({ symbol, price }) => symbol === 'btcusdt' && Math.abs(Number(price.toString()) / 97_000 - 1) > 0.02,
      );
    expect(outliers.length).toBeGreaterThan(0);
  });
});
