import { queryClient } from '@exchange/web-kit/api/query-client.ts';
import { LISTED } from '@exchange/web-kit/market/testing/listed-pair.ts';
import { orderRecords, spotBasics } from '@exchange/wire/spot.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { IDockviewPanel } from 'dockview-react';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { draw, setUpFixtures, type Answer } from '../../testing/fixtures.tsx';
import { useLocation } from 'react-router';
import { PaletteButton } from '../palette/palette-button.tsx';
import DeskScreen from './desk-screen.tsx';
import type { PanelPart } from './desk-layout.ts';
import { resizePanel } from './moves.ts';
import { readDesk } from './saved-layouts.ts';

// The test environment has no canvas, so a button replaces the candle chart; a click on it picks a price. For
// a pair of the coin BAD the chart throws while it renders.
vi.mock('../trade/chart-panel.tsx', () => ({
  Candles: ({ pair, onTake }: { pair: { base: string }; onTake: (price: string) => void }) => {
    if (pair.base === 'BAD') throw new Error('This chart is broken.');
    return (
      <button type="button" onClick={() => onTake(pair.base === 'BTC' ? '123.45' : '67.89')}>
        Chart of {pair.base}
      </button>
    );
  },
  Depth: () => null,
}));
afterAll(() => vi.doUnmock('../trade/chart-panel.tsx'));
afterEach(() => localStorage.clear());

const fixtures = setUpFixtures();
const OTHER = { ...LISTED, symbol: 'ethusdt', baseCoin: 'ETH' };
const BROKEN = { ...LISTED, symbol: 'badusdt', baseCoin: 'BAD' };

const answers: Answer = ({ path }) => {
  if (path.endsWith(spotBasics.path)) return [LISTED, OTHER, BROKEN];
  if (path.endsWith(orderRecords.path)) return { list: [], sum: 0, pageNo: 1 };
  return undefined;
};
const tabs = () =>
  screen
    .getAllByRole('tab')
    .filter(({ className }) => className.includes('dv-tab'))
    .map((tab) => tab.getAttribute('aria-label'));

function Place() {
  const { pathname, search } = useLocation();
  return <output aria-label="place">{pathname + search}</output>;
}

async function open(address = '/trade/desk') {
  fixtures.answers(answers);
  await act(() => queryClient.invalidateQueries());
  const user = draw(
    <>
      <PaletteButton className="" />
      <Place />
      <DeskScreen />
    </>,
    address,
  );
  await screen.findByRole('button', { name: 'Add panel' });
  await waitFor(() => expect(tabs()).toContain('Chart BTC/USDT'));
  return user;
}
type User = Awaited<ReturnType<typeof open>>;

async function choose(user: User, menu: RegExp | string, item: string): Promise<void> {
  await user.click(screen.getByRole('button', { name: menu }));
  await user.click(screen.getByRole('button', { name: item }));
}

/** Names of the regions of panels in the order of the document. */
const regions = () =>
  screen
    .getAllByRole('region')
    .filter(({ className }) => className.includes('dv-groupview'))
    .map((region) => region.getAttribute('aria-label'));

/**
 * Kinds of the active panels of all groups, such as `chart`: the parts of the stored layout from left to
 * right and from top to bottom. Panels behind other tabs are left out.
 */
function placedPanels(): string[] {
  const { parts, panels } = readDesk().current!;
  const idsOf = (part: PanelPart): readonly string[] =>
    part.kind === 'group' ? [part.active] : part.parts.flatMap(idsOf);
  return parts.flatMap(idsOf).map((id) => panels.get(id)!.kind);
}

/** Waits until the regions are in the order of the layout, in which each panel has a group of its own. */
async function isInOrder(): Promise<void> {
  const kinds = () =>
    [...document.querySelectorAll('.dv-groupview')].map(
      (group) => group.querySelector<HTMLElement>('[data-kind]')?.dataset['kind'],
    );
  await waitFor(() => expect(placedPanels()).toEqual(kinds()));
}

/** Names of the regions through which `press` moves the focus, from the first region until it has been in each. */
async function visitedBy(user: User, press: () => Promise<void>) {
  const order = regions();
  await user.click(screen.getByRole('tab', { name: order[0]! }));
  const visited: (string | null | undefined)[] = [];
  for (let presses = 0; presses < 200 && visited.length < order.length; presses += 1) {
    const name = document.activeElement?.closest('.dv-groupview')?.getAttribute('aria-label');
    if (name !== visited.at(-1)) visited.push(name);
    await press();
  }
  return visited;
}

