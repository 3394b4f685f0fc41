import { proposalEvidence } from '@exchange/wire/console/operators.ts';
import { offeredOperation } from '@exchange/wire/operation.ts';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Changes } from './changes.tsx';
import { ProposalEvidence } from './proposal-evidence.tsx';
import { SessionContext } from './session.ts';

afterEach(() => vi.unstubAllGlobals());

it('OPS-663 an approval shows amount and destination first and complete', async () => {
  const address = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
  const operations = [offeredOperation(proposalEvidence)];
  vi.stubGlobal('fetch', async () =>
    Response.json({
      facts: { amount: '12000', asset: 'USDT', address, email: 'ada@example.com' },
      context: { finishedToAddress: 0 },
      money: { amount: '12000', asset: 'USDT', destination: address },
      isChanged: true,
      warnings: [],
    }),
  );
  render(
    <SessionContext value={{ name: 'approver', roles: [], mode: 'demo', operations }}>
      <ProposalEvidence proposal={{ id: '1', operation: 'POST /ops/withdrawals/:id/approve-large' }}>
        {() => null}
      </ProposalEvidence>
    </SessionContext>,
  );
  const section = await screen.findByRole('region', { name: 'What you decide on' });
  expect(section.querySelector('.money')!.textContent).toBe(`12,000 USDT → ${address}`);
  expect(section.textContent).toContain('ada@example.com');
  expect((await screen.findByRole('alert')).textContent).toContain('cannot be approved');
  const facts = { amount: '15000' };
  render(
    <Changes fields={{ amount: { label: 'Amount', kind: 'decimal' } }} kept="all" now={facts} next={facts} />,
  );
  expect(screen.getByRole('region', { name: 'What changes' }).textContent).toContain('15,000');
});

it('OPS-1182 the comparison has what the market, the ceiling and the cost say beside a field, and no row without any', () => {
  const { unmount } = render(
    <Changes
      fields={{
        amount: { label: 'Amount', kind: 'decimal' },
        rate: { label: 'Rate', kind: 'percent' },
        name: { label: 'Name', kind: 'text' },
      }}
      kept="none"
      now={{ amount: '1', rate: '1', name: 'a' }}
      next={{ amount: '2', rate: '1', name: 'b' }}
      neighbours={[
        { field: 'amount', market: '50000 USDT' },
        { field: 'amount', market: 'thin' },
        { field: 'rate', cost: '1000 USDT a day' },
      ]}
    />,
  );
  const rows = screen.getAllByRole('row').map(({ textContent }) => textContent);
  // The field `rate` is shown although it is unchanged, because it has a note about its cost. Only fields with a note
  // about market, ceiling or cost have a second table row.
  expect(rows).toEqual([
    'FieldNowAfter',
    'Amount12',
    'Market now 50,000 USDT; thin',
    'Rate1 %1 %',
    'Costs the house 1,000 USDT a day',
    'Nameab',
  ]);
  unmount();
});

it('OPS-1182 fields without published values are compared with no empty column beside them', () => {
  const { unmount } = render(
    <Changes
      fields={{ gwei: { label: 'Highest fee', kind: 'decimal' } }}
      kept="all"
      now={{}}
      next={{ gwei: '60', reason: 'a test' }}
      neighbours={[{ field: 'gwei', market: '1 Gwei' }]}
    />,
  );
  expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'FieldAfter',
    'Highest fee60',
    'Market now 1 Gwei',
    'Reasona test',
  ]);
  unmount();
});
