import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Decimal } from './decimal.ts';
import {
  FIGURES,
  figuresOf,
  MEASURES,
  valueOf,
  type DayFigure,
  type FigureDefinition,
  type Flow,
  type MeasureDefinition,
} from './figures.ts';

const flow = (
  kind: string,
  source: string,
  destination: string,
  amount: string,
  { asset = 'USDT', parties = 'customers', day = 1 }: Partial<Pick<Flow, 'asset' | 'parties' | 'day'>> = {},
): Flow => ({
  day,
  kind,
  parties,
  source,
  destination,
  asset,
  amount: Decimal.parse(amount),
  postings: 1,
});
const shown = (flows: readonly Flow[], figure: DayFigure['figure']) =>
  figuresOf(flows)
    .filter((row) => row.figure === figure)
    .map(({ day, part, asset, amount }) => `${day} ${part} ${amount.toString()} ${asset}`);

describe('OPS-1156 figures of a day', () => {
  it('the result is what the house’s own money gained, by product and coin', () => {
    const flows = [
      flow('seconds.lost', 'customers', 'house:payout', '100'),
      flow('seconds.won', 'house:payout', 'customers', '80'),
      flow('finance.accrued', 'house:interest', 'house:accrued', '3', { parties: 'none' }),
      flow('finance.paid', 'house:accrued', 'customers', '2'),
      flow('convert.exchanged', 'customers', 'house:inventory', '50'),
      flow('convert.exchanged', 'house:inventory', 'customers', '0.4', { asset: 'ETH' }),
      flow('convert.exchanged', 'house:inventory', 'house:fees', '0.1', { asset: 'ETH' }),
      flow('subscription.settled', 'customers', 'house:raised', '500'),
      flow('treasury.gas', 'house:fees', 'world:BEP20', '1', { parties: 'none' }),
      flow('spot.traded', 'own', 'customers', '7', { parties: 'both', day: 2 }),
    ];
    expect(shown(flows, 'result')).toEqual([
      '1 convert -0.4 ETH',
      '1 convert 50 USDT',
      '1 finance -3 USDT',
      '1 network costs -1 USDT',
      '1 seconds 20 USDT',
      '2 spot -7 USDT',
    ]);
  });

  it('capital and transfers within the house do not count as a result', () => {
    const flows = [
      flow('treasury.funded', 'world:BEP20', 'house:fees', '1000', { parties: 'none' }),
      flow('finance.funded', 'house:fees', 'house:interest', '400', { parties: 'none' }),
      flow('faucet.claimed', 'world:demo', 'own', '20', { parties: 'own' }),
      flow('faucet.claimed', 'world:demo', 'customers', '20'),
      flow('treasury.withdrawn', 'house:fees', 'world:BEP20', '300', { parties: 'none' }),
    ];
    expect(shown(flows, 'result')).toEqual([]);
    expect(shown(flows, 'capital')).toEqual(['1 faucet 20 USDT', '1 network costs 700 USDT']);
  });

  it('fees are those of customers, also where the posting of a trade comes from the other side', () => {
    const flows = [
      flow('spot.traded', 'customers', 'house:fees', '3'),
      // When a customer sells to the house, the ledger takes the customer's fee from the payment of the house (`own`).
      flow('spot.traded', 'own', 'house:fees', '2', { parties: 'both' }),
      flow('spot.traded', 'customers', 'house:fees', '9', { parties: 'both' }),
      flow('spot.traded', 'own', 'house:fees', '9', { parties: 'own' }),
      flow('seconds.lost', 'customers', 'house:fees', '5'),
      flow('seconds.refunded', 'house:fees', 'customers', '1'),
      flow('correction.posted', 'customers', 'house:fees', '70'),
      flow('finance.funded', 'house:fees', 'house:interest', '40', { parties: 'none' }),
    ];
    expect(shown(flows, 'fees')).toEqual(['1 seconds 4 USDT', '1 spot 5 USDT']);
  });

  it('turnover has both sides of a trade with a customer, which are worth half, and what customers put into products', () => {
    const flows = [
      flow('spot.traded', 'customers', 'own', '100', { parties: 'both' }),
      flow('spot.traded', 'own', 'customers', '2', { parties: 'both', asset: 'BTC' }),
      flow('spot.traded', 'own', 'own', '5000', { parties: 'own' }),
      flow('seconds.opened', 'customers', 'customers', '30'),
      flow('seconds.returned', 'customers', 'customers', '30'),
    ];
    expect(shown(flows, 'turnover')).toEqual(['1 seconds 30 USDT', '1 spot 2 BTC', '1 spot 100 USDT']);
    const [stake, base, quote] = figuresOf(flows).filter(({ figure }) => figure === 'turnover');
    expect(valueOf(base!, Decimal.parse('50'))?.toString()).toBe('50');
    expect(valueOf(quote!, Decimal.one)?.toString()).toBe('50');
    expect(valueOf(stake!, Decimal.one)?.toString()).toBe('30');
    expect(valueOf(stake!, undefined)).toBeUndefined();
  });

  it('transfers are reported by network', () => {
    const flows = [
      flow('deposit.credited', 'world:BEP20', 'customers', '10'),
      flow('deposit.credited', 'world:TRC20', 'customers', '1'),
      flow('withdrawal.sent', 'customers', 'world:BEP20', '4'),
      flow('withdrawal.sent', 'customers', 'house:fees', '0.5'),
    ];
    expect(shown(flows, 'deposits')).toEqual(['1 BEP20 10 USDT', '1 TRC20 1 USDT']);
    expect(shown(flows, 'withdrawals')).toEqual(['1 BEP20 4 USDT']);
    expect(shown(flows, 'fees')).toEqual(['1 transfers 0.5 USDT']);
  });
});

describe('the page of figures', () => {
  it('OPS-1161 lists every figure and measure with its title, formula and source', () => {
    const page = readFileSync(new URL('../../../docs/figures.md', import.meta.url), 'utf8');
    const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const listed = new Map(
      rows.map(([, name = '', title, formula, source]) => [name, { title, formula, source }]),
    );
    const definitions = Object.entries<FigureDefinition | MeasureDefinition>({ ...FIGURES, ...MEASURES });
    for (const [name, { title, formula, source }] of definitions)
      expect([name, listed.get(`\`${name}\``)]).toEqual([name, { title, formula, source }]);
  });
});