describe('the desk', () => {
  it('DESK-028 DESK-029 adds a panel of the active group, and a chosen pair changes the group', async () => {
    const user = await open();
    await choose(user, 'Add panel', 'Chart');
    await waitFor(() => expect(tabs().filter((name) => name === 'Chart BTC/USDT')).toHaveLength(2));
    await user.selectOptions(screen.getAllByLabelText('Link group')[0]!, 'Unlinked');
    const chart = screen.getAllByLabelText('Pair').find((choice) => choice.closest('[data-kind="chart"]'))!;
    await user.selectOptions(chart, 'ETH/USDT');
    await waitFor(() => expect(tabs().filter((name) => name === 'Chart ETH/USDT')).toHaveLength(2));
    expect(tabs()).toContain('Order form ETH/USDT');
  });

  it('DESK-030 saves a layout under a name and shows it at the next visit', async () => {
    const user = await open();
    await choose(user, /^Layout/, 'Scalper');
    await waitFor(() => expect(tabs()).not.toContain('Orders BTC/USDT'));
    await choose(user, /^Layout/, 'Save layout as…');
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(within(dialog).getByRole('alert').textContent).toBe('Enter a name of 1 to 30 characters.');
    await user.type(within(dialog).getByLabelText('Layout name'), 'Morning');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await screen.findByRole('button', { name: 'Layout: Morning' });
    await choose(user, 'Add panel', 'Depth');
    await waitFor(() => expect(tabs()).toContain('Depth BTC/USDT'));

    cleanup();
    const again = await open();
    expect(tabs()).toContain('Depth BTC/USDT');
    await choose(again, 'Layout: Morning', 'Reset layout');
    await waitFor(() => expect(tabs()).not.toContain('Depth BTC/USDT'));
    expect(tabs()).toHaveLength(4);
  });

  it('DESK-029 a price picked in a chart is entered into the ticket of the same pair only', async () => {
    const user = await open();
    await user.click(await screen.findByText('Chart of BTC'));
    await waitFor(() => expect(screen.getAllByLabelText<HTMLInputElement>('Price')[0]!.value).toBe('123.45'));
    const chart = screen.getAllByLabelText('Pair').find((choice) => choice.closest('[data-kind="chart"]'))!;
    await user.selectOptions(within(chart.closest('[data-kind]')!).getByLabelText('Link group'), 'Unlinked');
    await user.selectOptions(chart, 'ETH/USDT');
    await user.click(await screen.findByText('Chart of ETH'));
    expect(screen.getAllByLabelText<HTMLInputElement>('Price')[0]!.value).toBe('123.45');
    expect(tabs()).toContain('Order form BTC/USDT');
  });

  it('DESK-032 a panel that fails leaves the others in place and can be shown again', async () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const user = await open();
    const chart = screen.getAllByLabelText('Pair').find((choice) => choice.closest('[data-kind="chart"]'))!;
    await user.selectOptions(within(chart.closest('[data-kind]')!).getByLabelText('Link group'), 'Unlinked');
    await user.selectOptions(chart, 'BAD/USDT');
    await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getAllByLabelText('Amount')).toHaveLength(2);
    await user.selectOptions(chart, 'BTC/USDT');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('Chart of BTC');
    silent.mockRestore();
  });

  it('DESK-031 says when the browser blocks the window of a panel, which stays in the desk', async () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const blocked = vi.spyOn(window, 'open').mockReturnValue(null);
    const user = await open();
    await user.click(screen.getByRole('button', { name: 'Open in new window: Chart BTC/USDT' }));
    await screen.findByText(/^Your browser blocked the new window/);
    expect(blocked.mock.calls[0]![0]).toBe('/pc/popout.html');
    await waitFor(() => expect(tabs()).toContain('Chart BTC/USDT'));
    blocked.mockRestore();
    silent.mockRestore();
  });

  it('DESK-028 the keyboard moves from panel to panel and closes them', async () => {
    const user = await open();
    const tab = screen.getByRole('tab', { name: 'Chart BTC/USDT' });
    tab.focus();
    await user.keyboard('{F6}');
    const next = document.activeElement?.getAttribute('aria-label');
    expect(next).not.toBe('Chart BTC/USDT');
    expect(tabs()).toContain(next);
    await user.keyboard('{Shift>}{F6}{/Shift}');
    expect(document.activeElement).toBe(tab);
    await user.keyboard('{Delete}');
    await waitFor(() => expect(tabs()).not.toContain('Chart BTC/USDT'));
  });

  it('DESK-033 each panel is a region with its title as heading', async () => {
    await open();
    const chart = screen.getByRole('region', { name: 'Chart BTC/USDT' });
    expect(within(chart).getByRole('heading', { level: 2 }).textContent).toBe('Chart BTC/USDT');
    const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(headings).toEqual(expect.arrayContaining(['Pair list', 'Orders BTC/USDT', 'Order form BTC/USDT']));
  });

  it('DESK-034 regions, Tab and F6 have the order of the layout, also after panels were added, moved and closed', async () => {
    const user = await open();
    const standard = [
      'Pair list',
      'Recent trades BTC/USDT',
      'Chart BTC/USDT',
      'Orders BTC/USDT',
      'Order book BTC/USDT',
      'Order form BTC/USDT',
    ];
    await waitFor(() => expect(regions()).toEqual(standard));
    await isInOrder();
    await choose(user, 'Add panel', 'Depth');
    await waitFor(() => expect(regions()).toContain('Depth BTC/USDT'));
    await isInOrder();
    for (const move of ['Move right', 'Move up', 'Move left', 'Move left', 'Move down']) {
      await user.click(screen.getByRole('tab', { name: 'Depth BTC/USDT' }));
      await choose(user, /^Panel: /, move);
      await isInOrder();
    }
    await user.click(screen.getByRole('button', { name: 'Close panel: Recent trades BTC/USDT' }));
    await waitFor(() => expect(regions()).not.toContain('Recent trades BTC/USDT'));
    await isInOrder();
    expect(regions()).not.toEqual(standard);
    expect(await visitedBy(user, () => user.keyboard('{F6}'))).toEqual(regions());
    expect(await visitedBy(user, () => user.tab())).toEqual(regions());
  });

  it('DESK-027 the palette shows a pair and fills an order on the desk, which stays open', async () => {
    const user = await open();
    const place = () => screen.getByLabelText('place').textContent;
    fireEvent.keyDown(document, { key: 'k', ctrlKey: true });
    await user.type(await screen.findByRole('combobox', { name: /^Search pages/ }), 'sell 0.5 eth 98.5');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(tabs()).toContain('Order form ETH/USDT'));
    await waitFor(() => expect(place()).toBe('/trade/desk'));
    const amounts = () => screen.getAllByLabelText<HTMLInputElement>('Amount').map(({ value }) => value);
    await waitFor(() => expect(amounts()).toContain('0.5'));
    // A desk without an order form cannot show a prepared order, so the trading screen opens with it instead.
    await user.click(screen.getByRole('button', { name: 'Close panel: Order form ETH/USDT' }));
    await waitFor(() => expect(tabs().join()).not.toContain('Order form'));
    fireEvent.keyDown(document, { key: 'k', ctrlKey: true });
    await user.type(await screen.findByRole('combobox', { name: /^Search pages/ }), 'buy 0.5 btc 98.5');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(place()).toBe('/trade?symbol=BTC_USDT'));
  });

  it('DESK-028 the panel menu changes the size of the active panel in steps and stays open', async () => {
    const user = await open();
    await user.click(screen.getByRole('button', { name: /^Panel: / }));
    await user.click(screen.getByRole('button', { name: 'Wider' }));
    expect(screen.getByRole('button', { name: 'Shorter' })).toBeDefined();
    const setSize = vi.fn<(size: object) => void>();
    const panel = { group: { api: { width: 400, height: 300, setSize } } } as unknown as IDockviewPanel;
    for (const resize of ['wider', 'narrower', 'taller', 'shorter'] as const) resizePanel(panel, resize);
    expect(setSize.mock.calls.flat()).toEqual([
      { width: 448 },
      { width: 352 },
      { height: 348 },
      { height: 252 },
    ]);
  });

  it('DESK-030 the standard layout replaces a stored one that cannot be read', async () => {
    localStorage.setItem(
      'desk',
      '{"version":1,"current":{"parts":[{"panels":["x"]}],"panels":[{"id":"x"}]}}',
    );
    await open();
    expect(tabs()).toContain('Order form BTC/USDT');
  });
});
