import { useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { startSession } from '@exchange/web-kit/session/session-store.ts';
import type { TicketKind } from '@exchange/web-kit/spot/order-kinds.ts';
import { createOco, createOrder } from '@exchange/wire/spot.ts';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { draw, MOMENT, PAIR, setUpFixtures } from '../../testing/fixtures.tsx';
import type { PickedPrice } from './picked-price.ts';
import { TicketForm } from './ticket-form.tsx';
import { PairHalt } from './ticket.tsx';

const RESTING = { status: 0, stopStatus: '', filledAmount: '0', avgPrice: '', baseCoin: 'BTC' };

const fixtures = setUpFixtures();

function open(kind: TicketKind, side: 'buy' | 'sell' = 'sell', moment = MOMENT) {
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
  return draw(<TicketForm side={side} kind={kind} moment={moment} taken={undefined} />);
}
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const placed = () => fixtures.received.filter(({ path }) => path.endsWith(createOrder.path));
const button = () => screen.getByRole('button', { name: /^(Buy|Sell) BTC$/ });

describe('the ticket', () => {
  it.each<[TicketKind, string[]]>([
    ['limit', ['Price', 'Amount', 'Total']],
    ['market', ['Amount']],
    ['stopLimit', ['Trigger price', 'Limit price', 'Amount', 'Total']],
    ['takeProfitMarket', ['Trigger price', 'Amount', 'Total']],
    ['trailing', ['Trailing delta', 'Activation price', 'Amount', 'Total']],
    ['oco', ['Limit price', 'Trigger price', 'Stop-limit price', 'Amount', 'Total']],
  ])('DESK-100 a %s sale has exactly the inputs %j', (kind, names) => {
    open(kind);
    const inputs = screen.getAllByRole<HTMLInputElement>('textbox');
    expect(inputs.map((input) => input.labels?.[0]?.textContent)).toEqual(names);
  });

  it('DESK-105 WEB-026 shows reserved funds, fee, proceeds and the trigger condition', async () => {
    const user = open('stopLimit');
    await user.type(field('Trigger price'), '95');
    await user.clear(field('Limit price'));
    await user.type(field('Limit price'), '94');
    await user.type(field('Amount'), '0.5');
    const terms = screen.getAllByRole('term').map(({ textContent }) => textContent);
    const values = screen.getAllByRole('definition').map(({ textContent }) => textContent);
    expect(Object.fromEntries(terms.map((term, index) => [term, values[index]]))).toEqual({
      'On hold': '0.5\u00A0BTC',
      'Fee 0.10%': '0.047\u00A0USDT',
      'You receive': '46.95\u00A0USDT',
    });
    const sentence = 'If the last price falls to 95.00 USDT or lower, sell 0.5 BTC at 94.00 USDT or higher.';
    expect(screen.getByText(sentence)).toBeTruthy();
  });

  it('WEB-214 WEB-218 keeps invalid numbers, marks their input and sends nothing', async () => {
    const user = open('limit');
    await user.type(field('Amount'), '1e3');
    await user.click(button());
    expect(field('Amount').value).toBe('1e3');
    expect(field('Total').value).toBe('');
    expect(field('Amount').getAttribute('aria-invalid')).toBe('true');
    const described = field('Amount').getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(document.getElementById(described[0] ?? '')?.textContent).toBe('Amount must be a plain number.');
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    expect(placed()).toEqual([]);
  });

  it('WEB-218 associates an error with its input', async () => {
    const user = open('limit');
    await user.clear(field('Price'));
    await user.type(field('Price'), '500');
    await user.type(field('Amount'), '0.5');
    const problem = screen.getByRole('alert');
    expect(problem.textContent).toContain('500');
    expect(field('Price').getAttribute('aria-describedby')).toBe(problem.id);
    expect(field('Price').getAttribute('aria-invalid')).toBe('true');
    expect(field('Amount').getAttribute('aria-invalid')).toBeNull();
  });

  it('DESK-126 a sale labels its amount where a purchase offers a choice', () => {
    open('trailing', 'sell');
    expect(screen.queryByRole('combobox', { name: 'By amount / By total' })).toBeNull();
    expect(screen.getByText('Amount (BTC)')).toBeTruthy();
  });

  it('DESK-108 hides the available amount with the balances, while share buttons keep working', async () => {
    useBalancesVisible.setState({ isVisible: false });
    try {
      const user = open('limit');
      expect(screen.getByText('Available').parentElement?.textContent).toBe('Available••••••\u00A0BTC');
      await user.click(screen.getByRole('button', { name: '50% of available' }));
      expect(field('Amount').value).toBe('0.5');
    } finally {
      useBalancesVisible.setState({ isVisible: true });
    }
  });

  it('DESK-023 repeats the same order with its expiry after a lost response', async () => {
    fixtures.answers(({ path }) => (path.endsWith(createOrder.path) ? undefined : {}));
    const user = open('limit', 'buy');
    await user.click(screen.getByText('More options'));
    await user.selectOptions(field('Time in force'), 'GTT');
    await user.type(field('Amount'), '0.5');
    await user.click(button());
    await waitFor(() => expect(placed().length).toBe(2));
    await waitFor(() => expect(button().hasAttribute('disabled')).toBe(false));

    fixtures.answers(({ path }) => (path.endsWith(createOrder.path) ? RESTING : {}));
    await user.click(button());
    await waitFor(() => expect(field('Amount').value).toBe(''));
    const expiries = placed().map(({ fields }) =>
      [fields.get('clientId'), fields.get('expireTime')].join(' '),
    );
    expect(new Set(expiries).size).toBe(1);

    await user.type(field('Amount'), '0.5');
    await user.click(button());
    await waitFor(() => expect(placed().length).toBe(4));
    expect(placed()[3]?.fields.get('clientId')).not.toBe(placed()[0]?.fields.get('clientId'));
  });

  it('DESK-106 sends an OCO as a single request with both prices', async () => {
    fixtures.answers(({ path }) =>
      path.endsWith(createOco.path) ? { groupId: 'g', ids: [], orders: [] } : {},
    );
    const user = open('oco');
    await user.clear(field('Limit price'));
    await user.type(field('Limit price'), '110');
    await user.type(field('Trigger price'), '90');
    await user.type(field('Amount'), '0.5');
    await user.dblClick(button());
    await waitFor(() => expect(field('Amount').value).toBe(''));
    const calls = fixtures.received.filter(({ path }) => path.endsWith(createOco.path));
    expect(calls).toHaveLength(1);
    expect(Object.fromEntries(calls[0]?.fields ?? [])).toMatchObject({
      tradeType: '2',
      amount: '0.5',
      limitPrice: '110',
      stopPrice: '90',
    });
  });

  it('DESK-107 names the violated limit and sends nothing', async () => {
    const user = open('limit', 'buy');
    await user.type(field('Amount'), '0.03');
    await user.click(button());
    const alerts = await screen.findAllByRole('alert');
    expect(alerts.map(({ textContent }) => textContent)).toContain(
      'The minimum total is 5\u00A0USDT. You entered 3.',
    );
    expect(placed()).toEqual([]);
  });

  it.each([
    ['cancelOnly', /halted/],
    ['closed', /closed/],
  ] as const)('DESK-104 a pair that is %s states this and accepts no order', async (status, text) => {
    const pair = { ...PAIR, status };
    startSession({ userId: 'u', token: 't', email: 'a@b.example' });
    const user = draw(
      <>
        <PairHalt pair={pair} />
        <TicketForm side="buy" kind="limit" moment={{ ...MOMENT, pair }} taken={undefined} />
      </>,
    );
    expect(screen.getByRole('note').textContent).toMatch(text);
    await user.type(field('Amount'), '0.5{Enter}');
    expect(button().hasAttribute('disabled')).toBe(true);
    expect(placed()).toEqual([]);
  });

  it('DESK-101 a price picked from the book fills the last used price input', async () => {
    startSession({ userId: 'u', token: 't', email: 'a@b.example' });
    const user = draw(<WithBook />);
    await user.click(field('Trigger price'));
    await user.click(screen.getByText('Bid 97.5'));
    expect(field('Trigger price').value).toBe('97.5');
    expect(field('Limit price').value).toBe('100.00');
  });
});

describe('shortcuts of the ticket', () => {
  it('WEB-982 fills the best bid or ask into the limit price', async () => {
    const user = open('limit');
    const best = (name: string) => screen.getByRole('button', { name });
    await user.click(best('Use the best bid price'));
    expect(field('Price').value).toBe('99.00');
    await user.click(best('Use the best ask price'));
    expect(field('Price').value).toBe('101.00');
    cleanup();
    open('limit', 'sell', { ...MOMENT, bestBid: undefined });
    expect(best('Use the best bid price').hasAttribute('disabled')).toBe(true);
  });

  it('WEB-982 sets the amount with the keyboard and announces the share', async () => {
    const user = open('limit');
    const slider = screen.getByRole<HTMLInputElement>('slider', { name: 'Share of available balance' });
    fireEvent.change(slider, { target: { value: '50' } });
    expect(field('Amount').value).toBe('0.5');
    expect(slider.getAttribute('aria-valuetext')).toBe('50% of available');
    await user.clear(field('Amount'));
    expect(slider.value).toBe('0');
  });

  it('WEB-983 a sale accepts exits in percent, with a limit for the stop-loss', async () => {
    fixtures.answers(({ path }) => (path.endsWith(createOrder.path) ? RESTING : {}));
    const user = open('limit', 'sell');
    await user.type(field('Amount'), '0.5');
    await user.click(screen.getByRole('checkbox', { name: 'TP/SL' }));
    await user.selectOptions(field('Set TP/SL by'), 'percent');
    await user.type(field('Take profit'), '5');
    await user.type(field('Stop loss'), '3');
    await user.type(field('Stop-loss limit'), '104');
    expect(screen.getByText('TP 95.00 / SL 103.00')).toBeTruthy();
    expect(screen.getByText(/^Buys back ≈ 0.48/)).toBeTruthy();
    await user.click(button());
    await waitFor(() => expect(placed()).toHaveLength(1));
    expect(Object.fromEntries(placed()[0]?.fields ?? [])).toMatchObject({
      tradeType: '2',
      takeProfitPrice: '95',
      stopLossPrice: '103',
      stopLossLimitPrice: '104',
    });
  });

  it('WEB-983 percentages follow the entry price, and prices stay unchanged when the unit changes', async () => {
    const user = open('limit', 'buy');
    await user.click(screen.getByRole('checkbox', { name: 'TP/SL' }));
    await user.type(field('Take profit'), '110');
    await user.selectOptions(field('Set TP/SL by'), 'percent');
    expect(field('Take profit').value).toBe('10');
    await user.clear(field('Price'));
    await user.type(field('Price'), '90');
    await user.selectOptions(field('Set TP/SL by'), 'price');
    expect(field('Take profit').value).toBe('99');
  });

  it('WEB-984 a market buy uses the total, a sale the amount, and each keeps its last choice', async () => {
    const user = open('market', 'buy');
    expect(field('Total')).toBeTruthy();
    await user.selectOptions(field('By amount / By total'), 'amount');
    cleanup();
    open('market', 'sell');
    expect(field('Amount')).toBeTruthy();
    cleanup();
    open('market', 'buy');
    expect(field('Amount')).toBeTruthy();
    cleanup();
    open('stopMarket', 'buy');
    expect(field('Amount')).toBeTruthy();
    localStorage.clear();
  });

  it('WEB-980 reserves the space of the longest texts, so that typing changes nothing', async () => {
    const user = open('trailing', 'sell');
    const rooms = () =>
      [...document.querySelectorAll<HTMLElement>('[data-longest]')].map(({ dataset }) => dataset['longest']);
    const before = rooms();
    expect(before.some((text) => text?.startsWith('Once the last price reaches'))).toBe(true);
    await user.type(field('Trailing delta'), '1.5');
    await user.type(field('Activation price'), '120');
    await user.type(field('Amount'), '0.5');
    expect(rooms()).toEqual(before);
  });

  it('WEB-981 shows visitors the button of each side, which links to the login and returns', () => {
    draw(
      <>
        <TicketForm side="buy" kind="limit" moment={MOMENT} taken={undefined} />
        <TicketForm side="sell" kind="limit" moment={MOMENT} taken={undefined} />
      </>,
    );
    const [buy, sell] = screen.getAllByRole('link', { name: /Log in or sign up$/ });
    expect([buy?.textContent, sell?.textContent]).toEqual([
      'Buy BTC Log in or sign up',
      'Sell BTC Log in or sign up',
    ]);
    expect([buy?.className.includes('buy'), sell?.className.includes('sell')]).toEqual([true, true]);
    expect(buy?.getAttribute('href')).toContain('/login/login?from=');
  });

  it('WEB-988 a price that rounds to zero does not break the ticket', async () => {
    const user = open('trailing', 'buy');
    await user.type(field('Trailing delta'), '5');
    await user.type(field('Activation price'), '0.00000001');
    await user.type(field('Amount'), '0.5');
    expect(field('Amount').value).toBe('0.5');
  });
});

/** Renders an order ticket and a button; a click on the button picks a price, like a click on an order book row. */
function WithBook() {
  const [pickedPrice, setPickedPrice] = useState<PickedPrice>();
  return (
    <>
      <TicketForm side="sell" kind="stopLimit" moment={MOMENT} taken={pickedPrice} />
      <button type="button" onClick={() => setPickedPrice({ price: '97.5' })}>
        Bid 97.5
      </button>
    </>
  );
}
